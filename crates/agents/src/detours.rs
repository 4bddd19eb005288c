use std::sync::Arc;

use umpire_browser::Observation;
use umpire_model::Action;

use crate::blanks::Blanks;

/// What the oracle performs, and what it is told about a perturbation of the pages it performs it on.
#[derive(Clone, Default)]
pub struct Reference {
    pub actions: Vec<Action>,
    pub detours: Detours,
    pub blanks: Blanks,
}

impl Reference {
    /// All but the last thing that is done before the answer, which claims it all the same: the attempt of an agent that
    /// forgets to save. Judges have to see the difference.
    #[must_use]
    pub fn without_last_deed(mut self) -> Self {
        let is_deed = |action: &Action| !matches!(action, Action::Answer(_) | Action::Wait { .. });
        if let Some(last) = self.actions.iter().rposition(is_deed) {
            self.actions.remove(last);
        }
        self
    }
}

/// What a control of a role and a name may be called on the page, the likeliest first.
pub type NamesOf = Arc<dyn Fn(&str, &str) -> Vec<String> + Send + Sync>;

/// How to get around what is done to pages on purpose. Only the oracle has it: whether it still passes shows that a
/// perturbed task can be solved.
#[derive(Clone)]
pub struct Detours {
    pub names_of: NamesOf,
    /// Buttons that close what lies over a page.
    pub way_out: Vec<String>,
    /// Title of a page that failed and loads when asked for again.
    pub fault_title: Option<String>,
}

impl Default for Detours {
    fn default() -> Self {
        Self { names_of: Arc::new(|_, name| vec![name.to_owned()]), way_out: Vec::new(), fault_title: None }
    }
}

/// Where the browser stands when a page could not be had at all.
const NO_PAGE: &str = "chrome-error:";

impl Detours {
    /// The page that must be asked for again before anything else, if the one in front failed.
    pub(crate) fn failed_page(&self, seen: &Observation) -> Option<String> {
        let title = self.fault_title.as_ref()?;
        let asked = seen.tabs.iter().find(|tab| tab.active).map(|tab| &tab.url);
        let url = if seen.url.starts_with(NO_PAGE) { asked? } else { &seen.url };
        let failed = seen.url.starts_with(NO_PAGE) || seen.title == *title;
        (failed && !url.starts_with(NO_PAGE)).then(|| url.clone())
    }

    /// A button in sight that closes what lies over the page.
    pub(crate) fn way_out<'s>(&self, seen: &'s Observation) -> Option<&'s str> {
        let is_way_out = |name: &str| self.way_out.iter().any(|known| known == name);
        let mut buttons = seen.elements.iter().filter(|element| element.role == "button" && element.visible);
        buttons.find(|element| is_way_out(&element.name)).map(|element| element.name.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_near_miss_leaves_out_the_last_deed_and_claims_it() {
        for (actions, left) in [
            (
                &["click switch \"Ads\"", "click button \"Save\"", "answer \"done\""][..],
                &["click switch \"Ads\"", "answer \"done\""][..],
            ),
            (&["answer \"done\""], &["answer \"done\""]),
            (&[], &[]),
        ] {
            let actions = actions.iter().map(|text| text.parse().expect("an action")).collect();
            let reference = Reference { actions, ..Reference::default() }.without_last_deed();
            assert_eq!(reference.actions.iter().map(ToString::to_string).collect::<Vec<_>>(), left);
        }
    }
}
