//! The back office as a clerk meets it: requests in, pages and state out.

use std::collections::BTreeSet;
use std::sync::Arc;

use bytes::Bytes;
use proptest::prelude::*;
use serde_json::{Value, json};

use super::ShopAdmin;
use super::reports::{self, Span};
use super::state::OrderStatus;
use crate::kit::calendar::{Day, TODAY};
use crate::shop::money::Cents;
use crate::{Request, Site};

fn send(office: &mut ShopAdmin, method: &str, target: &str, body: String) -> (u16, String) {
    let request = http::Request::builder()
        .method(method)
        .uri(target)
        .header("host", "shop-admin.localhost")
        .header("content-type", "application/x-www-form-urlencoded")
        .body(Bytes::from(body))
        .expect("a well-formed request");
    let response = office.handle(&Request::parse(request)).into_http();
    (response.status().as_u16(), String::from_utf8_lossy(response.body()).into_owned())
}

fn get(office: &mut ShopAdmin, target: &str) -> (u16, String) {
    send(office, "GET", target, String::new())
}

fn post(office: &mut ShopAdmin, target: &str, fields: &[(&str, &str)]) -> u16 {
    let body = url::form_urlencoded::Serializer::new(String::new()).extend_pairs(fields).finish();
    send(office, "POST", target, body).0
}

/// Number of an order with this status.
fn order_with(office: &ShopAdmin, status: OrderStatus) -> String {
    let orders = office.desk().orders();
    orders.into_iter().find(|(_, order)| order.status == status).expect("every status exists").0
}

#[test]
fn worlds_of_one_seed_share_the_past_and_the_shops_catalogue() {
    let (first, second) = (ShopAdmin::new(7), ShopAdmin::new(7));
    assert!(Arc::ptr_eq(&first.ledger, &second.ledger) && Arc::ptr_eq(&first.catalogue, &second.catalogue));
    assert!(first.state().to_string().len() < 20_000);
    for page in ["/", "/orders", "/reports/sales"] {
        assert_eq!(get(&mut ShopAdmin::new(7), page), get(&mut ShopAdmin::new(7), page));
        assert_ne!(get(&mut ShopAdmin::new(7), page), get(&mut ShopAdmin::new(8), page));
    }
}

#[test]
fn the_past_fits_together() {
    for seed in [1, 7, 99] {
        let office = ShopAdmin::new(seed);
        let desk = office.desk();
        let orders = desk.orders();
        assert_eq!(orders.len(), 640);
        for (id, order) in &orders {
            assert!(desk.customer(&order.customer).is_some(), "{id}");
            assert!(!order.lines.is_empty() && order.total() > Cents(0), "{id}");
            assert!(order.lines.iter().all(|line| office.catalogue.product(&line.product).is_some()), "{id}");
            let has_left = matches!(order.status, OrderStatus::Shipped | OrderStatus::Complete);
            assert_eq!(order.shipment.is_some(), has_left, "{id}");
        }
        let emails: BTreeSet<_> = desk.customers().into_iter().map(|(_, customer)| &customer.email).collect();
        assert_eq!(emails.len(), 180);
        let statuses: BTreeSet<_> = orders.iter().map(|(_, order)| order.status).collect();
        assert_eq!(statuses.len(), OrderStatus::ALL.len());
    }
}

#[test]
fn reports_add_up() {
    let office = ShopAdmin::new(7);
    let desk = office.desk();
    let span = Span { from: Day::of(2026, 1, 1), to: TODAY };
    let in_span = |placed: Day| span.from <= placed && placed <= span.to;
    let total: Cents = desk
        .orders()
        .iter()
        .filter(|(_, order)| order.status != OrderStatus::Cancelled && in_span(order.placed))
        .map(|(_, order)| order.total())
        .sum();
    let months = reports::sales(desk, span, false);
    assert_eq!(months.keys().collect::<Vec<_>>(), ["2026-01", "2026-02", "2026-03"]);
    assert_eq!(months.values().map(|row| row.revenue).sum::<Cents>(), total);
    assert_eq!(reports::sales(desk, span, true)["2026"].revenue, total);
    let sellers = reports::bestsellers(desk, span);
    assert_eq!(sellers.iter().map(|(_, _, revenue)| *revenue).sum::<Cents>(), total);
    assert!(sellers.is_sorted_by_key(|(_, pieces, _)| std::cmp::Reverse(*pieces)));
    let customers = reports::best_customers(desk, span);
    assert_eq!(customers.iter().map(|(_, _, revenue)| *revenue).sum::<Cents>(), total);
    let nothing = Span { from: TODAY, to: Day::of(2026, 1, 1) };
    assert!(reports::bestsellers(desk, nothing).is_empty());
}

