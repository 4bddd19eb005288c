//! Every expected answer in the task file is derived again here, from the goods and not from the pages.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use umpire_model::{Check, Instance, StateExpectation, Suite, Task, TaskKind};

use super::calendar::Day;
use super::catalogue::{Catalogue, Product};
use super::history;
use super::money::Cents;
use super::state::{OrderStatus, State};
use crate::World;

const SEED: u64 = 7;

fn tasks() -> Vec<Task> {
    let file = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../suites/demo/shop.jsonl");
    let text = std::fs::read_to_string(&file).expect("task file");
    let toml = "version = 1\nname = \"shop\"\ndescription = \"d\"\nworld = \"built-in\"\nseed = 7\n";
    Suite::parse(Path::new("suite.toml"), toml, &[(file, text)], &[]).expect("well-formed tasks").tasks
}

fn task(id: &str) -> Task {
    tasks().into_iter().find(|task| task.id == id).expect("task")
}

/// The results a task expects.
fn results(id: &str) -> Vec<Value> {
    let results = task(id).checks.into_iter().find_map(|check| match check {
        Check::Response(response) => response.results,
        _ => None,
    });
    results.expect("a response check with results")
}

/// The value a task expects at `path` of the state.
fn expected_state(id: &str, path: &str) -> Value {
    let value = task(id).checks.into_iter().find_map(|check| match check {
        Check::State(state) if state.path == path => match state.expect {
            StateExpectation::Equals(value) => Some(value),
            _ => None,
        },
        _ => None,
    });
    value.expect("an equals check")
}

fn opening() -> (std::sync::Arc<Catalogue>, State) {
    let catalogue = Catalogue::of_seed(SEED);
    let state = history::opening_state(&catalogue, SEED);
    (catalogue, state)
}

fn named<'a>(catalogue: &'a Catalogue, name: &str) -> &'a Product {
    catalogue.products().iter().find(|product| product.name == name).expect("product")
}

fn mean_stars(product: &Product) -> f64 {
    product.reviews.iter().map(|review| f64::from(review.stars)).sum::<f64>() / product.reviews.len() as f64
}

#[test]
fn there_are_enough_instances_of_every_kind() {
    let instances: Vec<Instance> = tasks().iter().flat_map(Instance::of).collect();
    assert!(instances.len() >= 18, "{}", instances.len());
    for kind in [TaskKind::Retrieve, TaskKind::Navigate, TaskKind::Mutate] {
        assert!(instances.iter().any(|instance| instance.kind == kind));
    }
    for instance in &instances {
        let counted = instance.reference.iter().filter(|action| action.is_counted()).count();
        assert!((1..=20).contains(&counted), "{} takes {counted} actions", instance.id);
        World::create(&instance.sites, SEED, &instance.world).expect("a world for the instance");
    }
}

#[test]
fn every_mutation_says_what_must_stay_as_it_was() {
    for instance in tasks().iter().flat_map(Instance::of) {
        let guards = instance.checks.iter().any(
            |check| matches!(check, Check::State(s) if matches!(s.expect, StateExpectation::UnchangedExcept(_))),
        );
        let ends =
            instance.checks.iter().any(|check| matches!(check, Check::Network(network) if network.last));
        match instance.kind {
            TaskKind::Mutate => assert!(guards, "{}", instance.id),
            TaskKind::Navigate => assert!(ends, "{}", instance.id),
            TaskKind::Retrieve => {}
        }
    }
}

#[test]
fn the_reference_answers_what_the_checks_expect() {
    for instance in tasks().iter().flat_map(Instance::of) {
        let Some(umpire_model::Action::Answer(answer)) = instance.reference.last() else {
            panic!("{} has no answer", instance.id);
        };
        let answer: Value = serde_json::from_str(answer).expect("a JSON answer");
        let response = instance.checks.iter().find_map(|check| match check {
            Check::Response(response) => Some(response),
            _ => None,
        });
        let response = response.expect("a response check");
        assert_eq!(answer["action"], json!(instance.kind.as_str()));
        assert_eq!(answer["status"], json!(response.status));
        assert_eq!(answer["results"], json!(response.results), "{}", instance.id);
    }
}

#[test]
fn the_cheapest_good_ones_are_the_cheapest() {
    let catalogue = Catalogue::of_seed(SEED);
    for (id, shelf) in [("shop-cheapest-headphones", "headphones"), ("shop-cheapest-kettle", "kettles")] {
        let mut fitting: Vec<&Product> = catalogue
            .products()
            .iter()
            .filter(|p| {
                p.subcategory.slug == shelf && p.stock > 0 && !p.reviews.is_empty() && mean_stars(p) >= 4.0
            })
            .collect();
        fitting.sort_by_key(|product| product.price);
        assert!(fitting[0].price < fitting[1].price, "the cheapest must be one");
        assert_eq!(results(id), [json!(fitting[0].name)]);
        let cheaper =
            catalogue.products().iter().any(|p| p.subcategory.slug == shelf && p.price < fitting[0].price);
        assert!(cheaper, "without a cheaper one that does not fit, the filters would not matter");
    }
}

