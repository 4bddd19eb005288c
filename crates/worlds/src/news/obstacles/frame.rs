//! The consent manager of a third party, in a frame on its own origin.

use http::StatusCode;
use maud::{DOCTYPE, html};

use super::answer_consent;
use crate::news::News;
use crate::news::state::PURPOSES;
use crate::{Request, Response};

pub(in crate::news) fn handle(news: &mut News, request: &Request) -> Response {
    match (request.is_post(), request.segments().as_slice()) {
        (false, ["frame"]) => page(),
        (false, ["frame.css"]) => Response::css(include_str!("../assets/frame.css")),
        (false, ["frame.js"]) => Response::script(include_str!("../assets/frame.js")),
        (true, ["choice"]) => answer_consent(news, request),
        _ => Response::empty().status(StatusCode::NOT_FOUND),
    }
}

/// Refusing takes a step more than agreeing, as such managers like it.
fn page() -> Response {
    Response::html(html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                title { "Privacy choices" }
                link rel="stylesheet" href="/frame.css";
            }
            body {
                main.card {
                    p.maker { "Choices by " b { "Permissio" } }
                    section id="first" {
                        h1 { "We value your privacy" }
                        p { "The Greyharbour Ledger works with 114 vendors. With your agreement they read and write identifiers on "
                            "this device. You can refuse, or change your mind later under “Cookies”." }
                        div.buttons {
                            button type="button" id="settings" { "Settings" }
                            button.loud type="button" id="agree" { "I agree" }
                        }
                    }
                    section id="second" hidden {
                        h1 { "Purposes" }
                        @for (id, label, detail) in PURPOSES {
                            div.purpose {
                                span { b { (label) } small { (detail) } }
                                button.toggle type="button" aria-pressed="true" aria-label=(format!("Allow {}", label.to_lowercase()))
                                    data-purpose=(id) { "Allowed" }
                            }
                        }
                        div.buttons {
                            button type="button" id="refuse" { "Refuse all" }
                            button.loud type="button" id="save" { "Save and exit" }
                        }
                    }
                }
                script src="/frame.js" defer {}
            }
        }
    })
}
