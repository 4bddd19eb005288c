//! The frame around every page: header, navigation, message, content, sidebar, footer.

use maud::{DOCTYPE, Markup, html};

use super::Visit;
use crate::Response;
use crate::forum::catalogue::{MODERATED, VISITOR};
use crate::forum::flash;

pub struct Layout<'a> {
    pub title: &'a str,
    /// Modules besides those that every page loads.
    pub scripts: &'a [&'a str],
    pub sidebar: Option<Markup>,
    pub content: Markup,
}

impl Layout<'_> {
    pub fn page(self, visit: &Visit<'_>) -> Response {
        let signed_in = visit.board.state.signed_in;
        let compact = visit.board.state.settings.content.compact_cards;
        Response::html(html! {
            (DOCTYPE)
            html lang="en" {
                head {
                    meta charset="utf-8";
                    meta name="viewport" content="width=device-width, initial-scale=1";
                    title { (self.title) " · Thicket" }
                    link rel="icon" href="data:,";
                    link rel="stylesheet" href="/static/style.css";
                    @for script in ["menus.js", "toggles.js"].iter().chain(self.scripts) {
                        script type="module" src={ "/static/" (script) } {}
                    }
                }
                body.compact[compact] {
                    a.skip href="#main" { "Skip to content" }
                    (header(visit))
                    div.frame {
                        (navigation(visit))
                        main #main {
                            @if let Some(message) = flash::message(visit.request) {
                                div.flash role="status" { (message) }
                            }
                            @if !signed_in && visit.request.path.first().is_none_or(|first| first != "signin") {
                                p.notice { "You are reading as a guest. " a href="/signin" { "Sign in" } " to take part." }
                            }
                            (self.content)
                        }
                        @if let Some(sidebar) = &self.sidebar {
                            aside aria-label="About this page" { (sidebar) }
                        }
                    }
                    footer {
                        span { "© 2026 Thicket Forum Cooperative" }
                        nav aria-label="Footer" {
                            a href="/about" { "About" }
                            a href="/help" { "Help" }
                            a href="/communities" { "All communities" }
                        }
                    }
                }
            }
        })
    }
}

fn header(visit: &Visit<'_>) -> Markup {
    let board = visit.board;
    html! {
        header.top {
            a.logo href="/" aria-label="Thicket home" {
                svg viewBox="0 0 32 32" width="28" height="28" aria-hidden="true" {
                    path d="M16 3c6 4 9 9 9 14a9 9 0 0 1-18 0c0-5 3-10 9-14z" fill="currentColor" opacity=".85" {}
                    path d="M16 9v20M16 18l5-4M16 22l-5-4" stroke="#fff" stroke-width="1.6" fill="none" {}
                }
                span { "Thicket" }
            }
            form.search role="search" action="/search" method="get" {
                input type="search" name="q" placeholder="Search posts, communities, people" aria-label="Search Thicket"
                    autocomplete="off";
            }
            @if board.state.signed_in {
                nav.account aria-label="Account" {
                    a.primary href="/submit" { "Create post" }
                    span.with-badge {
                        a href="/messages" { "Messages" }
                        @if board.unread_messages() > 0 { span.badge title="unread" { (board.unread_messages()) } }
                    }
                    span.with-badge {
                        a href="/notifications" { "Notifications" }
                        @if board.unread_notifications() > 0 {
                            span.badge title="unread" { (board.unread_notifications()) }
                        }
                    }
                    div.menu {
                        button.user type="button" aria-haspopup="menu" aria-expanded="false" aria-controls="user-menu"
                            aria-label="Account menu" {
                            img src={ "/img/u/" (VISITOR) ".svg" } alt="" width="26" height="26";
                            span { (VISITOR) }
                        }
                        div #user-menu role="menu" aria-label="Account" hidden {
                            a role="menuitem" href={ "/u/" (VISITOR) } { "Profile" }
                            a role="menuitem" href="/saved" { "Saved posts" }
                            a role="menuitem" href="/settings" { "Settings" }
                            form method="post" action="/signout" {
                                button role="menuitem" type="submit" { "Sign out" }
                            }
                        }
                    }
                }
            } @else {
                nav.account aria-label="Account" { a.primary href="/signin" { "Sign in" } }
            }
        }
    }
}

fn navigation(visit: &Visit<'_>) -> Markup {
    let board = visit.board;
    let here = |path: &str| (visit.request.target == path).then_some("page");
    html! {
        nav.side aria-label="Main" {
            ul {
                li { a href="/" aria-current=[here("/")] { "Home" } }
                li { a href="/all" aria-current=[here("/all")] { "All posts" } }
                li { a href="/communities" aria-current=[here("/communities")] { "Communities" } }
            }
            @if board.state.signed_in {
                h2 { "Your communities" }
                ul {
                    @for community in &board.catalogue.communities {
                        @let slug = community.words.slug;
                        @if board.is_subscribed(slug) {
                            li { a href={ "/c/" (slug) } aria-current=[here(&format!("/c/{slug}"))] {
                                img src={ "/img/c/" (slug) ".svg" } alt="" width="20" height="20";
                                (community.words.name)
                            } }
                        }
                    }
                }
                h2 { "Moderation" }
                ul { li { a href={ "/c/" (MODERATED) "/mod" } { "Moderation queue" } } }
            }
        }
    }
}
