//! The site's public pages, for the search engine.

use super::catalogue::City;
use crate::documents::{Document, Kind};

/// City guides; flights and stays depend on days and are no pages to find.
pub fn documents(_seed: u64) -> Vec<Document> {
    let guide = |city: City| {
        let title = format!("{} city guide · Skerry", city.name);
        let text = format!("Flights to and stays in {}, {}. {}", city.name, city.region, city.about());
        Document::new("travel.localhost", format!("/cities/{}", city.slug()), title, text, Kind::Other)
    };
    City::all().map(guide).collect()
}
