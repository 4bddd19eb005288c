//! The box to tick: a third party's page in a frame on its own origin.

use http::StatusCode;
use maud::{DOCTYPE, html};
use serde_json::json;

use super::MOST_FAILURES;
use crate::travel::state::{Wall, WallKind};
use crate::{Request, Response};

pub(super) fn handle(wall: &mut Wall, request: &Request) -> Response {
    match (request.is_post(), request.segments().as_slice()) {
        (false, ["box"]) => page(),
        (false, ["guard.css"]) => Response::css(include_str!("../assets/guard.css")),
        (false, ["guard.js"]) => Response::script(include_str!("../assets/guard.js")),
        (true, ["verify"]) if wall.kind == WallKind::Checkbox => verify(wall, request),
        _ => Response::empty().status(StatusCode::NOT_FOUND),
    }
}

fn page() -> Response {
    Response::html(html! {
        (DOCTYPE)
        html lang="en" {
            head { meta charset="utf-8"; title { "Human check" } link rel="stylesheet" href="/guard.css"; }
            body {
                div.box {
                    div.tick id="tick" role="checkbox" aria-checked="false" aria-label="I am a human" tabindex="0" {}
                    span id="words" { "I am a human" }
                    small { "Palisade" }
                }
                script src="/guard.js" defer {}
            }
        }
    })
}

/// The page says whether the browser vouched for the click.
fn verify(wall: &mut Wall, request: &Request) -> Response {
    let trusted = request.json.as_ref().is_some_and(|json| json["trusted"] == json!(true));
    if trusted && wall.failures < MOST_FAILURES {
        (wall.passed, wall.passes) = (true, wall.passes.saturating_add(1));
    } else {
        wall.failures = wall.failures.saturating_add(1);
    }
    Response::json(&json!({"passed": wall.passed}))
}
