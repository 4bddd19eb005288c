//! The course of one event: what is done in which order, and how many days lie between. `search@-3 visit deal review+1`
//! is a search three days before the deal, a look right after it, the deal, and a review the day after the occasion.

use std::str::FromStr;

use serde::Deserialize;

use crate::tables::Deal;

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(try_from = "String")]
pub struct Session(pub Vec<Step>);

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Step {
    pub deed: Deed,
    pub when: When,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Deed {
    Search,
    Visit,
    Deal,
    Review,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum When {
    /// Minutes after the step before.
    Next,
    /// Days from the deal.
    FromDeal(i64),
    /// Days from the occasion.
    FromOccasion(i64),
}

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{0}` is no step of a session: search, visit, deal or review, with @DAYS from the deal or +DAYS from the occasion"
)]
pub struct BadStep(String);

impl FromStr for Step {
    type Err = BadStep;

    fn from_str(text: &str) -> Result<Self, BadStep> {
        let bad = || BadStep(text.to_owned());
        let (word, when) = match text.find(['@', '+']) {
            None => (text, When::Next),
            Some(at) => {
                let days = text[at + 1..].parse().map_err(|_| bad())?;
                let when =
                    if text.as_bytes()[at] == b'@' { When::FromDeal(days) } else { When::FromOccasion(days) };
                (&text[..at], when)
            }
        };
        let deed = match word {
            "search" => Deed::Search,
            "visit" => Deed::Visit,
            "deal" => Deed::Deal,
            "review" => Deed::Review,
            _ => return Err(bad()),
        };
        Ok(Self { deed, when })
    }
}

impl TryFrom<String> for Session {
    type Error = BadStep;

    fn try_from(text: String) -> Result<Self, BadStep> {
        text.split_whitespace().map(str::parse).collect::<Result<_, _>>().map(Self)
    }
}

impl Session {
    pub fn has_deal(&self) -> bool {
        self.0.iter().any(|step| step.deed == Deed::Deal)
    }

    /// Whether something is decided in it, in a domain whose deals are of this kind.
    pub fn ends_in(&self, deal: Deal) -> bool {
        let last = if deal == Deal::Review { Deed::Review } else { Deed::Deal };
        self.0.iter().any(|step| step.deed == last)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_are_read_with_their_days() {
        let session = Session::try_from("search@-3 visit deal review+1".to_owned()).expect("a session");
        let whens: Vec<When> = session.0.iter().map(|step| step.when).collect();
        assert_eq!(whens, [When::FromDeal(-3), When::Next, When::Next, When::FromOccasion(1)]);
        assert!(session.has_deal());
        for text in ["stroll", "visit@", "deal@x", "@3"] {
            assert!(Session::try_from(text.to_owned()).is_err(), "{text}");
        }
    }
}
