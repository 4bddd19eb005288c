//! What a path finds in a value.

use std::borrow::Cow;
use std::cmp::Ordering;

use super::syntax::{Condition, Operand, Operator, Path};
use crate::python::{Dict, Int, Pattern, PatternFlags, Value, parse_int};

/// Where the library raises an exception instead of finding nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum FindError {
    #[error("a position in an object is asked for")]
    IndexIntoObject,
    #[error("a position in something that has none is asked for")]
    NoPositions,
    #[error("a position before the beginning is asked for")]
    BeforeBeginning,
    #[error("a filter compares values that do not compare")]
    NotComparable,
    #[error("a filter holds an invalid pattern")]
    InvalidPattern,
    #[error("a slice with step zero")]
    StepZero,
}

type Found<'a> = Vec<Cow<'a, Value>>;

/// Applies a path to a value; `root` is what `$` means.
pub(super) fn find<'a>(path: &Path, value: Cow<'a, Value>, root: &'a Value) -> Result<Found<'a>, FindError> {
    match path {
        Path::Root => Ok(vec![Cow::Borrowed(root)]),
        Path::This => Ok(vec![value]),
        Path::Fields(names) => Ok(fields(names, value)),
        Path::Index(index) => element(*index, &value),
        Path::Slice { start, end, step } => slice(&value, *start, *end, *step),
        Path::Filter(conditions) => filter(conditions, value),
        Path::Child(left, right) => {
            let mut found = Vec::new();
            for inner in find(left, value, root)? {
                found.extend(find(right, inner, root)?);
            }
            Ok(found)
        }
        Path::Descendants(left, right) => {
            let mut found = Vec::new();
            for inner in find(left, value, root)? {
                descendants(right, inner, root, &mut found)?;
            }
            Ok(found)
        }
        Path::Union(left, right) => {
            let mut found = find(left, value.clone(), root)?;
            found.extend(find(right, value, root)?);
            Ok(found)
        }
    }
}

fn fields<'a>(names: &[String], value: Cow<'a, Value>) -> Found<'a> {
    let all = names.iter().any(|name| name == "*");
    let pick = |entries: &Dict| -> Vec<usize> {
        if all {
            return (0..entries.len()).collect();
        }
        names.iter().filter_map(|name| entries.get_index_of(name.as_str())).collect()
    };
    match value {
        Cow::Borrowed(Value::Dict(entries)) => {
            pick(entries).into_iter().map(|index| Cow::Borrowed(&entries[index])).collect()
        }
        Cow::Owned(Value::Dict(entries)) => {
            pick(&entries).into_iter().map(|index| Cow::Owned(entries[index].clone())).collect()
        }
        _ => Vec::new(),
    }
}

fn element<'a>(index: i64, value: &Cow<'a, Value>) -> Result<Found<'a>, FindError> {
    if !value.truthy() {
        return Ok(Vec::new());
    }
    let length = match value.as_ref() {
        Value::Dict(entries) => entries.len(),
        Value::List(items) | Value::Tuple(items) => items.len(),
        Value::Str(text) => text.chars().count(),
        Value::None | Value::Bool(_) | Value::Int(_) | Value::Float(_) => return Err(FindError::NoPositions),
    };
    let length = i64::try_from(length).unwrap_or(i64::MAX);
    if length <= index {
        return Ok(Vec::new());
    }
    if matches!(value.as_ref(), Value::Dict(_)) {
        return Err(FindError::IndexIntoObject);
    }
    let from_start = if index < 0 { index + length } else { index };
    let position = usize::try_from(from_start).map_err(|_| FindError::BeforeBeginning)?;
    Ok(at(value, position).into_iter().collect())
}

/// The element or character at a position that may not be there.
fn at<'a>(value: &Cow<'a, Value>, position: usize) -> Option<Cow<'a, Value>> {
    match value {
        Cow::Borrowed(Value::List(items) | Value::Tuple(items)) => items.get(position).map(Cow::Borrowed),
        Cow::Owned(Value::List(items) | Value::Tuple(items)) => items.get(position).cloned().map(Cow::Owned),
        other => match other.as_ref() {
            Value::Str(text) => text.chars().nth(position).map(|c| Cow::Owned(Value::Str(c.to_string()))),
            _ => None,
        },
    }
}

/// Everything but a list counts as a list with itself as the only element.
fn slice<'a>(
    value: &Cow<'a, Value>,
    start: Option<i64>,
    end: Option<i64>,
    step: Option<i64>,
) -> Result<Found<'a>, FindError> {
    if !value.truthy() {
        return Ok(Vec::new());
    }
    let length = match value.as_ref() {
        Value::List(items) | Value::Tuple(items) => items.len(),
        Value::Float(_) => return Err(FindError::NoPositions),
        _ => 1,
    };
    let is_list = matches!(value.as_ref(), Value::List(_) | Value::Tuple(_));
    let mut found = Vec::new();
    for position in positions(length, start, end, step)? {
        if is_list {
            found.extend(at(value, position));
        } else {
            found.push(value.clone());
        }
    }
    Ok(found)
}

