//! Amounts, dates and large numbers as Germany writes them: `$1,234.50` becomes `1.234,50 €`, `2026-03-16` becomes
//! `16.03.2026`.

use serde_json::Value;

use super::currency::{mention, relabelled, whole_amount};
use super::page::{Edits, Kind, Piece, pieces};

const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];

/// Elements whose text is machine-readable.
const LEFT_ALONE: [&str; 3] = ["pre", "code", "kbd"];
/// Attributes that people read or hear.
const READ: [&str; 4] = ["aria-label", "alt", "placeholder", "title"];

/// Rewrites the text of a page and what its elements are called; the number says how many places.
pub fn rewrite(page: &str) -> (String, u32) {
    let pieces = pieces(page);
    let mut edits = Edits::default();
    let mut inside: Option<&str> = None;
    let mut option = None;
    for piece in &pieces {
        match piece.kind {
            Kind::Open if inside.is_none() => {
                inside = LEFT_ALONE.into_iter().find(|name| piece.opens(name));
                if piece.opens("option") {
                    option = Some(piece.attribute("value").is_some());
                }
                rewrite_attributes(piece, &mut edits);
            }
            Kind::Close if inside == Some(piece.name()) => inside = None,
            Kind::Close if matches!(piece.name(), "option" | "select") => option = None,
            Kind::Text if inside.is_none() => {
                let other = match option {
                    None => localized(piece.text),
                    // An option is chosen by its words, and one without a value posts them.
                    Some(true) => relabelled(piece.text),
                    Some(false) => None,
                };
                if let Some(other) = other {
                    edits.replace(piece.range(), other);
                }
            }
            _ => {}
        }
    }
    let count = edits.count();
    (edits.apply(page), count)
}

/// Amounts in `data-` attributes are there for a script to show.
fn rewrite_attributes(piece: &Piece<'_>, edits: &mut Edits) {
    for (name, range) in piece.attributes() {
        let value = &piece.text[range.start - piece.at..range.end - piece.at];
        let other = if name.starts_with("data-") {
            whole_amount(value)
        } else if READ.iter().any(|read| name.eq_ignore_ascii_case(read)) {
            localized(value)
        } else {
            None
        };
        if let Some(other) = other {
            edits.replace(range, other);
        }
    }
}

/// The amounts in what a script asked for; none if there are none.
pub fn rewrite_json(body: &[u8]) -> Option<(String, u32)> {
    let mut told: Value = serde_json::from_slice(body).ok()?;
    let count = relabel_amounts(&mut told);
    (count > 0).then(|| (told.to_string(), count))
}

fn relabel_amounts(value: &mut Value) -> u32 {
    match value {
        Value::String(text) => whole_amount(text).map_or(0, |other| {
            *text = other;
            1
        }),
        Value::Array(items) => items.iter_mut().map(relabel_amounts).sum(),
        Value::Object(fields) => fields.values_mut().map(relabel_amounts).sum(),
        Value::Null | Value::Bool(_) | Value::Number(_) => 0,
    }
}

/// The text with its amounts and dates rewritten; none if it has none.
pub fn localized(text: &str) -> Option<String> {
    rewritten(text, |before, rest| {
        // Inside a word or a number nothing else begins.
        let is_inside = before.is_alphanumeric() || matches!(before, '.' | ',' | '-' | '/');
        mention(before, rest).or_else(|| if is_inside { None } else { date(rest).or_else(|| grouped(rest)) })
    })
}

/// The text with what `find` finds rewritten. It is given the character before, and the rest, and tells the length of what
/// it found and what stands there instead.
pub fn rewritten(text: &str, find: impl Fn(char, &str) -> Option<(usize, String)>) -> Option<String> {
    let mut out = String::with_capacity(text.len());
    let mut changed = false;
    let mut rest = text;
    let mut before = ' ';
    while let Some(first) = rest.chars().next() {
        let length = if let Some((length, written)) = find(before, rest) {
            out.push_str(&written);
            changed = true;
            length
        } else {
            out.push(first);
            first.len_utf8()
        };
        before = rest[..length].chars().next_back().unwrap_or(first);
        rest = &rest[length..];
    }
    changed.then_some(out)
}

/// The digits, points and commas at the beginning, without what ends a sentence.
pub fn number(text: &str) -> &str {
    let end = text.find(|c: char| !c.is_ascii_digit() && c != ',' && c != '.').unwrap_or(text.len());
    text[..end].trim_end_matches(['.', ','])
}

/// `1,234.50` as `1.234,50`; none for what is no such number.
pub fn german(number: &str) -> Option<String> {
    let (whole, cents) = number.split_once('.').map_or((number, None), |(whole, cents)| (whole, Some(cents)));
    let groups: Vec<&str> = whole.split(',').collect();
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let well_grouped = groups.len() == 1 || groups[0].len() <= 3 && groups[1..].iter().all(|g| g.len() == 3);
    if !groups.iter().all(|group| digits(group)) || !well_grouped || cents.is_some_and(|cents| !digits(cents))
    {
        return None;
    }
    Some(match cents {
        Some(cents) => format!("{},{cents}", groups.join(".")),
        None => groups.join("."),
    })
}

