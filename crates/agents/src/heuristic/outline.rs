//! Reading values off the page's outline: the value stands in, after, or shortly before the line that names it.

use std::collections::HashSet;

use serde_json::{Value, json};

use super::goal::Asks;
use super::words::{Terms, stem, words};

/// How far from its label a value is still believed to belong to it.
const AFTER: usize = 12;
const BEFORE: usize = 3;

/// One line of the outline, such as `- heading "Orders" (level 2)` or `- combobox "Size" = "Small"`.
#[derive(Clone, Debug, PartialEq)]
pub struct Line<'a> {
    pub role: &'a str,
    /// Its quoted parts; a label and its value are joined as `label: value`.
    pub text: String,
}

pub fn lines(outline: &str) -> Vec<Line<'_>> {
    outline.lines().map(line).filter(|line| !line.text.is_empty()).collect()
}

/// The lines that tell something: fields hold what was typed, and their labels and echoes of a search repeat words.
pub fn told<'a>(lines: &[Line<'a>], searched: &[String]) -> Vec<Line<'a>> {
    let is_field = |line: &Line<'_>| matches!(line.role, "textbox" | "searchbox" | "combobox" | "spinbutton");
    let is_label = |line: &Line<'_>| {
        lines.iter().any(|field| is_field(field) && field.text.split(": ").next() == Some(line.text.as_str()))
    };
    let is_echo = |line: &Line<'_>| searched.iter().any(|query| line.text.contains(&format!("“{query}”")));
    let is_bare_role = |line: &Line<'_>| line.role.is_empty() && line.text.chars().all(char::is_alphabetic);
    let tells = |line: &&Line<'_>| !(is_field(line) || is_label(line) || is_echo(line) || is_bare_role(line));
    lines.iter().filter(tells).cloned().collect()
}

/// A control's name with the explanation that follows it.
pub fn explained(lines: &[Line<'_>], role: &str, name: &str) -> String {
    let from = lines.iter().position(|line| line.role == role && line.text == name);
    let after = lines.iter().skip(from.map_or(lines.len(), |at| at + 1));
    let texts = after.take_while(|line| matches!(line.role, "text" | "paragraph")).take(2);
    texts.fold(name.to_owned(), |all, line| format!("{all} {}", line.text))
}

/// Names of the links in the page's menus.
pub fn menu_links(outline: &str) -> HashSet<String> {
    let indent = |raw: &str| raw.len() - raw.trim_start().len();
    let (mut menu, mut names) = (None, HashSet::new());
    for raw in outline.lines() {
        menu = menu.filter(|at| indent(raw) > *at);
        match line(raw) {
            _ if menu.is_none() && raw.trim().starts_with("- navigation") => menu = Some(indent(raw)),
            Line { role: "link", text } if menu.is_some() => _ = names.insert(text),
            _ => {}
        }
    }
    names
}

fn line(raw: &str) -> Line<'_> {
    let raw = raw.trim().trim_start_matches("- ");
    let role_end = raw.find(|c: char| !c.is_alphanumeric()).unwrap_or(raw.len());
    let quoted = quoted_parts(&raw[role_end..]);
    if quoted.is_empty() {
        return Line { role: "", text: raw.to_owned() };
    }
    Line { role: &raw[..role_end], text: quoted.join(": ") }
}

/// Parts in double quotes; a backslash protects the character after it.
fn quoted_parts(text: &str) -> Vec<String> {
    let (mut parts, mut open) = (Vec::new(), None::<String>);
    let mut rest = text.chars();
    while let Some(char) = rest.next() {
        match (char, &mut open) {
            ('"', Some(_)) => parts.extend(open.take()),
            ('"', None) => open = Some(String::new()),
            ('\\', Some(part)) => part.extend(rest.next()),
            (char, Some(part)) => part.push(char),
            (_, None) => {}
        }
    }
    parts
}

