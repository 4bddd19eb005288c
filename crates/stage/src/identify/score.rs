//! How well an element fits a portrait, from 0 to 1: the share of what was recorded that still holds, by weight.

use umpire_browser::observe::inventory::{Inventory, Item};

use super::Sought;
use super::cascade::{
    around_likeness, has_own_words, has_test_id, own_likeness, same_href, stable_id, useful_href,
};
use super::likeness::likeness;
use super::path::{along_css, along_xpath};
use super::portrait::{frames_of, shadow_hosts, without_query};
use crate::session::{Frame, Portrait};

mod weight {
    //! What was made to identify an element weighs most, then what it says, then what surrounds it; each place is weak
    //! and changes with the layout, but all of them together tell equals apart.
    pub const KIND: f64 = 2.0;
    pub const TEST_ID: f64 = 5.0;
    pub const SELECTOR: f64 = 4.0;
    pub const ID: f64 = 4.0;
    pub const FIELD_NAME: f64 = 3.0;
    pub const HREF: f64 = 3.5;
    pub const OWN_WORDS: f64 = 4.0;
    pub const HEADING: f64 = 1.5;
    pub const AROUND: f64 = 2.0;
    /// Among elements that say the same, the words around them are what a person goes by.
    pub const AROUND_EQUALS: f64 = 4.0;
    pub const NEIGHBOUR: f64 = 0.5;
    pub const CSS: f64 = 1.2;
    pub const XPATH: f64 = 0.4;
    pub const INDEX: f64 = 0.5;
    pub const AMONG_SIBLINGS: f64 = 0.5;
    pub const AMONG_EQUALS: f64 = 0.5;
    pub const RECT: f64 = 0.3;
    pub const FRAMES: f64 = 0.6;
    pub const SHADOW: f64 = 0.2;
}

/// Roles that a redesign exchanges for one another.
const FAMILIES: [&[&str]; 5] = [
    &["checkbox", "switch", "menuitemcheckbox"],
    &["radio", "menuitemradio", "option"],
    &["button", "link", "menuitem", "tab"],
    &["textbox", "searchbox", "combobox", "spinbutton"],
    &["combobox", "listbox", "button"],
];

/// Whether the element is the kind of thing that was recorded: 1 for the same, 0 for something else.
pub fn kinship(portrait: &Portrait, item: &Item) -> f64 {
    if portrait.tag.is_empty() && portrait.role.is_empty() {
        // Another recorder did not say.
        return 1.0;
    }
    let input_type = |written: Option<&str>| match written {
        None | Some("" | "text") => "text".to_owned(),
        Some(other) => other.to_ascii_lowercase(),
    };
    let is_input = portrait.tag == "input" && item.tag == "input";
    if is_input && input_type(portrait.input_type.as_deref()) != input_type(item.attribute("type")) {
        return if portrait.role == item.role { 0.6 } else { 0.0 };
    }
    match (portrait.role == item.role, portrait.tag == item.tag) {
        (true, true) => 1.0,
        (true, false) => 0.8,
        (false, _) => {
            let related = |family: &&[&str]| {
                family.contains(&portrait.role.as_str()) && family.contains(&item.role.as_str())
            };
            if FAMILIES.iter().any(related) { 0.5 } else { 0.0 }
        }
    }
}

#[derive(Default)]
struct Sum {
    gained: f64,
    possible: f64,
}

impl Sum {
    fn add(&mut self, weight: f64, share: f64) {
        self.gained += weight * share;
        self.possible += weight;
    }

    fn share(&self) -> f64 {
        if self.possible > 0.0 { self.gained / self.possible } else { 0.0 }
    }
}

/// Scores one element. On a page in another language (`foreign`) words are no evidence in either direction.
pub fn score(sought: &Sought<'_>, page: &Inventory, at: usize, foreign: bool) -> f64 {
    let portrait = sought.portrait;
    let Some(item) = page.items.get(at) else { return 0.0 };
    let mut sum = Sum::default();
    sum.add(weight::KIND, kinship(portrait, item));
    add_identifiers(&mut sum, sought, item, at);
    if !foreign {
        add_words(&mut sum, portrait, page, at, item);
    }
    add_place(&mut sum, sought, page, at, item, foreign);
    sum.share()
}

fn add_identifiers(sum: &mut Sum, sought: &Sought<'_>, item: &Item, at: usize) {
    let portrait = sought.portrait;
    let holds = |holds: bool| f64::from(u8::from(holds));
    if !portrait.locators.test_ids.is_empty() {
        sum.add(weight::TEST_ID, holds(has_test_id(portrait, item)));
    }
    if !portrait.locators.selectors.is_empty() {
        sum.add(weight::SELECTOR, holds(sought.proposed.contains(&at)));
    }
    if let Some(id) = stable_id(portrait) {
        sum.add(weight::ID, holds(item.attribute("id") == Some(id)));
    }
    if let Some(name) = portrait.locators.field_name.as_deref() {
        sum.add(weight::FIELD_NAME, holds(item.attribute("name") == Some(name)));
    }
    if let Some(href) = useful_href(portrait) {
        sum.add(weight::HREF, holds(item.attribute("href").is_some_and(|is| same_href(href, is))));
    }
}

