use umpire_model::Random;

use super::departments::{CATEGORIES, Category, Colour, PARTNER_SERIES, SERIES, Subcategory, colour};
use super::reviews;
use super::{Product, Seller, slug_of};
use crate::kit::calendar::TODAY;
use crate::shop::money::Cents;

const OWN_ON_A_SHELF: usize = 15;
const PARTNERS_ON_A_SHELF: usize = 40;

/// What the shop sells itself, and behind it what partners sell there; each shelf by shelf.
pub fn generate(seed: u64) -> Vec<Product> {
    let shelves = CATEGORIES
        .iter()
        .flat_map(|category| category.subcategories.iter().map(move |subcategory| (category, subcategory)));
    let (mut products, mut left) = (Vec::new(), Vec::new());
    for (category, subcategory) in shelves {
        // A stream per shelf: a new shelf leaves the others as they are.
        let mut random = Random::stream(seed, &format!("shop/{}", subcategory.slug));
        let mut series = SERIES.to_vec();
        random.shuffle(&mut series);
        let unused = series.split_off(OWN_ON_A_SHELF.min(series.len()));
        for name in series {
            let id = id_at(products.len());
            products.push(product(id, name, category, subcategory, Seller::Shop, &mut random));
        }
        left.push((category, subcategory, unused));
    }
    for (category, subcategory, mut series) in left {
        let mut random = Random::stream(seed, &format!("shop partners/{}", subcategory.slug));
        series.extend(PARTNER_SERIES);
        random.shuffle(&mut series);
        for name in series.into_iter().take(PARTNERS_ON_A_SHELF) {
            let id = id_at(products.len());
            products.push(product(id, name, category, subcategory, Seller::Maker, &mut random));
        }
    }
    products
}

fn id_at(place: usize) -> String {
    format!("LM-{}", 1001 + place)
}

fn product(
    id: String,
    series: &str,
    category: &'static Category,
    subcategory: &'static Subcategory,
    seller: Seller,
    random: &mut Random,
) -> Product {
    let style = pick(random, &subcategory.styles);
    let name = format!("{series} {style} {}", subcategory.noun);
    let brand = pick(random, category.brands);
    let colours = colours(category, random);
    let price = price(subcategory, random);
    let was = random
        .chance(12)
        .then(|| Cents((price.0 + price.0 * random.between(12, 40) as u32 / 100) / 100 * 100 + 99));
    // Most goods are on the shelf; about one in eight is sold out.
    let stock = if random.chance(12) { 0 } else { random.between(2, 48) as u32 };
    let added = TODAY.minus(random.between(3, 900) as i32);
    let reviews = reviews::generate(category, random);
    let stars: u32 = reviews.iter().map(|review| review.stars).sum();
    let count = reviews.len() as u32;
    let rating = (count > 0).then(|| (stars * 20 + count) / (count * 2));
    Product {
        slug: slug_of(&name),
        description: description(&name, style, subcategory, brand, random),
        specification: specification(&id, category, brand, random),
        id,
        name,
        category,
        subcategory,
        brand,
        seller,
        colours,
        price,
        was,
        stock,
        added,
        reviews,
        rating,
    }
}

/// The tables of this room are never empty; `""` would only show up as a missing word.
pub fn pick(random: &mut Random, words: &[&'static str]) -> &'static str {
    random.pick(words).copied().unwrap_or_default()
}

fn colours(category: &Category, random: &mut Random) -> Vec<&'static Colour> {
    let mut names = category.colours.to_vec();
    random.shuffle(&mut names);
    let count = random.between(2, 4) as usize;
    names.into_iter().take(count).filter_map(colour).collect()
}

/// Somewhere between the shelf's bounds, more often near the lower one, with a price tag's ending.
fn price(subcategory: &Subcategory, random: &mut Random) -> Cents {
    let (low, high) = (i64::from(subcategory.prices.0), i64::from(subcategory.prices.1));
    let dollars = random.between(low, high).min(random.between(low, high));
    let endings = [0, 50, 90, 95, 99, 99];
    Cents(dollars as u32 * 100 + random.pick(&endings).copied().unwrap_or_default())
}

fn description(
    name: &str,
    style: &str,
    subcategory: &Subcategory,
    brand: &str,
    random: &mut Random,
) -> Vec<String> {
    const OPENINGS: &[&str] = &[
        "was drawn by people who use one every day",
        "does one job and does it quietly",
        "is the one our buyers kept after the photographs were taken",
        "takes an old idea and leaves out what nobody missed",
        "has been in the range since our second year, with small improvements",
    ];
    const MIDDLES: &[&str] = &[
        "It is made in small batches and checked by hand before it is packed.",
        "Spare parts are listed on the box and can be ordered one by one.",
        "The finish hides fingerprints and gets better with age.",
        "Everything you need to set it up is in the box, including the one tool.",
        "It ships in plain card without plastic.",
        "Edges are rounded and surfaces wipe clean with a damp cloth.",
    ];
    const ENDINGS: &[&str] = &[
        "Keep it for years; that is the idea.",
        "It also makes a present that will not be passed on.",
        "If it is not for you, send it back within 30 days of delivery.",
        "Pairs well with the rest of the collection.",
    ];
    vec![
        format!("The {name} {}. {}", pick(random, OPENINGS), pick(random, MIDDLES)),
        format!(
            "{brand} calls this {} design “{}”. {}",
            subcategory.noun.to_lowercase(),
            style.to_lowercase(),
            pick(random, ENDINGS)
        ),
    ]
}

fn specification(
    id: &str,
    category: &Category,
    brand: &str,
    random: &mut Random,
) -> Vec<(&'static str, String)> {
    const WARRANTIES: &[&str] = &["1 year", "2 years", "3 years", "5 years", "10 years", "15 years"];
    const ORIGINS: &[&str] =
        &["Portugal", "Denmark", "Wales", "Lithuania", "Vietnam", "Italy", "Japan", "Poland"];
    const PACKAGING: &[&str] = &["Recycled card", "Paper wrap", "Cotton bag"];
    let side = |random: &mut Random| random.between(category.sides.0, category.sides.1);
    let initials: String = brand.chars().take(2).collect();
    let model = format!("{}-{:04}", initials.to_uppercase(), random.below(10_000));
    let dimensions = format!("{} × {} × {} cm", side(random), side(random), side(random));
    let weight = random.between(category.weights.0, category.weights.1);
    vec![
        ("Brand", brand.to_owned()),
        ("Model number", model),
        ("Dimensions", dimensions),
        ("Weight", format!("{}.{} kg", weight / 10, weight % 10)),
        ("Packaging", pick(random, PACKAGING).to_owned()),
        (category.trait_label, pick(random, category.trait_values).to_owned()),
        ("Country of origin", pick(random, ORIGINS).to_owned()),
        ("Warranty", pick(random, WARRANTIES).to_owned()),
        ("Article number", id.to_owned()),
    ]
}
