//! "Murmur", the social network: a feed, people, saved posts, and settings reached from a rail on the left.

mod content;
mod description;
mod documents;
mod pages;

use std::collections::BTreeMap;

use maud::{Markup, html};
use umpire_model::Random;

use crate::kit::text::slug;
use crate::settings::{Brand, Description, Frame, SettingsSite, View, navigation, search_form};
use content::Content;
pub use documents::documents;

struct Murmur;

pub(crate) fn site(seed: u64) -> SettingsSite {
    SettingsSite::new(&Murmur, seed)
}

/// Rail entries: link, wording, the path of the picture.
const RAIL: [(&str, &str, &str); 5] = [
    ("/", "Home", "M3 11l9-8 9 8v10h-6v-6H9v6H3z"),
    ("/explore", "Explore", "M10 3a7 7 0 1 1 0 14 7 7 0 0 1 0-14zm5 12l6 6"),
    ("/saved", "Saved posts", "M6 3h12v18l-6-5-6 5z"),
    ("/me", "My profile", "M12 4a4 4 0 1 1 0 8 4 4 0 0 1 0-8zM4 21c0-5 4-7 8-7s8 2 8 7"),
    ("/settings", "Settings", "M4 7h16M4 17h16M9 4v6M15 14v6"),
];

impl Brand for Murmur {
    fn description(&self) -> &'static Description {
        &description::DESCRIPTION
    }

    fn stylesheet(&self) -> &'static str {
        include_str!("style.css")
    }

    fn mark(&self) -> &'static str {
        r##"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="16" fill="#5b3fd6"/><path d="M7 20c3-9 6-9 9 0s6 9 9 0" fill="none" stroke="#fff" stroke-width="3.4" stroke-linecap="round"/></svg>"##
    }

    fn body(&self, view: &View<'_>, frame: &Frame<'_>) -> Markup {
        let here = view.request.path.first().map_or_else(|| "/".to_owned(), |first| format!("/{first}"));
        html! {
            div.shell {
                header.rail {
                    a.brand href="/" { img src="/assets/mark.svg" alt="" width="34" height="34"; span { "murmur" } }
                    nav aria-label="Main" {
                        @for (link, label, path) in RAIL {
                            a href=(link) aria-current=[(here == link).then_some("page")] {
                                svg viewBox="0 0 24 24" width="24" height="24" aria-hidden="true" { path d=(path) {} }
                                span { (label) }
                            }
                        }
                    }
                    div.who {
                        span.face aria-hidden="true" { "NC" }
                        div { b { (view.state.text("display_name")) } small { "@" (view.description.owner.handle) } }
                    }
                }
                @if frame.place.is_settings() {
                    aside.second { h2 { "Settings" } (search_form(view)) (navigation(view, frame.place)) }
                }
                main { h1 { (frame.title) } (frame.content) }
                @if !frame.place.is_settings() { (pages::side(view)) }
            }
            footer.foot {
                "© 2026 Murmur Cooperative · " a href="/settings/cookies" { "Cookie choices" } " · "
                a href="/settings/data" { "Privacy and data" }
            }
        }
    }

    fn front(&self, view: &View<'_>) -> Option<(String, Markup)> {
        pages::show(view)
    }

    fn first_entries(&self, seed: u64, list: &str) -> BTreeMap<String, String> {
        let content = Content::of_seed(seed);
        let random = &mut Random::stream(seed, &format!("social.{list}"));
        let pick_words =
            |words: &[&str]| words.iter().map(|word| (word.to_lowercase(), (*word).to_owned())).collect();
        match list {
            "blocked" => (0..4)
                .filter_map(|_| random.pick(&content.people))
                .map(|person| (person.id.clone(), person.name.clone()))
                .collect(),
            "muted_words" => pick_words(&["giveaway", "season finale", "crypto"]),
            "interests" => {
                let mut interests = noticed_interests();
                random.shuffle(&mut interests);
                interests.into_iter().take(8).map(|name| (slug(name), name.to_owned())).collect()
            }
            "searches" => pick_words(&[
                "kiln repair ostend",
                "ferry timetable",
                "left-handed scissors",
                "ash glaze recipe",
            ]),
            _ => content
                .posts
                .iter()
                .skip(random.below(40))
                .step_by(17)
                .take(3)
                .map(|post| (post.id.clone(), pages::short(&post.text)))
                .collect(),
        }
    }

    fn entry_name(&self, seed: u64, list: &str, entry: &str) -> Option<String> {
        let content = Content::of_seed(seed);
        match list {
            "blocked" => content.person(entry).map(|person| person.name.clone()),
            "saved" => content.post(entry).map(|post| pages::short(&post.text)),
            _ => None,
        }
    }
}

/// What an ad machine believes about a potter in Ostend.
fn noticed_interests() -> Vec<&'static str> {
    vec![
        "Ceramics",
        "Ferry trips",
        "Online poker",
        "Dog food",
        "Mortgages",
        "Weight loss",
        "Baby clothes",
        "Classic cars",
        "Houseplants",
        "Energy drinks",
        "City breaks",
        "Dating",
    ]
}
