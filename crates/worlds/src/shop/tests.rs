use bytes::Bytes;
use proptest::prelude::*;
use serde_json::json;

use super::*;

const FORM: &str = "application/x-www-form-urlencoded";

struct Answer {
    status: u16,
    location: String,
    flash: String,
    body: String,
}

fn ask(shop: &mut Shop, method: &str, target: &str, content_type: &str, body: &str) -> Answer {
    let request = http::Request::builder()
        .method(method)
        .uri(target)
        .header("host", "shop.localhost")
        .header("content-type", content_type)
        .body(Bytes::from(body.to_owned()))
        .expect("request");
    let response = shop.handle(&Request::parse(request)).into_http();
    let header = |name: &str| {
        response.headers().get(name).and_then(|value| value.to_str().ok()).unwrap_or_default().to_owned()
    };
    let flash = header("set-cookie");
    Answer {
        status: response.status().as_u16(),
        location: header("location"),
        flash: flash
            .strip_prefix("flash=")
            .and_then(|rest| rest.split(';').next())
            .unwrap_or_default()
            .to_owned(),
        body: String::from_utf8_lossy(response.body()).into_owned(),
    }
}

fn get(shop: &mut Shop, target: &str) -> Answer {
    ask(shop, "GET", target, "", "")
}

/// Posts a form that must be accepted: it redirects, with a message that exists.
fn accepted(shop: &mut Shop, target: &str, body: &str) -> Answer {
    let answer = ask(shop, "POST", target, FORM, body);
    assert_eq!(answer.status, 303, "{target} {body}: {}", answer.body);
    assert!(
        answer.flash.is_empty() || flash::MESSAGES.iter().any(|(code, _)| *code == answer.flash),
        "{}",
        answer.flash
    );
    answer
}

/// Posts a form that must be refused: a page with an alert, and nothing changed.
fn refused(shop: &mut Shop, target: &str, body: &str) -> Answer {
    let before = shop.state();
    let answer = ask(shop, "POST", target, FORM, body);
    assert!((400..500).contains(&answer.status), "{target} {body}: {}", answer.status);
    assert_eq!(shop.state(), before, "{target} {body}");
    answer
}

/// A product in stock with sizes, and the form fields that choose its first variant.
fn sized(shop: &Shop) -> (String, String) {
    let product =
        shop.catalogue.products().iter().find(|p| p.stock > 5 && p.subcategory.sizes.is_some()).expect("one");
    let size = product.subcategory.sizes.expect("sizes").options[0].0;
    let mut form = url::form_urlencoded::Serializer::new(String::new());
    form.append_pair("product", &product.id)
        .append_pair("colour", product.colours[0].name)
        .append_pair("size", size);
    (product.id.clone(), form.finish())
}

#[test]
fn pages_answer_and_the_same_seed_gives_the_same_bytes() {
    let (mut shop, mut twin, mut other) = (Shop::new(7), Shop::new(7), Shop::new(8));
    let product = shop.catalogue.products()[0].path();
    let mut differing = 0;
    for path in [
        "/",
        "/search?q=lamp",
        "/offers",
        "/c/garden",
        "/c/garden/planters?sort=rating&page=2",
        &product,
        &format!("{product}/review"),
        "/cart",
        "/checkout/address",
        "/account",
        "/account/orders",
        "/account/orders?status=delivered&page=2",
        "/account/orders/L-20356",
        "/account/orders/L-20353/return",
        "/account/wishlist",
        "/account/reviews",
        "/account/profile",
        "/account/addresses",
        "/account/addresses/new",
        "/account/addresses/A2",
        "/account/newsletter",
        "/help/delivery",
        "/help/returns",
        "/help/contact",
        "/help/about",
        "/help/terms",
        "/sign-in",
        "/assets/style.css",
        "/assets/product.js",
        "/assets/icon.svg",
        "/api/cart",
        "/api/products/LM-1001/reviews?page=2",
    ] {
        let before = shop.state();
        let answer = get(&mut shop, path);
        assert_eq!(answer.status, 200, "{path}");
        assert_eq!(answer.body, get(&mut twin, path).body, "{path}");
        assert_eq!(shop.state(), before, "reading {path} changes nothing");
        differing += usize::from(answer.body != get(&mut other, path).body);
    }
    assert!(differing > 10, "another seed gives another shop");
    for path in
        ["/nowhere", "/product/samovar", "/c/garden/nope", "/account/orders/L-1", "/checkout/nope", "/help/x"]
    {
        assert_eq!(get(&mut shop, path).status, 404, "{path}");
    }
}

