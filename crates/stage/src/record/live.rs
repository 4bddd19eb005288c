//! A recording as it happens: from the onlooker's reports to the files.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use serde::Deserialize;
use serde::de::IgnoredAny;
use tempfile::TempDir;
use tokio::sync::mpsc;
use umpire_browser::{NetworkPolicy, Onlooker, Visit, VisitError, VisitEvent, VisitOptions};
use umpire_model::{Deadline, Viewport};

use super::collector::{Collector, Heading, PictureWanted, RawEvent};
use super::noted::StepKey;
use super::report::PageReport;
use super::scripts::{onlooker_scripts, unpack_extension};
use super::worker::{Meaning, WorkerEvent};
use super::writer::{SessionWriter, WriteError};
use crate::session::{Session, Step};

const FIRST_PAGE: Duration = Duration::from_secs(30);
const PICTURE: Duration = Duration::from_secs(30);
/// Before a picture is asked for again.
const REFUSED: Duration = Duration::from_millis(50);
/// A page that is shown is drawn in less.
const DRAWING: Duration = Duration::from_secs(2);
const WORKER_ANSWER: Duration = Duration::from_secs(5);
const WORKER_PAUSE: Duration = Duration::from_millis(50);
/// At the end, for reports and pictures that are under way.
const LAST_WORDS: Duration = Duration::from_secs(5);

#[derive(Clone, Debug)]
pub struct RecordOptions {
    pub name: String,
    /// Folder for the session and its pictures.
    pub out: PathBuf,
    pub url: String,
    pub chromium: Option<PathBuf>,
    pub viewport: Viewport,
    /// Shown on the screen.
    pub window: bool,
    /// Recorded by the extension, with its popup at hand; otherwise over the protocol alone.
    pub extension: bool,
    pub network: NetworkPolicy,
}

