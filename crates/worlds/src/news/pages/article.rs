//! One article: its first paragraphs with the page, the rest and the comments by script once the cookie question is
//! answered.

use http::StatusCode;
use maud::{Markup, html};
use serde_json::{Value, json};

use super::layout::{not_found, page, picture, teaser};
use crate::Response;
use crate::kit::text::thousands;
use crate::news::actions::LONGEST_COMMENT;
use crate::news::catalogue::Article;
use crate::news::{View, prose};

/// Paragraphs that everybody may read.
const OPEN_PARAGRAPHS: usize = 2;
const COMMENTS_PER_PAGE: usize = 8;
const RELATED: usize = 3;

pub(in crate::news) fn show(view: &View<'_>, id: &str) -> Response {
    let Some(article) = view.article(id) else { return not_found(view) };
    let author = view.catalogue.author_of(article);
    let is_saved = view.state.saved.contains(&article.id);
    let paragraphs = prose::paragraphs(view.catalogue, article);
    let content = html! {
        article.story data-article=(article.id) {
            p.kicker { a href=(format!("/section/{}", article.section.slug)) { (article.section.name) } }
            h1 { (article.headline) }
            p.standfirst { (article.standfirst) }
            div.story-bar {
                p.byline {
                    "By " a href=(format!("/authors/{}", author.slug)) { (author.name) } ", " (author.role.to_lowercase())
                    br; time datetime=(article.published.to_string()) { (article.published.day_and_time()) } " · " (thousands(u64::from(article.reads))) " reads"
                }
                button.save type="button" id="save" aria-pressed=(is_saved) { (if is_saved { "Saved" } else { "Save for later" }) }
            }
            figure { img src=(picture(article)) alt=(format!("Illustration: {}", article.facts.place)) width="640" height="400";
                figcaption { (article.facts.place) ", drawn for the Ledger" } }
            div.text {
                @for paragraph in paragraphs.iter().take(OPEN_PARAGRAPHS) { p { (paragraph) } }
                div id="rest" aria-live="polite" { p.more { "The rest of this article opens once you have made your privacy choices." } }
            }
        }
        section.discussion id="discussion" aria-label="Comments" {
            h2 { "Comments (" (article.comments + own_comments(view, article).count()) ")" }
            @if view.request.query("problem").is_some() {
                p.problem role="alert" { "A comment needs between 10 and " (LONGEST_COMMENT) " characters." }
            }
            form method="post" action=(format!("/article/{}/comments", article.id)) {
                label { span { "Your comment" } textarea name="text" rows="3" maxlength=(LONGEST_COMMENT) {} }
                button type="submit" { "Post comment" }
            }
            @for (id, comment) in own_comments(view, article) {
                div.comment.own {
                    p.byline { b { "You" } " · " (comment.at.ago()) }
                    p { (comment.text) }
                    form method="post" action=(format!("/article/{}/comments/{id}/delete", article.id)) { button.quiet type="submit" { "Delete your comment" } }
                }
            }
            label.comment-order { span { "Sort comments" }
                select id="comment-order" { option value="newest" { "Newest first" } option value="oldest" { "Oldest first" } option value="recommended" { "Most recommended" } }
            }
            div id="comments" {}
            button type="button" id="more-comments" hidden { "Show more comments" }
        }
        section.related { h2 { "More on this topic" }
            p { a href=(format!("/topic/{}", article.topic())) { "All about " (article.facts.subject) } }
            div.three { @for other in related(view, article) { (teaser(view, other, true)) } }
        }
        script src="/assets/article.js" defer {}
    };
    page(view, &article.headline, &content)
}

fn own_comments<'a>(
    view: &View<'a>,
    article: &Article,
) -> impl Iterator<Item = (&'a String, &'a crate::news::state::OwnComment)> {
    let id = article.id;
    view.state.comments.iter().filter(move |(_, comment)| comment.article == id)
}

fn related<'a>(view: &View<'a>, article: &Article) -> Vec<&'a Article> {
    let (id, section, subject) = (article.id, article.section.slug, article.facts.subject);
    let mut others: Vec<&Article> =
        view.catalogue.newest().filter(|other| other.section.slug == section && other.id != id).collect();
    others.sort_by_key(|other| other.facts.subject != subject);
    others.truncate(RELATED);
    others
}

/// The paragraphs below the fold and the box “At a glance”, as HTML.
pub(in crate::news) fn rest(view: &View<'_>, id: &str) -> Response {
    if view.state.awaits_consent() {
        return Response::json(&json!({"error": "privacy choices first"})).status(StatusCode::FORBIDDEN);
    }
    let Some(article) = view.article(id) else { return missing() };
    let paragraphs = prose::paragraphs(view.catalogue, article);
    Response::html(html! {
        @for paragraph in paragraphs.iter().skip(OPEN_PARAGRAPHS) { p { (paragraph) } }
        (at_a_glance(article))
    })
}

fn at_a_glance(article: &Article) -> Markup {
    let facts = &article.facts;
    html! {
        aside.glance aria-label="At a glance" {
            h2 { "At a glance" }
            dl {
                dt { "Where" } dd { (facts.place) }
                dt { "Responsible" } dd { (crate::kit::text::capitalised(facts.organisation)) }
                dt { "Budget" } dd { (facts.budget) }
                dt { "People concerned" } dd { (thousands(facts.people)) }
                dt { "Begins" } dd { (facts.begins) }
            }
        }
    }
}

pub(in crate::news) fn comments(view: &View<'_>, id: &str) -> Response {
    if view.state.awaits_consent() {
        return Response::json(&json!({"error": "privacy choices first"})).status(StatusCode::FORBIDDEN);
    }
    let Some(article) = view.article(id) else { return missing() };
    let mut comments = prose::comments(view.catalogue, article);
    match view.request.query("sort") {
        Some("oldest") => {}
        Some("recommended") => comments.sort_by_key(|comment| std::cmp::Reverse(comment.recommendations)),
        _ => comments.reverse(),
    }
    let page: usize =
        view.request.query("page").and_then(|page| page.parse().ok()).unwrap_or(1).clamp(1, 100);
    let shown: Vec<Value> = comments
        .iter()
        .skip((page - 1) * COMMENTS_PER_PAGE)
        .take(COMMENTS_PER_PAGE)
        .map(|comment| {
            let recommended = view.state.recommended.contains(&comment.id);
            json!({
                "id": comment.id,
                "reader": comment.reader,
                "text": comment.text,
                "ago": comment.at.ago(),
                "recommendations": comment.recommendations + u32::from(recommended),
                "recommended": recommended,
            })
        })
        .collect();
    Response::json(&json!({"comments": shown, "more": comments.len() > page * COMMENTS_PER_PAGE}))
}

fn missing() -> Response {
    Response::json(&json!({"error": "no such article"})).status(StatusCode::NOT_FOUND)
}
