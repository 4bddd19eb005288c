//! Tickets for concerts, by city, genre and day.

use umpire_model::Random;

use super::{MILES, Maker, STARS};
use crate::kit::calendar::TODAY;
use crate::market::atlas::{CITIES, Place};
use crate::market::item::{Item, Origin};
use crate::market::storefront::{Layout, Storefront, Words};
use crate::market::trade::{Ask, Dealing, Facet, FacetKind, SearchField, Shelf, Sort, Trade};

pub static ENCORELY: Storefront = Storefront {
    key: "encorely",
    name: "Encorely",
    tagline: "Be there when they play it again",
    about: "Every concert of the season by date, from the cellar club to the big hall.",
    trade: &TRADE,
    origin: Origin { prefix: "EN", which: 0 },
    layout: Layout::Agenda,
    theme: include_str!("../assets/themes/encorely.css"),
    words: Words {
        apply: "Filter concerts",
        search: "See what's on",
        deal: "Get tickets",
        confirm: "Buy tickets",
        kept: "My tickets",
        saved: "Interested",
    },
};

pub static GIGHARBOUR: Storefront = Storefront {
    key: "gigharbour",
    name: "Gig Harbour",
    tagline: "Live music, no booking fee",
    about: "Small stages and good sound: gigs for people who would rather stand near the band.",
    trade: &TRADE,
    origin: Origin { prefix: "GH", which: 1 },
    layout: Layout::Grid,
    theme: include_str!("../assets/themes/gigharbour.css"),
    words: Words {
        apply: "Go",
        search: "Find gigs",
        deal: "Choose tickets",
        confirm: "Confirm tickets",
        kept: "Tickets",
        saved: "Starred",
    },
};

static TRADE: Trade = Trade {
    name: "Concerts",
    nouns: ("concert", "concerts"),
    shelves: SHELVES,
    facets: &[
        Facet { key: "weekday", label: "Day of the week", kind: FacetKind::OneOf },
        Facet { key: "setting", label: "Setting", kind: FacetKind::AnyOf },
        Facet { key: "price", label: "Price in $", kind: FacetKind::Price },
        Facet { key: "distance", label: "Distance", kind: FacetKind::AtMost(MILES) },
        Facet { key: "access", label: "Access", kind: FacetKind::AllOf },
        Facet { key: "rating", label: "Audience rating", kind: FacetKind::AtLeast(STARS) },
    ],
    sorts: &[
        Sort { code: "soon", label: "Soonest", by: "days", descending: false },
        Sort { code: "cheap", label: "Lowest price", by: "price", descending: false },
        Sort { code: "near", label: "Nearest", by: "distance", descending: false },
        Sort { code: "rated", label: "Best rated", by: "rating", descending: true },
    ],
    search: &[SearchField::Pick { key: "city", label: "City" }, SearchField::Near { label: "Near address" }],
    card_facts: &["setting", "weekday", "access"],
    details: &[
        ("venue", "Venue"),
        ("weekday", "Day of the week"),
        ("setting", "Setting"),
        ("access", "Access"),
    ],
    asks: &[
        Ask::Option { key: "section", label: "Section" },
        Ask::Count { key: "tickets", label: "Tickets", most: 6, multiplies: true },
        Ask::Fact { key: "delivery", label: "Ticket delivery" },
    ],
    dealing: Dealing::Booking,
    unit: "a ticket",
    day_priced: false,
    stock,
};

static SHELVES: &[Shelf] = &[
    Shelf { slug: "jazz", name: "Jazz", drawing: "stage" },
    Shelf { slug: "classical", name: "Classical", drawing: "stage" },
    Shelf { slug: "folk", name: "Folk", drawing: "stage" },
    Shelf { slug: "rock", name: "Rock", drawing: "stage" },
    Shelf { slug: "electronic", name: "Electronic", drawing: "stage" },
];

