//! The pages the agent was on.

use umpire_model::{Exchange, ExchangeResponse, Trajectory};

use super::body::header;

/// The documents loaded into a tab itself, the last one first. What only leads to a page (a redirect) or leaves the tab
/// where it is (no content, a download, no answer at all) is not one. Navigations in two tabs are ordered by when they
/// started.
pub(crate) fn latest_first(trajectory: &Trajectory) -> Vec<(u64, &Exchange)> {
    let mut pages: Vec<(u64, &Exchange)> = trajectory
        .exchanges()
        .filter(|(_, exchange)| {
            exchange.is_navigation() && exchange.response.as_ref().is_some_and(shows_a_page)
        })
        .collect();
    pages.sort_by(|(seq, exchange), (other_seq, other)| {
        other.started.total_cmp(&exchange.started).then(other_seq.cmp(seq))
    });
    pages
}

/// Where a response sends the browser instead of answering.
pub(crate) fn redirect_target(response: &ExchangeResponse) -> Option<&str> {
    let redirects = matches!(response.status, 301 | 302 | 303 | 307 | 308);
    redirects.then(|| header(&response.headers, "location")).flatten()
}

fn shows_a_page(response: &ExchangeResponse) -> bool {
    let downloads = header(&response.headers, "content-disposition")
        .and_then(|value| value.split(';').next())
        .is_some_and(|kind| kind.trim().eq_ignore_ascii_case("attachment"));
    redirect_target(response).is_none() && !downloads && !matches!(response.status, 204 | 205)
}