#[test]
fn pages_answer() {
    let mut office = ShopAdmin::new(7);
    let pages = [
        "/",
        "/products",
        "/products?q=lamp&category=lighting&status=sold-out&sort=price&page=2",
        "/products/LM-1001",
        "/orders",
        "/orders?status=pending&from=2026-01-01&to=2026-03-16&sort=total",
        "/orders/O-50001",
        "/customers",
        "/customers?q=portland&group=Wholesale",
        "/customers/new",
        "/customers/C-3001",
        "/reviews",
        "/reviews?status=pending&stars=1",
        "/reviews/R-901",
        "/reports/sales?period=year",
        "/reports/bestsellers?from=2026-01-01",
        "/reports/search-terms?sort=uses",
        "/reports/customers",
        "/reports/low-stock",
        "/promotions",
        "/promotions/new",
        "/promotions/promo-1",
        "/pages",
        "/pages/about-us",
        "/static/office.css",
    ];
    for target in pages {
        let (status, text) = get(&mut office, target);
        assert_eq!(status, 200, "{target}");
        assert!(!text.is_empty(), "{target}");
    }
    for target in
        ["/orders/O-1", "/products/LM-9", "/customers/C-1", "/reviews/R-1", "/pages/none", "/reports/none"]
    {
        assert_eq!(get(&mut office, target).0, 404, "{target}");
    }
}

#[test]
fn state_survives_a_round_trip_and_refuses_strangers() {
    let mut office = ShopAdmin::new(7);
    let state = office.state();
    office.set_state(state.clone()).expect("its own state");
    assert_eq!(office.state(), state);
    let mut odd = state;
    odd["pages"]["returns"]["shoe_size"] = json!(43);
    assert!(office.set_state(odd).expect_err("unknown field").contains("shoe_size"));
}

/// An action with its fields, what it answers, and what it leaves where in the state.
type Case<'a> = (String, Vec<(&'a str, &'a str)>, u16, String, Value);

#[test]
fn actions_do_what_they_say_or_nothing() {
    let office = ShopAdmin::new(7);
    let name = office.catalogue.product("LM-1001").expect("there").name.clone();
    let (open, shipped) =
        (order_with(&office, OrderStatus::Pending), order_with(&office, OrderStatus::Shipped));
    let taken = office.desk().customer("C-3002").expect("there").email.clone();
    let at = |path: &str| path.replace("{open}", &open).replace("{shipped}", &shipped);
    let product = [("name", name.as_str()), ("price", "24.90"), ("stock", "7"), ("enabled", "on")];
    let promotion = |code: &'static str, amount: &'static str, ends: &'static str| {
        vec![
            ("name", "May"),
            ("code", code),
            ("kind", "percent"),
            ("amount", amount),
            ("starts", "2026-05-01"),
            ("ends", ends),
        ]
    };
    let customer = |email| vec![("name", "Ada Finch"), ("email", email), ("group", "Trade")];
    let cases: Vec<Case<'_>> = vec![
        (
            "/products/LM-1001".into(),
            product.to_vec(),
            303,
            "/products/LM-1001/price_cents".into(),
            json!(2490),
        ),
        (
            "/products/LM-1001".into(),
            vec![("name", "x"), ("price", "a lot"), ("stock", "7")],
            422,
            "/products/LM-1001".into(),
            Value::Null,
        ),
        (
            "/products/LM-1001".into(),
            vec![("name", "x"), ("price", "1"), ("stock", "-7")],
            422,
            "/products/LM-1001".into(),
            Value::Null,
        ),
        (
            "/products".into(),
            vec![("action", "disable"), ("product", "LM-1002")],
            303,
            "/products/LM-1002/enabled".into(),
            json!(false),
        ),
        ("/products".into(), vec![("action", "disable")], 422, "/products/LM-1002".into(), Value::Null),
        // Goods of partners are sold in the shop and kept elsewhere.
        ("/products/LM-1601".into(), product.to_vec(), 404, "/products/LM-1601".into(), Value::Null),
        (
            "/products".into(),
            vec![("action", "disable"), ("product", "LM-1002"), ("product", "LM-1601")],
            404,
            "/products/LM-1002".into(),
            Value::Null,
        ),
        (at("/orders/{open}/cancel"), vec![], 303, at("/orders/{open}/status"), json!("cancelled")),
        (at("/orders/{shipped}/cancel"), vec![], 422, at("/orders/{shipped}"), Value::Null),
        (
            at("/orders/{open}/ship"),
            vec![("carrier", "Northwest Post"), ("tracking", "NW-1")],
            303,
            at("/orders/{open}/shipment/tracking"),
            json!("NW-1"),
        ),
        (
            at("/orders/{open}/ship"),
            vec![("carrier", "Pigeon"), ("tracking", "NW-1")],
            422,
            at("/orders/{open}"),
            Value::Null,
        ),
        (
            at("/orders/{shipped}/note"),
            vec![("text", "Called."), ("notify", "on")],
            303,
            at("/orders/{shipped}/notes/0/customer_notified"),
            json!(true),
        ),
        (
            "/customers/new".into(),
            customer("ada@example.net"),
            303,
            "/customers/C-501/group".into(),
            json!("Trade"),
        ),
        ("/customers/new".into(), customer("ada"), 422, "/customers/C-501".into(), Value::Null),
        ("/customers/new".into(), customer(&taken), 422, "/customers/C-501".into(), Value::Null),
        (
            "/reviews/R-901".into(),
            vec![("status", "approved")],
            303,
            "/reviews/R-901/status".into(),
            json!("approved"),
        ),
        ("/reviews/R-901/delete".into(), vec![], 303, "/reviews/R-901".into(), Value::Null),
        (
            "/promotions/new".into(),
            promotion("MAY20", "20", "2026-05-31"),
            303,
            "/promotions/promo-501/discount".into(),
            json!({"percent": 20}),
        ),
        (
            "/promotions/new".into(),
            promotion("LARK10", "20", "2026-05-31"),
            422,
            "/promotions/promo-501".into(),
            Value::Null,
        ),
        (
            "/promotions/new".into(),
            promotion("MAY20", "120", "2026-05-31"),
            422,
            "/promotions/promo-501".into(),
            Value::Null,
        ),
        (
            "/promotions/new".into(),
            promotion("MAY20", "20", "2026-04-01"),
            422,
            "/promotions/promo-501".into(),
            Value::Null,
        ),
        (
            "/pages/returns".into(),
            vec![("title", "Returns"), ("content", "60 days.")],
            303,
            "/pages/returns/enabled".into(),
            json!(false),
        ),
        (
            "/pages/returns".into(),
            vec![("title", "Returns")],
            422,
            "/pages/returns/enabled".into(),
            json!(true),
        ),
    ];
    for (target, fields, status, pointer, expected) in cases {
        let mut office = ShopAdmin::new(7);
        let before = office.state();
        assert_eq!(post(&mut office, &target, &fields), status, "{target} {fields:?}");
        let state = office.state();
        assert_eq!(state.pointer(&pointer).unwrap_or(&Value::Null), &expected, "{target} {fields:?}");
        assert_eq!(state != before, status == 303, "{target}: only what succeeds changes something");
    }
}

