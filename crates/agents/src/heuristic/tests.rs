use std::slice::from_ref;

use serde_json::{Value, json};
use umpire_browser::Observation;
use umpire_model::{Action, TaskKind};

use crate::BuiltIn;
use crate::sample::{Page, decide, play, task};

/// The actions as text, and the answer as status and results.
fn solve(kind: TaskKind, intent: &str, pages: &[Observation]) -> (Vec<String>, String, Value) {
    let mut done = play("heuristic", &task(kind, intent), pages);
    let Some(Action::Answer(answer)) = done.pop() else { panic!("no answer") };
    let answer: Value = serde_json::from_str(&answer).expect("JSON");
    assert_eq!(answer["action"], kind.as_str());
    let status = answer["status"].as_str().expect("status").to_owned();
    (done.iter().map(ToString::to_string).collect(), status, answer["results"].clone())
}

fn toggle(page: Page, role: &str, name: &str, checked: bool) -> Page {
    page.with_element(role, name, |element| element.state.checked = Some(checked))
}

#[test]
fn turns_a_switch_off_by_way_of_the_right_page_and_saves() {
    let start =
        Page::at("http://hub.localhost/").with("link", "Profile").with("link", "Ads and privacy").seen();
    let ads = |on| {
        let page = Page::at("http://hub.localhost/ads");
        let page = toggle(page, "checkbox", "Send me newsletters", true);
        toggle(page, "switch", "Personalised ads", on).with("button", "Save changes").seen()
    };
    let pages = [start, ads(true), ads(false), ads(false)];
    let (done, status, _) = solve(TaskKind::Mutate, "Turn off personalised ads", &pages);
    assert_eq!(done, ["click [2]", "click [2]", "click [3]"]);
    assert_eq!(status, "SUCCESS");
}

#[test]
fn leaves_a_switch_that_is_right_and_reports_it() {
    let page = toggle(Page::at("http://hub.localhost/"), "switch", "Login alerts", true)
        .with("button", "Save")
        .seen();
    let intent = "Enable login alerts and report whether you had to change it";
    let (done, status, results) = solve(TaskKind::Mutate, intent, &[page]);
    assert_eq!((done.len(), status.as_str(), results), (0, "SUCCESS", json!([false])));
}

#[test]
fn looks_through_the_menu_and_understands_a_label_that_says_the_opposite() {
    let menu = "- navigation\n  - link \"Overview\"\n  - link \"Appearance\"";
    let page = |path: &str| {
        let page = Page::at(&format!("http://hub.localhost/{path}")).outline(menu);
        page.with("link", "Overview").with("link", "Appearance")
    };
    let hidden = |on| toggle(page("appearance"), "checkbox", "Hide my photo from strangers", on).seen();
    let intent =
        "Make sure that strangers cannot see my photo. Answer true if you had to change it, else false.";
    let pages = [page("").seen(), page("overview").seen(), hidden(false), hidden(true)];
    let (done, status, results) = solve(TaskKind::Mutate, intent, &pages);
    assert_eq!(done, ["click [1]", "click [2]", "click [3]"]);
    assert_eq!((status.as_str(), results), ("SUCCESS", json!([true])));
}

#[test]
fn a_click_that_had_no_effect_is_not_counted_as_done() {
    let brief = task(TaskKind::Mutate, "Turn on login alerts");
    let page = toggle(Page::at("http://hub.localhost/"), "switch", "Login alerts", false)
        .with("button", "Close this message")
        .seen();
    let mut agent = "heuristic".parse::<BuiltIn>().expect("kind").create(&brief, 1, None, None);
    let mut step =
        |step, error| decide(agent.as_mut(), &brief, &page, step, error).expect("a decision").action;
    assert_eq!(step(1, None).to_string(), "click [1]");
    assert_eq!(step(2, Some("covered by a dialog")).to_string(), "click [2]", "clears the way");
    assert_eq!(step(3, None).to_string(), "click [1]", "tries again");
}

