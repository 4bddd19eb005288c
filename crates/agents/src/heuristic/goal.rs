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

const ON: [&str; 5] = ["turn on", "switch on", "enable", "activate", "opt in"];
const OFF: [&str; 6] = ["turn off", "switch off", "disable", "deactivate", "opt out", "stop"];

/// Everything the agent knows of its task.
#[derive(Clone, Debug)]
pub struct Reading {
    pub goal: Goal,
    /// What to look for on pages.
    pub subject: Terms,
    pub quoted: Vec<String>,
    /// What one would type into a search box.
    pub query: String,
    /// The user wants to hear whether something was changed.
    pub wants_report: bool,
}

impl Reading {
    pub fn of(task: &TaskBrief) -> Self {
        let lower = task.intent.to_lowercase();
        let starts = |patterns: &[&str]| patterns.iter().any(|pattern| contains_words(&lower, pattern));
        let (mut subject_text, mut goal) = (task.intent.clone(), Goal::Visit);
        match task.kind {
            TaskKind::Retrieve => goal = Goal::Read(asks(&lower)),
            TaskKind::Navigate => {}
            TaskKind::Mutate if starts(&ON) || starts(&OFF) => goal = Goal::Switch { wanted: !starts(&OFF) },
            TaskKind::Mutate => match split_assignment(&task.intent) {
                Some((subject, value)) => {
                    subject_text = subject;
                    goal = Goal::Set { value };
                }
                None => goal = Goal::Do { verb: words(&lower).next().map(stem).unwrap_or_default() },
            },
        }
        let subject = without(Terms::of(&subject_text), noise(&goal));
        let quoted = quoted_phrases(&task.intent);
        let query = quoted.first().cloned().unwrap_or_else(|| {
            let named: Vec<&str> = subject.0.iter().take(4).map(|term| term.word.as_str()).collect();
            named.join(" ")
        });
        Self { goal, subject, quoted, query, wants_report: contains_words(&lower, "whether") }
    }
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
fn split_assignment(intent: &str) -> Option<(String, String)> {
    let first = words(intent).next()?.to_lowercase();
    if !["set", "change", "update", "switch", "rename", "edit", "choose", "make"].contains(&first.as_str()) {
        return None;
    }
    let (subject, rest) = intent.rsplit_once(" to ").or_else(|| intent.rsplit_once(" as "))?;
    let plain = rest.trim().trim_end_matches(['.', '!']).trim_matches(['"', '\'', '“', '”']);
    let value = quoted_phrases(rest).first().cloned().unwrap_or_else(|| plain.to_owned());
    Some((subject.to_owned(), value))
}

/// Words of the sentence pattern itself, which no label needs to share.
fn noise(goal: &Goal) -> &'static [&'static str] {
    match goal {
        Goal::Switch { .. } => {
            &["turn", "switch", "enable", "disable", "activate", "deactivate", "opt", "stop", "off"]
        }
        Goal::Set { .. } => &["set", "change", "update", "rename", "edit", "choose", "make"],
        Goal::Read(_) => &["price", "cost", "much", "number", "count", "date", "name", "total"],
        Goal::Visit => &["go", "open", "navigate", "take", "visit", "view", "bring"],
        Goal::Do { .. } => &[],
    }
}

fn without(mut terms: Terms, noise: &[&str]) -> Terms {
    let kept: Vec<_> =
        terms.0.iter().filter(|term| !noise.contains(&term.word.to_lowercase().as_str())).cloned().collect();
    // A sentence of nothing but pattern words still has to be looked for somehow.
    if !kept.is_empty() {
        terms.0 = kept;
    }
    terms
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
            assert_eq!((reading.goal, reading.query.as_str()), (goal, query), "{intent}");
        }
    }
}
