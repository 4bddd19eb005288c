//! States that are almost right: a value off by one, a change missing, a change too many.

use serde_json::{Value, json};
use umpire_model::{Check, Instance, StateCheck, StateExpectation, TaskKind};

use super::{Change, Mutant, MutantKind};
use crate::json_equality;
use crate::values::near_misses_of_json;
use crate::words;

/// A change to a site's state at the end of an attempt. Paths are JSON pointers into the site's state.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct StateChange {
    pub(super) site: String,
    edit: Edit,
}

#[derive(Clone, Debug, PartialEq)]
enum Edit {
    Set {
        path: String,
        value: Value,
    },
    /// What the task asked for was not done.
    AsBefore {
        path: String,
    },
    /// Entries that include `part` get another value for one of its fields.
    EntryField {
        path: String,
        part: Value,
        field: String,
        value: Value,
    },
    WithoutEntries {
        path: String,
        part: Value,
    },
    EntryLess {
        path: String,
    },
    EntryMore {
        path: String,
    },
    /// Something else changed as well, as near to `near` as there is anything not `spared`.
    Elsewhere {
        near: String,
        spared: Vec<String>,
    },
}

pub(super) fn mutants(instance: &Instance) -> Vec<Mutant> {
    let checks: Vec<&StateCheck> = instance
        .checks
        .iter()
        .filter_map(|check| match check {
            Check::State(check) => Some(check),
            _ => None,
        })
        .collect();
    let mut mutants: Vec<Mutant> = checks.iter().flat_map(|check| of_check(check)).collect();
    // Who only looks something up may still leave traces, such as the last page seen.
    if instance.kind == TaskKind::Mutate {
        mutants.extend(changes_elsewhere(&checks));
    }
    mutants
}

fn of_check(StateCheck { site, path, expect }: &StateCheck) -> Vec<Mutant> {
    let path = || path.clone();
    let edits: Vec<(String, Edit)> = match expect {
        StateExpectation::Equals(value) => near_misses_of_json(value)
            .into_iter()
            .map(|miss| {
                let what = format!("{} ({})", miss.what, words::value(&miss.value));
                (what, Edit::Set { path: path(), value: miss.value })
            })
            .chain([("not changed".to_owned(), Edit::AsBefore { path: path() })])
            .collect(),
        StateExpectation::Contains(part) => {
            let fields = part.as_object().into_iter().flatten().filter_map(|(field, value)| {
                // An entry may have more than is asked for, so a miss that has all of it is none.
                let is_miss = |miss: &Value| !json_equality::includes(miss, value);
                let miss = near_misses_of_json(value).into_iter().find(|miss| is_miss(&miss.value))?;
                let what = format!("{field}: {} ({})", miss.what, words::value(&miss.value));
                let (field, value) = (field.clone(), miss.value);
                Some((what, Edit::EntryField { path: path(), part: part.clone(), field, value }))
            });
            let without = Edit::WithoutEntries { path: path(), part: part.clone() };
            fields.chain([("the entry missing".to_owned(), without)]).collect()
        }
        StateExpectation::Count(_) => vec![
            ("an entry less".to_owned(), Edit::EntryLess { path: path() }),
            ("an entry more".to_owned(), Edit::EntryMore { path: path() }),
        ],
        StateExpectation::Absent => {
            vec![("something there".to_owned(), Edit::Set { path: path(), value: json!(true) })]
        }
        StateExpectation::UnchangedExcept(_) => Vec::new(),
    };
    let place = if path().is_empty() { site.clone() } else { format!("{site}{}", path()) };
    edits.into_iter().map(|(what, edit)| mutant(site, format!("state of {place}: {what}"), edit)).collect()
}

/// One change per site that the checks say nothing good about.
fn changes_elsewhere(checks: &[&StateCheck]) -> Vec<Mutant> {
    let mut sites: Vec<&str> = checks.iter().map(|check| check.site.as_str()).collect();
    sites.sort_unstable();
    sites.dedup();
    sites
        .into_iter()
        .map(|site| {
            let of_site = checks.iter().filter(|check| check.site == site);
            let spared: Vec<String> = of_site
                .flat_map(|check| match &check.expect {
                    StateExpectation::UnchangedExcept(allowed) => allowed.clone(),
                    _ => vec![check.path.clone()],
                })
                .collect();
            let near = spared.first().cloned().unwrap_or_default();
            let edit = Edit::Elsewhere { near, spared };
            mutant(site, format!("state of {site}: a change too many"), edit)
        })
        .collect()
}

