//! The wall in front of the travel site. It stands before every page, marks its answers with the header `x-bot-wall`
//! and a status of 403 or 429, and notes in the state what became of each attempt to pass it.

mod drawing;
mod guard;
mod puzzle;

use http::StatusCode;
use maud::{Markup, html};

use super::pages::layout::bare_page;
use super::state::WallKind;
use super::{GUARD_HOST, Travel};
use crate::{Request, Response};

/// Wrong answers after which a visitor is turned away for good.
const MOST_FAILURES: u32 = 3;
/// Pages the rate wall serves in a row.
const PAGES_IN_A_ROW: u32 = 4;
/// What the rate wall asks for; its page counts them down.
const WAIT_SECONDS: u32 = 3;

/// The wall, if it stands between this visitor and a page. The rate wall counts the page.
pub(super) fn stop(travel: &mut Travel, request: &Request) -> Option<Response> {
    let seed = travel.catalogue.seed;
    let wall = &mut travel.state.wall;
    if wall.failures >= MOST_FAILURES && !wall.passed {
        return Some(denied());
    }
    let may_go_on = match wall.kind {
        WallKind::None => true,
        WallKind::Puzzle | WallKind::Checkbox => wall.passed,
        // A form that was refused could not be sent again by waiting.
        WallKind::Rate => request.is_post(),
    };
    if may_go_on {
        return None;
    }
    match wall.kind {
        WallKind::None => None,
        WallKind::Puzzle => {
            Some(answer(StatusCode::FORBIDDEN, "puzzle", &puzzle::page(seed, wall.puzzle, request)))
        }
        WallKind::Checkbox => Some(answer(StatusCode::FORBIDDEN, "checkbox", &checkbox())),
        WallKind::Rate if wall.pages < PAGES_IN_A_ROW => {
            wall.pages += 1;
            None
        }
        WallKind::Rate => {
            wall.refusals = wall.refusals.saturating_add(1);
            let page = answer(StatusCode::TOO_MANY_REQUESTS, "rate", &too_fast());
            Some(page.header("retry-after", WAIT_SECONDS.to_string()))
        }
    }
}

/// The wall's own addresses on the site's origin.
pub(super) fn handle(travel: &mut Travel, request: &Request) -> Response {
    let seed = travel.catalogue.seed;
    let wall = &mut travel.state.wall;
    match (request.is_post(), request.segments().as_slice()) {
        (false, ["wall", "tile", number, tile]) => puzzle::tile(seed, number, tile),
        (true, ["wall", "puzzle"]) if wall.kind == WallKind::Puzzle && wall.failures < MOST_FAILURES => {
            if puzzle::is_solved_by(seed, wall.puzzle, request) {
                (wall.passed, wall.passes) = (true, wall.passes.saturating_add(1));
            } else {
                (wall.puzzle, wall.failures) = (wall.puzzle.saturating_add(1), wall.failures + 1);
            }
            Response::see_other(local(request.form("next").unwrap_or_default()))
        }
        (true, ["wall", "waited"]) => {
            if wall.kind == WallKind::Rate && wall.pages >= PAGES_IN_A_ROW {
                (wall.pages, wall.passes) = (0, wall.passes.saturating_add(1));
            }
            Response::empty()
        }
        _ => Response::empty().status(StatusCode::NOT_FOUND),
    }
}

/// The frame with the box to tick, on its own origin.
pub(super) fn guard(travel: &mut Travel, request: &Request) -> Response {
    guard::handle(&mut travel.state.wall, request)
}

/// A path on this site; anything else a form says leads home.
fn local(next: &str) -> &str {
    let stays_here = next.starts_with('/') && !next.starts_with("//") && !next.contains(['\\', '\n', '\r']);
    if stays_here { next } else { "/" }
}

fn answer(status: StatusCode, kind: &str, content: &Markup) -> Response {
    bare_page("One moment, please", content).status(status).header("x-bot-wall", kind.to_owned())
}

fn checkbox() -> Markup {
    html! {
        h1 { "Are you a traveller or a script?" }
        p { "Something about this visit looked automatic. Tick the box to go on to Skerry." }
        iframe.guard id="guard" title="Human check" src=(format!("http://{GUARD_HOST}/box")) width="320" height="86" {}
        p.fine { "The check is run by Palisade on its own server. It sees your click and nothing else." }
        script src="/assets/wall.js" defer {}
    }
}

fn too_fast() -> Markup {
    html! {
        h1 { "You are going too fast" }
        p { "Skerry has sent you many pages in a short time. Please wait; this page goes on by itself." }
        p.countdown id="countdown" role="status" data-seconds=(WAIT_SECONDS) { (WAIT_SECONDS) " seconds" }
        p.fine { "Reloading starts the wait again." }
        script src="/assets/wall.js" defer {}
    }
}

fn denied() -> Response {
    let content = html! {
        h1 { "Access denied" }
        p { "We could not tell that you are a person, and have ended this visit. If that is a mistake, call us on 0871 200 900 and quote reference "
            b { "PAL-403-77" } "." }
    };
    answer(StatusCode::FORBIDDEN, "denied", &content)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_wall_sends_nobody_to_other_sites() {
        for (next, leads_to) in [
            ("/stays?city=Orlanthe", "/stays?city=Orlanthe"),
            ("//evil.example", "/"),
            ("http://evil.example", "/"),
            ("/\\evil", "/"),
            ("", "/"),
        ] {
            assert_eq!(local(next), leads_to);
        }
    }
}
