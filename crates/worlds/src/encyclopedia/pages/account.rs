//! What belongs to the visitor: watchlist, contributions, preferences, signing in.

use maud::{Markup, html};

use super::Visit;
use super::layout::page;
use super::notice;
use crate::Response;
use crate::encyclopedia::library::Article;
use crate::encyclopedia::state::{TextSize, Theme};
use crate::kit::lists::counted;

pub fn watchlist(visit: Visit<'_>) -> Response {
    if !visit.desk.state.signed_in {
        return notice::signed_out(visit);
    }
    let articles: Vec<&Article> =
        visit.desk.state.watchlist.iter().filter_map(|slug| visit.desk.article(slug)).collect();
    let content = html! {
        h1 { "Watchlist" }
        p.muted { (counted(articles.len(), "article")) }
        @if articles.is_empty() { p { "You watch nothing. Open an article and choose Watch." } }
        table.data {
            thead { tr { th { "Article" } th { "Last change" } th { "By" } th {} } }
            tbody { @for article in &articles { (watched(visit, article)) } }
        }
    };
    page(visit, "Watchlist", &content)
}

fn watched(visit: Visit<'_>, article: &Article) -> Markup {
    let versions = visit.desk.versions(article);
    html! {
        tr {
            td { a href={ "/article/" (article.slug) } { (article.title) } }
            @if let Some(latest) = versions.last() {
                td { (latest.at.day_and_time()) }
                td { (latest.author) }
            }
            td {
                form method="post" action={ "/article/" (article.slug) "/watch" } {
                    input type="hidden" name="back" value="watchlist";
                    button type="submit" aria-label={ "Stop watching " (article.title) } { "Stop watching" }
                }
            }
        }
    }
}

pub fn contributions(visit: Visit<'_>) -> Response {
    if !visit.desk.state.signed_in {
        return notice::signed_out(visit);
    }
    let edits = &visit.desk.state.edits;
    let content = html! {
        h1 { "Your contributions" }
        @if edits.is_empty() { p { "You have not edited anything yet." } }
        ul { @for (slug, revisions) in edits {
            @if let Some(article) = visit.desk.article(slug) {
                @for (number, edit) in revisions {
                    li { a href={ "/article/" (slug) "/revision/" (number) } { (article.title) ", revision " (number) } " " em { (edit.summary) } }
                }
            }
        } }
    };
    page(visit, "Your contributions", &content)
}

pub fn preferences(visit: Visit<'_>) -> Response {
    if !visit.desk.state.signed_in {
        return notice::signed_out(visit);
    }
    let now = &visit.desk.state.preferences;
    let tick = |name: &str, title: &str, on: bool| {
        html! { label.tick { input type="checkbox" name=(name) checked[on]; (title) } }
    };
    let content = html! {
        h1 { "Preferences" }
        form.editor method="post" action="/preferences" {
            fieldset {
                legend { "Reading" }
                label for="theme" { "Theme" }
                select #theme name="theme" { @for (theme, code, name) in Theme::ALL { option value=(code) selected[theme == now.theme] { (name) } } }
                label for="text_size" { "Text size" }
                select #text_size name="text_size" { @for (size, code, name) in TextSize::ALL { option value=(code) selected[size == now.text_size] { (name) } } }
                (tick("show_contents", "Show the table of contents", now.show_contents))
            }
            fieldset {
                legend { "Editing" }
                (tick("mark_minor", "Mark my edits as minor", now.mark_minor))
                label for="signature" { "Signature on talk pages" }
                input #signature type="text" name="signature" maxlength="80" value=(visit.typed("signature", &now.signature));
            }
            fieldset {
                legend { "Mail" }
                (tick("mail_on_change", "Write to me when a watched article changes", now.mail_on_change))
                (tick("mail_on_talk", "Write to me when somebody answers me", now.mail_on_talk))
            }
            p.buttons { button.primary type="submit" { "Save preferences" } }
        }
    };
    page(visit, "Preferences", &content)
}

pub fn sign_in(visit: Visit<'_>) -> Response {
    let content = html! {
        h1 { "Sign in" }
        @if visit.desk.state.signed_in { p { "You are signed in." } }
        @else {
            form.editor method="post" action="/sign-in" {
                label for="name" { "User name" }
                input #name type="text" name="name" maxlength="60" autocomplete="username" value=(visit.typed("name", ""));
                label for="password" { "Password" }
                input #password type="password" name="password" maxlength="60" autocomplete="current-password";
                p.buttons { button.primary type="submit" { "Sign in" } }
            }
        }
    };
    page(visit, "Sign in", &content)
}
