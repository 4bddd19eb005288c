//! What a visitor of the paper can change, and what the paper puts in the visitor's way. Nothing here changes on a GET.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::catalogue::Catalogue;
use crate::kit::moment::Moment;

/// What cookies may be used for: id, label, explanation.
pub const PURPOSES: [(&str, &str, &str); 4] = [
    ("measurement", "Audience measurement", "Counts which pages are read and for how long."),
    ("personalisation", "Personalised content", "Puts articles first that resemble what you read before."),
    ("advertising", "Personalised advertising", "Shows ads that match a profile of your reading."),
    ("partners", "Sharing with partners", "Passes your profile to 114 companies outside the Ledger."),
];

/// Newsletters: id, name, description.
pub const NEWSLETTERS: [(&str, &str, &str); 6] = [
    ("first-light", "First Light", "The morning in five minutes, on weekdays at six."),
    ("tide-table", "Tide Table", "Harbour, weather and transport, every evening."),
    ("small-print", "Small Print", "Politics, annotated. On Thursdays."),
    ("balance-sheet", "Balance Sheet", "Business without the ties. On Mondays."),
    ("stalls-and-circle", "Stalls and Circle", "What to see and what to skip, on Fridays."),
    ("long-weekend", "Long Weekend", "Days out and slow trains, on Saturdays."),
];

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct State {
    pub obstacles: Obstacles,
    pub consent: Consent,
    pub newsletter: Newsletter,
    pub advert: Advert,
    /// Ids of articles on the reading list.
    pub saved: BTreeSet<u32>,
    /// Slugs of authors the visitor follows.
    pub following: BTreeSet<String>,
    /// The visitor's own comments, by id.
    pub comments: BTreeMap<String, OwnComment>,
    /// Ids of comments the visitor recommended.
    pub recommended: BTreeSet<String>,
}

/// What stands between a visitor and the page; an instance's initial state chooses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Obstacles {
    pub consent: ConsentForm,
    /// A dialog that offers a newsletter shortly after a page has loaded.
    pub newsletter: bool,
    /// An advertisement over the whole page that can only be closed after a while.
    pub advert: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ConsentForm {
    None,
    /// In the page's own DOM, over its lower part.
    Banner,
    /// A dialog inside the shadow root of a custom element.
    Shadow,
    /// A third party's page in a frame on its own origin.
    Frame,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Consent {
    pub choice: ConsentChoice,
    pub purposes: BTreeMap<String, bool>,
    /// How often the question was answered.
    pub answers: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ConsentChoice {
    Unanswered,
    Accepted,
    Rejected,
    Custom,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Newsletter {
    /// What the visitor did with the dialog.
    pub offer: Offer,
    pub email: String,
    pub partner_offers: bool,
    pub subscriptions: BTreeSet<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Offer {
    Open,
    Subscribed,
    Declined,
    Closed,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Advert {
    pub closed: bool,
    /// How often the visitor was lured onto the advertiser's page.
    pub followed: u32,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OwnComment {
    pub article: u32,
    pub text: String,
    pub at: Moment,
}

impl State {
    pub fn opening() -> Self {
        Self {
            obstacles: Obstacles { consent: ConsentForm::Banner, newsletter: false, advert: false },
            consent: Consent {
                choice: ConsentChoice::Unanswered,
                purposes: PURPOSES.iter().map(|(id, _, _)| ((*id).to_owned(), false)).collect(),
                answers: 0,
            },
            newsletter: Newsletter {
                offer: Offer::Open,
                email: String::new(),
                partner_offers: false,
                subscriptions: BTreeSet::new(),
            },
            advert: Advert { closed: false, followed: 0 },
            saved: BTreeSet::new(),
            following: BTreeSet::new(),
            comments: BTreeMap::new(),
            recommended: BTreeSet::new(),
        }
    }

    /// While the question is open, articles end after their first paragraphs.
    pub fn awaits_consent(&self) -> bool {
        self.obstacles.consent != ConsentForm::None && self.consent.choice == ConsentChoice::Unanswered
    }

    pub fn offers_newsletter(&self) -> bool {
        self.obstacles.newsletter && self.newsletter.offer == Offer::Open
    }

    pub fn shows_advert(&self) -> bool {
        self.obstacles.advert && !self.advert.closed
    }

    /// What serde cannot check: ids of purposes, newsletters, articles, authors.
    pub fn check(&self, catalogue: &Catalogue) -> Result<(), String> {
        let known: BTreeSet<&str> = PURPOSES.iter().map(|(id, _, _)| *id).collect();
        let found: BTreeSet<&str> = self.consent.purposes.keys().map(String::as_str).collect();
        if let Some(odd) = known.symmetric_difference(&found).next() {
            return Err(format!("`consent.purposes` and the paper's purposes differ in `{odd}`"));
        }
        let newsletter = |id: &String| NEWSLETTERS.iter().any(|(known, _, _)| known == id);
        if let Some(stranger) = self.newsletter.subscriptions.iter().find(|id| !newsletter(id)) {
            return Err(format!("there is no newsletter `{stranger}`"));
        }
        let own = self.comments.values().map(|comment| &comment.article);
        if let Some(stranger) = self.saved.iter().chain(own).find(|id| catalogue.article(**id).is_none()) {
            return Err(format!("there is no article {stranger}"));
        }
        match self.following.iter().find(|slug| catalogue.author(slug).is_none()) {
            Some(stranger) => Err(format!("there is no author `{stranger}`")),
            None => Ok(()),
        }
    }
}
