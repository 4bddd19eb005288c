//! One thing that can be bought or booked.

use umpire_model::Random;

use super::atlas::Place;
use super::trade::Shelf;
use crate::kit::calendar::Day;
use crate::kit::money::Cents;

pub struct Item {
    /// `FR-1001`.
    pub id: String,
    pub name: String,
    pub shelf: &'static Shelf,
    pub price: Cents,
    /// Mean of the stars times ten.
    pub rating: u32,
    pub reviews: u32,
    /// Values by attribute: `("diet", ["Organic", "Vegan"])`.
    pub facts: Vec<(&'static str, Vec<&'static str>)>,
    /// Numbers that can be compared: `("hours", 12)`.
    pub numbers: Vec<(&'static str, i64)>,
    /// Labels with their prices; empty if there is nothing to choose.
    pub options: Vec<(&'static str, Cents)>,
    pub place: Option<Place>,
    /// For what happens once: the day it does.
    pub day: Option<Day>,
    /// Times of day at which it may be had, before some are taken.
    pub times: &'static [&'static str],
    pub text: String,
}

/// Whose stock is made: the prefix of its ids, and which of the two sites of its trade it is.
#[derive(Clone, Copy)]
pub struct Origin {
    pub prefix: &'static str,
    pub which: usize,
}

impl Origin {
    /// This site's half of a vocabulary, with a shared middle: two sites of a trade carry some of the same makers.
    pub fn share<T>(self, all: &'static [T]) -> &'static [T] {
        let length = all.len() * 2 / 3;
        if self.which == 0 { &all[..length] } else { &all[all.len() - length..] }
    }
}

/// The number of days from today that can be booked.
pub const HORIZON: i32 = 180;

impl Item {
    pub fn path(&self) -> String {
        format!("/item/{}", self.id)
    }

    pub fn values(&self, key: &str) -> &[&'static str] {
        self.facts.iter().find(|(name, _)| *name == key).map_or(&[], |(_, values)| values)
    }

    pub fn has(&self, key: &str, value: &str) -> bool {
        self.values(key).contains(&value)
    }

    pub fn number(&self, key: &str) -> Option<i64> {
        match key {
            "price" => Some(i64::from(self.price.0)),
            "rating" => Some(i64::from(self.rating)),
            "reviews" => Some(i64::from(self.reviews)),
            _ => self.numbers.iter().find(|(name, _)| *name == key).map(|(_, number)| *number),
        }
    }

    /// Price of an option, or of the item if it has none.
    pub fn price_of(&self, option: Option<&str>) -> Cents {
        let chosen = self.options.iter().find(|(label, _)| Some(*label) == option);
        chosen.map_or(self.price, |(_, price)| *price)
    }

    /// `price` as it is asked on `day`: dearer at weekends and with some ups and downs, in whole dollars.
    pub fn on_day(&self, price: Cents, day: Day) -> Cents {
        let swing = 88 + self.chance_of(day, "price").below(30) as u32;
        let weekend = if day.is_weekend() { 112 } else { 100 };
        Cents(price.percent(swing).percent(weekend).0 / 100 * 100)
    }

    /// Whether it can be had on `day` at all.
    pub fn is_open_on(&self, day: Day) -> bool {
        match self.day {
            Some(own) => own == day,
            None => !self.chance_of(day, "open").chance(14),
        }
    }

    /// Times of `day` that are still free.
    pub fn times_on(&self, day: Day) -> Vec<&'static str> {
        if !self.is_open_on(day) {
            return Vec::new();
        }
        let mut random = self.chance_of(day, "times");
        self.times.iter().copied().filter(|_| !random.chance(35)).collect()
    }

    /// Whether `seat` of this day's plane is taken.
    pub fn is_taken(&self, day: Day, seat: &str) -> bool {
        self.chance_of(day, seat).chance(45)
    }

    /// Chance that depends on nothing but this item, the day and what is asked: every world agrees about it.
    fn chance_of(&self, day: Day, question: &str) -> Random {
        Random::stream(0, &format!("{} {} {question}", self.id, day.iso()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_sites_share_some_makers_and_not_all() {
        static MAKERS: [u32; 9] = [1, 2, 3, 4, 5, 6, 7, 8, 9];
        let share = |which| Origin { prefix: "X", which }.share(&MAKERS);
        assert_eq!(share(0), [1, 2, 3, 4, 5, 6]);
        assert_eq!(share(1), [4, 5, 6, 7, 8, 9]);
    }
}
