//! Which way a tab took: whether a new document is the person's doing, and what kind of.

use super::report::Arrival;
use crate::session::Deed;

/// A page that said it goes elsewhere and is still there after this long has not gone.
const LEAVING_MS: u64 = 30_000;
/// A page in a frame can send the whole tab elsewhere without the page itself saying so.
const FRAME_DEED_MS: u64 = 3_000;

/// The documents of one tab, in the order of its history.
#[derive(Clone, Debug, Default)]
pub(super) struct Journey {
    history: Vec<String>,
    here: usize,
    left_at: Option<u64>,
    frame_deed_at: Option<u64>,
}

impl Journey {
    /// The page itself goes elsewhere.
    pub fn leaving(&mut self, at: u64) {
        self.left_at = Some(at);
    }

    /// Something was done in a frame of the page.
    pub fn frame_deed(&mut self, at: u64) {
        self.frame_deed_at = Some(at);
    }

    /// A new document of the tab. Gives what the person did to bring it, unless the page brought it, or it is the first.
    pub fn arrived(&mut self, url: &str, how: Arrival, at: u64) -> Option<Deed> {
        let is_soon =
            |since: Option<u64>, limit| since.is_some_and(|since| at.saturating_sub(since) <= limit);
        let by_page =
            is_soon(self.left_at.take(), LEAVING_MS) || is_soon(self.frame_deed_at.take(), FRAME_DEED_MS);
        let is_first = self.history.is_empty();
        let deed = match how {
            Arrival::Reload => Deed::Reload,
            Arrival::BackForward => self.traversed(url),
            Arrival::Navigate | Arrival::Otherwise => {
                self.history.truncate(self.here + 1);
                self.history.push(url.to_owned());
                self.here = self.history.len() - 1;
                Deed::Goto { url: url.to_owned() }
            }
        };
        (!is_first && !by_page).then_some(deed)
    }

    fn traversed(&mut self, url: &str) -> Deed {
        let at = |place: usize| self.history.get(place).is_some_and(|known| known == url);
        let is_back = self.here > 0 && at(self.here - 1);
        if !is_back && at(self.here + 1) {
            self.here += 1;
            return Deed::Forward;
        }
        self.here = self.here.saturating_sub(1);
        Deed::Back
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_the_person_did_is_a_step() {
        let mut journey = Journey::default();
        let goto = |url: &str| Some(Deed::Goto { url: url.to_owned() });
        assert_eq!(journey.arrived("a", Arrival::Navigate, 0), None, "the start is no step");
        journey.leaving(1_000);
        assert_eq!(journey.arrived("b", Arrival::Navigate, 1_500), None, "a link");
        assert_eq!(journey.arrived("c", Arrival::Navigate, 9_000), goto("c"), "typed");
        assert_eq!(journey.arrived("b", Arrival::BackForward, 10_000), Some(Deed::Back));
        assert_eq!(journey.arrived("c", Arrival::BackForward, 11_000), Some(Deed::Forward));
        assert_eq!(journey.arrived("c", Arrival::Reload, 12_000), Some(Deed::Reload));
        journey.leaving(13_000);
        assert_eq!(journey.arrived("c", Arrival::Reload, 13_100), None, "reloaded by its own script");
        journey.leaving(20_000);
        assert_eq!(journey.arrived("d", Arrival::Navigate, 60_000), goto("d"), "it had not gone after all");
        journey.frame_deed(61_000);
        assert_eq!(journey.arrived("e", Arrival::Navigate, 62_000), None, "sent by a frame");
        assert_eq!(
            journey.arrived("f", Arrival::Navigate, 62_500),
            goto("f"),
            "one deed explains one document"
        );
    }
}
