use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;

use super::labelled::{Parts, label, labelled};
use crate::answer::{Unread, quoted};

const WANTED: &str = "a score: one whole number from 1 to 5";

/// How one screenshot was rated, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scored {
    /// 1 to 5.
    pub score: u8,
    /// All of the reasoning, without the score.
    pub reason: String,
}

/// The rating of an answer that was asked for reasoning and then `Score: 1` to `Score: 5`.
///
/// A digit counts only after the label at the beginning of a line or in a closing sentence, so that "Scores tab" and
/// "Deal Score 9" are words of a page and no rating.
pub fn score(answer: &str) -> Result<Scored, Unread> {
    if answer.trim().is_empty() {
        return Err(Unread::Empty);
    }
    let parts = Parts::of(answer)?;
    let in_prose = said_in_prose(&parts.prose)?;
    let mut in_field: Option<Scored> = None;
    for object in &parts.objects {
        let Some(field) = object.get("score") else { continue };
        let score = field.as_u64().filter(|score| (1..=5).contains(score));
        let score = score
            .ok_or_else(|| Unread::NotAValue { said: quoted(&field.to_string()), wanted: WANTED })?
            as u8;
        if let Some(other) = in_field.as_ref().map(|scored| scored.score).filter(|other| *other != score) {
            return Err(contradiction(other, score));
        }
        let reason = ["reasoning", "reason"].iter().find_map(|name| object.get(*name)?.as_str());
        in_field = Some(Scored { score, reason: reason.unwrap_or_default().trim().to_owned() });
    }
    match (in_prose, in_field) {
        (Some((score, _)), Some(field)) if score != field.score => Err(contradiction(score, field.score)),
        (_, Some(field)) if !field.reason.is_empty() => Ok(field),
        (None, Some(field)) => Ok(Scored { reason: reason(&parts.prose, 0..0), ..field }),
        (Some((score, place)), _) => Ok(Scored { score, reason: reason(&parts.prose, place) }),
        (None, None) => Err(Unread::Missing("line `Score: ` with a number from 1 to 5")),
    }
}

fn said_in_prose(prose: &str) -> Result<Option<(u8, Range<usize>)>, Unread> {
    // The scale in brackets, `Score (1-5): 4`, is part of the label.
    static LABEL: LazyLock<Regex> = LazyLock::new(|| label(r"score[\s*_]*(?:\(\s*1\s*(?:-|–|to)\s*5\s*\))?"));
    let lines = labelled(prose, &LABEL);
    let is_last = |end: usize| prose[end..].trim().is_empty();
    if !lines.last().is_some_and(|line| is_last(line.place.end))
        && let Some(found) = closing_sentence(prose)
    {
        return Ok(Some(found));
    }
    let Some(line) = lines.last() else { return Ok(None) };
    let (score, remark) = value_of(line.value)?;
    // What the line says about its number, `Score: 3 (no filter is visible)`, is a reason.
    let end =
        if remark.contains(char::is_alphabetic) { line.place.end - remark.len() } else { line.place.end };
    Ok(Some((score, line.place.start..end)))
}

/// The number, and what follows it.
fn value_of(value: &str) -> Result<(u8, &str), Unread> {
    static VALUE: LazyLock<Regex> = LazyLock::new(|| {
        let pattern = r#"(?i)^[\s*_`"“'\[(#]*(?P<score>[1-5])(?:\s*(?:/|out\s+of)\s*(?P<most>[0-9]+))?(?P<rest>$|\W.*)"#;
        Regex::new(pattern).expect("a pattern")
    });
    // `4.5`, `3-4`, `3 or 4`, `4/5/2020`.
    static MORE: LazyLock<Regex> =
        LazyLock::new(|| Regex::new(r"(?i)^\s*(?:[.,/–-]|or|to|and)\s*[0-9]|^\s*/").expect("a pattern"));
    let found = VALUE
        .captures(value)
        .filter(|found| found.name("most").is_none_or(|most| most.as_str() == "5"))
        .filter(|found| !MORE.is_match(&found["rest"]))
        .and_then(|found| Some((found["score"].parse().ok()?, found.name("rest")?.as_str())));
    found.ok_or_else(|| Unread::NotAValue { said: quoted(value), wanted: WANTED })
}

/// `… shows no step. Score: 1`, and `… shows no step. 2. Score: 1`.
fn closing_sentence(prose: &str) -> Option<(u8, Range<usize>)> {
    static CLOSING: LazyLock<Regex> = LazyLock::new(|| {
        let pattern = r#"(?i)[.!?…)\]"”’*](?P<sentence>\s+(?:[0-9]\s*[.)]\s*)?[*_]*score[*_]*\s*[:：][\s*_\[]*(?P<score>[1-5])\]?(?:\s*/\s*5)?[.*_]*\s*$)"#;
        Regex::new(pattern).expect("a pattern")
    });
    let found = CLOSING.captures(prose)?;
    Some((found["score"].parse().ok()?, found.name("sentence")?.range()))
}

