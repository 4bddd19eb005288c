/// A text without one pair of brackets around all of it: models write them because the prompt's grammar does.
pub(super) fn unbracketed(text: &str) -> &str {
    let text = text.trim();
    text.strip_prefix('[').and_then(|text| text.strip_suffix(']')).unwrap_or(text).trim()
}