#[test]
fn every_link_on_the_main_pages_leads_somewhere() {
    let mut shop = Shop::new(7);
    let mut waiting: Vec<String> = vec!["/".into(), "/account".into(), "/c/lighting".into(), "/cart".into()];
    let mut seen = std::collections::BTreeSet::new();
    for round in 0..2 {
        for path in std::mem::take(&mut waiting) {
            let answer = get(&mut shop, &path);
            assert_eq!(answer.status, 200, "{path}");
            for link in answer.body.split("href=\"").skip(1).filter_map(|rest| rest.split('"').next()) {
                let link = link.replace("&amp;", "&");
                if round == 0 && link.starts_with('/') && seen.insert(link.clone()) {
                    waiting.push(link);
                }
            }
        }
    }
    assert!(seen.len() > 60, "{}", seen.len());
}

#[test]
fn the_cart_takes_what_exists_and_is_in_stock() {
    let mut shop = Shop::new(7);
    let (product, choice) = sized(&shop);
    let before = shop.state.cart.lines.len();
    accepted(&mut shop, "/cart/add", &format!("{choice}&quantity=2&back=/offers"));
    let answer = accepted(&mut shop, "/cart/add", &format!("{choice}&quantity=1&back=/offers"));
    assert_eq!((answer.location.as_str(), answer.flash.as_str()), ("/offers", "cart-added"));
    let line =
        shop.state.cart.lines.values().find(|line| line.choice.product == product).expect("line").clone();
    assert_eq!((line.quantity, shop.state.cart.lines.len()), (3, before + 1));

    let key = line.choice.key();
    accepted(&mut shop, "/cart/update", &format!("line={key}&quantity=5"));
    assert_eq!(shop.state()["cart"]["lines"][&key]["quantity"], json!(5));
    for quantity in ["999", "-1", "two", ""] {
        refused(&mut shop, "/cart/update", &format!("line={key}&quantity={quantity}"));
    }
    accepted(&mut shop, "/cart/update", &format!("line={key}&quantity=0"));
    assert!(!shop.state.cart.lines.contains_key(&key));

    let sold_out = shop
        .catalogue
        .products()
        .iter()
        .find(|p| p.stock == 0 && p.subcategory.sizes.is_none())
        .expect("one");
    let sold_out = format!("product={}&colour={}&quantity=1", sold_out.id, sold_out.colours[0].name);
    assert!(refused(&mut shop, "/cart/add", &sold_out).body.contains("out of stock"));
    refused(&mut shop, "/cart/add", &format!("{choice}&quantity=0"));
    refused(&mut shop, "/cart/add", &format!("product={product}&colour=Plaid&quantity=1"));
    refused(&mut shop, "/cart/add", "product=LM-9&colour=Sage&quantity=1");
}

#[test]
fn the_mini_cart_removes_lines_by_json() {
    let mut shop = Shop::new(7);
    let key = shop.state.cart.lines.keys().next().expect("a line").clone();
    let answer =
        ask(&mut shop, "POST", "/api/cart/remove", "application/json", &json!({ "line": key }).to_string());
    let cart: Value = serde_json::from_str(&answer.body).expect("JSON");
    assert_eq!((cart["count"].clone(), shop.state.cart.lines.contains_key(&key)), (json!(1), false));
}

#[test]
fn an_order_goes_through_four_steps_and_uses_up_the_coupon() {
    let mut shop = Shop::new(7);
    let goods = pricing::subtotal(&shop.state, &shop.catalogue);
    accepted(&mut shop, "/cart/coupon", "code=lark10");
    // Steps cannot be skipped.
    assert_eq!(get(&mut shop, "/checkout/review").location, "/checkout/address");
    assert_eq!(accepted(&mut shop, "/checkout/review", "terms=1").location, "/checkout/address");
    refused(&mut shop, "/checkout/address", "address=A99");
    assert_eq!(accepted(&mut shop, "/checkout/address", "address=A2").location, "/checkout/shipping");
    refused(&mut shop, "/checkout/shipping", "shipping=pigeon");
    assert_eq!(accepted(&mut shop, "/checkout/shipping", "shipping=express").location, "/checkout/payment");
    refused(&mut shop, "/checkout/payment", "");
    assert_eq!(accepted(&mut shop, "/checkout/payment", "payment=invoice").location, "/checkout/review");
    refused(&mut shop, "/checkout/review", "");
    let placed = accepted(&mut shop, "/checkout/review", "terms=1");

    let state = shop.state();
    let order = &state["orders"]["L-20357"];
    assert_eq!(placed.location, "/account/orders/L-20357");
    assert_eq!(order["address"]["label"], json!("Work"));
    assert_eq!((order["shipping"].clone(), order["payment"].clone()), (json!("express"), json!("invoice")));
    assert_eq!(order["total_cents"], json!(goods.0 - goods.percent(10).0 + 1_295));
    assert_eq!(state["coupons_used"]["LARK10"], json!("L-20357"));
    assert_eq!(state["cart"], json!({"lines": {}, "coupon": null}));
    assert_eq!(state["checkout"], json!({"address": null, "shipping": null, "payment": null}));
    assert_eq!(get(&mut shop, &placed.location).status, 200);
    assert_eq!(get(&mut shop, "/checkout/address").location, "/cart");
}

