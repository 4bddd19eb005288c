//! Tables, by city, day and time.

use umpire_model::Random;

use super::{MILES, Maker, STARS};
use crate::market::atlas::{CITIES, Place};
use crate::market::item::{Item, Origin};
use crate::market::storefront::{Layout, Storefront, Words};
use crate::market::trade::{Ask, Dealing, Facet, FacetKind, SearchField, Shelf, Sort, Trade};

pub static TABLEGATHER: Storefront = Storefront {
    key: "tablegather",
    name: "Tablegather",
    tagline: "A table for tonight, or for that night",
    about: "Restaurants around the corner with the tables they still have, minute by minute.",
    trade: &TRADE,
    origin: Origin { prefix: "TG", which: 0 },
    layout: Layout::Map,
    theme: include_str!("../assets/themes/tablegather.css"),
    words: Words {
        apply: "Show restaurants",
        search: "Find a table",
        deal: "Reserve table",
        confirm: "Confirm reservation",
        kept: "Reservations",
        saved: "Favourites",
    },
};

pub static SUPPERLIST: Storefront = Storefront {
    key: "supperlist",
    name: "The Supper List",
    tagline: "Where to eat, says who eats well",
    about: "A short list for every city, kept by critics and waiters, with tables set aside for members.",
    trade: &TRADE,
    origin: Origin { prefix: "SL", which: 1 },
    layout: Layout::Rows,
    theme: include_str!("../assets/themes/supperlist.css"),
    words: Words {
        apply: "Refine the list",
        search: "Open the list",
        deal: "Request table",
        confirm: "Book table",
        kept: "My tables",
        saved: "My list",
    },
};

static TRADE: Trade = Trade {
    name: "Restaurants",
    nouns: ("restaurant", "restaurants"),
    shelves: SHELVES,
    facets: &[
        Facet { key: "cuisine", label: "Cuisine", kind: FacetKind::AnyOf },
        Facet { key: "diet", label: "Diet", kind: FacetKind::AllOf },
        Facet { key: "distance", label: "Distance", kind: FacetKind::AtMost(MILES) },
        Facet { key: "tier", label: "Price class", kind: FacetKind::OneOf },
        Facet { key: "seating", label: "Seating", kind: FacetKind::AnyOf },
        Facet { key: "rating", label: "Rating", kind: FacetKind::AtLeast(STARS) },
    ],
    sorts: &[
        Sort { code: "rated", label: "Best rated", by: "rating", descending: true },
        Sort { code: "near", label: "Nearest", by: "distance", descending: false },
        Sort { code: "cheap", label: "Lowest price", by: "price", descending: false },
        Sort { code: "popular", label: "Most reviewed", by: "reviews", descending: true },
    ],
    search: &[
        SearchField::Pick { key: "city", label: "City" },
        SearchField::Near { label: "Near address" },
        SearchField::Day { key: "date", label: "Date" },
        SearchField::Count { key: "party", label: "People", most: 8 },
    ],
    card_facts: &["cuisine", "tier", "diet"],
    details: &[("cuisine", "Cuisine"), ("tier", "Price class"), ("diet", "Diet"), ("seating", "Seating")],
    asks: &[
        Ask::Day { key: "date", label: "Date" },
        Ask::Time { key: "time", label: "Time" },
        Ask::Count { key: "party", label: "People", most: 8, multiplies: false },
        Ask::Fact { key: "seating", label: "Seating" },
    ],
    dealing: Dealing::Booking,
    unit: "a person",
    day_priced: false,
    stock,
};

static SHELVES: &[Shelf] = &[Shelf { slug: "restaurants", name: "Restaurants", drawing: "plate" }];

const TIMES: &[&str] = &[
    "12:00", "12:30", "13:15", "14:00", "17:30", "18:00", "18:30", "19:00", "19:30", "20:00", "20:30",
    "21:15",
];
const CUISINES: &[&str] = &[
    "Ethiopian",
    "French",
    "Georgian",
    "Indian",
    "Italian",
    "Japanese",
    "Lebanese",
    "Mexican",
    "Thai",
    "Vietnamese",
];
const DIETS: &[&str] = &["Gluten-free options", "Halal", "Kosher", "Vegan options", "Vegetarian options"];
const SEATING: &[&str] = &["Bar", "Booth", "Garden", "Main room", "Terrace", "Window"];
const TIERS: &[(&str, u32, u32)] = &[("$", 1_400, 2_400), ("$$", 2_500, 4_400), ("$$$", 4_500, 7_900)];
const FIRST: &[&str] = &[
    "Blue", "Copper", "Saffron", "Little", "Golden", "Salt &", "Olive", "Paper", "Red", "Smoke &", "Wild",
    "Corner",
];
const SECOND: &[&str] = &[
    "Kitchen", "Lantern", "Spoon", "Fig", "Table", "Thyme", "Pepper", "Boat", "Door", "Quince", "Ember",
    "Garden",
];
const MOODS: &[&str] = &[
    "Loud, warm and always full.",
    "White linen, and a waiter who remembers you.",
    "The menu is one page and changes on Thursdays.",
    "Run by two sisters and their mother's recipes.",
    "Sit where you can see the fire.",
];
const HABITS: &[&str] = &[
    "The kitchen closes at ten.",
    "Dishes are made for sharing.",
    "Bring your own wine on Mondays.",
    "Children eat early and cheaply.",
];
const TABLES_A_CITY: usize = 44;

fn stock(random: &mut Random, origin: Origin) -> Vec<Item> {
    let mut maker = Maker::new(random, origin);
    let mut items = Vec::new();
    for city in CITIES {
        maker.add(&mut items, TABLES_A_CITY, |maker| {
            let cuisine = maker.one(CUISINES);
            let name = format!("{} {}", maker.one(FIRST), maker.one(SECOND));
            // A name that is taken elsewhere is told apart by what is cooked.
            let name = maker.new_name(name, |_, name| format!("{name} {cuisine}"))?;
            Some(restaurant(maker, city, cuisine, name))
        });
    }
    items
}

fn restaurant(maker: &mut Maker<'_>, city: &'static str, cuisine: &'static str, name: String) -> Item {
    let place = Place::random(maker.random, city);
    let (tier, low, high) = *maker.random.pick(TIERS).unwrap_or(&TIERS[0]);
    let price = maker.price(low, high, 0);
    let (rating, reviews) = maker.rating();
    let text = format!("{} {}", maker.one(MOODS), maker.one(HABITS));
    Item {
        id: maker.id(),
        name,
        shelf: &SHELVES[0],
        price,
        rating,
        reviews,
        facts: vec![
            ("city", vec![city]),
            ("cuisine", vec![cuisine]),
            ("tier", vec![tier]),
            ("diet", maker.some(DIETS, 36)),
            ("seating", maker.at_least_one(SEATING, 40)),
        ],
        numbers: Vec::new(),
        options: Vec::new(),
        place: Some(place),
        day: None,
        times: TIMES,
        text,
    }
}
