//! The back office's tasks against its data: expected answers are worked out again from the ledger, without the
//! pages, so that a change to either is noticed here and not as a lost attempt.

use serde_json::{Value, json};
use umpire_model::Instance;

use super::ShopAdmin;
use super::reports::{self, Span};
use super::state::{Customer, Order};
use crate::kit::calendar::Day;
use crate::kit::task_file::{TaskFile, results};
use crate::shop::money::Cents;

const SEED: u64 = 7;

fn tasks() -> TaskFile {
    TaskFile::parse(include_str!("../../../../suites/verified/shop-admin.jsonl"), SEED)
}

fn order_in<'a>(office: &'a ShopAdmin, instance: &Instance) -> &'a Order {
    let mut words = instance.intent.split([' ', '?', '.', ',']);
    let named = words.find_map(|word| office.desk().order(word));
    named.unwrap_or_else(|| panic!("{}: no order", instance.id))
}

fn customer_in<'a>(office: &'a ShopAdmin, instance: &Instance) -> &'a Customer {
    let named =
        office.desk().customers().into_iter().find(|(_, customer)| instance.intent.contains(&customer.name));
    named.unwrap_or_else(|| panic!("{}: no customer", instance.id)).1
}

/// The days that the reference types into the report's form.
fn span_of(instance: &Instance) -> Span {
    let day = |field: &str| {
        let prefix = format!("type textbox \"{field}\" \"");
        let typed = instance.reference.iter().map(ToString::to_string).find_map(|action| {
            action.strip_prefix(&prefix).map(|rest| rest.trim_end_matches('"').to_owned())
        });
        Day::try_from(typed.expect("a day is typed")).expect("a day")
    };
    Span { from: day("From"), to: day("To") }
}

/// `$1,234.50` as the number that the suite expects.
fn dollars(amount: Cents) -> Value {
    json!(f64::from(amount.0) / 100.0)
}

#[test]
fn the_file_holds_what_it_promises() {
    let tasks = tasks();
    let mut templates: Vec<&str> =
        tasks.instances.iter().map(|instance| instance.template.as_str()).collect();
    templates.sort_unstable();
    templates.dedup();
    assert!(tasks.instances.len() >= 35 && templates.len() >= 12);
    tasks.assert_is_sound();
}

#[test]
fn retrievals_have_the_right_answers() {
    let office = ShopAdmin::new(SEED);
    let desk = office.desk();
    let answer = |template: &str, work_out: &dyn Fn(&Instance) -> Value| {
        for instance in tasks().of_template(template) {
            assert_eq!(results(instance), [work_out(instance)], "{}", instance.id);
        }
    };
    answer("admin-order-total", &|instance| dollars(order_in(&office, instance).total()));
    answer("admin-product-attribute", &|instance| {
        let mut products = desk.catalogue.products().iter();
        let product = products.find(|product| instance.intent.contains(&product.name)).expect("a product");
        let (_, number) =
            product.specification.iter().find(|(label, _)| *label == "Model number").expect("a model number");
        json!(number)
    });
    answer("admin-customer-phone", &|instance| json!(customer_in(&office, instance).phone));
    answer("admin-tracking-number", &|instance| {
        json!(order_in(&office, instance).shipment.as_ref().expect("shipped").tracking)
    });
    answer("admin-bestseller", &|instance| {
        let sellers = reports::bestsellers(desk, span_of(instance));
        assert!(sellers[0].1 > sellers[1].1, "a tie");
        json!(desk.product_name(&sellers[0].0))
    });
    answer("admin-orders-in-month", &|instance| {
        json!(reports::sales(desk, span_of(instance), false).values().map(|row| row.orders).sum::<usize>())
    });
    answer("admin-revenue-in-month", &|instance| {
        dollars(reports::sales(desk, span_of(instance), false).values().map(|row| row.revenue).sum())
    });
    answer("admin-top-customer", &|instance| {
        json!(desk.customer_name(&reports::best_customers(desk, span_of(instance))[0].0))
    });
    for instance in tasks().of_template("admin-top-search-terms") {
        let mut terms: Vec<_> = office.ledger.search_terms.iter().collect();
        if instance.intent.contains("find nothing") {
            terms.retain(|term| term.results == 0);
        }
        terms.sort_by_key(|term| std::cmp::Reverse(term.uses));
        let expected = results(instance);
        assert!(terms[expected.len() - 1].uses > terms[expected.len()].uses, "{}: a tie", instance.id);
        let most: Vec<_> = terms.iter().take(expected.len()).map(|term| json!(term.text)).collect();
        assert_eq!(expected, most, "{}", instance.id);
    }
    answer("admin-search-term-uses", &|instance| {
        let quoted = |text: &str| instance.intent.contains(&format!("“{text}”"));
        json!(office.ledger.search_terms.iter().find(|term| quoted(term.text)).expect("the term").uses)
    });
}

#[test]
fn the_impossible_is_impossible() {
    let office = ShopAdmin::new(SEED);
    for instance in tasks().of_template("admin-cancel-too-late") {
        assert!(!order_in(&office, instance).status.is_open(), "{}", instance.id);
    }
    for instance in tasks().of_template("admin-missing-order") {
        let words = instance.intent.split([' ', '?', '.', ',']);
        assert_eq!(words.filter_map(|word| office.desk().order(word)).count(), 0, "{}", instance.id);
    }
    for instance in tasks().of_template("admin-customer-twice") {
        let taken = |(_, customer): &(String, &Customer)| instance.intent.contains(&customer.email);
        assert!(office.desk().customers().iter().any(taken), "{}", instance.id);
    }
}
