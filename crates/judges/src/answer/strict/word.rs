use std::sync::LazyLock;

use regex::Regex;

use crate::answer::{Status, Unread, quoted};

/// The verdict of an answer that was asked to end with the word alone, as `WebVoyager`'s judge is: the last line that is
/// nothing but the verdict.
pub fn verdict_word(answer: &str) -> Result<Status, Unread> {
    static LINE: LazyLock<Regex> = LazyLock::new(|| {
        let pattern = r"(?i)^[\s*_#\-`\x22'“]*(?:(?:your|my|final|the)\s+)*(?:verdict[\s*_]*[:：])?[\s*_`\x22'“]*(?P<verdict>success|failure)[\s*_`\x22'”.!]*$";
        Regex::new(pattern).expect("a pattern")
    });
    if answer.trim().is_empty() {
        return Err(Unread::Empty);
    }
    let found = answer.lines().rev().find_map(|line| Some((line, LINE.captures(line)?)));
    let (line, found) =
        found.ok_or(Unread::Missing("line that is `SUCCESS` or `FAILURE` and nothing else"))?;
    let wanted = "`SUCCESS` or `FAILURE`";
    Status::parse(&found["verdict"]).ok_or_else(|| Unread::NotAValue { said: quoted(line), wanted })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn only_a_line_that_is_the_verdict_counts() {
        for (answer, verdict) in [
            ("SUCCESS", Some(Status::Success)),
            ("failure", Some(Status::Failure)),
            ("It worked.\n\n**SUCCESS**\n", Some(Status::Success)),
            ("FAILURE\nNo: it is there.\nSUCCESS", Some(Status::Success)),
            ("Your verdict: FAILURE.", Some(Status::Failure)),
            ("Final verdict: \"SUCCESS\"", Some(Status::Success)),
            ("", None),
            ("I cannot see the images.", None),
            ("Verdict: NOT SUCCESS", None),
            ("NOT SUCCESS", None),
            ("> SUCCESS", None),
            ("The run ended in FAILURE of one filter, but overall SUCCESS", None),
            ("SUCCESS or FAILURE", None),
        ] {
            assert_eq!(verdict_word(answer).ok(), verdict, "{answer}");
        }
    }

    proptest! {
        #[test]
        fn no_text_upsets_it(text in r"(\PC|\n|SUCCESS|FAILURE|[*:])*") {
            let _ = verdict_word(&text);
        }
    }
}