/// A number with groups of thousands, such as a count of stars.
fn grouped(text: &str) -> Option<(usize, String)> {
    let number = number(text);
    let follows = text[number.len()..].chars().next();
    let is_alone = !follows.is_some_and(|next| next.is_alphanumeric() || matches!(next, '-' | '/' | ':'));
    (number.contains(',') && is_alone)
        .then(|| german(number).map(|written| (number.len(), written)))
        .flatten()
}

fn date(text: &str) -> Option<(usize, String)> {
    iso_date(text).or_else(|| month_first(text)).or_else(|| day_first(text))
}

fn written(length: usize, day: u32, month: u32, year: &str) -> Option<(usize, String)> {
    let fits = (1..=31).contains(&day) && (1..=12).contains(&month) && year.len() == 4;
    fits.then(|| (length, format!("{day:02}.{month:02}.{year}")))
}

fn digits(text: &str) -> &str {
    &text[..text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len())]
}

fn iso_date(text: &str) -> Option<(usize, String)> {
    let (year, month, day) = (text.get(..4)?, text.get(5..7)?, text.get(8..10)?);
    let dashes = text.get(4..5) == Some("-") && text.get(7..8) == Some("-");
    let all_digits = [year, month, day].iter().all(|part| digits(part) == *part);
    let ends = !text[10..].starts_with(|c: char| c.is_alphanumeric() || c == '-');
    if !(dashes && all_digits && ends) {
        return None;
    }
    written(10, day.parse().ok()?, month.parse().ok()?, year)
}

/// The number of the month whose name, whole or by its first three letters, the text begins with, and the name's length.
fn month(text: &str) -> Option<(u32, usize)> {
    let end = text.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(text.len());
    let word = &text[..end];
    let at = MONTHS.iter().position(|name| *name == word || name[..3] == *word)?;
    Some((at as u32 + 1, end))
}

/// `March 16, 2026`, `Mar 16, 2026`.
fn month_first(text: &str) -> Option<(usize, String)> {
    let (month, name) = month(text)?;
    let after = text[name..].strip_prefix(' ')?;
    let day = digits(after);
    let year = digits(after[day.len()..].strip_prefix(", ")?);
    written(name + 1 + day.len() + 2 + year.len(), day.parse().ok()?, month, year)
}

/// `16 March 2026`, `16 Mar 2026`.
fn day_first(text: &str) -> Option<(usize, String)> {
    let day = digits(text);
    let after = text[day.len()..].strip_prefix(' ')?;
    let (month, name) = month(after)?;
    let year = digits(after[name..].strip_prefix(' ')?);
    written(day.len() + 1 + name + 1 + year.len(), day.parse().ok()?, month, year)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_and_dates_are_written_the_other_way() {
        for (text, expected) in [
            ("now $1,234.50, was $2,000.", "now 1.234,50 €, was 2.000 €."),
            ("2,000 at $5 since 2026-03-16", "2.000 at 5 € since 16.03.2026"),
            ("12,345 stars", "12.345 stars"),
            ("on 2026-03-16", "on 16.03.2026"),
            ("March 3, 2026", "03.03.2026"),
            ("Joined 4 Feb 2025.", "Joined 04.02.2025."),
            ("May 1, 2026 to May 9, 2026", "01.05.2026 to 09.05.2026"),
        ] {
            assert_eq!(localized(text).as_deref(), Some(expected), "{text}");
        }
    }

    #[test]
    fn what_only_looks_like_one_stays() {
        for text in [
            "",
            "$x",
            "v1.2.3",
            "1.5.0",
            "4.5 stars",
            "1,2 or 3",
            "10,11,12",
            "SKU-2026-03-16-a",
            "2026-13-01",
            "March of 2026",
            "March 99, 2026",
            "May I?",
            "3 May",
            "a$5",
            "é2026-03-16é",
            "192.168.0.1",
            "12,345-b",
        ] {
            assert_eq!(localized(text), None, "{text}");
        }
    }

    #[test]
    fn values_and_code_stay() {
        let page = "<input value=\"$5.00\" placeholder=\"$9\"><option>$5.00</option><option value=a>May 1, 2026: $6</option>\
                    <code>$1,000 <b>$7</b></code><time datetime=\"2026-03-16\">March 16, 2026</time>\
                    <button aria-label=\"Pay $5.00\" data-price=\"$5.00\" data-note=\"$5.00 off\"></button>";
        let expected = page
            .replace("March 16, 2026<", "16.03.2026<")
            .replace("Pay $5.00", "Pay 5,00 €")
            .replace("\"$9\"", "\"9 €\"")
            .replace(": $6", ": 6 €")
            .replace("data-price=\"$5.00\"", "data-price=\"5,00 €\"");
        assert_eq!(rewrite(page), (expected, 5));
    }

    #[test]
    fn amounts_for_scripts_change_too() {
        let (told, count) =
            rewrite_json(br#"{"items": [{"price": "$1,250.00", "name": "$5 mug", "n": 1}]}"#).expect("one");
        assert_eq!(serde_json::from_str::<Value>(&told).expect("JSON")["items"][0]["price"], "1.250,00 €");
        assert_eq!(count, 1);
        assert_eq!(rewrite_json(b"{\"a\": \"$x\"}"), None);
        assert_eq!(rewrite_json(b"no JSON: \"$5\""), None);
    }
}
