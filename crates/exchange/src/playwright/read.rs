use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufRead as _, BufReader, Read as _};
use std::path::Path;

use serde_json::Value;
use umpire_model::{Action, End, Rect, Viewport};

use super::lines::{Call, ContextOptions, Frame, Line, OldCall, Point, WholeCall};
use super::{NEWEST_READ, OLDEST_READ, OURS};
use crate::finished::{Act, Ending, Finished, Network, Shot, Step, What};
use crate::import::Found;
use crate::source::Source;
use crate::{ImportError, Problem};

/// What one file of an archive may unpack to. A trace with a snapshot a step stays far below.
const LARGEST_MEMBER: u64 = 1 << 30;
/// One line: a snapshot of a page.
const LONGEST_LINE: u64 = 64 << 20;
/// Calls that change what the page shows or where it is. Asking and waiting are free.
const COUNTED: [&str; 17] = [
    "goto",
    "goBack",
    "goForward",
    "reload",
    "click",
    "dblclick",
    "tap",
    "fill",
    "type",
    "press",
    "check",
    "uncheck",
    "selectOption",
    "setInputFiles",
    "hover",
    "dragAndDrop",
    "mouseClick",
];

pub(crate) fn find(source: &Source) -> Result<Vec<Found>, ImportError> {
    let files = source.files_ending("zip")?;
    Ok(files.into_iter().map(|file| Found { task: task_name(&file), file }).collect())
}

/// The archive's name, or its folder's where every attempt has a folder and the archives are all called `trace`.
fn task_name(file: &Path) -> String {
    let stem = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    match file.parent().and_then(Path::file_name) {
        Some(folder) if stem == "trace" => folder.to_string_lossy().into_owned(),
        _ => stem,
    }
}

pub(crate) fn read(source: &Source, found: &Found) -> Result<Finished, Problem> {
    source.streamed(&found.file)?;
    let problem = |what: String| Problem::new(&found.file, what, "record the trace again, or leave it out");
    let file = File::open(&found.file).map_err(|error| problem(error.to_string()))?;
    let mut archive = zip::ZipArchive::new(BufReader::new(file))
        .map_err(|error| problem(format!("not a trace archive: {error}")))?;
    let member =
        trace_member(&archive).ok_or_else(|| problem("the archive has no .trace file".to_owned()))?;
    let mut recording = Film::default();
    {
        let content = archive.by_name(&member).map_err(|error| problem(error.to_string()))?;
        let mut lines = BufReader::new(content.take(LARGEST_MEMBER));
        let (mut number, mut total) = (0, 0);
        let mut line = Vec::new();
        loop {
            number += 1;
            line.clear();
            let length = (&mut lines)
                .take(LONGEST_LINE + 1)
                .read_until(b'\n', &mut line)
                .map_err(|error| problem(format!("{member}:{number}: {error}")))?
                as u64;
            total += length;
            if length > LONGEST_LINE || total >= LARGEST_MEMBER {
                return Err(problem(format!("{member}:{number}: it is larger than a trace may be")));
            }
            if length == 0 {
                break;
            }
            if !line.trim_ascii().is_empty() {
                let line = serde_json::from_slice(&line)
                    .map_err(|error| problem(format!("{member}:{number}: {error}")))?;
                recording.add(line).map_err(|what| problem(format!("{member}:{number}: {what}")))?;
            }
        }
    }
    let requests = format!("{}.network", member.trim_end_matches(".trace"));
    let network = archive.index_for_name(&requests).is_some().then(|| Network {
        trace: found.file.clone(),
        member: Some(requests),
        monotonic_start: Some(recording.zero()),
    });
    recording.told(found, network).map_err(problem)
}

/// The browser's trace; a test runner's beside it holds its own calls only.
fn trace_member(archive: &zip::ZipArchive<BufReader<File>>) -> Option<String> {
    let mut traces: Vec<&str> = archive
        .file_names()
        .filter(|name| {
            Path::new(name).extension().is_some_and(|ending| ending == "trace") && *name != "test.trace"
        })
        .collect();
    traces.sort_unstable();
    traces
        .iter()
        .find(|name| **name == "trace.trace")
        .or_else(|| traces.first())
        .map(|name| (*name).to_owned())
}

/// What a trace tells, sorted by what it is.
#[derive(Default)]
struct Film {
    context: Option<Box<ContextOptions>>,
    calls: Vec<Recorded>,
    by_id: BTreeMap<String, usize>,
    frames: Vec<Frame>,
    /// Addresses of the main frame, with when it was seen there.
    addresses: Vec<(f64, String)>,
    /// By call, in a trace of ours: steps can be closer together than the clock can tell.
    pages: BTreeMap<String, (String, Option<String>)>,
    said: Vec<(f64, String)>,
    failure: Option<String>,
}

