//! Our own reading: labels in any dress, queries from their own list only, and each query whole.

use std::sync::LazyLock;

use regex::Regex;
use serde_json::Value;

use super::MOST_QUERIES;

/// What is to be looked up before an attempt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan {
    /// At most [`MOST_QUERIES`]; none if the wish says everything.
    pub queries: Vec<String>,
    pub reason: String,
}

/// What is to be looked up at this step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Request {
    /// None if the history is not needed now.
    pub query: Option<String>,
    pub reason: String,
}

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadPlan {
    #[error("the answer does not say whether the history is needed ({0}: YES or NO)")]
    NoFlag(&'static str),
    #[error("`{0}` is neither YES nor NO")]
    Flag(String),
    #[error("the answer says both YES and NO")]
    Both,
    #[error("the history is needed, but nothing is asked of it")]
    NoQuery,
}

/// A label with what stands behind it, whatever stars, brackets or bullets stand around.
static LABEL: LazyLock<Regex> = LazyLock::new(|| {
    let names = "NEEDS?_MEMORY|QUERIES|QUERY_DETAIL|QUERY|REASON|REASONING|CURRENT_OBSERVATION";
    Regex::new(&format!(r"(?i)^[\s>#*_`-]*({names})[\s*_`]*:[\s*_`]*(.*)$")).expect("a pattern")
});
static BULLET: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"^\s*(?:[-*•–]+|\(?\d{1,2}[.)])(?:\s+|$)").expect("a pattern"));

/// Reads an analysis before an attempt.
pub fn read_plan(text: &str) -> Result<Plan, BadPlan> {
    let fields = fields(text);
    let needed = flag(&fields, "NEEDS_MEMORY")?;
    let reason = reason(&fields);
    if needed == Some(false) {
        return Ok(Plan { queries: Vec::new(), reason });
    }
    let mut queries: Vec<String> = Vec::new();
    // A model that thinks aloud writes a list twice; the last one is meant.
    let last = fields.iter().rposition(|field| field.name == "QUERIES");
    for (at, field) in fields.iter().enumerate() {
        let is_list = Some(at) == last || matches!(field.name.as_str(), "QUERY" | "QUERY_DETAIL");
        if !is_list {
            continue;
        }
        for line in &field.lines {
            let query = whole(line);
            if !is_nothing(&query) && !queries.iter().any(|known| known.eq_ignore_ascii_case(&query)) {
                queries.push(query);
            }
        }
    }
    queries.truncate(MOST_QUERIES);
    match (needed, queries.is_empty()) {
        (None, true) => Err(BadPlan::NoFlag("NEEDS_MEMORY")),
        (_, true) => Err(BadPlan::NoQuery),
        (_, false) => Ok(Plan { queries, reason }),
    }
}

/// Reads a step's decision: labelled lines, or the object that a structured answer is.
pub fn read_request(text: &str) -> Result<Request, BadPlan> {
    if let Some(object) = serde_json::from_str::<Value>(text.trim()).ok().filter(Value::is_object) {
        let needed = object["need_memory"].as_bool().ok_or(BadPlan::NoFlag("need_memory"))?;
        let word = |key: &str| object[key].as_str().unwrap_or_default();
        return request(needed, whole(word("query_detail")), word("reason").to_owned());
    }
    let fields = fields(text);
    let needed = flag(&fields, "NEED_MEMORY")?.ok_or(BadPlan::NoFlag("NEED_MEMORY"))?;
    let mut details = fields.iter().filter(|field| matches!(field.name.as_str(), "QUERY_DETAIL" | "QUERY"));
    let query =
        details.next_back().and_then(|field| field.lines.first()).map(|line| whole(line)).unwrap_or_default();
    request(needed, query, reason(&fields))
}

fn request(needed: bool, query: String, reason: String) -> Result<Request, BadPlan> {
    match (needed, is_nothing(&query)) {
        (true, true) => Err(BadPlan::NoQuery),
        (true, false) => Ok(Request { query: Some(query), reason }),
        (false, _) => Ok(Request { query: None, reason }),
    }
}

/// A label with the lines that follow it, up to the next one.
struct Field {
    name: String,
    lines: Vec<String>,
}

fn fields(text: &str) -> Vec<Field> {
    let mut fields: Vec<Field> = Vec::new();
    for line in text.lines() {
        if let Some(found) = LABEL.captures(line) {
            let first = found[2].trim();
            let lines = if first.is_empty() { Vec::new() } else { vec![first.to_owned()] };
            fields.push(Field { name: found[1].to_uppercase(), lines });
        } else if let Some(field) = fields.last_mut().filter(|_| !line.trim().is_empty()) {
            field.lines.push(line.trim().to_owned());
        }
    }
    fields
}

fn reason(fields: &[Field]) -> String {
    let mut reasons = fields.iter().filter(|field| field.name.starts_with("REASON"));
    reasons.next_back().map(|field| field.lines.join(" ")).unwrap_or_default()
}

/// The yes or no under a label; none if there is no such label.
fn flag(fields: &[Field], name: &'static str) -> Result<Option<bool>, BadPlan> {
    let mut said = None;
    for field in
        fields.iter().filter(|field| field.name.replace("NEEDS_", "NEED_") == name.replace("NEEDS_", "NEED_"))
    {
        let words = field.lines.first().map(String::as_str).unwrap_or_default();
        let word: String =
            words.chars().skip_while(|c| !c.is_alphabetic()).take_while(|c| c.is_alphabetic()).collect();
        let now = match word.to_lowercase().as_str() {
            "yes" | "true" => true,
            "no" | "false" => false,
            _ => return Err(BadPlan::Flag(words.to_owned())),
        };
        if said.is_some_and(|before| before != now) {
            return Err(BadPlan::Both);
        }
        said = Some(now);
    }
    Ok(said)
}

