//! What the intent asks for, read off its sentence pattern.

use umpire_model::{TaskBrief, TaskKind};

use super::words::{Terms, quoted_phrases, stem, words};

/// The kind of value a question wants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Asks {
    Price,
    Count,
    Date,
    Text,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Goal {
    /// "turn off X"
    Switch { wanted: bool },
    /// "set X to Y", "change X to Y"
    Set { value: String },
    /// "add X", "delete X", …: ends with a button that carries the verb.
    Do { verb: String },
    /// "what is …", "how many …"
    Read(Asks),
    /// "go to X"
    Visit,
}

/// Everything the agent knows of its task.
#[derive(Clone, Debug)]
pub struct Reading {
    pub goal: Goal,
    /// What the thing itself is called.
    pub subject: Terms,
    /// All words that may lead there, those of hints and conditions too.
    pub clues: Terms,
    pub quoted: Vec<String>,
    /// What one would type into a search box, and then single words if that finds nothing.
    pub queries: Vec<String>,
    /// The user wants to hear whether something was changed.
    pub wants_report: bool,
}

impl Reading {
    pub fn of(task: &TaskBrief) -> Self {
        let request = main_clause(&task.intent);
        let lower = request.to_lowercase();
        let mut subject = request;
        let goal = match task.kind {
            TaskKind::Retrieve => Goal::Read(asks(&lower)),
            TaskKind::Navigate => Goal::Visit,
            TaskKind::Mutate => match (wanted_state(&lower), split_assignment(request)) {
                (Some(wanted), _) => Goal::Switch { wanted },
                (None, Some((what, value))) => {
                    subject = what;
                    Goal::Set { value }
                }
                (None, None) => Goal::Do { verb: words(&lower).next().map(stem).unwrap_or_default() },
            },
        };
        let subject = without(Terms::of(subject), noise(&goal));
        let clues = without(Terms::of(&task.intent), noise(&goal));
        let quoted = quoted_phrases(&task.intent);
        let queries = queries(&subject, &quoted);
        let intent = task.intent.to_lowercase();
        let wants_report =
            ["whether", "answer true", "answer with true"].iter().any(|ask| contains_words(&intent, ask));
        Self { goal, subject, clues, quoted, queries, wants_report }
    }
}

fn queries(subject: &Terms, quoted: &[String]) -> Vec<String> {
    const SINGLE_WORDS: usize = 2;
    if let Some(phrase) = quoted.first() {
        return vec![phrase.clone()];
    }
    let mut named: Vec<&str> = subject.0.iter().map(|term| term.word.as_str()).collect();
    let mut queries = vec![named.iter().take(4).copied().collect::<Vec<_>>().join(" ")];
    // Long words say the most.
    named.sort_by_key(|word| std::cmp::Reverse(word.len()));
    queries.extend(named.iter().take(SINGLE_WORDS).map(|word| (*word).to_owned()));
    queries.dedup();
    queries
}

/// The first sentence, without politeness before it and without what to report after it.
fn main_clause(intent: &str) -> &str {
    let ends = [". ", "? ", "! ", " and report", " and tell", " and say", ", then report", ", then tell"];
    let end = ends.iter().filter_map(|mark| intent.find(mark)).min().unwrap_or(intent.len());
    let clause = intent[..end].trim();
    clause.strip_prefix("Please ").or_else(|| clause.strip_prefix("please ")).unwrap_or(clause)
}

/// "turn off X", "switch X on", "make sure X is disabled", "make sure that X cannot Y", "enable X".
fn wanted_state(request: &str) -> Option<bool> {
    let stated = |request: &str| {
        words(request).find_map(|word| match word {
            "on" | "enabled" | "in" => Some(true),
            "off" | "disabled" | "out" => Some(false),
            _ => None,
        })
    };
    let (first, rest) = request.split_once(' ')?;
    match first {
        "enable" | "activate" => Some(true),
        "disable" | "deactivate" | "stop" => Some(false),
        "make" | "ensure" if contains_words(rest, "that") => Some(!is_negative(rest)),
        "turn" | "switch" | "make" | "ensure" | "opt" => stated(rest),
        _ => None,
    }
}

