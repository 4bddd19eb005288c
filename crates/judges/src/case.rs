//! What is known of an attempt, for judges: read once from its instance, trajectory and blobs.

use std::io;

use serde_json::Value;
use umpire_model::{
    Action, AttemptId, BlobRef, BlobSource, End, EventBody, Instance, Persona, TaskKind, Trajectory,
};

use crate::evidence::Screenshots;

/// Longest text of one thing an agent or a page said.
const LONGEST: usize = 4_000;
const MOST_CHANGES: usize = 60;
const MOST_REQUESTS: usize = 80;

/// An attempt as it can be shown to a judge.
#[derive(Clone, Debug)]
pub struct Case {
    pub attempt: AttemptId,
    pub intent: String,
    pub kind: TaskKind,
    pub start_urls: Vec<String>,
    pub category: String,
    pub ui_elements: Vec<String>,
    /// What somebody who did the task right did.
    pub reference: Vec<String>,
    pub level: Option<usize>,
    pub persona: Option<Persona>,
    pub turns: Vec<Turn>,
    /// What the agent said at its end.
    pub answer: Option<String>,
    pub end: Option<(End, String)>,
    /// Requests that may have changed something, and documents that were loaded: `POST http://… 303`.
    pub requests: Vec<String>,
    /// What differs between the site's state before and after, as the harness read it back: `hub/ads: true → false`.
    pub changes: Vec<String>,
}

/// One step of the agent, with what it saw before it.
#[derive(Clone, Debug, Default)]
pub struct Turn {
    pub step: u32,
    pub url: String,
    pub title: String,
    pub screenshot: Option<BlobRef>,
    pub outline: Option<BlobRef>,
    pub thought: Option<String>,
    pub deeds: Vec<Deed>,
}

#[derive(Clone, Debug)]
pub struct Deed {
    pub text: String,
    /// It is the agent's answer, which a judge may have to do without.
    pub is_answer: bool,
    /// Why it had no effect.
    pub error: Option<String>,
}

impl Case {
    pub fn read(
        attempt: &AttemptId,
        instance: &Instance,
        trajectory: &Trajectory,
        blobs: &dyn BlobSource,
    ) -> io::Result<Self> {
        let changes = changes(trajectory, blobs)?;
        Ok(Self {
            attempt: attempt.clone(),
            intent: instance.intent.clone(),
            kind: instance.kind,
            start_urls: instance.start_urls.clone(),
            category: instance.category.clone(),
            ui_elements: instance.ui_elements.clone(),
            reference: instance
                .reference
                .iter()
                .filter(|action| !matches!(action, Action::Answer(_)))
                .map(Action::to_string)
                .collect(),
            level: instance.level,
            persona: instance.persona.clone(),
            turns: turns(trajectory),
            answer: trajectory.response().map(|(_, response)| shortened(response)),
            end: trajectory.end().map(|(end, detail)| (end, detail.to_owned())),
            requests: requests(trajectory),
            changes,
        })
    }

    /// Steps and their screenshots, as far as a judge asks for them.
    pub fn screenshots(&self, wanted: Screenshots) -> Vec<(u32, &BlobRef)> {
        let mut taken = self.turns.iter().filter_map(|turn| Some((turn.step, turn.screenshot.as_ref()?)));
        match wanted {
            Screenshots::None => Vec::new(),
            Screenshots::Last => taken.next_back().into_iter().collect(),
            Screenshots::All => taken.collect(),
        }
    }

    /// Every text in it that a page or the agent wrote.
    pub fn hostile(&self) -> impl Iterator<Item = &str> {
        let turns = self.turns.iter().flat_map(Turn::texts);
        let rest = self.requests.iter().chain(&self.changes).map(String::as_str);
        turns.chain(self.answer.as_deref()).chain(rest)
    }
}

