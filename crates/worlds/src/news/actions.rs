//! What a reader does with the paper: save, follow, comment, recommend, subscribe, change cookies.

use std::collections::BTreeMap;

use http::StatusCode;
use serde_json::json;

use super::obstacles::{email_address, record_consent};
use super::state::{NEWSLETTERS, OwnComment, PURPOSES};
use super::{News, pages, prose};
use crate::kit::moment::Moment;
use crate::kit::text::bounded;
use crate::{Request, Response};

pub const LONGEST_COMMENT: usize = 600;
const SHORTEST_COMMENT: usize = 10;
/// A visitor who wants to fill the disk stops here.
const MOST_OWN_COMMENTS: usize = 200;

pub(super) fn save(news: &mut News, request: &Request, id: &str) -> Response {
    let Some(id) = news.view(request).article(id).map(|article| article.id) else {
        return Response::json(&json!({"error": "no such article"})).status(StatusCode::NOT_FOUND);
    };
    let saved = if news.state.saved.remove(&id) { false } else { news.state.saved.insert(id) };
    Response::json(&json!({"saved": saved}))
}

pub(super) fn recommend(news: &mut News, request: &Request, id: &str) -> Response {
    let view = news.view(request);
    let exists = id.split_once('-').and_then(|(article, _)| view.article(article)).is_some_and(|article| {
        prose::comments(view.catalogue, article).iter().any(|comment| comment.id == id)
    });
    if !exists {
        return Response::json(&json!({"error": "no such comment"})).status(StatusCode::NOT_FOUND);
    }
    let recommended = &mut news.state.recommended;
    let on = if recommended.remove(id) { false } else { recommended.insert(id.to_owned()) };
    Response::json(&json!({"recommended": on}))
}

pub(super) fn comment(news: &mut News, request: &Request, id: &str) -> Response {
    let text = request.form("text").unwrap_or_default().trim();
    let length = text.chars().count();
    let view = news.view(request);
    let Some(article) = view.article(id) else { return pages::layout::not_found(&view) };
    let (id, path) = (article.id, article.path());
    let has_good_length = (SHORTEST_COMMENT..=LONGEST_COMMENT).contains(&length);
    if !has_good_length || news.state.comments.len() >= MOST_OWN_COMMENTS {
        return Response::see_other(&format!("{path}?problem=comment#discussion"));
    }
    // Deleted comments leave gaps, and a number is never given twice.
    let last =
        news.state.comments.keys().filter_map(|key| key.strip_prefix("own-")?.parse::<u32>().ok()).max();
    let number = last.unwrap_or_default().saturating_add(1);
    let comment = OwnComment { article: id, text: bounded(text, LONGEST_COMMENT), at: Moment::now() };
    news.state.comments.insert(format!("own-{number}"), comment);
    Response::see_other(&format!("{path}?done=comment#discussion"))
}

pub(super) fn delete_comment(news: &mut News, request: &Request, id: &str, comment: &str) -> Response {
    let view = news.view(request);
    let Some(article) = view.article(id) else { return pages::layout::not_found(&view) };
    let path = article.path();
    news.state.comments.remove(comment);
    Response::see_other(&format!("{path}?done=deleted#discussion"))
}

pub(super) fn follow(news: &mut News, request: &Request, slug: &str) -> Response {
    if news.catalogue.author(slug).is_none() {
        return pages::layout::not_found(&news.view(request));
    }
    let following = &mut news.state.following;
    let done = if following.remove(slug) {
        "unfollowed"
    } else {
        following.insert(slug.to_owned());
        "followed"
    };
    Response::see_other(&format!("/authors/{slug}?done={done}"))
}

pub(super) fn subscribe(news: &mut News, request: &Request) -> Response {
    let chosen: Vec<&str> =
        request.form.iter().filter(|(name, _)| name == "newsletter").map(|(_, id)| id.as_str()).collect();
    let known = NEWSLETTERS.iter().map(|(id, _, _)| *id).filter(|id| chosen.contains(id));
    let subscriptions = known.map(str::to_owned).collect();
    let Some(email) = request.form("email").and_then(email_address) else {
        let problem = "Please enter a complete e-mail address.";
        return pages::reader::newsletters(&news.view(request), Some(problem))
            .status(StatusCode::UNPROCESSABLE_ENTITY);
    };
    news.state.newsletter.email = email;
    news.state.newsletter.subscriptions = subscriptions;
    news.state.newsletter.partner_offers = request.form("partner_offers").is_some();
    Response::see_other("/newsletters?done=newsletters")
}

pub(super) fn save_cookies(news: &mut News, request: &Request) -> Response {
    let purposes: BTreeMap<String, bool> =
        PURPOSES.iter().map(|(id, _, _)| ((*id).to_owned(), request.form(id).is_some())).collect();
    record_consent(&mut news.state, purposes);
    Response::see_other("/cookies?done=cookies")
}
