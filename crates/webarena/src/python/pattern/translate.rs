//! From Python's pattern syntax to that of our engines.
//!
//! The two look alike and differ in the corners: what `$` and `\w` mean, where braces and brackets are literal, which
//! escapes exist, how group references are written. Every element is read by Python's rules and written anew, so
//! nothing reaches an engine that it could understand differently.

use std::collections::HashMap;

use super::InvalidPattern;

pub(super) enum Translation {
    Linear(String),
    Backtracking(String),
}

/// What `$` means outside multi-line mode.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum EndAnchor {
    EndOnly,
    OrFinalNewline,
}

pub(super) fn translate(pattern: &str, end_anchor: EndAnchor) -> Result<Translation, InvalidPattern> {
    let linear = Translator::new(pattern, end_anchor, false).run()?;
    if !linear.needs_backtracking {
        return Ok(Translation::Linear(linear.out));
    }
    Ok(Translation::Backtracking(Translator::new(pattern, end_anchor, true).run()?.out))
}

/// The flags that change how the rest of a pattern is read, rather than how it is matched.
#[derive(Debug, Clone, Copy, Default)]
struct Scope {
    ascii: bool,
    multi_line: bool,
    verbose: bool,
}

/// What the last element was, which decides whether a repetition may follow it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Last {
    Nothing,
    Anchor,
    Atom,
    Repetition,
}

/// An open group: the scope to return to, and its number if it captures.
struct OpenGroup {
    outer: Scope,
    number: Option<usize>,
}

struct Translator<'a> {
    rest: std::iter::Peekable<std::str::Chars<'a>>,
    end_anchor: EndAnchor,
    for_backtracking: bool,
    out: String,
    /// How much of `out` is global flags, which may stand before everything else only.
    global_flags_length: usize,
    needs_backtracking: bool,
    scope: Scope,
    open: Vec<OpenGroup>,
    group_count: usize,
    names: HashMap<String, usize>,
    last: Last,
}

type Step = Result<(), InvalidPattern>;

fn refuse<T>(reason: &'static str) -> Result<T, InvalidPattern> {
    Err(InvalidPattern::because(reason))
}

impl<'a> Translator<'a> {
    fn new(pattern: &'a str, end_anchor: EndAnchor, for_backtracking: bool) -> Self {
        Self {
            rest: pattern.chars().peekable(),
            end_anchor,
            for_backtracking,
            out: String::with_capacity(pattern.len() + 16),
            global_flags_length: 0,
            needs_backtracking: false,
            scope: Scope::default(),
            open: Vec::new(),
            group_count: 0,
            names: HashMap::new(),
            last: Last::Nothing,
        }
    }

    fn run(mut self) -> Result<Self, InvalidPattern> {
        while let Some(c) = self.rest.next() {
            match c {
                '\\' => self.escape()?,
                '[' => self.class()?,
                '(' => self.open_group()?,
                ')' => self.close_group()?,
                '|' => {
                    self.out.push('|');
                    self.last = Last::Nothing;
                }
                '^' => self.anchor(if self.scope.multi_line { "(?m:^)" } else { r"\A" }),
                '$' => self.dollar(),
                '.' => self.atom("."),
                '*' | '+' | '?' => self.repetition(&c.to_string())?,
                '{' => self.brace()?,
                c if self.scope.verbose && c.is_ascii_whitespace() => {}
                '#' if self.scope.verbose => while self.rest.next_if(|&c| c != '\n').is_some() {},
                c => self.literal(c),
            }
        }
        if self.open.is_empty() { Ok(self) } else { refuse("missing )") }
    }

    fn atom(&mut self, text: &str) {
        self.out.push_str(text);
        self.last = Last::Atom;
    }

    fn anchor(&mut self, text: &str) {
        self.out.push_str(text);
        self.last = Last::Anchor;
    }

    fn literal(&mut self, c: char) {
        push_literal(c, &mut self.out);
        self.last = Last::Atom;
    }

    fn dollar(&mut self) {
        let text = if self.scope.multi_line {
            "(?m:$)"
        } else if self.end_anchor == EndAnchor::EndOnly && !self.for_backtracking {
            r"\z"
        } else if self.for_backtracking {
            r"(?=\n?\z)"
        } else {
            // Eating the newline is as good as looking at it, as long as nothing comes after.
            self.needs_backtracking |= !matches!(self.rest.peek(), None | Some(')' | '|'));
            r"\n?\z"
        };
        self.anchor(text);
    }