impl Turn {
    fn texts(&self) -> impl Iterator<Item = &str> {
        let deeds = self.deeds.iter().flat_map(|deed| [Some(deed.text.as_str()), deed.error.as_deref()]);
        let said = [Some(self.url.as_str()), Some(self.title.as_str()), self.thought.as_deref()];
        said.into_iter().chain(deeds).flatten()
    }
}

fn turns(trajectory: &Trajectory) -> Vec<Turn> {
    let mut turns: Vec<Turn> = Vec::new();
    let of_step = |turns: &mut Vec<Turn>, step: u32| -> usize {
        if let Some(at) = turns.iter().rposition(|turn| turn.step == step) {
            return at;
        }
        turns.push(Turn { step, ..Turn::default() });
        turns.len() - 1
    };
    for event in &trajectory.events {
        match &event.body {
            EventBody::Observed(seen) => {
                let at = of_step(&mut turns, seen.step);
                let turn = &mut turns[at];
                turn.url = shortened(&seen.url);
                turn.title = shortened(&seen.title);
                turn.screenshot = seen.screenshot.clone().or_else(|| turn.screenshot.take());
                turn.outline = seen.outline.clone().or_else(|| turn.outline.take());
            }
            EventBody::Thought { step, text } => {
                let at = of_step(&mut turns, *step);
                turns[at].thought = Some(shortened(text));
            }
            EventBody::Acted { step, action, error, .. } => {
                let at = of_step(&mut turns, *step);
                turns[at].deeds.push(Deed {
                    text: shortened(&action.to_string()),
                    is_answer: matches!(action, Action::Answer(_)),
                    error: error.as_deref().map(shortened),
                });
            }
            EventBody::ForeignAction { step, text, error, .. } => {
                let at = of_step(&mut turns, *step);
                let upper = text.trim_start().to_uppercase();
                turns[at].deeds.push(Deed {
                    text: shortened(text),
                    is_answer: upper.starts_with("TASK_COMPLETE") || upper.starts_with("ANSWER"),
                    error: error.as_deref().map(shortened),
                });
            }
            EventBody::HistoryAccessed(access) => {
                let at = of_step(&mut turns, access.step);
                let found = match (&access.answer, &access.error) {
                    (Some(answer), _) => answer.clone(),
                    // What no answer was made of, the agent was not shown either.
                    (None, Some(_)) => String::new(),
                    (None, None) => {
                        let texts: Vec<&str> = access.kept().filter_map(|hit| hit.text.as_deref()).collect();
                        texts.join("; ")
                    }
                };
                turns[at].deeds.push(Deed {
                    text: shortened(&format!("asked the user's history “{}”: {found}", access.query)),
                    is_answer: false,
                    error: access.error.as_deref().map(shortened),
                });
            }
            EventBody::TurnLost { step, reason } => {
                let at = of_step(&mut turns, *step);
                let deed =
                    Deed { text: "no action".to_owned(), is_answer: false, error: Some(shortened(reason)) };
                turns[at].deeds.push(deed);
            }
            _ => {}
        }
    }
    turns.sort_by_key(|turn| turn.step);
    turns
}

fn requests(trajectory: &Trajectory) -> Vec<String> {
    let telling = trajectory
        .exchanges()
        .map(|(_, exchange)| exchange)
        .filter(|exchange| exchange.is_navigation() || exchange.request.method != "GET");
    let told = telling.map(|exchange| {
        let status = exchange
            .response
            .as_ref()
            .map_or_else(|| "no response".to_owned(), |response| response.status.to_string());
        format!("{} {} {status}", exchange.request.method, shortened(&exchange.request.url))
    });
    last(told.collect(), MOST_REQUESTS)
}

/// Of a long list the end, for there the outcome is.
fn last(mut lines: Vec<String>, most: usize) -> Vec<String> {
    let over = lines.len().saturating_sub(most);
    lines.drain(..over);
    lines
}