#[derive(Default)]
struct Recorded {
    call: Call,
    end_time: f64,
    error: Option<Value>,
    point: Option<Point>,
    area: Option<Rect>,
    logs: Vec<String>,
}

impl Film {
    fn add(&mut self, line: Line) -> Result<(), String> {
        match line {
            Line::ContextOptions(context) => {
                if !(OLDEST_READ..=NEWEST_READ).contains(&context.version) {
                    return Err(format!(
                        "it is a trace of version {}; versions {OLDEST_READ} to {NEWEST_READ} are read",
                        context.version
                    ));
                }
                self.context = self.context.take().or(Some(context));
            }
            Line::Before(call) => self.called(Recorded { call: *call, ..Recorded::default() }),
            Line::Action(whole) => self.called_at_once(*whole),
            Line::Input(input) => {
                if let Some(recorded) = self.recorded(&input.call_id) {
                    recorded.point = input.point.or(recorded.point);
                    recorded.area = input.area.map(|area| Rect {
                        x: area.x,
                        y: area.y,
                        width: area.width,
                        height: area.height,
                    });
                }
            }
            Line::After(after) => {
                if let Some(recorded) = self.recorded(&after.call_id) {
                    recorded.end_time = after.end_time;
                    recorded.error = after.error;
                    recorded.point = after.point.or(recorded.point);
                }
            }
            Line::Log(log) => {
                if let Some(recorded) = self.recorded(&log.call_id) {
                    recorded.logs.push(log.message);
                }
            }
            Line::ScreencastFrame(frame) => self.frames.push(frame),
            Line::FrameSnapshot { snapshot } if snapshot.is_main_frame => {
                let picture = snapshot.resource_overrides.into_iter().find_map(|resource| resource.sha1);
                let picture = picture.map(|name| format!("resources/{name}"));
                self.pages.entry(snapshot.call_id).or_insert((snapshot.frame_url.clone(), picture));
                self.addresses.push((snapshot.timestamp, snapshot.frame_url));
            }
            Line::Stdout(line) => self.said.extend(line.text.map(|text| (line.timestamp, text))),
            Line::Error(failure) => self.failure = Some(failure.message),
            Line::FrameSnapshot { .. } | Line::Other => {}
        }
        Ok(())
    }

    fn recorded(&mut self, call_id: &str) -> Option<&mut Recorded> {
        self.by_id.get(call_id).and_then(|index| self.calls.get_mut(*index))
    }

    fn called(&mut self, recorded: Recorded) {
        self.by_id.insert(recorded.call.call_id.clone(), self.calls.len());
        self.calls.push(recorded);
    }

    fn called_at_once(&mut self, whole: WholeCall) {
        let recorded = match whole.metadata {
            Some(OldCall { internal: Some(true), .. }) => return,
            Some(old) => Recorded {
                call: Call {
                    call_id: old.id,
                    start_time: old.start_time,
                    api_name: old.api_name,
                    class: old.class,
                    method: old.method,
                    params: old.params,
                    ..Call::default()
                },
                end_time: old.end_time,
                error: old.error,
                point: old.point,
                ..Recorded::default()
            },
            None => Recorded {
                call: whole.call,
                end_time: whole.end_time.unwrap_or(0.0),
                error: whole.error,
                point: whole.point,
                ..Recorded::default()
            },
        };
        self.called(recorded);
    }

    /// What the trace's clock shows when it begins.
    fn zero(&self) -> f64 {
        let told = self.context.as_ref().and_then(|context| context.monotonic_time);
        let first =
            || self.calls.iter().map(|recorded| recorded.call.start_time).fold(f64::INFINITY, f64::min);
        told.filter(|time| *time > 0.0 || self.context.as_ref().is_some_and(|context| context.version >= 7))
            .unwrap_or_else(|| Some(first()).filter(|time| time.is_finite()).unwrap_or(0.0))
    }

    /// Where the page was at a time, and the picture that showed it. The first picture may come a little late.
    fn at(&self, time: f64) -> (Option<String>, Option<String>) {
        let address = self.addresses.iter().rfind(|(when, _)| *when <= time);
        let shown = self.frames.iter().rfind(|frame| frame.timestamp <= time);
        let shown = shown.or_else(|| self.frames.first());
        (address.map(|(_, url)| url.clone()), shown.and_then(Frame::member))
    }

