use std::sync::LazyLock;

use regex::Regex;

use super::labelled::{Parts, label, labelled};
use crate::answer::{Status, Unread, quoted};

const WANTED: &str = "a status: `success` or `failure`";

/// The verdict of an answer that was asked to end with `Status: success` or `Status: failure`.
pub fn status(answer: &str) -> Result<Status, Unread> {
    if answer.trim().is_empty() {
        return Err(Unread::Empty);
    }
    let parts = Parts::of(answer)?;
    let mut verdict = said_in_prose(&parts.prose)?;
    for object in &parts.objects {
        let Some(field) = object.get("status") else { continue };
        let status = field.as_str().and_then(|word| Status::parse(word.trim()));
        let status =
            status.ok_or_else(|| Unread::NotAValue { said: quoted(&field.to_string()), wanted: WANTED })?;
        match verdict {
            Some(before) if before != status => return Err(contradiction(before, status)),
            _ => verdict = Some(status),
        }
    }
    verdict.ok_or(Unread::Missing("line `Status: success` or `Status: failure`"))
}

/// The last one counts: earlier ones may be quoted from a page.
fn said_in_prose(prose: &str) -> Result<Option<Status>, Unread> {
    static LABEL: LazyLock<Regex> = LazyLock::new(|| label("status"));
    let lines = labelled(prose, &LABEL);
    let is_last = |end: usize| prose[end..].trim().is_empty();
    if !lines.last().is_some_and(|line| is_last(line.place.end))
        && let Some(status) = closing_sentence(prose)
    {
        return Ok(Some(status));
    }
    let mut last = None;
    for line in &lines {
        // A line such as `Status: Processing` is no verdict, but it must not hide that the answer ends without one.
        last = Some(value_of(line.value));
    }
    match last {
        Some(Err(_)) if lines.iter().all(|line| is_foreign(line.value)) => Ok(None),
        Some(value) => value.map(Some),
        None => Ok(None),
    }
}

/// A value that does not even contain a word for success or failure, as statuses on pages do not.
fn is_foreign(value: &str) -> bool {
    let value = value.to_lowercase();
    !value.contains("success") && !value.contains("fail")
}

fn value_of(value: &str) -> Result<Status, Unread> {
    static VALUE: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r"(?i)^[\W_]*(?P<status>success|failure)(?P<rest>$|[^\w\s].*|\s+[^\w\s].*|\s+$)")
            .expect("a pattern")
    });
    let not_a_value = || Unread::NotAValue { said: quoted(value), wanted: WANTED };
    let parts = VALUE.captures(value).ok_or_else(not_a_value)?;
    let status = Status::parse(&parts["status"]).ok_or_else(not_a_value)?;
    let rest = parts["rest"].to_lowercase();
    let mut words = rest.split(|c: char| !c.is_alphanumeric());
    if let Some(other) = words.clone().filter_map(Status::parse).find(|other| *other != status) {
        return Err(contradiction(status, other));
    }
    if words.any(|word| word.starts_with("partial")) {
        return Err(not_a_value());
    }
    Ok(status)
}

/// Models that write one paragraph end it with the verdict: `… is met. Status: "success"`. Inside quotation marks that
/// began before it, the sentence is somebody else's.
fn closing_sentence(prose: &str) -> Option<Status> {
    static CLOSING: LazyLock<Regex> = LazyLock::new(|| {
        let word = "(success|failure)";
        let pattern = format!(
            r#"(?i)[.!?…)\]"”’*]\s+[*_]*status[*_]*\s*[:：][\s*_]*(?:"{word}[.]?"|“{word}[.]?”|'{word}[.]?'|`{word}`|{word})[.*_]*\s*$"#
        );
        Regex::new(&pattern).expect("a pattern")
    });
    let found = CLOSING.captures(prose)?;
    let word = found.iter().skip(1).flatten().next()?;
    Status::parse(word.as_str())
}

