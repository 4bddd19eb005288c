//! The visitor's past: who they are, what they ordered and what they already set up.

use std::collections::BTreeMap;

use umpire_model::Random;

use super::calendar::{Day, TODAY};
use super::catalogue::{Catalogue, Product};
use super::money::Cents;
use super::pricing::shipping_price;
use super::state::{
    Address, Cart, Checkout, Choice, Line, Newsletter, Order, OrderLine, OrderStatus, OwnReview, Payment,
    Profile, Sequences, Shipping, State, Wish,
};

/// Age in days and status of the past orders, oldest first; the shape is fixed so that every status exists.
const PAST_ORDERS: [(i32, OrderStatus); 16] = [
    (541, OrderStatus::Delivered),
    (498, OrderStatus::Delivered),
    (433, OrderStatus::Cancelled),
    (377, OrderStatus::Delivered),
    (321, OrderStatus::Delivered),
    (268, OrderStatus::Delivered),
    (214, OrderStatus::Delivered),
    (171, OrderStatus::Delivered),
    (128, OrderStatus::Cancelled),
    (101, OrderStatus::Delivered),
    (92, OrderStatus::Delivered),
    (61, OrderStatus::Delivered),
    (24, OrderStatus::Delivered),
    (6, OrderStatus::Shipped),
    (2, OrderStatus::Processing),
    (1, OrderStatus::Processing),
];

const FIRST_ORDER: u32 = 20_341;
/// Used on that order, so it is no longer good.
const FIRST_COUPON: &str = "WELCOME5";

/// The newsletter's topics: code, name and what they bring.
pub const TOPICS: [(&str, &str, &str); 5] = [
    ("offers", "Weekly offers", "Reduced prices and bundles, every Friday morning."),
    ("arrivals", "New arrivals", "What is new on the shelves."),
    ("guides", "Buying guides", "How to choose a lamp, a knife, a tent."),
    ("events", "Store events", "Workshops and evenings at the Alder Street store."),
    ("surveys", "Surveys", "Two or three questions, twice a year."),
];

/// The state before anybody acted.
pub fn opening_state(catalogue: &Catalogue, seed: u64) -> State {
    let mut random = Random::stream(seed, "shop/history");
    let addresses = addresses();
    let orders = past_orders(catalogue, &addresses, &mut random);
    let wishlist = wanted(catalogue, &mut random, 4)
        .into_iter()
        .zip([9, 32, 55, 78])
        .map(|(product, age)| (product.id.clone(), Wish { added: TODAY.minus(age) }))
        .collect();
    let lines = wanted(catalogue, &mut random, 2)
        .into_iter()
        .map(|product| choose(product, &mut random))
        .map(|choice| (choice.key(), Line { choice, quantity: 1 }))
        .collect();
    let reviews = own_reviews(&orders);
    State {
        signed_in: true,
        profile: Profile {
            name: "Nora Whitfield".to_owned(),
            email: "nora.whitfield@example.com".to_owned(),
            phone: "503-555-0148".to_owned(),
            language: "English".to_owned(),
        },
        default_address: "A1".to_owned(),
        sequences: Sequences {
            order: FIRST_ORDER + orders.len() as u32 - 1,
            address: addresses.len() as u32,
            review: reviews.len() as u32,
        },
        coupons_used: [(FIRST_COUPON.to_owned(), format!("L-{FIRST_ORDER}"))].into(),
        addresses,
        cart: Cart { lines, coupon: None },
        checkout: Checkout::default(),
        orders,
        wishlist,
        reviews,
        newsletter: Newsletter {
            subscribed: true,
            frequency: "weekly".to_owned(),
            format: "html".to_owned(),
            topics: TOPICS
                .iter()
                .map(|(code, ..)| ((*code).to_owned(), matches!(*code, "arrivals" | "guides")))
                .collect(),
            share_with_partners: true,
        },
    }
}

fn addresses() -> BTreeMap<String, Address> {
    let address = |label: &str, name: &str, street: &str, city: &str, postcode: &str, phone: &str| Address {
        label: label.to_owned(),
        name: name.to_owned(),
        street: street.to_owned(),
        city: city.to_owned(),
        region: "OR".to_owned(),
        postcode: postcode.to_owned(),
        phone: phone.to_owned(),
    };
    [
        address("Home", "Nora Whitfield", "418 Juniper Street, Apt 3", "Portland", "97205", "503-555-0148"),
        address("Work", "Nora Whitfield", "1200 Harbor Way, Floor 6", "Portland", "97209", "503-555-0190"),
        address("Parents", "Ellen Whitfield", "27 Orchard Road", "Eugene", "97401", "541-555-0172"),
    ]
    .into_iter()
    .enumerate()
    .map(|(at, address)| (format!("A{}", at + 1), address))
    .collect()
}

