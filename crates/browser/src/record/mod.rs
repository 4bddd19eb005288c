//! The recorder of a seat: writes down what its targets do, whoever drives them.
//!
//! Chromium announces every target of the seat's browser contexts before it may run; the recorder turns on what it
//! needs in it and only then lets it go, so that no first request is missed. It runs as one task that owns all its
//! state. Tabs and how busy they are ([`Tabs`]) is the only part shared with others.

mod attach;
mod bodies;
mod console;
mod contexts;
mod downloads;
mod flights;
mod held_back;
mod network;
mod pages;
mod protocol;
mod reports;
mod tabs;

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use serde::de::DeserializeOwned;
use tokio::sync::{mpsc, oneshot};
use umpire_model::{Deadline, EventBody, Evidence, Viewport};

use crate::cdp::{CdpEvent, Connection, Incoming, Session, SessionId};
use crate::netgate::NetworkPolicy;
use crate::seat::{Driver, SeatLimits};

use self::attach::Target;
pub(crate) use self::attach::auto_attach;
pub(crate) use self::contexts::{Adoption, Contexts};
use self::downloads::Downloads;
use self::flights::Flights;
use self::network::{Fetched, InFlight};
pub use self::pages::DialogAnswer;
use self::pages::{Dialogs, Foreseen};
pub use self::reports::PageReport;
pub(crate) use self::reports::{ClientScript, Reports};
pub(crate) use self::tabs::Tabs;

/// How often ended exchanges that lack raw headers are looked at again.
const TICK: Duration = Duration::from_millis(100);
/// Longest the end of an attempt waits for bodies that are still being fetched.
const LAST_BODIES: Duration = Duration::from_secs(3);
/// Console lines kept in an attempt; a page may write one a millisecond.
const CONSOLE_LINES: u32 = 1000;

/// The attempt that is plugged into a seat.
#[derive(Clone)]
pub(crate) struct Attempt {
    pub evidence: Arc<dyn Evidence>,
    pub driver: Driver,
    pub limits: SeatLimits,
    pub viewport: Viewport,
    pub dark: bool,
    pub network: Arc<NetworkPolicy>,
}

/// What the recorder can say when an attempt is over.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SeatSummary {
    pub requests_seen: u64,
    pub requests_written: u64,
    /// Pop-ups closed because the seat had its fill of tabs.
    pub tabs_refused: u32,
    pub dialogs: u32,
    pub tabs_crashed: u32,
    /// The whole browser went away during the attempt.
    pub browser_gone: bool,
}

/// Messages to the recorder's task.
enum Note {
    HandOver {
        attempt: Attempt,
        done: oneshot::Sender<()>,
    },
    /// Asks for a sign once everything received so far has been dealt with.
    CatchUp {
        done: oneshot::Sender<()>,
    },
    Finish {
        deadline: Deadline,
        done: oneshot::Sender<SeatSummary>,
    },
    Fetched(Fetched),
    /// A client had its time to answer this dialog.
    DialogDue {
        session: SessionId,
        serial: u32,
    },
}

/// The seat's end of the recorder.
pub(crate) struct Recorder {
    notes: mpsc::UnboundedSender<Note>,
    tabs: Arc<Tabs>,
    dialog_texts: Arc<Mutex<Vec<String>>>,
    foreseen: Foreseen,
    reports: Arc<Reports>,
    stands_in: Arc<AtomicBool>,
}

impl Recorder {
    /// Starts the task. It hears of targets in contexts that are adopted.
    pub fn start(
        connection: Connection,
        browser_session: Session,
        downloads: PathBuf,
        viewport: Viewport,
    ) -> (Self, Adoption) {
        let (notes, note_queue) = mpsc::unbounded_channel();
        let (route, events) = mpsc::unbounded_channel();
        let tabs = Arc::new(Tabs::default());
        let contexts = Arc::new(Contexts::default());
        if let Some(id) = browser_session.id() {
            connection.route_session(id.clone(), route.clone());
        }
        let session = browser_session.clone();
        let adoption = Adoption::new(connection.clone(), route, Arc::clone(&contexts), session, downloads);
        let dialog_texts = Arc::default();
        let foreseen = Foreseen::default();
        let reports = Arc::<Reports>::default();
        let stands_in = Arc::<AtomicBool>::default();
        let desk = Desk {
            connection,
            notes: notes.clone(),
            tabs: Arc::clone(&tabs),
            attempt: None,
            viewport,
            targets: HashMap::new(),
            flights: Flights::default(),
            in_flight: HashMap::new(),
            sockets: HashMap::new(),
            dialogs: Dialogs::new(Arc::clone(&dialog_texts), Arc::clone(&foreseen)),
            downloads: Downloads::new(browser_session, contexts),
            loading: HashMap::new(),
            console_left: CONSOLE_LINES,
            reports: Arc::clone(&reports),
            stands_in: Arc::clone(&stands_in),
            summary: SeatSummary::default(),
        };
        tokio::spawn(desk.run(events, note_queue));
        (Self { notes, tabs, dialog_texts, foreseen, reports, stands_in }, adoption)
    }

