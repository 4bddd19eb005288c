//! What all pages share: the head, the way around, who is signed in.

use axum::response::{Html, IntoResponse, Response};
use maud::{DOCTYPE, Markup, html};

use crate::accounts::Who;
use crate::assets::{self, Asset};

/// Where in the house a page is, for the bar at its top.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Room {
    Runs,
    Compare,
    Label,
    Arena,
    Leaderboard,
    Failures,
    Accounts,
}

/// A page for somebody.
pub(crate) struct Page<'a> {
    pub title: &'a str,
    pub room: Room,
    pub who: &'a Who,
    pub scripts: &'a [&'static Asset],
    pub body: Markup,
}

/// How often a page about something under way is loaded again where there is no script.
const RELOAD_SECONDS: u32 = 4;

impl Page<'_> {
    pub(crate) fn respond(&self) -> Response {
        self.rendered(false)
    }

    /// One that loads itself again and again where there is no script to keep it fresh.
    pub(crate) fn respond_under_way(&self) -> Response {
        self.rendered(true)
    }

    fn rendered(&self, is_under_way: bool) -> Response {
        let bar = html! {
            nav.bar-top aria-label="Umpire" {
                a.home href="/" { img src=(assets::ICON.path) alt="" width="20" height="20"; "Umpire" }
                (place("/", "Runs", self.room == Room::Runs))
                (place("/compare", "Compare", self.room == Room::Compare))
                (place("/label", "Label", self.room == Room::Label))
                (place("/arena", "Arena", self.room == Room::Arena))
                (place("/leaderboard", "Leaderboard", self.room == Room::Leaderboard))
                @if self.who.is_operator() { (place("/failures", "Failures", self.room == Room::Failures)) }
                @if self.who.is_operator() { (place("/accounts", "Accounts", self.room == Room::Accounts)) }
                span.push {
                    @if let Some(account) = &self.who.account {
                        form.inline method="post" action="/sign-out" {
                            (token(self.who))
                            span.muted { (account.name) ", " (account.role.as_str()) " " }
                            button.link type="submit" { "Sign out" }
                        }
                    } @else {
                        a href="/sign-in" { "Sign in" }
                    }
                }
            }
        };
        let page = document(self.title, self.scripts, is_under_way, &bar, &self.body);
        Html(page.into_string()).into_response()
    }
}

fn place(href: &str, name: &str, is_here: bool) -> Markup {
    html! { a href=(href) aria-current=[is_here.then_some("page")] { (name) } }
}

/// A page that needs to know nothing, such as one that says what went wrong.
pub(crate) fn plain_page(title: &str, body: &Markup) -> Html<String> {
    let bar = html! { nav.bar-top aria-label="Umpire" { a.home href="/" { "Umpire" } } };
    Html(document(title, &[], false, &bar, body).into_string())
}

/// The hidden field without which no form is read.
pub(crate) fn token(who: &Who) -> Markup {
    html! { input type="hidden" name="token" value=(who.form_token); }
}

fn document(title: &str, scripts: &[&Asset], is_under_way: bool, bar: &Markup, body: &Markup) -> Markup {
    html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                title { (title) " · Umpire" }
                link rel="icon" href=(assets::ICON.path) type="image/svg+xml";
                link rel="stylesheet" href=(assets::STYLE.path);
                @if is_under_way { noscript { meta http-equiv="refresh" content=(RELOAD_SECONDS); } }
                @for script in scripts { script type="module" src=(script.path) {} }
            }
            body {
                a.skip href="#main" { "Skip to content" }
                (bar)
                main id="main" { (body) }
            }
        }
    }
}