fn changes(trajectory: &Trajectory, blobs: &dyn BlobSource) -> io::Result<Vec<String>> {
    let (Some(before), Some((_, after))) = (trajectory.state_before(), trajectory.state_after()) else {
        return Ok(Vec::new());
    };
    let read = |blob: &BlobRef| -> io::Result<Value> { Ok(serde_json::from_slice(&blobs.read(blob)?)?) };
    let mut changes = Vec::new();
    differ("", &read(before)?, &read(after)?, &mut changes);
    Ok(changes)
}

fn differ(path: &str, before: &Value, after: &Value, changes: &mut Vec<String>) {
    if before == after || changes.len() >= MOST_CHANGES {
        return;
    }
    let below = |key: &str| if path.is_empty() { key.to_owned() } else { format!("{path}/{key}") };
    match (before, after) {
        (Value::Object(was), Value::Object(is)) => {
            for (key, value) in is {
                differ(&below(key), was.get(key).unwrap_or(&Value::Null), value, changes);
            }
            for (key, value) in was.iter().filter(|(key, _)| !is.contains_key(*key)) {
                differ(&below(key), value, &Value::Null, changes);
            }
        }
        (Value::Array(was), Value::Array(is)) => {
            for place in 0..was.len().max(is.len()) {
                let at = |list: &[Value]| list.get(place).cloned().unwrap_or(Value::Null);
                differ(&below(&place.to_string()), &at(was), &at(is), changes);
            }
        }
        _ => changes.push(format!("{path}: {} → {}", brief(before), brief(after))),
    }
}

fn brief(value: &Value) -> String {
    const SHORT: usize = 160;
    let text = match value {
        Value::Null => "nothing".to_owned(),
        other => other.to_string(),
    };
    if text.len() > SHORT { format!("{}…", &text[..text.floor_char_boundary(SHORT)]) } else { text }
}

fn shortened(text: &str) -> String {
    if text.len() <= LONGEST {
        return text.to_owned();
    }
    // The end of what somebody says matters as much as its beginning.
    let half = LONGEST / 2;
    let (head, tail) = (text.floor_char_boundary(half), text.ceil_char_boundary(text.len() - half));
    format!("{} … {}", &text[..head], &text[tail..])
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_judge_sees_of_an_access_what_the_agent_was_shown() {
        let whole = json!({"v": 1, "seq": 0, "ms": 0, "type": "history_accessed", "step": 1, "scheme": "on-demand",
            "query": "milk", "method": "lexical", "took_ms": 1,
            "hits": [{"id": 3, "score": 0.9, "text": "Oat milk"}, {"id": 4, "score": 0.1}]});
        for (change, found) in [
            (json!({}), "Oat milk"),
            (json!({"answer": "They like oats."}), "They like oats."),
            (json!({"error": "the model made no answer of it"}), ""),
        ] {
            let mut event = whole.clone();
            event.as_object_mut().expect("fields").extend(change.as_object().expect("fields").clone());
            let events = vec![serde_json::from_value(event).expect("an event")];
            let turns = turns(&Trajectory { events, ..Trajectory::default() });
            let deed = &turns[0].deeds[0];
            assert_eq!(deed.text, format!("asked the user's history “milk”: {found}"), "{change}");
            assert_eq!(deed.error.is_some(), change.get("error").is_some(), "{change}");
        }
    }

    #[test]
    fn what_changed_is_told_by_its_place() {
        let mut changes = Vec::new();
        let before = json!({ "hub": { "ads": true, "apps": ["a", "b"], "old": 1 } });
        let after = json!({ "hub": { "ads": false, "apps": ["a"], "new": { "x": 2 } } });
        differ("", &before, &after, &mut changes);
        assert_eq!(
            changes,
            [
                "hub/ads: true → false",
                "hub/apps/1: \"b\" → nothing",
                "hub/new: nothing → {\"x\":2}",
                "hub/old: 1 → nothing"
            ]
        );
    }

    #[test]
    fn a_long_text_keeps_both_ends() {
        let text = format!("begin {} end", "é".repeat(LONGEST));
        let short = shortened(&text);
        assert!(short.starts_with("begin ") && short.ends_with(" end") && short.len() <= LONGEST + 10);
    }
}