#[test]
fn orders_are_cancelled_only_while_processing_and_returned_only_in_time() {
    let mut shop = Shop::new(7);
    for id in ["L-20354", "L-20353", "L-20343"] {
        assert_eq!(refused(&mut shop, &format!("/account/orders/{id}/cancel"), "").status, 409);
    }
    accepted(&mut shop, "/account/orders/L-20356/cancel", "reason=I+changed+my+mind");
    assert_eq!(shop.state()["orders"]["L-20356"]["cancel_reason"], json!("I changed my mind"));
    assert_eq!(refused(&mut shop, "/account/orders/L-20356/cancel", "").status, 409);

    let line = shop.state.orders["L-20353"].lines.keys().next().expect("a line").clone();
    let complete = format!("line={line}&reason=Arrived+damaged&comment=Leg+broken");
    refused(&mut shop, "/account/orders/L-20352/return", &complete);
    refused(&mut shop, "/account/orders/L-20353/return", "reason=Arrived+damaged");
    refused(&mut shop, "/account/orders/L-20353/return", &format!("line={line}"));
    accepted(&mut shop, "/account/orders/L-20353/return", &complete);
    assert_eq!(
        shop.state()["orders"]["L-20353"]["return_request"],
        json!({"requested": "2026-03-16", "lines": [line], "reason": "Arrived damaged", "comment": "Leg broken"})
    );
    refused(&mut shop, "/account/orders/L-20353/return", &complete);
}

#[test]
fn account_forms_check_what_they_save() {
    let mut shop = Shop::new(7);
    refused(&mut shop, "/account/profile", "name=&email=a@b.example&phone=1&language=English");
    refused(&mut shop, "/account/profile", "name=N&email=nonsense&phone=1&language=English");
    accepted(&mut shop, "/account/profile", "name=N&email=n%40b.example&phone=1&language=Deutsch");
    assert_eq!(shop.state.profile.email, "n@b.example");

    let address = "label=Cabin&name=N&street=1+Lake+Rd&city=Bend&region=OR&phone=1";
    refused(&mut shop, "/account/addresses/new", &format!("{address}&postcode=123"));
    accepted(&mut shop, "/account/addresses/new", &format!("{address}&postcode=97701"));
    assert_eq!(shop.state.addresses["A4"].label, "Cabin");
    accepted(&mut shop, "/account/addresses/A4/default", "");
    refused(&mut shop, "/account/addresses/A4/delete", "");
    accepted(&mut shop, "/account/addresses/A2/delete", "");
    assert!(!shop.state.addresses.contains_key("A2"));

    accepted(&mut shop, "/account/newsletter", "topic=offers&topic=events&frequency=monthly&format=text");
    let newsletter = shop.state()["newsletter"].clone();
    assert_eq!(newsletter["subscribed"], json!(false));
    assert_eq!(
        (newsletter["topics"]["offers"].clone(), newsletter["topics"]["guides"].clone()),
        (json!(true), json!(false))
    );
    assert_eq!(newsletter["frequency"], json!("monthly"));
}