/// A query without the bullet before it and the quotes or brackets around it.
fn whole(line: &str) -> String {
    let mut query = BULLET.replace(line.trim(), "").trim().trim_matches(['*', '_', '`']).trim().to_owned();
    for (open, close) in [('"', '"'), ('“', '”'), ('[', ']'), ('\'', '\'')] {
        let inner = query.strip_prefix(open).and_then(|rest| rest.strip_suffix(close));
        if let Some(inner) = inner.filter(|inner| !inner.contains([open, close])) {
            query = inner.trim().to_owned();
        }
    }
    query
}

fn is_nothing(query: &str) -> bool {
    let words: String = query.chars().filter(|c| c.is_alphanumeric()).collect();
    matches!(words.to_lowercase().as_str(), "" | "none" | "na" | "null" | "nothing")
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn queries(text: &str) -> Result<Vec<String>, BadPlan> {
        read_plan(text).map(|plan| plan.queries)
    }

    #[test]
    fn queries_stay_whole_and_come_from_their_list() {
        for (text, wanted) in [
            (
                "NEEDS_MEMORY: YES\nQUERIES:\n- user's rating threshold of 4.5 stars\n- orders at amazon.com",
                vec!["user's rating threshold of 4.5 stars", "orders at amazon.com"],
            ),
            (
                "NEEDS_MEMORY: YES\nREASON:\n- the site is open\n- so is the size\nQUERIES:\n1. usual site\n2) shirt size",
                vec!["usual site", "shirt size"],
            ),
            (
                "**NEEDS_MEMORY:** Yes\n**QUERIES:**\n* \"seat [window or aisle]\"",
                vec!["seat [window or aisle]"],
            ),
            ("NEEDS_MEMORY: [YES]\nQUERIES:\n- [home town]", vec!["home town"]),
            (
                "NEEDS_MEMORY: YES\nQUERIES:\n- for which city the user checks weather",
                vec!["for which city the user checks weather"],
            ),
            ("QUERIES:\n- draft\nNEEDS_MEMORY: YES\nQUERIES:\n- site\n- site\n- Site", vec!["site"]),
            ("NEEDS_MEMORY: YES\nQUERY: first\nQUERY: second", vec!["first", "second"]),
            ("NEEDS_MEMORY: NO\nQUERIES: NONE", vec![]),
            ("NEEDS_MEMORY: YES\nQUERIES:\n- a\n- b\n- c\n- d\n- e\n- f", vec!["a", "b", "c", "d", "e"]),
        ] {
            assert_eq!(queries(text), Ok(wanted.into_iter().map(str::to_owned).collect()), "{text}");
        }
    }

    #[test]
    fn answers_that_do_not_say_what_they_mean_are_refused() {
        for (text, wanted) in [
            ("", BadPlan::NoFlag("NEEDS_MEMORY")),
            ("I think so.", BadPlan::NoFlag("NEEDS_MEMORY")),
            ("NEEDS_MEMORY: perhaps", BadPlan::Flag("perhaps".to_owned())),
            ("NEEDS_MEMORY: NO\nNEEDS_MEMORY: YES\nQUERIES:\n- a", BadPlan::Both),
            ("NEEDS_MEMORY: YES\nQUERIES: NONE", BadPlan::NoQuery),
        ] {
            assert_eq!(queries(text), Err(wanted), "{text}");
        }
    }

    #[test]
    fn a_step_asks_for_one_thing() {
        for (text, wanted) in [
            (
                "NEED_MEMORY: YES\nQUERY_DETAIL: user's rating threshold of 4.5 stars\nREASON: r",
                Ok(Some("user's rating threshold of 4.5 stars")),
            ),
            (
                "NEED_MEMORY: yes (needed)\nQUERY_DETAIL: groceries at amazon.com",
                Ok(Some("groceries at amazon.com")),
            ),
            ("**NEED_MEMORY:** YES\n**QUERY_DETAIL:** size [waist]", Ok(Some("size [waist]"))),
            ("NEED_MEMORY: YES\nQUERY_DETAIL: - shoe size", Ok(Some("shoe size"))),
            ("NEED_MEMORY: NO\nQUERY_DETAIL: none", Ok(None)),
            (
                r#"{"need_memory": true, "query_detail": "home town", "reason": "form"}"#,
                Ok(Some("home town")),
            ),
            (r#"{"need_memory": false, "query_detail": null}"#, Ok(None)),
            ("NEED_MEMORY: YES\nREASON: no query", Err(BadPlan::NoQuery)),
            ("NEED_MEMORY: YES\nQUERY_DETAIL: ...", Err(BadPlan::NoQuery)),
            ("", Err(BadPlan::NoFlag("NEED_MEMORY"))),
        ] {
            let read = read_request(text).map(|request| request.query);
            assert_eq!(read, wanted.map(|query| query.map(str::to_owned)), "{text}");
        }
    }

    proptest! {
        #[test]
        fn any_query_in_a_list_comes_back(words in "[a-z][a-z0-9.$%' -]{0,30}[a-z0-9]") {
            prop_assume!(!is_nothing(&words) && !words.contains("  "));
            let text = format!("NEEDS_MEMORY: YES\nQUERIES:\n- {words}");
            prop_assert_eq!(queries(&text), Ok(vec![words.clone()]));
            let text = format!("NEED_MEMORY: YES\nQUERY_DETAIL: {words}\nREASON: r");
            prop_assert_eq!(read_request(&text).map(|request| request.query), Ok(Some(words)));
        }

        #[test]
        fn nothing_breaks_the_reading(text in any::<String>()) {
            let _ = read_plan(&text);
            let _ = read_request(&text);
        }
    }
}
