//! From Python's pattern syntax to that of our engines.
//!
//! The two look alike and differ in the corners: what `$` and `\w` mean, where braces and brackets are literal, which
//! escapes exist, how group references are written. Every element is read by Python's rules and written anew, so
//! nothing reaches an engine that it could understand differently.

mod class;
mod group;

use std::collections::HashMap;

use self::class::shorthand;
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
        } else if self.for_backtracking {
            r"(?=\n?\z)"
        } else {
            // As long as nothing comes after, eating the newline is as good as looking at it, and where the whole text
            // has to match there is no newline to look at.
            self.needs_backtracking |= !matches!(self.rest.peek(), None | Some(')' | '|'));
            match self.end_anchor {
                EndAnchor::EndOnly => r"\z",
                EndAnchor::OrFinalNewline => r"\n?\z",
            }
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
}

fn push_literal(c: char, out: &mut String) {
    if c.is_ascii_punctuation()
        && !matches!(c, '_' | '<' | '>' | '\'' | '"' | '/' | '%' | '!' | '@' | ',' | ';' | ':' | '=' | '`')
    {
        out.push('\\');
    }
    out.push(c);
}
