//! The front page, and the way to anywhere.

use maud::html;
use umpire_model::Random;

use super::Visit;
use super::layout::page;
use crate::Response;
use crate::encyclopedia::library::Article;
use crate::kit::lists::grouped;
use crate::kit::text::slug;

/// Counts the throws, so that each leads elsewhere.
const DICE: &str = "dice";

pub fn show(visit: Visit<'_>) -> Response {
    let shelf = visit.desk.library.shelf();
    let mut random = Random::stream(visit.desk.library.seed, "quire front page");
    let towns: Vec<&Article> = shelf.articles.iter().filter(|article| article.kind == "town").collect();
    let featured = random.pick(&towns).copied();
    let others: Vec<&Article> = (0..6).filter_map(|_| random.pick(&shelf.articles)).collect();
    let anniversaries: Vec<_> =
        shelf.facts.events.iter().filter(|event| event.day.iso().contains("-03-")).take(6).collect();
    let content = html! {
        div.front {
            section.lead {
                @if let Some(article) = featured {
                    p.kind { "Today's article" }
                    h1 { a href={ "/article/" (article.slug) } { (article.title) } }
                    p.big { (article.summary()) }
                    p { a href={ "/article/" (article.slug) } { "Read on" } }
                }
                h2 { "Opened at random" }
                ul.titles { @for article in others {
                    li { a href={ "/article/" (article.slug) } { (article.title) } " " span.muted { (article.kind) } }
                } }
            }
            aside {
                p.count { strong { (grouped(shelf.articles.len())) } " articles" }
                h2 { "In the month of March" }
                ul { @for event in anniversaries {
                    li { (event.day.year()) ": " a href={ "/article/" (slug(&event.title)) } { (event.title) } }
                } }
                h2 { "Lists" }
                ul { @for title in ["List of towns", "List of rivers", "List of mountains", "List of lakes", "List of universities", "List of museums", "List of bridges", "List of theatres"] {
                    li { a href={ "/article/" (slug(title)) } { (title) } }
                } }
            }
        }
    };
    page(visit, "Front page", &content)
}

pub fn random(visit: Visit<'_>) -> Response {
    let throws: u32 = visit.request.cookie(DICE).and_then(|count| count.parse().ok()).unwrap_or(0);
    let mut random = Random::stream(visit.desk.library.seed, &format!("quire dice {throws}"));
    let articles = &visit.desk.library.shelf().articles;
    let slug = random.pick(articles).map_or("", |article| article.slug.as_str());
    Response::see_other(&format!("/article/{slug}")).cookie(DICE, &throws.wrapping_add(1).to_string())
}
