//! The page the agent ended up on.

use umpire_model::{Exchange, ExchangeResponse, Trajectory};

/// The last document loaded into a tab itself. What only leads to a page (a redirect) or leaves the tab where it is
/// (no content, a download, no answer at all) is not one. Navigations in two tabs are ordered by when they started.
pub(super) fn find(trajectory: &Trajectory) -> Option<(u64, &Exchange)> {
    trajectory
        .exchanges()
        .filter(|(_, exchange)| {
            exchange.is_navigation() && exchange.response.as_ref().is_some_and(shows_a_page)
        })
        .max_by(|(seq, exchange), (other_seq, other)| {
            exchange.started.total_cmp(&other.started).then(seq.cmp(other_seq))
        })
}

fn shows_a_page(response: &ExchangeResponse) -> bool {
    let header = |name: &str| {
        response
            .headers
            .iter()
            .find(|(key, _)| key.eq_ignore_ascii_case(name))
            .map(|(_, value)| value.as_str())
    };
    let redirects = matches!(response.status, 301 | 302 | 303 | 307 | 308) && header("location").is_some();
    let downloads = header("content-disposition")
        .and_then(|value| value.split(';').next())
        .is_some_and(|kind| kind.trim().eq_ignore_ascii_case("attachment"));
    !redirects && !downloads && !matches!(response.status, 204 | 205)
}
