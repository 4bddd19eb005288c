//! Cuts a date text into words, numbers and separators.

use crate::python::is_space;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Run {
    Letters,
    Digits,
    /// The same after a dot was absorbed; only then may letters and digits follow each other.
    DottedLetters,
    DottedDigits,
}

/// Runs of letters and of digits, dots inside them included where they belong to an abbreviation or a fraction; every
/// white space as one blank; anything else alone.
pub(super) fn tokens(text: &str) -> Vec<String> {
    let mut tokens = Vec::new();
    let mut rest = text.chars().filter(|c| *c != '\0').peekable();
    while let Some(first) = rest.next() {
        let mut run = match first {
            c if c.is_alphabetic() => Run::Letters,
            c if c.is_ascii_digit() => Run::Digits,
            c => {
                tokens.push(if is_space(c) { " ".to_owned() } else { c.to_string() });
                continue;
            }
        };
        let mut token = String::from(first);
        let mut has_letters = false;
        while let Some(&next) = rest.peek() {
            has_letters |= matches!(run, Run::Letters | Run::DottedLetters);
            let Some(after) = run.absorb(next, &token) else { break };
            run = after;
            token.push(next);
            rest.next();
        }
        push_token(token, run, has_letters, &mut tokens);
    }
    tokens
}

impl Run {
    /// The run after taking in `next`, or `None` if the token ends before it.
    fn absorb(self, next: char, token: &str) -> Option<Self> {
        let (is_letter, is_digit) = (next.is_alphabetic(), next.is_ascii_digit());
        match self {
            Self::Letters if is_letter => Some(Self::Letters),
            Self::Letters if next == '.' => Some(Self::DottedLetters),
            Self::Digits if is_digit => Some(Self::Digits),
            Self::Digits if next == '.' || (next == ',' && token.len() >= 2) => Some(Self::DottedDigits),
            Self::DottedLetters if next == '.' || is_letter => Some(Self::DottedLetters),
            Self::DottedLetters if is_digit && token.ends_with('.') => Some(Self::DottedDigits),
            Self::DottedDigits if next == '.' || is_digit => Some(Self::DottedDigits),
            Self::DottedDigits if is_letter && token.ends_with('.') => Some(Self::DottedLetters),
            _ => None,
        }
    }
}

/// A dotted run is one number, or falls apart at its dots and commas.
fn push_token(token: String, run: Run, has_letters: bool, tokens: &mut Vec<String>) {
    if matches!(run, Run::Letters | Run::Digits) {
        tokens.push(token);
        return;
    }
    let falls_apart = has_letters || token.matches('.').count() > 1 || token.ends_with(['.', ',']);
    if falls_apart {
        let mut rest = token.as_str();
        while let Some(at) = rest.find(['.', ',']) {
            if at > 0 {
                tokens.push(rest[..at].to_owned());
            }
            tokens.push(rest[at..=at].to_owned());
            rest = &rest[at + 1..];
        }
        if !rest.is_empty() {
            tokens.push(rest.to_owned());
        }
    } else if run == Run::DottedDigits && !token.contains('.') {
        tokens.push(token.replace(',', "."));
    } else {
        tokens.push(token);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dots_belong_to_numbers_or_part_them() {
        for (text, expected) in [
            ("Mar 5,2023", vec!["Mar", " ", "5", ",", "2023"]),
            ("12.5", vec!["12.5"]),
            ("12,5", vec!["12.5"]),
            ("5.3.2023", vec!["5", ".", "3", ".", "2023"]),
            ("a.m.", vec!["a", ".", "m", "."]),
            ("10:30pm", vec!["10", ":", "30", "pm"]),
            ("2023-03-05.", vec!["2023", "-", "03", "-", "05", "."]),
        ] {
            assert_eq!(tokens(text), expected, "{text}");
        }
    }
}
