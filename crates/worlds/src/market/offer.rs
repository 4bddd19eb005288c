//! What a customer has decided about an item, read against what the item allows, and what it costs.

use std::collections::BTreeMap;

use super::item::Item;
use super::listing::is_bookable;
use super::trade::{Ask, Trade};
use crate::kit::calendar::Day;
use crate::kit::money::Cents;

/// Kept beside a seat, since people wish for a window and not for 14A.
pub const SEAT_KIND: &str = "seat_kind";

pub const ROWS: std::ops::RangeInclusive<u32> = 1..=18;
pub const LETTERS: [char; 6] = ['A', 'B', 'C', 'D', 'E', 'F'];

pub fn seat_kind(seat: &str) -> &'static str {
    match seat.chars().last() {
        Some('A' | 'F') => "window",
        Some('C' | 'D') => "aisle",
        _ => "middle",
    }
}

pub struct Offer<'a> {
    pub item: &'a Item,
    pub decided: BTreeMap<String, String>,
    pub day: Option<Day>,
    pub total: Cents,
    /// By key of the ask: what is missing or not to be had.
    pub problems: BTreeMap<&'static str, String>,
}

impl<'a> Offer<'a> {
    /// Reads the answers to all asks of a trade; `get` gives the text of a field.
    pub fn read<'q>(trade: &Trade, item: &'a Item, get: impl Fn(&str) -> Option<&'q str>) -> Self {
        let day_key = trade.asks.iter().find_map(|ask| match ask {
            Ask::Day { key, .. } => Some(*key),
            _ => None,
        });
        let day = match day_key {
            Some(key) => get(key).and_then(Day::parse).filter(|day| is_bookable(*day)),
            None => item.day,
        };
        let mut offer =
            Self { item, decided: BTreeMap::new(), day, total: Cents(0), problems: BTreeMap::new() };
        let mut times = 1;
        let mut option = None;
        for ask in trade.asks {
            let given = get(ask.key()).unwrap_or_default().trim();
            match offer.answer(ask, given) {
                Ok(None) => {}
                Ok(Some(value)) => {
                    match ask {
                        Ask::Option { .. } => option = Some(value.clone()),
                        Ask::Count { multiplies: true, .. } => times *= value.parse().unwrap_or(1),
                        Ask::Seat { .. } => {
                            offer.decided.insert(SEAT_KIND.to_owned(), seat_kind(&value).to_owned());
                        }
                        _ => {}
                    }
                    offer.decided.insert(ask.key().to_owned(), value);
                }
                Err(problem) => {
                    offer.problems.insert(ask.key(), problem);
                }
            }
        }
        let price = item.price_of(option.as_deref());
        let price = match offer.day {
            Some(day) if trade.day_priced => item.on_day(price, day),
            _ => price,
        };
        offer.total = price.times(times);
        offer
    }

    /// The value an ask is answered with; none if there is nothing to decide.
    fn answer(&self, ask: &Ask, given: &str) -> Result<Option<String>, String> {
        let item = self.item;
        let label = ask.label();
        let missing = || format!("Please choose: {}.", label.to_lowercase());
        let value = match ask {
            Ask::Option { .. } if item.options.is_empty() => return Ok(None),
            Ask::Option { .. } => item.options.iter().find(|(name, _)| *name == given).map(|(name, _)| *name),
            Ask::Fact { key, .. } if item.values(key).is_empty() => return Ok(None),
            Ask::Fact { key, .. } => item.values(key).iter().copied().find(|value| *value == given),
            Ask::Time { .. } => {
                let free = self.day.map(|day| item.times_on(day)).unwrap_or_default();
                free.into_iter().find(|time| *time == given)
            }
            Ask::Day { .. } => {
                return match self.day {
                    Some(day) if item.is_open_on(day) => Ok(Some(day.iso())),
                    Some(_) => Err("Nothing is free on this day.".to_owned()),
                    None => Err(missing()),
                };
            }
            Ask::Seat { .. } => {
                let free =
                    |seat: &String| is_seat(seat) && self.day.is_some_and(|day| !item.is_taken(day, seat));
                return Some(given.to_owned()).filter(free).map(Some).ok_or_else(missing);
            }
            Ask::Count { most, .. } => {
                let count = if given.is_empty() { Some(1) } else { given.parse::<u32>().ok() };
                let count = count.filter(|count| (1..=*most).contains(count));
                return count
                    .map(|count| Some(count.to_string()))
                    .ok_or_else(|| format!("{label}: choose 1 to {most}."));
            }
        };
        value.map(|value| Some(value.to_owned())).ok_or_else(missing)
    }
}

fn is_seat(text: &str) -> bool {
    let Some(letter) = text.chars().last().filter(|letter| LETTERS.contains(letter)) else { return false };
    text.strip_suffix(letter).and_then(|row| row.parse().ok()).is_some_and(|row| ROWS.contains(&row))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seats_are_where_they_are() {
        for (seat, exists, kind) in [
            ("1A", true, "window"),
            ("18F", true, "window"),
            ("7C", true, "aisle"),
            ("7E", true, "middle"),
            ("19A", false, "window"),
            ("G", false, "middle"),
            ("", false, "middle"),
        ] {
            assert_eq!((is_seat(seat), seat_kind(seat)), (exists, kind), "{seat}");
        }
    }
}
