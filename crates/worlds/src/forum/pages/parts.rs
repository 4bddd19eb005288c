//! Pieces that several pages are made of.

use maud::{Markup, html};

use super::Visit;
use crate::forum::board::{Board, CommentView, PostView};
use crate::forum::catalogue::Community;
use crate::forum::moment::Moment;

pub fn when(at: Moment) -> Markup {
    html! { time datetime=(at) title=(at.day_and_time()) { (at.ago()) } }
}

pub fn person(name: &str) -> Markup {
    html! { a.person href={ "/u/" (name) } { (name) } }
}

pub fn paragraphs(text: &str) -> Markup {
    html! { @for paragraph in text.split("\n\n") { p { (paragraph) } } }
}

/// `1 comment`, `2 comments`.
pub fn counted(number: usize, noun: &str) -> String {
    format!("{number} {noun}{}", if number == 1 { "" } else { "s" })
}

/// `12,345`.
pub fn grouped(number: u32) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// The arrows. `kind` is `post` or `comment`; `what` completes "Upvote …".
pub fn votes(kind: &str, id: u32, score: i32, vote: i8, what: &str) -> Markup {
    html! {
        div.votes data-kind=(kind) data-id=(id) {
            button.up type="button" data-value="1" aria-pressed=(vote > 0) aria-label={ "Upvote " (what) } { "▲" }
            span.score { (score) }
            button.down type="button" data-value="-1" aria-pressed=(vote < 0) aria-label={ "Downvote " (what) } { "▼" }
        }
    }
}

pub fn save_button(post: &PostView<'_>, what: &str) -> Markup {
    html! {
        button.quiet.save type="button" data-post=(post.id) aria-pressed=(post.saved) aria-label={ "Save " (what) } {
            (if post.saved { "Saved" } else { "Save" })
        }
    }
}

/// A post in a list.
pub fn card(post: &PostView<'_>) -> Markup {
    let words = post.community.words;
    html! {
        article.card aria-labelledby={ "title-" (post.id) } {
            (votes("post", post.id, post.score, post.vote, post.title))
            div.card-main {
                p.meta {
                    a.community href={ "/c/" (words.slug) } {
                        img src={ "/img/c/" (words.slug) ".svg" } alt="" width="18" height="18"; (words.name)
                    }
                    span { "Posted by " (person(post.author)) " " (when(post.at)) }
                    @if post.flags.pinned { span.tag { "Pinned" } }
                    @if post.flags.locked { span.tag { "Locked" } }
                }
                h3 id={ "title-" (post.id) } { a href=(post.path()) { (post.title) } }
                @if let Some(flair) = post.flair { span.flair { (flair) } }
                @if let Some(domain) = post.domain() { span.domain { (domain) " ↗" } }
                @if !post.body.is_empty() { p.excerpt { (excerpt(post.body)) } }
                p.actions {
                    a href={ (post.path()) "#comments" } { (counted(post.comments, "comment")) }
                    (save_button(post, post.title))
                }
            }
            @if post.has_picture {
                img.thumb src={ "/img/post/" (post.id) ".svg" } alt="" width="112" height="84";
            }
        }
    }
}

pub fn excerpt(text: &str) -> String {
    let line = text.split("\n\n").next().unwrap_or_default();
    let mut short: String = line.chars().take(160).collect();
    if short.len() < line.len() {
        short.push('…');
    }
    short
}

/// A comment in a list of somebody's comments.
pub fn comment_card(board: Board<'_>, comment: &CommentView<'_>) -> Markup {
    html! {
        @if let Some(post) = board.post(comment.post) {
            article.card.plain {
                p.meta {
                    span { "On " a href={ (post.path()) "#comment-" (comment.id) } { (post.title) } }
                    span { (when(comment.at)) }
                }
                p { @if comment.removed { em { "Removed by a moderator." } } @else { (comment.body) } }
                p.meta { span { (points(comment.score)) } }
            }
        }
    }
}

pub fn points(score: i32) -> String {
    format!("{score} point{}", if score == 1 { "" } else { "s" })
}

pub fn subscribe_button(board: Board<'_>, community: &Community) -> Markup {
    let (words, subscribed) = (community.words, board.is_subscribed(community.words.slug));
    html! {
        button.subscribe type="button" data-community=(words.slug) data-name=(words.name) aria-pressed=(subscribed)
            aria-label={ (if subscribed { "Unsubscribe from " } else { "Subscribe to " }) (words.name) } {
            (if subscribed { "Subscribed" } else { "Subscribe" })
        }
    }
}

/// What stands beside the pages of a community.
pub fn community_sidebar(board: Board<'_>, community: &Community) -> Markup {
    let words = community.words;
    let members = community.members + u32::from(board.is_subscribed(words.slug));
    html! {
        section.panel {
            h2 { "About " (words.name) }
            p { (words.about) }
            dl.facts {
                dt { "Members" } dd.members { (grouped(members)) }
                dt { "Founded" } dd { (community.founded.day()) }
                dt { "Posting" } dd { (if words.restricted { "Approved members" } else { "Open to everyone" }) }
            }
        }
        section.panel {
            h2 { "Rules" }
            ol.rules {
                @for (rule, explanation) in words.rules {
                    li { details { summary { (rule) } p { (explanation) } } }
                }
            }
        }
        section.panel {
            h2 { "Moderators" }
            ul.people {
                @for name in &community.moderators {
                    li { img src={ "/img/u/" (name) ".svg" } alt="" width="22" height="22"; (person(name)) }
                }
            }
            p { a href={ "/c/" (words.slug) "/mod" } { "Moderator tools" } }
        }
    }
}

/// Links to the pages before and after this one of a list with `total` entries.
pub fn pager(visit: &Visit<'_>, page: usize, per_page: usize, total: usize) -> Markup {
    let pages = total.div_ceil(per_page).max(1);
    let to = |number: usize| {
        let mut query = url::form_urlencoded::Serializer::new(String::new());
        for (name, value) in visit.request.query.iter().filter(|(name, _)| name != "page") {
            query.append_pair(name, value);
        }
        format!(
            "/{}?{}",
            visit.request.path.join("/"),
            query.append_pair("page", &number.to_string()).finish()
        )
    };
    html! {
        @if pages > 1 {
            nav.pager aria-label="Pages" {
                @if page > 1 { a rel="prev" href=(to(page - 1)) { "Previous page" } }
                span { "Page " (page) " of " (pages) }
                @if page < pages { a rel="next" href=(to(page + 1)) { "Next page" } }
            }
        }
    }
}

/// The page a request asks for, from 1, within what there is.
pub fn page_number(visit: &Visit<'_>, per_page: usize, total: usize) -> usize {
    let asked = visit.request.query("page").and_then(|page| page.parse().ok()).unwrap_or(1);
    asked.clamp(1, total.div_ceil(per_page).max(1))
}

pub fn problem(text: Option<&str>) -> Markup {
    html! { @if let Some(text) = text { div.problem role="alert" { (text) } } }
}

/// Options of a dropdown, one of them chosen.
pub fn options<T: PartialEq>(all: &[(T, &'static str, &'static str)], chosen: &T) -> Markup {
    html! { @for (item, value, label) in all { option value=(value) selected[item == chosen] { (label) } } }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_grouped_by_thousands() {
        for (number, expected) in [(0, "0"), (999, "999"), (1000, "1,000"), (1_234_567, "1,234,567")] {
            assert_eq!(grouped(number), expected);
        }
    }
}
