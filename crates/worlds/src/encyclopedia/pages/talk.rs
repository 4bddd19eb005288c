//! The talk page of an article.

use maud::html;

use super::Visit;
use super::layout::{article_head, page};
use crate::Response;
use crate::encyclopedia::state::VISITOR_NAME;
use crate::encyclopedia::talk;

pub fn show(visit: Visit<'_>, slug: &str) -> Option<Response> {
    let article = visit.desk.article(slug)?;
    let topics = talk::topics(visit.desk.library.seed, article);
    let own = visit.desk.state.talk.get(&article.slug);
    let own_on = |topic: &str| {
        own.into_iter()
            .flat_map(|own| own.values())
            .filter(move |remark| remark.topic == topic)
            .collect::<Vec<_>>()
    };
    let mut new_topics: Vec<&str> = own
        .into_iter()
        .flat_map(|own| own.values())
        .map(|remark| remark.topic.as_str())
        .filter(|topic| topics.iter().all(|known| known.title != *topic))
        .collect();
    new_topics.dedup();
    let content = html! {
        (article_head(visit, article, "Talk"))
        @if topics.is_empty() && new_topics.is_empty() { p { "Nobody has said anything about this article yet." } }
        @for topic in &topics {
            section.topic {
                h2 { (topic.title) }
                @for (author, at, text) in &topic.remarks {
                    div.remark { p { (text) } p.by { (author) ", " (at.day_and_time()) } }
                }
                @for remark in own_on(topic.title) { div.remark.own { p { (remark.text) } p.by { (VISITOR_NAME) ", just now" } } }
            }
        }
        @for topic in new_topics {
            section.topic {
                h2 { (topic) }
                @for remark in own_on(topic) { div.remark.own { p { (remark.text) } p.by { (VISITOR_NAME) ", just now" } } }
            }
        }
        @if visit.desk.state.signed_in {
            form.editor method="post" action={ "/article/" (article.slug) "/talk" } {
                h2 { "Say something" }
                label for="topic" { "Topic" }
                input #topic type="text" name="topic" maxlength="100" autocomplete="off" value=(visit.typed("topic", ""));
                label for="text" { "Your remark" }
                textarea #text name="text" rows="4" maxlength="2000" { (visit.typed("text", "")) }
                p.buttons { button.primary type="submit" { "Add remark" } }
            }
        } @else { p { a href="/sign-in" { "Sign in" } " to take part." } }
    };
    Some(page(visit, &format!("Talk about {}", article.title), &content))
}
