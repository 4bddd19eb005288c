//! What a page wants done, taken apart.

#[derive(Clone, Copy, Debug)]
pub(super) struct Sentence<'a>(pub &'a str);

impl<'a> Sentence<'a> {
    pub fn has(self, part: &str) -> bool {
        self.0.contains(part)
    }

    pub fn begins(self, start: &str) -> bool {
        self.0.starts_with(start)
    }

    /// What stands between two parts.
    pub fn between(self, before: &str, after: &str) -> Option<&'a str> {
        let (_, rest) = self.0.split_once(before)?;
        let (found, _) = rest.split_once(after)?;
        Some(found.trim())
    }

    /// The parts in double quotes.
    pub fn quoted(self) -> Vec<&'a str> {
        self.0.split('"').skip(1).step_by(2).collect()
    }

    /// Numbers of places, such as 2 in `the 2nd field`, in order.
    pub fn ordinals(self) -> Vec<usize> {
        let ordinal = |word: &str| {
            let digits = word.trim_end_matches(|c: char| !c.is_ascii_digit());
            let ending = &word[digits.len()..];
            let is_one =
                ["st", "nd", "rd", "th"].iter().any(|known| ending.trim_end_matches(['.', ',']) == *known);
            if is_one { digits.parse().ok() } else { None }
        };
        self.0.split_whitespace().filter_map(ordinal).filter(|place| *place > 0).collect()
    }

    pub fn first_number(self) -> Option<i64> {
        self.0.split_whitespace().find_map(|word| word.trim_end_matches(['.', ',']).parse().ok())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sentences_come_apart() {
        let sentence = Sentence("Check the 1st radio button and enter \"-5\" into the 2nd textbox.");
        assert_eq!(sentence.ordinals(), [1, 2]);
        assert_eq!(sentence.quoted(), ["-5"]);
        assert_eq!(sentence.between("Check the ", " radio"), Some("1st"));
        assert_eq!(Sentence("Select -7 with the spinner.").first_number(), Some(-7));
        assert_eq!(Sentence("Click the 11th result").ordinals(), [11]);
        assert_eq!(Sentence("Nothing here").ordinals(), Vec::<usize>::new());
    }
}
