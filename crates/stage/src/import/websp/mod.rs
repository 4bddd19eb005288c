//! Session traces of WebSP-Eval's recorder. Its generations differ in which fields an event has; all are read alike.

mod event;
mod likeness;
mod states;

use std::path::Path;

use jiff::Timestamp;
use serde_json::Value;
use umpire_model::Viewport;

use super::addresses::harmless_address;
use super::remarks::Remarks;
use super::source::{RawFields, Source};
use super::{ImportError, MAX_STEPS};
use crate::session::{Deed, SESSION_VERSION, Session, Step};
use event::Reader;
use states::InitialStates;

/// Frames reported their own size as the window's; nobody browses in less than this.
const SMALLEST_WINDOW: (u32, u32) = (320, 240);
/// Events of one interaction that the recorder wrote down twice.
const SAME_MOMENT_MS: u64 = 50;

pub(super) fn session<'t>(
    source: &Source<'t>,
    fields: &mut RawFields<'t>,
    path: &Path,
    remarks: &mut Remarks,
) -> Result<Session, ImportError> {
    let events = fields.take("events").ok_or(ImportError::UnknownFormat)?;
    let events_line = events;
    let events = source.list(events, "`events`")?;
    if events.len() > MAX_STEPS {
        return Err(
            source.wrong(events_line, format!("there are {} events, more than {MAX_STEPS}", events.len()))
        );
    }
    let name = fields.text("taskId", remarks).filter(|name| !name.is_empty());
    let session_id = fields.text("sessionId", remarks);
    let (start_url, cut) = harmless_address(&fields.text("startUrl", remarks).unwrap_or_default());
    if cut {
        remarks.add(None, "startUrl", SECRETS_CUT);
    }
    let domain = fields.text("domain", remarks);
    let viewport = viewport(fields, remarks);
    let initial = InitialStates::read(source, fields, remarks)?;
    let pictures = pictures(source, fields)?;
    let written = fields.take("metadata").map(|raw| source.object(raw, "`metadata`")).transpose()?;
    let recording_date = written.and_then(|mut written| {
        let date = written.text("recordingDate", remarks);
        compare_count(&mut written, "totalEvents", events.len(), "events", remarks);
        compare_count(&mut written, "totalScreenshots", pictures.len(), "screenshots", remarks);
        written.remark_the_rest(None, remarks);
        date
    });

    let mut reader = Reader::new(&start_url, initial, remarks);
    let mut timed = Vec::new();
    for (index, raw) in events.iter().enumerate() {
        let step = source.step(raw, index + 1)?;
        timed.extend(reader.read(step)?);
    }
    let began = pictures.iter().copied().chain(timed.iter().map(|(_, time, _)| *time)).min();
    let steps = in_order(timed, began, remarks);

    if !pictures.is_empty() {
        remarks.add(None, "screenshots", "the pictures are not in the file; the list of them is left out");
    }
    if let (Some(domain), Some(host)) = (&domain, host_of(&start_url))
        && *domain != host.replace('.', "_")
    {
        remarks.add(
            None,
            "domain",
            &format!("says `{domain}`, `startUrl` says `{host}`; the address is kept"),
        );
    }
    remark_contradictions(name.as_deref(), session_id.as_deref(), recording_date.as_deref(), path, remarks);
    Ok(Session {
        version: SESSION_VERSION,
        name: name.or(session_id).unwrap_or_else(|| "unnamed".to_owned()),
        recorded_at: recording_date.or_else(|| began.map(|time| time.to_string())).unwrap_or_default(),
        recorder: "import websp".to_owned(),
        start_url,
        viewport,
        steps,
        remarks: Vec::new(),
    })
}

const SECRETS_CUT: &str = "parameters that may hold a secret were cut from the address";

fn viewport(fields: &mut RawFields<'_>, remarks: &mut Remarks) -> Viewport {
    let side =
        |number: Option<f64>| number.filter(|side| (1.0..=16_384.0).contains(side)).map(|side| side as u32);
    let width = fields.number("viewportWidth", remarks);
    let height = fields.number("viewportHeight", remarks);
    match (side(width), side(height)) {
        (Some(width), Some(height)) if width >= SMALLEST_WINDOW.0 && height >= SMALLEST_WINDOW.1 => {
            Viewport { width, height }
        }
        _ => {
            let standard = Viewport::default();
            let said = format!("{} × {}", width.unwrap_or_default(), height.unwrap_or_default());
            let why =
                format!("{said} is no window's size; {} × {} is taken", standard.width, standard.height);
            remarks.add(None, "viewportWidth, viewportHeight", &why);
            standard
        }
    }
}

