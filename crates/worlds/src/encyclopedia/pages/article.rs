//! One article to read.

use maud::{Markup, html};

use super::Visit;
use super::layout::{article_head, page};
use crate::Response;
use crate::encyclopedia::library::Article;
use crate::encyclopedia::markup;
use crate::geography::{HEIGHT, WIDTH};
use crate::kit::text::slug;

pub fn show(visit: Visit<'_>, address: &str) -> Option<Response> {
    let article = visit.desk.article(address)?;
    let text = visit.desk.text(article);
    let exists = visit.desk.exists();
    let headings = markup::headings(text);
    let content = html! {
        (article_head(visit, article, "Read"))
        div.columns {
            aside.contents {
                @if visit.desk.state.preferences.show_contents && !headings.is_empty() {
                    nav aria-label="Contents" {
                        h2 { "Contents" }
                        ol { @for heading in &headings { li { a href={ "#" (heading.anchor) } { (heading.text) } } } }
                    }
                }
            }
            article.text { (markup::render(text, &exists)) (categories(article)) }
            aside.side { (card(visit, article)) }
        }
    };
    Some(page(visit, &article.title, &content))
}

fn card(visit: Visit<'_>, article: &Article) -> Markup {
    let exists = visit.desk.exists();
    html! {
        @if !article.card.is_empty() || article.point.is_some() {
            section.card aria-label="Facts" {
                h2 { (article.title) }
                (locator(visit, article))
                table { tbody { @for (name, value) in &article.card {
                    tr { th scope="row" { (name) } td { (markup::inline(value, &exists)) } }
                } } }
                @if let Some(point) = article.point {
                    p { a href={ "http://map.localhost/at?point=" (point.coordinates().replace(' ', "")) } { "Show on Waymark" } }
                }
            }
        }
    }
}

/// The country in small, with a mark where it is.
fn locator(visit: Visit<'_>, article: &Article) -> Markup {
    let scale = 1_000.0;
    let coast: Vec<String> = visit
        .desk
        .library
        .country
        .coast
        .iter()
        .map(|point| format!("{:.0},{:.0}", point.x / scale, point.y / scale))
        .collect();
    html! {
        @if let Some(point) = article.point {
            svg.locator viewBox={ "0 0 " (WIDTH / scale) " " (HEIGHT / scale) } role="img" aria-label="Where it is" {
                polygon points=(coast.join(" ")) {}
                circle cx=(format!("{:.1}", point.x / scale)) cy=(format!("{:.1}", point.y / scale)) r="5" {}
            }
        }
    }
}

fn categories(article: &Article) -> Markup {
    html! {
        nav.categories aria-label="Categories of this article" {
            "Filed under "
            @for (at, category) in article.categories.iter().enumerate() {
                @if at > 0 { ", " }
                a href={ "/category/" (slug(category)) } { (category) }
            }
        }
    }
}
