//! The portrait of an element on a page, as a recorder would have drawn it.

use umpire_browser::observe::inventory::Inventory;

use super::path::{css_path, xpath};
use crate::session::{Frame, Locators, Portrait, Position, Words};
use crate::states;

/// Attributes that are made for tests and tend to stay.
pub const TEST_IDS: [&str; 7] = [
    "data-testid",
    "data-test",
    "data-test-id",
    "data-cy",
    "data-qa",
    "data-automation",
    "data-automation-id",
];

/// Draws the element at this place of the inventory; `None` if there is none.
pub fn portrait_of(page: &Inventory, at: usize) -> Option<Portrait> {
    let item = page.items.get(at)?;
    let attribute = |name: &str| item.attribute(name).filter(|value| !value.is_empty()).map(str::to_owned);
    let filled = |text: &str| (!text.is_empty()).then(|| text.to_owned());
    let test_ids = TEST_IDS.iter().filter_map(|name| Some(((*name).to_owned(), attribute(name)?)));
    Some(Portrait {
        tag: item.tag.clone(),
        role: item.role.clone(),
        input_type: attribute("type").filter(|_| matches!(item.tag.as_str(), "input" | "button")),
        name: item.name.clone(),
        locators: Locators {
            id: attribute("id"),
            field_name: attribute("name"),
            test_ids: test_ids.collect(),
            href: attribute("href"),
            css: Some(css_path(page, at)),
            xpath: Some(xpath(page, at)),
            selectors: Vec::new(),
        },
        words: Words {
            aria_label: attribute("aria-label"),
            label: item.label.clone(),
            placeholder: attribute("placeholder"),
            title: attribute("title"),
            alt: attribute("alt"),
            text: filled(&item.text),
            previous: page.previous_text(at).map(str::to_owned),
            next: page.next_text(at).map(str::to_owned),
            parent: page.text_around(at),
            heading: page.heading_of(at).map(str::to_owned),
        },
        position: Position {
            index: item.focus_index,
            among_equals: Some(item.among_equals),
            among_siblings: Some(item.among_siblings),
            rect: Some([item.rect.x, item.rect.y, item.rect.width, item.rect.height]),
            shadow_hosts: shadow_hosts(page, at),
        },
        control: states::kind_of(item),
    })
}

/// Tags of the hosts it stands in, outermost first.
pub fn shadow_hosts(page: &Inventory, at: usize) -> Vec<String> {
    let line = std::iter::once(at).chain(page.ancestors(at));
    let hosts = line.filter_map(|below| {
        let item = page.items.get(below)?;
        item.parent.filter(|_| item.enters_shadow).and_then(|host| page.items.get(host))
    });
    let mut hosts: Vec<String> = hosts.map(|host| host.tag.clone()).collect();
    hosts.reverse();
    hosts
}

/// The frames it stands in, as a session writes them.
pub fn frames_of(page: &Inventory, at: usize) -> Vec<Frame> {
    let chain = page.frames_of(at).into_iter();
    chain
        .map(|place| {
            let owner = place.owner.and_then(|owner| page.items.get(owner));
            let attribute = |name: &str| {
                owner
                    .and_then(|owner| owner.attribute(name))
                    .filter(|value| !value.is_empty())
                    .map(str::to_owned)
            };
            Frame {
                url: without_query(&place.url).to_owned(),
                id: attribute("id"),
                name: attribute("name"),
                title: attribute("title"),
                index: Some(place.index),
            }
        })
        .collect()
}

pub fn without_query(url: &str) -> &str {
    url.split(['?', '#']).next().unwrap_or(url)
}
