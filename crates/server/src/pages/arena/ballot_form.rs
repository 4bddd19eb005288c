//! The form of a vote, and how it is read back.

use maud::{Markup, html};
use umpire_arena::{Choice, Side, StepAnnotation};

use super::SIDES;
use super::blind::Blind;
use crate::accounts::Fields;
use crate::error::PageError;
use crate::pages::step_marks;

const LONGEST_TEXT: usize = 4000;

/// The name by which inputs outside the form belong to it.
pub(super) const FORM: &str = "vote";

/// The choices with their words and keys.
pub(super) const CHOICES: [(Choice, &str, &str, &str); 4] = [
    (Choice::Left, "left", "1", "Left did better"),
    (Choice::Right, "right", "2", "Right did better"),
    (Choice::Tie, "tie", "3", "Both did equally well"),
    (Choice::BothBad, "both-bad", "4", "Both are bad: neither did it"),
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

pub(super) fn marks_on(side: Side, step: u32) -> Markup {
    let word = side_word(side);
    html! {
        details.marks-of {
            summary { "Say something about this step" }
            (step_marks::marks(&format!("On the {word}, step {step}"), &format!("{word}-{step}"), FORM))
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
            if let Some((verdict, text)) = step_marks::read(fields, &format!("{word}-{step}"))? {
                annotations.push(StepAnnotation { side, step, verdict, failures: Vec::new(), text });
            }
        }
    }
    Ok(Vote { choice, annotations, text: fields.text("text", LONGEST_TEXT)? })
}
