//! Character references, decoded as Python's `html.unescape` decodes them.
//!
//! The original does this to whatever it takes from a page, its whole source included.

use markup5ever::data::{C1_REPLACEMENTS, NAMED_ENTITIES};

/// The longest name Python looks at.
const LONGEST_NAME: usize = 32;

pub(super) fn unescaped(text: &str) -> String {
    let mut decoded = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(ampersand) = rest.find('&') {
        decoded.push_str(&rest[..ampersand]);
        let after = &rest[ampersand + 1..];
        let taken = if let Some(number) = after.strip_prefix('#') {
            numeric(number, &mut decoded).map(|taken| taken + 1)
        } else {
            named(after, &mut decoded)
        };
        if taken.is_none() {
            decoded.push('&');
        }
        rest = &after[taken.unwrap_or(0)..];
    }
    decoded.push_str(rest);
    decoded
}

/// Decodes what follows `&#`; gives how many bytes that took.
fn numeric(text: &str, decoded: &mut String) -> Option<usize> {
    let (radix, prefix) = if text.starts_with(['x', 'X']) { (16, 1) } else { (10, 0) };
    let digits =
        text[prefix..].find(|character: char| !character.is_digit(radix)).unwrap_or(text.len() - prefix);
    if digits == 0 {
        return None;
    }
    let end = prefix + digits;
    // A number too long to read is beyond Unicode in any case.
    decoded.extend(character_numbered(u32::from_str_radix(&text[prefix..end], radix).unwrap_or(u32::MAX)));
    Some(end + usize::from(text[end..].starts_with(';')))
}

fn character_numbered(number: u32) -> Option<char> {
    match number {
        0 => Some('\u{fffd}'),
        0x0d => Some('\r'),
        0x80..=0x9f => C1_REPLACEMENTS[(number - 0x80) as usize].or(char::from_u32(number)),
        // Control characters and non-characters vanish.
        0x01..=0x08 | 0x0b | 0x0e..=0x1f | 0x7f | 0xfdd0..=0xfdef => None,
        _ if number <= 0x10_ffff && number & 0xfffe == 0xfffe => None,
        _ => Some(char::from_u32(number).unwrap_or('\u{fffd}')),
    }
}

/// Decodes the longest known name that `text` begins with; gives how many bytes it took.
fn named(text: &str, decoded: &mut String) -> Option<usize> {
    let is_end = |character: char| "\t\n\u{c} <&#;".contains(character);
    let candidate: usize =
        text.chars().take(LONGEST_NAME).take_while(|character| !is_end(*character)).map(char::len_utf8).sum();
    let with_semicolon = candidate + usize::from(text[candidate..].starts_with(';'));
    (2..=with_semicolon).rev().filter_map(|end| text.get(..end)).find_map(|name| {
        // The table also lists beginnings of names, which stand for nothing.
        let &(first, second) = NAMED_ENTITIES.get(name).filter(|(first, _)| *first != 0)?;
        decoded.extend([first, second].into_iter().filter(|number| *number != 0).filter_map(char::from_u32));
        Some(name.len())
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn references_are_decoded() {
        for (text, expected) in [
            ("a &amp; b", "a & b"),
            ("&lt;p&gt;", "<p>"),
            ("&quot;&#39;&#x27;&apos;", "\"'''"),
            ("&ampx", "&x"),
            ("&notit;", "¬it;"),
            ("&notin;", "∉"),
            ("&unknown;", "&unknown;"),
            ("&#8217s", "’s"),
            ("&#x80;", "€"),
            ("&#0;", "\u{fffd}"),
            ("&#1;", ""),
            ("&#99999999999;", "\u{fffd}"),
            ("&#;&#x;&;& ", "&#;&#x;&;& "),
            ("&NotEqualTilde;", "≂̸"),
            ("&é", "&é"),
        ] {
            assert_eq!(unescaped(text), expected, "{text:?}");
        }
    }

    proptest! {
        #[test]
        fn text_without_ampersands_is_untouched(text in "[^&]*") {
            prop_assert_eq!(unescaped(&text), text);
        }

        #[test]
        fn any_text_is_decoded(text in "(&|#|x|[0-9a-z;é]){0,40}") {
            unescaped(&text);
        }
    }
}
