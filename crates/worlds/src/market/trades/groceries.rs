//! Food and drink for the week.

use umpire_model::Random;

use super::{Maker, STARS};
use crate::market::item::{Item, Origin};
use crate::market::storefront::{Layout, Storefront, Words};
use crate::market::trade::{Ask, Dealing, Facet, FacetKind, Shelf, Sort, Trade};

pub static FENNEL: Storefront = Storefront {
    key: "fennelrye",
    name: "Fennel & Rye",
    tagline: "Good food, fairly bought",
    about: "A neighbourhood grocer online: small makers, short ways, boxes that go back.",
    trade: &TRADE,
    origin: Origin { prefix: "FR", which: 0 },
    layout: Layout::Grid,
    theme: include_str!("../assets/themes/fennelrye.css"),
    words: Words {
        apply: "Apply filters",
        search: "Search",
        deal: "Add to basket",
        confirm: "Place order",
        kept: "Basket",
        saved: "Favourites",
    },
};

pub static BASKETWAY: Storefront = Storefront {
    key: "basketway",
    name: "Basketway",
    tagline: "The big weekly shop, done by noon",
    about: "A supermarket with everything for the week, low prices and vans in every street.",
    trade: &TRADE,
    origin: Origin { prefix: "BW", which: 1 },
    layout: Layout::Gallery,
    theme: include_str!("../assets/themes/basketway.css"),
    words: Words {
        apply: "Show items",
        search: "Go",
        deal: "Add to trolley",
        confirm: "Order now",
        kept: "Trolley",
        saved: "Shopping list",
    },
};

static TRADE: Trade = Trade {
    name: "Groceries",
    nouns: ("item", "items"),
    shelves: SHELVES,
    facets: &[
        Facet { key: "brand", label: "Brand", kind: FacetKind::AnyOf },
        Facet { key: "diet", label: "Diet", kind: FacetKind::AllOf },
        Facet { key: "price", label: "Price in $", kind: FacetKind::Price },
        Facet { key: "rating", label: "Rating", kind: FacetKind::AtLeast(STARS) },
        Facet { key: "packaging", label: "Packaging", kind: FacetKind::OneOf },
        Facet { key: "grown", label: "Where it comes from", kind: FacetKind::Pick },
    ],
    sorts: &[
        Sort { code: "popular", label: "Most reviewed", by: "reviews", descending: true },
        Sort { code: "cheap", label: "Price: low to high", by: "price", descending: false },
        Sort { code: "dear", label: "Price: high to low", by: "price", descending: true },
        Sort { code: "rated", label: "Best rated", by: "rating", descending: true },
    ],
    search: &[],
    card_facts: &["diet"],
    details: &[("brand", "Brand"), ("diet", "Diet"), ("packaging", "Packaging"), ("grown", "Comes from")],
    asks: &[
        Ask::Option { key: "size", label: "Size" },
        Ask::Count { key: "quantity", label: "Quantity", most: 12, multiplies: true },
    ],
    dealing: Dealing::Basket {
        deliveries: &[
            ("Same-day delivery", 690),
            ("Next-morning delivery", 390),
            ("Evening delivery", 290),
            ("Pick-up at the store", 0),
        ],
    },
    unit: "",
    day_priced: false,
    stock,
};

static SHELVES: &[Shelf] = &[
    Shelf { slug: "plant-drinks", name: "Plant drinks", drawing: "carton" },
    Shelf { slug: "yoghurt", name: "Yoghurt", drawing: "jar" },
    Shelf { slug: "cheese", name: "Cheese", drawing: "wedge" },
    Shelf { slug: "bread", name: "Bread", drawing: "loaf" },
    Shelf { slug: "coffee", name: "Coffee", drawing: "bag" },
    Shelf { slug: "tea", name: "Tea", drawing: "bag" },
    Shelf { slug: "pasta", name: "Pasta", drawing: "bag" },
    Shelf { slug: "rice", name: "Rice and grains", drawing: "bag" },
    Shelf { slug: "muesli", name: "Muesli and cereal", drawing: "bag" },
    Shelf { slug: "spreads", name: "Spreads", drawing: "jar" },
    Shelf { slug: "sauces", name: "Pasta sauces", drawing: "jar" },
    Shelf { slug: "olive-oil", name: "Oil and vinegar", drawing: "bottle" },
    Shelf { slug: "juice", name: "Juice", drawing: "bottle" },
    Shelf { slug: "chocolate", name: "Chocolate", drawing: "carton" },
    Shelf { slug: "snacks", name: "Crisps and nuts", drawing: "bag" },
    Shelf { slug: "fruit", name: "Fruit boxes", drawing: "fruit" },
];

