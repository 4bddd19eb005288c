//! Lists of posts: home, all, and one community. The first page comes with the document, further ones as JSON.

use maud::{Markup, html};
use serde_json::{Value, json};

use super::layout::Layout;
use super::{Visit, parts};
use crate::Response;
use crate::forum::board::PostView;
use crate::forum::feed::{Feed, PAGE, Period, Scope, Sort};

pub fn list(visit: &Visit<'_>, feed: &Feed) -> Response {
    let board = visit.board;
    let posts = feed.posts(board);
    let community = match &feed.scope {
        Scope::Community(slug) => board.catalogue.community(slug),
        _ => None,
    };
    let title = match (&feed.scope, community) {
        (_, Some(community)) => community.words.name,
        (Scope::Home, None) => "Home",
        _ => "All posts",
    };
    let content = html! {
        @if let Some(community) = community {
            @let words = community.words;
            div.banner style={ "--hue:" (words.hue) } {
                img src={ "/img/c/" (words.slug) ".svg" } alt="" width="64" height="64";
                div { h1 { (words.name) } p { (words.tagline) } }
                (parts::subscribe_button(board, community))
            }
        } @else {
            h1 { (title) }
        }
        (sorting(feed))
        @if posts.is_empty() {
            p.empty { "Nothing here. Try another period, or subscribe to a community." }
        }
        div #posts { @for post in posts.iter().take(PAGE) { (parts::card(post)) } }
        @if posts.len() > PAGE {
            button #load-more .wide type="button" data-scope=(feed.scope.as_str()) data-sort=(feed.sort.as_str())
                data-period=(feed.period.as_str()) data-offset=(PAGE) { "Load more posts" }
        }
    };
    let sidebar = community.map_or_else(welcome, |community| parts::community_sidebar(board, community));
    Layout { title, scripts: &["feed.js"], sidebar: Some(sidebar), content }.page(visit)
}

fn sorting(feed: &Feed) -> Markup {
    let path = feed.scope.path();
    html! {
        div.toolbar {
            nav.tabs aria-label="Sort posts" {
                @for (sort, value, label) in Sort::ALL {
                    a href={ (path) "?sort=" (value) } aria-current=[(sort == feed.sort).then_some("true")] { (label) }
                }
            }
            @if feed.sort == Sort::Top {
                form method="get" action=(path) {
                    input type="hidden" name="sort" value="top";
                    label { "Top posts from "
                        select.go name="t" { (parts::options(&Period::ALL, &feed.period)) }
                    }
                    noscript { button type="submit" { "Show" } }
                }
            }
        }
    }
}

fn welcome() -> Markup {
    html! {
        section.panel {
            h2 { "Talk among neighbours" }
            p { "Thicket is run by the people who use it. Twelve communities, no advertising, no tracking." }
            p { a href="/communities" { "Find a community" } }
        }
        section.panel {
            h2 { "House rules" }
            ol.rules {
                li { "Remember the person on the other side." }
                li { "Vote for what helps, not for what you agree with." }
                li { "Leave moderation to the moderators." }
            }
        }
    }
}

/// The next posts of a list, for "Load more posts".
pub fn more(visit: &Visit<'_>, feed: &Feed) -> Response {
    let offset = visit.request.query("offset").and_then(|offset| offset.parse().ok()).unwrap_or(0);
    let posts = feed.posts(visit.board);
    let items: Vec<Value> = posts.iter().skip(offset).take(PAGE).map(as_json).collect();
    let next = offset.saturating_add(PAGE);
    Response::json(&json!({"posts": items, "next": (next < posts.len()).then_some(next)}))
}

fn as_json(post: &PostView<'_>) -> Value {
    json!({
        "id": post.id,
        "path": post.path(),
        "title": post.title,
        "community": {"slug": post.community.words.slug, "name": post.community.words.name},
        "author": post.author,
        "at": post.at,
        "ago": post.at.ago(),
        "day": post.at.day_and_time(),
        "score": post.score,
        "vote": post.vote,
        "comments": parts::counted(post.comments, "comment"),
        "flair": post.flair,
        "domain": post.domain(),
        "excerpt": parts::excerpt(post.body),
        "saved": post.saved,
        "locked": post.flags.locked,
        "picture": post.has_picture,
    })
}
