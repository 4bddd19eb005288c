//! The consent manager: a third party's page in a frame on its own origin.

use std::collections::BTreeMap;

use http::StatusCode;
use maud::{DOCTYPE, html};
use serde_json::{Value, json};

use crate::hub::data::receipt;
use crate::hub::settings::PURPOSES;
use crate::hub::{Hub, state::Consent};
use crate::{Request, Response};

pub(in crate::hub) fn handle(hub: &mut Hub, request: &Request) -> Response {
    match (request.is_post(), request.segments().as_slice()) {
        (false, ["frame"]) => frame(),
        (false, ["consent.css"]) => Response::css(include_str!("../assets/consent.css")),
        (false, ["consent.js"]) => Response::script(include_str!("../assets/consent.js")),
        (true, ["choice"]) => choose(hub, request),
        _ => Response::empty().status(StatusCode::NOT_FOUND),
    }
}

fn frame() -> Response {
    Response::html(html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                title { "Cookie consent" }
                link rel="stylesheet" href="/consent.css";
            }
            body {
                div.banner {
                    h2 { "Orrery and 38 partners would like to use cookies" }
                    p { "Some are needed to run the site. Others remember your choices, count visits, or follow you to "
                        "other sites to show ads. You can change your mind on the privacy page." }
                    div id="purposes" hidden {
                        div.purpose { span { b { "Necessary" } small { "Keeps you signed in." } } em { "Always on" } }
                        @for (id, label, detail) in PURPOSES {
                            div.purpose {
                                span { b { (label) } small { (detail) } }
                                button.switch type="button" role="switch" aria-checked="true" aria-label=(label)
                                    data-purpose=(id) {}
                            }
                        }
                    }
                    div.buttons {
                        button type="button" id="choose" { "Choose" }
                        button type="button" id="save" hidden { "Save choices" }
                        button type="button" id="reject" { "Reject all" }
                        button.loud type="button" id="accept" { "Accept all" }
                    }
                }
                script src="/consent.js" defer {}
            }
        }
    })
}

/// `{"purposes": {id: bool, …}}` with every purpose answered.
fn choose(hub: &mut Hub, request: &Request) -> Response {
    let answers = request.json.as_ref().and_then(|json| json.get("purposes"));
    let purposes: Option<BTreeMap<String, bool>> = PURPOSES
        .iter()
        .map(|(id, _, _)| Some(((*id).to_owned(), answers?.get(id).and_then(Value::as_bool)?)))
        .collect();
    let Some(purposes) = purposes else {
        return Response::json(&json!({"error": "answer every purpose"}))
            .status(StatusCode::UNPROCESSABLE_ENTITY);
    };
    let choice: Vec<&str> = purposes.iter().filter(|(_, on)| **on).map(|(id, _)| id.as_str()).collect();
    let receipt = receipt(&mut hub.account.random(&format!("consent {}", choice.join(" "))));
    hub.state.consent = Consent { answered: true, purposes, receipt: Some(receipt.clone()) };
    Response::json(&json!({"receipt": receipt}))
}
