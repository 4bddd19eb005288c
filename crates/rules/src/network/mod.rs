//! Checks on what the browser asked of the network, from the exchanges the harness recorded.
//!
//! Conditions are literal, or patterns where written `^…$`. URLs are compared without query and fragment after
//! normalisation (see [`url_rule`]); a trailing slash counts. Query parameters and form fields that are listed must be
//! there with exactly the listed values, in their order; others are not looked at. Without a `status` a request counts
//! even if nothing answered it.

mod body;
mod last_page;
mod multipart;
mod request_rule;
mod url_rule;

use umpire_model::{BlobSource, EventBody, Exchange, NetworkCheck, Trajectory};

use crate::ruling::{Ruling, Undecided};
use crate::words;
use request_rule::{Fit, RequestRule};

pub(crate) fn in_words(check: &NetworkCheck) -> String {
    let request = request_rule::in_words(check);
    match (check.last, check.absent) {
        (false, false) => request,
        (false, true) => format!("no {request}"),
        (true, false) => format!("the last page is {request}"),
        (true, true) => format!("the last page is not {request}"),
    }
}

pub(crate) fn rule(
    check: &NetworkCheck,
    trajectory: &Trajectory,
    blobs: &dyn BlobSource,
) -> Result<Ruling, Undecided> {
    let rule = RequestRule::new(check)?;
    let candidates: Vec<(u64, &Exchange)> = if check.last {
        last_page::find(trajectory).into_iter().collect()
    } else {
        trajectory.exchanges().collect()
    };
    let fits: Vec<(u64, &Exchange, Fit)> =
        candidates.into_iter().map(|(seq, exchange)| (seq, exchange, rule.fit(exchange, blobs))).collect();

    let satisfying = fits.iter().find(|(_, _, fit)| *fit == Fit::Yes);
    // A request that was seen was made, whatever else was lost. All other conclusions need the whole record.
    if check.last || satisfying.is_none() {
        whole_record(trajectory)?;
    }
    if let Some((seq, exchange, _)) = satisfying {
        let (found, evidence) = (describe(exchange), vec![*seq]);
        return Ok(if check.absent {
            Ruling::Failed {
                reason: format!("network: {} was made", request_rule::name(check)),
                found,
                evidence,
            }
        } else {
            Ruling::Held { found, evidence }
        });
    }
    if let Some(problem) = fits.iter().find_map(|(_, _, fit)| fit.doubt()) {
        return Err(Undecided::NoEvidence(problem.to_owned()));
    }
    if check.absent {
        return Ok(Ruling::Held { found: "no such request".to_owned(), evidence: Vec::new() });
    }
    Ok(if check.last { elsewhere(check, &fits) } else { not_made(check, &fits) })
}

/// Where the agent ended up instead.
fn elsewhere(check: &NetworkCheck, fits: &[(u64, &Exchange, Fit)]) -> Ruling {
    match fits.first() {
        None => Ruling::Failed {
            found: "no page was loaded".to_owned(),
            reason: format!("network: no page was loaded, expected {}", request_rule::name(check)),
            evidence: Vec::new(),
        },
        Some((seq, exchange, fit)) => {
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
fn not_made(check: &NetworkCheck, fits: &[(u64, &Exchange, Fit)]) -> Ruling {
    let name = request_rule::name(check);
    let nearest = fits
        .iter()
        .filter_map(|(seq, exchange, fit)| match fit {
            Fit::Almost { differences } => Some((differences.len(), seq, exchange, fit)),
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
fn whole_record(trajectory: &Trajectory) -> Result<(), Undecided> {
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
