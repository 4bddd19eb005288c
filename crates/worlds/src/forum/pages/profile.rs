//! People: their posts, comments and what they say about themselves. And the visitor's saved posts.

use maud::{Markup, html};

use super::layout::Layout;
use super::{Visit, parts};
use crate::Response;
use crate::forum::board::PostView;
use crate::forum::catalogue::{Person, VISITOR};
use crate::forum::feed::{CommentSort, PAGE};

const POST_SORTS: [(&str, &str, &str); 2] = [("new", "new", "Newest first"), ("top", "top", "Highest score")];

pub fn page(visit: &Visit<'_>, person: &Person) -> Response {
    let board = visit.board;
    let tab =
        visit.request.query("tab").filter(|tab| matches!(*tab, "comments" | "about")).unwrap_or("posts");
    let sort = visit.request.query("sort").filter(|sort| *sort == "top").unwrap_or("new");
    let mut posts: Vec<PostView<'_>> =
        board.posts().filter(|post| post.author == person.name && !post.flags.removed).collect();
    posts.sort_by_key(|post| {
        std::cmp::Reverse(if sort == "top" {
            (i64::from(post.score), post.id)
        } else {
            (-post.at.age_minutes(), post.id)
        })
    });
    let mut comments = board.comments_by(&person.name);
    let karma: i32 =
        posts.iter().map(|post| post.score).chain(comments.iter().map(|comment| comment.score)).sum();
    if sort == "top" {
        CommentSort::Top.apply(&mut comments);
    }
    let total = if tab == "comments" { comments.len() } else { posts.len() };
    let page = parts::page_number(visit, PAGE, total);
    let on_page = (page - 1) * PAGE;
    let content = html! {
        (head(visit, person))
        div.toolbar {
            nav.tabs aria-label="Profile" {
                @for (value, label) in [("posts", "Posts"), ("comments", "Comments"), ("about", "About")] {
                    a href={ "/u/" (person.name) "?tab=" (value) } aria-current=[(tab == value).then_some("page")] { (label) }
                }
            }
            @if tab != "about" {
                form method="get" action={ "/u/" (person.name) } {
                    input type="hidden" name="tab" value=(tab);
                    label { "Sort by " select.go name="sort" { (parts::options(&POST_SORTS, &sort)) } }
                }
            }
        }
        @match tab {
            "comments" => {
                h2.results { (parts::counted(comments.len(), "comment")) }
                @for comment in comments.iter().skip(on_page).take(PAGE) { (parts::comment_card(board, comment)) }
                (parts::pager(visit, page, PAGE, total))
            }
            "about" => {
                section.panel {
                    p { (person.bio) }
                    dl.facts {
                        dt { "Town" } dd { (person.town) }
                        dt { "Joined" } dd { (person.joined.day()) }
                        dt { "Posts" } dd { (posts.len()) }
                        dt { "Comments" } dd { (comments.len()) }
                        dt { "Karma" } dd { (karma) }
                    }
                }
            }
            _ => {
                h2.results { (parts::counted(posts.len(), "post")) }
                @for post in posts.iter().skip(on_page).take(PAGE) { (parts::card(post)) }
                (parts::pager(visit, page, PAGE, total))
            }
        }
    };
    let moderated: Vec<_> = board
        .catalogue
        .communities
        .iter()
        .filter(|community| community.moderators.contains(&person.name))
        .collect();
    let sidebar = html! {
        section.panel {
            h2 { "Karma" } p.big { (karma) }
            p.muted { "Member since " (person.joined.day()) }
        }
        @if !moderated.is_empty() {
            section.panel { h2 { "Moderates" } ul.people {
                @for community in moderated { li { a href={ "/c/" (community.words.slug) } { (community.words.name) } } }
            } }
        }
    };
    Layout { title: &person.name, scripts: &["feed.js"], sidebar: Some(sidebar), content }.page(visit)
}

fn head(visit: &Visit<'_>, person: &Person) -> Markup {
    let state = visit.board.state;
    let own = person.name == VISITOR;
    let blocked = state.blocked.contains_key(&person.name);
    html! {
        div.banner.profile {
            img src={ "/img/u/" (person.name) ".svg" } alt="" width="64" height="64";
            div {
                h1 { (person.name) }
                p { (if own { state.settings.profile.bio.as_str() } else { person.bio }) }
            }
            @if own {
                a.button href="/settings" { "Edit profile" }
            } @else if state.signed_in {
                a.button href={ "/messages/compose?to=" (person.name) } { "Send message" }
                form method="post" action={ "/u/" (person.name) (if blocked { "/unblock" } else { "/block" }) } {
                    button type="submit" { (if blocked { "Unblock" } else { "Block" }) }
                }
            }
        }
    }
}

pub fn saved(visit: &Visit<'_>) -> Response {
    let board = visit.board;
    let posts: Vec<PostView<'_>> = board.state.saved.keys().rev().filter_map(|id| board.post(*id)).collect();
    let content = html! {
        h1 { "Saved posts" }
        @if posts.is_empty() { p.empty { "You have not saved anything yet." } }
        @for post in &posts { (parts::card(post)) }
    };
    Layout { title: "Saved posts", scripts: &[], sidebar: None, content }.page(visit)
}
