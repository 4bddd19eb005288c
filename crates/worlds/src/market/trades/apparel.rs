//! Clothes, shoes and bags.

use umpire_model::Random;

use super::{Maker, STARS};
use crate::market::item::{Item, Origin};
use crate::market::storefront::{Layout, Storefront, Words};
use crate::market::trade::{Ask, Dealing, Facet, FacetKind, Shelf, Sort, Trade};

pub static THREADTARN: Storefront = Storefront {
    key: "threadtarn",
    name: "Thread & Tarn",
    tagline: "Clothes for weather",
    about: "Outdoor and everyday wear from mills we know by name, mended free of charge.",
    trade: &TRADE,
    origin: Origin { prefix: "TT", which: 0 },
    layout: Layout::Gallery,
    theme: include_str!("../assets/themes/threadtarn.css"),
    words: Words {
        apply: "View pieces",
        search: "Search",
        deal: "Add to bag",
        confirm: "Complete purchase",
        kept: "Bag",
        saved: "Kept pieces",
    },
};

pub static LINDENROW: Storefront = Storefront {
    key: "lindenrow",
    name: "Linden Row",
    tagline: "The whole street in one wardrobe",
    about: "Hundreds of labels, every size in stock marked as such, and thirty days to change your mind.",
    trade: &TRADE,
    origin: Origin { prefix: "LR", which: 1 },
    layout: Layout::Grid,
    theme: include_str!("../assets/themes/lindenrow.css"),
    words: Words {
        apply: "Filter",
        search: "Search",
        deal: "Add to shopping bag",
        confirm: "Pay and order",
        kept: "Shopping bag",
        saved: "Wish list",
    },
};

static TRADE: Trade = Trade {
    name: "Clothing",
    nouns: ("piece", "pieces"),
    shelves: SHELVES,
    facets: &[
        Facet { key: "size", label: "Size", kind: FacetKind::AnyOf },
        Facet { key: "brand", label: "Label", kind: FacetKind::AnyOf },
        Facet { key: "fit", label: "Fit", kind: FacetKind::OneOf },
        Facet { key: "material", label: "Material", kind: FacetKind::AnyOf },
        Facet { key: "colour", label: "Colour", kind: FacetKind::AnyOf },
        Facet { key: "price", label: "Price in $", kind: FacetKind::Price },
        Facet { key: "rating", label: "Rating", kind: FacetKind::AtLeast(STARS) },
    ],
    sorts: &[
        Sort { code: "popular", label: "Popular", by: "reviews", descending: true },
        Sort { code: "cheap", label: "Price, ascending", by: "price", descending: false },
        Sort { code: "dear", label: "Price, descending", by: "price", descending: true },
        Sort { code: "rated", label: "Best rated", by: "rating", descending: true },
    ],
    search: &[],
    card_facts: &["material", "fit"],
    details: &[
        ("brand", "Label"),
        ("fit", "Fit"),
        ("material", "Material"),
        ("colour", "Colour"),
        ("size", "Sizes in stock"),
    ],
    asks: &[
        Ask::Option { key: "chosen_size", label: "Size" },
        Ask::Count { key: "quantity", label: "Quantity", most: 5, multiplies: true },
    ],
    dealing: Dealing::Basket {
        deliveries: &[("Home delivery", 590), ("Carbon-neutral delivery", 790), ("Collect in store", 0)],
    },
    unit: "",
    day_priced: false,
    stock,
};

static SHELVES: &[Shelf] = &[
    Shelf { slug: "shirts", name: "Shirts", drawing: "shirt" },
    Shelf { slug: "t-shirts", name: "T-shirts", drawing: "shirt" },
    Shelf { slug: "jumpers", name: "Jumpers", drawing: "shirt" },
    Shelf { slug: "trousers", name: "Trousers", drawing: "trousers" },
    Shelf { slug: "jeans", name: "Jeans", drawing: "trousers" },
    Shelf { slug: "jackets", name: "Jackets", drawing: "jacket" },
    Shelf { slug: "dresses", name: "Dresses", drawing: "dress" },
    Shelf { slug: "trainers", name: "Trainers", drawing: "shoe" },
    Shelf { slug: "boots", name: "Boots", drawing: "shoe" },
    Shelf { slug: "bags", name: "Bags", drawing: "satchel" },
];

const LABELS: &[&str] = &[
    "Aldous",
    "Birch & Vane",
    "Carrow",
    "Deepdale",
    "Esker",
    "Fable",
    "Hartline",
    "Isolde",
    "Mossfield",
    "Norra",
    "Oxbow",
    "Pallister",
    "Ruskin",
    "Selkie",
    "Wren",
];

struct Goods {
    cuts: &'static [&'static str],
    thing: &'static str,
    materials: &'static [&'static str],
    sizes: &'static [&'static str],
    cents: (u32, u32),
}

