//! The sites: who they are and what they look like. What they deal in is their [`Trade`].

use super::item::Origin;
use super::trade::Trade;
use super::trades::{
    apparel, books, concerts, courses, doctors, electronics, flights, groceries, hotels, restaurants,
};

pub struct Storefront {
    /// Its name in the state, and its host before `.localhost`.
    pub key: &'static str,
    pub name: &'static str,
    pub tagline: &'static str,
    /// What the directory says of it.
    pub about: &'static str,
    pub trade: &'static Trade,
    pub origin: Origin,
    pub layout: Layout,
    pub theme: &'static str,
    pub words: Words,
}

/// How a list is laid out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layout {
    /// Cards in a grid, filters in a rail on the left.
    Grid,
    /// Cards in a grid, filters folded into a bar above it.
    Gallery,
    /// Rows with a picture, filters on the left.
    Rows,
    /// Rows beside a sketch of the city.
    Map,
    /// Rows of a timetable under a strip of days.
    Board,
    /// Rows under the months they fall into.
    Agenda,
}

/// A site's own words for what all of them have.
pub struct Words {
    /// The button under the filters.
    pub apply: &'static str,
    /// The button of the search form.
    pub search: &'static str,
    /// The button that begins a deal: `Add to basket`.
    pub deal: &'static str,
    /// The button that ends it: `Place order`.
    pub confirm: &'static str,
    /// Where deals are kept: `Basket`, `My trips`.
    pub kept: &'static str,
    /// Where remembered items are kept: `Favourites`.
    pub saved: &'static str,
}

impl Storefront {
    pub fn host(&self) -> String {
        format!("{}.localhost", self.key)
    }

    pub fn url(&self) -> String {
        format!("http://{}/", self.host())
    }
}

/// All of them, trade by trade.
pub static STOREFRONTS: &[&Storefront] = &[
    &groceries::FENNEL,
    &groceries::BASKETWAY,
    &electronics::OHMSTEAD,
    &electronics::GADGETLANE,
    &apparel::THREADTARN,
    &apparel::LINDENROW,
    &books::PAPERLARK,
    &books::MARGINALIA,
    &hotels::NIGHTJAR,
    &hotels::ROOMWARD,
    &flights::SKYFERRY,
    &flights::CONTRAIL,
    &restaurants::TABLEGATHER,
    &restaurants::SUPPERLIST,
    &doctors::WELLSPOKE,
    &doctors::CAREFOLD,
    &courses::LUMENARY,
    &courses::COURSEWRIGHT,
    &concerts::ENCORELY,
    &concerts::GIGHARBOUR,
];

pub fn storefront(key: &str) -> Option<&'static Storefront> {
    STOREFRONTS.iter().copied().find(|storefront| storefront.key == key)
}