    fn repetition(&mut self, operator: &str) -> Step {
        match self.last {
            Last::Nothing | Last::Anchor => return refuse("nothing to repeat"),
            Last::Repetition => return refuse("multiple repeat"),
            Last::Atom => {}
        }
        self.out.push_str(operator);
        if self.rest.next_if_eq(&'?').is_some() {
            self.out.push('?');
        } else if self.rest.next_if_eq(&'+').is_some() {
            self.out.push('+');
            self.needs_backtracking = true;
        }
        self.last = Last::Repetition;
        Ok(())
    }

    /// `{m}`, `{m,}`, `{,n}`, `{m,n}`; any other brace is a literal.
    fn brace(&mut self) -> Step {
        let mut ahead = self.rest.clone();
        let digits = |ahead: &mut std::iter::Peekable<std::str::Chars<'_>>| {
            let mut digits = String::new();
            while let Some(digit) = ahead.next_if(char::is_ascii_digit) {
                digits.push(digit);
            }
            digits
        };
        let low = digits(&mut ahead);
        let high = ahead.next_if_eq(&',').map(|_| digits(&mut ahead));
        if ahead.next() != Some('}') || (low.is_empty() && high.is_none()) {
            self.literal('{');
            return Ok(());
        }
        self.rest = ahead;
        let Ok(low) = (if low.is_empty() { Ok(0) } else { low.parse::<u32>() }) else {
            return refuse("the repetition number is too large");
        };
        let operator = match high {
            None => format!("{{{low}}}"),
            Some(high) if high.is_empty() => format!("{{{low},}}"),
            Some(high) => match high.parse::<u32>() {
                Ok(high) if high >= low => format!("{{{low},{high}}}"),
                Ok(_) => return refuse("min repeat greater than max repeat"),
                Err(_) => return refuse("the repetition number is too large"),
            },
        };
        self.repetition(&operator)
    }

    fn escape(&mut self) -> Step {
        let Some(c) = self.rest.next() else { return refuse("bad escape at end of pattern") };
        match c {
            'd' | 'D' | 's' | 'S' | 'w' | 'W' => {
                let class = format!("[{}]", shorthand(c, self.scope.ascii));
                self.atom(&class);
            }
            'A' => self.anchor(r"\A"),
            'Z' => self.anchor(r"\z"),
            'b' => self.anchor(r"\b"),
            'B' => self.anchor(r"\B"),
            '1'..='9' => match self.octal_escape(c) {
                Some(character) => self.literal(character),
                None => return self.numbered_reference(c),
            },
            c => {
                let character = self.character_escape(c)?;
                self.literal(character);
            }
        }
        Ok(())
    }

    /// Escapes that stand for one character, inside and outside of classes.
    fn character_escape(&mut self, c: char) -> Result<char, InvalidPattern> {
        Ok(match c {
            'a' => '\u{7}',
            'f' => '\u{c}',
            'n' => '\n',
            'r' => '\r',
            't' => '\t',
            'v' => '\u{b}',
            'x' => return self.hex_escape(2),
            'u' => return self.hex_escape(4),
            'U' => return self.hex_escape(8),
            '0' => {
                let mut code = 0;
                for _ in 0..2 {
                    let Some(digit) = self.rest.next_if(|c| matches!(c, '0'..='7')) else { break };
                    code = code * 8 + digit.to_digit(8).unwrap_or_default();
                }
                char::from_u32(code).unwrap_or_default()
            }
            c if c.is_ascii_alphanumeric() => return refuse("bad escape"),
            c => c,
        })
    }

    fn hex_escape(&mut self, length: usize) -> Result<char, InvalidPattern> {
        let mut code = 0_u32;
        for _ in 0..length {
            let Some(digit) = self.rest.next().and_then(|c| c.to_digit(16)) else {
                return refuse("incomplete escape");
            };
            code = code.wrapping_mul(16).wrapping_add(digit);
        }
        char::from_u32(code).ok_or_else(|| InvalidPattern::because("bad escape"))
    }

    /// Three octal digits, the first of which has been read.
    fn octal_escape(&mut self, first: char) -> Option<char> {
        let mut ahead = self.rest.clone();
        let second = ahead.next()?.to_digit(8)?;
        let third = ahead.next()?.to_digit(8)?;
        let character = char::from_u32(first.to_digit(4)? * 64 + second * 8 + third)?;
        self.rest = ahead;
        Some(character)
    }

    fn numbered_reference(&mut self, first: char) -> Step {
        let mut number = first.to_digit(10).unwrap_or_default() as usize;
        if let Some(second) = self.rest.next_if(char::is_ascii_digit) {
            number = number * 10 + second.to_digit(10).unwrap_or_default() as usize;
        }
        self.reference(number)
    }

    fn reference(&mut self, number: usize) -> Step {
        let still_open = self.open.iter().any(|group| group.number == Some(number));
        if number > self.group_count || still_open {
            return refuse("invalid group reference");
        }
        self.needs_backtracking = true;
        self.atom(&format!(r"(?:\{number})"));
        Ok(())
    }

    fn open_group(&mut self) -> Step {
        if self.rest.next_if_eq(&'?').is_none() {
            self.group_count += 1;
            let number = self.group_count;
            self.begin("(", self.scope, Some(number));
            return Ok(());
        }
        match self.rest.next() {
            Some(':') => self.begin("(?:", self.scope, None),
            Some('=') => self.begin_backtracking("(?="),
            Some('!') => self.begin_backtracking("(?!"),
            Some('>') => self.begin_backtracking("(?>"),
            Some('<') => match self.rest.next() {
                Some('=') => self.begin_backtracking("(?<="),
                Some('!') => self.begin_backtracking("(?<!"),
                _ => return refuse("unknown extension"),
            },
            Some('#') => {
                if !self.rest.by_ref().any(|c| c == ')') {
                    return refuse("missing ), unterminated comment");
                }
            }
            Some('P') => return self.named_group(),
            Some(flag @ ('a' | 'i' | 'm' | 's' | 'u' | 'x' | '-')) => return self.flags(flag),
            _ => return refuse("unknown extension"),
        }
        Ok(())
    }

    fn begin(&mut self, text: &str, scope: Scope, number: Option<usize>) {
        self.out.push_str(text);
        self.open.push(OpenGroup { outer: self.scope, number });
        self.scope = scope;
        self.last = Last::Nothing;
    }

    fn begin_backtracking(&mut self, text: &str) {
        self.needs_backtracking = true;
        self.begin(text, self.scope, None);
    }

    fn close_group(&mut self) -> Step {
        let Some(group) = self.open.pop() else { return refuse("unbalanced parenthesis") };
        self.scope = group.outer;
        self.atom(")");
        Ok(())
    }

    /// `(?P<name>…)` or `(?P=name)`; both are written with the group's number.
    fn named_group(&mut self) -> Step {
        let end = match self.rest.next() {
            Some('<') => '>',
            Some('=') => ')',
            _ => return refuse("unknown extension"),
        };
        let mut name = String::new();
        loop {
            match self.rest.next() {
                Some(c) if c == end => break,
                Some(c) if c == '_' || c.is_alphanumeric() => name.push(c),
                _ => return refuse("bad group name"),
            }
        }
        if name.is_empty() || name.starts_with(char::is_numeric) {
            return refuse("bad group name");
        }
        if end == ')' {
            return match self.names.get(&name).copied() {
                Some(number) => self.reference(number),
                None => refuse("unknown group name"),
            };
        }
        self.group_count += 1;
        let number = self.group_count;
        if self.names.insert(name, number).is_some() {
            return refuse("redefinition of group name");
        }
        self.begin("(", self.scope, Some(number));
        Ok(())
    }

    /// `(?i-s:…)` anywhere, or `(?i)` before everything else.
    fn flags(&mut self, first: char) -> Step {
        let mut scope = self.scope;
        let mut engine_flags = String::new();
        let mut on = true;
        let mut flag = Some(first);
        loop {
            match flag {
                Some('i') => engine_flags.push('i'),
                Some('s') => engine_flags.push('s'),
                Some('m') => scope.multi_line = on,
                Some('x') => scope.verbose = on,
                Some('a') if on => scope.ascii = true,
                Some('u') if on => scope.ascii = false,
                Some('-') if on => {
                    on = false;
                    engine_flags.push('-');
                }
                Some(':') => {
                    let flags = engine_flags.trim_end_matches('-');
                    self.begin(&format!("(?{flags}:"), scope, None);
                    return Ok(());
                }
                Some(')') if on && self.out.len() == self.global_flags_length => {
                    self.scope = scope;
                    if !engine_flags.is_empty() {
                        self.out.extend(["(?", &engine_flags, ")"]);
                        self.global_flags_length = self.out.len();
                    }
                    return Ok(());
                }
                Some(')') => return refuse("global flags not at the start of the expression"),
                _ => return refuse("unknown flag"),
            }
            flag = self.rest.next();
        }
    }

    fn class(&mut self) -> Step {
        self.out.push('[');
        if self.rest.next_if_eq(&'^').is_some() {
            self.out.push('^');
        }
        let mut first = true;
        loop {
            let low = match self.rest.next() {
                None => return refuse("unterminated character set"),
                Some(']') if !first => break,
                Some(c) => self.class_item(c)?,
            };
            first = false;
            let mut ahead = self.rest.clone();
            let is_range = ahead.next() == Some('-') && ahead.peek().is_some_and(|&c| c != ']');
            if !is_range {
                low.write(&mut self.out);
                continue;
            }
            self.rest.next();
            let Some(high) = self.rest.next() else { return refuse("unterminated character set") };
            match (low, self.class_item(high)?) {
                (ClassItem::Character(low), ClassItem::Character(high)) if low <= high => {
                    push_class_literal(low, &mut self.out);
                    self.out.push('-');
                    push_class_literal(high, &mut self.out);
                }
                _ => return refuse("bad character range"),
            }
        }
        self.out.push(']');
        self.last = Last::Atom;
        Ok(())
    }

    fn class_item(&mut self, c: char) -> Result<ClassItem, InvalidPattern> {
        if c != '\\' {
            return Ok(ClassItem::Character(c));
        }
        match self.rest.next() {
            None => refuse("unterminated character set"),
            Some(c @ ('d' | 'D' | 's' | 'S' | 'w' | 'W')) => {
                Ok(ClassItem::Shorthand(shorthand(c, self.scope.ascii)))
            }
            Some('b') => Ok(ClassItem::Character('\u{8}')),
            Some(c @ '1'..='7') => match self.octal_escape(c) {
                Some(character) => Ok(ClassItem::Character(character)),
                None => refuse("bad escape"),
            },
            Some(c) => self.character_escape(c).map(ClassItem::Character),
        }
    }
}

