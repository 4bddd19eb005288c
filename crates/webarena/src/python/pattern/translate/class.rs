//! Character classes: `[a-z]`, and the shorthands `\d`, `\s`, `\w`.

use super::{InvalidPattern, Last, Step, Translator, refuse};

impl Translator<'_> {
    pub(super) fn class(&mut self) -> Step {
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
pub(super) fn shorthand(letter: char, ascii: bool) -> &'static str {
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

fn push_class_literal(c: char, out: &mut String) {
    if matches!(c, '[' | ']' | '\\' | '^' | '-' | '&' | '~') {
        out.push('\\');
    }
    out.push(c);
}