#[test]
fn prices_specifications_and_reviews_are_as_the_goods_say() {
    let catalogue = Catalogue::of_seed(SEED);
    // King size costs 45 % more.
    let cover = named(&catalogue, "Oban Jersey Duvet Cover").price.0;
    let king = (f64::from(cover) * 1.45).round() / 100.0;
    assert_eq!(results("shop-king-size-price"), [json!(format!("${king:.2}"))]);

    let tent = named(&catalogue, "Calder Dome Tent");
    let warranty = tent.specification.iter().find(|(label, _)| *label == "Warranty").expect("warranty");
    assert_eq!(results("shop-tent-warranty"), [json!(warranty.1)]);

    let desk = named(&catalogue, "Cotter Trestle Desk");
    let scratches = desk
        .reviews
        .iter()
        .filter(|review| format!("{} {}", review.title, review.text()).to_lowercase().contains("scratch"));
    assert_eq!(results("shop-desk-scratches"), [json!(scratches.count())]);
    let network = task("shop-desk-scratches").checks.into_iter().find_map(|check| match check {
        Check::Network(network) => Some(network),
        _ => None,
    });
    let network = network.expect("a network check");
    assert_eq!(network.url, [format!("http://shop.localhost/api/products/{}/reviews", desk.id)]);
    // Five reviews a page: all of them are seen only with the last page.
    assert_eq!(network.query["page"], [desk.reviews.len().div_ceil(5).to_string()]);
}

#[test]
fn orders_are_as_the_history_says() {
    let (catalogue, state) = opening();
    let desk = &named(&catalogue, "Zennor Trestle Desk").id;
    let with_desk: Vec<Day> = state
        .orders
        .values()
        .filter(|order| order.lines.values().any(|line| line.choice.product == *desk))
        .map(|order| order.placed)
        .collect();
    assert_eq!(with_desk.len(), 1);
    assert_eq!(results("shop-trestle-order-date"), [json!(with_desk[0].iso())]);

    let december: Vec<_> =
        state.orders.values().filter(|order| order.placed.iso().starts_with("2025-12-")).collect();
    assert!(december.len() > 1 && december.iter().all(|order| order.status == OrderStatus::Delivered));
    let sum: Cents = december.iter().map(|order| order.total_cents).sum();
    assert_eq!(results("shop-december-spending"), [json!(sum.to_string())]);

    let status = |id: &str| state.orders[id].status;
    assert_eq!(status("L-20355"), OrderStatus::Processing);
    assert_eq!(status("L-20354"), OrderStatus::Shipped);
    assert!(state.orders["L-20353"].may_be_returned());
    assert!(!state.orders["L-20352"].may_be_returned());
    let charger = &named(&catalogue, "Zennor Travel Charger").id;
    assert!(state.orders["L-20352"].lines.values().any(|line| line.choice.product == *charger));
}

#[test]
fn things_to_buy_and_change_exist() {
    let (catalogue, state) = opening();
    for (id, name) in
        [("shop-add-duvet-covers", "Isla Sateen Duvet Cover"), ("shop-add-daypack", "Vesper Canvas Daypack")]
    {
        let product = named(&catalogue, name);
        let line = task(id).checks.into_iter().find_map(|check| match check {
            Check::State(state) => match state.expect {
                StateExpectation::Equals(value) => Some(value),
                _ => None,
            },
            _ => None,
        });
        let line: super::state::Line = serde_json::from_value(line.expect("a line")).expect("a cart line");
        assert_eq!(line.choice.product, product.id);
        assert!(line.choice.price(&catalogue).is_some() && line.quantity <= product.stock);
        assert!(!state.cart.lines.contains_key(&line.choice.key()));
    }
    let kettle = named(&catalogue, "Inver Stovetop Kettle");
    assert_eq!(expected_state("shop-review-kettle", "/reviews/R3")["product"], json!(kettle.id));
    assert!(state.reviews.values().all(|review| review.product != kettle.id));
    assert!(catalogue.products().iter().all(|product| !product.name.to_lowercase().contains("samovar")));
}

#[test]
fn the_cart_is_worth_what_the_order_will_cost() {
    let (catalogue, state) = opening();
    let names: Vec<&str> = state
        .cart
        .lines
        .values()
        .filter_map(|line| catalogue.product(&line.choice.product))
        .map(|product| product.name.as_str())
        .collect();
    assert_eq!(names, ["Wharfe Glazed Planter", "Ronan Raised Monitor Stand"]);
    // One of each, in the base size, and $12.95 for express delivery.
    let goods = named(&catalogue, names[0]).price.0 + named(&catalogue, names[1]).price.0;
    assert_eq!(expected_state("shop-place-order", "/orders/L-20357/total_cents"), json!(goods + 1_295));
    assert_eq!(state.sequences.order, 20_356);
    assert_eq!(state.addresses["A2"].label, "Work");
}

#[test]
fn filtered_shelves_have_something_on_them() {
    let catalogue = Catalogue::of_seed(SEED);
    for (shelf, brand, dollars) in [("pendant-lights", "Northlight", 150), ("daypacks", "Stormpetrel", 100)] {
        let fitting = catalogue
            .products()
            .iter()
            .filter(|p| p.subcategory.slug == shelf && p.brand == brand && p.price <= Cents(dollars * 100));
        assert!(fitting.count() >= 2, "{shelf}");
    }
}
