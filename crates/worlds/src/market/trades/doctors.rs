//! Appointments with doctors, by specialty, insurance and distance.

use umpire_model::Random;

use super::{MILES, Maker, STARS};
use crate::market::atlas::{CITIES, Place};
use crate::market::item::{Item, Origin};
use crate::market::storefront::{Layout, Storefront, Words};
use crate::market::trade::{Ask, Dealing, Facet, FacetKind, SearchField, Shelf, Sort, Trade};

pub static WELLSPOKE: Storefront = Storefront {
    key: "wellspoke",
    name: "Wellspoke",
    tagline: "Find a doctor who listens",
    about: "Doctors of all specialties with open appointments, the languages they speak and the plans they take.",
    trade: &TRADE,
    origin: Origin { prefix: "WS", which: 0 },
    layout: Layout::Rows,
    theme: include_str!("../assets/themes/wellspoke.css"),
    words: Words {
        apply: "Update results",
        search: "Find doctors",
        deal: "Request appointment",
        confirm: "Confirm appointment",
        kept: "Appointments",
        saved: "My doctors",
    },
};

pub static CAREFOLD: Storefront = Storefront {
    key: "carefold",
    name: "Carefold",
    tagline: "Care, close to home",
    about: "The practices of your neighbourhood on one map, with evening hours and video visits.",
    trade: &TRADE,
    origin: Origin { prefix: "CF", which: 1 },
    layout: Layout::Map,
    theme: include_str!("../assets/themes/carefold.css"),
    words: Words {
        apply: "Show",
        search: "Search",
        deal: "Choose appointment",
        confirm: "Book appointment",
        kept: "My visits",
        saved: "Care team",
    },
};

static TRADE: Trade = Trade {
    name: "Doctors",
    nouns: ("doctor", "doctors"),
    shelves: SHELVES,
    facets: &[
        Facet { key: "insurance", label: "Insurance", kind: FacetKind::Pick },
        Facet { key: "language", label: "Languages", kind: FacetKind::AllOf },
        Facet { key: "gender", label: "Gender", kind: FacetKind::OneOf },
        Facet { key: "visit", label: "Kind of visit", kind: FacetKind::AllOf },
        Facet { key: "distance", label: "Distance", kind: FacetKind::AtMost(MILES) },
        Facet { key: "rating", label: "Patients' rating", kind: FacetKind::AtLeast(STARS) },
        Facet { key: "patients", label: "New patients", kind: FacetKind::Flag("Accepts new patients") },
    ],
    sorts: &[
        Sort { code: "rated", label: "Best rated", by: "rating", descending: true },
        Sort { code: "near", label: "Nearest", by: "distance", descending: false },
        Sort { code: "years", label: "Most experienced", by: "years", descending: true },
    ],
    search: &[
        SearchField::Pick { key: "city", label: "City" },
        SearchField::Near { label: "Near address" },
        SearchField::Day { key: "date", label: "Date" },
    ],
    card_facts: &["language", "visit", "patients"],
    details: &[
        ("gender", "Gender"),
        ("language", "Languages"),
        ("insurance", "Insurance"),
        ("visit", "Kinds of visit"),
        ("years", "Years of practice"),
        ("patients", "New patients"),
    ],
    asks: &[
        Ask::Day { key: "date", label: "Date" },
        Ask::Time { key: "time", label: "Time" },
        Ask::Fact { key: "visit", label: "Kind of visit" },
        Ask::Fact { key: "insurance", label: "Insurance" },
    ],
    dealing: Dealing::Booking,
    unit: "without insurance",
    day_priced: false,
    stock,
};

static SHELVES: &[Shelf] = &[
    Shelf { slug: "general", name: "General practice", drawing: "person" },
    Shelf { slug: "dentistry", name: "Dentistry", drawing: "person" },
    Shelf { slug: "dermatology", name: "Dermatology", drawing: "person" },
    Shelf { slug: "paediatrics", name: "Paediatrics", drawing: "person" },
    Shelf { slug: "eye-care", name: "Eye care", drawing: "person" },
];

