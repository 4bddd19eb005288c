//! Numbers in English words: `forty-two`, `one hundred and five`, `minus three`, `two point five`.
//!
//! The words must form one number by the rules of the language. A list of them (`one two three`) is not a number.

use rust_decimal::Decimal;

/// Reads text that is a number in words and nothing else, in lower case.
pub(super) fn read(text: &str) -> Option<Decimal> {
    let words: Vec<&str> = text.split([' ', '-']).collect();
    let (negative, words) = match words.as_slice() {
        ["minus" | "negative", rest @ ..] => (true, rest),
        words => (false, words),
    };
    let (number, used) = read_start(words)?;
    (used == words.len()).then_some(if negative { -number } else { number })
}

/// The number that a sequence of words begins with, as long as it can be, and how many words it takes.
pub(super) fn read_start(words: &[&str]) -> Option<(Decimal, usize)> {
    let (whole, used) = whole_number(words)?;
    let digits: Vec<u64> = match words.get(used) {
        Some(&"point") => words[used + 1..].iter().map_while(|word| digit(word)).take(MOST_DIGITS).collect(),
        _ => Vec::new(),
    };
    if digits.is_empty() {
        return Some((Decimal::from(whole), used));
    }
    let fraction = digits.iter().fold(0, |number: i64, digit| number * 10 + digit.cast_signed());
    let fraction = Decimal::new(fraction, u32::try_from(digits.len()).ok()?);
    Some((Decimal::from(whole).checked_add(fraction)?, used + 1 + digits.len()))
}

const MOST_DIGITS: usize = 9;

/// True for any word that is part of a number in words.
pub(super) fn is_number_word(word: &str) -> bool {
    small(word).is_some() || tens(word).is_some() || scale(word).is_some() || word == "hundred"
}

/// Groups below a thousand, each with a scale smaller than the one before.
fn whole_number(words: &[&str]) -> Option<(u64, usize)> {
    let (mut total, mut used, mut last_scale) = (0_u64, 0, u64::MAX);
    loop {
        // `and` joins only what comes after a hundred or a scale.
        let joined = usize::from(used > 0 && words.get(used) == Some(&"and"));
        let Some((group, taken)) = group(&words[used + joined..]) else { break };
        let scale = words.get(used + joined + taken).and_then(|word| scale(word));
        let size = scale.unwrap_or(1);
        if size >= last_scale || (used > 0 && group == 0) {
            break;
        }
        total = total.checked_add(group.checked_mul(size)?)?;
        used += joined + taken + usize::from(scale.is_some());
        last_scale = size;
        if scale.is_none() {
            break;
        }
    }
    (used > 0).then_some((total, used))
}

/// A number below a thousand (or hundreds like `twelve hundred`), and the words it takes.
fn group(words: &[&str]) -> Option<(u64, usize)> {
    let article = matches!(words, ["a" | "an", next, ..] if *next == "hundred" || scale(next).is_some());
    let (number, mut used) = if article { (1, 1) } else { below_hundred(words)? };
    if words.get(used) != Some(&"hundred") || number == 0 {
        return Some((number, used));
    }
    used += 1;
    let joined = usize::from(words.get(used) == Some(&"and"));
    match below_hundred(&words[used + joined..]) {
        Some((rest, taken)) if rest > 0 => Some((number * 100 + rest, used + joined + taken)),
        _ => Some((number * 100, used)),
    }
}

fn below_hundred(words: &[&str]) -> Option<(u64, usize)> {
    let first = words.first()?;
    if let Some(number) = small(first) {
        return Some((number, 1));
    }
    let tens = tens(first)?;
    match words.get(1).and_then(|word| digit(word)) {
        Some(unit) if unit > 0 => Some((tens + unit, 2)),
        _ => Some((tens, 1)),
    }
}

fn digit(word: &str) -> Option<u64> {
    small(word).filter(|number| *number < 10)
}

fn small(word: &str) -> Option<u64> {
    const SMALL: [&str; 20] = [
        "zero",
        "one",
        "two",
        "three",
        "four",
        "five",
        "six",
        "seven",
        "eight",
        "nine",
        "ten",
        "eleven",
        "twelve",
        "thirteen",
        "fourteen",
        "fifteen",
        "sixteen",
        "seventeen",
        "eighteen",
        "nineteen",
    ];
    SMALL.iter().position(|known| *known == word).map(|at| at as u64)
}

fn tens(word: &str) -> Option<u64> {
    const TENS: [&str; 8] = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"];
    TENS.iter().position(|known| *known == word).map(|at| (at as u64 + 2) * 10)
}

pub(super) fn scale(word: &str) -> Option<u64> {
    match word {
        "thousand" => Some(1_000),
        "million" => Some(1_000_000),
        "billion" => Some(1_000_000_000),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn words_of_one_number() {
        for (text, expected) in [
            ("zero", "0"),
            ("five", "5"),
            ("nineteen", "19"),
            ("twenty", "20"),
            ("forty-two", "42"),
            ("forty two", "42"),
            ("a hundred", "100"),
            ("one hundred and five", "105"),
            ("one hundred five", "105"),
            ("twelve hundred", "1200"),
            ("two thousand and one", "2001"),
            ("three hundred twenty-one thousand four hundred", "321400"),
            ("one million two thousand three", "1002003"),
            ("minus five", "-5"),
            ("two point five", "2.5"),
            ("zero point zero five", "0.05"),
        ] {
            assert_eq!(read(text), Some(Decimal::from_str_exact(expected).expect(text)), "{text}");
        }
    }

    #[test]
    fn words_of_none_or_several() {
        for text in [
            "",
            "many",
            "one two",
            "one two three four five",
            "twenty ten",
            "twenty zero",
            "five and",
            "and five",
            "five and six",
            "hundred",
            "thousand",
            "one thousand two thousand",
            "one thousand one million",
            "two point",
            "two point eleven",
            "minus",
            "five stars",
        ] {
            assert_eq!(read(text), None, "{text}");
        }
    }

    fn in_words(number: u64) -> String {
        const NAMES: [&str; 28] = [
            "zero",
            "one",
            "two",
            "three",
            "four",
            "five",
            "six",
            "seven",
            "eight",
            "nine",
            "ten",
            "eleven",
            "twelve",
            "thirteen",
            "fourteen",
            "fifteen",
            "sixteen",
            "seventeen",
            "eighteen",
            "nineteen",
            "twenty",
            "thirty",
            "forty",
            "fifty",
            "sixty",
            "seventy",
            "eighty",
            "ninety",
        ];
        let with_rest = |head: String, rest: u64| {
            if rest == 0 { head } else { format!("{head} {}", in_words(rest)) }
        };
        match number {
            0..20 => NAMES[number as usize].to_owned(),
            20..100 => with_rest(NAMES[(number / 10) as usize + 18].to_owned(), number % 10),
            100..1000 => with_rest(format!("{} hundred", in_words(number / 100)), number % 100),
            1000..1_000_000 => with_rest(format!("{} thousand", in_words(number / 1000)), number % 1000),
            _ => with_rest(format!("{} million", in_words(number / 1_000_000)), number % 1_000_000),
        }
    }

    proptest! {
        #[test]
        fn every_number_is_read_back_from_its_words(number in 0..1_000_000_000_u64) {
            prop_assert_eq!(read(&in_words(number)), Some(Decimal::from(number)));
        }

        #[test]
        fn no_words_break_it(text in "((a|and|one|ten|twenty|hundred|thousand|billion|point|minus|x) ?){0,12}") {
            read(&text);
        }
    }
}
