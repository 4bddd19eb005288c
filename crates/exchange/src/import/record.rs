//! Writes a finished attempt down as the recorder would have: same events, same blobs, its own clock.

use std::fs::File;
use std::io::{BufReader, Read as _};
use std::path::Path;

use jiff::Timestamp;
use umpire_model::{
    Body, End, EventBody, Evidence as _, Exchange, Instance, Media, Observed, Redactor, Viewport,
};
use umpire_store::{AttemptDir, JournalWriter};
use umpire_webarena::trace::{self, BodyMember, Event, Retention, Trace};

use crate::finished::{Act, Finished, Network, Shot, Step, What};
use crate::picture::Picture;
use crate::source::{LARGEST_PICTURE, Source};
use crate::{ImportError, Problem};

/// Texts up to this size stand in the journal itself.
const INLINE: usize = 2 << 10;
/// Longer bodies are left out of the journal, and the journal says so.
const LONGEST_BODY: usize = 4 << 20;

/// Looks whether everything the attempt points to can be read. Returns how large the pages were: as told, or else as
/// the first picture shows them.
pub(super) fn check(source: &Source, finished: &Finished, file: &Path) -> Result<Option<Viewport>, Problem> {
    let mut seen = None;
    for step in &finished.steps {
        if let Some(shot) = &step.shot {
            let Picture { width, height, .. } = load(source, shot, file)?;
            seen = seen.or(Some(Viewport { width, height }));
        }
    }
    if let Some(network) = &finished.network {
        source.streamed(&network.trace)?;
        open_trace(network, &Retention::outline())?;
    }
    Ok(finished.viewport.or(seen))
}

pub(super) fn write(
    source: &Source,
    finished: &Finished,
    instance: &Instance,
    viewport: Option<Viewport>,
    attempt: &AttemptDir,
) -> Result<(), ImportError> {
    let journal = attempt.writer(Redactor::default())?;
    let scribe = Scribe { source, journal: &journal };
    journal.event_at(
        0,
        EventBody::Started {
            attempt: attempt.id().clone(),
            r#try: 1,
            instance: instance.digest(),
            at: finished.started.and_then(date_time).unwrap_or_default(),
            browser: finished.browser.clone().unwrap_or_default(),
            remote: None,
            viewport: viewport.unwrap_or(Viewport { width: 0, height: 0 }),
        },
    );
    let requests = match &finished.network {
        Some(network) => scribe.requests(network, finished.started).map_err(ImportError::Strict)?,
        None => Vec::new(),
    };
    let mut requests = requests.into_iter().peekable();
    let mut clock = 0;
    for (number, step) in (1..).zip(&finished.steps) {
        // A request belongs where its time puts it. Without both clocks the order among requests is all that is known.
        while let Some((ms, exchange)) =
            requests.next_if(|(ms, _)| ms.is_none_or(|ms| step.ms.is_some_and(|step| ms < step)))
        {
            clock = ms.unwrap_or(clock).max(clock);
            journal.event_at(clock, EventBody::Exchange(Box::new(exchange)));
        }
        clock = step.ms.unwrap_or(clock).max(clock);
        scribe.step(number, step, clock).map_err(ImportError::Strict)?;
    }
    for (ms, exchange) in requests {
        clock = ms.unwrap_or(clock).max(clock);
        journal.event_at(clock, EventBody::Exchange(Box::new(exchange)));
    }
    if let Some(response) = &finished.answer {
        journal.event_at(clock, EventBody::Answered { response: response.clone() });
    }
    journal.event_at(clock, ended(finished));
    Ok(journal.finish()?)
}

fn ended(finished: &Finished) -> EventBody {
    let (end, detail) = match (&finished.answer, &finished.ending) {
        (Some(_), _) => (End::Answered, String::new()),
        (None, Some(ending)) => (ending.end, ending.detail.clone()),
        (None, None) => (End::Stopped, "the recording ends without an answer".to_owned()),
    };
    let acts = || finished.steps.iter().flat_map(|step| &step.acts);
    EventBody::Ended {
        end,
        detail,
        steps: finished.steps.len() as u32,
        counted: acts().filter(|act| act.is_counted()).count() as u32,
    }
}

