//! The words of the back office: who buys, what they search for, what the pages say.

#[rustfmt::skip]
pub const GIVEN_NAMES: &[&str] = &[
    "Adele", "Bram", "Carmen", "Desmond", "Elena", "Felix", "Greta", "Hugo", "Imogen", "Jasper", "Kendra", "Lionel",
    "Maeve", "Nestor", "Odette", "Percy", "Queenie", "Roland", "Sylvie", "Tobias", "Ursula", "Vernon", "Willa", "Xavier",
    "Yolanda", "Zane",
];

#[rustfmt::skip]
pub const SURNAMES: &[&str] = &[
    "Ashdown", "Barlow", "Crane", "Dunmore", "Ellery", "Fairfax", "Garland", "Hollis", "Ingram", "Jessop", "Kirby",
    "Langley", "Merrick", "Norwood", "Ormond", "Pickford", "Quimby", "Radcliffe", "Selwyn", "Tremaine", "Underhill",
    "Vickers", "Wycliffe", "Yarrow",
];

#[rustfmt::skip]
pub const CITIES: &[&str] = &[
    "Astoria", "Bend", "Boise", "Corvallis", "Eugene", "Hood River", "Medford", "Olympia", "Portland", "Salem", "Seattle",
    "Spokane", "Tacoma", "Vancouver", "Walla Walla", "Yakima",
];

pub const PAYMENTS: &[&str] = &["Visa", "Mastercard", "Invoice", "Gift card"];
pub const CARRIERS: &[&str] = &["Cascade Parcel", "Northwest Post", "Rosewheel Couriers"];

#[rustfmt::skip]
pub const SEARCH_TERMS: &[&str] = &[
    "desk lamp", "kettle", "planter", "linen sheets", "notebook a5", "wool blanket", "headphones", "tent", "bookshelf",
    "fountain pen", "knife", "towel", "string lights", "watering can", "cast iron", "office chair", "charger", "daypack",
    "bird feeder", "teapot", "mirror", "pillow firm", "bottle", "side table", "sleeping bag", "keyboard", "apron",
    "candle holder", "bath mat", "monitor stand", "pruning shears", "stool", "cutting board", "lantern", "samovar",
    "gift card", "hammock chair", "cheese dome", "typewriter", "umbrella stand",
];

#[rustfmt::skip]
pub const REVIEW_TITLES: &[(u32, &str, &str)] = &[
    (5, "Could not be happier", "It arrived early, looks better than in the pictures and does its job without fuss."),
    (5, "A keeper", "My grandmother had one just like it. This one feels as if it will last as long."),
    (4, "Good, small flaws", "One corner was scuffed. Everything else is as described, and I would order it again."),
    (4, "Nearly there", "Lovely thing, though the colour is cooler than I expected."),
    (3, "Fine", "Neither a triumph nor a disaster. It stands in the hallway and nobody complains."),
    (3, "Mixed feelings", "The shape is beautiful, the finish is not."),
    (2, "Expected more", "For this price the seams should be straight."),
    (2, "Wobbles", "It wobbles on an even floor. I put paper under one foot."),
    (1, "Broken on arrival", "The box was fine, what was in it was not. Waiting for a replacement."),
    (1, "Visit my store instead", "Same goods half price at my web store, write to me for the address!!!"),
];

/// Content pages of the shop: address, title and text.
pub const PAGES: [(&str, &str, &str); 7] = [
    ("about-us", "About us", "Larkmoor Goods began with one shelf of lamps on Alder Street."),
    ("shipping", "Shipping and delivery", "Standard delivery takes three to five working days."),
    ("returns", "Returns", "Send things back within 30 days of delivery."),
    ("privacy", "Privacy", "We keep what we need to deliver your order, and nothing else."),
    ("gift-wrapping", "Gift wrapping", "We wrap in brown paper and cotton string."),
    ("store-hours", "Store hours", "The Alder Street store is open from ten to six, Monday to Saturday."),
    ("spring-lookbook", "Spring lookbook", "What we would put on a table outside, now that we can."),
];
