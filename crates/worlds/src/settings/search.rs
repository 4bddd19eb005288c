//! The settings search: finds controls, blocks and pages by the words on them.

use maud::html;

use super::View;
use super::description::Description;
use super::draw::{self, Frame, Place};
use crate::Response;

pub(super) struct Hit {
    pub name: &'static str,
    pub page: &'static str,
    pub link: String,
}

/// Every setting whose wording has all the words asked for.
pub(super) fn find(description: &Description, asked: &str) -> Vec<Hit> {
    let words: Vec<String> = asked.to_lowercase().split_whitespace().map(str::to_owned).collect();
    if words.is_empty() {
        return Vec::new();
    }
    let matches = |texts: &[&str]| {
        let text = texts.join(" ").to_lowercase();
        words.iter().all(|word| text.contains(word.as_str()))
    };
    let mut hits = Vec::new();
    for page in description.pages {
        let link = || format!("/settings/{}", page.slug);
        if matches(&[page.title, page.lead]) {
            hits.push(Hit { name: page.title, page: page.title, link: link() });
        }
        for block in page.blocks {
            if block.title != page.title && matches(&[block.title, block.note]) {
                hits.push(Hit { name: block.title, page: page.title, link: link() });
            }
        }
    }
    for (page, _, _, control) in description.controls() {
        if matches(&[control.label, control.detail]) {
            let link = format!("/settings/{}", page.slug);
            hits.push(Hit { name: control.label, page: page.title, link });
        }
    }
    hits
}

pub(super) fn show(view: &View<'_>) -> Response {
    let asked = view.request.query("q").unwrap_or_default();
    let hits = find(view.description, asked);
    let content = html! {
        @if hits.is_empty() {
            p.quiet { "No setting matches “" (asked) "”. Try another word." }
        } @else {
            p.quiet { (hits.len()) " results for “" (asked) "”" }
            ul.rows.hits {
                @for hit in &hits { li { div.words { a href=(hit.link) { (hit.name) } small { "in " (hit.page) } } } }
            }
        }
    };
    draw::framed(view, &Frame { title: "Search settings", place: Place::Settings(None), content })
}
