//! Reading values off the page's outline: the value stands in, after, or shortly before the line that names it.

use serde_json::{Value, json};

use super::goal::Asks;
use super::words::{Terms, words};

/// How far from its label a value is still believed to belong to it.
const AFTER: usize = 8;
const BEFORE: usize = 3;

/// One line of the outline: `- heading "Orders"` has a role and a text.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Line<'a> {
    pub role: &'a str,
    pub text: &'a str,
}

pub fn lines(outline: &str) -> Vec<Line<'_>> {
    outline.lines().map(line).filter(|line| !line.text.is_empty()).collect()
}

fn line(raw: &str) -> Line<'_> {
    let raw = raw.trim().trim_start_matches("- ");
    let role_end = raw.find(|c: char| !c.is_alphanumeric()).unwrap_or(raw.len());
    let (role, rest) = raw.split_at(role_end);
    match (rest.find('"'), rest.rfind('"')) {
        (Some(open), Some(close)) if open < close => Line { role, text: &rest[open + 1..close] },
        _ => Line { role: "", text: raw },
    }
}

/// A value of the wanted kind near the lines that speak of the subject, with how well its line covers the subject.
pub fn value_near(lines: &[Line<'_>], subject: &Terms, asks: Asks) -> Option<(f64, Value)> {
    let mut best: Option<(f64, Value)> = None;
    for (index, line) in lines.iter().enumerate() {
        let coverage = subject.coverage(line.text);
        if coverage < 0.3 || best.as_ref().is_some_and(|(score, _)| *score >= coverage) {
            continue;
        }
        let after = lines.iter().skip(index + 1).take(AFTER);
        let before = lines[..index].iter().rev().take(BEFORE);
        let found = match asks {
            Asks::Text => text_value(line, after.clone().next(), subject),
            _ => {
                std::iter::once(line).chain(after).chain(before).find_map(|near| typed_value(near.text, asks))
            }
        };
        if let Some(value) = found {
            best = Some((coverage, value));
        }
    }
    best
}

/// "Label: value" in one line, or the line that follows the label.
fn text_value(label: &Line<'_>, next: Option<&Line<'_>>, subject: &Terms) -> Option<Value> {
    let inside = label.text.split_once(':').map(|(_, value)| value.trim()).filter(|value| !value.is_empty());
    let below = next.map(|line| line.text).filter(|text| subject.coverage(text) < 0.3);
    inside.or(below).map(|text| json!(text))
}

fn typed_value(text: &str, asks: Asks) -> Option<Value> {
    match asks {
        Asks::Price => price(text).map(|amount| json!(amount)),
        Asks::Count => {
            words(text).find_map(|word| word.replace(',', "").parse::<u64>().ok()).map(|n| json!(n))
        }
        Asks::Date => date(text).map(|date| json!(date)),
        Asks::Text => Some(json!(text)),
    }
}

/// An amount with a currency sign before or behind it.
fn price(text: &str) -> Option<String> {
    let tokens: Vec<&str> = text.split_whitespace().collect();
    let is_amount = |token: &str| token.starts_with(|c: char| c.is_ascii_digit());
    let signs = ['$', '€', '£'];
    tokens.iter().enumerate().find_map(|(index, token)| {
        let token = token.trim_matches(|c: char| !(c.is_alphanumeric() || signs.contains(&c)));
        if let Some(amount) = token.strip_prefix(signs).filter(|amount| is_amount(amount)) {
            return Some(format!("{}{amount}", token.chars().next().unwrap_or_default()));
        }
        let next = tokens.get(index + 1).copied().unwrap_or_default();
        if is_amount(token) && (token.ends_with(signs) || next.starts_with(signs)) {
            return Some(if token.ends_with(signs) { token.to_owned() } else { format!("{token} {next}") });
        }
        None
    })
}

const MONTHS: [&str; 12] =
    ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];

/// `2026-03-05`, or day, month and year in words in either order.
fn date(text: &str) -> Option<String> {
    let tokens: Vec<&str> = words(text).collect();
    let is_iso = |word: &&&str| {
        let parts: Vec<&str> = word.split('-').collect();
        parts.len() == 3 && parts[0].len() == 4 && parts.iter().all(|part| part.parse::<u32>().is_ok())
    };
    if let Some(iso) = tokens.iter().find(is_iso) {
        return Some((*iso).to_owned());
    }
    let is_month = |word: &str| MONTHS.iter().any(|month| word.to_lowercase().starts_with(month));
    let is_number = |word: &str| word.parse::<u32>().is_ok();
    tokens.windows(3).find_map(|window| match window {
        [month, day, year] if is_month(month) && is_number(day) && is_number(year) => {
            Some(format!("{month} {day}, {year}"))
        }
        [day, month, year] if is_number(day) && is_month(month) && is_number(year) => {
            Some(format!("{day} {month} {year}"))
        }
        _ => None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAGE: &str = r#"
        - heading "Desk lamps"
          - link "Brass Desk Lamp"
          - text "4.5 stars, 31 reviews"
          - text "$64.00"
          - link "Green Desk Lamp"
          - text "2 reviews"
          - text "19,90 €"
        - text "Password"
        - text "Last changed on 5 March 2026"
        - text "Recovery e-mail: ada@example.org"
    "#;

    #[test]
    fn values_stand_next_to_what_they_belong_to() {
        for (subject, asks, value) in [
            ("Brass Desk Lamp", Asks::Price, json!("$64.00")),
            ("Green Desk Lamp", Asks::Price, json!("19,90 €")),
            ("Green Desk Lamp reviews", Asks::Count, json!(2)),
            ("password changed", Asks::Date, json!("5 March 2026")),
            ("recovery e-mail", Asks::Text, json!("ada@example.org")),
        ] {
            let found = value_near(&lines(PAGE), &Terms::of(subject), asks).map(|(_, value)| value);
            assert_eq!(found, Some(value), "{subject}");
        }
        assert_eq!(value_near(&lines(PAGE), &Terms::of("umbrella"), Asks::Price), None);
    }

    #[test]
    fn an_outline_line_may_have_a_role_or_not() {
        assert_eq!(line("  - heading \"A \"b\" c\" level=2"), Line { role: "heading", text: "A \"b\" c" });
        assert_eq!(line("  plain text"), Line { role: "", text: "plain text" });
        assert_eq!(line("\""), Line { role: "", text: "\"" });
    }
}
