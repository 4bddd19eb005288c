//! Help.

use maud::html;

use super::layout::page;
use crate::Response;
use crate::hub::View;

pub(in crate::hub) const QUESTIONS: [(&str, &str); 4] = [
    (
        "I do not recognise a session",
        "Cities are guessed from network addresses and can be wrong by some distance. If the device is not yours either, sign it out and change your password.",
    ),
    (
        "Why can I not remove my last recovery method?",
        "With two-step verification on, it is the only way back in if you lose your second factor. Add another one first, or turn two-step verification off.",
    ),
    (
        "How long does an export take?",
        "From an hour to two days, depending on how much you keep. You can have one export at a time.",
    ),
    (
        "Can a deleted account be restored?",
        "For 30 days, by signing in and choosing to keep it. After that it is gone.",
    ),
];

pub(in crate::hub) fn show(view: &View<'_>) -> Response {
    let content = html! {
        p.lead { "Questions people ask us." }
        div.card {
            @for (question, answer) in QUESTIONS {
                details { summary { (question) } p { (answer) } }
            }
        }
        p { "Something else? Write to help@orrery.example." }
    };
    page(view, "Help", &content)
}
