//! Which of two attempts did better. Asked in both orders, for judges prefer what they see first (or last).

use std::sync::LazyLock;

use serde_json::{Value, json};
use umpire_model::{Digest, Ruling};

use super::form::by_shape;
use super::with_pictures;
use crate::answer::json::Shape;
use crate::asking::{NoOpinion, Question};
use crate::definition::Definition;
use crate::evidence::EvidencePolicy;
use crate::fence::Fences;
use crate::judge::{Bench, Effort, Exhibit, Judge, Judging, Opinion};

static CHOICE: LazyLock<Value> = LazyLock::new(|| {
    json!({
        "type": "object",
        "properties": { "thoughts": { "type": "string" }, "better": { "enum": ["A", "B", "tie"] } },
        "required": ["thoughts", "better"],
        "additionalProperties": false,
    })
});
static CHOICE_SHAPE: LazyLock<Option<Shape>> = LazyLock::new(|| Shape::new(&CHOICE).ok());
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

pub struct Pairwise(pub Definition);

impl Judge for Pairwise {
    fn name(&self) -> &str {
        &self.0.name
    }

    fn digest(&self) -> Digest {
        self.0.digest()
    }

    fn evidence(&self) -> &EvidencePolicy {
        &self.0.evidence
    }

    fn judge<'a>(&'a self, bench: &'a Bench<'a>) -> Judging<'a> {
        Box::pin(self.opinion(bench))
    }

    fn effort(&self, frames: usize) -> Effort {
        Effort { calls: 2, images: 4 * frames.min(1) }
    }

    fn compares(&self) -> bool {
        true
    }
}

impl Pairwise {
    async fn opinion(&self, bench: &Bench<'_>) -> Result<Opinion, NoOpinion> {
        let (first, second) = (bench.exhibit, bench.other);
        let second =
            second.ok_or_else(|| NoOpinion::NoEvidence("there is nothing to compare with".to_owned()))?;
        let (forth, why) = self.asked(bench, "first order", first, second).await?;
        let (back, _) = self.asked(bench, "second order", second, first).await?;
        let back = back.swapped();
        let preference = forth.joined(back);
        let images = [first, second].map(|side| side.frames.frames.len().min(1)).iter().sum::<usize>() * 2;
        Ok(Opinion {
            ruling: Ruling::Noted,
            reason: why,
            findings: json!({
                "better": preference.as_str(),
                "orders": [forth.as_str(), back.as_str()],
                "consistent": forth == back,
            }),
            images: images as u32,
        })
    }

    async fn asked(
        &self,
        bench: &Bench<'_>,
        part: &str,
        a: &Exhibit,
        b: &Exhibit,
    ) -> Result<(Preference, String), NoOpinion> {
        // One fence for both sides: neither can know its mark.
        let fences = Fences::around(a.case.hostile().chain(b.case.hostile()));
        let rule = format!("{} {} {}", fences.rule(), a.texts.fence_rule, b.texts.fence_rule);
        let mut values = a.texts.values().to_vec();
        values.retain(|(name, _)| *name != "fences");
        values.extend([
            ("fences", rule.as_str()),
            ("other_actions", &b.texts.actions),
            ("other_answer", &b.texts.answer),
            ("other_ending", &b.texts.ending),
        ]);
        let (system, user) = self.0.prompt(&self.0.main, &values);
        let pictures = [a, b].into_iter().filter_map(|side| side.frames.frames.last());
        let question = Question {
            part: part.to_owned(),
            system,
            messages: vec![with_pictures(format!("{user}\n\n{FORM}"), pictures)],
            schema: Some(("choice", &*CHOICE)),
        };
        let read =
            |answer: &str| by_shape(CHOICE_SHAPE.as_ref(), answer).map_err(|problem| problem.to_string());
        let choice = bench.asking.ask(question, read).await?;
        let preference = match choice["better"].as_str() {
            Some("A") => Preference::First,
            Some("B") => Preference::Second,
            _ => Preference::Tie,
        };
        Ok((preference, choice["thoughts"].as_str().unwrap_or_default().to_owned()))
    }
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
