//! Answers to a question.

use maud::{Markup, html};

use super::Visit;
use super::layout::page;
use crate::Response;
use crate::documents::{Document, Kind};
use crate::kit::lists::{counted, link_with, page_of, pager};
use crate::search_engine::index::Index;
use crate::search_engine::question::{Question, TABS, words_of};

const SNIPPET: usize = 220;

pub fn show(visit: &Visit<'_>, index: &Index, question: &Question) -> Response {
    let found = index.find(question);
    let shown = page_of(visit.request, &found, visit.state.settings.per_page as usize);
    let corrected = index.corrected(question);
    let tab = visit.request.query("tab").unwrap_or_default();
    let content = html! {
        nav.tabs aria-label="Kinds of results" {
            @for (code, name, _) in TABS {
                a href=(link_with(visit.request, "tab", code)) aria-current=[(code == tab).then_some("page")] { (name) }
            }
        }
        div.answers {
            section aria-label="Results" {
                @if question.words.is_empty() { p.none { "Type a word or two." } }
                @else {
                    p.count role="status" { (counted(found.len(), "result"))
                        @if let Some(site) = &question.site { " on " (site) } }
                    @if let Some(corrected) = &corrected {
                        p.meant { "Did you mean " a href=(link_with(visit.request, "q", corrected)) { (corrected) } "?" }
                    }
                    @if found.is_empty() {
                        div.none { p { "No page says “" (question.text) "”." }
                            ul { li { "Check the spelling." } li { "Try fewer or other words." } li { "Look among all kinds of results." } } }
                    }
                    ol.results { @for document in shown.items { (result(visit, question, document)) } }
                    (pager(visit.request, &shown))
                }
            }
            aside { @if visit.state.settings.answer_card && shown.number == 1 { (card(question, &found)) } }
        }
    };
    let title = if question.text.is_empty() { "Search" } else { &question.text };
    page(visit, title, true, &content)
}

fn address(document: &Document) -> String {
    format!("http://{}{}", document.host, document.path)
}

fn result(visit: &Visit<'_>, question: &Question, document: &Document) -> Markup {
    let crumbs: Vec<&str> = document.path.split('/').filter(|part| !part.is_empty()).collect();
    let target = visit.state.settings.new_tab.then_some("_blank");
    html! {
        li {
            p.where { (document.host) @for crumb in crumbs { " › " (crumb) } }
            h2 { a href=(address(document)) target=[target] rel=[target.map(|_| "noopener")] { (document.title) } }
            p { (snippet(question, &document.text)) }
        }
    }
}

/// The beginning of the text, with the words of the question marked.
fn snippet(question: &Question, text: &str) -> Markup {
    let mut short: String = text.chars().take(SNIPPET).collect();
    if short.len() < text.len() {
        short.push('…');
    }
    html! {
        @for (at, part) in short.split(' ').enumerate() {
            @if at > 0 { " " }
            @if words_of(part).any(|word| question.words.contains(&word)) { mark { (part) } } @else { (part) }
        }
    }
}

/// The article that the question names, if there is one among the best.
fn card(question: &Question, found: &[&Document]) -> Markup {
    let title_of = |document: &Document| document.title.trim_end_matches(" — Quire").to_owned();
    let named = found.iter().take(5).find(|document| {
        document.kind == Kind::Article && words_of(&title_of(document)).eq(question.words.iter().cloned())
    });
    html! {
        @if let Some(document) = named {
            section.card aria-label="Answer" {
                h2 { (title_of(document)) }
                p { (document.text) }
                p { "From " a href=(address(document)) { "Quire, the encyclopedia" } }
            }
        }
    }
}