/// Whether a sentence or a label says that something shall not be, or shall be less: "Hide my profile".
pub fn is_negative(text: &str) -> bool {
    const NEGATIONS: [&str; 16] = [
        "not", "no", "never", "cannot", "can't", "don't", "off", "disabled", "without", "hide", "block",
        "limit", "reduce", "fewer", "less", "little",
    ];
    words(text).any(|word| NEGATIONS.contains(&word.to_lowercase().as_str()))
}

fn contains_words(text: &str, pattern: &str) -> bool {
    format!(" {} ", words(text).collect::<Vec<_>>().join(" ")).contains(&format!(" {pattern} "))
}

fn asks(question: &str) -> Asks {
    let any = |patterns: &[&str]| patterns.iter().any(|pattern| contains_words(question, pattern));
    if any(&["how much", "price", "cost", "costs", "total"]) {
        Asks::Price
    } else if any(&["how many", "number of", "count"]) {
        Asks::Count
    } else if any(&["when", "date", "what day"]) {
        Asks::Date
    } else {
        Asks::Text
    }
}

/// "change my display name to Ada" → ("change my display name", "Ada").
fn split_assignment(request: &str) -> Option<(&str, String)> {
    let first = words(request).next()?.to_lowercase();
    if !["set", "change", "update", "switch", "rename", "edit", "choose", "make"].contains(&first.as_str()) {
        return None;
    }
    let (subject, rest) = request.rsplit_once(" to ").or_else(|| request.rsplit_once(" as "))?;
    let plain = rest.trim().trim_end_matches(['.', '!']).trim_matches(['"', '\'', '“', '”']);
    let value = quoted_phrases(rest).first().cloned().unwrap_or_else(|| plain.to_owned());
    Some((subject, value))
}

/// Words of the sentence pattern itself, which no label needs to share.
fn noise(goal: &Goal) -> &'static str {
    match goal {
        Goal::Switch { .. } => {
            "turn switch make sure ensure opt stop enable enabled activate disable disabled deactivate \
             not cannot never no may"
        }
        Goal::Set { .. } => "set change update rename edit choose make switch",
        Goal::Read(_) => "price cost costs number count date name total",
        Goal::Visit => "go open navigate take visit view bring",
        Goal::Do { .. } => "",
    }
}

fn without(terms: Terms, noise: &str) -> Terms {
    let is_noise = |word: &str| noise.split(' ').any(|other| other == word.to_lowercase());
    let kept: Vec<_> = terms.0.iter().filter(|term| !is_noise(&term.word)).cloned().collect();
    // A sentence of nothing but pattern words still has to be looked for somehow.
    if kept.is_empty() { terms } else { Terms(kept) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample::task;

    #[test]
    fn sentence_patterns_give_goals() {
        use TaskKind::{Mutate, Navigate, Retrieve};
        for (kind, intent, goal, query) in [
            (Mutate, "Turn off personalised ads", Goal::Switch { wanted: false }, "personalised ads"),
            (
                Mutate,
                "Switch the login alerts on, and tell me",
                Goal::Switch { wanted: true },
                "login alerts",
            ),
            (
                Mutate,
                "Make sure two-factor is off. It is under Security.",
                Goal::Switch { wanted: false },
                "two-factor",
            ),
            (
                Mutate,
                "Make sure that neighbours cannot see my garden.",
                Goal::Switch { wanted: false },
                "neighbours see garden",
            ),
            (Mutate, "Add the book \"Turn off\" to my cart", Goal::Do { verb: stem("add") }, "Turn off"),
            (Mutate, "Please enable login alerts.", Goal::Switch { wanted: true }, "login alerts"),
            (Mutate, "Set the language to German.", Goal::Set { value: "German".into() }, "language"),
            (Mutate, "Rename my list to \"Gifts\"", Goal::Set { value: "Gifts".into() }, "Gifts"),
            (Mutate, "Delete the token \"CI\"", Goal::Do { verb: stem("delete") }, "CI"),
            (Retrieve, "How much is the Oak Desk?", Goal::Read(Asks::Price), "Oak Desk"),
            (Retrieve, "How many replies has the post got?", Goal::Read(Asks::Count), "replies post got"),
            (Retrieve, "When was my password changed?", Goal::Read(Asks::Date), "password changed"),
            (Navigate, "Go to the order history", Goal::Visit, "order history"),
        ] {
            let reading = Reading::of(&task(kind, intent));
            assert_eq!((reading.goal, reading.queries[0].as_str()), (goal, query), "{intent}");
        }
    }
}
