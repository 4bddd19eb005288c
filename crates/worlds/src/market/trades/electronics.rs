//! Devices and what plugs into them.

use umpire_model::Random;

use super::{Maker, STARS};
use crate::market::item::{Item, Origin};
use crate::market::storefront::{Layout, Storefront, Words};
use crate::market::trade::{Ask, Dealing, Facet, FacetKind, Shelf, Sort, Trade};

pub static OHMSTEAD: Storefront = Storefront {
    key: "ohmstead",
    name: "Ohmstead",
    tagline: "Electronics, tested before you are",
    about: "Every device is measured in our own lab, and repaired there for five years.",
    trade: &TRADE,
    origin: Origin { prefix: "OH", which: 0 },
    layout: Layout::Rows,
    theme: include_str!("../assets/themes/ohmstead.css"),
    words: Words {
        apply: "Refine",
        search: "Find",
        deal: "Add to cart",
        confirm: "Buy now",
        kept: "Cart",
        saved: "Watch list",
    },
};

pub static GADGETLANE: Storefront = Storefront {
    key: "gadgetlane",
    name: "Gadget Lane",
    tagline: "New things, daily",
    about: "The newest devices and the deals of the day, with pick-up points at every corner.",
    trade: &TRADE,
    origin: Origin { prefix: "GL", which: 1 },
    layout: Layout::Grid,
    theme: include_str!("../assets/themes/gadgetlane.css"),
    words: Words {
        apply: "Show results",
        search: "Search",
        deal: "Put in cart",
        confirm: "Send order",
        kept: "My cart",
        saved: "Likes",
    },
};

static TRADE: Trade = Trade {
    name: "Electronics",
    nouns: ("product", "products"),
    shelves: SHELVES,
    facets: &[
        Facet { key: "brand", label: "Brand", kind: FacetKind::AnyOf },
        Facet { key: "price", label: "Price in $", kind: FacetKind::Price },
        Facet { key: "condition", label: "Condition", kind: FacetKind::OneOf },
        Facet { key: "feature", label: "Features", kind: FacetKind::AllOf },
        Facet { key: "warranty", label: "Warranty", kind: FacetKind::Pick },
        Facet { key: "rating", label: "Customer rating", kind: FacetKind::AtLeast(STARS) },
        Facet { key: "returns", label: "Returns", kind: FacetKind::Flag("Free returns") },
    ],
    sorts: &[
        Sort { code: "popular", label: "Most reviewed", by: "reviews", descending: true },
        Sort { code: "cheap", label: "Cheapest first", by: "price", descending: false },
        Sort { code: "dear", label: "Dearest first", by: "price", descending: true },
        Sort { code: "rated", label: "Best rated", by: "rating", descending: true },
    ],
    search: &[],
    card_facts: &["feature", "condition"],
    details: &[
        ("brand", "Brand"),
        ("condition", "Condition"),
        ("feature", "Features"),
        ("warranty", "Warranty"),
        ("returns", "Returns"),
    ],
    asks: &[
        Ask::Option { key: "version", label: "Version" },
        Ask::Count { key: "quantity", label: "Quantity", most: 5, multiplies: true },
    ],
    dealing: Dealing::Basket {
        deliveries: &[
            ("Express courier", 1290),
            ("Standard parcel", 490),
            ("Parcel locker", 290),
            ("Pick-up point", 0),
        ],
    },
    unit: "",
    day_priced: false,
    stock,
};

static SHELVES: &[Shelf] = &[
    Shelf { slug: "laptops", name: "Laptops", drawing: "laptop" },
    Shelf { slug: "phones", name: "Phones", drawing: "phone" },
    Shelf { slug: "headphones", name: "Headphones", drawing: "headphones" },
    Shelf { slug: "monitors", name: "Monitors", drawing: "screen" },
    Shelf { slug: "cameras", name: "Cameras", drawing: "camera" },
    Shelf { slug: "speakers", name: "Speakers", drawing: "speaker" },
    Shelf { slug: "watches", name: "Smart watches", drawing: "watch" },
    Shelf { slug: "keyboards", name: "Keyboards", drawing: "keyboard" },
    Shelf { slug: "tablets", name: "Tablets", drawing: "phone" },
];

const BRANDS: &[&str] = &[
    "Axiom",
    "Brightwell",
    "Corvid",
    "Dynamo",
    "Elara",
    "Fathom",
    "Helix",
    "Kestrel Audio",
    "Lumen",
    "Northbyte",
    "Orbita",
    "Quanta",
    "Relay",
    "Solstice",
    "Tessel",
];

struct Goods {
    series: &'static [&'static str],
    thing: &'static str,
    features: &'static [&'static str],
    versions: &'static [(&'static str, u32)],
    cents: (u32, u32),
}

const FINISHES: &[(&str, u32)] = &[("Black", 100), ("White", 100), ("Midnight blue", 104)];
const STORAGE: &[(&str, u32)] = &[("128 GB", 100), ("256 GB", 114), ("512 GB", 136)];

