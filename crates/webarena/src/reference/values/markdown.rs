//! Markdown, compared after the spellings that render alike are made one.

use std::sync::LazyLock;

use regex::Regex;

use super::{Context, Unreadable, ValueType};
use crate::python::{Value, strip};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MarkdownValue(String);

/// One rewriting step.
struct Step {
    pattern: Regex,
    replacement: &'static str,
}

/// In this order; later steps rely on earlier ones.
static STEPS: LazyLock<Vec<Step>> = LazyLock::new(|| {
    [
        // Trailing blanks of a line.
        (r"(?m)[ \t]+$", ""),
        (r"\n{3,}", "\n\n"),
        // One space after a header's marks.
        (r"(?m)^([ \t]*#{1,6})[ \t]+", "$1 "),
        // One kind of list marker, one depth of nesting.
        (r"(?m)^([ \t]*)[*+][ \t]+", "$1- "),
        (r"(?m)^[ \t]+-", "  -"),
        // Link texts broken over lines.
        (r"\[([^\]]*)\n\s*([^\]]*)\]\(", "[$1 $2]("),
    ]
    .into_iter()
    .map(|(pattern, replacement)| Step {
        pattern: Regex::new(pattern).expect("a constant pattern"),
        replacement,
    })
    .collect()
});

static BRACKETED: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"\[([^\]]+)\]").expect("a constant pattern"));
static PARENTHESISED: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"\(([^)]+)\)").expect("a constant pattern"));

impl ValueType for MarkdownValue {
    fn read(value: &Value, _context: &Context) -> Result<Self, Unreadable> {
        let Value::Str(text) = value else { return Err(Unreadable("not a text")) };
        if strip(text).is_empty() {
            return Err(Unreadable("an empty text"));
        }
        let mut text = strip(text).replace("\r\n", "\n").replace('\r', "\n");
        for step in STEPS.iter() {
            text = step.pattern.replace_all(&text, step.replacement).into_owned();
        }
        let squeezed = BRACKETED.replace_all(&text, |found: &regex::Captures<'_>| {
            format!("[{}]", found[1].split_whitespace().collect::<Vec<_>>().join(" "))
        });
        let trimmed = PARENTHESISED
            .replace_all(&squeezed, |found: &regex::Captures<'_>| format!("({})", strip(&found[1])));
        Ok(Self(strip(&trimmed).to_owned()))
    }

    fn same(&self, other: &Self) -> bool {
        self == other
    }

    fn report(&self) -> Value {
        Value::from(self.0.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::super::cases::assert_reads;

    #[test]
    fn spellings_that_render_alike() {
        assert_reads(
            "markdown",
            &[
                (r##""#  Header\r\n\r\n\r\n\r\ntext  ""##, Some(r##""# Header\n\ntext""##)),
                (r#""* a\n    - b""#, Some(r#""- a\n  - b""#)),
                (r#""[a\n  b]( u )""#, Some(r#""[a b](u)""#)),
                (r#"" ""#, None),
            ],
        );
    }
}
