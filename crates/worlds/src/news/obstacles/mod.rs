//! What stands between a visitor and the page: a question about cookies in one of three forms, an advertisement, a
//! newsletter dialog. Each is drawn on every page until it was dealt with, and each leaves its answer in the state.

pub(super) mod frame;

use std::collections::BTreeMap;

use http::StatusCode;
use maud::{Markup, html};
use serde_json::{Value, json};

use super::state::{ConsentChoice, ConsentForm, Offer, PURPOSES, State};
use super::{CONSENT_HOST, News, View};
use crate::kit::text::bounded;
use crate::{Request, Response};

/// The longest e-mail address anybody has.
const LONGEST_EMAIL: usize = 120;
/// The newsletter that the dialog offers.
const OFFERED: &str = "first-light";

/// What a page ends with. The pop-ups come one after another: consent, advertisement, newsletter.
pub(super) fn markup(view: &View<'_>) -> Markup {
    let state = view.state;
    html! {
        @if state.awaits_consent() {
            @match state.obstacles.consent {
                ConsentForm::None => {}
                ConsentForm::Banner => (banner()),
                ConsentForm::Shadow => {
                    permit-kit data-purposes=(purposes_as_json()) {}
                    script src="/assets/permit-kit.js" defer {}
                }
                ConsentForm::Frame => {
                    iframe.consent-frame id="consent-frame" title="Privacy choices"
                        src=(format!("http://{CONSENT_HOST}/frame")) {}
                }
            }
        }
        @if state.shows_advert() { (advert()) }
        @if state.offers_newsletter() { (newsletter()) }
        script src="/assets/obstacles.js" defer {}
    }
}

fn banner() -> Markup {
    html! {
        div.consent-banner id="consent-banner" role="dialog" aria-label="Your privacy" {
            div.consent-inner {
                h2 { "Before you read on" }
                p { "The Ledger and its 114 partners store cookies on your device. Necessary ones keep the paper working. "
                    "The others measure, personalise and sell. Articles open in full once you have chosen." }
                div.consent-purposes id="consent-purposes" hidden {
                    @for (id, label, detail) in PURPOSES {
                        label { input type="checkbox" name=(id) aria-label=(label) checked; span { b { (label) } " " (detail) } }
                    }
                }
                div.consent-buttons {
                    button.loud type="button" id="consent-accept" { "Accept all" }
                    button type="button" id="consent-reject" { "Reject all" }
                    button type="button" id="consent-manage" { "Manage choices" }
                    button type="button" id="consent-save" hidden { "Save my choices" }
                }
            }
        }
    }
}

fn purposes_as_json() -> String {
    Value::from(PURPOSES.iter().map(|(id, label, detail)| json!([id, label, detail])).collect::<Vec<_>>())
        .to_string()
}

/// Its corner cross belongs to the advertiser; the real way out appears below it after a while.
fn advert() -> Markup {
    html! {
        div.advert id="advert" role="dialog" aria-label="Advertisement" hidden {
            div.advert-card {
                small { "Advertisement" }
                form method="post" action="/sponsored" { button.advert-cross type="submit" aria-label="Dismiss" { "✕" } }
                h2 { "Lighthouse Mutual" }
                p.advert-claim { "Your rainy day," br; "at 2.9 %." }
                p { "Open a Harbour Saver in four minutes. New customers only, while the tide is in." }
                form method="post" action="/sponsored" { button.loud type="submit" { "See the offer" } }
                p.advert-wait id="advert-wait" role="status" { "You can continue to the Ledger in a moment" }
            }
        }
    }
}

fn newsletter() -> Markup {
    html! {
        div.newsletter id="newsletter" role="dialog" aria-modal="true" aria-label="Newsletter offer" hidden {
            div.newsletter-card {
                button.newsletter-close type="button" id="newsletter-close" aria-label="Close newsletter offer" { "×" }
                h2 { "The morning in five minutes" }
                p { "First Light is read by 41,000 people before breakfast. Join them?" }
                form id="newsletter-form" {
                    label { span { "E-mail address" } input type="email" name="email" required maxlength=(LONGEST_EMAIL); }
                    label.tick { input type="checkbox" name="partner_offers" checked; span { "Also send me offers from partners" } }
                    p.newsletter-problem id="newsletter-problem" role="alert" {}
                    button.loud type="submit" { "Sign me up" }
                }
                button.shame type="button" id="newsletter-decline" { "No thanks, I prefer to be surprised by the news" }
            }
        }
    }
}

/// `{"purposes": {id: bool, …}}` with every purpose answered.
pub(super) fn answer_consent(news: &mut News, request: &Request) -> Response {
    let answers = request.json.as_ref().and_then(|json| json.get("purposes"));
    let purposes: Option<BTreeMap<String, bool>> = PURPOSES
        .iter()
        .map(|(id, _, _)| Some(((*id).to_owned(), answers?.get(id).and_then(Value::as_bool)?)))
        .collect();
    match purposes {
        Some(purposes) => {
            record_consent(&mut news.state, purposes);
            Response::json(&json!({"saved": true}))
        }
        None => refused("answer every purpose"),
    }
}

pub(super) fn record_consent(state: &mut State, purposes: BTreeMap<String, bool>) {
    state.consent.choice = match purposes.values().filter(|allowed| **allowed).count() {
        0 => ConsentChoice::Rejected,
        count if count == purposes.len() => ConsentChoice::Accepted,
        _ => ConsentChoice::Custom,
    };
    state.consent.purposes = purposes;
    state.consent.answers = state.consent.answers.saturating_add(1);
}

/// `{"answer": "declined" | "closed"}`, or `"subscribed"` with an address.
pub(super) fn answer_newsletter(news: &mut News, request: &Request) -> Response {
    let Some(json) = &request.json else { return refused("no JSON") };
    let newsletter = &mut news.state.newsletter;
    match json["answer"].as_str() {
        Some("declined") => newsletter.offer = Offer::Declined,
        Some("closed") => newsletter.offer = Offer::Closed,
        Some("subscribed") => {
            let Some(email) = json["email"].as_str().and_then(email_address) else {
                return refused("Please enter a complete e-mail address.");
            };
            newsletter.offer = Offer::Subscribed;
            newsletter.email = email;
            newsletter.partner_offers = json["partner_offers"].as_bool().unwrap_or_default();
            newsletter.subscriptions.insert(OFFERED.to_owned());
        }
        _ => return refused("unknown answer"),
    }
    Response::json(&json!({"saved": true}))
}

/// An address with something before the `@` and a dotted name after it.
pub(super) fn email_address(text: &str) -> Option<String> {
    let text = text.trim();
    let (user, host) = text.split_once('@')?;
    let plain = |part: &str| !part.is_empty() && part.chars().all(|c| c.is_ascii_graphic() && c != '@');
    let dotted = host.split('.').count() > 1 && host.split('.').all(|part| !part.is_empty());
    (plain(user) && plain(host) && dotted && text.len() <= LONGEST_EMAIL)
        .then(|| bounded(text, LONGEST_EMAIL))
}

pub(super) fn close_advert(news: &mut News) -> Response {
    news.state.advert.closed = true;
    Response::json(&json!({"saved": true}))
}

pub(super) fn follow_advert(news: &mut News) -> Response {
    news.state.advert.followed = news.state.advert.followed.saturating_add(1);
    Response::see_other("/sponsored")
}

fn refused(problem: &str) -> Response {
    Response::json(&json!({"error": problem})).status(StatusCode::UNPROCESSABLE_ENTITY)
}