#[derive(Debug, thiserror::Error)]
pub enum RecordError {
    #[error(transparent)]
    Visit(#[from] VisitError),
    #[error(transparent)]
    Write(#[from] WriteError),
    #[error("cannot unpack the extension: {0}")]
    Unpack(std::io::Error),
    #[error("the extension did not start")]
    NoWorker,
}

/// What came of a recording.
#[derive(Debug)]
pub struct Recorded {
    pub path: PathBuf,
    pub session: Session,
}

/// A browser in which everything done is recorded.
pub struct Recorder {
    visit: Arc<Visit>,
    events: mpsc::UnboundedReceiver<VisitEvent>,
    collector: Collector,
    writer: SessionWriter,
    pictures: (mpsc::UnboundedSender<Picture>, mpsc::UnboundedReceiver<Picture>),
    pictures_under_way: usize,
    /// Where the extension is unpacked, if it records.
    extension: Option<TempDir>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Next {
    GoOn,
    Stop,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Evaluated {
    exception_details: Option<IgnoredAny>,
}

struct Picture {
    step: StepKey,
    number: u32,
    jpeg: Option<Vec<u8>>,
}

impl Recorder {
    /// Opens the browser at the start page; everything from there on is recorded.
    pub async fn start(options: RecordOptions, deadline: Deadline) -> Result<Self, RecordError> {
        let writer = SessionWriter::create(&options.out, &options.name)?;
        let extension = if options.extension { Some(unpacked()?) } else { None };
        let onlooker = match &extension {
            Some(folder) => Onlooker::Extension(folder.path().to_owned()),
            None => Onlooker::Scripts(onlooker_scripts()),
        };
        let visit_options = VisitOptions {
            chromium: options.chromium,
            viewport: options.viewport,
            window: options.window,
            network: options.network,
            onlooker,
        };
        let (visit, events) = Visit::open(visit_options, deadline).await?;
        let began = now();
        let kind = if options.extension { "extension" } else { "cdp" };
        let heading = Heading {
            name: options.name.clone(),
            recorded_at: as_text(began),
            began,
            recorder: format!("umpire-{kind} {}", env!("CARGO_PKG_VERSION")),
            start_url: options.url.clone(),
            viewport: options.viewport,
        };
        let mut recorder = Self {
            visit: Arc::new(visit),
            events,
            collector: Collector::new(heading),
            writer,
            pictures: mpsc::unbounded_channel(),
            pictures_under_way: 0,
            extension,
        };
        let tab = recorder.first_tab(deadline).await?;
        if recorder.extension.is_some() {
            recorder.start_extension(&options.name, deadline).await?;
        }
        recorder.visit.goto(&tab, &options.url, deadline.within(FIRST_PAGE)).await?;
        recorder.save()?;
        Ok(recorder)
    }

    async fn first_tab(&mut self, deadline: Deadline) -> Result<String, RecordError> {
        loop {
            let event = tokio::time::timeout_at(deadline.at().into(), self.events.recv()).await;
            let Ok(Some(event)) = event else { return Err(VisitError::TabGone.into()) };
            if let VisitEvent::TabOpened { tab, opener, url } = event {
                if self.extension.is_none() {
                    let opened = RawEvent::TabOpened { tab: tab.clone(), opener, url, at: now() };
                    self.collector.take_in(opened);
                }
                return Ok(tab);
            }
        }
    }

    /// Presses the popup's start button, so to speak, once the worker is there.
    async fn start_extension(&self, name: &str, deadline: Deadline) -> Result<(), RecordError> {
        let expression = format!("umpireCommand('start', {})", serde_json::json!(name));
        let params =
            serde_json::json!({ "expression": expression, "awaitPromise": true, "returnByValue": true });
        while !deadline.passed() {
            if let Some(worker) = self.visit.worker() {
                let answer: Result<Evaluated, _> =
                    worker.call("Runtime.evaluate", &params, deadline.within(WORKER_ANSWER)).await;
                if answer.is_ok_and(|answer| answer.exception_details.is_none()) {
                    return Ok(());
                }
            }
            tokio::time::sleep(WORKER_PAUSE).await;
        }
        Err(RecordError::NoWorker)
    }

    /// The browser that is recorded.
    pub fn visit(&self) -> Arc<Visit> {
        Arc::clone(&self.visit)
    }

    /// Records until the browser is closed or `stop` comes. `show` is called with each step as it is complete.
    pub async fn run(
        mut self,
        stop: impl Future<Output = ()>,
        mut show: impl FnMut(&Step),
    ) -> Result<Recorded, RecordError> {
        tokio::pin!(stop);
        loop {
            tokio::select! {
                event = self.events.recv() => match event {
                    None | Some(VisitEvent::Gone) => break,
                    Some(event) => if self.take_in(event)? == Next::Stop { break },
                },
                Some(picture) = self.pictures.1.recv() => self.keep(picture)?,
                () = &mut stop => break,
            }
            self.collector.take_finished().iter().for_each(&mut show);
        }
        self.last_words().await?;
        self.collector.take_rest().iter().for_each(&mut show);
        self.save()?;
        let recorded = Recorded { path: self.writer.path(), session: self.collector.session() };
        self.writer.tidy(&recorded.session)?;
        if let Some(visit) = Arc::into_inner(self.visit) {
            visit.close().await;
        }
        Ok(recorded)
    }

    /// What was on its way when the end came.
    async fn last_words(&mut self) -> Result<(), RecordError> {
        let deadline = Deadline::after(LAST_WORDS);
        while !deadline.passed() {
            let quiet = Duration::from_millis(if self.pictures_under_way > 0 { 2_000 } else { 300 });
            let until = deadline.within(quiet);
            tokio::select! {
                Some(event) = self.events.recv() => { self.take_in(event)?; }
                Some(picture) = self.pictures.1.recv() => self.keep(picture)?,
                () = tokio::time::sleep_until(until.at().into()) => break,
            }
        }
        Ok(())
    }

    fn take_in(&mut self, event: VisitEvent) -> Result<Next, RecordError> {
        let by_extension = self.extension.is_some();
        let raw = match event {
            VisitEvent::WorkerTold { text } if by_extension => return self.worker_told(&text),
            _ if by_extension => return Ok(Next::GoOn),
            VisitEvent::TabOpened { tab, opener, url } => RawEvent::TabOpened { tab, opener, url, at: now() },
            VisitEvent::TabClosed { tab } => RawEvent::TabClosed { tab, at: now() },
            VisitEvent::Told { tab, text } => match PageReport::read(&text) {
                Some(report) => RawEvent::Page { tab, report },
                None => return Ok(Next::GoOn),
            },
            VisitEvent::WorkerTold { .. } | VisitEvent::WorkerStarted | VisitEvent::Gone => {
                return Ok(Next::GoOn);
            }
        };
        self.note(raw)?;
        Ok(Next::GoOn)
    }

    fn worker_told(&mut self, text: &str) -> Result<Next, RecordError> {
        let event = serde_json::from_str(text).map_or(Meaning::Nothing, WorkerEvent::meaning);
        match event {
            Meaning::Raw(raw) => self.note(raw)?,
            Meaning::Stopped => return Ok(Next::Stop),
            // The extension may take two a second; over the protocol there is one of every step.
            Meaning::Picture(_) | Meaning::Nothing => {}
        }
        Ok(Next::GoOn)
    }

    fn note(&mut self, raw: RawEvent) -> Result<(), RecordError> {
        self.collector.take_in(raw);
        for wanted in self.collector.take_wanted_pictures() {
            self.take_picture(wanted);
        }
        self.save()
    }

    fn take_picture(&mut self, wanted: PictureWanted) {
        self.pictures_under_way += 1;
        let (visit, sender) = (Arc::clone(&self.visit), self.pictures.0.clone());
        let by_extension = self.extension.is_some();
        tokio::spawn(async move {
            let PictureWanted { tab, url, step, number } = wanted;
            let deadline = Deadline::after(PICTURE);
            // The extension has numbers of its own for tabs; the page in one is the same.
            let tab = if by_extension { tab_showing(&visit, &url, deadline).await } else { Some(tab) };
            let jpeg = picture_of(&visit, tab, deadline).await;
            drop(visit);
            let _ = sender.send(Picture { step, number, jpeg });
        });
    }

    fn keep(&mut self, picture: Picture) -> Result<(), RecordError> {
        self.pictures_under_way = self.pictures_under_way.saturating_sub(1);
        if let Picture { step, number, jpeg: Some(jpeg) } = picture {
            let file = self.writer.picture(number, &jpeg)?;
            self.collector.take_in(RawEvent::Picture { step, file });
            self.save()?;
        }
        Ok(())
    }

    fn save(&mut self) -> Result<(), RecordError> {
        Ok(self.writer.write(&self.collector.session())?)
    }
}

/// A tab that another has covered draws nothing any more; what the person sees then is the other, the newest. A page that
/// is being left refuses, and the next one does not.
async fn picture_of(visit: &Visit, tab: Option<String>, deadline: Deadline) -> Option<Vec<u8>> {
    loop {
        for tab in tab.iter().cloned().chain(visit.tabs().pop()) {
            if let Ok(jpeg) = visit.screenshot(&tab, deadline.within(DRAWING)).await {
                return Some(jpeg);
            }
        }
        if deadline.passed() {
            return None;
        }
        tokio::time::sleep(REFUSED).await;
    }
}

/// The newest tab with this page.
async fn tab_showing(visit: &Visit, url: &str, deadline: Deadline) -> Option<String> {
    let bare = |url: &str| url.split(['?', '#']).next().unwrap_or_default().to_owned();
    for tab in visit.tabs().into_iter().rev() {
        if visit.address(&tab, deadline).await.is_ok_and(|shown| bare(&shown) == bare(url)) {
            return Some(tab);
        }
    }
    None
}

fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_millis() as u64)
}

/// A moment in milliseconds since 1970, as sessions write it.
pub(super) fn as_text(millis: u64) -> String {
    let moment =
        i64::try_from(millis / 1000).ok().and_then(|seconds| jiff::Timestamp::from_second(seconds).ok());
    moment.map(|moment| moment.to_string()).unwrap_or_default()
}

fn unpacked() -> Result<TempDir, RecordError> {
    let folder = tempfile::Builder::new().prefix("umpire-extension-").tempdir();
    let folder = folder.map_err(RecordError::Unpack)?;
    unpack_extension(folder.path()).map_err(RecordError::Unpack)?;
    Ok(folder)
}
