//! One post with its comments, and the dialogs that belong to them.

use std::collections::BTreeMap;

use maud::{Markup, html};

use super::layout::Layout;
use super::{Visit, parts};
use crate::Response;
use crate::forum::actions::REPORT_REASONS;
use crate::forum::board::{CommentView, PostView};
use crate::forum::catalogue::CommentId;
use crate::forum::feed::CommentSort;

type Threads<'a> = BTreeMap<Option<CommentId>, Vec<CommentView<'a>>>;

pub fn page(visit: &Visit<'_>, post: &PostView<'_>, problem: Option<&str>) -> Response {
    let board = visit.board;
    let sort = visit
        .request
        .query("comments")
        .and_then(CommentSort::parse)
        .unwrap_or(board.state.settings.content.comment_sort);
    let threads = board.threads(post.id, sort);
    let words = post.community.words;
    let content = html! {
        nav.crumbs aria-label="Breadcrumb" {
            a href="/" { "Home" } " › " a href={ "/c/" (words.slug) } { (words.name) } " › " span { "Post" }
        }
        (parts::problem(problem))
        article.post {
            (parts::votes("post", post.id, post.score, post.vote, "post"))
            div.card-main {
                p.meta {
                    span { "Posted by " (parts::person(post.author)) " " (parts::when(post.at)) }
                    span { (post.at.day()) }
                    @if post.edited { span { "edited" } }
                    @if post.flags.pinned { span.tag { "Pinned" } }
                    @if post.flags.locked { span.tag { "Locked" } }
                    @if post.flags.removed { span.tag.bad { "Removed" } }
                }
                h1 { (post.title) }
                @if let Some(flair) = post.flair { span.flair { (flair) } }
                @if post.flags.removed && !board.moderates(words.slug) {
                    p { em { "This post has been removed by a moderator." } }
                } @else {
                    @if let Some(link) = post.link {
                        p.link { a href=(link) rel="nofollow noopener" target="_blank" { (link) " ↗" } }
                    }
                    @if post.has_picture {
                        img.picture src={ "/img/post/" (post.id) ".svg" } alt="Photo by the author" width="640" height="360";
                    }
                    (parts::paragraphs(post.body))
                }
                @if board.state.signed_in { (tools(visit, post)) }
            }
        }
        (comments(visit, post, &threads, sort))
        (report_dialog())
    };
    let sidebar = Some(parts::community_sidebar(board, post.community));
    Layout { title: post.title, scripts: &["thread.js"], sidebar, content }.page(visit)
}

fn tools(visit: &Visit<'_>, post: &PostView<'_>) -> Markup {
    let slug = post.community.words.slug;
    let flags = post.flags;
    html! {
        div.actions {
            (parts::save_button(post, "post"))
            @if post.is_own() {
                a.quiet href={ "/post/" (post.id) "/edit" } { "Edit post" }
                button.quiet type="button" data-dialog="delete-dialog" { "Delete post" }
                dialog #delete-dialog aria-labelledby="delete-title" {
                    form method="post" action={ "/post/" (post.id) "/delete" } {
                        h2 #delete-title { "Delete this post?" }
                        p { "The post and your comments on it will be gone for good." }
                        div.buttons {
                            button type="button" data-close { "Keep it" }
                            button.danger type="submit" { "Delete for good" }
                        }
                    }
                }
            } @else {
                button.quiet type="button" data-dialog="report-dialog" data-post=(post.id) { "Report post" }
            }
            @if visit.board.moderates(slug) {
                div.menu {
                    button.quiet type="button" aria-haspopup="menu" aria-expanded="false" aria-controls="mod-menu" {
                        "Moderate"
                    }
                    div #mod-menu role="menu" aria-label="Moderate" hidden {
                        (mod_item(slug, post.id, flags.locked, ("unlock", "Unlock comments"), ("lock", "Lock comments")))
                        (mod_item(slug, post.id, flags.pinned, ("unpin", "Unpin from top"), ("pin", "Pin to top")))
                        (mod_item(slug, post.id, flags.removed, ("restore", "Restore post"), ("remove", "Remove post")))
                    }
                }
            }
        }
    }
}

fn mod_item(slug: &str, post: u32, is_set: bool, undo: (&str, &str), set: (&str, &str)) -> Markup {
    let (action, label) = if is_set { undo } else { set };
    html! {
        form method="post" action={ "/c/" (slug) "/mod/post/" (post) } {
            input type="hidden" name="action" value=(action);
            button role="menuitem" type="submit" { (label) }
        }
    }
}

