//! A recording as it happens: from the onlooker's reports to the files.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use tokio::sync::mpsc;
use umpire_browser::{NetworkPolicy, Onlooker, Visit, VisitError, VisitEvent, VisitOptions};
use umpire_model::{Deadline, Viewport};

use super::collector::{Collector, Heading, PictureWanted, RawEvent, StepKey};
use super::report::PageReport;
use super::scripts::onlooker_scripts;
use super::writer::{SessionWriter, WriteError};
use crate::session::{Session, Step};

const FIRST_PAGE: Duration = Duration::from_secs(30);
const PICTURE: Duration = Duration::from_secs(5);
/// At the end, for reports and pictures that are under way.
const LAST_WORDS: Duration = Duration::from_secs(2);

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
    pub network: NetworkPolicy,
}

#[derive(Debug, thiserror::Error)]
pub enum RecordError {
    #[error(transparent)]
    Visit(#[from] VisitError),
    #[error(transparent)]
    Write(#[from] WriteError),
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
        let visit_options = VisitOptions {
            chromium: options.chromium,
            viewport: options.viewport,
            window: options.window,
            network: options.network,
            onlooker: Onlooker::Scripts(onlooker_scripts()),
        };
        let (visit, events) = Visit::open(visit_options, deadline).await?;
        let heading = Heading {
            name: options.name,
            recorded_at: now_as_text(),
            began: now(),
            recorder: concat!("umpire-cdp ", env!("CARGO_PKG_VERSION")).to_owned(),
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
        };
        let tab = recorder.first_tab(deadline).await?;
        recorder.visit.goto(&tab, &options.url, deadline.within(FIRST_PAGE)).await?;
        recorder.save()?;
        Ok(recorder)
    }

    async fn first_tab(&mut self, deadline: Deadline) -> Result<String, RecordError> {
        loop {
            let event = tokio::time::timeout_at(deadline.at().into(), self.events.recv()).await;
            let Ok(Some(event)) = event else { return Err(VisitError::TabGone.into()) };
            if let VisitEvent::TabOpened { tab, opener, url } = event {
                self.collector.take_in(RawEvent::TabOpened { tab: tab.clone(), opener, url, at: now() });
                return Ok(tab);
            }
        }
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
                    Some(event) => self.take_in(event)?,
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
                Some(event) = self.events.recv() => if event != VisitEvent::Gone { self.take_in(event)? },
                Some(picture) = self.pictures.1.recv() => self.keep(picture)?,
                () = tokio::time::sleep_until(until.at().into()) => break,
            }
        }
        Ok(())
    }

    fn take_in(&mut self, event: VisitEvent) -> Result<(), RecordError> {
        let raw = match event {
            VisitEvent::TabOpened { tab, opener, url } => RawEvent::TabOpened { tab, opener, url, at: now() },
            VisitEvent::TabClosed { tab } => RawEvent::TabClosed { tab, at: now() },
            VisitEvent::Told { tab, text } => match PageReport::read(&text) {
                Some(report) => RawEvent::Page { tab, report },
                None => return Ok(()),
            },
            VisitEvent::WorkerTold { .. } | VisitEvent::WorkerStarted | VisitEvent::Gone => return Ok(()),
        };
        self.collector.take_in(raw);
        for wanted in self.collector.take_wanted_pictures() {
            self.take_picture(wanted);
        }
        self.save()
    }

    fn take_picture(&mut self, wanted: PictureWanted) {
        self.pictures_under_way += 1;
        let (visit, sender) = (Arc::clone(&self.visit), self.pictures.0.clone());
        tokio::spawn(async move {
            let PictureWanted { tab, step, number } = wanted;
            let jpeg = visit.screenshot(&tab, Deadline::after(PICTURE)).await.ok();
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

fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_millis() as u64)
}

fn now_as_text() -> String {
    jiff::Timestamp::now().round(jiff::Unit::Second).map_or_else(|_| String::new(), |now| now.to_string())
}