fn mutant(site: &str, what: String, edit: Edit) -> Mutant {
    let change = Change::State(StateChange { site: site.to_owned(), edit });
    Mutant { kind: MutantKind::State, what, change }
}

impl StateChange {
    /// Changes the state of a site at the end; `None` if there is nothing there to change.
    pub(super) fn make(&self, before: Option<&Value>, after: &mut Value) -> Option<()> {
        let was = after.clone();
        match &self.edit {
            Edit::Set { path, value } => set(after, path, value.clone())?,
            Edit::AsBefore { path } => match before?.pointer(path) {
                Some(value) => set(after, path, value.clone())?,
                None => remove(after, path)?,
            },
            Edit::EntryField { path, part, field, value } => {
                for entry in entries_with(after.pointer_mut(path)?, part) {
                    entry.as_object_mut()?.insert(field.clone(), value.clone());
                }
            }
            Edit::WithoutEntries { path, part } => match after.pointer_mut(path)? {
                Value::Array(list) => list.retain(|entry| !json_equality::includes(entry, part)),
                Value::Object(map) => map.retain(|_, entry| !json_equality::includes(entry, part)),
                _ => return None,
            },
            Edit::EntryLess { path } => match after.pointer_mut(path)? {
                Value::Array(list) => drop(list.pop()?),
                Value::Object(map) => {
                    let last = map.keys().next_back()?.clone();
                    map.shift_remove(&last);
                }
                _ => return None,
            },
            Edit::EntryMore { path } => match after.pointer_mut(path)? {
                Value::Array(list) => list.push(list.last().cloned().unwrap_or_default()),
                Value::Object(map) => drop(map.insert("one more".to_owned(), Value::Null)),
                _ => return None,
            },
            Edit::Elsewhere { near, spared } => {
                let place = nearest_leaf(after, near, spared)?;
                let miss = near_misses_of_json(after.pointer(&place)?).into_iter().next()?;
                set(after, &place, miss.value)?;
            }
        }
        (!json_equality::equal(&was, after)).then_some(())
    }
}

fn entries_with<'v>(container: &'v mut Value, part: &Value) -> Vec<&'v mut Value> {
    let has_part = |entry: &&mut Value| json_equality::includes(entry, part);
    match container {
        Value::Array(list) => list.iter_mut().filter(has_part).collect(),
        Value::Object(map) => map.values_mut().filter(has_part).collect(),
        _ => Vec::new(),
    }
}

/// Puts a value where there is one, or into an object that is there.
fn set(root: &mut Value, path: &str, value: Value) -> Option<()> {
    if let Some(place) = root.pointer_mut(path) {
        *place = value;
        return Some(());
    }
    let (parent, name) = path.rsplit_once('/')?;
    let name = name.replace("~1", "/").replace("~0", "~");
    root.pointer_mut(parent)?.as_object_mut()?.insert(name, value);
    Some(())
}

fn remove(root: &mut Value, path: &str) -> Option<()> {
    let (parent, name) = path.rsplit_once('/')?;
    match root.pointer_mut(parent)? {
        Value::Object(map) => map.shift_remove(&name.replace("~1", "/").replace("~0", "~")).map(drop),
        Value::Array(list) => {
            let at = name.parse::<usize>().ok().filter(|at| *at < list.len())?;
            list.remove(at);
            Some(())
        }
        _ => None,
    }
}

/// A value without parts outside the spared places: in the parent of `near`, or else further up.
fn nearest_leaf(root: &Value, near: &str, spared: &[String]) -> Option<String> {
    let mut around = near;
    while let Some((parent, _)) = around.rsplit_once('/') {
        let leaf = root.pointer(parent).and_then(|value| first_leaf(value, parent, spared));
        if leaf.is_some() {
            return leaf;
        }
        around = parent;
    }
    first_leaf(root, "", spared)
}

fn first_leaf(value: &Value, path: &str, spared: &[String]) -> Option<String> {
    let is_spared = spared.iter().any(|spared| {
        path.strip_prefix(spared.as_str()).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    });
    if is_spared {
        return None;
    }
    let child = |name: &str| format!("{path}/{}", name.replace('~', "~0").replace('/', "~1"));
    match value {
        Value::Object(map) => map.iter().find_map(|(name, value)| first_leaf(value, &child(name), spared)),
        Value::Array(list) => {
            list.iter().enumerate().find_map(|(at, value)| first_leaf(value, &child(&at.to_string()), spared))
        }
        _ => Some(path.to_owned()),
    }
}
