//! Checks on what the browser asked of the network, from the exchanges the harness recorded.
//!
//! Conditions are literal, or patterns where written `^…$`; only the check can write one. Of a body only the listed
//! fields are looked at. Without a `status` a request counts even if nothing answered it. A check about the last page
//! means a document in a tab itself; one in a frame is never taken for it.

mod base64_path;
mod body;
mod cookies;
mod field_rule;
mod last_page;
mod multipart;
mod query_rule;
mod request_rule;
mod selector;
mod url_rule;

pub(crate) use body::{Fields, text as body_text};
pub(crate) use last_page::{latest_first as latest_pages, redirect_target};
pub(crate) use url_rule::place;

use umpire_model::{BlobSource, EventBody, Exchange, NetworkCheck, Trajectory, Which};

use crate::ruling::{Ruling, Undecided};
use crate::words;
use request_rule::{Fit, RequestRule};

pub(crate) fn in_words(check: &NetworkCheck) -> String {
    let request = request_rule::in_words(check);
    match (check.last, check.absent, check.which) {
        (true, false, _) => format!("the last page is {request}"),
        (true, true, _) => format!("the last page is not {request}"),
        (false, true, _) => format!("no {request}"),
        (false, false, Which::Any) => request,
        (false, false, Which::Latest) => format!("the last {request}"),
        (false, false, Which::Every) => format!("only {request}"),
    }
}

/// A recorded request with how well it fits.
struct Candidate<'t> {
    seq: u64,
    exchange: &'t Exchange,
    fit: Fit,
}

pub(crate) fn rule(
    check: &NetworkCheck,
    trajectory: &Trajectory,
    blobs: &dyn BlobSource,
) -> Result<Ruling, Undecided> {
    let rule = RequestRule::new(check)?;
    let fitted = |(seq, exchange): (u64, _)| Candidate { seq, exchange, fit: rule.fit(exchange, blobs) };
    let candidates = if check.last {
        where_it_ended(last_page::latest_first(trajectory).into_iter().map(fitted))
    } else {
        concerned(check.which, trajectory.exchanges().map(fitted).collect())
    };
    // A request that was seen was made, whatever else was lost. All other conclusions need the whole record.
    if check.which == Which::Every
        && let Some(failed) = wrong_effect(check, &candidates)
    {
        return Ok(failed);
    }
    let satisfying = candidates.iter().find(|candidate| candidate.fit == Fit::Yes);
    if check.last || check.which != Which::Any || satisfying.is_none() {
        whole_record(trajectory)?;
    }
    let doubt = candidates.iter().find_map(|candidate| candidate.fit.doubt());
    match (satisfying, doubt) {
        (Some(_), Some(problem)) if check.which == Which::Every => {
            return Err(Undecided::NoEvidence(problem.to_owned()));
        }
        (Some(found), _) => return Ok(made(check, found)),
        (None, Some(problem)) => return Err(Undecided::NoEvidence(problem.to_owned())),
        (None, None) => {}
    }
    if check.absent {
        return Ok(Ruling::Held { found: "no such request".to_owned(), evidence: Vec::new() });
    }
    Ok(if check.last { elsewhere(check, &candidates) } else { not_made(check, &candidates) })
}

/// Journal positions of the requests that satisfy a check, whatever else it says about their order and number.
pub(crate) fn satisfying(check: &NetworkCheck, trajectory: &Trajectory, blobs: &dyn BlobSource) -> Vec<u64> {
    let Ok(rule) = RequestRule::new(check) else { return Vec::new() };
    let requests = trajectory.exchanges();
    requests.filter(|(_, exchange)| rule.fit(exchange, blobs) == Fit::Yes).map(|(seq, _)| seq).collect()
}

/// The page the agent ended up on. If loading the expected page again failed, it was there all the same.
fn where_it_ended<'t>(latest_first: impl Iterator<Item = Candidate<'t>>) -> Vec<Candidate<'t>> {
    let mut failed_again = Vec::new();
    for page in latest_first {
        match &page.fit {
            Fit::Almost { differences, effective: false } if differences.len() == 1 => {
                failed_again.push(page);
            }
            Fit::Yes => return vec![page],
            _ if failed_again.is_empty() => return vec![page],
            _ => return failed_again,
        }
    }
    failed_again
}

