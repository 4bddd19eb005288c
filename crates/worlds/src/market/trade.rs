//! What a trade deals in, as data: its shelves, the filters and sorts of its lists, the fields of its search form, and
//! what a customer must decide before a deal is made. Sites of one trade share this and differ in look and stock.

use umpire_model::Random;

use super::item::{Item, Origin};

pub struct Trade {
    /// Its heading in the directory.
    pub name: &'static str,
    /// One and many of what is listed: `("hotel", "hotels")`.
    pub nouns: (&'static str, &'static str),
    pub shelves: &'static [Shelf],
    pub facets: &'static [Facet],
    pub sorts: &'static [Sort],
    /// Fields of the search form besides the words.
    pub search: &'static [SearchField],
    /// Attributes shown on a card, by key.
    pub card_facts: &'static [&'static str],
    /// Rows of the details table: key and label.
    pub details: &'static [(&'static str, &'static str)],
    /// What must be decided about an item before the deal.
    pub asks: &'static [Ask],
    pub dealing: Dealing,
    /// What a price is for: `per night`; empty for a thing.
    pub unit: &'static str,
    /// Prices move with the day, as those of rooms and seats do.
    pub day_priced: bool,
    pub stock: fn(&mut Random, Origin) -> Vec<Item>,
}

pub struct Shelf {
    pub slug: &'static str,
    pub name: &'static str,
    /// Name of the picture its items have.
    pub drawing: &'static str,
}

/// A filter of a list.
pub struct Facet {
    pub key: &'static str,
    pub label: &'static str,
    pub kind: FacetKind,
}

#[derive(Clone, Copy)]
pub enum FacetKind {
    /// Checkboxes; an item with any of the ticked values stays.
    AnyOf,
    /// Checkboxes; an item must have all of the ticked values.
    AllOf,
    /// Radio buttons.
    OneOf,
    /// A drop-down list.
    Pick,
    /// One checkbox for one value of the attribute.
    Flag(&'static str),
    /// Radio buttons over a number: at least this much.
    AtLeast(&'static [(i64, &'static str)]),
    /// A drop-down list over a number: at most this much.
    AtMost(&'static [(i64, &'static str)]),
    /// Two fields, from and to, over the price.
    Price,
}

pub struct Sort {
    pub code: &'static str,
    pub label: &'static str,
    /// The number that decides; items without it come last.
    pub by: &'static str,
    pub descending: bool,
}

pub enum SearchField {
    /// A drop-down list over an attribute that every item has. Without a choice there is no list, only the form.
    Pick {
        key: &'static str,
        label: &'static str,
    },
    /// An address to measure distances from; in the city picked as `city`.
    Near {
        label: &'static str,
    },
    /// A day; items that are not to be had on it are left out.
    Day {
        key: &'static str,
        label: &'static str,
    },
    Count {
        key: &'static str,
        label: &'static str,
        most: u32,
    },
}

/// Something a customer decides about an item.
pub enum Ask {
    /// One of the item's own options, each with its price: a size, a room, a ticket category.
    Option {
        key: &'static str,
        label: &'static str,
    },
    /// A day from the item's calendar.
    Day {
        key: &'static str,
        label: &'static str,
    },
    /// A time of the chosen day.
    Time {
        key: &'static str,
        label: &'static str,
    },
    /// A free seat of the chosen day's plane; its kind is kept beside it.
    Seat {
        key: &'static str,
        label: &'static str,
    },
    /// One value of an attribute of the item, such as an accepted insurance.
    Fact {
        key: &'static str,
        label: &'static str,
    },
    Count {
        key: &'static str,
        label: &'static str,
        most: u32,
        multiplies: bool,
    },
}

impl Ask {
    pub fn key(&self) -> &'static str {
        match self {
            Self::Option { key, .. }
            | Self::Day { key, .. }
            | Self::Time { key, .. }
            | Self::Seat { key, .. }
            | Self::Fact { key, .. }
            | Self::Count { key, .. } => key,
        }
    }

    pub fn label(&self) -> &'static str {
        match self {
            Self::Option { label, .. }
            | Self::Day { label, .. }
            | Self::Time { label, .. }
            | Self::Seat { label, .. }
            | Self::Fact { label, .. }
            | Self::Count { label, .. } => label,
        }
    }
}

/// How a deal is made.
pub enum Dealing {
    /// Things go into a basket, which is ordered with a way of delivery: name and fee in cents.
    Basket { deliveries: &'static [(&'static str, u32)] },
    /// One item at a time, looked over and confirmed.
    Booking,
}

impl Trade {
    pub fn shelf(&self, slug: &str) -> Option<&'static Shelf> {
        self.shelves.iter().find(|shelf| shelf.slug == slug)
    }

    /// Whether lists begin with words and shelves; others begin with a search form of their own.
    pub fn is_browsed(&self) -> bool {
        self.search.is_empty()
    }

    pub fn deliveries(&self) -> &'static [(&'static str, u32)] {
        match self.dealing {
            Dealing::Basket { deliveries } => deliveries,
            Dealing::Booking => &[],
        }
    }
}