const BRANDS: &[&str] = &[
    "Hollow Farm",
    "Pennywort",
    "Three Crofts",
    "Marlow & Daughters",
    "Greenlight",
    "Old Ferry",
    "Saltmarsh",
    "Wild Acre",
    "Tolliver's",
    "Sunday Best",
    "Kindred",
    "Bramble Hill",
    "Ostara",
    "Larder No. 9",
    "Juno Foods",
];

const COUNTRIES: &[&str] =
    &["Argentina", "Ethiopia", "France", "Greece", "Italy", "Peru", "Portugal", "Spain", "USA"];
const PACKAGING: &[&str] = &["Glass", "Paper", "Recycled plastic", "Returnable"];

/// What stands on a shelf, in the order of [`SHELVES`].
struct Goods {
    kinds: &'static [&'static str],
    things: &'static [&'static str],
    diets: &'static [&'static str],
    sizes: &'static [(&'static str, u32)],
    cents: (u32, u32),
}

const DAIRY_DIETS: &[&str] = &["Lactose-free", "Low-fat", "Organic", "Vegetarian"];
const PANTRY_DIETS: &[&str] = &["Gluten-free", "Organic", "Vegan", "Low-salt"];
const SWEET_DIETS: &[&str] = &["Fairtrade", "No added sugar", "Nut-free", "Organic", "Vegan"];
const BREW_DIETS: &[&str] = &["Decaffeinated", "Fairtrade", "Organic"];
const BOXES: &[(&str, u32)] = &[("250 g", 100), ("500 g", 185), ("1 kg", 340)];
const CARTONS: &[(&str, u32)] = &[("1 litre", 100), ("Pack of 6", 560)];
const JARS: &[(&str, u32)] = &[("Small jar", 100), ("Large jar", 170)];

