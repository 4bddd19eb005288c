//! Seats in planes between the cities, by day and fare.

use umpire_model::Random;

use super::Maker;
use crate::market::atlas::CITIES;
use crate::market::item::{Item, Origin};
use crate::market::storefront::{Layout, Storefront, Words};
use crate::market::trade::{Ask, Dealing, Facet, FacetKind, SearchField, Shelf, Sort, Trade};

pub static SKYFERRY: Storefront = Storefront {
    key: "skyferry",
    name: "Skyferry",
    tagline: "Across the sky, like a ferry: simple and on time",
    about: "All scheduled flights between eight cities on one timetable, with the fares of the days around.",
    trade: &TRADE,
    origin: Origin { prefix: "SF", which: 0 },
    layout: Layout::Board,
    theme: include_str!("../assets/themes/skyferry.css"),
    words: Words {
        apply: "Filter flights",
        search: "Show flights",
        deal: "Continue",
        confirm: "Book flight",
        kept: "My flights",
        saved: "Remembered",
    },
};

pub static CONTRAIL: Storefront = Storefront {
    key: "contrail",
    name: "Contrail",
    tagline: "Fares without surprises",
    about: "Bags, seats and changes are in the price we show. Business travellers know us.",
    trade: &TRADE,
    origin: Origin { prefix: "CT", which: 1 },
    layout: Layout::Board,
    theme: include_str!("../assets/themes/contrail.css"),
    words: Words {
        apply: "Apply",
        search: "Search flights",
        deal: "Choose this flight",
        confirm: "Confirm and pay",
        kept: "Trips",
        saved: "Saved flights",
    },
};

static TRADE: Trade = Trade {
    name: "Flights",
    nouns: ("flight", "flights"),
    shelves: SHELVES,
    facets: &[
        Facet { key: "stops", label: "Stops", kind: FacetKind::OneOf },
        Facet { key: "window", label: "Departure", kind: FacetKind::OneOf },
        Facet { key: "airline", label: "Airline", kind: FacetKind::AnyOf },
        Facet { key: "included", label: "Included in the fare", kind: FacetKind::AllOf },
        Facet { key: "price", label: "Fare in $", kind: FacetKind::Price },
        Facet { key: "minutes", label: "Journey time", kind: FacetKind::AtMost(JOURNEYS) },
    ],
    sorts: &[
        Sort { code: "early", label: "Earliest departure", by: "departs", descending: false },
        Sort { code: "cheap", label: "Lowest fare", by: "price", descending: false },
        Sort { code: "short", label: "Shortest journey", by: "minutes", descending: false },
    ],
    search: &[
        SearchField::Pick { key: "from", label: "From" },
        SearchField::Pick { key: "to", label: "To" },
        SearchField::Day { key: "date", label: "Departure date" },
    ],
    card_facts: &["included"],
    details: &[
        ("airline", "Airline"),
        ("from", "From"),
        ("to", "To"),
        ("departs", "Departs"),
        ("minutes", "Journey time"),
        ("stops", "Stops"),
        ("included", "Included"),
    ],
    asks: &[
        Ask::Day { key: "date", label: "Departure date" },
        Ask::Option { key: "cabin", label: "Cabin" },
        Ask::Seat { key: "seat", label: "Seat" },
    ],
    dealing: Dealing::Booking,
    unit: "per person",
    day_priced: true,
    stock,
};

static SHELVES: &[Shelf] = &[Shelf { slug: "flights", name: "Flights", drawing: "tail" }];

const JOURNEYS: &[(i64, &str)] = &[(120, "Up to 2 hours"), (180, "Up to 3 hours"), (300, "Up to 5 hours")];
const AIRLINES: &[&str] = &[
    "Altair Air",
    "Bluegull",
    "Cirrus",
    "Dart Airways",
    "Equinox",
    "Fairwind",
    "Gannet",
    "Halcyon",
    "Icarus Lines",
];
const STOPS: &[&str] = &["Direct", "Direct", "1 stop", "2 stops"];
const INCLUDED: &[&str] = &["Checked bag", "Free changes", "Meal", "Wi-Fi"];
const CABINS: &[(&str, u32)] = &[("Economy", 100), ("Premium economy", 160), ("Business", 310)];
const FLIGHTS_A_ROUTE: usize = 9;

fn stock(random: &mut Random, origin: Origin) -> Vec<Item> {
    let mut maker = Maker::new(random, origin);
    let mut items = Vec::new();
    for from in CITIES {
        for to in CITIES.into_iter().filter(|to| *to != from) {
            for _ in 0..FLIGHTS_A_ROUTE {
                let item = flight(&mut maker, from, to);
                items.push(item);
            }
        }
    }
    items
}

fn flight(maker: &mut Maker<'_>, from: &'static str, to: &'static str) -> Item {
    let airlines = maker.origin.share(AIRLINES);
    let airline = maker.one(airlines);
    let code = airline.split(' ').next().unwrap_or(airline);
    let mut name = format!("{code} {}", maker.random.between(100, 999));
    while !maker.is_new(&name) {
        name = format!("{code} {}", maker.random.between(1000, 4999));
    }
    let stops = maker.one(STOPS);
    let legs = match stops {
        "Direct" => 0,
        "1 stop" => 1,
        _ => 2,
    };
    let departs = maker.random.between(66, 262) * 5;
    let minutes = maker.random.between(15, 34) * 5 + legs * maker.random.between(14, 26) * 5;
    let window = match departs / 60 {
        ..12 => "Morning (before 12:00)",
        12..17 => "Afternoon (12:00 to 17:00)",
        _ => "Evening (after 17:00)",
    };
    let price = maker.price(5_900, 38_900, 0);
    let (rating, reviews) = maker.rating();
    Item {
        id: maker.id(),
        text: format!("{airline} flies this route from {from} to {to} most days of the week."),
        name,
        shelf: &SHELVES[0],
        price,
        rating,
        reviews,
        facts: vec![
            ("from", vec![from]),
            ("to", vec![to]),
            ("airline", vec![airline]),
            ("stops", vec![stops]),
            ("window", vec![window]),
            ("included", maker.some(INCLUDED, 45)),
        ],
        numbers: vec![("departs", departs), ("minutes", minutes)],
        options: CABINS.iter().map(|(label, percent)| (*label, price.percent(*percent))).collect(),
        place: None,
        day: None,
        times: &[],
    }
}