#[rustfmt::skip]
const GOODS: &[Goods] = &[
    Goods { series: &["Air 13", "Air 14", "Pro 14", "Pro 16", "Flex 13", "Studio 15"], thing: "Laptop", features: &["All-day battery", "Fanless", "Touch screen", "Under 3 lb", "Matte screen"], versions: &[("8 GB", 100), ("16 GB", 115), ("32 GB", 140)], cents: (54_900, 219_900) },
    Goods { series: &["One", "Mini", "Plus", "Ultra", "Note", "Lite"], thing: "Phone", features: &["Dual SIM", "Headphone jack", "Repairable", "Wireless charging", "Compact"], versions: STORAGE, cents: (19_900, 119_900) },
    Goods { series: &["Studio", "Commute", "Sport", "Open", "Travel", "Reference"], thing: "Headphones", features: &["Noise cancelling", "Over-ear", "In-ear", "Wired", "Folding"], versions: FINISHES, cents: (2_900, 44_900) },
    Goods { series: &["24 HD", "27 QHD", "27 4K", "32 4K", "34 Wide", "38 Wide"], thing: "Monitor", features: &["USB-C", "144 Hz", "Height-adjustable", "Colour-calibrated", "Built-in speakers"], versions: &[("With stand", 100), ("Without stand", 92)], cents: (14_900, 129_900) },
    Goods { series: &["M1", "M2", "Zoom 20", "Zoom 40", "Pocket", "Vlog"], thing: "Camera", features: &["Weather-sealed", "4K video", "Viewfinder", "Image stabiliser", "Flip screen"], versions: &[("Body only", 100), ("With lens kit", 135)], cents: (29_900, 249_900) },
    Goods { series: &["Room", "Shelf", "Garden", "Go", "Tower", "Cube"], thing: "Speaker", features: &["Waterproof", "Multi-room", "Battery", "Line-in", "Stereo pair"], versions: FINISHES, cents: (3_900, 69_900) },
    Goods { series: &["Run", "Swim", "Classic", "Hike", "Daily", "Steel"], thing: "Watch", features: &["GPS", "Week-long battery", "Contactless pay", "Heart rate", "Round dial"], versions: &[("40 mm", 100), ("44 mm", 106)], cents: (7_900, 54_900) },
    Goods { series: &["60", "65", "75", "87", "104", "Split"], thing: "Keyboard", features: &["Mechanical", "Quiet keys", "Wireless", "Backlit", "Hot-swappable"], versions: &[("US layout", 100), ("UK layout", 100), ("German layout", 102)], cents: (2_900, 24_900) },
    Goods { series: &["8", "10", "11", "12 Pro", "13 Pro", "Kids"], thing: "Tablet", features: &["Stylus included", "Mobile data", "Paper-like screen", "Keyboard cover", "Laminated display"], versions: STORAGE, cents: (14_900, 109_900) },
];

const CONDITIONS: &[&str] = &["New", "New", "Refurbished", "Open box"];
const WARRANTIES: &[&str] = &["1 year", "2 years", "3 years", "5 years"];
const VERDICTS: &[&str] = &[
    "Does the everyday things without fuss.",
    "The one our lab kept coming back to.",
    "A sensible choice if you keep devices for long.",
    "Fast where it counts, plain where it does not.",
    "Light, quiet and better built than it must be.",
];
const SUPPORT: &[&str] = &[
    "Updates are promised for six years.",
    "Spare parts are in stock.",
    "Comes in a box without plastic.",
    "The manual is printed, and good.",
];
const ITEMS_A_SHELF: usize = 40;

fn stock(random: &mut Random, origin: Origin) -> Vec<Item> {
    let mut maker = Maker::new(random, origin);
    let mut items = Vec::new();
    for (shelf, goods) in SHELVES.iter().zip(GOODS) {
        maker.add(&mut items, ITEMS_A_SHELF, |maker| {
            let brand = maker.one(origin.share(BRANDS));
            let name = format!("{brand} {} {}", maker.one(goods.series), goods.thing);
            maker.is_new(&name).then(|| item(maker, shelf, goods, brand, name))
        });
    }
    items
}

fn item(
    maker: &mut Maker<'_>,
    shelf: &'static Shelf,
    goods: &Goods,
    brand: &'static str,
    name: String,
) -> Item {
    let price = maker.price(goods.cents.0, goods.cents.1, 0);
    let (rating, reviews) = maker.rating();
    let text = format!("{} {}", maker.one(VERDICTS), maker.one(SUPPORT));
    Item {
        id: maker.id(),
        name,
        shelf,
        price,
        rating,
        reviews,
        facts: vec![
            ("brand", vec![brand]),
            ("condition", vec![maker.one(CONDITIONS)]),
            ("feature", maker.at_least_one(goods.features, 42)),
            ("warranty", vec![maker.one(WARRANTIES)]),
            ("returns", maker.some(&["Free returns"], 55)),
        ],
        numbers: Vec::new(),
        options: goods.versions.iter().map(|(label, percent)| (*label, price.percent(*percent))).collect(),
        place: None,
        day: None,
        times: &[],
        text,
    }
}
