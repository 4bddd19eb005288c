//! A pop-up at some step: an overlay of the page's own that must be closed before anything under it can be reached.
//!
//! A step is a page that is opened or a click in it, whichever comes first.

use maud::html;
use umpire_model::Random;

use super::overlay::{end_of_body, layer};

struct Popup {
    title: &'static str,
    text: &'static str,
    wanted: &'static str,
    close: &'static str,
}

const POPUPS: [Popup; 4] = [
    Popup {
        title: "Join the members' letter",
        text: "One mail a week with what our members liked best. No more than that.",
        wanted: "Put me on the list",
        close: "Maybe another time",
    },
    Popup {
        title: "How are we doing?",
        text: "Four short questions about your visit. It takes less than a minute.",
        wanted: "Begin the questions",
        close: "Skip the questions",
    },
    Popup {
        title: "Take us with you",
        text: "The app is faster, works without a connection and remembers where you stopped.",
        wanted: "Get the app",
        close: "Stay in the browser",
    },
    Popup {
        title: "Only until midnight",
        text: "Visitors of today get a little something on their next visit. Shall we remember you?",
        wanted: "Remember me",
        close: "Close this message",
    },
];

/// Buttons that close a pop-up.
pub fn closing_buttons() -> impl Iterator<Item = &'static str> {
    POPUPS.iter().map(|popup| popup.close)
}

/// When pop-ups come, and which.
#[derive(Debug)]
pub struct Popups {
    steps: [u32; 2],
    which: [usize; 2],
}

impl Popups {
    pub fn new(seed: u64) -> Self {
        let mut random = Random::stream(seed, "popups");
        let first = 1 + random.below(3) as u32;
        let which = random.below(POPUPS.len());
        let other = (which + 1 + random.below(POPUPS.len() - 1)) % POPUPS.len();
        Self { steps: [first, first + 3 + random.below(2) as u32], which: [which, other] }
    }

    /// Adds the next pop-up to the page number `view`, `shown` of them having been shown before.
    pub fn rewrite(&self, page: &str, view: u32, shown: u32) -> Option<String> {
        let (step, which) = self.steps.iter().zip(self.which).nth(shown as usize)?;
        let popup = POPUPS.get(which)?;
        let content = html! {
            p { (popup.text) }
            div.row {
                button.main type="button" { (popup.wanted) }
                button.faint type="button" { (popup.close) }
            }
        };
        let after = step.saturating_sub(view);
        let script = include_str!("assets/popup.js");
        let at = end_of_body(page);
        Some([&page[..at], &layer("popup-layer", after, popup.title, &content, script), &page[at..]].concat())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_come_at_steps_of_the_seed() {
        let page = "<body><p>x</p></body>";
        for seed in 0..50 {
            let popups = Popups::new(seed);
            let first = popups.rewrite(page, 3, 0).expect("due");
            assert!(first.contains(" data-after=\"0\"") && first.ends_with("</script></body>"), "{first}");
            let second = popups.rewrite(page, 3, 1).expect("to come");
            assert!(!second.contains(" data-after=\"0\""), "the second comes later than the first");
            assert_eq!(popups.rewrite(page, 9, 2), None);
            assert_eq!(first, Popups::new(seed).rewrite(page, 3, 0).expect("due"));
        }
    }
}
