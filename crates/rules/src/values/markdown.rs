//! Markdown: equal if it renders the same. How emphasis, bullets and headings are marked, how lines are
//! broken inside a paragraph and how many blank lines lie between two does not show, and so does not count; every
//! letter does.

use pulldown_cmark::{Event, Options, Parser, html};
use serde_json::Value;
use unicode_normalization::UnicodeNormalization;

/// A long page. Anything longer is no answer.
const LONGEST: usize = 64 * 1024;

/// The HTML it renders to.
pub(super) fn read(value: &Value) -> Option<String> {
    let text = value.as_str().filter(|text| text.len() <= LONGEST)?;
    let text: String = text.trim().replace("\r\n", "\n").replace('\r', "\n").nfc().collect();
    let extensions = Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH | Options::ENABLE_TASKLISTS;
    let on_one_line = Parser::new_ext(&text, extensions).map(|event| match event {
        Event::SoftBreak => Event::Text(" ".into()),
        other => other,
    });
    let mut rendered = String::new();
    html::push_html(&mut rendered, on_one_line);
    rendered.truncate(rendered.trim_end().len());
    Some(rendered)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    #[test]
    fn texts_that_render_the_same() {
        for (a, b) in [
            ("# Title\n\nText", "#   Title  #\r\n\r\n\r\nText  \n"),
            ("Title\n=====", "# Title"),
            ("* a\n* b", "- a\n- b"),
            ("*a* and __b__", "_a_ and **b**"),
            ("one\ntwo", "one two"),
            ("1. a\n2. b", "1. a\n1. b"),
            ("[a](http://x.example)", "[a]( http://x.example )"),
            ("```\ncode\n```", "~~~\ncode\n~~~"),
            ("cafe\u{301}", "café"),
        ] {
            assert_eq!(read(&json!(a)), read(&json!(b)), "{a:?} and {b:?}");
        }
    }

    #[test]
    fn texts_that_render_differently() {
        for (a, b) in [
            ("# Title", "## Title"),
            ("# Title", "# title"),
            ("- a\n- b", "- b\n- a"),
            ("*a*", "**a**"),
            ("one\n\ntwo", "one two"),
            ("[a](http://x.example)", "[a](http://y.example)"),
            ("`a  b`", "`a b c`"),
            ("- a\n  - b", "- a\n- b"),
            ("a", "^.*$"),
        ] {
            assert_ne!(read(&json!(a)), read(&json!(b)), "{a:?} and {b:?}");
        }
        assert_eq!(read(&json!(5)), None);
        assert_eq!(read(&json!(null)), None);
    }

    #[test]
    fn hostile_nesting_ends() {
        for text in ["[".repeat(60_000), "> ".repeat(30_000), "*a_".repeat(20_000), "`".repeat(60_000)] {
            assert!(read(&json!(text)).is_some());
        }
    }

    proptest! {
        #[test]
        fn no_text_breaks_it(text in any::<String>(), near in "[#*_`>\\[\\]()!\\- \na|~1.]{0,60}") {
            prop_assert!(read(&json!(text)).is_some() && read(&json!(near)).is_some());
        }
    }
}