    fn told(mut self, found: &Found, network: Option<Network>) -> Result<Finished, String> {
        let zero = self.zero();
        let context = self.context.take().ok_or("it does not say what it is a trace of")?;
        self.frames.sort_by(|a, b| a.timestamp.total_cmp(&b.timestamp));
        self.addresses.sort_by(|a, b| a.0.total_cmp(&b.0));
        self.calls.sort_by(|a, b| a.call.start_time.total_cmp(&b.call.start_time));
        let has_times = context.ours.as_ref().is_none_or(|ours| ours.times_recorded);
        let mut finished = Finished {
            task: context.ours.as_ref().map_or_else(|| found.task.clone(), |ours| ours.task.clone()),
            intent: context.ours.as_ref().map(|ours| ours.intent.clone()).filter(|intent| !intent.is_empty()),
            browser: Some(context.browser_name.clone()).filter(|name| !name.is_empty()),
            viewport: context
                .options
                .viewport
                .as_ref()
                .map(|size| Viewport { width: size.width, height: size.height }),
            started: context.wall_time.filter(|time| *time > 0.0 && has_times),
            network,
            ..Finished::default()
        };
        let is_ours = context.ours.is_some();
        let inner: Vec<bool> = self
            .calls
            .iter()
            .map(|recorded| {
                recorded.call.parent_id.as_ref().is_some_and(|parent| self.by_id.contains_key(parent))
            })
            .collect();
        for (recorded, is_inner) in self.calls.iter().zip(inner) {
            let call = &recorded.call;
            if is_inner || call.class == "Tracing" || call.method.starts_with("tracing") {
                continue;
            }
            let (url, picture) = match self.pages.get(&call.call_id).filter(|_| is_ours) {
                Some((url, picture)) => (Some(url.clone()), picture.clone()),
                None => self.at(call.start_time),
            };
            let act = act(recorded, is_ours);
            if let What::Ours(Action::Answer(answer)) = &act.what {
                finished.answer = Some(answer.clone());
            }
            finished.steps.push(Step {
                ms: has_times.then(|| (call.start_time - zero).max(0.0) as u64),
                url: url.filter(|url| !url.is_empty()),
                shot: picture.map(|member| Shot::Member(found.file.clone(), member)),
                thoughts: if is_ours { recorded.logs.clone() } else { Vec::new() },
                outputs: if is_ours { Vec::new() } else { recorded.logs.clone() },
                acts: vec![act],
                ..Step::default()
            });
        }
        for (time, text) in self.said {
            let at =
                finished.steps.iter().rposition(|step| step.ms.is_some_and(|ms| ms as f64 <= time - zero));
            if let Some(step) = finished.steps.get_mut(at.unwrap_or(0)) {
                step.outputs.push(text);
            }
        }
        if finished.answer.is_none() {
            let detail = self.failure.unwrap_or_else(|| "a trace holds no answer".to_owned());
            finished.ending = Some(Ending { end: End::Stopped, detail });
        }
        Ok(finished)
    }
}

fn act(recorded: &Recorded, is_ours: bool) -> Act {
    let Recorded { call, end_time, error, point, area, .. } = recorded;
    let what = if is_ours && call.class == OURS {
        let text = call.params.get("action").and_then(Value::as_str).unwrap_or_default();
        let kept = || What::Foreign { text: text.to_owned(), counted: true };
        text.parse::<Action>().map_or_else(|_| kept(), What::Ours)
    } else {
        foreign(call)
    };
    let error = error.as_ref().map(|error| {
        let message =
            error.pointer("/message").or_else(|| error.pointer("/error/message")).and_then(Value::as_str);
        message.map_or_else(|| error.to_string(), str::to_owned)
    });
    let at = area.or(point.map(|point| Rect { x: point.x, y: point.y, width: 0.0, height: 0.0 }));
    Act { what, at, error, took_ms: (end_time - call.start_time).max(0.0) as u64 }
}

/// A call as it was made; only those that say all that one of ours says are read as such.
fn foreign(call: &Call) -> What {
    let url = || call.params.get("url").and_then(Value::as_str).map(str::to_owned);
    match call.method.as_str() {
        "goto" => url().map(Action::GoTo),
        "goBack" => Some(Action::Back),
        "goForward" => Some(Action::Forward),
        _ => None,
    }
    .map_or_else(
        || {
            let name = call.title.clone().or_else(|| call.api_name.clone());
            let name = name.unwrap_or_else(|| format!("{}.{}", call.class, call.method));
            let parameters = Value::Object(call.params.clone());
            let counted = COUNTED.contains(&call.method.as_str());
            What::Foreign { text: format!("{name} {parameters}"), counted }
        },
        What::Ours,
    )
}
