//! Asking a page whether one is logged in.

use std::time::Duration;

use umpire_browser::{Seat, SeatError};
use umpire_model::{Deadline, LoginCheck};
use url::Url;

/// Pages that find out by themselves who is there may take a moment.
const PATIENCE: Duration = Duration::from_secs(8);
const AGAIN: Duration = Duration::from_millis(250);

/// Opens the page of the check and says what it lacks; nothing, if one is logged in.
pub(super) async fn objection(
    seat: &Seat,
    check: &LoginCheck,
    site: &Url,
    deadline: Deadline,
) -> Result<Option<String>, SeatError> {
    let patience = deadline.within(PATIENCE);
    seat.goto(check.url.as_deref().unwrap_or(site.as_str()), deadline).await?;
    loop {
        let seen = match seat.rest(deadline.within(PATIENCE)).await? {
            Some(seen) => seen,
            None => seat.observe(deadline).await?,
        };
        let objection =
            look(seat, check, &seen.url, &format!("{}\n{}", seen.title, seen.outline), deadline).await?;
        if objection.is_none() || patience.passed() {
            return Ok(objection);
        }
        tokio::time::sleep(AGAIN).await;
    }
}

async fn look(
    seat: &Seat,
    check: &LoginCheck,
    url: &str,
    text: &str,
    deadline: Deadline,
) -> Result<Option<String>, SeatError> {
    if let Some(place) = &check.lands_on
        && !url.starts_with(place)
    {
        let shown = url.split(['?', '#']).next().unwrap_or_default();
        return Ok(Some(format!("the page is {shown:.120}, not {place}")));
    }
    if let Some(missing) = check.shows.iter().find(|wanted| !text.contains(wanted.as_str())) {
        return Ok(Some(format!("the page does not show “{missing}”")));
    }
    if let Some(shown) = check.hides.iter().find(|unwanted| text.contains(unwanted.as_str())) {
        return Ok(Some(format!("the page shows “{shown}”")));
    }
    for selector in &check.has {
        if !seat.has_element(selector, deadline).await? {
            return Ok(Some(format!("there is no element `{selector}`")));
        }
    }
    for selector in &check.lacks {
        if seat.has_element(selector, deadline).await? {
            return Ok(Some(format!("there is an element `{selector}`")));
        }
    }
    if !check.cookies.is_empty() {
        let state = seat.cookies(deadline).await?;
        let is_set = |name: &&String| !state.iter().any(|cookie| cookie.name == **name);
        if let Some(missing) = check.cookies.iter().find(is_set) {
            return Ok(Some(format!("there is no cookie `{missing}`")));
        }
    }
    Ok(None)
}
