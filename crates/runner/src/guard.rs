//! Stands between an agent and what cannot be undone: deleting an account, buying, posting. What it sees is recorded,
//! whatever it does about it.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use umpire_browser::{HoldingBack, Sentry};
use umpire_model::{
    Deadline, EventBody, Evidence, GuardDecision, GuardMode, GuardRule, Guarded, Irreversible,
};
use umpire_store::JournalWriter;
use umpire_worlds::irreversible_requests;

/// How long a person may think; the page waits meanwhile.
const ASK_LIMIT: Duration = Duration::from_mins(1);

/// Asks a person whether something may happen.
pub trait Asker: Send + Sync {
    fn may<'a>(
        &'a self,
        kind: Irreversible,
        request: &'a str,
    ) -> Pin<Box<dyn Future<Output = bool> + Send + 'a>>;
}

#[derive(Clone, Default)]
pub struct GuardOptions {
    pub mode: GuardMode,
    /// Beside those of the built-in sites.
    pub rules: Vec<GuardRule>,
    /// None if there is nobody to ask.
    pub person: Option<Arc<dyn Asker>>,
}

impl GuardOptions {
    /// What happens to a request of this kind. A person who does not answer by the deadline has not allowed it.
    async fn decide(&self, kind: Irreversible, request: &str, deadline: Deadline) -> GuardDecision {
        match (self.mode, &self.person) {
            (GuardMode::Record, _) => GuardDecision::Recorded,
            (GuardMode::Ask, Some(person)) => {
                match tokio::time::timeout_at(deadline.at().into(), person.may(kind, request)).await {
                    Ok(true) => GuardDecision::Allowed,
                    Ok(false) | Err(_) => GuardDecision::Denied,
                }
            }
            (GuardMode::Deny, _) | (GuardMode::Ask, None) => GuardDecision::Denied,
        }
    }
}

impl std::fmt::Debug for GuardOptions {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("GuardOptions")
            .field("mode", &self.mode)
            .field("rules", &self.rules)
            .finish_non_exhaustive()
    }
}

pub(crate) struct IrreversibleGuard {
    options: GuardOptions,
    rules: Vec<GuardRule>,
    journal: Arc<JournalWriter>,
}

impl IrreversibleGuard {
    pub fn new(options: &GuardOptions, journal: &Arc<JournalWriter>) -> Self {
        let rules = options.rules.iter().cloned().chain(irreversible_requests()).collect();
        Self { options: options.clone(), rules, journal: Arc::clone(journal) }
    }
}

/// The rule's address as Chromium takes patterns: its `*` reaches further, and a query may follow. None for an address
/// that is never encrypted.
fn encrypted(rule: &GuardRule) -> Option<String> {
    let pattern = rule.address().replace("**", "*");
    (!pattern.starts_with("http:")).then(|| format!("{pattern}*"))
}

impl Sentry for IrreversibleGuard {
    fn encrypted(&self) -> Vec<String> {
        self.rules.iter().filter_map(encrypted).collect()
    }

    fn hold_back<'a>(&'a self, method: &'a str, url: &'a str) -> HoldingBack<'a> {
        Box::pin(async move {
            let rule = self.rules.iter().find(|rule| rule.matches(method, url))?;
            let kind = rule.kind;
            let request = format!("{method} {url}");
            let decision = self.options.decide(kind, &request, Deadline::after(ASK_LIMIT)).await;
            self.journal.event(EventBody::Guarded(Guarded { kind, request, decision }));
            (decision == GuardDecision::Denied)
                .then(|| format!("Held back: {kind} is not allowed in this run."))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Says yes or no, or nothing at all.
    struct Person(Option<bool>);

    impl Asker for Person {
        fn may<'a>(&'a self, _: Irreversible, _: &'a str) -> Pin<Box<dyn Future<Output = bool> + Send + 'a>> {
            Box::pin(async {
                match self.0 {
                    Some(answer) => answer,
                    None => std::future::pending().await,
                }
            })
        }
    }

    #[tokio::test]
    async fn only_a_person_who_says_yes_in_time_lets_something_through() {
        let silent = Duration::from_millis(20);
        for (mode, person, patience, expected) in [
            (GuardMode::Ask, Some(Person(Some(true))), ASK_LIMIT, GuardDecision::Allowed),
            (GuardMode::Ask, Some(Person(Some(false))), ASK_LIMIT, GuardDecision::Denied),
            (GuardMode::Ask, Some(Person(None)), silent, GuardDecision::Denied),
            (GuardMode::Ask, None, ASK_LIMIT, GuardDecision::Denied),
            (GuardMode::Deny, Some(Person(Some(true))), ASK_LIMIT, GuardDecision::Denied),
            (GuardMode::Record, Some(Person(Some(false))), ASK_LIMIT, GuardDecision::Recorded),
        ] {
            let person = person.map(|person| Arc::new(person) as Arc<dyn Asker>);
            let options = GuardOptions { mode, person, ..GuardOptions::default() };
            let kind = Irreversible::AccountDeletion;
            let decided = options.decide(kind, "POST http://a/delete", Deadline::after(patience)).await;
            assert_eq!(decided, expected, "{mode}");
        }
    }

    #[test]
    fn the_browser_stops_at_more_than_the_rule_means_and_never_at_less() {
        for (url, expected) in [
            ("https://shop.example/checkout", Some("https://shop.example/checkout*")),
            ("https://*.example/**/order", Some("https://*.example/*/order*")),
            ("https://Shop.example/Order", Some("https://shop.example/Order*")),
            ("**/order", Some("*/order*")),
            ("http*://shop.example/order", Some("http*://shop.example/order*")),
            ("http://shop.example/order", None),
        ] {
            let rule = GuardRule::new(Irreversible::Purchase, url);
            assert_eq!(encrypted(&rule).as_deref(), expected, "{url}");
        }
    }
}
