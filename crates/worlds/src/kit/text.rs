//! Small forms of text: how names become addresses, numbers become words on a page.

use umpire_model::Random;

/// `Harbour Tunnel, phase 2` as `harbour-tunnel-phase-2`.
pub fn slug(text: &str) -> String {
    let words: Vec<String> = text
        .split(|c: char| !c.is_ascii_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(str::to_ascii_lowercase)
        .collect();
    words.join("-")
}

pub fn capitalised(text: &str) -> String {
    let mut rest = text.chars();
    let mut capitalised = String::with_capacity(text.len());
    capitalised.extend(rest.next().into_iter().flat_map(char::to_uppercase));
    capitalised.push_str(rest.as_str());
    capitalised
}

/// `12345` as `12,345`.
pub fn thousands(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// One of the words; empty if there are none.
pub fn choose(random: &mut Random, words: &[&'static str]) -> &'static str {
    random.pick(words).copied().unwrap_or_default()
}

/// At most `most` characters of what a visitor typed, without the spaces around it.
pub fn bounded(text: &str, most: usize) -> String {
    text.trim().chars().take(most).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_take_their_forms() {
        assert_eq!(slug(" Harbour Tunnel, phase 2! "), "harbour-tunnel-phase-2");
        assert_eq!(capitalised("éclair shop"), "Éclair shop");
        assert_eq!(bounded("  αβγδ ", 3), "αβγ");
        for (number, text) in [(0, "0"), (999, "999"), (1000, "1,000"), (1_234_567, "1,234,567")] {
            assert_eq!(thousands(number), text);
        }
    }
}
