//! What an attempt left behind at a person's marketplace: what is in the basket, was ordered or booked.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::Value;
use umpire_model::Persona;
use umpire_worlds::market::suits;

/// The state of all marketplaces when the attempt ended, and the seed of their stock, as far as they are known.
#[derive(Default)]
pub struct Left {
    market: BTreeMap<String, Account>,
    seed: Option<u64>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Account {
    basket: BTreeMap<String, Line>,
    orders: BTreeMap<String, Order>,
    bookings: BTreeMap<String, Booking>,
}

#[derive(Deserialize)]
struct Line {
    item: String,
    option: Option<String>,
}

#[derive(Deserialize)]
struct Order {
    lines: BTreeMap<String, Line>,
    delivery: String,
}

#[derive(Deserialize)]
struct Booking {
    item: String,
    /// What was decided, by key: `room`, `seating`.
    #[serde(flatten)]
    decided: BTreeMap<String, Value>,
}

/// One thing, with what was decided about it.
struct Deal<'a> {
    item: &'a str,
    option: Option<&'a str>,
    delivery: Option<&'a str>,
    decided: Option<&'a BTreeMap<String, Value>>,
}

impl Left {
    /// Of the state as it was written: JSON by site. A world without marketplaces leaves nothing.
    pub fn of(state: &[u8], seed: Option<u64>) -> Result<Self, serde_json::Error> {
        let mut sites: BTreeMap<String, Value> = serde_json::from_slice(state)?;
        let market = sites.remove("market").map(serde_json::from_value).transpose()?;
        Ok(Self { market: market.unwrap_or_default(), seed })
    }

    /// Whether all that was put into the basket, ordered or booked at the person's marketplace has this value. None where
    /// nothing was, or where neither the deals nor the stock tell.
    pub fn shows(&self, persona: &Persona, key: &str, value: &str) -> Option<bool> {
        let account = self.market.get(persona.website.host.strip_suffix(".localhost")?)?;
        let told: Vec<bool> =
            account.deals().map(|deal| self.has(persona, &deal, key, value)).collect::<Option<_>>()?;
        (!told.is_empty()).then(|| told.into_iter().all(|has| has))
    }

    fn has(&self, persona: &Persona, deal: &Deal<'_>, key: &str, value: &str) -> Option<bool> {
        let is_it = |decided: &str| decided.eq_ignore_ascii_case(value);
        if let Some(decided) = deal.decided.and_then(|decided| decided.get(key)).and_then(Value::as_str) {
            return Some(is_it(decided));
        }
        if let Some(delivery) = deal.delivery.filter(|_| key == "delivery") {
            return Some(is_it(delivery));
        }
        let home = persona.location.as_ref().map(|home| (home.city.as_str(), home.address.as_str()));
        let stock = |value| suits(self.seed?, &persona.website.host, deal.item, (key, value), home);
        match deal.option {
            // Of several sizes or formats of one thing, the one that was taken counts.
            Some(option) if stock(option) == Some(true) => Some(is_it(option)),
            Some(option) if is_it(option) => Some(true),
            _ => stock(value),
        }
    }
}

impl Line {
    fn deal<'a>(&'a self, delivery: Option<&'a str>) -> Deal<'a> {
        Deal { item: &self.item, option: self.option.as_deref(), delivery, decided: None }
    }
}

impl Account {
    fn deals(&self) -> impl Iterator<Item = Deal<'_>> {
        let in_basket = self.basket.values().map(|line| line.deal(None));
        let ordered = self
            .orders
            .values()
            .flat_map(|order| order.lines.values().map(|line| line.deal(Some(&order.delivery))));
        let booked = self.bookings.values().map(|booking| Deal {
            item: &booking.item,
            option: None,
            delivery: None,
            decided: Some(&booking.decided),
        });
        in_basket.chain(ordered).chain(booked)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use umpire_model::{Location, Website};

    use super::*;

    fn persona(name: &str, host: &str) -> Persona {
        Persona {
            id: "noor".to_owned(),
            website: Website { name: name.to_owned(), host: host.to_owned() },
            preferences: Vec::new(),
            location: Some(Location { address: "60 Station Street".to_owned(), city: "Alderton".to_owned() }),
        }
    }

    fn left(state: &Value) -> Left {
        Left::of(state.to_string().as_bytes(), Some(7)).expect("a state")
    }

    #[test]
    fn deals_and_stock_tell_what_was_used() {
        let shop = persona("Thread & Tarn", "threadtarn.localhost");
        let line = json!({"item": "TT-1247", "name": "Isolde Shirt Dress in Charcoal", "option": "XS", "quantity": 1});
        let order = json!({"lines": {"TT-1247-xs": line}, "delivery": "Collect in store", "total_cents": 1});
        let left_there = left(&json!({"market": {"threadtarn": {"orders": {"O-1": order}}}}));
        for (key, value, expected) in [
            ("size", "XS", Some(true)),
            ("size", "M", Some(false)),
            ("material", "Cotton", Some(true)),
            ("material", "Linen", Some(false)),
            ("delivery", "Collect in store", Some(true)),
            ("delivery", "Express", Some(false)),
            ("weather", "Rain", None),
        ] {
            assert_eq!(left_there.shows(&shop, key, value), expected, "{key}: {value}");
        }
        assert_eq!(left_there.shows(&persona("Linden Row", "lindenrow.localhost"), "size", "XS"), None);
        let inn = persona("Roomward", "roomward.localhost");
        let booking = json!({"item": "RW-1042", "name": "x", "total_cents": 1, "room": "Suite"});
        let booked = left(&json!({"market": {"roomward": {"bookings": {"B-1": booking}}}}));
        for (key, value, expected) in [
            ("room", "suite", Some(true)),
            ("room", "Twin room", Some(false)),
            ("amenity", "Pool", Some(true)),
            ("city", "Alderton", Some(true)),
            ("city", "Portmere", Some(false)),
        ] {
            assert_eq!(booked.shows(&inn, key, value), expected, "{key}: {value}");
        }
    }

    #[test]
    fn where_nothing_was_left_or_nobody_knows_the_stock_nothing_is_claimed() {
        let shop = persona("Thread & Tarn", "threadtarn.localhost");
        let line = json!({"item": "TT-1247", "name": "x", "option": "XS", "quantity": 1});
        let state = json!({"market": {"threadtarn": {"basket": {"TT-1247-xs": line}}}});
        let unstocked = Left::of(state.to_string().as_bytes(), None).expect("a state");
        assert_eq!(unstocked.shows(&shop, "size", "XS"), Some(true), "the option says it itself");
        assert_eq!(unstocked.shows(&shop, "size", "M"), None);
        assert_eq!(unstocked.shows(&shop, "material", "Cotton"), None);
        for nothing in [json!({}), json!({"market": {"threadtarn": {}}})] {
            assert_eq!(left(&nothing).shows(&shop, "size", "XS"), None);
        }
    }

    #[test]
    fn a_state_that_cannot_be_read_is_not_one_without_deals() {
        for torn in ["", "{", r#"{"market": {"threadtarn": {"basket": {"TT-1247-xs": {"name": "x"}}}}}"#] {
            assert!(Left::of(torn.as_bytes(), Some(7)).is_err(), "{torn}");
        }
    }
}
