//! The trades, one file each: what they deal in, and how the stock of a site is made up.

pub mod apparel;
pub mod books;
pub mod concerts;
pub mod courses;
pub mod doctors;
pub mod electronics;
pub mod flights;
pub mod groceries;
pub mod hotels;
pub mod restaurants;

use std::collections::HashSet;

use umpire_model::Random;

use super::item::{Item, Origin};
use crate::kit::money::Cents;

/// Names drawn for one item before a stock is left as it is.
const TRIES_AN_ITEM: usize = 100;

/// What goes through the making of a stock: chance, names already given, the next number.
pub struct Maker<'r> {
    pub random: &'r mut Random,
    pub origin: Origin,
    names: HashSet<String>,
    next: u32,
}

impl<'r> Maker<'r> {
    pub fn new(random: &'r mut Random, origin: Origin) -> Self {
        Self { random, origin, names: HashSet::new(), next: 1000 }
    }

    /// Whether nothing in this stock has the name yet; it has from now on.
    pub fn is_new(&mut self, name: &str) -> bool {
        self.names.insert(name.to_owned())
    }

    /// The name, or what tells it apart from one that is taken; none if that is taken too.
    pub fn new_name(
        &mut self,
        name: String,
        apart: impl FnOnce(&mut Self, &str) -> String,
    ) -> Option<String> {
        if self.is_new(&name) {
            return Some(name);
        }
        let other = apart(self, &name);
        self.is_new(&other).then_some(other)
    }

    /// Adds so many items; `one` gives none where it drew a name that is taken.
    pub fn add(
        &mut self,
        items: &mut Vec<Item>,
        count: usize,
        mut one: impl FnMut(&mut Self) -> Option<Item>,
    ) {
        let full = items.len() + count;
        // There are many more names than places; should they run out, a shelf is shorter rather than never filled.
        for _ in 0..count * TRIES_AN_ITEM {
            if items.len() == full {
                break;
            }
            items.extend(one(self));
        }
    }

    pub fn id(&mut self) -> String {
        self.next += 1;
        format!("{}-{}", self.origin.prefix, self.next)
    }

    pub fn one(&mut self, words: &[&'static str]) -> &'static str {
        self.random.pick(words).copied().unwrap_or_default()
    }

    /// Each of the words with this chance, in their order.
    pub fn some(&mut self, words: &[&'static str], percent: u32) -> Vec<&'static str> {
        words.iter().copied().filter(|_| self.random.chance(percent)).collect()
    }

    /// Like [`Self::some`], but never none.
    pub fn at_least_one(&mut self, words: &[&'static str], percent: u32) -> Vec<&'static str> {
        let chosen = self.some(words, percent);
        if chosen.is_empty() { vec![self.one(words)] } else { chosen }
    }

    /// Cents between two amounts, ending in `cents`, as price tags do.
    pub fn price(&mut self, low: u32, high: u32, cents: u32) -> Cents {
        let amount = self.random.between(i64::from(low), i64::from(high)) as u32;
        Cents(amount / 100 * 100 + cents)
    }

    /// Stars times ten and how many people gave them: mostly good, sometimes not.
    pub fn rating(&mut self) -> (u32, u32) {
        let stars = 30 + self.random.below(12) + self.random.below(9);
        (stars as u32, 3 + (self.random.below(40) * self.random.below(30)) as u32)
    }
}

/// Stars as a filter offers them.
pub const STARS: &[(i64, &str)] =
    &[(45, "4.5 stars and up"), (40, "4 stars and up"), (35, "3.5 stars and up")];

/// Tenths of a mile as a filter offers them.
pub const MILES: &[(i64, &str)] =
    &[(10, "Within 1 mile"), (20, "Within 2 miles"), (30, "Within 3 miles"), (50, "Within 5 miles")];
