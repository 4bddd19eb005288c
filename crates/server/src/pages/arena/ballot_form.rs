//! The form of a vote, and how it is read back.

use maud::{Markup, html};
use umpire_arena::{Choice, Side, StepAnnotation};
use umpire_model::StepVerdict;

use super::SIDES;
use super::blind::Blind;
use crate::accounts::Fields;
use crate::error::PageError;

const LONGEST_TEXT: usize = 4000;
const LONGEST_WHY: usize = 500;

/// The name by which inputs outside the form belong to it.
pub(super) const FORM: &str = "vote";

/// The choices with their words and keys.
pub(super) const CHOICES: [(Choice, &str, &str, &str); 4] = [
    (Choice::Left, "left", "1", "Left did better"),
    (Choice::Right, "right", "2", "Right did better"),
    (Choice::Tie, "tie", "3", "Both did equally well"),
    (Choice::BothBad, "both-bad", "4", "Both are bad: neither did it"),
];

const MARKS: [(StepVerdict, &str, &str); 3] = [
    (StepVerdict::Ok, "ok", "right"),
    (StepVerdict::Wrong, "wrong", "wrong"),
    (StepVerdict::Unsure, "unsure", "unsure"),
];

pub(super) struct Vote {
    pub choice: Choice,
    pub annotations: Vec<StepAnnotation>,
    pub text: String,
}

pub(super) fn opinion() -> Markup {
    html! {
        fieldset.choices {
            legend { "Which did better?" }
            @for (_, name, key, words) in CHOICES {
                label {
                    input type="radio" name="choice" value=(name) form=(FORM) required data-key=(key) aria-keyshortcuts=(key);
                    " " kbd { (key) } " " (words)
                }
            }
        }
        label.text { "Why, if you like to say"
            textarea name="text" rows="2" form=(FORM) maxlength=(LONGEST_TEXT) {}
        }
        p.muted.hint { "Your vote and what you say about steps can be read by everybody afterwards, without your name." }
    }
}

fn side_word(side: Side) -> &'static str {
    SIDES.iter().find(|(one, _)| *one == side).map_or("", |(_, word)| word)
}

pub(super) fn step_marks(side: Side, step: u32) -> Markup {
    let of = format!("{}-{step}", side_word(side));
    html! {
        details.marks-of {
            summary { "Say something about this step" }
            fieldset.marks {
                legend { "On the " (side_word(side)) ", step " (step) " was" }
                @for (_, value, words) in MARKS {
                    label { input type="radio" name={ "step-" (of) } value=(value) form=(FORM); " " (words) }
                }
                label { "because" input name={ "why-" (of) } form=(FORM) maxlength=(LONGEST_WHY); }
            }
        }
    }
}

/// Only steps that are there can be spoken of.
pub(super) fn read(fields: &Fields, blind: &Blind) -> Result<Vote, PageError> {
    let choice =
        CHOICES.iter().find(|(_, name, ..)| *name == fields.get("choice")).map(|(choice, ..)| *choice);
    let choice = choice.ok_or_else(|| PageError::BadRequest("Say which did better.".to_owned()))?;
    let mut annotations = Vec::new();
    for (side, word) in SIDES {
        for step in blind.side(side).steps.iter().map(|step| step.number) {
            let verdict =
                MARKS.iter().find(|(_, value, _)| *value == fields.get(&format!("step-{word}-{step}")));
            let text = fields.text(&format!("why-{word}-{step}"), LONGEST_WHY)?;
            let verdict = match (verdict, text.is_empty()) {
                (Some((verdict, ..)), _) => *verdict,
                (None, true) => continue,
                // A reason without a mark is worth keeping.
                (None, false) => StepVerdict::Unsure,
            };
            annotations.push(StepAnnotation { side, step, verdict, failures: Vec::new(), text });
        }
    }
    Ok(Vote { choice, annotations, text: fields.text("text", LONGEST_TEXT)? })
}
