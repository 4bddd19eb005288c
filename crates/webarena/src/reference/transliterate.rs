//! Non-ASCII characters as ASCII text.

/// Appends the ASCII text for one character; nothing if it has none.
pub(super) fn push_ascii(c: char, out: &mut String) {
    if c.is_ascii() {
        out.push(c);
        return;
    }
    let text = unidecode::unidecode_char(c);
    if text.trim_end() != UNMAPPED {
        out.push_str(text);
    }
}

/// How the table marks characters it knows of but has no text for.
const UNMAPPED: &str = "[?]";
