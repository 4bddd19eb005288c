//! Typing what the sentence says into the fields it means.

use umpire_browser::Element;
use umpire_model::Action;

use super::page::{Page, at, click};

pub(super) fn rule(page: &Page<'_>) -> Option<Action> {
    let sentence = page.sentence;
    let quoted = sentence.quoted();
    let fields = page.fields();
    if sentence.begins("Focus into the ") {
        let place = sentence.ordinals().first().copied().unwrap_or(1);
        return fields.get(place - 1).map(|field| click(field));
    }
    if sentence.begins("Check the ") && sentence.has(" radio button and enter the number ") {
        return numbered_form(page, &fields);
    }
    if sentence.begins("Enter an item that starts with ") {
        return suggested(page, &quoted);
    }
    if let Some(date) = sentence.between("Enter ", " as the date") {
        let mut parts = date.split('/');
        let (month, day, year) = (parts.next()?, parts.next()?, parts.next()?);
        return filled(page, &[(*fields.first()?, &format!("{year}-{month}-{day}"))]);
    }
    if let Some(time) = sentence.between("Enter ", " as the time") {
        return filled(page, &[(*fields.first()?, &on_24_hours(time)?)]);
    }
    if sentence.begins("Enter the username ") {
        // A pop-up that asks to leave is in the way.
        if let Some(cancel) = page.button("Cancel") {
            return Some(cancel);
        }
        let [user, password] = quoted[..] else { return None };
        return filled(page, &[(*fields.first()?, user), (*fields.get(1)?, password)]);
    }
    if sentence.has(" into both text fields") {
        let password = *quoted.first()?;
        return filled(page, &[(*fields.first()?, password), (*fields.get(1)?, password)]);
    }
    if sentence.has("in all upper case letters") {
        return filled(page, &[(*fields.first()?, &quoted.first()?.to_uppercase())]);
    }
    if sentence.has("in all lower case letters") {
        return filled(page, &[(*fields.first()?, &quoted.first()?.to_lowercase())]);
    }
    if sentence.begins("Enter \"") && sentence.has(" into the text field") {
        return filled(page, &[(*fields.first()?, quoted.first()?)]);
    }
    if sentence.begins("Search for ") && sentence.has(" movies directed by ") {
        return movie_search(page, &fields);
    }
    None
}

/// Every field filled, then the form sent.
pub(super) fn filled(page: &Page<'_>, entries: &[(&Element, &str)]) -> Option<Action> {
    entries.iter().find_map(|(field, text)| page.fill(field, text)).or_else(|| page.submit())
}

fn numbered_form(page: &Page<'_>, fields: &[&Element]) -> Option<Action> {
    let (places, quoted) = (page.sentence.ordinals(), page.sentence.quoted());
    let [radio, text] = places[..] else { return None };
    let radio = page.of_role("radio").nth(radio - 1)?;
    if radio.state.checked != Some(true) {
        return Some(click(radio));
    }
    filled(page, &[(*fields.get(text - 1)?, quoted.first()?)])
}

/// Types the beginning, then takes a suggestion with the right end.
fn suggested(page: &Page<'_>, quoted: &[&str]) -> Option<Action> {
    let field = *page.fields().first()?;
    let (start, end) = (*quoted.first()?, quoted.get(1).copied().unwrap_or_default());
    let fits = |text: &str| text.starts_with(start) && text.ends_with(end);
    match field.value.as_deref() {
        Some(value) if value.len() > start.len() && fits(value) => return page.submit(),
        _ => {}
    }
    if let Some(typing) = page.once(Action::Type(at(field), start.to_owned())) {
        return Some(typing);
    }
    let offers = page.elements.iter().filter(|element| element.visible && element.mark != field.mark);
    offers.into_iter().find(|element| fits(&element.name)).map(click)
}

/// `3:05 PM` as a time field wants it.
fn on_24_hours(time: &str) -> Option<String> {
    let tidy = time.replace('\u{202f}', " ");
    let (clock, half) = tidy.split_once(' ')?;
    let (hours, minutes) = clock.split_once(':')?;
    let hours: u32 = hours.parse().ok()?;
    let hours = hours % 12 + if half.eq_ignore_ascii_case("PM") { 12 } else { 0 };
    Some(format!("{hours:02}:{minutes}"))
}

/// Fields in any order, with their labels before or after them.
fn movie_search(page: &Page<'_>, fields: &[&Element]) -> Option<Action> {
    let sentence = page.sentence;
    let genre = sentence.between("Search for ", " movies")?;
    let director = sentence.between("directed by ", " from year")?;
    let year = sentence.between("from year ", ".")?;
    let value_for = |label: &str| match label {
        label if label.contains("Genre") => Some(genre),
        label if label.contains("Director") => Some(director),
        label if label.contains("Year") || label.contains("Date") => Some(year),
        _ => None,
    };
    let mut values: Vec<&str> = page.texts().filter_map(value_for).collect();
    // In a table, the row is named by its heading.
    values.dedup();
    let entries: Vec<(&Element, &str)> = fields.iter().copied().zip(values).collect();
    if entries.len() == 3 { filled(page, &entries) } else { None }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_written_as_fields_want_them() {
        for (time, expected) in
            [("3:05 PM", "15:05"), ("12:30 AM", "00:30"), ("12:00 PM", "12:00"), ("9:15\u{202f}AM", "09:15")]
        {
            assert_eq!(on_24_hours(time).as_deref(), Some(expected));
        }
        assert_eq!(on_24_hours("noon"), None);
    }
}
