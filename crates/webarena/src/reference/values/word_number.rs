//! Numbers in English words, with the arithmetic and the blind spots of the library the reference uses.

use crate::python::to_ascii_digits;

/// The value of a text like `two million three thousand nine hundred and eighty four point five`. Words that name no
/// number are passed over.
pub fn word_number(text: &str) -> Option<f64> {
    let text = text.replace('-', " ").to_lowercase();
    let text = to_ascii_digits(&text);
    if !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit()) {
        return text.parse().ok();
    }
    let words: Vec<Word> = text.split_whitespace().filter_map(Word::parse).collect();
    let occurrences = |wanted: Word| words.iter().filter(|word| **word == wanted).count();
    if words.is_empty()
        || [THOUSAND, MILLION, BILLION, Word::Point].into_iter().any(|word| occurrences(word) > 1)
    {
        return None;
    }
    let point = words.iter().position(|word| *word == Word::Point);
    let (whole, decimals) = match point {
        Some(at) => (&words[..at], &words[at + 1..]),
        None => (&words[..], &words[..0]),
    };
    Some(whole_number(whole)? + decimal_fraction(decimals))
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Word {
    Value(u64),
    Point,
}

const THOUSAND: Word = Word::Value(1_000);
const MILLION: Word = Word::Value(1_000_000);
const BILLION: Word = Word::Value(1_000_000_000);

impl Word {
    fn parse(word: &str) -> Option<Self> {
        Some(Self::Value(match word {
            "zero" => 0,
            "one" => 1,
            "two" => 2,
            "three" => 3,
            "four" => 4,
            "five" => 5,
            "six" => 6,
            "seven" => 7,
            "eight" => 8,
            "nine" => 9,
            "ten" => 10,
            "eleven" => 11,
            "twelve" => 12,
            "thirteen" => 13,
            "fourteen" => 14,
            "fifteen" => 15,
            "sixteen" => 16,
            "seventeen" => 17,
            "eighteen" => 18,
            "nineteen" => 19,
            "twenty" => 20,
            "thirty" => 30,
            "forty" => 40,
            "fifty" => 50,
            "sixty" => 60,
            "seventy" => 70,
            "eighty" => 80,
            "ninety" => 90,
            "hundred" => 100,
            "thousand" => 1_000,
            "million" => 1_000_000,
            "billion" => 1_000_000_000,
            "point" => return Some(Self::Point),
            _ => return None,
        }))
    }

    fn value(self) -> u64 {
        match self {
            Self::Value(value) => value,
            Self::Point => 0,
        }
    }
}

/// No words before a point count as zero.
fn whole_number(words: &[Word]) -> Option<f64> {
    let place = |wanted: Word| words.iter().position(|word| *word == wanted);
    let (thousand, million, billion) = (place(THOUSAND), place(MILLION), place(BILLION));
    let before = |left: Option<usize>, right: Option<usize>| matches!((left, right), (Some(left), Some(right)) if left < right);
    if before(thousand, million) || before(thousand, billion) || before(million, billion) {
        return None;
    }
    match words {
        [] => return Some(0.0),
        [word] => return Some(word.value() as f64),
        _ => {}
    }
    let mut total = 0.0;
    let mut start = 0;
    for (scale, at) in [(BILLION, billion), (MILLION, million), (THOUSAND, thousand)] {
        if let Some(at) = at {
            total += group(&words[start..at])? as f64 * scale.value() as f64;
            start = at + 1;
        }
    }
    if start < words.len() {
        total += group(&words[start..])? as f64;
    }
    Some(total)
}

/// Up to four words below a thousand; of more, the library sees the first.
fn group(words: &[Word]) -> Option<u64> {
    let values: Vec<u64> = words.iter().map(|word| word.value()).collect();
    Some(match values[..] {
        [] => return None,
        [a, b] if a == 100 || b == 100 => a * b,
        [a, b] => a + b,
        [a, b, c] => a * b + c,
        [a, b, c, d] => a * b + c + d,
        [a, ..] => a,
    })
}

fn decimal_fraction(words: &[Word]) -> f64 {
    let mut digits = String::from("0.");
    for word in words {
        match word {
            Word::Value(digit @ 0..=9) => digits.push_str(&digit.to_string()),
            _ => return 0.0,
        }
    }
    digits.parse().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_and_blind_spots() {
        for (text, value) in [
            ("zero", Some(0.0)),
            ("twenty-one", Some(21.0)),
            ("two million three thousand nine hundred and eighty four", Some(2_003_984.0)),
            ("one point two three", Some(1.23)),
            ("minus five", Some(5.0)),
            ("one two three four five", Some(1.0)),
            ("two hundred billion", Some(200e9)),
            ("112", Some(112.0)),
            ("112 ", None),
            ("-5", None),
            ("thousand five", None),
            ("dozen", None),
            ("one thousand million", None),
            ("one thousand thousand", None),
        ] {
            assert_eq!(word_number(text), value, "{text}");
        }
    }
}
