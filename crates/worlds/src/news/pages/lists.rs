//! Lists of articles: a section, a topic, the results of a search.

use maud::{Markup, html};

use super::layout::{not_found, page, teaser};
use crate::Response;
use crate::kit::text::capitalised;
use crate::news::View;
use crate::news::listing::{Found, Order, Wanted, find};
use crate::news::vocabulary::SECTIONS;

/// The months the archive reaches back, newest first, as the filter offers them.
const MONTHS: [(&str, &str); 7] = [
    ("2026-03", "March 2026"),
    ("2026-02", "February 2026"),
    ("2026-01", "January 2026"),
    ("2025-12", "December 2025"),
    ("2025-11", "November 2025"),
    ("2025-10", "October 2025"),
    ("2025-09", "September 2025"),
];

pub(in crate::news) fn section(view: &View<'_>, slug: &str) -> Response {
    let Some(section) = SECTIONS.into_iter().find(|section| section.slug == slug) else {
        return not_found(view);
    };
    let wanted = Wanted { section: section.slug, ..Wanted::of(view.request) };
    let found = find(view.catalogue, &wanted);
    let content = html! {
        header.list-head { h1 { (section.name) } p { (section.about) } }
        form.filters method="get" {
            (month_filter(&wanted)) (order_filter(&wanted)) button type="submit" { "Show" }
        }
        (results(view, &found))
    };
    page(view, section.name, &content)
}

pub(in crate::news) fn topic(view: &View<'_>, slug: &str) -> Response {
    let wanted = Wanted { topic: slug, ..Wanted::of(view.request) };
    let found = find(view.catalogue, &wanted);
    let Some(first) = found.articles.first() else { return not_found(view) };
    let name = capitalised(first.facts.subject);
    let content = html! {
        header.list-head { h1 { (name) } p { "Everything the Ledger has printed about " (first.facts.subject) "." } }
        (results(view, &found))
    };
    page(view, &name, &content)
}

pub(in crate::news) fn search(view: &View<'_>) -> Response {
    let wanted = Wanted::of(view.request);
    let found = find(view.catalogue, &wanted);
    let content = html! {
        header.list-head { h1 { "Search" } p { "Headlines, standfirsts, names and places." } }
        form.filters action="/search" {
            label { span { "Words" } input type="search" name="q" value=(wanted.words); }
            label { span { "Section" }
                select name="section" {
                    option value="" { "All sections" }
                    @for section in SECTIONS { option value=(section.slug) selected[section.slug == wanted.section] { (section.name) } }
                }
            }
            label { span { "Author" }
                select name="author" {
                    option value="" { "Anybody" }
                    @for author in &view.catalogue.authors { option value=(author.slug) selected[author.slug == wanted.author] { (author.name) } }
                }
            }
            (month_filter(&wanted))
            (order_filter(&wanted))
            button.loud type="submit" { "Search archive" }
        }
        (results(view, &found))
    };
    page(view, "Search", &content)
}

fn month_filter(wanted: &Wanted<'_>) -> Markup {
    html! {
        label { span { "Month" }
            select name="month" {
                option value="" { "Any time" }
                @for (id, name) in MONTHS { option value=(id) selected[id == wanted.month] { (name) } }
            }
        }
    }
}

fn order_filter(wanted: &Wanted<'_>) -> Markup {
    html! {
        label { span { "Order" }
            select name="sort" {
                @for (order, id, name) in Order::ALL { option value=(id) selected[order == wanted.order] { (name) } }
            }
        }
    }
}

pub(super) fn results(view: &View<'_>, found: &Found<'_>) -> Markup {
    html! {
        p.count role="status" {
            @match found.total {
                0 => { "Nothing found. Try fewer words or another month." }
                1 => { "1 article" }
                total => { (total) " articles, page " (found.page) " of " (found.pages) }
            }
        }
        div.three { @for article in &found.articles { (teaser(view, article, true)) } }
        @if found.pages > 1 {
            nav.pages aria-label="Pages" {
                @if found.page > 1 { a rel="prev" href=(page_link(view, found.page - 1)) { "Previous page" } }
                @for number in 1..=found.pages {
                    a href=(page_link(view, number)) aria-label=(format!("Page {number}")) aria-current=[(number == found.page).then_some("page")] { (number) }
                }
                @if found.page < found.pages { a rel="next" href=(page_link(view, found.page + 1)) { "Next page" } }
            }
        }
    }
}

/// The address of this list with another page number.
fn page_link(view: &View<'_>, page: usize) -> String {
    let others = view.request.query.iter().filter(|(name, value)| name != "page" && !value.is_empty());
    let query = url::form_urlencoded::Serializer::new(String::new())
        .extend_pairs(others)
        .append_pair("page", &page.to_string())
        .finish();
    format!("?{query}")
}
