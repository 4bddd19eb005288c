//! The site's public pages, for the search engine.

use super::catalogue::Catalogue;
use super::reviews;
use crate::documents::{Document, Kind};

const HOST: &str = "map.localhost";

pub fn documents(seed: u64) -> Vec<Document> {
    let catalogue = Catalogue::shared(seed);
    let country = &catalogue.country;
    let towns = country.towns.iter().map(|town| {
        let text = format!(
            "Map of {} in {}: places, streets, districts and directions.",
            town.name,
            country.region_of(town).name
        );
        Document::new(
            HOST,
            format!("/town/{}", town.slug),
            format!("{} · Waymark", town.name),
            text,
            Kind::Place,
        )
    });
    let places = catalogue.places.iter().map(|place| {
        let rating =
            reviews::average(place, None).map(|average| format!(" Rated {average}.")).unwrap_or_default();
        let text = format!(
            "{} at {}.{rating} Phone {}.",
            place.category.name,
            country.write_address(place.address),
            place.phone
        );
        Document::new(
            HOST,
            format!("/place/{}", place.id),
            format!("{} · Waymark", catalogue.full_name(place)),
            text,
            Kind::Place,
        )
    });
    towns.chain(places).collect()
}