    pub fn tabs(&self) -> &Arc<Tabs> {
        &self.tabs
    }

    /// What a page tells the harness.
    pub fn reports(&self) -> &Arc<Reports> {
        &self.reports
    }

    /// Plugs an attempt in; if this returns true, everything from here on goes to its evidence.
    pub async fn hand_over(&self, attempt: Attempt, deadline: Deadline) -> bool {
        let (done, wait) = oneshot::channel();
        let _ = self.notes.send(Note::HandOver { attempt, done });
        matches!(tokio::time::timeout_at(deadline.at().into(), wait).await, Ok(Ok(())))
    }

    /// Returns when tabs and activity reflect all that Chromium reported before now, or at the deadline.
    pub async fn catch_up(&self, deadline: Deadline) {
        let (done, wait) = oneshot::channel();
        let _ = self.notes.send(Note::CatchUp { done });
        let _ = tokio::time::timeout_at(deadline.at().into(), wait).await;
    }

    /// Dialogs that were answered since the last call, oldest first.
    pub fn take_dialogs(&self) -> Vec<String> {
        std::mem::take(&mut *self.dialog_texts.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// How the dialogs to come are answered.
    pub fn foresee_dialogs(&self, answers: Vec<DialogAnswer>) {
        *self.foreseen.lock().unwrap_or_else(PoisonError::into_inner) = answers.into();
    }

    /// Answers what the browser stops at with an empty page, to stand in an origin without asking the site.
    pub fn stand_in(&self, yes: bool) {
        self.stands_in.store(yes, Ordering::Release);
    }

    /// Writes what is left, and the self-check; nothing is written after it returns.
    pub async fn finish(&self, deadline: Deadline) -> SeatSummary {
        let (done, wait) = oneshot::channel();
        let _ = self.notes.send(Note::Finish { deadline, done });
        wait.await.unwrap_or_default()
    }
}

/// The recorder's task and all it knows.
struct Desk {
    connection: Connection,
    notes: mpsc::UnboundedSender<Note>,
    tabs: Arc<Tabs>,
    attempt: Option<Attempt>,
    viewport: Viewport,
    targets: HashMap<SessionId, Target>,
    flights: Flights,
    /// Requests that keep their tab busy, by request id.
    in_flight: HashMap<String, InFlight>,
    /// URLs of web sockets that have not shaken hands yet.
    sockets: HashMap<String, String>,
    dialogs: Dialogs,
    downloads: Downloads,
    /// Frames being loaded, by tab.
    loading: HashMap<String, std::collections::HashSet<String>>,
    console_left: u32,
    reports: Arc<Reports>,
    stands_in: Arc<AtomicBool>,
    summary: SeatSummary,
}

impl Desk {
    async fn run(
        mut self,
        mut events: mpsc::UnboundedReceiver<Incoming>,
        mut notes: mpsc::UnboundedReceiver<Note>,
    ) {
        loop {
            tokio::select! {
                Some(incoming) = events.recv() => self.take_in(incoming),
                note = notes.recv() => match note {
                    Some(Note::Finish { deadline, done }) => {
                        let summary = self.finish(deadline, &mut events, &mut notes).await;
                        let _ = done.send(summary);
                        return;
                    }
                    Some(Note::CatchUp { done }) => {
                        self.drain(&mut events);
                        let _ = done.send(());
                    }
                    Some(note) => self.read(note),
                    None => return,
                },
                () = tokio::time::sleep(TICK), if self.flights.is_waiting() => self.write_ready(),
            }
        }
    }

    fn read(&mut self, note: Note) {
        match note {
            Note::HandOver { attempt, done } => {
                self.hand_over(attempt);
                let _ = done.send(());
            }
            Note::Fetched(fetched) => self.fetched(fetched),
            Note::DialogDue { session, serial } => self.dialog_due(&session, serial),
            Note::CatchUp { .. } | Note::Finish { .. } => {}
        }
    }

    fn hand_over(&mut self, attempt: Attempt) {
        if attempt.viewport != self.viewport {
            self.viewport = attempt.viewport;
            self.tabs.handles().iter().for_each(|tab| attach::set_viewport(&tab.session, attempt.viewport));
        }
        if attempt.dark {
            self.tabs.handles().iter().for_each(|tab| attach::darken(&tab.session));
        }
        if let Some(stops) = attempt.network.stops() {
            self.tabs.handles().iter().for_each(|tab| tab.session.post("Fetch.enable", stops.clone()));
        }
        self.attempt = Some(attempt);
        for tab in self.tabs.ids() {
            self.write(EventBody::TabOpened { tab, opener: None, url: "about:blank".to_owned() });
        }
    }

    async fn finish(
        &mut self,
        deadline: Deadline,
        events: &mut mpsc::UnboundedReceiver<Incoming>,
        notes: &mut mpsc::UnboundedReceiver<Note>,
    ) -> SeatSummary {
        let deadline = deadline.within(LAST_BODIES);
        self.drain(events);
        while (self.flights.is_waiting() || self.flights.is_fetching()) && !deadline.passed() {
            tokio::select! {
                Some(incoming) = events.recv() => self.take_in(incoming),
                Some(note) = notes.recv() => self.read(note),
                () = tokio::time::sleep(TICK.min(deadline.left())) => self.write_ready(),
            }
        }
        for exchange in self.flights.take_all("the attempt ended first") {
            self.write_exchange(exchange);
        }
        self.close_dialogs();
        self.close_downloads();
        self.summary.requests_seen = self.flights.seen();
        let SeatSummary { requests_seen, requests_written, .. } = self.summary;
        self.write(EventBody::Recorded { requests_seen, requests_written });
        self.summary
    }

    fn drain(&mut self, events: &mut mpsc::UnboundedReceiver<Incoming>) {
        while let Ok(incoming) = events.try_recv() {
            self.take_in(incoming);
        }
    }

    fn take_in(&mut self, incoming: Incoming) {
        match incoming {
            Incoming::Event(event) => self.event(&event),
            Incoming::Reply { .. } => {}
            Incoming::Closed => self.browser_gone(),
        }
    }

    fn browser_gone(&mut self) {
        self.summary.browser_gone = true;
        self.in_flight.clear();
        for tab in self.tabs.handles() {
            tab.activity.update(|counts| {
                counts.crashed = true;
                counts.closed = true;
            });
        }
        for exchange in self.flights.take_all("the browser went away") {
            self.write_exchange(exchange);
        }
    }

    fn event(&mut self, event: &CdpEvent) {
        let Some((domain, name)) = event.method.split_once('.') else { return };
        match domain {
            "Network" => {
                self.network_event(name, event);
                self.write_ready();
            }
            "Page" => self.page_event(name, event),
            "Target" => self.target_event(name, event),
            "Runtime" if name == "bindingCalled" => self.reports.called(event),
            "Runtime" | "Log" => self.console_event(name, event),
            "Inspector" => self.inspector_event(name, event),
            "Browser" => self.download_event(name, event),
            "Fetch" if name == "requestPaused" => self.stopped_at(event),
            _ => {}
        }
    }

    fn console_event(&mut self, name: &str, event: &CdpEvent) {
        let line = match name {
            "consoleAPICalled" => read(event).as_ref().map(console::of_call),
            "exceptionThrown" => read(event).as_ref().map(console::of_exception),
            "entryAdded" => read(event).as_ref().map(console::of_log),
            _ => None,
        };
        let Some((level, text)) = line else { return };
        let Some(tab) = self.target_of(event).map(|target| target.tab.clone().unwrap_or(target.id.clone()))
        else {
            return;
        };
        match self.console_left {
            0 => return,
            1 => self.write(EventBody::Console {
                tab,
                level: "warning".to_owned(),
                text: format!("more than {CONSOLE_LINES} lines; the rest is not kept"),
            }),
            _ => self.write(EventBody::Console { tab, level, text }),
        }
        self.console_left -= 1;
    }

    fn write_ready(&mut self) {
        for exchange in self.flights.take_ready(Instant::now()) {
            self.write_exchange(exchange);
        }
    }

    fn write_exchange(&mut self, exchange: umpire_model::Exchange) {
        self.summary.requests_written += 1;
        self.write(EventBody::Exchange(Box::new(exchange)));
    }

    fn write(&self, body: EventBody) {
        if let Some(attempt) = &self.attempt {
            attempt.evidence.event(body);
        }
    }

    /// Notes something unusual that a page did, not necessarily at a client's bidding.
    fn flag(&self, request: &str, decision: &str, reason: String) {
        self.write(EventBody::Gate {
            request: request.to_owned(),
            decision: decision.to_owned(),
            reason,
            suspicious: false,
        });
    }

    fn target_of(&self, event: &CdpEvent) -> Option<&Target> {
        self.targets.get(event.session.as_ref()?)
    }

    fn limits(&self) -> SeatLimits {
        self.attempt.as_ref().map_or_else(SeatLimits::default, |attempt| attempt.limits)
    }
}

/// An event's content; one that Chromium changed beyond recognition is passed over.
fn read<T: DeserializeOwned>(event: &CdpEvent) -> Option<T> {
    event.params().ok()
}
