//! The Gazette's own pages.

use maud::{Markup, html};

use super::content::{Article, Paper, sections};
use crate::settings::{View, list_button};

const PER_PAGE: usize = 20;

pub(super) fn show(view: &View<'_>) -> Option<(String, Markup)> {
    let paper = Paper::of_seed(view.seed);
    match view.request.segments().as_slice() {
        [] => Some(("Today".to_owned(), front_page(&paper))),
        ["section", name] => {
            let section = sections().find(|section| section.to_lowercase() == *name)?;
            let articles = paper.articles.iter().filter(|article| article.section == section).take(PER_PAGE);
            Some((section.to_owned(), columns(articles)))
        }
        ["search"] => Some(search(view, &paper)),
        ["clippings"] => {
            let kept: Vec<&Article> = paper
                .articles
                .iter()
                .filter(|article| view.state.list_has("clippings", &article.id))
                .collect();
            let note = kept.is_empty().then_some("Articles you keep are pasted in here.");
            Some((
                "Clippings".to_owned(),
                html! { @if let Some(note) = note { p.quiet { (note) } } (columns(kept.into_iter())) },
            ))
        }
        ["article", id] => {
            paper.article(id).map(|article| (article.headline.clone(), read(view, &paper, article)))
        }
        _ => None,
    }
}

fn front_page(paper: &Paper) -> Markup {
    let mut articles = paper.articles.iter();
    html! {
        @if let Some(lead) = articles.next() {
            article.lead-story {
                (engraving(lead))
                div {
                    p.kicker { (lead.section) }
                    h2 { a href=(format!("/article/{}", lead.id)) { (lead.headline) } }
                    @for paragraph in &lead.paragraphs[..3] { p { (paragraph) } }
                    p.quiet { "By " (lead.author) }
                }
            }
        }
        (columns(articles.take(12)))
    }
}

fn columns<'a>(articles: impl Iterator<Item = &'a Article>) -> Markup {
    html! {
        div.columns {
            @for article in articles {
                article {
                    p.kicker { (article.section) }
                    h2 { a href=(format!("/article/{}", article.id)) { (article.headline) } }
                    p { (article.paragraphs[0]) }
                    p.quiet { "By " (article.author) " · " (age(article.days_old)) " · " (article.comments) " comments" }
                }
            }
        }
    }
}

fn age(days: i64) -> String {
    match days {
        0 => "today".to_owned(),
        1 => "yesterday".to_owned(),
        _ => format!("{days} days ago"),
    }
}

/// A picture in lines, as old papers have them.
fn engraving(article: &Article) -> Markup {
    let swell = article.comments;
    html! {
        svg.engraving viewBox="0 0 300 200" role="img" aria-label=(format!("Engraving: {}", article.headline)) {
            rect width="300" height="200" fill="#f1ede2" {}
            circle cx=(60 + swell * 3 % 180) cy="56" r="26" fill="none" stroke="#222" stroke-width="1.5" {}
            @for line in 0..14_i64 {
                path d=(format!("M0 {y} Q75 {up} 150 {y} T300 {y}", y = 100 + line * 7, up = 100 + line * 7 - 10 - swell % 9)) fill="none" stroke="#222" stroke-width=".9" {}
            }
            path d="M120 104 l60 0 -12 18 -38 0z M148 104 v-58 l30 44 h-30" fill="#222" {}
        }
    }
}

fn search(view: &View<'_>, paper: &Paper) -> (String, Markup) {
    let asked = view.request.query("q").unwrap_or_default();
    let wanted = asked.to_lowercase();
    let found: Vec<&Article> =
        paper.articles.iter().filter(|article| article.headline.to_lowercase().contains(&wanted)).collect();
    let markup = html! {
        p.quiet { (found.len()) " articles" }
        (columns(found.into_iter().take(PER_PAGE)))
    };
    (format!("Search: {asked}"), markup)
}

fn read(view: &View<'_>, paper: &Paper, article: &Article) -> Markup {
    let back = format!("/article/{}", article.id);
    let kept = view.state.list_has("clippings", &article.id);
    let more =
        paper.articles.iter().filter(|other| other.section == article.section && other.id != article.id);
    html! {
        div.story {
            div {
                p.kicker { (article.section) }
                p.quiet { "By " (article.author) " · " (age(article.days_old)) }
                (engraving(article))
                div.text {
                    @for paragraph in &article.paragraphs { p { (paragraph) } }
                }
                (list_button("clippings", &article.id, &back, None, if kept { "Throw the clipping away" } else { "Keep as clipping" }))
                @if view.state.is_on("comments_shown") { p.quiet { (article.comments) " comments" } }
            }
            aside aria-label="More of this section" {
                h2 { "More in " (article.section) }
                @for other in more.take(8) {
                    p { a href=(format!("/article/{}", other.id)) { (other.headline) } br; span.quiet { (age(other.days_old)) } }
                }
            }
        }
    }
}
