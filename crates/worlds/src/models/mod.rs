//! "Weightroom", the model hub: a catalogue for engineers, and settings with tokens that have conditions.

mod content;
mod description;
mod documents;
mod pages;

use std::collections::BTreeMap;

use maud::{Markup, html};
use umpire_model::Random;

use crate::kit::text::slug;
use crate::settings::{Brand, Description, Frame, SettingsSite, View, menu, navigation, people, search_form};
use content::Catalogue;
pub(crate) use documents::documents;

struct Weightroom;

pub(crate) fn site(seed: u64) -> SettingsSite {
    SettingsSite::new(&Weightroom, seed)
}

impl Brand for Weightroom {
    fn description(&self) -> &'static Description {
        &description::DESCRIPTION
    }

    fn stylesheet(&self) -> &'static str {
        include_str!("style.css")
    }

    fn mark(&self) -> &'static str {
        r##"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="4" fill="#14151a"/><path d="M5 11v10M9 8v16M9 16h14M23 8v16M27 11v10" stroke="#f5c518" stroke-width="3" stroke-linecap="round"/></svg>"##
    }

    fn body(&self, view: &View<'_>, frame: &Frame<'_>) -> Markup {
        let face = html! { span.face { "LR" } };
        let entries = html! {
            a role="menuitem" href="/me" { "Profile page" }
            a role="menuitem" href="/starred" { "Starred" }
            a role="menuitem" href="/settings" { "Settings" }
            a role="menuitem" href="/settings/tokens" { "Access tokens" }
        };
        html! {
            header.line {
                a.brand href="/" { img src="/assets/mark.svg" alt="" width="26" height="26"; "weightroom" }
                form role="search" action="/models" { input type="search" name="q" aria-label="Search models" placeholder="Search models" value=[view.request.query("q").filter(|_| !frame.place.is_settings())]; }
                nav aria-label="Main" { a href="/models" { "Models" } a href="/starred" { "Starred" } }
                (menu("user-menu", "User menu", &face, &entries))
            }
            @if frame.place.is_settings() {
                div.pane {
                    aside { p { b { (view.state.text("full_name")) } br; code { (view.description.owner.handle) } } (navigation(view, frame.place)) (search_form(view)) }
                    main { h1 { (frame.title) } (frame.content) }
                }
            } @else {
                main { h1 { (frame.title) } (frame.content) }
            }
            footer { code { "weightroom 4.18.2" } a href="/settings/cookies" { "Cookies" } a href="/settings/privacy" { "Privacy and data" } }
        }
    }

    fn front(&self, view: &View<'_>) -> Option<(String, Markup)> {
        pages::show(view)
    }

    fn first_entries(&self, seed: u64, list: &str) -> BTreeMap<String, String> {
        let catalogue = Catalogue::of_seed(seed);
        let random = &mut Random::stream(seed, &format!("models.{list}"));
        let words = |words: &[&str]| words.iter().map(|word| (slug(word), (*word).to_owned())).collect();
        match list {
            "checkpoints" => (1..=6)
                .map(|step| (format!("step-{step}000"), format!("wolof-asr/step-{step}000.safetensors")))
                .collect(),
            "prompts" => words(&[
                "Translate my landlord's letter",
                "Is this mole dangerous?",
                "Write a poem about tokenisers",
                "Summarise the salary agreement",
                "Name ideas for a parrot",
            ]),
            "starred" => (0..5)
                .filter_map(|_| random.pick(&catalogue.models))
                .map(|model| (model.id.clone(), model.name.clone()))
                .collect(),
            _ => people(random, 3)
                .into_iter()
                .map(|name| slug(&name))
                .map(|name| (name.clone(), name))
                .collect(),
        }
    }

    fn entry_name(&self, seed: u64, list: &str, entry: &str) -> Option<String> {
        match list {
            "starred" => Catalogue::of_seed(seed).model(entry).map(|model| model.name.clone()),
            _ => None,
        }
    }
}