/// Halves of the names of those who play, in the order of [`SHELVES`].
#[rustfmt::skip]
const PLAYERS: &[(&[&str], &[&str])] = &[
    (&["The Miriam Vale", "Otis Lark", "The Blue Hour", "Nadia Quill", "Slow Tram", "Harlan Moss"], &["Trio", "Quartet", "Sextet", "Big Band", "Duo", "Ensemble"]),
    (&["Orpheus", "Saint Cecilia", "Northern", "Camerata", "Chapel Row", "Winterhalter"], &["Orchestra", "String Quartet", "Sinfonia", "Choir", "Piano Recital", "Baroque Players"]),
    (&["Hedge &", "The Milestone", "Rowan", "Salt Road", "Old Weather", "Fern and"], &["Fiddle", "Sisters", "Ramblers", "Singers", "Wanderers", "Bow"]),
    (&["Velvet", "The Static", "Broken", "Paper", "Midnight", "The Loud"], &["Antlers", "Engines", "Satellites", "Tigers", "Cathedral", "Neighbours"]),
    (&["Neon", "Subharmonic", "Glass", "Pulse", "Aurora", "Null"], &["Garden", "Machine", "Relay", "Theory", "Static", "Tide"]),
];

const SETTINGS: &[&str] = &["Open air", "Seated", "Standing"];
const ACCESS: &[&str] = &["Hearing loop", "Quiet room", "Step-free"];
const DELIVERIES: &[&str] = &["Box-office pick-up", "Mobile ticket", "Printed, by post"];
const SECTIONS: &[(&str, u32)] = &[("Balcony", 100), ("Stalls", 135), ("Front block", 190)];
const VENUES: &[&str] = &[
    "Corn Exchange",
    "Dockside Hall",
    "Lantern Club",
    "Old Brewery",
    "Palace Theatre",
    "Glasshouse",
    "Town Hall",
];
const NIGHTS: &[&str] = &[
    "Two sets with a break in between.",
    "New songs, and a few that everybody knows.",
    "Recorded for the radio, so please cough beforehand.",
    "Doors open an hour before.",
    "An evening that sold out last year.",
];
const CONCERTS_A_CITY: usize = 46;
const SEASON_DAYS: i64 = 120;

fn stock(random: &mut Random, origin: Origin) -> Vec<Item> {
    let mut maker = Maker::new(random, origin);
    let mut items = Vec::new();
    for city in CITIES {
        maker.add(&mut items, CONCERTS_A_CITY, |maker| {
            let at = maker.random.below(SHELVES.len());
            let (first, second) = PLAYERS[at];
            let name = format!("{} {}", maker.one(first), maker.one(second));
            // A band on tour plays several cities.
            let name = maker.new_name(name, |_, name| format!("{name}: {city}"))?;
            Some(concert(maker, city, &SHELVES[at], name))
        });
    }
    items
}

fn concert(maker: &mut Maker<'_>, city: &'static str, shelf: &'static Shelf, name: String) -> Item {
    let place = Place::random(maker.random, city);
    let days = maker.random.between(2, SEASON_DAYS);
    let day = TODAY.plus(i32::try_from(days).unwrap_or(1));
    let weekday = match day.weekday() {
        4 => "Friday",
        5 => "Saturday",
        6 => "Sunday",
        _ => "Monday to Thursday",
    };
    let price = maker.price(1_500, 9_500, 0);
    let (rating, reviews) = maker.rating();
    let text = maker.one(NIGHTS).to_owned();
    Item {
        id: maker.id(),
        name,
        shelf,
        price,
        rating,
        reviews,
        facts: vec![
            ("city", vec![city]),
            ("venue", vec![maker.one(VENUES)]),
            ("weekday", vec![weekday]),
            ("setting", vec![maker.one(SETTINGS)]),
            ("access", maker.some(ACCESS, 45)),
            ("delivery", maker.at_least_one(DELIVERIES, 65)),
        ],
        numbers: vec![("days", days)],
        options: SECTIONS.iter().map(|(label, percent)| (*label, price.percent(*percent))).collect(),
        place: Some(place),
        day: Some(day),
        times: &[],
        text,
    }
}
