//! A way with blanks: the reference actions of a wish, without what the wish leaves unsaid and without the name of what it
//! leads to.

use umpire_browser::Observation;
use umpire_model::{Action, Persona, Target};
use umpire_persona::audit::About;
use umpire_persona::scoring::Hidden;
use umpire_persona::{Tables, replace_words};

use crate::detours::Reference;

/// What has to be found out before a way can be gone.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Blanks {
    /// The kind of thing that is wished for.
    pub category: String,
    pub unsaid: Vec<About>,
}

/// In place of the result's name. It is read off the page: whoever filled in everything rightly finds the result first in
/// the list, and others find something else there.
const RESULT: &str = "⟦result⟧";
const LINK: &str = "link";
/// In addresses of things, at all marketplaces.
const THING: &str = "/item/";

impl Reference {
    /// Takes out of the actions what a wish of this level does not say of the person. After that, nothing here tells it.
    #[must_use]
    pub fn with_blanks(mut self, persona: &Persona, category: &str, level: Option<usize>) -> Self {
        let hidden = Hidden::at_level(level);
        let mut truths: Vec<(About, &str)> = Vec::new();
        if hidden.website {
            truths.push((About::Website, &persona.website.name));
        }
        if hidden.preferences {
            let preferences = persona.preferences.iter();
            truths.extend(preferences.map(|one| (About::Preference(one.key.clone()), one.value.as_str())));
        }
        if let Some(home) = persona.location.as_ref().filter(|_| hidden.location) {
            truths.extend([(About::Address, home.address.as_str()), (About::City, home.city.as_str())]);
        }
        if !truths.is_empty() {
            hide_result(&mut self.actions);
        }
        for (about, truth) in &truths {
            let blank = blank(about);
            for text in self.actions.iter_mut().flat_map(|action| texts_with(action, truth)) {
                *text = replace_words(text, truth, &blank);
            }
        }
        let unsaid = truths.into_iter().map(|(about, _)| about).collect();
        self.blanks = Blanks { category: category.to_owned(), unsaid };
        self
    }

    /// Takes out of the way what would need an answer that nobody has found: a filter is not set, a choice not made.
    pub(crate) fn leave_open(&mut self) {
        self.actions.retain(|action| !is_blank(action));
    }

    /// Fills a blank in with what somebody takes for the truth.
    pub(crate) fn fill(&mut self, about: &About, value: &str) {
        let value = match about {
            About::Website => name_of(value),
            _ => value,
        };
        let blank = blank(about);
        for text in self.actions.iter_mut().flat_map(texts) {
            *text = text.replace(&blank, value);
        }
    }
}

/// Whether an action still asks for something about the person.
fn is_blank(action: &Action) -> bool {
    let mut action = action.clone();
    texts(&mut action).into_iter().any(|text| text.contains('⟦') && !text.contains(RESULT))
}

/// The last link of a way leads to its result, whose name may be asked for or stand on a button, too.
fn hide_result(actions: &mut [Action]) {
    let last = actions.iter().rev().find_map(|action| match action {
        Action::Click(Target::Named { role, name, .. }) if role == LINK => Some(name),
        _ => None,
    });
    let Some(name) = last.cloned() else { return };
    for text in actions.iter_mut().flat_map(texts) {
        *text = replace_words(text, &name, RESULT);
    }
}

/// Fills in what the list on the page shows first, if the action at hand asks for it.
pub(crate) fn fill_result(actions: &mut [Action], seen: &Observation) {
    let is_asked_for =
        |action: &Action| matches!(action, Action::Click(Target::Named { name, .. }) if name == RESULT);
    if !actions.first().is_some_and(is_asked_for) {
        return;
    }
    let is_thing = |href: &str| href.contains(THING);
    let mut things = seen.elements.iter().filter(|element| element.href.as_deref().is_some_and(is_thing));
    let Some(first) = things.find(|thing| thing.role == LINK && !thing.name.is_empty()) else { return };
    for text in actions.iter_mut().flat_map(texts) {
        *text = text.replace(RESULT, &first.name);
    }
}

fn blank(about: &About) -> String {
    match about {
        About::Website => "⟦website⟧".to_owned(),
        // In one word: a key may be called as another preference's value is.
        About::Preference(key) => format!("⟦preference{key}⟧"),
        About::Address => "⟦address⟧".to_owned(),
        About::City => "⟦city⟧".to_owned(),
    }
}

/// Websites are known by their hosts and called by their names.
fn name_of(host: &str) -> &str {
    let domain = Tables::embedded().of_host(host);
    let site = domain.and_then(|domain| domain.sites.iter().find(|site| site.website.host == host));
    site.map_or(host, |site| &site.website.name)
}

/// Texts of the action that can have the truth in them. A number that is an option by itself may count anything: nights,
/// people.
fn texts_with<'a>(action: &'a mut Action, truth: &str) -> Vec<&'a mut String> {
    let is_number = truth.chars().all(|c| c.is_ascii_digit());
    if matches!(action, Action::Select(_, option) if is_number && option == truth) {
        return Vec::new();
    }
    texts(action)
}

