//! What somebody says of one step, on a label as on a vote: a mark, and why.

use maud::{Markup, html};
use umpire_model::StepVerdict;

use crate::accounts::Fields;
use crate::error::PageError;

const LONGEST_WHY: usize = 500;

const MARKS: [(StepVerdict, &str, &str); 3] = [
    (StepVerdict::Ok, "ok", "right"),
    (StepVerdict::Wrong, "wrong", "wrong"),
    (StepVerdict::Unsure, "unsure", "unsure"),
];

/// Inputs of a form elsewhere on the page. `step` names it to people, `of` to [`read`].
pub(super) fn marks(step: &str, of: &str, form: &str) -> Markup {
    html! {
        fieldset.marks {
            legend { (step) " was" }
            @for (_, value, words) in MARKS {
                label { input type="radio" name={ "step-" (of) } value=(value) form=(form); " " (words) }
            }
            label { "because" input name={ "why-" (of) } form=(form) maxlength=(LONGEST_WHY); }
        }
    }
}

/// None where nothing was said of the step.
pub(super) fn read(fields: &Fields, of: &str) -> Result<Option<(StepVerdict, String)>, PageError> {
    let mark = MARKS.iter().find(|(_, value, _)| *value == fields.get(&format!("step-{of}")));
    let text = fields.text(&format!("why-{of}"), LONGEST_WHY)?;
    Ok(match mark {
        Some((verdict, ..)) => Some((*verdict, text)),
        None if text.is_empty() => None,
        // A reason without a mark is worth keeping.
        None => Some((StepVerdict::Unsure, text)),
    })
}
