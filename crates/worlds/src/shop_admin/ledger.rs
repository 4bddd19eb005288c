//! The past of the business: customers, orders and what visitors searched for. Built once per seed and shared.

use std::sync::Arc;

use umpire_model::Random;

use super::state::{Customer, GROUPS, Order, OrderLine, OrderStatus, Shipment};
use super::vocabulary::{CARRIERS, CITIES, GIVEN_NAMES, PAYMENTS, SEARCH_TERMS, SURNAMES};
use crate::kit::by_seed::BySeed;
use crate::kit::calendar::{Day, TODAY};
use crate::kit::text::choose;
use crate::shop::catalogue::{Catalogue, Product};

const CUSTOMERS: usize = 180;
const ORDERS: usize = 640;
const FIRST_CUSTOMER: usize = 3001;
const FIRST_ORDER: usize = 50_001;
/// How far back the orders go, in days.
const REACH: i64 = 460;

pub struct SearchTerm {
    pub text: &'static str,
    pub results: usize,
    pub uses: u32,
    pub last_used: Day,
}

pub struct Ledger {
    /// By number, `C-3001` first.
    customers: Vec<Customer>,
    /// By number, `O-50001` first, in the order in which they were placed.
    orders: Vec<Order>,
    pub search_terms: Vec<SearchTerm>,
}

impl Ledger {
    pub fn shared(seed: u64, catalogue: &Catalogue) -> Arc<Self> {
        static LEDGERS: BySeed<Ledger> = BySeed::new();
        LEDGERS.get(seed, |seed| Self::generate(seed, catalogue))
    }

    fn generate(seed: u64, catalogue: &Catalogue) -> Self {
        let mut random = Random::stream(seed, "shop-admin customers");
        let customers = customers(&mut random);
        let mut random = Random::stream(seed, "shop-admin orders");
        let orders = orders(catalogue, &mut random);
        let mut random = Random::stream(seed, "shop-admin searches");
        let names: Vec<String> =
            catalogue.products().iter().map(|product| product.name.to_lowercase()).collect();
        let search_terms = SEARCH_TERMS
            .iter()
            .map(|text| SearchTerm {
                text,
                results: results(&names, text),
                uses: random.between(11, 900) as u32,
                last_used: TODAY.minus(random.between(0, 60) as i32),
            })
            .collect();
        Self { customers, orders, search_terms }
    }

    pub fn customers(&self) -> impl Iterator<Item = (String, &Customer)> {
        self.customers
            .iter()
            .enumerate()
            .map(|(at, customer)| (format!("C-{}", FIRST_CUSTOMER + at), customer))
    }

    pub fn orders(&self) -> impl DoubleEndedIterator<Item = (String, &Order)> + ExactSizeIterator {
        self.orders.iter().enumerate().map(|(at, order)| (format!("O-{}", FIRST_ORDER + at), order))
    }

    pub fn customer(&self, id: &str) -> Option<&Customer> {
        let number: usize = id.strip_prefix("C-")?.parse().ok()?;
        self.customers.get(number.checked_sub(FIRST_CUSTOMER)?)
    }

    pub fn order(&self, id: &str) -> Option<&Order> {
        let number: usize = id.strip_prefix("O-")?.parse().ok()?;
        self.orders.get(number.checked_sub(FIRST_ORDER)?)
    }
}

/// How many of the names have all the words, those of partners' products among them: visitors find both.
fn results(names: &[String], text: &str) -> usize {
    names.iter().filter(|name| text.split(' ').all(|word| name.contains(word))).count()
}

fn customers(random: &mut Random) -> Vec<Customer> {
    let mut names: Vec<(&str, &str)> =
        GIVEN_NAMES.iter().flat_map(|given| SURNAMES.iter().map(move |surname| (*given, *surname))).collect();
    random.shuffle(&mut names);
    names
        .into_iter()
        .take(CUSTOMERS)
        .map(|(given, surname)| Customer {
            name: format!("{given} {surname}"),
            email: format!("{}.{}@example.net", given.to_lowercase(), surname.to_lowercase()),
            phone: format!("503-555-{:04}", random.between(200, 9_899)),
            city: choose(random, CITIES).to_owned(),
            group: if random.chance(70) { GROUPS[0] } else { GROUPS[1 + random.below(3)] }.to_owned(),
            since: TODAY.minus(random.between(470, 1_500) as i32),
            newsletter: random.chance(45),
        })
        .collect()
}

fn orders(catalogue: &Catalogue, random: &mut Random) -> Vec<Order> {
    let mut ages: Vec<i32> = (0..ORDERS).map(|_| random.between(0, REACH - 1) as i32).collect();
    ages.sort_by_key(|age| std::cmp::Reverse(*age));
    // A tenth of the shop's own goods sells more often than the rest.
    let mut favourites: Vec<&Product> = catalogue.own().iter().collect();
    random.shuffle(&mut favourites);
    favourites.truncate(60);
    ages.into_iter().map(|age| order(catalogue, &favourites, age, random)).collect()
}

fn order(catalogue: &Catalogue, favourites: &[&Product], age: i32, random: &mut Random) -> Order {
    let mut lines: Vec<OrderLine> = Vec::new();
    for _ in 0..random.between(1, 4) {
        let favourite = random.chance(45);
        let product = if favourite { random.pick(favourites).copied() } else { random.pick(catalogue.own()) };
        let Some(product) = product else { continue };
        if lines.iter().all(|line| line.product != product.id) {
            lines.push(OrderLine {
                product: product.id.clone(),
                quantity: random.between(1, 3) as u32,
                unit_cents: product.price,
            });
        }
    }
    let status = match (age, random.below(100)) {
        (_, 0..8) => OrderStatus::Cancelled,
        (0..4, _) => OrderStatus::Pending,
        (4..9, _) => OrderStatus::Processing,
        (9..16, _) => OrderStatus::Shipped,
        _ => OrderStatus::Complete,
    };
    let has_left = matches!(status, OrderStatus::Shipped | OrderStatus::Complete);
    Order {
        placed: TODAY.minus(age),
        customer: format!("C-{}", FIRST_CUSTOMER + random.below(CUSTOMERS).min(random.below(CUSTOMERS))),
        status,
        lines,
        payment: choose(random, PAYMENTS).to_owned(),
        shipment: has_left.then(|| Shipment {
            carrier: choose(random, CARRIERS).to_owned(),
            tracking: format!("{:010}", random.below(10_000_000_000)),
        }),
        notes: Vec::new(),
    }
}