#[test]
fn follows_the_words_of_a_hint_but_looks_for_the_thing_itself() {
    let start = Page::at("http://hub.localhost/").with("link", "Profile").with("link", "Security").seen();
    let security = toggle(Page::at("http://hub.localhost/security"), "switch", "Login alerts", true);
    let security = toggle(security, "switch", "Security by default", true).seen();
    let intent = "Turn off login alerts. You find them under Security.";
    let (done, status, _) = solve(TaskKind::Mutate, intent, &[start, security]);
    assert_eq!((done, status.as_str()), (vec!["click [2]".to_owned(), "click [1]".to_owned()], "SUCCESS"));
}

#[test]
fn sets_a_dropdown_and_a_text_field() {
    let language = Page::at("http://hub.localhost/")
        .with("textbox", "Display name")
        .with_element("combobox", "Language", |element| {
            element.options = vec!["English".to_owned(), "German".to_owned()];
            element.value = Some("English".to_owned());
        })
        .seen();
    let (done, status, _) = solve(TaskKind::Mutate, "Set the language to German.", from_ref(&language));
    assert_eq!((done, status.as_str()), (vec!["select [2] \"German\"".to_owned()], "SUCCESS"));
    let (done, ..) = solve(TaskKind::Mutate, "Change my display name to 'Ada L.'", &[language]);
    assert_eq!(done, ["type [1] \"Ada L.\""]);
}

#[test]
fn presses_the_button_with_the_verb_that_follows_the_subject() {
    let list = Page::at("http://hub.localhost/tokens")
        .with("link", "Laptop")
        .with("button", "Revoke")
        .with("link", "Build server")
        .with("button", "Revoke")
        .seen();
    let confirm =
        Page::at("http://hub.localhost/tokens").with("button", "Cancel").with("button", "Yes, revoke");
    let (done, status, _) =
        solve(TaskKind::Mutate, "Revoke the token \"Build server\"", &[list, confirm.seen()]);
    assert_eq!(done, ["click [4]", "click [2]"]);
    assert_eq!(status, "SUCCESS");
}

#[test]
fn searches_for_what_no_link_names_and_reads_its_price() {
    let home =
        Page::at("http://shop.localhost/").with("searchbox", "Search products").with("link", "Garden").seen();
    let found = Page::at("http://shop.localhost/search")
        .with("searchbox", "Search products")
        .outline("- link \"Oak Desk\"\n- text \"$240.00\"\n- link \"Pine Desk\"\n- text \"$99.00\"")
        .seen();
    let pages = [home.clone(), home, found];
    let (done, status, results) = solve(TaskKind::Retrieve, "How much is the Pine Desk?", &pages);
    assert_eq!(done, ["type [1] \"Pine Desk\"", "press \"Enter\""]);
    assert_eq!((status.as_str(), results), ("SUCCESS", json!(["$99.00"])));
}

#[test]
fn goes_to_a_page_and_stops_there() {
    let home = Page::at("http://shop.localhost/")
        .titled("Shop")
        .with("link", "Cart")
        .with("link", "Order history")
        .seen();
    let orders =
        Page::at("http://shop.localhost/orders").titled("Order history").with("link", "Order 1234").seen();
    let (done, status, _) = solve(TaskKind::Navigate, "Go to my order history", &[home, orders]);
    assert_eq!((done, status.as_str()), (vec!["click [2]".to_owned()], "SUCCESS"));
}

#[test]
fn says_so_when_nothing_matches() {
    let page = Page::at("http://shop.localhost/").with("link", "Garden").outline("- link \"Garden\"").seen();
    for (kind, intent) in [
        (TaskKind::Retrieve, "How much is the Quantum Umbrella?"),
        (TaskKind::Mutate, "Turn on quantum umbrellas"),
        (TaskKind::Navigate, "Open the umbrella department"),
    ] {
        let (done, status, results) = solve(kind, intent, from_ref(&page));
        assert_eq!((done.len(), status.as_str(), results), (0, "NOT_FOUND_ERROR", Value::Null), "{intent}");
    }
}

#[test]
fn keeps_to_the_budget_of_actions() {
    let mut page = Page::at("http://shop.localhost/");
    for number in 0..30 {
        page = page.with("link", &format!("Lamp {number}"));
    }
    let mut brief = task(TaskKind::Retrieve, "How much is the best lamp?");
    brief.limits.actions = 4;
    let done = play("heuristic", &brief, &[page.seen()]);
    assert_eq!(done.iter().filter(|action| action.is_counted()).count(), 4);
}