/// Python's `range(length)[start:end:step]`.
fn positions(
    length: usize,
    start: Option<i64>,
    end: Option<i64>,
    step: Option<i64>,
) -> Result<Vec<usize>, FindError> {
    let length = i64::try_from(length).unwrap_or(i64::MAX);
    let step = step.unwrap_or(1);
    if step == 0 {
        return Err(FindError::StepZero);
    }
    let (lowest, highest) = if step > 0 { (0, length) } else { (-1, length - 1) };
    let bound = |limit: Option<i64>, default: i64| match limit {
        None => default,
        Some(limit) if limit < 0 => limit.saturating_add(length).max(lowest),
        Some(limit) => limit.min(highest),
    };
    let (first, last) = if step > 0 { (lowest, highest) } else { (highest, lowest) };
    let (mut position, end) = (bound(start, first), bound(end, last));
    let mut positions = Vec::new();
    while (step > 0 && position < end) || (step < 0 && position > end) {
        positions.extend(usize::try_from(position));
        position = position.saturating_add(step);
    }
    Ok(positions)
}

fn descendants<'a>(
    path: &Path,
    value: Cow<'a, Value>,
    root: &'a Value,
    found: &mut Found<'a>,
) -> Result<(), FindError> {
    found.extend(find(path, value.clone(), root)?);
    for child in children(value) {
        descendants(path, child, root, found)?;
    }
    Ok(())
}

fn children(value: Cow<'_, Value>) -> Found<'_> {
    match value {
        Cow::Borrowed(Value::List(items) | Value::Tuple(items)) => items.iter().map(Cow::Borrowed).collect(),
        Cow::Borrowed(Value::Dict(entries)) => entries.values().map(Cow::Borrowed).collect(),
        Cow::Owned(Value::List(items) | Value::Tuple(items)) => items.into_iter().map(Cow::Owned).collect(),
        Cow::Owned(Value::Dict(entries)) => entries.into_values().map(Cow::Owned).collect(),
        _ => Vec::new(),
    }
}

/// The elements (or members) for which every condition holds.
fn filter<'a>(conditions: &[Condition], value: Cow<'a, Value>) -> Result<Found<'a>, FindError> {
    let mut found = Vec::new();
    for item in children(value) {
        let mut all_hold = true;
        for condition in conditions {
            // Every condition is tried, because each of them may raise.
            all_hold &= holds(condition, &item)?;
        }
        if all_hold {
            found.push(item);
        }
    }
    Ok(found)
}

fn holds(condition: &Condition, item: &Value) -> Result<bool, FindError> {
    let candidates = find(&condition.target, Cow::Borrowed(item), item)?;
    let Some((operator, operand)) = &condition.comparison else { return Ok(!candidates.is_empty()) };
    let mut any = false;
    for candidate in candidates {
        any |= compares(&candidate, *operator, operand)?;
    }
    Ok(any)
}

fn compares(candidate: &Value, operator: Operator, operand: &Operand) -> Result<bool, FindError> {
    let (left, right) = match operand {
        // `true` is a whole number to Python, and what is compared with whole numbers is first made one.
        Operand::Whole(_) | Operand::Bool(_) => {
            let Some(whole) = to_whole(candidate)? else { return Ok(false) };
            let right = match operand {
                Operand::Whole(number) => Value::from(*number),
                _ => Value::from(i64::from(*operand == Operand::Bool(true))),
            };
            (Cow::Owned(Value::Int(whole)), right)
        }
        Operand::Float(number) => (Cow::Borrowed(candidate), Value::from(*number)),
        Operand::Text(text) => (Cow::Borrowed(candidate), Value::from(text.as_str())),
    };
    match operator {
        Operator::Equal => Ok(*left == right),
        Operator::NotEqual => Ok(*left != right),
        Operator::Matches => match (left.as_str(), &right) {
            (None, _) => Ok(false),
            (Some(text), Value::Str(pattern)) => {
                let pattern = Pattern::found_anywhere(pattern, PatternFlags::default());
                Ok(pattern.map_err(|_| FindError::InvalidPattern)?.is_match(text))
            }
            (Some(_), _) => Err(FindError::NotComparable),
        },
        Operator::Less | Operator::LessOrEqual | Operator::Greater | Operator::GreaterOrEqual => {
            let order = order(&left, &right)?;
            Ok(match operator {
                Operator::Less => order == Some(Ordering::Less),
                Operator::Greater => order == Some(Ordering::Greater),
                Operator::LessOrEqual => matches!(order, Some(Ordering::Less | Ordering::Equal)),
                _ => matches!(order, Some(Ordering::Greater | Ordering::Equal)),
            })
        }
    }
}

/// Python's `int(value)`: `None` for text that is no number.
fn to_whole(value: &Value) -> Result<Option<Int>, FindError> {
    match value {
        Value::Bool(truth) => Ok(Some(Int::from(i64::from(*truth)))),
        Value::Int(int) => Ok(Some(int.clone())),
        Value::Float(float) if float.is_nan() => Ok(None),
        Value::Float(float) if float.is_infinite() => Err(FindError::NotComparable),
        Value::Float(float) => Ok(Int::from_decimal(&format!("{:.0}", float.trunc()))),
        Value::Str(text) => Ok(parse_int(text)),
        Value::None | Value::List(_) | Value::Tuple(_) | Value::Dict(_) => Err(FindError::NotComparable),
    }
}

fn order(left: &Value, right: &Value) -> Result<Option<Ordering>, FindError> {
    if let (Value::Str(left), Value::Str(right)) = (left, right) {
        return Ok(Some(left.cmp(right)));
    }
    let number = |value: &Value| match value {
        Value::Bool(truth) => Some(f64::from(u8::from(*truth))),
        Value::Int(int) => int.to_f64(),
        Value::Float(float) => Some(*float),
        _ => None,
    };
    match (number(left), number(right)) {
        (Some(left), Some(right)) => Ok(left.partial_cmp(&right)),
        _ => Err(FindError::NotComparable),
    }
}
