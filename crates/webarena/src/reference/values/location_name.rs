//! Names of places, compared fuzzily.

use super::{Context, Unreadable, ValueType};
use crate::python::{Value, str_of, strip};
use crate::reference::text::fold;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LocationName(String);

/// Names this alike, in percent, are the same place.
const ALIKE: u32 = 80;

impl ValueType for LocationName {
    fn read(value: &Value, context: &Context) -> Result<Self, Unreadable> {
        let text = match value {
            Value::None => return Err(Unreadable("no name")),
            Value::Str(text) => fold(text, Some(context)),
            falsy if !falsy.truthy() => String::new(),
            other => str_of(other),
        };
        Ok(Self(strip(&text.to_lowercase()).to_owned()))
    }

    fn same(&self, other: &Self) -> bool {
        if self.0.is_empty() || other.0.is_empty() {
            return self == other;
        }
        token_sort_ratio(&self.0, &other.0) >= ALIKE
    }

    fn report(&self) -> Value {
        Value::from(self.0.as_str())
    }
}

/// How alike two texts are in percent, whatever the order of their words: twice the longest common subsequence over
/// the sum of the lengths, ties rounded to even.
pub fn token_sort_ratio(left: &str, right: &str) -> u32 {
    let (left, right) = (sorted_words(left), sorted_words(right));
    let total = (left.len() + right.len()) as u64;
    if total == 0 {
        return 100;
    }
    let scaled = 200 * common_subsequence(&left, &right) as u64;
    let (quotient, twice_rest) = (scaled / total, 2 * (scaled % total));
    let round_up = twice_rest > total || (twice_rest == total && quotient % 2 == 1);
    (quotient + u64::from(round_up)) as u32
}

/// Accented Latin letters are dropped rather than split at, as the library does that computes the ratio.
fn sorted_words(text: &str) -> Vec<char> {
    let kept = text.chars().filter(|c| !('\u{80}'..='\u{ff}').contains(c));
    let plain: String = kept.map(|c| if c.is_alphanumeric() { c } else { ' ' }).collect();
    let lower = plain.to_lowercase();
    let mut words: Vec<&str> = lower.split_whitespace().collect();
    words.sort_unstable();
    words.join(" ").chars().collect()
}

/// The length of the longest common subsequence.
fn common_subsequence(left: &[char], right: &[char]) -> usize {
    let mut row = vec![0; right.len() + 1];
    for &l in left {
        let mut diagonal = 0;
        for (at, &r) in right.iter().enumerate() {
            let above = row[at + 1];
            row[at + 1] = if l == r { diagonal + 1 } else { above.max(row[at]) };
            diagonal = above;
        }
    }
    row[right.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ratios() {
        for (left, right, ratio) in [
            ("Yale University", "university, Yale", 100),
            ("Harvard University", "Howard University", 86),
            ("", "!?", 100),
            ("a", "", 0),
            ("é!!!", "é x", 0),
        ] {
            assert_eq!(token_sort_ratio(left, right), ratio, "{left} / {right}");
        }
    }
}
