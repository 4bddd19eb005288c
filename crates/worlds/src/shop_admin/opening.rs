//! The state before the clerk did anything.

use std::collections::BTreeMap;

use umpire_model::Random;

use super::state::{ContentPage, Discount, Promotion, Review, ReviewStatus, State};
use super::vocabulary::{GIVEN_NAMES, PAGES, REVIEW_TITLES};
use crate::kit::calendar::{Day, TODAY};
use crate::shop::catalogue::Catalogue;
use crate::shop::money::Cents;

pub fn state(seed: u64, catalogue: &Catalogue) -> State {
    State {
        next_id: 501,
        products: BTreeMap::new(),
        orders: BTreeMap::new(),
        customers: BTreeMap::new(),
        reviews: reviews(seed, catalogue),
        promotions: promotions(seed),
        pages: PAGES
            .iter()
            .map(|(address, title, content)| {
                let page = ContentPage {
                    title: (*title).to_owned(),
                    content: (*content).to_owned(),
                    enabled: *address != "spring-lookbook",
                };
                ((*address).to_owned(), page)
            })
            .collect(),
    }
}

/// What came in during the last two weeks. The first third still waits for somebody to read it.
fn reviews(seed: u64, catalogue: &Catalogue) -> BTreeMap<String, Review> {
    let mut random = Random::stream(seed, "shop-admin reviews");
    let mut nicknames = GIVEN_NAMES.to_vec();
    random.shuffle(&mut nicknames);
    let mut products: Vec<&str> = catalogue.own().iter().map(|product| product.id.as_str()).collect();
    random.shuffle(&mut products);
    nicknames
        .into_iter()
        .zip(products)
        .take(24)
        .enumerate()
        .map(|(at, (nickname, product))| {
            let (stars, title, text) = REVIEW_TITLES[at % REVIEW_TITLES.len()];
            let status = match at {
                0..10 => ReviewStatus::Pending,
                _ if stars == 1 => ReviewStatus::Rejected,
                _ => ReviewStatus::Approved,
            };
            let review = Review {
                product: product.to_owned(),
                nickname: nickname.to_owned(),
                stars,
                title: title.to_owned(),
                text: text.to_owned(),
                date: TODAY.minus(i32::try_from(at / 2).unwrap_or_default()),
                status,
            };
            (format!("R-{}", 901 + at), review)
        })
        .collect()
}

/// The shop's coupons, and a few that need no code.
fn promotions(seed: u64) -> BTreeMap<String, Promotion> {
    let mut random = Random::stream(seed, "shop-admin promotions");
    let (year_start, year_end) = (Day::of(2026, 1, 1), Day::of(2026, 12, 31));
    [
        ("Ten for friends", "LARK10", Discount::Percent(10), year_start, year_end),
        (
            "Spring table",
            "SPRING25",
            Discount::AmountCents(Cents(2_500)),
            Day::of(2026, 3, 1),
            Day::of(2026, 4, 30),
        ),
        ("Free shipping", "FREESHIP", Discount::FreeShipping, year_start, Day::of(2026, 6, 30)),
        ("Winter sale", "WINTER15", Discount::Percent(15), Day::of(2025, 12, 1), Day::of(2026, 2, 28)),
        ("First order", "WELCOME5", Discount::AmountCents(Cents(500)), year_start, year_end),
        ("Garden week", "", Discount::Percent(12), Day::of(2026, 5, 4), Day::of(2026, 5, 10)),
        ("Stationery clear-out", "", Discount::Percent(30), Day::of(2026, 3, 9), Day::of(2026, 3, 31)),
    ]
    .into_iter()
    .enumerate()
    .map(|(at, (name, code, discount, starts, ends))| {
        let promotion = Promotion {
            name: name.to_owned(),
            code: code.to_owned(),
            discount,
            starts,
            ends,
            active: ends >= TODAY,
            uses: if starts > TODAY { 0 } else { random.between(11, 480) as u32 },
        };
        (format!("promo-{}", at + 1), promotion)
    })
    .collect()
}