/// A value of the wanted kind near the lines that speak of the subject, with how well its line covers the subject.
pub fn value_near(lines: &[Line<'_>], subject: &Terms, asks: Asks) -> Option<(f64, Value)> {
    let mut best: Option<(f64, Value)> = None;
    for (index, line) in lines.iter().enumerate() {
        let coverage = subject.coverage(&line.text);
        if coverage < 0.3 || best.as_ref().is_some_and(|(score, _)| *score >= coverage) {
            continue;
        }
        let after = lines.iter().skip(index + 1).take(AFTER);
        let before = lines[..index].iter().rev().take(BEFORE);
        let near = || std::iter::once(line).chain(after.clone()).chain(before.clone());
        let found = match asks {
            Asks::Text => text_value(line, after.clone().next(), subject),
            Asks::Count => near()
                .find_map(|near| count_of(&near.text, subject))
                .or_else(|| near().find_map(|near| typed_value(&near.text, asks))),
            Asks::Price | Asks::Date => near().find_map(|near| typed_value(&near.text, asks)),
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
    let below = next.map(|line| line.text.as_str()).filter(|text| subject.coverage(text) < 0.3);
    inside.or(below).map(|text| json!(text))
}

/// "28 comments", if the first thing asked for is comments.
fn count_of(text: &str, subject: &Terms) -> Option<Value> {
    let counted = stem(&subject.0.first()?.word);
    let words: Vec<&str> = words(text).collect();
    let pair = words.windows(2).find(|pair| stem(pair[1]) == counted)?;
    pair[0].parse::<u64>().ok().map(|n| json!(n))
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
    let is_currency = |token: &str| {
        let word = token.trim_end_matches(|c: char| !c.is_alphanumeric());
        token.starts_with(signs) || ["EUR", "USD", "GBP", "CHF"].contains(&word)
    };
    tokens.iter().enumerate().find_map(|(index, token)| {
        let token = token.trim_matches(|c: char| !(c.is_alphanumeric() || signs.contains(&c)));
        if let Some(amount) = token.strip_prefix(signs).filter(|amount| is_amount(amount)) {
            return Some(format!("{}{amount}", token.chars().next().unwrap_or_default()));
        }
        let next = tokens.get(index + 1).copied().unwrap_or_default();
        if is_amount(token) && (token.ends_with(signs) || is_currency(next)) {
            let next = next.trim_end_matches(['.', ',', ';', ')']);
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
    fn a_line_has_a_role_and_quoted_parts_or_is_plain_text() {
        for (raw, role, text) in [
            ("  - heading \"The \\\"best\\\" lamps\" (level 2)", "heading", "The \"best\" lamps"),
            ("  - \"19.99 EUR\"", "", "19.99 EUR"),
            ("- listitem: \"31 reviews\"", "listitem", "31 reviews"),
            ("- combobox \"Size\" = \"Small\" (expanded)", "combobox", "Size: Small"),
            ("  plain text", "", "plain text"),
            ("- an open \" quote", "", "an open \" quote"),
        ] {
            assert_eq!(line(raw), Line { role, text: text.to_owned() }, "{raw}");
        }
    }

    #[test]
    fn what_was_typed_tells_nothing() {
        let page = r#"
            - main
            - text "Words"
            - searchbox "Words" = "rye"
            - heading "Nothing for “rye”"
            - link "Rye bread""#;
        let told = told(&lines(page), &["rye".to_owned()]);
        assert_eq!(told, [Line { role: "link", text: "Rye bread".to_owned() }]);
    }

    #[test]
    fn menus_end_with_their_indentation() {
        let page = "- navigation \"Main\"\n  - list\n    - link \"Orders\"\n- main\n  - link \"Imprint\"";
        assert_eq!(menu_links(page), HashSet::from(["Orders".to_owned()]));
    }

    #[test]
    fn prices_and_dates_are_recognised_in_running_text() {
        for (text, expected) in [
            ("Total: $1,299.00 with shipping", Some("$1,299.00")),
            ("only 19.99 EUR.", Some("19.99 EUR")),
            ("12 €", Some("12 €")),
            ("3 pieces", None),
        ] {
            assert_eq!(price(text).as_deref(), expected, "{text}");
        }
        for (text, expected) in [
            ("Ordered on 2026-03-05 at noon", Some("2026-03-05")),
            ("March 5, 2026", Some("March 5, 2026")),
            ("may contain 3 nuts", None),
        ] {
            assert_eq!(date(text).as_deref(), expected, "{text}");
        }
    }
}
