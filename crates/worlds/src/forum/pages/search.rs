//! Search: posts come with the document, people are fetched by the page.

use maud::html;
use serde_json::{Value, json};

use super::layout::Layout;
use super::{Visit, parts};
use crate::Response;
use crate::forum::feed::{PAGE, Search, SearchSort};

const PEOPLE_SHOWN: usize = 8;

pub fn page(visit: &Visit<'_>) -> Response {
    let board = visit.board;
    let search = Search::of(visit.request);
    let posts = search.posts(board);
    let page = parts::page_number(visit, PAGE, posts.len());
    let words = search.words.to_lowercase();
    let communities: Vec<_> = board
        .catalogue
        .communities
        .iter()
        .filter(|community| !words.is_empty() && community.words.name.to_lowercase().contains(&words))
        .collect();
    let content = html! {
        h1 { @if search.words.is_empty() { "Search" } @else { "Results for “" (search.words) "”" } }
        form.filters method="get" action="/search" {
            label { "Words" input type="search" name="q" value=(search.words); }
            label { "In community"
                select name="c" {
                    option value="" { "All communities" }
                    @for community in &board.catalogue.communities {
                        @let known = community.words;
                        option value=(known.slug) selected[search.community == Some(known.slug)] { (known.name) }
                    }
                }
            }
            label { "Sort results by" select name="sort" { (parts::options(&SearchSort::ALL, &search.sort)) } }
            button.primary type="submit" { "Search" }
        }
        @if !communities.is_empty() {
            section.panel {
                h2 { "Communities" }
                ul.people {
                    @for community in communities {
                        li {
                            img src={ "/img/c/" (community.words.slug) ".svg" } alt="" width="22" height="22";
                            a href={ "/c/" (community.words.slug) } { (community.words.name) }
                            span.muted { (community.words.tagline) }
                        }
                    }
                }
            }
        }
        @if !search.words.is_empty() {
            section.panel { h2 { "People" } ul.people data-people=(search.words) { li.muted { "Looking…" } } }
        }
        h2.results { (parts::counted(posts.len(), "post")) " found" }
        @for post in posts.iter().skip((page - 1) * PAGE).take(PAGE) { (parts::card(post)) }
        (parts::pager(visit, page, PAGE, posts.len()))
    };
    Layout { title: "Search", scripts: &["people.js"], sidebar: None, content }.page(visit)
}

/// People whose name contains what was typed, for the search page and the recipient field.
pub fn people(visit: &Visit<'_>) -> Response {
    let wanted = visit.request.query("q").unwrap_or_default().trim().trim_start_matches('@').to_lowercase();
    let found: Vec<Value> = visit
        .board
        .catalogue
        .everybody()
        .filter(|person| !wanted.is_empty() && person.name.to_lowercase().contains(&wanted))
        .take(PEOPLE_SHOWN)
        .map(|person| json!({"name": person.name, "bio": person.bio}))
        .collect();
    Response::json(&json!({"people": found}))
}