/// Leaves out what a check on the last request does not look at.
fn concerned(which: Which, mut candidates: Vec<Candidate<'_>>) -> Vec<Candidate<'_>> {
    if which == Which::Latest {
        let latest = candidates
            .iter()
            .enumerate()
            .filter(|(_, candidate)| candidate.fit.is_effective())
            .max_by(|(_, one), (_, other)| {
                one.exchange.started.total_cmp(&other.exchange.started).then(one.seq.cmp(&other.seq))
            })
            .map(|(at, _)| at);
        if let Some(at) = latest {
            return vec![candidates.swap_remove(at)];
        }
    }
    candidates
}

fn made(check: &NetworkCheck, Candidate { seq, exchange, .. }: &Candidate<'_>) -> Ruling {
    let (found, evidence) = (describe(exchange), vec![*seq]);
    if check.absent {
        let reason = format!("network: {} was made", request_rule::name(check));
        Ruling::Failed { found, reason, evidence }
    } else {
        Ruling::Held { found, evidence }
    }
}

/// A request like the expected one that did something else.
fn wrong_effect(check: &NetworkCheck, candidates: &[Candidate<'_>]) -> Option<Ruling> {
    let effective = candidates.iter().filter(|candidate| candidate.fit.is_effective());
    let mut wrong = effective.filter_map(|candidate| Some((candidate, candidate.fit.difference()?)));
    let (Candidate { seq, exchange, .. }, difference) = wrong.next()?;
    Some(Ruling::Failed {
        found: format!("{}: {difference}", describe(exchange)),
        reason: format!("network: a wrong {} took effect: {difference}", request_rule::name(check)),
        evidence: vec![*seq],
    })
}

/// Where the agent ended up instead.
fn elsewhere(check: &NetworkCheck, candidates: &[Candidate<'_>]) -> Ruling {
    match candidates.first() {
        None => Ruling::Failed {
            found: "no page was loaded".to_owned(),
            reason: format!("network: no page was loaded, expected {}", request_rule::name(check)),
            evidence: Vec::new(),
        },
        Some(Candidate { seq, exchange, fit }) => {
            let page = words::shorten(&exchange.request.url);
            let difference = fit.difference().unwrap_or("it is another page");
            Ruling::Failed {
                found: format!("{}: {difference}", describe(exchange)),
                reason: match fit {
                    Fit::Almost { .. } => format!("network: the last page {page} does not fit: {difference}"),
                    _ => format!("network: the last page is {page}, expected {}", request_rule::name(check)),
                },
                evidence: vec![*seq],
            }
        }
    }
}

/// The nearest request that was made instead, if any came near.
fn not_made(check: &NetworkCheck, candidates: &[Candidate<'_>]) -> Ruling {
    let name = request_rule::name(check);
    let nearest = candidates
        .iter()
        .filter_map(|Candidate { seq, exchange, fit }| match fit {
            Fit::Almost { differences, .. } => Some((differences.len(), seq, exchange, fit)),
            _ => None,
        })
        .min_by_key(|(differences, seq, ..)| (*differences, **seq));
    match nearest {
        None => Ruling::Failed {
            found: "no such request".to_owned(),
            reason: format!("network: no {name}"),
            evidence: Vec::new(),
        },
        Some((_, seq, exchange, fit)) => {
            let difference = fit.difference().unwrap_or_default();
            Ruling::Failed {
                found: format!("{}: {difference}", describe(exchange)),
                reason: format!("network: no {name} as expected: {difference}"),
                evidence: vec![*seq],
            }
        }
    }
}

fn describe(exchange: &Exchange) -> String {
    let answer = match (&exchange.response, &exchange.error) {
        (Some(response), _) => response.status.to_string(),
        (None, Some(error)) => words::shorten(error),
        (None, None) => "no response".to_owned(),
    };
    format!(
        "{} {} ({answer})",
        words::shorten(&exchange.request.method),
        words::shorten(&exchange.request.url)
    )
}

/// Fails if the recorder is known to have lost something: then a request that is not in the journal may have been
/// made all the same.
pub(crate) fn whole_record(trajectory: &Trajectory) -> Result<(), Undecided> {
    let recorded = trajectory.events.iter().rev().find_map(|event| match event.body {
        EventBody::Recorded { requests_seen, requests_written } => Some((requests_seen, requests_written)),
        _ => None,
    });
    if let Some((seen, written)) = recorded
        && seen != written
    {
        return Err(Undecided::NoEvidence(format!(
            "the browser made {seen} requests, {written} were recorded"
        )));
    }
    // Damaged lines alone may belong to an earlier try; together with a gap they belong to this one.
    let gap = trajectory.events.windows(2).any(|pair| pair[1].seq != pair[0].seq + 1);
    if trajectory.damaged_lines > 0 && gap {
        return Err(Undecided::NoEvidence("lines of the journal cannot be read".to_owned()));
    }
    Ok(())
}