enum ClassItem {
    Character(char),
    Shorthand(&'static str),
}

impl ClassItem {
    fn write(&self, out: &mut String) {
        match self {
            Self::Character(c) => push_class_literal(*c, out),
            Self::Shorthand(class) => out.push_str(class),
        }
    }
}

/// The members of a shorthand class, to be put between brackets.
fn shorthand(letter: char, ascii: bool) -> &'static str {
    match (letter, ascii) {
        ('d', false) => r"\p{Nd}",
        ('D', false) => r"\P{Nd}",
        ('w', false) => r"\p{L}\p{N}_",
        ('W', false) => r"[^\p{L}\p{N}_]",
        ('s', false) => r"\s\x1c-\x1f",
        ('S', false) => r"[^\s\x1c-\x1f]",
        ('d', true) => "0-9",
        ('D', true) => "[^0-9]",
        ('w', true) => "a-zA-Z0-9_",
        ('W', true) => "[^a-zA-Z0-9_]",
        ('s', true) => r"\t\n\x0b\x0c\r\x20",
        _ => r"[^\t\n\x0b\x0c\r\x20]",
    }
}

fn push_literal(c: char, out: &mut String) {
    if c.is_ascii_punctuation()
        && !matches!(c, '_' | '<' | '>' | '\'' | '"' | '/' | '%' | '!' | '@' | ',' | ';' | ':' | '=' | '`')
    {
        out.push('\\');
    }
    out.push(c);
}

fn push_class_literal(c: char, out: &mut String) {
    if matches!(c, '[' | ']' | '\\' | '^' | '-' | '&' | '~') {
        out.push('\\');
    }
    out.push(c);
}
