//! The state a visitor finds: a few lists, an old review, an address or two.

use std::collections::BTreeMap;

use umpire_model::Random;

use super::catalogue::{Catalogue, Place};
use super::routing::Mode;
use super::state::{List, Review, Settings, State, Units};

pub fn state(seed: u64, catalogue: &Catalogue) -> State {
    let mut random = Random::stream(seed, "map opening");
    let home_town = 1;
    let list = |name: &str, places: Vec<&Place>, note: &str| List {
        name: name.to_owned(),
        shared: false,
        places: places.into_iter().map(|place| (place.id, note.to_owned())).collect(),
    };
    let of = |slug: &str, town: usize, count: usize| -> Vec<&Place> {
        catalogue.in_town(town).filter(|place| place.category.slug == slug).take(count).collect()
    };
    let lists = BTreeMap::from([
        ("want-to-go".to_owned(), list("Want to go", of("museum", 0, 3), "")),
        ("favourites".to_owned(), list("Favourites", of("cafe", home_town, 4), "always a free table")),
        ("weekend-away".to_owned(), list("Weekend away", of("hotel", 2, 3), "ask about the view")),
    ]);
    let reviewed = of("bookshop", home_town, 1).into_iter().map(|place| {
        (place.id, Review { stars: 4, text: "Narrow stairs, wide choice. The attic is all maps.".to_owned() })
    });
    let mut address = |town: usize| {
        let address = catalogue.country.towns[town].random_address(town, &mut random);
        catalogue.country.write_address(address)
    };
    State {
        lists,
        reviews: reviewed.collect(),
        suggestions: BTreeMap::new(),
        settings: Settings {
            units: Units::Metric,
            mode: Mode::Car,
            avoid_motorways: false,
            location_history: true,
            home: address(home_town),
            work: address(home_town),
        },
        made: 0,
    }
}
