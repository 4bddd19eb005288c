//! Books, in whatever form they are read.

use umpire_model::Random;

use super::{Maker, STARS};
use crate::market::item::{Item, Origin};
use crate::market::storefront::{Layout, Storefront, Words};
use crate::market::trade::{Ask, Dealing, Facet, FacetKind, Shelf, Sort, Trade};

pub static PAPERLARK: Storefront = Storefront {
    key: "paperlark",
    name: "Paperlark",
    tagline: "Every book has its reader",
    about: "An independent bookshop with a shelf for everything and a person behind every recommendation.",
    trade: &TRADE,
    origin: Origin { prefix: "PL", which: 0 },
    layout: Layout::Grid,
    theme: include_str!("../assets/themes/paperlark.css"),
    words: Words {
        apply: "Narrow down",
        search: "Search books",
        deal: "Add to basket",
        confirm: "Order books",
        kept: "Book basket",
        saved: "Reading list",
    },
};

pub static MARGINALIA: Storefront = Storefront {
    key: "marginalia",
    name: "Marginalia",
    tagline: "Read widely, scribble freely",
    about: "Paper, e-book and audiobook side by side, with what readers wrote in the margins.",
    trade: &TRADE,
    origin: Origin { prefix: "MG", which: 1 },
    layout: Layout::Rows,
    theme: include_str!("../assets/themes/marginalia.css"),
    words: Words {
        apply: "Update",
        search: "Look up",
        deal: "Into the basket",
        confirm: "Buy",
        kept: "Basket",
        saved: "Bookmarks",
    },
};

static TRADE: Trade = Trade {
    name: "Books",
    nouns: ("book", "books"),
    shelves: SHELVES,
    facets: &[
        Facet { key: "format", label: "Format", kind: FacetKind::AllOf },
        Facet { key: "author", label: "Author", kind: FacetKind::Pick },
        Facet { key: "language", label: "Language", kind: FacetKind::AnyOf },
        Facet { key: "price", label: "Price in $", kind: FacetKind::Price },
        Facet { key: "rating", label: "Readers' rating", kind: FacetKind::AtLeast(STARS) },
        Facet { key: "pages", label: "Length", kind: FacetKind::AtMost(LENGTHS) },
        Facet { key: "award", label: "Awards", kind: FacetKind::Flag("Prize winner") },
    ],
    sorts: &[
        Sort { code: "popular", label: "Most read", by: "reviews", descending: true },
        Sort { code: "cheap", label: "Price: low to high", by: "price", descending: false },
        Sort { code: "rated", label: "Best rated", by: "rating", descending: true },
        Sort { code: "new", label: "Newest", by: "published", descending: true },
        Sort { code: "short", label: "Shortest", by: "pages", descending: false },
    ],
    search: &[],
    card_facts: &["author", "award"],
    details: &[
        ("author", "Author"),
        ("format", "Formats"),
        ("language", "Language"),
        ("pages", "Pages"),
        ("published", "Published"),
        ("award", "Awards"),
    ],
    asks: &[
        Ask::Option { key: "edition", label: "Format" },
        Ask::Count { key: "quantity", label: "Quantity", most: 5, multiplies: true },
    ],
    dealing: Dealing::Basket {
        deliveries: &[("Letter post", 290), ("Courier", 790), ("Collect at the shop", 0), ("Download", 0)],
    },
    unit: "",
    day_priced: false,
    stock,
};

const LENGTHS: &[(i64, &str)] =
    &[(200, "Up to 200 pages"), (300, "Up to 300 pages"), (450, "Up to 450 pages")];

static SHELVES: &[Shelf] = &[
    Shelf { slug: "crime", name: "Crime", drawing: "cover" },
    Shelf { slug: "science-fiction", name: "Science fiction", drawing: "cover" },
    Shelf { slug: "fantasy", name: "Fantasy", drawing: "cover" },
    Shelf { slug: "literary", name: "Literary fiction", drawing: "cover" },
    Shelf { slug: "history", name: "History", drawing: "cover" },
    Shelf { slug: "nature", name: "Nature writing", drawing: "cover" },
    Shelf { slug: "cookery", name: "Cookery", drawing: "cover" },
    Shelf { slug: "biography", name: "Biography", drawing: "cover" },
];

const AUTHORS: &[&str] = &[
    "Agnes Thorvald",
    "Basil Okonjo",
    "Clara Winterbourne",
    "Dmitri Halloran",
    "Edith Navarro",
    "Felix Amberley",
    "Greta Sundqvist",
    "Hugo Castellane",
    "Imogen Price",
    "Joaquin Tremblay",
    "Katya Lindgren",
    "Leopold Osei",
    "Marguerite Dunne",
    "Nils Abernathy",
    "Odile Fairchild",
    "Petra Vasquez",
    "Quentin Moor",
    "Rosalind Achebe",
];

