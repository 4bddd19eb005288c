//! Which of two attempts did better. Asked in both orders, for judges prefer what they see first (or last).

use std::sync::LazyLock;

use serde_json::{Value, json};
use umpire_model::Ruling;

use super::with_pictures;
use crate::answer::json::Shape;
use crate::asking::{NoOpinion, Question};
use crate::definition::Definition;
use crate::judge::{Bench, Opinion, Side};

static CHOICE: LazyLock<Value> = LazyLock::new(|| {
    json!({
        "type": "object",
        "properties": { "thoughts": { "type": "string" }, "better": { "enum": ["A", "B", "tie"] } },
        "required": ["thoughts", "better"],
        "additionalProperties": false,
    })
});
static CHOICE_SHAPE: LazyLock<Shape> = LazyLock::new(|| Shape::new(&CHOICE).expect("a schema"));
const FORM: &str =
    "Answer with one JSON object and nothing else: {\"thoughts\": …, \"better\": \"A\", \"B\" or \"tie\"}.";

/// What a comparison comes to, for the first attempt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Preference {
    First,
    Second,
    Tie,
}

impl Preference {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::First => "first",
            Self::Second => "second",
            Self::Tie => "tie",
        }
    }

    fn swapped(self) -> Self {
        match self {
            Self::First => Self::Second,
            Self::Second => Self::First,
            Self::Tie => Self::Tie,
        }
    }

    /// Of both orders: what they agree on; a tie and a choice make the choice; a contradiction is the order speaking, so
    /// a tie.
    fn joined(self, other: Self) -> Self {
        match (self, other) {
            (Self::Tie, one) | (one, Self::Tie) => one,
            (one, two) if one == two => one,
            _ => Self::Tie,
        }
    }
}

pub(super) async fn opinion(definition: &Definition, bench: &Bench<'_>) -> Result<Opinion, NoOpinion> {
    let nothing = || NoOpinion::NoEvidence("there is nothing to compare with".to_owned());
    let (first, second) = (bench.side, bench.other.ok_or_else(nothing)?);
    let (forth, why) = asked(definition, bench, "first order", first, second).await?;
    let (back, _) = asked(definition, bench, "second order", second, first).await?;
    let back = back.swapped();
    let images = [first, second].map(|side| side.frames.frames.len().min(1)).iter().sum::<usize>() * 2;
    Ok(Opinion {
        ruling: Ruling::Noted,
        reason: why,
        findings: json!({
            "better": forth.joined(back).as_str(),
            "orders": [forth.as_str(), back.as_str()],
            "consistent": forth == back,
        }),
        images: images as u32,
    })
}

async fn asked(
    definition: &Definition,
    bench: &Bench<'_>,
    part: &str,
    a: Side<'_>,
    b: Side<'_>,
) -> Result<(Preference, String), NoOpinion> {
    let (texts, others) = (&a.exhibit.texts, &b.exhibit.texts);
    // Each side's text stands in fences of its own.
    let rules = format!("{}\n{}", texts.fence_rule, others.fence_rule);
    let mut values = texts.values().to_vec();
    values.retain(|(name, _)| *name != "fences");
    values.extend([
        ("fences", rules.as_str()),
        ("other_actions", &others.actions),
        ("other_answer", &others.answer),
        ("other_ending", &others.ending),
    ]);
    let (system, user) = definition.prompt(&definition.main, &values);
    let pictures = [a, b].into_iter().filter_map(|side| side.frames.frames.last());
    let question = Question {
        part: part.to_owned(),
        system,
        messages: vec![with_pictures(format!("{user}\n\n{FORM}"), pictures)],
        schema: Some(("choice", &*CHOICE)),
    };
    let read = |answer: &str| CHOICE_SHAPE.read(answer).map_err(|problem| problem.to_string());
    let choice = bench.asking.ask(question, read).await?;
    let preference = match choice["better"].as_str() {
        Some("A") => Preference::First,
        Some("B") => Preference::Second,
        _ => Preference::Tie,
    };
    Ok((preference, choice["thoughts"].as_str().unwrap_or_default().to_owned()))
}

#[cfg(test)]
mod tests {
    use super::Preference::{First, Second, Tie};

    #[test]
    fn both_orders_make_one_preference() {
        for (forth, back, joined) in [
            (First, First, First),
            (First, Tie, First),
            (Tie, Second, Second),
            (First, Second, Tie),
            (Tie, Tie, Tie),
        ] {
            assert_eq!(forth.joined(back), joined);
            assert_eq!(forth.swapped().joined(back.swapped()), joined.swapped(), "whoever comes first");
        }
    }
}
