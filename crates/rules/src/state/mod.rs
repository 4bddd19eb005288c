//! Checks on the world's state, read through the door the agent cannot open.
//!
//! A world that shows no state at all cannot be checked this way, so the task is broken; a world whose state was
//! recorded at the start but not at the end lost evidence.

mod difference;
mod pointer;
mod recorded;

use serde_json::Value;
use umpire_model::{StateCheck, StateExpectation};

use crate::json_equality;
use crate::ruling::{Ruling, Undecided};
use crate::words;
use difference::{Difference, differences};
use pointer::Pointer;
pub(crate) use recorded::RecordedStates;

/// How many unexpected changes are named before the rest is only counted.
const NAMED_CHANGES: usize = 3;

pub(crate) fn in_words(check: &StateCheck) -> String {
    let StateCheck { site, path, expect } = check;
    let place = if path.is_empty() { format!("the state of {site}") } else { format!("{path} of {site}") };
    match expect {
        StateExpectation::Equals(value) => format!("{place} is {}", words::value(value)),
        StateExpectation::Contains(part) => format!("{place} contains {}", words::value(part)),
        StateExpectation::Count(count) => format!("{place} has {count} entries"),
        StateExpectation::Absent => format!("{place} is absent"),
        StateExpectation::UnchangedExcept(allowed) if allowed.is_empty() => format!("{place} did not change"),
        StateExpectation::UnchangedExcept(allowed) => {
            format!("{place} did not change except {}", words::joined(allowed.iter().cloned(), ", "))
        }
    }
}

pub(crate) fn rule(check: &StateCheck, states: &RecordedStates<'_>) -> Result<Ruling, Undecided> {
    let path = Pointer::parse(&check.path)?;
    if let StateExpectation::UnchangedExcept(allowed) = &check.expect {
        return unchanged_except(allowed, &check.site, path, states);
    }
    let (seq, site) = states.after(&check.site)?;
    let target = path.resolve(site);
    let evidence = vec![seq];
    let found = format!("{path} {}", is(target));
    let objection = match &check.expect {
        StateExpectation::Equals(expected) => unequal(expected, target, path),
        StateExpectation::Contains(part) => lacks(part, target, &path)?,
        StateExpectation::Count(expected) => miscounted(*expected, target, &path),
        StateExpectation::Absent => match target {
            None | Some(Value::Null) => None,
            Some(_) => Some(format!("{found}, expected nothing there")),
        },
        StateExpectation::UnchangedExcept(_) => None,
    };
    Ok(ruling(objection, found, evidence))
}

fn ruling(objection: Option<String>, found: String, evidence: Vec<u64>) -> Ruling {
    match objection {
        None => Ruling::Held { found, evidence },
        Some(objection) => Ruling::Failed { found, reason: format!("state: {objection}"), evidence },
    }
}

fn is(value: Option<&Value>) -> String {
    value.map_or_else(|| "is missing".to_owned(), |value| format!("is {}", words::value(value)))
}

/// Names the first place that differs rather than the whole value: a cart is long, a quantity is short.
fn unequal(expected: &Value, target: Option<&Value>, path: Pointer) -> Option<String> {
    let apart = differences(Some(expected), target, path, &[]);
    let Difference { at, before: expected, after: found } = apart.first()?;
    let expected = expected.map_or_else(|| "nothing there".to_owned(), words::value);
    Some(format!("{at} {}, expected {expected}", is(*found)))
}

fn lacks(part: &Value, target: Option<&Value>, path: &Pointer) -> Result<Option<String>, Undecided> {
    if part.as_object().is_some_and(serde_json::Map::is_empty) {
        return Err(Undecided::Broken("`contains` asks for no field, so anything would do".to_owned()));
    }
    let wanted = words::value(part);
    let contained = match target {
        Some(Value::Array(list)) => list.iter().any(|value| json_equality::includes(value, part)),
        Some(Value::Object(map)) => map.values().any(|value| json_equality::includes(value, part)),
        other => return Ok(Some(format!("{path} {}, expected a list or map with {wanted}", is(other)))),
    };
    Ok((!contained).then(|| format!("nothing in {path} has {wanted}")))
}

fn miscounted(expected: usize, target: Option<&Value>, path: &Pointer) -> Option<String> {
    let found = match target {
        Some(Value::Array(list)) => list.len(),
        Some(Value::Object(map)) => map.len(),
        other => {
            return Some(format!("{path} {}, expected a list or map with {expected} entries", is(other)));
        }
    };
    (found != expected).then(|| format!("{path} has {found} entries, expected {expected}"))
}

fn unchanged_except(
    allowed: &[String],
    site: &str,
    path: Pointer,
    states: &RecordedStates<'_>,
) -> Result<Ruling, Undecided> {
    let allowed: Vec<Pointer> = allowed.iter().map(|text| Pointer::parse(text)).collect::<Result<_, _>>()?;
    // Exceptions are written from the site's root like the path itself; one outside it is a slip of the author's.
    if let Some(outside) = allowed.iter().find(|place| !path.covers(place)) {
        return Err(Undecided::Broken(format!("the exception {outside} is not inside {path}")));
    }
    let (before_seq, before) = states.before(site)?;
    let (after_seq, after) = states.after(site)?;
    let evidence = vec![before_seq, after_seq];
    let changes = differences(path.resolve(before), path.resolve(after), path, &allowed);
    if changes.is_empty() {
        return Ok(Ruling::Held { found: "no other change".to_owned(), evidence });
    }
    let reason = format!("state: unexpected change, {}", named(&changes, 1));
    Ok(Ruling::Failed { found: named(&changes, NAMED_CHANGES), reason, evidence })
}

/// The first few changes in words; the others are only counted.
fn named(changes: &[Difference<'_>], at_most: usize) -> String {
    let named = words::joined(changes.iter().take(at_most).map(change), "; ");
    match changes.len().saturating_sub(at_most) {
        0 => named,
        unnamed => format!("{named}; and {unnamed} more"),
    }
}

/// What changed between two states outside the allowed places, in words; `None` if nothing did.
pub(crate) fn unexpected_changes(
    before: Option<&Value>,
    after: Option<&Value>,
    allowed: &[String],
) -> Result<Option<String>, Undecided> {
    let allowed: Vec<Pointer> = allowed.iter().map(|text| Pointer::parse(text)).collect::<Result<_, _>>()?;
    let changes = differences(before, after, Pointer::default(), &allowed);
    Ok((!changes.is_empty()).then(|| named(&changes, NAMED_CHANGES)))
}

fn change(difference: &Difference<'_>) -> String {
    let was = difference.before.map_or_else(|| "missing".to_owned(), words::value);
    format!("{} was {was} and {}", difference.at, is(difference.after))
}
