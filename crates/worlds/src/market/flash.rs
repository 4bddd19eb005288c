//! One-time messages. They travel in a cookie, not in the state, so that reading a page changes nothing.

use crate::{Request, Response};

const COOKIE: &str = "flash";

const MESSAGES: [(&str, &str); 5] = [
    ("added", "It is in your basket now."),
    ("changed", "Your basket has been changed."),
    ("ordered", "Thank you! Your order has been placed."),
    ("booked", "All set: your booking is confirmed."),
    ("cancelled", "Your booking has been cancelled."),
];

pub fn with(response: Response, code: &str) -> Response {
    response.cookie(COOKIE, code)
}

/// The message that waits for this visitor.
pub fn waiting(request: &Request) -> Option<&'static str> {
    let code = request.cookie(COOKIE)?;
    MESSAGES.iter().find(|(name, _)| *name == code).map(|(_, text)| *text)
}

/// Once shown, it is gone.
pub fn clear(response: Response) -> Response {
    response.header("set-cookie", format!("{COOKIE}=; Path=/; Max-Age=0"))
}
