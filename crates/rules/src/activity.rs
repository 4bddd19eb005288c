//! Whether the agent used the sites at all. An answer that needed no look at them was known, guessed or made up.

use std::collections::BTreeSet;

use umpire_model::{ActivityCheck, Exchange, Trajectory};
use url::Url;

use crate::network::{place, redirect_target, whole_record};
use crate::ruling::{Ruling, Undecided};
use crate::words;

/// Files that pages are made of. They are fetched by pages, not visited, and by none but the page's own wish.
const PARTS_OF_PAGES: [&str; 12] =
    ["css", "js", "png", "jpg", "jpeg", "gif", "svg", "woff", "woff2", "ttf", "ico", "webp"];

pub(crate) fn in_words(check: &ActivityCheck) -> String {
    let sites = words::joined(check.sites.iter().cloned(), " or ");
    if check.beyond.is_empty() {
        format!("some use of {sites}")
    } else {
        let pages = words::joined(check.beyond.iter().cloned(), ", ");
        format!("some use of {sites} beyond opening {pages}")
    }
}

pub(crate) fn rule(check: &ActivityCheck, trajectory: &Trajectory) -> Result<Ruling, Undecided> {
    let read = |url: &String| {
        Site::of(url)
            .ok_or_else(|| Undecided::Broken(format!("`{}` is not an http(s) URL", words::shorten(url))))
    };
    let sites: Vec<Site> = check.sites.iter().map(read).collect::<Result<_, _>>()?;
    let mut opening: BTreeSet<String> = check.beyond.iter().filter_map(|url| page(url)).collect();
    let mut start_seen = false;
    for (seq, exchange) in trajectory.exchanges() {
        let Some(found) = visited(exchange, &sites) else { continue };
        if opening.contains(&found) {
            start_seen = true;
            // Where a start page sends every visitor is part of opening it.
            let target = exchange.response.as_ref().and_then(redirect_target);
            let target = target.and_then(|target| Url::parse(&exchange.request.url).ok()?.join(target).ok());
            opening.extend(target.and_then(|target| page(target.as_str())));
            continue;
        }
        return Ok(Ruling::Held { found: words::shorten(&exchange.request.url), evidence: vec![seq] });
    }
    whole_record(trajectory)?;
    let reason = if start_seen {
        "nothing beyond the start page was requested"
    } else {
        "no site of the task was used"
    };
    Ok(Ruling::Failed {
        found: reason.to_owned(),
        reason: format!("activity: {reason}"),
        evidence: Vec::new(),
    })
}

/// The page an exchange was about, if it was answered by one of the sites.
fn visited(exchange: &Exchange, sites: &[Site]) -> Option<String> {
    exchange.response.as_ref()?;
    let url = Url::parse(&exchange.request.url).ok()?;
    let is_part = url.path().rsplit_once('.').is_some_and(|(_, end)| PARTS_OF_PAGES.contains(&end));
    let ours = sites.iter().any(|site| site.owns(&url));
    (ours && !is_part).then(|| page(&exchange.request.url)).flatten()
}

/// A place without regard to case and trailing slash.
fn page(url: &str) -> Option<String> {
    Some(place(url)?.trim_end_matches('/').to_lowercase())
}

/// What belongs to a site: its host and port, and the first segment of its path, where several share a host.
struct Site {
    origin: String,
    segment: Option<String>,
}

impl Site {
    fn of(url: &str) -> Option<Self> {
        let url = Url::parse(url).ok().filter(Url::has_host)?;
        Some(Self { origin: url.origin().ascii_serialization(), segment: first_segment(&url) })
    }

    fn owns(&self, url: &Url) -> bool {
        url.origin().ascii_serialization() == self.origin
            && (self.segment.is_none() || first_segment(url) == self.segment)
    }
}

fn first_segment(url: &Url) -> Option<String> {
    url.path_segments()?.next().filter(|segment| !segment.is_empty()).map(str::to_owned)
}
