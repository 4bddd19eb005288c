//! Reading something off the page, or working it out, and typing or marking it.

use umpire_browser::Element;
use umpire_model::Action;

use super::entering::filled;
use super::page::{Page, click};

pub(super) fn rule(page: &Page<'_>) -> Option<Action> {
    let sentence = page.sentence;
    let fields = page.fields();
    let first = fields.first().copied();
    if let Some(key) = sentence.between("Enter the value of ", " into the text field") {
        return filled(page, &[(first?, &value_of(page, key)?)]);
    }
    if sentence.begins("Enter the value that corresponds with each label") {
        return labelled_form(page, &fields);
    }
    if sentence.begins("Solve ") {
        return filled(page, &[(first?, &solved(page)?.to_string())]);
    }
    if sentence.begins("Mark the numbers below as odd or even") {
        return odd_or_even(page);
    }
    if sentence.begins("Find the ") && sentence.has(" word in the paragraph") {
        let place = sentence.ordinals().first()?.checked_sub(1)?;
        let paragraph = page.texts().max_by_key(|text| text.len())?;
        return filled(page, &[(first?, &only_letters(paragraph.split_whitespace().nth(place)?))]);
    }
    if sentence.begins("Find the last word in the text area") {
        let last = areas(page).next()?.value.as_deref()?.split_whitespace().last()?;
        return filled(page, &[(first?, &only_letters(last))]);
    }
    if sentence.begins("Copy the text ") {
        let place = sentence.ordinals().first().copied().unwrap_or(1);
        let text = areas(page).nth(place - 1)?.value.clone()?;
        return filled(page, &[(first?, &text)]);
    }
    if sentence.begins("Type the text below") {
        let text: String = page.texts().filter(|text| *text != "Submit").collect();
        return filled(page, &[(first?, &text.replace(' ', ""))]);
    }
    if sentence.begins("Guess the number between") {
        return guess(page, first?);
    }
    if sentence.begins("Generate ") {
        return generate(page);
    }
    None
}

fn areas<'a>(page: &Page<'a>) -> impl Iterator<Item = &'a Element> {
    page.elements.iter().filter(|element| element.tag == "textarea")
}

fn only_letters(word: &str) -> String {
    word.chars().filter(char::is_ascii_alphabetic).collect()
}

/// The cell after the one with the key.
fn value_of(page: &Page<'_>, key: &str) -> Option<String> {
    let texts: Vec<&str> = page.texts().collect();
    // A row reads `key: value` where its cells are one line.
    let joined = texts.iter().find_map(|text| text.strip_prefix(key)?.strip_prefix(' ').map(str::to_owned));
    let after = texts.iter().position(|text| *text == key).and_then(|at| texts.get(at + 1));
    after.map(|text| (*text).to_owned()).or(joined)
}

fn labelled_form(page: &Page<'_>, fields: &[&Element]) -> Option<Action> {
    let keys = page.texts().filter_map(|text| text.strip_suffix(':'));
    let values: Option<Vec<String>> = keys.map(|key| value_of(page, key)).collect();
    let values = values.filter(|values| values.len() == fields.len())?;
    let entries: Vec<(&Element, &str)> =
        fields.iter().copied().zip(values.iter().map(String::as_str)).collect();
    filled(page, &entries)
}

/// `3 x 4 =` or `x - 3 = 10`.
fn solved(page: &Page<'_>) -> Option<i64> {
    page.texts().find_map(|text| {
        let words: Vec<&str> = text.split_whitespace().collect();
        let number = |word: &str| word.parse::<i64>().ok();
        match words[..] {
            [a, "+", b, "="] => Some(number(a)? + number(b)?),
            [a, "-", b, "="] => Some(number(a)? - number(b)?),
            [a, "x", b, "="] => Some(number(a)? * number(b)?),
            ["x", "+", b, "=", sum] => Some(number(sum)? - number(b)?),
            ["x", "-", b, "=", rest] => Some(number(rest)? + number(b)?),
            [a, "+", "x", "=", sum] => Some(number(sum)? - number(a)?),
            [a, "-", "x", "=", rest] => Some(number(a)? - number(rest)?),
            _ => None,
        }
    })
}

fn odd_or_even(page: &Page<'_>) -> Option<Action> {
    let numbers: Vec<i64> = page.texts().filter_map(|text| text.parse().ok()).collect();
    let marks = |name: &str| -> Vec<&Element> {
        page.elements.iter().filter(|element| element.name == name).collect()
    };
    let (odd, even) = (marks("Odd"), marks("Even"));
    let side = |number: i64| if number % 2 == 0 { &even } else { &odd };
    let wanted =
        numbers.iter().zip(0..).filter_map(|(number, row)| side(*number).get(row).map(|mark| click(mark)));
    wanted.into_iter().find(|action| !page.did(action)).or_else(|| page.submit())
}

/// Halves what is left. The page tells about the last guess only; where each earlier one led shows in the one after it.
fn guess(page: &Page<'_>, field: &Element) -> Option<Action> {
    let mut guesses: Vec<i64> = page.typed().filter_map(|text| text.parse().ok()).collect();
    if let Some((told, is_higher)) = page.texts().find_map(feedback) {
        if guesses.last() != Some(&told) {
            return page.submit();
        }
        guesses.push(if is_higher { i64::MAX } else { i64::MIN });
    } else if !guesses.is_empty() {
        return page.submit();
    }
    let is_left = |number: &i64| guesses.windows(2).all(|pair| (pair[1] > pair[0]) == (*number > pair[0]));
    let left: Vec<i64> = (0..=9).filter(|number| is_left(number) && !guesses.contains(number)).collect();
    page.fill(field, &left.get(left.len() / 2)?.to_string())
}

/// The guess that `The number is higher than 5.` is about, and whether it is higher.
fn feedback(text: &str) -> Option<(i64, bool)> {
    let (is_higher, rest) = match text.split_once("higher than") {
        Some((_, rest)) => (true, rest),
        None => (false, text.split_once("lower than")?.1),
    };
    Some((rest.trim().trim_end_matches('.').trim().parse().ok()?, is_higher))
}

fn generate(page: &Page<'_>) -> Option<Action> {
    let shown: Option<i64> = page.texts().find_map(|text| text.parse().ok());
    let sentence = page.sentence;
    let fits = |number: i64| match sentence.first_number() {
        Some(bound) if sentence.has("greater than") => number > bound,
        Some(bound) => number < bound,
        None => (number % 2 == 0) == sentence.has("even"),
    };
    if shown.is_some_and(fits) { page.submit() } else { page.button("Generate") }
}