fn comments(visit: &Visit<'_>, post: &PostView<'_>, threads: &Threads<'_>, sort: CommentSort) -> Markup {
    let can_comment = visit.board.state.signed_in && !post.flags.locked;
    html! {
        section #comments .comments aria-labelledby="comments-title" {
            div.toolbar {
                h2 #comments-title { (parts::counted(post.comments, "comment")) }
                form method="get" action=(post.path()) {
                    label { "Sort comments by " select.go name="comments" { (parts::options(&CommentSort::ALL, &sort)) } }
                }
            }
            @if post.flags.locked {
                p.notice { "This post is locked. New comments and votes are not possible." }
            } @else if can_comment {
                form.composer method="post" action={ "/post/" (post.id) "/comment" } {
                    label for="comment-body" { "Add a comment" }
                    textarea #comment-body name="body" rows="3" placeholder="Be kind, be specific" {}
                    div.buttons { button.primary type="submit" { "Post comment" } }
                }
            }
            @if threads.is_empty() { p.empty { "Nobody has said anything yet." } }
            (branch(threads, None, can_comment, post.id))
        }
    }
}

fn branch(threads: &Threads<'_>, parent: Option<CommentId>, can_comment: bool, post: u32) -> Markup {
    html! {
        @if let Some(comments) = threads.get(&parent) {
            ul.thread {
                @for comment in comments {
                    li id={ "comment-" (comment.id) } {
                        (one(comment, can_comment, post))
                        (branch(threads, Some(comment.id), can_comment, post))
                    }
                }
            }
        }
    }
}

fn one(comment: &CommentView<'_>, can_comment: bool, post: u32) -> Markup {
    let what = format!("comment by {}", comment.author);
    html! {
        article.comment {
            p.meta {
                img src={ "/img/u/" (comment.author) ".svg" } alt="" width="20" height="20";
                (parts::person(comment.author)) span { (parts::when(comment.at)) }
                @if comment.edited { span { "edited" } }
            }
            div.text { @if comment.removed { p { em { "Removed by a moderator." } } } @else { (parts::paragraphs(&comment.body)) } }
            div.actions {
                (parts::votes("comment", comment.id, comment.score, comment.vote, &what))
                @if can_comment {
                    button.quiet type="button" aria-expanded="false" aria-controls={ "reply-" (comment.id) } {
                        "Reply to " (comment.author)
                    }
                    @if comment.is_own() {
                        button.quiet type="button" aria-expanded="false" aria-controls={ "edit-" (comment.id) } { "Edit comment" }
                        form method="post" action={ "/comment/" (comment.id) "/delete" } {
                            button.quiet type="submit" { "Delete comment" }
                        }
                    } @else {
                        button.quiet type="button" data-dialog="report-dialog" data-post=(post) data-comment=(comment.id)
                            aria-label={ "Report " (what) } { "Report" }
                    }
                }
            }
            @if can_comment {
                form.composer id={ "reply-" (comment.id) } hidden method="post" action={ "/post/" (post) "/comment" } {
                    input type="hidden" name="parent" value=(comment.id);
                    label for={ "reply-body-" (comment.id) } { "Your reply to " (comment.author) }
                    textarea id={ "reply-body-" (comment.id) } name="body" rows="3" {}
                    div.buttons { button.primary type="submit" { "Post reply" } }
                }
                @if comment.is_own() {
                    form.composer id={ "edit-" (comment.id) } hidden method="post" action={ "/comment/" (comment.id) "/edit" } {
                        label for={ "edit-body-" (comment.id) } { "Change your comment" }
                        textarea id={ "edit-body-" (comment.id) } name="body" rows="3" { (comment.body) }
                        div.buttons { button.primary type="submit" { "Save comment" } }
                    }
                }
            }
        }
    }
}

/// One dialog serves the post and all comments; the button that opens it fills in what is reported.
fn report_dialog() -> Markup {
    html! {
        dialog #report-dialog aria-labelledby="report-title" {
            form method="post" action="/report" {
                h2 #report-title { "Report to the moderators" }
                input type="hidden" name="post";
                input type="hidden" name="comment";
                fieldset {
                    legend { "What is wrong with it?" }
                    @for (value, label) in REPORT_REASONS {
                        label.choice { input type="radio" name="reason" value=(value) required; (label) }
                    }
                }
                label for="report-details" { "Details (optional)" }
                textarea #report-details name="details" rows="2" maxlength="500" {}
                div.buttons {
                    button type="button" data-close { "Cancel" }
                    button.danger type="submit" { "Send report" }
                }
            }
        }
    }
}
