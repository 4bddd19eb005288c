//! What Python's text methods do, where Rust's differ.

/// `str.strip` also takes the four separators that Unicode does not call white space.
pub(super) fn is_space(c: char) -> bool {
    c.is_whitespace() || ('\x1c'..='\x1f').contains(&c)
}

/// `str.splitlines`: no empty line after a final line break.
pub(super) fn lines(text: &str) -> Vec<&str> {
    let is_break = |c: char| {
        matches!(c, '\n' | '\r' | '\x0b' | '\x0c' | '\x1c'..='\x1e' | '\u{85}' | '\u{2028}' | '\u{2029}')
    };
    let mut lines = Vec::new();
    let mut rest = text;
    while let Some(at) = rest.find(is_break) {
        lines.push(&rest[..at]);
        let width = if rest[at..].starts_with("\r\n") {
            2
        } else {
            rest[at..].chars().next().map_or(1, char::len_utf8)
        };
        rest = &rest[at + width..];
    }
    if !rest.is_empty() {
        lines.push(rest);
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_end_at_every_break() {
        assert_eq!(lines("a\r\nb\n\nc\u{2028}d\n"), ["a", "b", "", "c", "d"]);
        assert!(lines("").is_empty());
    }
}