/// Words that titles of a shelf are made from, in the order of [`SHELVES`].
struct Titles {
    first: &'static [&'static str],
    second: &'static [&'static str],
}

#[rustfmt::skip]
const TITLES: &[Titles] = &[
    Titles { first: &["The Quiet", "A Borrowed", "The Last", "The Locked", "Cold", "Seven"], second: &["Alibi", "Harbour", "Witness", "Inheritance", "Ledger", "Footbridge"] },
    Titles { first: &["Beyond", "The Orbital", "Signal from", "Children of", "The Glass", "Zero"], second: &["Meridian", "Europa", "the Drift", "Horizon", "Cartographers", "the Long Night"] },
    Titles { first: &["The Ember", "A Crown of", "Song of", "The Hollow", "Daughter of", "Beneath"], second: &["Witch", "Thorns", "the Marsh", "Kingdom", "Rivers", "the Ninth Gate"] },
    Titles { first: &["An Ordinary", "What the", "The Weight of", "Letters to", "Some", "After"], second: &["Silence", "Orchard Knew", "Small Things", "Lisbon", "Other Summer", "the Rain"] },
    Titles { first: &["A Short History of", "The Rise of", "Empires of", "The Road to", "Salt and", "Inventing"], second: &["Paper", "the Guilds", "Silk", "the Harbour Cities", "Steam", "the Calendar"] },
    Titles { first: &["The Hidden Life of", "Walking with", "A Year among", "The Call of", "In Praise of", "Field Notes on"], second: &["Mosses", "Herons", "Old Trees", "Tides", "Hedgerows", "Moths"] },
    Titles { first: &["Simple", "The Weekday", "One Pot,", "Honest", "The Patient", "Fire and"], second: &["Suppers", "Baker", "Many Tables", "Preserves", "Vegetables", "Flour"] },
    Titles { first: &["The Restless", "A Life in", "The Woman Who", "My Father's", "Becoming", "Notes from"], second: &["Engineer", "Colour", "Mapped the Sea", "Workshop", "a Pianist", "the Lighthouse"] },
];

const LANGUAGES: &[&str] = &["English", "English", "English", "French", "German", "Spanish"];
const FORMATS: &[(&str, u32)] = &[("Paperback", 100), ("Hardcover", 170), ("E-book", 65), ("Audiobook", 120)];
const OPENINGS: &[&str] = &[
    "A book to read in one sitting and to think about for a month.",
    "Begins slowly, and then does not let go.",
    "Full of people one would like to have known.",
    "The kind of book that gets lent out and never returned.",
    "Precise, funny and a little sad.",
];
const ENDINGS: &[&str] =
    &["With an afterword by the author.", "Illustrated.", "Newly revised.", "With maps and notes."];
const BOOKS_A_SHELF: usize = 34;

fn stock(random: &mut Random, origin: Origin) -> Vec<Item> {
    let mut maker = Maker::new(random, origin);
    let mut items = Vec::new();
    for (shelf, titles) in SHELVES.iter().zip(TITLES) {
        maker.add(&mut items, BOOKS_A_SHELF, |maker| {
            let name = format!("{} {}", maker.one(titles.first), maker.one(titles.second));
            maker.is_new(&name).then(|| book(maker, shelf, name))
        });
    }
    items
}

fn book(maker: &mut Maker<'_>, shelf: &'static Shelf, name: String) -> Item {
    let price = maker.price(799, 2_499, 99);
    let (rating, reviews) = maker.rating();
    let authors = maker.origin.share(AUTHORS);
    let formats: Vec<&str> = FORMATS.iter().map(|(format, _)| *format).collect();
    let formats = maker.at_least_one(&formats, 62);
    let text = format!("{} {}", maker.one(OPENINGS), maker.one(ENDINGS));
    let options = FORMATS
        .iter()
        .filter(|(format, _)| formats.contains(format))
        .map(|(format, percent)| (*format, price.percent(*percent)))
        .collect();
    Item {
        id: maker.id(),
        name,
        shelf,
        price,
        rating,
        reviews,
        facts: vec![
            ("author", vec![maker.one(authors)]),
            ("format", formats),
            ("language", vec![maker.one(LANGUAGES)]),
            ("award", maker.some(&["Prize winner"], 18)),
        ],
        numbers: vec![
            ("pages", maker.random.between(120, 720)),
            ("published", maker.random.between(1994, 2026)),
        ],
        options,
        place: None,
        day: None,
        times: &[],
        text,
    }
}
