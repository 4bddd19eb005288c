//! Courses, by subject, level, language and time.

use umpire_model::Random;

use super::{Maker, STARS};
use crate::market::item::{Item, Origin};
use crate::market::storefront::{Layout, Storefront, Words};
use crate::market::trade::{Ask, Dealing, Facet, FacetKind, Shelf, Sort, Trade};

pub static LUMENARY: Storefront = Storefront {
    key: "lumenary",
    name: "Lumenary",
    tagline: "Learn something by lamplight",
    about: "Evening courses from universities and working professionals, at your pace or with a class.",
    trade: &TRADE,
    origin: Origin { prefix: "LU", which: 0 },
    layout: Layout::Gallery,
    theme: include_str!("../assets/themes/lumenary.css"),
    words: Words {
        apply: "Show courses",
        search: "Search",
        deal: "Enrol",
        confirm: "Complete enrolment",
        kept: "My learning",
        saved: "Later",
    },
};

pub static COURSEWRIGHT: Storefront = Storefront {
    key: "coursewright",
    name: "Coursewright",
    tagline: "Skills with a certificate behind them",
    about: "Courses that employers know, with mentors, deadlines and examinations.",
    trade: &TRADE,
    origin: Origin { prefix: "CW", which: 1 },
    layout: Layout::Rows,
    theme: include_str!("../assets/themes/coursewright.css"),
    words: Words {
        apply: "Apply filters",
        search: "Search catalogue",
        deal: "Register",
        confirm: "Confirm registration",
        kept: "Registrations",
        saved: "Plan",
    },
};

static TRADE: Trade = Trade {
    name: "Courses",
    nouns: ("course", "courses"),
    shelves: SHELVES,
    facets: &[
        Facet { key: "level", label: "Level", kind: FacetKind::OneOf },
        Facet { key: "language", label: "Language", kind: FacetKind::AnyOf },
        Facet { key: "format", label: "Format", kind: FacetKind::AnyOf },
        Facet { key: "hours", label: "Hours in all", kind: FacetKind::AtMost(HOURS) },
        Facet { key: "price", label: "Price in $", kind: FacetKind::Price },
        Facet { key: "rating", label: "Learners' rating", kind: FacetKind::AtLeast(STARS) },
        Facet { key: "certificate", label: "Certificate", kind: FacetKind::Flag("Certificate included") },
        Facet { key: "school", label: "School", kind: FacetKind::Pick },
    ],
    sorts: &[
        Sort { code: "popular", label: "Most taken", by: "reviews", descending: true },
        Sort { code: "rated", label: "Best rated", by: "rating", descending: true },
        Sort { code: "cheap", label: "Lowest price", by: "price", descending: false },
        Sort { code: "short", label: "Shortest", by: "hours", descending: false },
    ],
    search: &[],
    card_facts: &["level", "format", "certificate"],
    details: &[
        ("school", "School"),
        ("level", "Level"),
        ("language", "Language"),
        ("format", "Format"),
        ("hours", "Hours"),
        ("certificate", "Certificate"),
        ("intake", "Starts"),
    ],
    asks: &[Ask::Option { key: "plan", label: "Plan" }, Ask::Fact { key: "intake", label: "Start" }],
    dealing: Dealing::Booking,
    unit: "",
    day_priced: false,
    stock,
};

const HOURS: &[(i64, &str)] = &[(10, "Up to 10 hours"), (20, "Up to 20 hours"), (40, "Up to 40 hours")];

static SHELVES: &[Shelf] = &[
    Shelf { slug: "programming", name: "Programming", drawing: "lesson" },
    Shelf { slug: "data", name: "Data analysis", drawing: "lesson" },
    Shelf { slug: "design", name: "Design", drawing: "lesson" },
    Shelf { slug: "photography", name: "Photography", drawing: "lesson" },
    Shelf { slug: "writing", name: "Writing", drawing: "lesson" },
    Shelf { slug: "finance", name: "Personal finance", drawing: "lesson" },
    Shelf { slug: "music", name: "Music", drawing: "lesson" },
    Shelf { slug: "wellbeing", name: "Wellbeing", drawing: "lesson" },
];

