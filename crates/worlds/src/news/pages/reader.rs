//! The reader's own pages: reading list, newsletters, cookies; and what is printed about the paper.

use maud::html;

use super::layout::{page, quiet_page, teaser};
use crate::Response;
use crate::news::View;
use crate::news::state::{NEWSLETTERS, PURPOSES};

pub(in crate::news) fn reading_list(view: &View<'_>) -> Response {
    let saved: Vec<_> = view.state.saved.iter().filter_map(|id| view.catalogue.article(*id)).collect();
    let followed = view.state.following.iter().filter_map(|slug| view.catalogue.author(slug));
    let content = html! {
        header.list-head { h1 { "Reading list" } p { "What you saved for later, and whom you follow." } }
        @if saved.is_empty() { p { "Nothing saved yet. Use “Save for later” on an article." } }
        div.three { @for article in saved { (teaser(view, article, true)) } }
        h2 { "Journalists you follow" }
        ul.people { @for (_, author) in followed { li { a href=(format!("/authors/{}", author.slug)) { (author.name) } span { (author.section.name) } } } }
        @if view.state.following.is_empty() { p { "Nobody yet." } }
    };
    page(view, "Reading list", &content)
}

pub(in crate::news) fn newsletters(view: &View<'_>, problem: Option<&str>) -> Response {
    let newsletter = &view.state.newsletter;
    let content = html! {
        header.list-head { h1 { "Newsletters" } p { "Choose what you would like to receive. All of them are free." } }
        @if let Some(problem) = problem { p.problem role="alert" { (problem) } }
        form.stack method="post" action="/newsletters" {
            @for (id, name, detail) in NEWSLETTERS {
                label.choice { input type="checkbox" name="newsletter" value=(id) aria-label=(name) checked[newsletter.subscriptions.contains(id)]; span { b { (name) } " " (detail) } }
            }
            label { span { "E-mail address" } input type="text" name="email" value=(newsletter.email); }
            label.choice { input type="checkbox" name="partner_offers" checked[newsletter.partner_offers]; span { "Also send me offers from partners" } }
            button.loud type="submit" { "Save newsletters" }
        }
    };
    quiet_page(view, "Newsletters", &content)
}

pub(in crate::news) fn cookies(view: &View<'_>) -> Response {
    let content = html! {
        header.list-head { h1 { "Cookies" } p { "Necessary cookies keep the paper working and cannot be switched off. The others are up to you." } }
        form.stack method="post" action="/cookies" {
            @for (id, label, detail) in PURPOSES {
                label.choice { input type="checkbox" name=(id) aria-label=(label) checked[view.state.consent.purposes.get(id).copied().unwrap_or_default()]; span { b { (label) } " " (detail) } }
            }
            button.loud type="submit" { "Save cookie choices" }
        }
    };
    quiet_page(view, "Cookies", &content)
}

pub(in crate::news) fn sponsored(view: &View<'_>) -> Response {
    let content = html! {
        p.kicker { "Advertisement" }
        h1 { "Harbour Saver by Lighthouse Mutual" }
        p { "2.9 % a year on the first £5,000, variable, new customers only. Lighthouse Mutual is not part of the Ledger, and the Ledger is not part of "
            "your savings plan." }
        p { a href="/" { "Back to the front page" } }
    };
    quiet_page(view, "Advertisement", &content)
}

pub(in crate::news) fn about(view: &View<'_>) -> Response {
    let content = html! {
        h1 { "About us" }
        p.standfirst { "The Ledger has been printed in Greyharbour every day since 1871, except for one Tuesday in 1953 when the river came in." }
        p { "It belongs to the people who make it: 61 journalists, 14 printers, and a cat who is not on the payroll. Subscriptions pay for two thirds of "
            "what we do, advertisements for the rest." }
        h2 { "Corrections" }
        p { "We correct what we got wrong on the day after, on page two, in the same size of type. Write to corrections@ledger.example." }
    };
    page(view, "About us", &content)
}
