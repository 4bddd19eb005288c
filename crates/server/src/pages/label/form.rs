//! The form of a label, and how it is read back.

use std::collections::BTreeSet;

use maud::{Markup, html};
use umpire_model::{FailureCategory, HumanLabel, LabelTime, StepLabel, TAXONOMIES};

use super::CHOICES;
use crate::accounts::Fields;
use crate::error::PageError;
use crate::pages::step_marks;

const LONGEST_TEXT: usize = 4000;

/// The name by which inputs outside the form belong to it.
pub(super) const FORM: &str = "label";

pub(super) fn opinion() -> Markup {
    html! {
        fieldset.choices {
            legend { "Was the task done?" }
            @for (_, name, key, words) in CHOICES {
                label {
                    input type="radio" name="success" value=(name) form=(FORM) required data-key=(key) aria-keyshortcuts=(key);
                    " " kbd { (key) } " " (words)
                }
            }
        }
        @for taxonomy in TAXONOMIES {
            details.taxonomy {
                summary { "What went wrong, in the words of " (taxonomy.name) }
                @for category in taxonomy.categories {
                    label {
                        input type="checkbox" name="failures" form=(FORM) value={ (taxonomy.name) "/" (category.name) };
                        " " b { (category.name) } " " span.muted { (category.meaning) }
                    }
                }
            }
        }
        label.text { "Whatever else is to be said"
            textarea name="text" rows="3" form=(FORM) maxlength=(LONGEST_TEXT) {}
        }
    }
}

pub(super) fn marks_on(step: u32) -> Markup {
    step_marks::marks(&format!("Step {step}"), &step.to_string(), FORM)
}

/// A filled-in form as a label. `empty` says what it is about, `steps` which steps there are.
pub(super) fn read(
    fields: &Fields,
    empty: HumanLabel,
    steps: &BTreeSet<u32>,
    annotator: &str,
) -> Result<HumanLabel, PageError> {
    let success =
        CHOICES.iter().find(|(_, name, ..)| *name == fields.get("success")).map(|(choice, ..)| *choice);
    if success.is_none() {
        return Err(PageError::BadRequest("Say whether the task was done.".to_owned()));
    }
    let mut failures = Vec::new();
    for text in fields.all("failures") {
        let category: FailureCategory =
            text.parse().map_err(|_| PageError::BadRequest("There is no such category.".to_owned()))?;
        if !failures.contains(&category) {
            failures.push(category);
        }
    }
    let mut marked = Vec::new();
    for &step in steps {
        if let Some((verdict, text)) = step_marks::read(fields, &step.to_string())? {
            marked.push(StepLabel { step, verdict, failures: Vec::new(), text });
        }
    }
    Ok(HumanLabel {
        success,
        failures,
        steps: marked,
        text: fields.text("text", LONGEST_TEXT)?,
        annotator: annotator.to_owned(),
        time: Some(LabelTime::new(jiff::Timestamp::now())),
        ..empty
    })
}
