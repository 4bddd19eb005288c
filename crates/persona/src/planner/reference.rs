//! Planners' answers as the released runners read them. Bullets of the reasoning become queries, numbered lists do not;
//! a query ends at its first full stop and at its first `]`; only the bare word `YES` is a yes.

use std::sync::LazyLock;

use regex::Regex;

use super::MOST_QUERIES;

/// The three readings of an analysis before an attempt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Runner {
    BrowserUse,
    AgentOccam,
    /// Reads the last list of queries alone, since that model thinks aloud first.
    AgentOccamThinking,
}

/// A step's decision as `AgentOccam` reads it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OnDemand {
    /// The command that is made of the query.
    pub action: String,
    pub reason: String,
    /// What the command is read back as.
    pub query: String,
}

static NEEDED: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"(?i)NEEDS_MEMORY\s*:\s*\[?\s*(YES|NO)").expect("a pattern"));
static NO_QUERIES: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"(?im)^\s*QUERIES\s*:\s*(NONE|N/A)\s*$").expect("a pattern"));
static QUERY: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"(?i)^QUERY\s*:\s*(.*)$").expect("a pattern"));
static SECTION: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"(?i)QUERIES\s*:").expect("a pattern"));
static BULLET: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"^(?:[-*•]|\d+[.)])\s*").expect("a pattern"));

/// The queries of an analysis before an attempt.
pub fn before(text: &str, runner: Runner) -> Vec<String> {
    let says_no = NEEDED.captures(text).is_some_and(|found| found[1].eq_ignore_ascii_case("no"));
    if says_no || NO_QUERIES.is_match(text) {
        return Vec::new();
    }
    let last = SECTION.find_iter(text).last().filter(|_| runner == Runner::AgentOccamThinking);
    let text = last.map_or(text, |heading| &text[heading.end()..]);
    let bullets: &[char] = if runner == Runner::BrowserUse { &['-', '•', '*'] } else { &['-'] };
    let mut queries: Vec<String> = Vec::new();
    for line in text.lines().map(str::trim) {
        let query = match (line.strip_prefix(bullets), QUERY.captures(line)) {
            (Some(rest), _) => Some(rest.trim()).filter(|rest| !is_example(rest)),
            (None, Some(found)) => {
                found.get(1).map(|rest| rest.as_str().trim()).filter(|rest| !is_nothing(rest))
            }
            (None, None) => None,
        };
        if let Some(query) = query.filter(|query| !query.is_empty())
            && !queries.iter().any(|known| known == query)
        {
            queries.push(query.to_owned());
        }
    }
    queries.truncate(MOST_QUERIES);
    queries
}

fn is_example(text: &str) -> bool {
    let text = text.to_lowercase();
    ["example", "e.g.", "for "].iter().any(|start| text.starts_with(start))
}

fn is_nothing(text: &str) -> bool {
    ["none", "n/a"].contains(&text.to_lowercase().as_str())
}

/// A step's decision; none if the history is not needed.
pub fn on_demand(text: &str) -> Option<OnDemand> {
    let field = |name: &str| {
        let lines = text.lines().filter_map(|line| line.split_once(':'));
        lines.rev().find(|(key, _)| key.trim() == name).map(|(_, value)| value.trim())
    };
    if field("NEED_MEMORY") != Some("YES") {
        return None;
    }
    let detail = field("QUERY_DETAIL").unwrap_or("None");
    let bare = BULLET.replace(detail, "");
    let cut = bare.split('.').next().unwrap_or_default().trim();
    let query = if cut.is_empty() { detail } else { cut };
    let action = format!("memory_access [{query}]");
    Some(OnDemand {
        reason: field("REASON").unwrap_or_default().to_owned(),
        query: query.split(']').next().unwrap_or_default().to_owned(),
        action,
    })
}
