//! "The Harbour Gazette": a newspaper, and a reader's account drawn as a dense table of two columns.

mod content;
mod description;
mod documents;
mod pages;

use std::collections::BTreeMap;

use maud::{Markup, html};
use umpire_model::Random;

use crate::settings::{Brand, Description, Frame, SettingsSite, View, navigation, people, search_form};
use content::{Paper, sections};
pub(crate) use documents::documents;

struct Gazette;

pub(crate) fn site(seed: u64) -> SettingsSite {
    SettingsSite::new(&Gazette, seed)
}

impl Brand for Gazette {
    fn description(&self) -> &'static Description {
        &description::DESCRIPTION
    }

    fn stylesheet(&self) -> &'static str {
        include_str!("style.css")
    }

    fn mark(&self) -> &'static str {
        r##"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" fill="#fff"/><path d="M16 4v22M9 9h14M7 18c0 6 5 9 9 9s9-3 9-9" fill="none" stroke="#111" stroke-width="2.6"/></svg>"##
    }

    fn body(&self, view: &View<'_>, frame: &Frame<'_>) -> Markup {
        html! {
            header.masthead {
                p.date { "Monday, 16 March 2026 · Whitby" }
                a.title href="/" { "The Harbour Gazette" }
                p.reader { a href="/settings" { "My account" } " · " a href="/clippings" { "Clippings" } }
            }
            nav.sections aria-label="Sections" {
                @for section in sections() { a href=(format!("/section/{}", section.to_lowercase())) { (section) } }
                form role="search" action="/search" { input type="search" name="q" aria-label="Search the paper" placeholder="Search the paper" value=[view.request.query("q").filter(|_| !frame.place.is_settings())]; }
            }
            @if frame.place.is_settings() {
                main.account {
                    div.account-head { h1 { (frame.title) } (search_form(view)) }
                    (navigation(view, frame.place))
                    div.account-body { (frame.content) }
                }
            } @else {
                main { h1 { (frame.title) } (frame.content) }
            }
            footer {
                p { "Printed and published at the Old Customs House." }
                p { a href="/settings/cookies" { "Cookies and partners" } " | " a href="/settings/data" { "Data protection" } " | " a href="/settings/newsletters" { "Newsletters" } }
            }
        }
    }

    fn front(&self, view: &View<'_>) -> Option<(String, Markup)> {
        pages::show(view)
    }

    fn first_entries(&self, seed: u64, list: &str) -> BTreeMap<String, String> {
        let paper = Paper::of_seed(seed);
        let random = &mut Random::stream(seed, &format!("gazette.{list}"));
        let named = |name: String| (name.to_lowercase(), name);
        let mut some_articles = |count: usize| {
            (0..count)
                .filter_map(|_| random.pick(&paper.articles))
                .map(|article| (article.id.clone(), article.headline.clone()))
                .collect()
        };
        match list {
            "articles" => some_articles(12),
            "clippings" => some_articles(4),
            "family" => ["Rufus Winterbourne", "Agnes Holm", "Dockside Café"]
                .map(|name| named(name.to_owned()))
                .into(),
            _ => people(random, 2).into_iter().map(named).collect(),
        }
    }

    fn entry_name(&self, seed: u64, list: &str, entry: &str) -> Option<String> {
        match list {
            "clippings" => Paper::of_seed(seed).article(entry).map(|article| article.headline.clone()),
            _ => None,
        }
    }
}