struct Scribe<'a> {
    source: &'a Source,
    journal: &'a JournalWriter,
}

impl Scribe<'_> {
    fn step(&self, number: u32, step: &Step, ms: u64) -> Result<(), Problem> {
        let screenshot = match &step.shot {
            Some(shot) => {
                let picture = load(self.source, shot, self.source.given())?;
                Some(self.journal.blob(&picture.bytes, picture.media))
            }
            None => None,
        };
        let outline = step.outline.as_ref().map(|text| self.journal.blob(text.as_bytes(), Media::Text));
        if screenshot.is_some() || outline.is_some() || step.url.is_some() || step.title.is_some() {
            let observed = Observed {
                step: number,
                url: step.url.clone().unwrap_or_default(),
                title: step.title.clone().unwrap_or_default(),
                tabs: step.tabs.clone(),
                screenshot,
                outline,
                elements: 0,
                took_ms: 0,
            };
            self.journal.event_at(ms, EventBody::Observed(observed));
        }
        for text in &step.thoughts {
            self.journal.event_at(ms, EventBody::Thought { step: number, text: text.clone() });
        }
        for act in &step.acts {
            self.journal.event_at(ms, acted(number, act));
        }
        for text in &step.outputs {
            let stream = "result".to_owned();
            self.journal.event_at(ms, EventBody::AgentOutput { stream, text: text.clone() });
        }
        Ok(())
    }

    /// The recorded requests with their places on the attempt's clock, where both have one.
    fn requests(
        &self,
        network: &Network,
        started: Option<f64>,
    ) -> Result<Vec<(Option<u64>, Exchange)>, Problem> {
        let trace = open_trace(network, &Retention::whole(LONGEST_BODY))?;
        let mut archive = network
            .trace
            .extension()
            .filter(|extension| *extension == "zip")
            .and_then(|_| File::open(&network.trace).ok())
            .and_then(|file| zip::ZipArchive::new(BufReader::new(file)).ok());
        let mut requests: Vec<(Option<u64>, Exchange)> = Vec::with_capacity(trace.events.len());
        for (position, event) in trace.events.iter().enumerate() {
            let Some(mut exchange) = trace::exchange(event, position, &|bytes| self.keep(bytes)) else {
                continue;
            };
            exchange.request.body = exchange.request.body.map(|body| self.shortened(body));
            if let Some(response) = &mut exchange.response {
                response.body = response.body.take().map(|body| self.shortened(body));
                if response.body.is_none()
                    && let Some(archive) = &mut archive
                {
                    response.body = resource(event).map(|name| self.resource(archive, name));
                }
            }
            let around = event.surroundings.as_deref();
            let has_time = around.is_some_and(|around| around.started.is_some());
            // Exchanges are told in the order of their times: one without stays behind the one before it.
            if let (false, Some((_, before))) = (has_time, requests.last()) {
                exchange.started = before.started;
            }
            let monotonic = around.and_then(|around| around.monotonic.as_deref()?.parse::<f64>().ok());
            let ms = match (network.monotonic_start, monotonic, started) {
                (Some(zero), Some(time), _) => Some(time - zero),
                (_, _, Some(zero)) if has_time => Some(exchange.started - zero),
                _ => None,
            };
            requests.push((ms.map(|ms| ms.max(0.0) as u64), exchange));
        }
        Ok(requests)
    }

    fn keep(&self, bytes: &[u8]) -> Body {
        match std::str::from_utf8(bytes) {
            Ok(text) if text.len() <= INLINE => Body::Text(text.to_owned()),
            Ok(text) => Body::Blob(self.journal.blob(text.as_bytes(), Media::Text)),
            Err(_) => Body::Blob(self.journal.blob(bytes, Media::Bytes)),
        }
    }

    fn shortened(&self, body: Body) -> Body {
        match body {
            Body::Text(text) if text.len() > INLINE => self.keep(text.as_bytes()),
            other => other,
        }
    }

    /// A body that a Playwright trace keeps in a file of its own.
    fn resource(&self, archive: &mut zip::ZipArchive<BufReader<File>>, name: &str) -> Body {
        let name = if name.contains('/') { name.to_owned() } else { format!("resources/{name}") };
        let Ok(member) = archive.by_name(&name) else {
            return Body::Omitted("the trace does not hold it".to_owned());
        };
        let mut bytes = Vec::new();
        match member.take(LONGEST_BODY as u64 + 1).read_to_end(&mut bytes) {
            Ok(length) if length > LONGEST_BODY => Body::Omitted("it is too long".to_owned()),
            Ok(_) => self.keep(&bytes),
            Err(error) => Body::Omitted(format!("unreadable: {error}")),
        }
    }
}