#[rustfmt::skip]
const GOODS: &[Goods] = &[
    Goods { kinds: &["Barista", "Unsweetened", "Vanilla", "Extra Creamy", "Original"], things: &["Oat Drink", "Soy Drink", "Almond Drink", "Rice Drink"], diets: &["Gluten-free", "No added sugar", "Nut-free", "Organic"], sizes: CARTONS, cents: (189, 449) },
    Goods { kinds: &["Greek-style", "Natural", "Blueberry", "Honey", "Set"], things: &["Yoghurt", "Skyr", "Kefir"], diets: DAIRY_DIETS, sizes: &[("150 g", 100), ("500 g", 260), ("1 kg", 450)], cents: (119, 349) },
    Goods { kinds: &["Mature", "Mild", "Smoked", "Cave-aged", "Young"], things: &["Cheddar", "Gouda", "Goat Cheese", "Brie"], diets: DAIRY_DIETS, sizes: &[("200 g", 100), ("400 g", 190)], cents: (329, 949) },
    Goods { kinds: &["Seeded", "Dark", "Sourdough", "Stone-baked", "Malted"], things: &["Rye Bread", "Spelt Loaf", "Wheat Loaf", "Crispbread"], diets: PANTRY_DIETS, sizes: &[("Half loaf", 60), ("Whole loaf", 100)], cents: (289, 749) },
    Goods { kinds: &["Dark Roast", "Light Roast", "Breakfast", "Single Estate", "Evening"], things: &["Espresso Beans", "Filter Coffee", "Ground Coffee", "Coffee Capsules"], diets: BREW_DIETS, sizes: BOXES, cents: (549, 1499) },
    Goods { kinds: &["Loose Leaf", "Morning", "Smoky", "Jasmine", "Mountain"], things: &["Black Tea", "Green Tea", "Rooibos", "Peppermint Tea"], diets: BREW_DIETS, sizes: &[("20 bags", 100), ("80 bags", 310)], cents: (249, 899) },
    Goods { kinds: &["Bronze-cut", "Wholewheat", "Lentil", "Fresh", "Slow-dried"], things: &["Spaghetti", "Penne", "Fusilli", "Tagliatelle"], diets: PANTRY_DIETS, sizes: &[("500 g", 100), ("1 kg", 180)], cents: (129, 549) },
    Goods { kinds: &["Long-grain", "Wholegrain", "Toasted", "Black", "Quick"], things: &["Basmati Rice", "Risotto Rice", "Quinoa", "Couscous"], diets: PANTRY_DIETS, sizes: &[("500 g", 100), ("2 kg", 350)], cents: (199, 699) },
    Goods { kinds: &["Crunchy", "Toasted", "Fruit", "Cocoa", "High-fibre"], things: &["Muesli", "Granola", "Oat Flakes", "Corn Flakes"], diets: &["Gluten-free", "No added sugar", "Nut-free", "Organic", "Vegan"], sizes: &[("375 g", 100), ("750 g", 185)], cents: (279, 799) },
    Goods { kinds: &["Smooth", "Crunchy", "Wild", "Roasted", "Dark"], things: &["Peanut Butter", "Strawberry Jam", "Honey", "Hazelnut Spread"], diets: SWEET_DIETS, sizes: JARS, cents: (249, 899) },
    Goods { kinds: &["Slow-cooked", "Fiery", "Roasted Garlic", "Garden", "Classic"], things: &["Tomato Sauce", "Arrabbiata", "Basil Pesto", "Mushroom Sauce"], diets: PANTRY_DIETS, sizes: JARS, cents: (229, 749) },
    Goods { kinds: &["Early Harvest", "Cold-pressed", "Mild", "Peppery", "Aged"], things: &["Olive Oil", "Rapeseed Oil", "Balsamic Vinegar", "Cider Vinegar"], diets: &["Gluten-free", "Organic", "Vegan"], sizes: &[("250 ml", 100), ("750 ml", 240)], cents: (399, 1399) },
    Goods { kinds: &["Cloudy", "Pressed", "Blood", "Garden", "Winter"], things: &["Apple Juice", "Orange Juice", "Carrot Juice", "Grape Juice"], diets: &["No added sugar", "Organic", "Vegan"], sizes: &[("750 ml", 100), ("Crate of 6", 540)], cents: (199, 599) },
    Goods { kinds: &["70% Dark", "Milk", "Sea Salt", "Orange", "85% Dark"], things: &["Chocolate Bar", "Chocolate Buttons", "Truffles", "Cocoa"], diets: SWEET_DIETS, sizes: &[("One", 100), ("Box of 5", 450)], cents: (189, 699) },
    Goods { kinds: &["Lightly Salted", "Smoked Paprika", "Oven-roasted", "Rosemary", "Plain"], things: &["Potato Crisps", "Cashews", "Almonds", "Lentil Crisps"], diets: &["Gluten-free", "Low-salt", "Organic", "Vegan"], sizes: &[("100 g", 100), ("Family bag", 280)], cents: (179, 699) },
    Goods { kinds: &["Weekly", "Office", "Family", "Breakfast", "Juicing"], things: &["Apple Box", "Citrus Box", "Mixed Fruit Box", "Berry Box"], diets: &["Fairtrade", "Organic", "Plastic-free"], sizes: &[("3 kg", 100), ("6 kg", 185)], cents: (1199, 2999) },
];

const ITEMS_A_SHELF: usize = 30;

const PRAISE: &[&str] = &[
    "Made in small batches and delivered the week after.",
    "A regular in our own kitchens.",
    "Tastes of what it says on the label, and of little else.",
    "From a family business that has done nothing else for three generations.",
    "Our buyers came back to this one after trying twenty.",
];

const SERVING: &[&str] = &[
    "Keeps for a week once opened.",
    "Best at breakfast.",
    "Store in a cool, dark place.",
    "Good value for a full table.",
    "Goes well with almost everything.",
];

fn stock(random: &mut Random, origin: Origin) -> Vec<Item> {
    let mut maker = Maker::new(random, origin);
    let brands = origin.share(BRANDS);
    let mut items = Vec::new();
    for (shelf, goods) in SHELVES.iter().zip(GOODS) {
        maker.add(&mut items, ITEMS_A_SHELF, |maker| {
            let brand = maker.one(brands);
            let name = format!("{brand} {} {}", maker.one(goods.kinds), maker.one(goods.things));
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
    let cents = maker.random.between(0, 9) as u32 * 10 + 9;
    let price = maker.price(goods.cents.0, goods.cents.1, cents);
    let (rating, reviews) = maker.rating();
    let text = format!("{} {}", maker.one(PRAISE), maker.one(SERVING));
    Item {
        id: maker.id(),
        name,
        shelf,
        price,
        rating,
        reviews,
        facts: vec![
            ("brand", vec![brand]),
            ("diet", maker.some(goods.diets, 45)),
            ("packaging", vec![maker.one(PACKAGING)]),
            ("grown", vec![maker.one(COUNTRIES)]),
        ],
        numbers: Vec::new(),
        options: goods.sizes.iter().map(|(label, percent)| (*label, price.percent(*percent))).collect(),
        place: None,
        day: None,
        times: &[],
        text,
    }
}