#[test]
fn wishes_and_reviews_come_and_go() {
    let mut shop = Shop::new(7);
    accepted(&mut shop, "/wishlist/add", "product=LM-1001&back=//evil.example/");
    assert_eq!(shop.state()["wishlist"]["LM-1001"], json!({"added": "2026-03-16"}));
    assert_eq!(
        accepted(&mut shop, "/wishlist/remove", "product=LM-1001&back=/c/garden%0d%0ax").location,
        "/"
    );
    let target = format!("{}/review", shop.catalogue.products()[0].path());
    refused(&mut shop, &target, "stars=6&title=Hm&text=This+is+long+enough+to+be+a+review");
    refused(&mut shop, &target, "stars=4&title=Hm&text=short");
    accepted(&mut shop, &target, "stars=4&title=Hm&text=This+is+long+enough+to+be+a+review");
    assert_eq!(shop.state()["reviews"]["R3"]["stars"], json!(4));
    accepted(&mut shop, "/account/reviews/delete", "review=R3");
    assert!(!shop.state.reviews.contains_key("R3"));
}

#[test]
fn signed_out_visitors_are_asked_to_sign_in() {
    let mut shop = Shop::new(7);
    accepted(&mut shop, "/sign-out", "");
    for path in ["/account", "/account/orders/L-20356", "/checkout/address"] {
        assert_eq!(get(&mut shop, path).location, "/sign-in", "{path}");
    }
    assert_eq!(accepted(&mut shop, "/account/orders/L-20356/cancel", "").location, "/sign-in");
    accepted(&mut shop, "/sign-in", "");
    assert_eq!(get(&mut shop, "/account").status, 200);
}

#[test]
fn what_visitors_write_is_escaped() {
    let mut shop = Shop::new(7);
    let script = "<script>alert(1)</script>";
    let typed: String = url::form_urlencoded::byte_serialize(script.as_bytes()).collect();
    accepted(
        &mut shop,
        "/account/profile",
        &format!("name={typed}&email=a%40b.example&phone=1&language=English"),
    );
    for path in
        ["/account".to_owned(), format!("/search?q={typed}"), format!("/account/orders?status={typed}")]
    {
        let body = get(&mut shop, &path).body;
        assert!(!body.contains(script), "{path}");
    }
    assert!(get(&mut shop, "/account").body.contains("&lt;script&gt;"));
}

#[test]
fn a_state_can_be_put_back_but_not_a_broken_one() {
    let mut shop = Shop::new(7);
    let state = shop.state();
    assert!(state.to_string().len() < 50_000);
    shop.set_state(state.clone()).expect("its own state");
    assert_eq!(shop.state(), state);
    for (pointer, value) in [
        ("/signed_in", json!("yes")),
        ("/default_address", json!("A9")),
        ("/wishlist", json!({"LM-9": {"added": "2026-01-01"}})),
        ("/cart/lines", json!({"LM-1001-plaid": {"product": "LM-1001", "colour": "Plaid", "quantity": 1}})),
        ("/orders/L-20356/placed", json!("yesterday")),
        ("/newsletter", json!({"weekly": true})),
    ] {
        let mut broken = state.clone();
        *broken.pointer_mut(pointer).expect("pointer") = value;
        assert!(shop.set_state(broken).is_err(), "{pointer}");
        assert_eq!(shop.state(), state);
    }
}

/// Names of form fields and query parameters, as a pattern.
const FIELDS: &str =
    "(q|page|min|max|rating|sort|line|product|colour|size|quantity|code|stars|title|text|address|back|name)";

/// Path parts that reach every handler, mixed with ones that reach none.
fn part() -> impl Strategy<Value = String> {
    const KNOWN: &str = "cart add update remove coupon wishlist product review checkout address shipping payment \
        account orders L-20356 L-20353 cancel return addresses A1 new default delete newsletter join reviews profile \
        search c lighting desk-lamps api products LM-1001 sign-out sign-in assets help";
    let known: Vec<&str> = KNOWN.split_whitespace().collect();
    prop_oneof![3 => proptest::sample::select(known).prop_map(str::to_owned), 1 => "[a-zA-Z0-9%._-]{0,12}"]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_request_breaks_the_shop(
        method in proptest::sample::select(&["GET", "POST", "POST", "PUT", "HEAD"][..]),
        parts in proptest::collection::vec(part(), 0..5),
        pairs in proptest::collection::vec((FIELDS, any::<String>()), 0..6),
    ) {
        let mut shop = Shop::new(7);
        let form = url::form_urlencoded::Serializer::new(String::new()).extend_pairs(&pairs).finish();
        let target = format!("/{}?{form}", parts.join("/"));
        let answer = ask(&mut shop, method, &target, FORM, &form);
        prop_assert!(answer.status < 500, "{method} {target}: {}", answer.status);
        // Whatever it did, the state is still one the shop would accept.
        let state = shop.state();
        prop_assert!(shop.set_state(state).is_ok());
    }
}
