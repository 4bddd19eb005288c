//! Rooms for the night, by city, day and distance.

use umpire_model::Random;

use super::{MILES, Maker, STARS};
use crate::market::atlas::{CITIES, Place};
use crate::market::item::{Item, Origin};
use crate::market::storefront::{Layout, Storefront, Words};
use crate::market::trade::{Ask, Dealing, Facet, FacetKind, SearchField, Shelf, Sort, Trade};

pub static NIGHTJAR: Storefront = Storefront {
    key: "nightjar",
    name: "Nightjar Stays",
    tagline: "Sleep somewhere with a story",
    about: "Hand-picked hotels, inns and guest houses, with the walk to your appointment on the map.",
    trade: &TRADE,
    origin: Origin { prefix: "NJ", which: 0 },
    layout: Layout::Map,
    theme: include_str!("../assets/themes/nightjar.css"),
    words: Words {
        apply: "Update list",
        search: "Find stays",
        deal: "Reserve",
        confirm: "Confirm reservation",
        kept: "My stays",
        saved: "Wish list",
    },
};

pub static ROOMWARD: Storefront = Storefront {
    key: "roomward",
    name: "Roomward",
    tagline: "Every bed in town, compared",
    about: "Rooms of all price classes with free cancellation, for people who are on the road a lot.",
    trade: &TRADE,
    origin: Origin { prefix: "RW", which: 1 },
    layout: Layout::Rows,
    theme: include_str!("../assets/themes/roomward.css"),
    words: Words {
        apply: "Filter",
        search: "Search rooms",
        deal: "Book this room",
        confirm: "Complete booking",
        kept: "Bookings",
        saved: "Shortlist",
    },
};

static TRADE: Trade = Trade {
    name: "Hotels",
    nouns: ("stay", "stays"),
    shelves: SHELVES,
    facets: &[
        Facet { key: "price", label: "Price a night in $", kind: FacetKind::Price },
        Facet { key: "rating", label: "Guest rating", kind: FacetKind::AtLeast(STARS) },
        Facet { key: "distance", label: "Distance", kind: FacetKind::AtMost(MILES) },
        Facet { key: "amenity", label: "Amenities", kind: FacetKind::AllOf },
        Facet { key: "breakfast", label: "Meals", kind: FacetKind::OneOf },
        Facet { key: "chain", label: "Hotel group", kind: FacetKind::AnyOf },
        Facet { key: "district", label: "District", kind: FacetKind::Pick },
    ],
    sorts: &[
        Sort { code: "rated", label: "Best rated", by: "rating", descending: true },
        Sort { code: "cheap", label: "Lowest price", by: "price", descending: false },
        Sort { code: "near", label: "Nearest", by: "distance", descending: false },
        Sort { code: "popular", label: "Most reviewed", by: "reviews", descending: true },
    ],
    search: &[
        SearchField::Pick { key: "city", label: "City" },
        SearchField::Near { label: "Near address" },
        SearchField::Day { key: "checkin", label: "Check-in" },
        SearchField::Count { key: "nights", label: "Nights", most: 14 },
        SearchField::Count { key: "guests", label: "Guests", most: 4 },
    ],
    card_facts: &["amenity", "breakfast"],
    details: &[
        ("chain", "Hotel group"),
        ("amenity", "Amenities"),
        ("breakfast", "Meals"),
        ("district", "District"),
    ],
    asks: &[
        Ask::Day { key: "checkin", label: "Check-in" },
        Ask::Count { key: "nights", label: "Nights", most: 14, multiplies: true },
        Ask::Count { key: "guests", label: "Guests", most: 4, multiplies: false },
        Ask::Option { key: "room", label: "Room" },
    ],
    dealing: Dealing::Booking,
    unit: "per night",
    day_priced: true,
    stock,
};

static SHELVES: &[Shelf] = &[
    Shelf { slug: "hotels", name: "Hotels", drawing: "tower" },
    Shelf { slug: "inns", name: "Inns", drawing: "facade" },
    Shelf { slug: "guest-houses", name: "Guest houses", drawing: "cabin" },
];

const CHAINS: &[&str] = &[
    "Alcove Hotels",
    "Harbourlight",
    "Meridian Inns",
    "Ostler & Sons",
    "Plumtree",
    "Quiet Company",
    "Roselands",
    "Tern Group",
    "Wayfarer's Rest",
];
const FIRST: &[&str] = &[
    "Amber",
    "Bell",
    "Copper",
    "Dove",
    "Elder",
    "Falcon",
    "Grand",
    "Heron",
    "Ivory",
    "Juniper",
    "King's",
    "Lantern",
    "Merchant's",
    "Noble",
    "Old",
    "Palm",
    "Queen's",
    "River",
    "Silver",
    "Tall",
    "Union",
    "Velvet",
    "White",
    "Yew",
];
const SECOND: &[&str] =
    &["Anchor", "Arms", "Court", "Gate", "Garden", "House", "Lodge", "Mill", "Oak", "Place", "Star", "Wharf"];
const AMENITIES: &[&str] =
    &["EV charging", "Free parking", "Gym", "Pets welcome", "Pool", "Quiet floor", "Spa", "Step-free access"];
const MEALS: &[&str] = &["Breakfast included", "Half board", "Room only"];
const ROOMS: &[(&str, u32)] = &[("Queen room", 100), ("King room", 122), ("Twin room", 108), ("Suite", 190)];

const VIEWS: &[&str] = &[
    "Rooms look over the rooftops of the old quarter.",
    "The courtyard is the quietest place in town after nine.",
    "Rebuilt last year, with windows that keep the street outside.",
    "A house of creaking stairs and very good beds.",
    "Large desks, fast lifts, late check-out on request.",
];
const HOSTS: &[&str] = &[
    "The front desk is staffed day and night.",
    "The owners live downstairs and know every timetable.",
    "Coffee is served from six.",
    "Bicycles can be borrowed free of charge.",
];

const STAYS_A_CITY: usize = 52;

fn stock(random: &mut Random, origin: Origin) -> Vec<Item> {
    let mut maker = Maker::new(random, origin);
    let mut items = Vec::new();
    for city in CITIES {
        maker.add(&mut items, STAYS_A_CITY, |maker| {
            let at = maker.random.below(SHELVES.len());
            let ending = ["Hotel", "Inn", "Guest House"][at];
            let name = format!("The {} {} {ending}", maker.one(FIRST), maker.one(SECOND));
            // Two houses of one name in different cities are told apart by the city.
            let name = maker.new_name(name, |_, name| format!("{name}, {city}"))?;
            Some(stay(maker, city, &SHELVES[at], name))
        });
    }
    items
}

fn stay(maker: &mut Maker<'_>, city: &'static str, shelf: &'static Shelf, name: String) -> Item {
    let place = Place::random(maker.random, city);
    let price = maker.price(6_900, 27_900, 0);
    let (rating, reviews) = maker.rating();
    let chains = maker.origin.share(CHAINS);
    let text = format!("{} {}", maker.one(VIEWS), maker.one(HOSTS));
    Item {
        id: maker.id(),
        name,
        shelf,
        price,
        rating,
        reviews,
        facts: vec![
            ("city", vec![city]),
            ("chain", vec![maker.one(chains)]),
            ("amenity", maker.at_least_one(AMENITIES, 34)),
            ("breakfast", vec![maker.one(MEALS)]),
            ("district", vec![place.district()]),
        ],
        numbers: Vec::new(),
        options: ROOMS.iter().map(|(label, percent)| (*label, price.percent(*percent))).collect(),
        place: Some(place),
        day: None,
        times: &[],
        text,
    }
}