fn texts(action: &mut Action) -> Vec<&mut String> {
    let (target, said) = match action {
        Action::Click(target) | Action::Hover(target) => (Some(target), None),
        Action::Type(target, said) | Action::Select(target, said) => (Some(target), Some(said)),
        Action::Answer(said) => (None, Some(said)),
        _ => (None, None),
    };
    let name = target.and_then(|target| match target {
        Target::Named { name, .. } => Some(name),
        _ => None,
    });
    name.into_iter().chain(said).collect()
}

#[cfg(test)]
mod tests {
    use umpire_model::{Location, Preference, Website};

    use super::*;
    use crate::sample::Page;

    fn persona() -> Persona {
        let preference =
            |key: &str, value: &str| Preference { key: key.to_owned(), value: value.to_owned(), text: None };
        Persona {
            id: "maya".to_owned(),
            website: Website { name: "Nightjar Stays".to_owned(), host: "nightjar.localhost".to_owned() },
            preferences: vec![
                preference("room", "Suite"),
                preference("distance", "3"),
                preference("view", "room"),
            ],
            location: Some(Location { address: "118 Alder Street".to_owned(), city: "Portmere".to_owned() }),
        }
    }

    fn way(level: usize) -> Reference {
        let actions = [
            "click link \"Nightjar Stays\"",
            "select combobox \"City\" \"Portmere\"",
            "type textbox \"Near address\" \"118 Alder Street\"",
            "select combobox \"Nights\" \"3\"",
            "select combobox \"Distance\" \"Within 3 miles\"",
            "click radio \"Suite\"",
            "click checkbox \"Looks into a room\"",
            "click link \"The Suites Inn\"",
            "click button \"Save The Suites Inn\"",
            "answer \"The Suites Inn\"",
        ];
        let actions = actions.map(|action| action.parse().expect("an action")).to_vec();
        Reference { actions, ..Reference::default() }.with_blanks(&persona(), "Hotels", Some(level))
    }

    /// A page with a list of two.
    fn list() -> Observation {
        let links = [
            ("Help", "/help"),
            ("", "/item/NJ-1"),
            ("The Suites Inn", "/item/NJ-1?nights=3"),
            ("The Yew Inn", "/item/NJ-2"),
        ];
        let with = |page: Page, (name, href): (&str, &str)| {
            page.with_element("link", name, |link| {
                link.href = Some(format!("http://nightjar.localhost{href}"));
            })
        };
        links.into_iter().fold(Page::at("http://nightjar.localhost/find"), with).seen()
    }

    fn said(way: &Reference) -> String {
        way.actions.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
    }

    #[test]
    fn what_a_level_hides_is_nowhere_in_the_way() {
        for (level, hidden) in [
            (0, &[][..]),
            (1, &["Nightjar", "Portmere", "Alder Street"]),
            (2, &["Nightjar", "Portmere", "Alder Street", "\"Suite\"", "Within 3"]),
        ] {
            let way = way(level);
            for truth in ["Nightjar", "Portmere", "Alder Street", "\"Suite\"", "Within 3"] {
                assert_eq!(!said(&way).contains(truth), hidden.contains(&truth), "level {level}: {truth}");
            }
            assert!(said(&way).contains("\"Nights\" \"3\""), "nights are no miles");
            assert_eq!(said(&way).contains("The Suites Inn"), level == 0, "the result is to be found");
        }
        assert_eq!(way(0).blanks.unsaid, []);
        assert_eq!(way(2).blanks.unsaid.len(), 6);
    }

    #[test]
    fn filled_in_rightly_the_way_is_what_it_was() {
        let mut filled = way(2);
        filled.fill(&About::Website, "nightjar.localhost");
        filled.fill(&About::Preference("room".to_owned()), "Suite");
        filled.fill(&About::Preference("distance".to_owned()), "3");
        filled.fill(&About::Preference("view".to_owned()), "room");
        filled.fill(&About::Address, "118 Alder Street");
        filled.fill(&About::City, "Portmere");
        let result = filled.actions.len() - 3;
        fill_result(&mut filled.actions[1..], &list());
        assert!(said(&filled).contains(RESULT), "not before it is its turn");
        fill_result(&mut filled.actions[result..], &list());
        assert_eq!(said(&filled), said(&way(0)));
        let mut open = way(2);
        open.fill(&About::Website, "roomward.localhost");
        open.fill(&About::Address, "1 Ivy Lane");
        open.fill(&About::City, "Alderton");
        open.leave_open();
        let left: Vec<String> = open.actions.iter().map(ToString::to_string).collect();
        assert_eq!(left.len(), way(2).actions.len() - 3, "no distance, no room and no view: {left:?}");
        assert!(
            left.iter().any(|action| action.contains(RESULT)),
            "what comes first is still taken: {left:?}"
        );
        let mut wrong = way(2);
        wrong.fill(&About::Website, "roomward.localhost");
        assert!(said(&wrong).contains("click link \"Roomward\""));
    }
}