const TIMES: &[&str] =
    &["08:00", "08:40", "09:20", "10:00", "11:20", "13:00", "14:20", "15:40", "16:20", "17:40", "18:20"];
const INSURANCES: &[&str] =
    &["Beacon Health", "Civic Mutual", "Evergreen Plan", "Harbor Shield", "Northstar Care", "Union Benefit"];
const LANGUAGES: &[&str] = &["Arabic", "French", "Mandarin", "Portuguese", "Spanish", "Turkish"];
const VISITS: &[&str] = &["Home visit", "In person", "Video visit"];
const WOMEN: &[&str] = &[
    "Amara", "Beatriz", "Chiara", "Deniz", "Elif", "Farah", "Hana", "Ines", "Leila", "Mira", "Noor", "Sofia",
];
const MEN: &[&str] = &[
    "Adrian", "Bruno", "Cyrus", "Daniel", "Emre", "Farid", "Hiro", "Ivan", "Lucas", "Marco", "Omar", "Victor",
];
const SURNAMES: &[&str] = &[
    "Abelard",
    "Bianchi",
    "Castillo",
    "Demir",
    "Eriksen",
    "Fontaine",
    "Greenwood",
    "Haddad",
    "Ito",
    "Jansen",
    "Kaya",
    "Lindholm",
    "Moreau",
    "Nakamura",
    "Okafor",
    "Petrov",
    "Quiroga",
    "Rahimi",
    "Santos",
    "Tanaka",
    "Ueda",
    "Vance",
];
const WAYS: &[&str] = &[
    "Takes time to explain, and writes it down for you.",
    "Known for short waits and clear words.",
    "Works with a small team that knows its patients.",
    "Prefers to prevent what others treat.",
];
const PRACTICES: &[&str] = &[
    "The practice has a lift and a quiet waiting room.",
    "Letters and prescriptions come by e-mail.",
    "Evening hours on Tuesdays.",
    "Blood tests are done in the house.",
];
const DOCTORS_A_CITY: usize = 60;

fn stock(random: &mut Random, origin: Origin) -> Vec<Item> {
    let mut maker = Maker::new(random, origin);
    let mut items = Vec::new();
    for city in CITIES {
        maker.add(&mut items, DOCTORS_A_CITY, |maker| {
            let (gender, first) =
                if maker.random.chance(50) { ("Woman", maker.one(WOMEN)) } else { ("Man", maker.one(MEN)) };
            let name = format!("Dr. {first} {}", maker.one(SURNAMES));
            // Namesakes are told apart by a middle initial.
            let name = maker.new_name(name, |maker, name| {
                name.replace(first, &format!("{first} {}.", maker.one(&["A", "E", "J", "L", "M", "R", "S"])))
            })?;
            Some(doctor(maker, city, gender, name))
        });
    }
    items
}

fn doctor(maker: &mut Maker<'_>, city: &'static str, gender: &'static str, name: String) -> Item {
    let place = Place::random(maker.random, city);
    let shelf = &SHELVES[maker.random.below(SHELVES.len())];
    let price = maker.price(6_000, 24_000, 0);
    let (rating, reviews) = maker.rating();
    let text = format!("{} {}", maker.one(WAYS), maker.one(PRACTICES));
    Item {
        id: maker.id(),
        name,
        shelf,
        price,
        rating,
        reviews,
        facts: vec![
            ("city", vec![city]),
            ("gender", vec![gender]),
            ("insurance", maker.at_least_one(INSURANCES, 45)),
            ("language", maker.at_least_one(LANGUAGES, 30)),
            ("visit", maker.at_least_one(VISITS, 55)),
            ("patients", maker.some(&["Accepts new patients"], 70)),
        ],
        numbers: vec![("years", maker.random.between(2, 38))],
        options: Vec::new(),
        place: Some(place),
        day: None,
        times: TIMES,
        text,
    }
}
