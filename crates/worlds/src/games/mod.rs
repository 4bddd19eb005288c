//! "Quarterdeck", the game store: a dark storefront, with navigation and settings in a drawer.

mod content;
mod description;
mod documents;
mod pages;

use std::collections::BTreeMap;

use maud::{Markup, html};
use umpire_model::Random;

use crate::settings::{Brand, Description, Frame, SettingsSite, View, navigation, people, search_form};
use content::{Catalogue, genres};
pub(crate) use documents::documents;

struct Quarterdeck;

pub(crate) fn site(seed: u64) -> SettingsSite {
    SettingsSite::new(&Quarterdeck, seed)
}

impl Brand for Quarterdeck {
    fn description(&self) -> &'static Description {
        &description::DESCRIPTION
    }

    fn stylesheet(&self) -> &'static str {
        include_str!("style.css")
    }

    fn mark(&self) -> &'static str {
        r##"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><circle cx="16" cy="16" r="16" fill="#12b5a6"/><path d="M7 19h18l-4 6H11zM15 6v11H8zM17 9v8h7z" fill="#07131f"/></svg>"##
    }

    fn body(&self, view: &View<'_>, frame: &Frame<'_>) -> Markup {
        html! {
            header.deck {
                button.icon type="button" aria-label="Open navigation" aria-haspopup="menu" aria-expanded="false" data-menu="drawer" {
                    svg viewBox="0 0 24 24" width="26" height="26" aria-hidden="true" { path d="M4 6h16M4 12h16M4 18h16" {} }
                }
                a.brand href="/" { img src="/assets/mark.svg" alt="" width="32" height="32"; "QUARTERDECK" }
                form.find role="search" action="/browse" { input type="search" name="q" aria-label="Search games" placeholder="Search 1,500 games"; }
                a href="/wishlist" { "Wishlist" }
                span.player { (view.state.text("gamertag")) }
            }
            div.drawer id="drawer" hidden {
                h2 { "Store" }
                ul { @for genre in genres() { li { a href=(format!("/browse?genre={genre}")) { (genre) } } } }
                h2 { "Settings" }
                (search_form(view))
                (navigation(view, frame.place))
            }
            main.settings[frame.place.is_settings()] { h1 { (frame.title) } (frame.content) }
            footer {
                "Quarterdeck ehf., Reykjavik · prices include VAT · " a href="/settings/cookies" { "Cookie preferences" } " · "
                a href="/settings/data" { "Data and account" }
            }
        }
    }

    fn front(&self, view: &View<'_>) -> Option<(String, Markup)> {
        pages::show(view)
    }

    fn first_entries(&self, seed: u64, list: &str) -> BTreeMap<String, String> {
        let catalogue = Catalogue::of_seed(seed);
        let random = &mut Random::stream(seed, &format!("games.{list}"));
        let words =
            |words: &[&str]| words.iter().map(|word| (word.to_lowercase(), (*word).to_owned())).collect();
        let count = match list {
            "saves" => 8,
            "wishlist" => 5,
            "ignored_games" => 4,
            "excluded_tags" => return words(&["Jump scares", "Gambling"]),
            _ => {
                return people(random, 4)
                    .into_iter()
                    .map(|name| name.replace(' ', ""))
                    .map(|name| (name.to_lowercase(), name))
                    .collect();
            }
        };
        (0..count)
            .filter_map(|_| random.pick(&catalogue.games))
            .map(|game| (game.id.clone(), game.title.clone()))
            .collect()
    }

    fn entry_name(&self, seed: u64, list: &str, entry: &str) -> Option<String> {
        matches!(list, "wishlist" | "ignored_games")
            .then(|| Catalogue::of_seed(seed).game(entry).map(|game| game.title.clone()))
            .flatten()
    }
}
