//! The frame around every page, and the head of everything that belongs to one article.

use maud::{DOCTYPE, Markup, html};

use super::Visit;
use crate::Response;
use crate::encyclopedia::library::Article;
use crate::encyclopedia::state::VISITOR_NAME;
use crate::kit::flash;

const MESSAGES: flash::Messages = &[
    ("signed-in", "Welcome back."),
    ("signed-out", "You have signed out."),
    ("edit-saved", "Your edit is part of the article now."),
    ("remark-added", "Your remark has been added."),
    ("watched", "The article is on your watchlist."),
    ("unwatched", "The article is no longer on your watchlist."),
    ("preferences-saved", "Your preferences have been saved."),
];

pub fn page(visit: Visit<'_>, title: &str, content: &Markup) -> Response {
    let preferences = &visit.desk.state.preferences;
    Response::html(html! {
        (DOCTYPE)
        html lang="en" data-theme=(preferences.theme.code()) data-size=(preferences.text_size.code()) {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                title { (title) " — Quire" }
                link rel="icon" href="data:,";
                link rel="stylesheet" href="/static/quire.css";
                script type="module" src="/static/suggest.js" {}
                script type="module" src="/static/quire.js" {}
            }
            body {
                header.mast {
                    div.line {
                        nav.account aria-label="Account" {
                            @if visit.desk.state.signed_in {
                                span { "Signed in as " strong { (VISITOR_NAME) } }
                                a href="/watchlist" { "Watchlist" }
                                a href="/contributions" { "Contributions" }
                                a href="/preferences" { "Preferences" }
                                form method="post" action="/sign-out" { button.link type="submit" { "Sign out" } }
                            } @else { a href="/sign-in" { "Sign in" } }
                        }
                    }
                    a.brand href="/" { "Quire" span { "the compendium of " (visit.desk.library.country.name) } }
                    form.search role="search" action="/search" method="get" {
                        input type="search" name="q" value=(visit.asked("q")) aria-label="Search Quire" placeholder="Search the articles"
                            maxlength="120" autocomplete="off" data-suggest="/suggest" data-suggest-send;
                        button type="submit" { "Search" }
                    }
                    nav.letters aria-label="Index" {
                        @for letter in 'A'..='Z' { a href={ "/index/" (letter) } { (letter) } }
                        a href="/categories" { "Categories" }
                        a href="/random" { "Random article" }
                    }
                }
                main #main {
                    @if let Some(message) = flash::message(visit.request, MESSAGES) { p.flash role="status" { (message) } }
                    @if let Some(problem) = visit.problem { p.problem role="alert" { (problem) } }
                    (content)
                }
                footer.foot {
                    p { "Quire is written by its readers. Text may be copied with the name of the article." }
                    p { a href="/categories" { "Categories" } " · " a href="/article/list-of-towns" { "Lists" } " · "
                        a href={ "/article/" (crate::kit::text::slug(visit.desk.library.country.name)) } { "About the country" } }
                }
            }
        }
    })
}

/// Title and tabs of an article; `tab` is the one that is open.
pub fn article_head(visit: Visit<'_>, article: &Article, tab: &str) -> Markup {
    let base = format!("/article/{}", article.slug);
    let tabs = [
        ("Read", base.clone()),
        ("Edit", format!("{base}/edit")),
        ("History", format!("{base}/history")),
        ("Talk", format!("{base}/talk")),
        ("Links here", format!("{base}/links")),
    ];
    let watched = visit.desk.state.watchlist.contains(&article.slug);
    html! {
        div.head {
            p.kind { (article.kind) }
            h1 { (article.title) }
            nav.tabs aria-label="Article" {
                @for (name, href) in tabs { a href=(href) aria-current=[(name == tab).then_some("page")] { (name) } }
                @if visit.desk.state.signed_in {
                    form method="post" action={ (base) "/watch" } {
                        button type="submit" aria-pressed=(watched) { @if watched { "Stop watching" } @else { "Watch" } }
                    }
                }
            }
        }
    }
}