fn past_orders(
    catalogue: &Catalogue,
    addresses: &BTreeMap<String, Address>,
    random: &mut Random,
) -> BTreeMap<String, Order> {
    let mut orders: BTreeMap<String, Order> = PAST_ORDERS
        .iter()
        .zip(FIRST_ORDER..)
        .map(|(&(age, status), number)| {
            (format!("L-{number}"), past_order(catalogue, addresses, TODAY.minus(age), status, random))
        })
        .collect();
    if let Some(mut first) = orders.first_entry() {
        let first = first.get_mut();
        first.coupon = Some(FIRST_COUPON.to_owned());
        first.discount_cents = Cents(500).min(first.subtotal());
        first.total_cents = first.subtotal().less(first.discount_cents) + first.shipping_cents;
    }
    orders
}

fn past_order(
    catalogue: &Catalogue,
    addresses: &BTreeMap<String, Address>,
    placed: Day,
    status: OrderStatus,
    random: &mut Random,
) -> Order {
    let count = random.between(1, 4) as usize;
    let lines: BTreeMap<String, OrderLine> = wanted(catalogue, random, count)
        .into_iter()
        .map(|product| {
            let choice = choose(product, random);
            let unit_cents = choice.price(catalogue).unwrap_or(product.price);
            let quantity = if unit_cents < Cents(6_000) { random.between(1, 3) as u32 } else { 1 };
            (choice.key(), OrderLine { choice, quantity, unit_cents })
        })
        .collect();
    let address = if random.chance(70) { "A1" } else { "A2" };
    let shipping = random.pick(&Shipping::ALL).copied().unwrap_or(Shipping::Standard);
    let payment = random.pick(&Payment::ALL).copied().unwrap_or(Payment::Visa);
    let mut order = Order {
        placed,
        status,
        delivered: (status == OrderStatus::Delivered).then(|| placed.plus(random.between(2, 6) as i32)),
        lines,
        address: addresses.get(address).cloned().unwrap_or_default(),
        shipping,
        payment,
        coupon: None,
        discount_cents: Cents(0),
        shipping_cents: Cents(0),
        total_cents: Cents(0),
        cancel_reason: (status == OrderStatus::Cancelled).then(|| "Ordered by mistake".to_owned()),
        return_request: None,
    };
    order.shipping_cents = shipping_price(shipping, order.subtotal());
    order.total_cents = order.subtotal() + order.shipping_cents;
    order
}

/// Products one would really buy: in stock and not from one shelf only.
fn wanted<'a>(catalogue: &'a Catalogue, random: &mut Random, count: usize) -> Vec<&'a Product> {
    let mut chosen: Vec<&Product> = Vec::with_capacity(count);
    while chosen.len() < count {
        let Some(product) = random.pick(catalogue.own()) else { break };
        if product.in_stock() && chosen.iter().all(|other| other.subcategory.slug != product.subcategory.slug)
        {
            chosen.push(product);
        }
    }
    chosen
}

fn choose(product: &Product, random: &mut Random) -> Choice {
    Choice {
        product: product.id.clone(),
        colour: random.pick(&product.colours).map(|colour| colour.name.to_owned()).unwrap_or_default(),
        size: product
            .subcategory
            .sizes
            .and_then(|axis| random.pick(axis.options))
            .map(|(name, _)| (*name).to_owned()),
    }
}

/// Two reviews of things from the first orders.
fn own_reviews(orders: &BTreeMap<String, Order>) -> BTreeMap<String, OwnReview> {
    let bought = orders.values().filter_map(|order| Some((order.delivered?, order.lines.values().next()?)));
    bought
        .take(2)
        .zip([
            (5, "So far, so good", "Three weeks of daily use and not a single complaint."),
            (3, "Good, with a catch", "Does what it should. The box was far too large for what was in it."),
        ])
        .enumerate()
        .map(|(at, ((delivered, line), (stars, title, text)))| {
            let review = OwnReview {
                product: line.choice.product.clone(),
                date: delivered.plus(20),
                stars,
                title: title.to_owned(),
                text: text.to_owned(),
            };
            (format!("R{}", at + 1), review)
        })
        .collect()
}
