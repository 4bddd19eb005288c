//! The shop's tasks in the suite `verified`, with answers worked out again from the goods.

use serde_json::{Value, json};
use umpire_model::Instance;

use super::catalogue::{Catalogue, Product};
use crate::kit::task_file::{TaskFile, results};

const SEED: u64 = 7;

fn tasks() -> TaskFile {
    TaskFile::parse(include_str!("../../../../suites/verified/shop.jsonl"), SEED)
}

fn product_in<'a>(catalogue: &'a Catalogue, instance: &Instance) -> &'a Product {
    let named = catalogue.products().iter().filter(|product| instance.intent.contains(&product.name));
    named.max_by_key(|product| product.name.len()).unwrap_or_else(|| panic!("{}: no product", instance.id))
}

fn specified(product: &Product, label: &str) -> Value {
    json!(
        product.specification.iter().find(|(name, _)| *name == label).expect("a line of the specification").1
    )
}

#[test]
fn the_file_holds_what_it_promises() {
    assert!(tasks().instances.len() >= 20);
    tasks().assert_is_sound();
}

#[test]
fn products_have_the_expected_details() {
    let catalogue = Catalogue::of_seed(SEED);
    let answer = |template: &str, work_out: &dyn Fn(&Instance, &Product) -> Value| {
        for instance in tasks().of_template(template) {
            let product = product_in(&catalogue, instance);
            assert_eq!(results(instance), [work_out(instance, product)], "{}", instance.id);
        }
    };
    answer("store-model-number", &|_, product| specified(product, "Model number"));
    answer("store-dimensions", &|_, product| specified(product, "Dimensions"));
    answer("store-variant-price", &|instance, product| {
        let size = instance.intent.split(['“', '”']).nth(1);
        json!(product.price_in(size).expect("a size").to_string())
    });
}

#[test]
fn orders_come_to_the_expected_totals() {
    let catalogue = Catalogue::of_seed(SEED);
    let state = super::history::opening_state(&catalogue, SEED);
    for instance in tasks().of_template("store-order-total") {
        let named = state.orders.iter().find(|(id, _)| instance.intent.contains(id.as_str()));
        let (_, order) = named.unwrap_or_else(|| panic!("{}: no order", instance.id));
        assert_eq!(results(instance), [json!(order.total_cents.to_string())], "{}", instance.id);
    }
}

#[test]
fn what_cannot_be_bought_is_out_of_stock() {
    let catalogue = Catalogue::of_seed(SEED);
    for instance in tasks().of_template("store-sold-out") {
        assert!(!product_in(&catalogue, instance).in_stock(), "{}", instance.id);
    }
    for instance in tasks().of_template("store-add-coloured") {
        assert!(product_in(&catalogue, instance).stock >= 4, "{}", instance.id);
    }
}