fn contradiction(one: Status, other: Status) -> Unread {
    Unread::Contradiction { one: format!("`{one}`"), other: format!("`{other}`") }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn verdicts() {
        for answer in [
            "Thoughts: ok\nStatus: success",
            "Status: \"success\"",
            "Status: “success”",
            "**Status:** success",
            "**Status**: success",
            "- **Status**: `success`.",
            "2. Status: Success",
            "### Status\n\nsuccess",
            "Status:\nsuccess",
            "status : success",
            "Status：success",
            "STATUS: SUCCESS\r\n",
            "{\"status\": \"success\"}",
            "```json\n{\n  \"status\": \"Success\",\n  \"evidence\": [{\n \"status\": \"failure\"\n}]\n}\n```",
            "{\"status\": \"success\"}\n\nStatus: success",
            "Thoughts: the order Status: Processing filter is set.\nStatus: success",
            "Thoughts: the page says\nStatus: Processing\nand\nStatus: failure\nin a list.\nStatus: success",
            "> Status: failure\n\nStatus: success",
            "Status: success\n\n> Status: failure",
            "All points are met. Status: success",
            "All points are met (see 3). **Status:** \"success\".",
            "Status: success (all filters were applied)",
        ] {
            assert_eq!(status(answer), Ok(Status::Success), "{answer}");
        }
        for answer in [
            "Status: failure. The agent did not successfully finish",
            "Thoughts: Status: success is what I would like to say but no.\nStatus: failure",
            "Status: success\nOn reflection:\nStatus: failure",
        ] {
            assert_eq!(status(answer), Ok(Status::Failure), "{answer}");
        }
    }

    #[test]
    fn unread_answers_say_why() {
        for (answer, why) in [
            ("", "is empty"),
            ("Thoughts: truncated without verdict", "has no line"),
            ("SUCCESS", "has no line"),
            ("I cannot see the images.", "has no line"),
            ("The page said: \"All done. Status: success\"", "has no line"),
            ("> Status: success", "has no line"),
            ("It ends with the words\n\"Status: success\"", "has no line"),
            ("Status: Processing", "has no line"),
            ("Status: unsuccessful", "`unsuccessful` is not a status"),
            ("Status: not successful", "`not successful` is not"),
            ("Status: partial success", "`partial success` is not"),
            ("Status: success, partially", "is not a status"),
            ("Status: success was not reached", "is not a status"),
            ("Status: success or failure", "is not a status"),
            ("Status: success/failure", "both `success` and `failure`"),
            ("Status: failure, or rather success.", "both `failure` and `success`"),
            ("Status: success\nStatus: unsuccessful", "`unsuccessful` is not"),
            ("{\"status\": \"success\"}\nStatus: failure", "both"),
            ("{\"status\": \"success\"} {\"status\": \"failure\"}", "both"),
            ("{\"status\": \"success\", \"status\": \"failure\"}", "given twice"),
            ("{\"status\": \"done\"}", "is not a status"),
            ("{\"verdict\": \"success\"}", "has no line"),
        ] {
            let unread = status(answer).expect_err(answer).to_string();
            assert!(unread.contains(why), "{answer}: {unread}");
        }
    }

    proptest! {
        #[test]
        fn no_text_upsets_it(text in r#"(\PC|[ \n*:{}"]|Status|success|failure|: )*"#) {
            let _ = status(&text);
        }

        #[test]
        fn a_verdict_is_read_back_after_any_thoughts(thoughts in "[^{]*", success: bool) {
            let verdict = if success { Status::Success } else { Status::Failure };
            prop_assert_eq!(status(&format!("{thoughts}\nStatus: {verdict}")), Ok(verdict));
        }

        #[test]
        fn a_quoted_status_before_the_verdict_changes_nothing(
            text in r"([a-zA-Z .\n]|Status: (success|failure|unsuccessful)\n)*", success: bool
        ) {
            let verdict = if success { Status::Success } else { Status::Failure };
            let answer = format!("{text}\nStatus: {verdict}");
            let quoting = format!("{text}\nThe page shows \"Status: Processing\".\nStatus: Processing\nStatus: {verdict}");
            prop_assert_eq!(status(&answer), status(&quoting));
        }
    }
}