/// The prose without the score's place and without the heading of the reasoning.
fn reason(prose: &str, score: Range<usize>) -> String {
    static HEADING: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r"(?i)^[\s*_#]*(?:[0-9]\s*[.)][\s*_]*)?reasoning(?:[\s*_]*[:：][*_]*|[*_]*[ \t]*(?:\n|$))")
            .expect("a pattern")
    });
    let mut rest = format!("{}{}", &prose[..score.start], &prose[score.end..]);
    // Some end their reasoning with the score, and then give it once more.
    while let Some((_, place)) = closing_sentence(&rest) {
        rest.truncate(place.start);
    }
    HEADING.replace(rest.trim(), "").trim().to_owned()
}

fn contradiction(one: u8, other: u8) -> Unread {
    Unread::Contradiction { one: format!("score {one}"), other: format!("score {other}") }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn ratings() {
        for (answer, number, why) in [
            ("1. **Reasoning**: good page\n\n2. **Score**: 4", 4, "good page"),
            ("**Reasoning**: one\ntwo\n\nthree\n\n**Score**: 3", 3, "one\ntwo\n\nthree"),
            ("### Reasoning: x\n\n### Score: 4", 4, "x"),
            ("### Reasoning\nx\n\n### Score\n4/5", 4, "x"),
            ("Reasoning: x. Score: 5", 5, "x."),
            ("Reasoning: x (no step). 2. Score: 1", 1, "x (no step)."),
            ("Reasoning: x. Score: 2\n\n2. Score: 2", 2, "x."),
            ("The Deal Score is 2 here.\n\n**Score**: 5", 5, "The Deal Score is 2 here."),
            ("**Reasoning**: shows Scores tab\n\n**Score**: 3", 3, "shows Scores tab"),
            ("**Reasoning**: ok\n**Score**: 4/5", 4, "ok"),
            ("**score**: 4", 4, ""),
            ("rated [1-5]\n\n**Score (1-5)**: [4]", 4, "rated [1-5]"),
            ("Score: 98\nis the walk score.\nScore: 2 out of 5.", 2, "Score: 98\nis the walk score."),
            ("**Score:** 2\n\n**Reasoning:** late", 2, "late"),
            ("Reasoning: x\nScore: 3 (no filter)", 3, "x\n (no filter)"),
            ("{\"reasoning\": \"x\", \"score\": 3}", 3, "x"),
            ("x\n```json\n{\"score\": 3}\n```", 3, "x\n```json\n            \n```"),
        ] {
            assert_eq!(score(answer), Ok(Scored { score: number, reason: why.to_owned() }), "{answer}");
        }
    }

    #[test]
    fn unread_ratings_say_why() {
        for (answer, why) in [
            ("", "is empty"),
            ("I cannot view the image.", "has no line"),
            ("Deal Score 9", "has no line"),
            ("The Walk Score: 4", "has no line"),
            ("Scores: 4", "has no line"),
            ("Score\n3 goals in the first half", "has no line"),
            ("> Score: 4", "has no line"),
            ("**Score**: 10", "`10` is not"),
            ("Score: N/A", "`N/A` is not a score"),
            ("Score: 0", "is not"),
            ("Score: -4", "is not"),
            ("Score: 4.5", "is not"),
            ("Score: 3-4", "is not"),
            ("Score: 3 or 4", "is not"),
            ("Score: 4/10", "is not"),
            ("Score: 3assion", "is not"),
            ("Score: 4\nScore: 7", "`7` is not"),
            ("{\"score\": 6}", "is not"),
            ("{\"score\": \"4\"}", "is not"),
            ("{\"score\": 4}\nScore: 3", "both score 3 and score 4"),
        ] {
            let unread = score(answer).expect_err(answer).to_string();
            assert!(unread.contains(why), "{answer}: {unread}");
        }
    }

    proptest! {
        #[test]
        fn no_text_upsets_it(text in r#"(\PC|[ \n*:{}"]|Score|Reasoning|[0-9]|: )*"#) {
            let _ = score(&text);
        }

        #[test]
        fn a_score_is_read_back_with_its_reason(why in "[a-zA-Z0-9 .,]{0,60}[a-z.]", number in 1..=5u8) {
            prop_assume!(!why.to_lowercase().contains("reasoning"));
            let read = score(&format!("Reasoning: {why}\n\nScore: {number}"));
            prop_assert_eq!(read, Ok(Scored { score: number, reason: why.trim().to_owned() }));
        }
    }
}