/// Times at which pictures were taken; the first is when the recording began.
fn pictures<'t>(source: &Source<'t>, fields: &mut RawFields<'t>) -> Result<Vec<Timestamp>, ImportError> {
    let Some(raw) = fields.take("screenshots") else { return Ok(Vec::new()) };
    let mut times = Vec::new();
    for picture in source.list(raw, "`screenshots`")? {
        let picture: Value = serde_json::from_str(picture.get()).unwrap_or_default();
        let time = picture.get("timestamp").and_then(Value::as_str).and_then(|text| text.parse().ok());
        times.push(time.ok_or_else(|| source.wrong(raw, "a picture has no readable `timestamp`"))?);
    }
    Ok(times)
}

fn compare_count(
    written: &mut RawFields<'_>,
    field: &str,
    there_are: usize,
    what: &str,
    remarks: &mut Remarks,
) {
    if let Some(said) = written.number(field, remarks)
        && (said - there_are as f64).abs() > 0.5
    {
        remarks.add(None, field, &format!("says {said}, but there are {there_are} {what}: edited by hand?"));
    }
}

/// Steps in the order of their times; what was written down twice or in pieces becomes one.
fn in_order(
    mut timed: Vec<(usize, Timestamp, Step)>,
    began: Option<Timestamp>,
    remarks: &mut Remarks,
) -> Vec<Step> {
    if !timed.is_sorted_by_key(|(_, time, _)| *time) {
        remarks.add(None, "events", "were not in the order of their times; they are now");
        timed.sort_by_key(|(_, time, _)| *time);
    }
    let mut steps: Vec<Step> = Vec::new();
    for (number, time, mut step) in timed {
        let since = began.map_or(0, |began| time.as_millisecond() - began.as_millisecond());
        step.at_ms = u64::try_from(since).unwrap_or_default();
        if let Some(last) = steps.last_mut() {
            let soon = step.at_ms.saturating_sub(last.at_ms) <= SAME_MOMENT_MS;
            if soon && is_the_same(last, &step) {
                remarks.add(
                    Some(number),
                    "event",
                    "repeats the one before within milliseconds; merged with it",
                );
                continue;
            }
            if both_type_into_one_field(last, &step) {
                remarks.add(Some(number), "event", "goes on typing where the one before was; merged with it");
                step.before = last.before.take();
                *last = step;
                continue;
            }
        }
        steps.push(step);
    }
    steps
}

fn is_the_same(one: &Step, other: &Step) -> bool {
    one.deed == other.deed && one.element == other.element && one.after == other.after && one.url == other.url
}

fn both_type_into_one_field(one: &Step, other: &Step) -> bool {
    let path = |step: &Step| step.element.as_ref().and_then(|element| element.locators.css.clone());
    matches!((&one.deed, &other.deed), (Deed::Type { .. }, Deed::Type { .. }))
        && path(one).is_some()
        && path(one) == path(other)
        && one.url == other.url
}

/// Folder, task, session and date say the same thing four times, and not always the same.
fn remark_contradictions(
    name: Option<&str>,
    session_id: Option<&str>,
    recording_date: Option<&str>,
    path: &Path,
    remarks: &mut Remarks,
) {
    let folders: Vec<&str> = path.iter().rev().skip(1).take(2).filter_map(|part| part.to_str()).collect();
    if let Some(id) = session_id {
        let mut why = "the recorder's own number; left out".to_owned();
        match folders.first() {
            Some(folder) if folder.starts_with("session_") && *folder != id => {
                why = format!("`{id}`, although the folder says `{folder}`; left out");
            }
            _ => {}
        }
        remarks.add(None, "sessionId", &why);
        let day = |text: &str| text.get(..10).map(str::to_owned);
        if let (Some(said), Some(date)) =
            (id.strip_prefix("session_").and_then(day), recording_date.and_then(day))
            && said != date
        {
            remarks.add(None, "recordingDate", &format!("{date}, although the session is of {said}"));
        }
    }
    if let (Some(name), Some(folder)) = (name, folders.get(1))
        && folders.first().is_some_and(|inner| inner.starts_with("session_"))
        && *folder != name
    {
        remarks.add(None, "taskId", &format!("says `{name}`, the folder says `{folder}`; the name is kept"));
    }
}

fn host_of(address: &str) -> Option<&str> {
    let rest = address.split_once("://")?.1;
    Some(rest.split(['/', '?', '#']).next().unwrap_or(rest))
}