fn resource(event: &Event) -> Option<&str> {
    let content = event.content.as_ref().ok()?.as_ref()?;
    matches!(content.text, BodyMember::Absent).then_some(content.resource.as_deref()).flatten()
}

fn acted(step: u32, act: &Act) -> EventBody {
    let Act { what, at, error, took_ms } = act;
    match what {
        What::Ours(action) => EventBody::Acted {
            step,
            action: action.clone(),
            at: *at,
            error: error.clone(),
            took_ms: *took_ms,
        },
        What::Foreign { text, .. } => {
            EventBody::ForeignAction { step, text: text.clone(), at: *at, error: error.clone() }
        }
    }
}

/// Loads a picture; one that cannot be shown is a problem at the file it is in, or at the record that holds it.
fn load(source: &Source, shot: &Shot, record: &Path) -> Result<Picture, Problem> {
    const REMEDY: &str = "put the picture there again, or leave the attempt out";
    match shot {
        Shot::File(path) => {
            Picture::of(source.read(path, LARGEST_PICTURE)?).map_err(|what| Problem::new(path, what, REMEDY))
        }
        Shot::Inline(bytes) => Picture::of(bytes.clone())
            .map_err(|what| Problem::new(record, format!("a screenshot: {what}"), REMEDY)),
        Shot::Member(archive, name) => {
            let failed = |what: String| Problem::new(archive, format!("{name}: {what}"), REMEDY);
            let file = File::open(archive).map_err(|error| failed(error.to_string()))?;
            let mut zip =
                zip::ZipArchive::new(BufReader::new(file)).map_err(|error| failed(error.to_string()))?;
            let member = zip.by_name(name).map_err(|error| failed(error.to_string()))?;
            let mut bytes = Vec::new();
            member
                .take(LARGEST_PICTURE + 1)
                .read_to_end(&mut bytes)
                .map_err(|error| failed(error.to_string()))?;
            if bytes.len() as u64 > LARGEST_PICTURE {
                return Err(failed("it is larger than a picture may be".to_owned()));
            }
            Picture::of(bytes).map_err(failed)
        }
    }
}

/// What the requests of one attempt may unpack to.
const LARGEST_TRACE: u64 = 4 << 30;

fn open_trace(network: &Network, retention: &Retention) -> Result<Trace, Problem> {
    let open = || match &network.member {
        None => Trace::open(&network.trace, retention),
        Some(member) => {
            let mut archive = zip::ZipArchive::new(BufReader::new(File::open(&network.trace)?))?;
            let member = archive.by_name(member)?.take(LARGEST_TRACE);
            Trace::from_playwright(BufReader::new(member), retention)
        }
    };
    open().map_err(|error| unreadable_trace(network, &error))
}

fn unreadable_trace(network: &Network, error: &trace::TraceError) -> Problem {
    Problem::new(&network.trace, error.to_string(), "record the network as HAR 1.2, or as a Playwright trace")
}

fn date_time(epoch_ms: f64) -> Option<String> {
    let time = Timestamp::from_millisecond(epoch_ms.round() as i64).ok()?;
    Some(format!("{time:.3}"))
}
