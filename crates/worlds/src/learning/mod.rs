//! "Brightwell", the learning site: a catalogue of courses, and settings in folding cards.

mod content;
mod description;
mod documents;
mod pages;

use std::collections::BTreeMap;

use maud::{Markup, html};
use umpire_model::Random;

use crate::settings::{Brand, Description, Frame, SettingsSite, View, navigation, search_form};
use content::Catalogue;
pub(crate) use documents::documents;

struct Brightwell;

pub(crate) fn site(seed: u64) -> SettingsSite {
    SettingsSite::new(&Brightwell, seed)
}

impl Brand for Brightwell {
    fn description(&self) -> &'static Description {
        &description::DESCRIPTION
    }

    fn stylesheet(&self) -> &'static str {
        include_str!("style.css")
    }

    fn mark(&self) -> &'static str {
        r##"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><path d="M16 2l12 7v14l-12 7-12-7V9z" fill="#14624a"/><path d="M9 12l7 4 7-4M16 16v8" stroke="#ffd76a" stroke-width="2.4" fill="none"/></svg>"##
    }

    fn body(&self, view: &View<'_>, frame: &Frame<'_>) -> Markup {
        html! {
            header.top {
                a.brand href="/" { img src="/assets/mark.svg" alt="" width="32" height="32"; "Brightwell" }
                nav aria-label="Main" {
                    a href="/courses" { "Courses" }
                    a href="/learning" { "My learning" }
                    a href="/settings" { "Account settings" }
                }
                span.who { (view.state.text("full_name")) }
            }
            @if frame.place.is_settings() {
                div.settings-head { div { p { a href="/settings" { "Account settings" } } h1 { (frame.title) } } (search_form(view)) }
                main.settings { (frame.content) (navigation(view, frame.place)) }
            } @else {
                main { h1 { (frame.title) } (frame.content) }
            }
            footer {
                p { b { "Brightwell" } " · An open school in Graz since 2011" }
                p { a href="/settings/cookies" { "Cookie settings" } " · " a href="/settings/privacy" { "Privacy" } " · " a href="/settings/data" { "Your records" } }
            }
        }
    }

    fn front(&self, view: &View<'_>) -> Option<(String, Markup)> {
        pages::show(view)
    }

    fn first_entries(&self, seed: u64, list: &str) -> BTreeMap<String, String> {
        let catalogue = Catalogue::of_seed(seed);
        let random = &mut Random::stream(seed, &format!("learning.{list}"));
        let mut some = |count: usize, prefix: &str| {
            (0..count)
                .filter_map(|_| random.pick(&catalogue.courses))
                .map(|course| (course.id.clone(), format!("{prefix}{}", course.title)))
                .collect()
        };
        match list {
            "lessons" => some(9, "Lesson 1 of "),
            "drafts" => some(4, "Essay for "),
            "wishlist" => some(3, ""),
            _ => crate::settings::people(random, 3)
                .into_iter()
                .map(|name| (name.to_lowercase(), name))
                .collect(),
        }
    }

    fn entry_name(&self, seed: u64, list: &str, entry: &str) -> Option<String> {
        match list {
            "wishlist" => Catalogue::of_seed(seed).course(entry).map(|course| course.title.clone()),
            _ => None,
        }
    }
}
