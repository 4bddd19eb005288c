//! Pages drawn by hand, changed in every way that must not matter and in some that must.

use std::collections::HashSet;

use proptest::prelude::*;
use umpire_browser::observe::inventory::{FramePlace, Inventory, Item};
use umpire_browser::{ElementState, NodeRef};
use umpire_model::{Rect, Viewport};

use super::{Identified, Locator, Sought, frames_of, identify, portrait_of};
use crate::session::{ControlKind, Frame, Portrait};

/// An element and what is in it.
#[derive(Clone, Default)]
struct Node {
    tag: &'static str,
    role: &'static str,
    name: String,
    text: String,
    attributes: Vec<(&'static str, String)>,
    hidden: bool,
    children: Vec<Node>,
}

fn node(tag: &'static str, children: Vec<Node>) -> Node {
    let text = children.iter().map(|child| child.text.as_str()).collect::<Vec<_>>().join(" ");
    Node { tag, text: text.trim().to_owned(), children, ..Node::default() }
}

fn says(tag: &'static str, role: &'static str, words: &str) -> Node {
    Node { tag, role, name: words.to_owned(), text: words.to_owned(), ..Node::default() }
}

fn checkbox(label: &str, attributes: &[(&'static str, &str)]) -> Node {
    let kept = attributes.iter().map(|(name, value)| (*name, (*value).to_owned()));
    Node {
        tag: "input",
        role: "checkbox",
        name: label.to_owned(),
        attributes: [("type", "checkbox".to_owned())].into_iter().chain(kept).collect(),
        ..Node::default()
    }
}

fn button(words: &str) -> Node {
    says("button", "button", words)
}

/// A settings page: a heading, and rows of some words and a control.
fn page(rows: Vec<Node>) -> Inventory {
    let mut main = vec![says("h1", "heading", "What others see of you")];
    main.extend(rows);
    inventory(&node("html", vec![node("body", vec![node("main", main)])]))
}

fn row(words: &str, control: Node) -> Node {
    node("div", vec![says("p", "paragraph", words), control])
}

fn inventory(root: &Node) -> Inventory {
    let mut items = Vec::new();
    lay_out(root, None, &mut items);
    let mut focusable = 0;
    for at in 0..items.len() {
        let same = |other: &&Item| other.role == items[at].role && other.name == items[at].name;
        let place = items[..=at].iter().filter(same).count() as u32;
        items[at].among_equals = (place, items.iter().filter(same).count() as u32);
        if matches!(items[at].tag.as_str(), "a" | "button" | "input") {
            focusable += 1;
            items[at].focus_index = Some(focusable);
        }
    }
    let frames = vec![FramePlace { owner: None, url: "http://hub.localhost/privacy".to_owned(), index: 1 }];
    Inventory { url: frames[0].url.clone(), viewport: Viewport::default(), items, frames }
}

fn lay_out(node: &Node, parent: Option<usize>, items: &mut Vec<Item>) -> usize {
    let at = items.len();
    let reference = NodeRef { session: "s".into(), backend_node_id: i64::try_from(at).expect("few") };
    let rect = Rect { x: 0.0, y: at as f64 * 20.0, width: 100.0, height: 20.0 };
    items.push(Item {
        tag: node.tag.to_owned(),
        role: node.role.to_owned(),
        name: node.name.clone(),
        text: node.text.clone(),
        label: None,
        value: None,
        state: ElementState::default(),
        chosen: Vec::new(),
        options: Vec::new(),
        frame: 0,
        parent,
        enters_shadow: false,
        previous: None,
        next: None,
        among_siblings: (1, 1),
        among_equals: (1, 1),
        focus_index: None,
        rect,
        in_window: rect,
        handle: (!node.hidden).then(|| reference.clone()),
        node: reference,
        attributes: node.attributes.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect(),
    });
    let places: Vec<usize> = node.children.iter().map(|child| lay_out(child, Some(at), items)).collect();
    for (nth, &place) in places.iter().enumerate() {
        items[place].previous = nth.checked_sub(1).map(|before| places[before]);
        items[place].next = places.get(nth + 1).copied();
        let same = |other: &&usize| items[**other].tag == items[place].tag;
        let siblings = (places[..=nth].iter().filter(same).count(), places.iter().filter(same).count());
        items[place].among_siblings = (siblings.0 as u32, siblings.1 as u32);
    }
    at
}

fn place(page: &Inventory, name: &str) -> usize {
    page.items.iter().position(|item| item.name == name && item.role != "heading").expect("it is there")
}

fn look(recorded: &(Portrait, Vec<Frame>), page: &Inventory) -> Identified {
    let (portrait, frames) = recorded;
    let url = "http://hub.localhost/privacy";
    identify(&Sought { portrait, frames, url, proposed: &[], spoken: &HashSet::new() }, page)
}

fn draw(page: &Inventory, name: &str) -> (Portrait, Vec<Frame>) {
    let at = place(page, name);
    (portrait_of(page, at).expect("drawn"), frames_of(page, at))
}

fn settings() -> Vec<Node> {
    vec![
        row(
            "Contacts see the day",
            checkbox("Show my birthday", &[("id", "birthday"), ("name", "show_birthday")]),
        ),
        row("Contacts see the city", checkbox("Show my city", &[("id", "city"), ("name", "show_city")])),
        row(
            "Anybody sees the face",
            checkbox("Show my picture", &[("id", "picture"), ("name", "show_picture")]),
        ),
        button("Save visibility"),
        button("Discard"),
    ]
}

/// What each letter becomes in a language nobody speaks.
fn translated(text: &str) -> String {
    let turn = |c: char| match c {
        'a'..='y' | 'A'..='Y' => char::from(c as u8 + 1),
        'z' => 'a',
        'Z' => 'A',
        other => other,
    };
    text.chars().map(turn).collect()
}

fn change(nodes: &mut [Node], to: &dyn Fn(&mut Node)) {
    for node in nodes {
        change(&mut node.children, to);
        to(node);
    }
}

type Change<'a> = &'a dyn Fn(&mut Vec<Node>);

#[test]
fn an_element_is_found_again_on_a_page_that_changed() {
    let recorded = page(settings());
    let no_ids = |node: &mut Node| node.attributes.retain(|(name, _)| *name != "id");
    let no_identifiers = |node: &mut Node| node.attributes.retain(|(name, _)| *name == "type");
    let foreign = |node: &mut Node| {
        (node.name, node.text) = (translated(&node.name), translated(&node.text));
    };
    let changes: [(&str, Change<'_>, Locator); 6] = [
        ("nothing", &|_| {}, Locator::Id),
        ("ids gone", &|rows| change(rows, &no_ids), Locator::FieldName),
        ("all identifiers gone", &|rows| change(rows, &no_identifiers), Locator::RoleAndName),
        ("another language", &|rows| change(rows, &foreign), Locator::Id),
        ("rows in another order", &|rows| rows.rotate_left(1), Locator::Id),
        (
            "wrapped",
            &|rows| *rows = vec![node("section", vec![node("div", std::mem::take(rows))])],
            Locator::Id,
        ),
    ];
    for name in ["Show my birthday", "Show my city", "Show my picture"] {
        let portrait = draw(&recorded, name);
        for (what, change, by) in &changes {
            let mut rows = settings();
            change(&mut rows);
            let now = page(rows);
            let expected = [name.to_owned(), translated(name)];
            let identified = look(&portrait, &now);
            let found = identified.found().unwrap_or_else(|| panic!("{name}, {what}: {identified:?}"));
            assert!(expected.contains(&now.items[found.at].name), "{name}, {what}: {found:?}");
            assert_eq!(found.by, Some(*by), "{name}, {what}: {found:?}");
        }
    }
}

#[test]
fn without_any_identifier_another_language_is_met_by_the_place_alone() {
    let plain = || {
        let mut rows = settings();
        change(&mut rows, &|node| node.attributes.retain(|(name, _)| *name == "type"));
        rows
    };
    let recorded = page(plain());
    let mut rows = plain();
    change(&mut rows, &|node| (node.name, node.text) = (translated(&node.name), translated(&node.text)));
    let now = inventory(&node(
        "html",
        vec![node(
            "body",
            vec![node("main", {
                let mut main = vec![says("h1", "heading", &translated("What others see of you"))];
                main.extend(rows);
                main
            })],
        )],
    ));
    let portrait = draw(&recorded, "Show my city");
    let identified = look(&portrait, &now);
    assert_eq!(
        identified.found().map(|found| found.at),
        Some(place(&now, &translated("Show my city"))),
        "{identified:?}"
    );
    // The same place on another page is another element.
    let (portrait, frames) = portrait;
    let spoken = HashSet::new();
    let url = "http://hub.localhost/security";
    let elsewhere = Sought { portrait: &portrait, frames: &frames, url, proposed: &[], spoken: &spoken };
    assert!(matches!(identify(&elsewhere, &now), Identified::NotFound(_)));
}

#[test]
fn an_element_that_is_gone_is_not_replaced_by_its_neighbour() {
    let recorded = page(settings());
    for name in ["Show my birthday", "Show my city", "Show my picture", "Save visibility"] {
        let portrait = draw(&recorded, name);
        let mut rows = settings();
        rows.retain(|row| row.name != name && !row.children.iter().any(|child| child.name == name));
        let identified = look(&portrait, &page(rows));
        assert!(matches!(identified, Identified::NotFound(_)), "{name}: {identified:?}");
        assert!(!identified.candidates().is_empty(), "{name}: the nearest are told");
    }
}

#[test]
fn a_label_that_turns_with_the_state_still_matches_on_a_control_alone() {
    let recorded = page(vec![row("Used for training", button("Disable data training"))]);
    let now = page(vec![row("Used for training", button("Enable data training"))]);
    let (mut portrait, frames) = draw(&recorded, "Disable data training");
    assert!(look(&(portrait.clone(), frames.clone()), &now).found().is_none());
    portrait.control = Some(ControlKind::Inferred);
    assert!(look(&(portrait, frames), &now).found().is_some());
}

#[test]
fn equal_buttons_are_told_apart_by_what_stands_beside_them() {
    let devices = ["Hotel TV in Ghent", "Kitchen tablet", "Laptop in Cardiff"];
    let rows =
        |devices: &[&str]| devices.iter().map(|device| row(device, button("Sign out"))).collect::<Vec<_>>();
    let recorded = page(rows(&devices));
    let at = |page: &Inventory, device: &str| {
        let words = page.items.iter().position(|item| item.text == device && item.tag == "p").expect("a row");
        page.items[words].next.expect("its button")
    };
    for device in devices {
        let from = at(&recorded, device);
        let portrait = (portrait_of(&recorded, from).expect("drawn"), Vec::new());
        let mut order = devices.to_vec();
        order.reverse();
        let turned = page(rows(&order));
        let identified = look(&portrait, &turned);
        assert_eq!(
            identified.found().map(|found| found.at),
            Some(at(&turned, device)),
            "{device}: {identified:?}"
        );
        order.retain(|other| *other != device);
        let identified = look(&portrait, &page(rows(&order)));
        assert!(identified.found().is_none(), "{device} is gone: {identified:?}");
    }
}

#[test]
fn what_is_in_the_page_but_not_shown_is_said_to_be_hidden() {
    let recorded = page(settings());
    let portrait = draw(&recorded, "Show my city");
    let mut rows = settings();
    change(&mut rows, &|node| node.hidden = node.name == "Show my city");
    assert!(matches!(look(&portrait, &page(rows)), Identified::Hidden(_)));
}

proptest! {
    /// Names and words from a few, so that equals are common.
    #[test]
    fn an_unchanged_page_never_leads_to_another_element(rows in prop::collection::vec((0..4_usize, 0..3_usize, any::<bool>()), 1..12)) {
        const NAMES: [&str; 4] = ["Remove", "Edit entry", "Share with friends", "Remove all"];
        const WORDS: [&str; 3] = ["", "Tuesday the third", "Letters from abroad"];
        let drawn = |(name, words, boxed): &(usize, usize, bool)| {
            let control = if *boxed { checkbox(NAMES[*name], &[]) } else { button(NAMES[*name]) };
            row(WORDS[*words], control)
        };
        let page = page(rows.iter().map(drawn).collect());
        for at in (0..page.items.len()).filter(|&at| matches!(page.items[at].tag.as_str(), "button" | "input")) {
            let portrait = (portrait_of(&page, at).expect("drawn"), Vec::new());
            match look(&portrait, &page) {
                Identified::Found(found) => prop_assert_eq!(found.at, at),
                Identified::Ambiguous(several) => prop_assert!(several.iter().any(|one| one.at == at)),
                other => prop_assert!(false, "{:?}", other),
            }
        }
    }
}
