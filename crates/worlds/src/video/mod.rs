//! "Reelyard", the video site: shelves of videos under a dark bar, and settings behind a row of tabs.

mod content;
mod description;
mod documents;
mod pages;

use std::collections::BTreeMap;

use maud::{Markup, html};
use umpire_model::Random;

use crate::settings::{Brand, Description, Frame, SettingsSite, View, menu, navigation, search_form};
use content::Content;
pub(crate) use documents::documents;

struct Reelyard;

pub(crate) fn site(seed: u64) -> SettingsSite {
    SettingsSite::new(&Reelyard, seed)
}

impl Brand for Reelyard {
    fn description(&self) -> &'static Description {
        &description::DESCRIPTION
    }

    fn stylesheet(&self) -> &'static str {
        include_str!("style.css")
    }

    fn mark(&self) -> &'static str {
        r##"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="6" fill="#e8572a"/><path d="M12 9l12 7-12 7z" fill="#fff"/></svg>"##
    }

    fn body(&self, view: &View<'_>, frame: &Frame<'_>) -> Markup {
        let asked = view.request.query("q").filter(|_| !frame.place.is_settings());
        let you = html! { span.you { "G" } };
        let entries = html! {
            p.quiet { (view.description.owner.name) br; (view.description.owner.email) }
            a role="menuitem" href="/me" { "Your channel" }
            a role="menuitem" href="/later" { "Watch later" }
            a role="menuitem" href="/settings/history" { "History" }
            a role="menuitem" href="/settings" { "Settings" }
        };
        html! {
            header.bar {
                a.brand href="/" { img src="/assets/mark.svg" alt="" width="28" height="28"; "Reelyard" }
                form.find role="search" action="/results" {
                    input type="search" name="q" aria-label="Search videos" placeholder="Search videos" value=[asked];
                    button type="submit" { "Search" }
                }
                (menu("account-menu", "Your account", &you, &entries))
            }
            @if frame.place.is_settings() {
                div.settings-top { h1 { "Settings" } (search_form(view)) (navigation(view, frame.place)) }
                main.settings { h2.page-title { (frame.title) } (frame.content) }
            } @else {
                (pages::chips(view))
                main { h1 { (frame.title) } (frame.content) }
            }
            footer {
                span { "Reelyard Ltd, Bath" }
                a href="/settings/cookies" { "Manage cookies" }
                a href="/settings/ads" { "About our ads" }
                a href="/settings/account" { "Your data" }
            }
        }
    }

    fn front(&self, view: &View<'_>) -> Option<(String, Markup)> {
        pages::show(view)
    }

    fn first_entries(&self, seed: u64, list: &str) -> BTreeMap<String, String> {
        let content = Content::of_seed(seed);
        let random = &mut Random::stream(seed, &format!("video.{list}"));
        let mut some_videos = |count: usize| {
            (0..count)
                .filter_map(|_| random.pick(&content.videos))
                .map(|video| (video.id.clone(), video.title.clone()))
                .collect()
        };
        match list {
            "watched" => some_videos(14),
            "watch_later" => some_videos(4),
            "hidden_channels" => (0..3)
                .filter_map(|_| random.pick(&content.channels))
                .map(|channel| (channel.id.clone(), channel.name.clone()))
                .collect(),
            _ => ["first!", "sub4sub"].map(|word| (word.to_owned(), word.to_owned())).into(),
        }
    }

    fn entry_name(&self, seed: u64, list: &str, entry: &str) -> Option<String> {
        let content = Content::of_seed(seed);
        match list {
            "watch_later" => content.video(entry).map(|video| video.title.clone()),
            "hidden_channels" => content.channel(entry).map(|channel| channel.name.clone()),
            _ => None,
        }
    }
}
