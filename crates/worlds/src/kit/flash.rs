//! Messages that are shown once, after the redirect that follows a form. They travel as a code in a cookie, so that
//! no text of a visitor's ever gets into a header; the site knows the text of each code.

use crate::{Request, Response};

const COOKIE: &str = "flash";
const FORGET: &str = "flash=; Path=/; Max-Age=0";

/// Codes and their texts.
pub type Messages = &'static [(&'static str, &'static str)];

/// A redirect that says `code` on the next page.
pub fn then(location: &str, code: &'static str) -> Response {
    Response::see_other(location).cookie(COOKIE, code)
}

/// The text of the message the request brings along.
pub fn message(request: &Request, messages: Messages) -> Option<&'static str> {
    let code = request.cookie(COOKIE)?;
    messages.iter().find(|(known, _)| *known == code).map(|(_, text)| *text)
}

/// Forgets the message once a page has shown it. `assets` are first path segments that are no pages.
pub fn forget_if_shown(request: &Request, assets: &[&str], response: Response) -> Response {
    let is_asset = request.path.first().is_some_and(|first| assets.contains(&first.as_str()));
    if request.is_post() || request.cookie(COOKIE).is_none() || is_asset {
        response
    } else {
        forget(response)
    }
}

/// Forgets the message that this page shows.
pub fn forget(response: Response) -> Response {
    response.header("set-cookie", FORGET.to_owned())
}
