//! What a visitor can change at one site, as it is read by checks and patched by initial states.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::stock::Stock;
use super::trade::Trade;
use crate::kit::money::Cents;

pub const MOST_OF_ONE: u32 = 20;

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Account {
    /// By item id, with the option where there is one: `FR-1042-1-litre`.
    pub basket: BTreeMap<String, Line>,
    /// By number: `O-1`.
    pub orders: BTreeMap<String, Order>,
    /// By number: `B-1`.
    pub bookings: BTreeMap<String, Booking>,
    /// Remembered items: id to name.
    pub saved: BTreeMap<String, String>,
    /// The last number given out.
    pub sequence: u32,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Line {
    pub item: String,
    pub name: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub option: Option<String>,
    pub quantity: u32,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Order {
    pub lines: BTreeMap<String, Line>,
    pub delivery: String,
    pub total_cents: Cents,
}

/// A booking with everything that was decided about it, under the keys of the trade's asks.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Booking {
    pub item: String,
    pub name: String,
    pub total_cents: Cents,
    #[serde(flatten)]
    pub decided: BTreeMap<String, String>,
}

impl Account {
    pub fn next_number(&mut self, letter: char) -> String {
        self.sequence = self.sequence.saturating_add(1);
        format!("{letter}-{}", self.sequence)
    }

    /// Everything refers to items that exist, under the names they have.
    pub fn check(&self, trade: &Trade, stock: &Stock) -> Result<(), String> {
        let known = |place: String, id: &str, name: &str| match stock.item(id) {
            Some(item) if item.name == name => Ok(()),
            Some(item) => Err(format!("{place}: `{id}` is called `{}`, not `{name}`", item.name)),
            None => Err(format!("{place}: there is no item `{id}`")),
        };
        let ordered = self.orders.iter().flat_map(|(number, order)| {
            order.lines.iter().map(move |(key, line)| (format!("orders/{number}/lines/{key}"), line))
        });
        for (place, line) in
            self.basket.iter().map(|(key, line)| (format!("basket/{key}"), line)).chain(ordered)
        {
            known(place.clone(), &line.item, &line.name)?;
            if !(1..=MOST_OF_ONE).contains(&line.quantity) {
                return Err(format!("{place}: a quantity of {}", line.quantity));
            }
            let options = stock.item(&line.item).map(|item| &item.options);
            if let (Some(option), Some(options)) = (&line.option, options)
                && !options.iter().any(|(label, _)| label == option)
            {
                return Err(format!("{place}: there is no option `{option}`"));
            }
        }
        for (number, order) in &self.orders {
            if !trade.deliveries().iter().any(|(name, _)| *name == order.delivery) {
                return Err(format!("orders/{number}: there is no delivery `{}`", order.delivery));
            }
        }
        for (number, booking) in &self.bookings {
            known(format!("bookings/{number}"), &booking.item, &booking.name)?;
            let strange = |key: &&String| {
                key.as_str() != super::offer::SEAT_KIND
                    && !trade.asks.iter().any(|ask| ask.key() == key.as_str())
            };
            if let Some(key) = booking.decided.keys().find(strange) {
                return Err(format!("bookings/{number}: unknown field `{key}`"));
            }
        }
        self.saved.iter().try_for_each(|(id, name)| known(format!("saved/{id}"), id, name))
    }
}