fn add_words(sum: &mut Sum, portrait: &Portrait, page: &Inventory, at: usize, item: &Item) {
    let words = &portrait.words;
    if has_own_words(portrait) {
        sum.add(weight::OWN_WORDS, own_likeness(portrait, item).score);
    }
    if let Some(heading) = &words.heading {
        let found = page.heading_of(at).unwrap_or_default();
        sum.add(weight::HEADING, likeness(heading, found, false).score);
    }
    let had_equals = portrait.position.among_equals.is_some_and(|(_, all)| all > 1);
    let equals_now = item.among_equals.1 > 1;
    let around = if had_equals || equals_now { weight::AROUND_EQUALS } else { weight::AROUND };
    if let Some(found) = around_likeness(portrait, page, at) {
        sum.add(around, found.score);
    }
    for (said, found) in [(&words.previous, page.previous_text(at)), (&words.next, page.next_text(at))] {
        if let Some(said) = said {
            sum.add(weight::NEIGHBOUR, likeness(said, found.unwrap_or_default(), false).score);
        }
    }
}

fn add_place(sum: &mut Sum, sought: &Sought<'_>, page: &Inventory, at: usize, item: &Item, foreign: bool) {
    let portrait = sought.portrait;
    let position = &portrait.position;
    if let Some(path) = &portrait.locators.css {
        sum.add(weight::CSS, along_css(path, page, at));
    }
    if let Some(path) = &portrait.locators.xpath {
        sum.add(weight::XPATH, if along_xpath(path, page, at) >= 1.0 { 1.0 } else { 0.0 });
    }
    if let Some(index) = position.index {
        let away = item.focus_index.map_or(f64::INFINITY, |is| f64::from(is.abs_diff(index)));
        sum.add(weight::INDEX, if away == 0.0 { 1.0 } else { 0.5 * (1.0 - away / 5.0).max(0.0) });
    }
    let place = |was: (u32, u32), is: (u32, u32)| match (was == is, was.0 == is.0) {
        (true, _) => 1.0,
        (false, true) => 0.5,
        (false, false) => 0.0,
    };
    if let Some(was) = position.among_siblings {
        sum.add(weight::AMONG_SIBLINGS, place(was, item.among_siblings));
    }
    // Equal names are words, too.
    if let Some(was) = position.among_equals.filter(|_| !foreign) {
        sum.add(weight::AMONG_EQUALS, place(was, item.among_equals));
    }
    if let Some([x, y, width, height]) = position.rect {
        let rect = item.rect;
        let away = ((rect.x - x).powi(2) + (rect.y - y).powi(2)).sqrt();
        let resized = (rect.width - width).abs() + (rect.height - height).abs();
        let near = |distance: f64, reach: f64| (1.0 - distance / reach).clamp(0.0, 1.0);
        sum.add(weight::RECT, 0.7 * near(away, 300.0) + 0.3 * near(resized, 200.0));
    }
    sum.add(weight::FRAMES, frames_agree(sought.frames, &frames_of(page, at)));
    sum.add(weight::SHADOW, f64::from(u8::from(position.shadow_hosts == shadow_hosts(page, at))));
}

fn frames_agree(was: &[Frame], is: &[Frame]) -> f64 {
    let same = |was: &Frame, is: &Frame| {
        without_query(&was.url) == without_query(&is.url)
            || was.id.is_some() && was.id == is.id
            || was.name.is_some() && was.name == is.name
    };
    if was.len() == is.len() && was.iter().zip(is).all(|(was, is)| same(was, is)) {
        return 1.0;
    }
    match (was.last(), is.last()) {
        (Some(was), Some(is)) if same(was, is) => 0.5,
        _ => 0.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_are_the_same_by_address_or_by_name() {
        let frame = |url: &str, name: Option<&str>| Frame {
            url: url.to_owned(),
            name: name.map(str::to_owned),
            ..Frame::default()
        };
        let consent = [frame("http://consent.localhost/", Some("consent"))];
        let share = |was: &[Frame], is: &[Frame]| (frames_agree(was, is) * 10.0).round() as i32;
        assert_eq!(share(&[], &[]), 10);
        assert_eq!(share(&consent, &consent), 10);
        assert_eq!(share(&consent, &[frame("http://other.localhost/", Some("consent"))]), 10);
        assert_eq!(share(&consent, &[frame("http://other.localhost/", None)]), 0);
        assert_eq!(share(&consent, &[]), 0);
        let nested = [frame("http://wrapper.localhost/", None), consent[0].clone()];
        assert_eq!(share(&consent, &nested), 5);
    }
}
