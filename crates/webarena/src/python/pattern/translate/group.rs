//! Groups: captures, look-around, names, and flags for a part of a pattern.

use super::{Last, OpenGroup, Scope, Step, Translator, refuse};

impl Translator<'_> {
    pub(super) fn open_group(&mut self) -> Step {
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

    pub(super) fn close_group(&mut self) -> Step {
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
}