/// Subjects of courses, in the order of [`SHELVES`].
#[rustfmt::skip]
const SUBJECTS: &[&[&str]] = &[
    &["Python", "Rust", "Web Pages", "Databases", "Testing", "Mobile Apps"],
    &["Statistics", "Spreadsheets", "Charts", "Surveys", "Forecasting", "Machine Learning"],
    &["Typography", "Colour", "Interfaces", "Logos", "Posters", "Accessibility"],
    &["Portraits", "Landscapes", "Street Photography", "Light", "Film Cameras", "Retouching"],
    &["Short Stories", "Essays", "Screenplays", "Poetry", "Grant Proposals", "Copywriting"],
    &["Budgeting", "Index Funds", "Pensions", "Taxes", "Mortgages", "Insurance"],
    &["Piano", "Guitar", "Harmony", "Songwriting", "Singing", "Mixing"],
    &["Yoga", "Sleep", "Meditation", "Nutrition", "Running", "Stress"],
];

const FRAMES: &[(&str, &str)] = &[
    ("", "from Scratch"),
    ("Practical", ""),
    ("", "for Busy People"),
    ("Foundations of", ""),
    ("", "in Depth"),
    ("A Workshop on", ""),
    ("", "Step by Step"),
    ("The Craft of", ""),
];
const SCHOOLS: &[&str] = &[
    "Ashgrove University",
    "Borough College",
    "Cedar Institute",
    "Delphi Academy",
    "Foundry School",
    "Harrow Lane",
    "Kite & Co.",
    "Open Quad",
    "Tideway University",
];
const LEVELS: &[&str] = &["Advanced", "Beginner", "Intermediate"];
const LANGUAGES: &[&str] = &["English", "English", "English", "French", "German", "Spanish"];
const FORMATS: &[&str] = &["Live evenings", "Self-paced", "Weekend cohort"];
const INTAKES: &[&str] = &["April intake", "May intake", "June intake", "September intake"];
const PLANS: &[(&str, u32)] = &[("Audit", 40), ("Full course", 100), ("Full course with mentor", 185)];
const PROMISES: &[&str] = &[
    "You will finish with something you made yourself.",
    "Short films, long exercises, honest feedback.",
    "Taught by somebody who does it for a living.",
    "No prior knowledge is taken for granted.",
    "Every week ends with a small project.",
];
const COURSES_A_SHELF: usize = 32;

fn stock(random: &mut Random, origin: Origin) -> Vec<Item> {
    let mut maker = Maker::new(random, origin);
    let mut items = Vec::new();
    for (shelf, subjects) in SHELVES.iter().zip(SUBJECTS) {
        maker.add(&mut items, COURSES_A_SHELF, |maker| {
            let (before, after) = *maker.random.pick(FRAMES).unwrap_or(&FRAMES[0]);
            let name = format!("{before} {} {after}", maker.one(subjects)).trim().to_owned();
            maker.is_new(&name).then(|| course(maker, shelf, name))
        });
    }
    items
}

fn course(maker: &mut Maker<'_>, shelf: &'static Shelf, name: String) -> Item {
    let price = maker.price(1_900, 29_900, 0);
    let (rating, reviews) = maker.rating();
    let schools = maker.origin.share(SCHOOLS);
    let text = format!("{} {}", maker.one(PROMISES), maker.one(PROMISES));
    Item {
        id: maker.id(),
        name,
        shelf,
        price,
        rating,
        reviews,
        facts: vec![
            ("school", vec![maker.one(schools)]),
            ("level", vec![maker.one(LEVELS)]),
            ("language", vec![maker.one(LANGUAGES)]),
            ("format", vec![maker.one(FORMATS)]),
            ("certificate", maker.some(&["Certificate included"], 50)),
            ("intake", maker.at_least_one(INTAKES, 60)),
        ],
        numbers: vec![("hours", maker.random.between(3, 60))],
        options: PLANS.iter().map(|(label, percent)| (*label, price.percent(*percent))).collect(),
        place: None,
        day: None,
        times: &[],
        text,
    }
}