const LETTERED: &[&str] = &["XS", "S", "M", "L", "XL", "XXL"];
const WAISTS: &[&str] = &["28", "30", "32", "34", "36", "38"];
const SHOES: &[&str] = &["37", "38", "39", "40", "41", "42", "43", "44", "45"];
const WARM: &[&str] = &["Alpaca", "Cotton", "Lambswool", "Merino"];
const LIGHT: &[&str] = &["Cotton", "Hemp", "Linen", "Tencel"];
const LEATHERS: &[&str] = &["Canvas", "Leather", "Suede", "Vegan leather"];

#[rustfmt::skip]
const GOODS: &[Goods] = &[
    Goods { cuts: &["Oxford", "Grandad", "Camp", "Flannel", "Poplin", "Work"], thing: "Shirt", materials: LIGHT, sizes: LETTERED, cents: (2_900, 11_900) },
    Goods { cuts: &["Crew", "Pocket", "Striped", "Heavy", "Long-sleeved", "Boxy"], thing: "T-shirt", materials: LIGHT, sizes: LETTERED, cents: (1_200, 5_900) },
    Goods { cuts: &["Fisherman", "Crew-neck", "Roll-neck", "Cable", "Raglan", "Zip"], thing: "Jumper", materials: WARM, sizes: LETTERED, cents: (3_900, 18_900) },
    Goods { cuts: &["Pleated", "Cargo", "Chino", "Drawstring", "Wide", "Cropped"], thing: "Trousers", materials: LIGHT, sizes: WAISTS, cents: (3_900, 14_900) },
    Goods { cuts: &["Straight", "Tapered", "Wide", "Selvedge", "Stretch", "Carpenter"], thing: "Jeans", materials: &["Cotton", "Hemp", "Recycled denim", "Stretch denim"], sizes: WAISTS, cents: (4_900, 19_900) },
    Goods { cuts: &["Rain", "Quilted", "Waxed", "Down", "Field", "Fleece"], thing: "Jacket", materials: &["Cotton", "Down", "Recycled nylon", "Wool"], sizes: LETTERED, cents: (6_900, 34_900) },
    Goods { cuts: &["Wrap", "Shirt", "Slip", "Midi", "Tea", "Pinafore"], thing: "Dress", materials: LIGHT, sizes: LETTERED, cents: (4_900, 21_900) },
    Goods { cuts: &["Court", "Trail", "Running", "Canvas", "Retro", "Slip-on"], thing: "Trainers", materials: LEATHERS, sizes: SHOES, cents: (4_900, 17_900) },
    Goods { cuts: &["Chelsea", "Hiking", "Lace-up", "Desert", "Rubber", "Winter"], thing: "Boots", materials: LEATHERS, sizes: SHOES, cents: (7_900, 32_900) },
    Goods { cuts: &["Messenger", "Tote", "Weekend", "Roll-top", "Saddle", "Belt"], thing: "Bag", materials: LEATHERS, sizes: &["Small", "Medium", "Large"], cents: (2_900, 24_900) },
];

const FITS: &[&str] = &["Loose", "Regular", "Relaxed", "Slim"];
pub(in crate::market) const COLOURS: &[&str] =
    &["Black", "Charcoal", "Cream", "Forest", "Navy", "Rust", "Sky", "Stone"];
const NOTES: &[&str] = &[
    "Washed once, so that it stays the size you buy.",
    "Cut a little longer than last year's.",
    "The buttons are corozo, the thread is strong.",
    "Soft from the first day.",
    "Made to be worn in, not out.",
];
const CARE: &[&str] =
    &["Machine wash cold.", "Air it rather than wash it.", "Brush when dry.", "Mended by us for life."];
const ITEMS_A_SHELF: usize = 38;

fn stock(random: &mut Random, origin: Origin) -> Vec<Item> {
    let mut maker = Maker::new(random, origin);
    let mut items = Vec::new();
    for (shelf, goods) in SHELVES.iter().zip(GOODS) {
        maker.add(&mut items, ITEMS_A_SHELF, |maker| {
            let label = maker.one(origin.share(LABELS));
            let colour = maker.one(COLOURS);
            let name = format!("{label} {} {} in {colour}", maker.one(goods.cuts), goods.thing);
            maker.is_new(&name).then(|| item(maker, shelf, goods, (label, colour), name))
        });
    }
    items
}

fn item(
    maker: &mut Maker<'_>,
    shelf: &'static Shelf,
    goods: &Goods,
    (label, colour): (&'static str, &'static str),
    name: String,
) -> Item {
    let price = maker.price(goods.cents.0, goods.cents.1, 0);
    let (rating, reviews) = maker.rating();
    let sizes = maker.at_least_one(goods.sizes, 62);
    let text = format!("{} {}", maker.one(NOTES), maker.one(CARE));
    Item {
        id: maker.id(),
        name,
        shelf,
        price,
        rating,
        reviews,
        facts: vec![
            ("brand", vec![label]),
            ("fit", vec![maker.one(FITS)]),
            ("material", vec![maker.one(goods.materials)]),
            ("colour", vec![colour]),
            ("size", sizes.clone()),
        ],
        numbers: Vec::new(),
        options: sizes.into_iter().map(|size| (size, price)).collect(),
        place: None,
        day: None,
        times: &[],
        text,
    }
}
