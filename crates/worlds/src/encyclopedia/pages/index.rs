//! Ways to articles: by letter, by category, by who links to them.

use http::StatusCode;
use maud::{Markup, html};

use super::Visit;
use super::layout::{article_head, page};
use crate::Response;
use crate::encyclopedia::library::Article;
use crate::kit::lists::{counted, page_of, pager};
use crate::kit::text::slug;

const PER_PAGE: usize = 60;

fn titles(visit: Visit<'_>, articles: &[&Article]) -> Markup {
    let shown = page_of(visit.request, articles, PER_PAGE);
    html! {
        ul.titles { @for article in shown.items {
            li { a href={ "/article/" (article.slug) } { (article.title) } " " span.muted { (article.kind) } }
        } }
        (pager(visit.request, &shown))
    }
}

pub fn letters(visit: Visit<'_>, letter: &str) -> Response {
    let letter = letter.to_uppercase();
    let articles: Vec<&Article> = visit
        .desk
        .library
        .shelf()
        .articles
        .iter()
        .filter(|article| !letter.is_empty() && article.title.to_uppercase().starts_with(&letter))
        .collect();
    let content = html! {
        h1 { "Articles under " (letter) }
        p.muted { (counted(articles.len(), "article")) }
        @if articles.is_empty() { p { "No title begins like this." } }
        (titles(visit, &articles))
    };
    let response = page(visit, "Index", &content);
    if articles.is_empty() && letter.chars().count() > 1 {
        response.status(StatusCode::NOT_FOUND)
    } else {
        response
    }
}

pub fn categories(visit: Visit<'_>) -> Response {
    let categories: Vec<(&String, usize)> =
        visit.desk.library.shelf().categories.iter().map(|(name, articles)| (name, articles.len())).collect();
    let shown = page_of(visit.request, &categories, PER_PAGE);
    let content = html! {
        h1 { "Categories" }
        p.muted { (counted(categories.len(), "category").replace("categorys", "categories")) }
        ul.titles { @for (name, count) in shown.items {
            li { a href={ "/category/" (slug(name)) } { (name) } " " span.muted { (count) } }
        } }
        (pager(visit.request, &shown))
    };
    page(visit, "Categories", &content)
}

pub fn category(visit: Visit<'_>, address: &str) -> Option<Response> {
    let (name, articles) = visit.desk.library.shelf().category(address)?;
    let content = html! {
        p { a href="/categories" { "All categories" } }
        h1 { (name) }
        p.muted { (counted(articles.len(), "article")) " in this category" }
        (titles(visit, &articles))
    };
    Some(page(visit, name, &content))
}

pub fn links(visit: Visit<'_>, address: &str) -> Option<Response> {
    let article = visit.desk.article(address)?;
    let linking = visit.desk.library.shelf().linking_to(&article.slug);
    let content = html! {
        (article_head(visit, article, "Links here"))
        p { (counted(linking.len(), "article")) (if linking.len() == 1 { " links" } else { " link" }) " to this one." }
        (titles(visit, &linking))
    };
    Some(page(visit, &format!("Links to {}", article.title), &content))
}
