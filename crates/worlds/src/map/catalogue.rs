//! Everything that stands at an address, built once per seed.

use std::collections::BTreeSet;
use std::sync::Arc;

use umpire_model::Random;

use super::categories::{CATEGORIES, Category, Group};
use super::hours::{Hours, Pattern};
use crate::geography::{Address, Country, LandmarkKind, Point};
use crate::kit::by_seed::BySeed;
use crate::kit::text::choose;

pub const FIRST_ID: u32 = 2001;

pub const FEATURES: &[(&str, &str)] = &[
    ("wheelchair", "Wheelchair access"),
    ("parking", "Parking"),
    ("cards", "Takes cards"),
    ("wifi", "Free Wi-Fi"),
    ("dogs", "Dogs welcome"),
    ("toilets", "Toilets"),
    ("outdoor", "Outdoor seating"),
];

pub struct Place {
    pub id: u32,
    pub name: String,
    pub category: &'static Category,
    pub address: Address,
    pub point: Point,
    pub phone: String,
    pub hours: Hours,
    /// Codes of [`FEATURES`].
    pub features: Vec<&'static str>,
    /// From 1 to 4; only for food and hotels.
    pub price: Option<u32>,
    /// Stars given by its reviewers, newest first.
    pub stars: Vec<u32>,
    /// Address of its article, for a landmark.
    pub article: Option<String>,
    /// Everything it can be found by, in lower case.
    pub words: String,
}

impl Place {
    pub fn has(&self, feature: &str) -> bool {
        self.features.contains(&feature)
    }
}

pub struct Catalogue {
    pub seed: u64,
    pub country: Arc<Country>,
    pub places: Vec<Place>,
}

impl Catalogue {
    pub fn shared(seed: u64) -> Arc<Self> {
        static BUILT: BySeed<Catalogue> = BySeed::new();
        BUILT.get(seed, |seed| {
            let country = Country::of_seed(seed);
            let places = places(seed, &country);
            Self { seed, country, places }
        })
    }

    pub fn place(&self, id: u32) -> Option<&Place> {
        self.places.get(id.checked_sub(FIRST_ID)? as usize)
    }

    pub fn place_of_text(&self, id: &str) -> Option<&Place> {
        self.place(id.parse().ok()?)
    }

    pub fn town_name(&self, place: &Place) -> &str {
        &self.country.towns[place.address.town].name
    }

    /// `The Copper Kettle, Carrowmouth`: what finds it again.
    pub fn full_name(&self, place: &Place) -> String {
        format!("{}, {}", place.name, self.town_name(place))
    }

    pub fn in_town(&self, town: usize) -> impl Iterator<Item = &Place> {
        self.places.iter().filter(move |place| place.address.town == town)
    }
}

fn places(seed: u64, country: &Country) -> Vec<Place> {
    let mut random = Random::stream(seed, "map places");
    let mut lots: Vec<&'static Category> = Vec::new();
    for category in CATEGORIES {
        lots.extend(std::iter::repeat_n(category, category.weight));
    }
    let mut places = Vec::with_capacity(3_500);
    for (at, town) in country.towns.iter().enumerate() {
        let count = match at {
            ..4 => 235,
            4..14 => 112,
            _ => 38,
        };
        let mut taken = BTreeSet::new();
        for landmark in country.landmarks.iter().filter(|landmark| landmark.address.town == at) {
            taken.insert(landmark.name.clone());
            let Some(category) = of_landmark(landmark.kind) else { continue };
            let mut place = place(&mut random, country, category, landmark.name.clone(), landmark.address);
            place.article = Some(landmark.slug.clone());
            places.push(place);
        }
        let needed = ["bus-station", "town-hall", "pharmacy", "post-office", "park"];
        let needed = needed.into_iter().filter_map(Category::of_slug);
        let mut wanted: Vec<&'static Category> = needed.collect();
        while wanted.len() < count {
            wanted.push(lots[random.below(lots.len())]);
        }
        for category in wanted {
            let mut names = (0..30).map(|_| {
                let form = choose(&mut random, category.forms);
                form.replace("{}", choose(&mut random, category.words)).replace('@', &town.name)
            });
            let Some(name) = names.find(|name| taken.insert(name.clone())) else { continue };
            drop(names);
            let address = town.random_address(at, &mut random);
            places.push(place(&mut random, country, category, name, address));
        }
    }
    for (at, place) in places.iter_mut().enumerate() {
        place.id = FIRST_ID + at as u32;
        place.phone = format!(
            "0{} {:06}",
            country.towns[place.address.town].dialling_code,
            120_000 + at * 173 % 800_000
        );
    }
    places
}

fn of_landmark(kind: LandmarkKind) -> Option<&'static Category> {
    Category::of_slug(match kind {
        LandmarkKind::University => "university",
        LandmarkKind::Museum => "museum",
        LandmarkKind::Theatre => "theatre",
        LandmarkKind::Observatory => "observatory",
        LandmarkKind::Bridge => "bridge",
        LandmarkKind::Castle => "castle",
        LandmarkKind::Garden => "botanical-garden",
        LandmarkKind::Library => "library",
    })
}

fn place(
    random: &mut Random,
    country: &Country,
    category: &'static Category,
    name: String,
    address: Address,
) -> Place {
    let indoors = category.pattern != Pattern::Always;
    let fits = |code: &str| match code {
        "outdoor" => category.group == Group::Food,
        "wifi" => matches!(category.group, Group::Food | Group::Travel | Group::Culture) && indoors,
        "cards" => indoors,
        _ => true,
    };
    let features =
        FEATURES.iter().map(|(code, _)| *code).filter(|code| fits(code) && random.chance(46)).collect();
    let is_priced = category.group == Group::Food || category.slug == "hotel";
    let quality = random.between(2, 5);
    let stars = if category.takes_reviews() {
        let count = 3 + random.below(12);
        (0..count).map(|_| (quality + random.between(-1, 1)).clamp(1, 5) as u32).collect()
    } else {
        Vec::new()
    };
    let town = &country.towns[address.town];
    let words = format!(
        "{name} {} {} {} {} {}",
        category.name,
        category.plural,
        town.streets[address.street].name,
        town.district_of(address),
        town.name
    );
    Place {
        id: 0,
        category,
        address,
        point: town.point_of(address),
        phone: String::new(),
        hours: Hours::of(category.pattern, random),
        features,
        price: is_priced.then(|| random.between(1, 4) as u32),
        stars,
        article: None,
        words: words.to_lowercase(),
        name,
    }
}