#[test]
fn what_is_changed_back_is_no_change() {
    let mut office = ShopAdmin::new(7);
    let before = office.state();
    for action in ["disable", "enable"] {
        assert_eq!(post(&mut office, "/products", &[("action", action), ("product", "LM-1001")]), 303);
    }
    assert_eq!(office.state(), before);
}

#[test]
fn what_a_clerk_types_is_escaped() {
    let mut office = ShopAdmin::new(7);
    let order = order_with(&office, OrderStatus::Pending);
    assert_eq!(
        post(&mut office, &format!("/orders/{order}/note"), &[("text", "<script>alert(1)</script>")]),
        303
    );
    let (_, page) = get(&mut office, &format!("/orders/{order}"));
    assert!(page.contains("&lt;script&gt;") && !page.contains("<script>alert"));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn no_request_breaks_the_back_office(
        requests in prop::collection::vec(
            (
                prop::sample::select(vec!["GET", "POST", "PUT"]),
                prop::collection::vec(
                    prop_oneof![
                        4 => prop::sample::select("products LM-1001 orders O-50640 cancel ship note customers new C-3001 reviews R-901 delete reports sales bestsellers promotions promo-1 pages about-us".split(' ').collect::<Vec<_>>()).prop_map(str::to_owned),
                        1 => "[a-zA-Z%0-9.-]{0,8}",
                    ],
                    0..4,
                ),
                prop::option::of("[?](q|page|status|from|to|sort|period)=[a-z0-9%+-]{0,12}"),
                prop::collection::vec((prop::sample::select("name price stock action product carrier tracking text email group status code kind amount starts ends title content".split(' ').collect::<Vec<_>>()), "\\PC{0,12}"), 0..6),
            ),
            1..8,
        )
    ) {
        let mut office = ShopAdmin::new(7);
        for (method, rest, query, fields) in requests {
            let target = format!("/{}{}", rest.join("/"), query.unwrap_or_default());
            let body = url::form_urlencoded::Serializer::new(String::new()).extend_pairs(fields).finish();
            let (status, _) = send(&mut office, method, &target, body);
            prop_assert!(status < 500, "{} {}", method, target);
        }
        // Whatever was done, the state still is one the back office accepts.
        let state = office.state();
        prop_assert!(office.set_state(state).is_ok());
    }
}
