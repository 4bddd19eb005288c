//! The journal of an attempt: one event a line, append-only.
//!
//! An attempt that had to be tried again has several tries in one file; each begins with `started`, and a finished
//! one ends with `ended`. The trajectory that counts is the last try.

use serde::{Deserialize, Serialize};

use crate::{
    Action, AttemptId, BackendAnswer, BlobRef, Digest, EpisodeBegan, Guarded, HistoryAccess, Lapse,
    ModelCall, PerturbationRecord, RemoteBrowser, Rewarded, Staged, Viewport,
};

pub const JOURNAL_VERSION: u32 = 1;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Event {
    pub v: u32,
    /// Position in the journal, from 0, over all tries.
    pub seq: u64,
    /// Milliseconds since the try started.
    pub ms: u64,
    #[serde(flatten)]
    pub body: EventBody,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum EventBody {
    Started {
        attempt: AttemptId,
        /// From 1; a second one follows an `infra` end or an interrupted run.
        r#try: u32,
        instance: Digest,
        /// RFC 3339, UTC.
        at: String,
        browser: String,
        /// Set if that browser was not started by Umpire.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        remote: Option<Box<RemoteBrowser>>,
        viewport: Viewport,
    },
    /// What brought the initial state about.
    Staged(Box<Staged>),
    /// The world's state, as JSON by site, before the agent could act.
    StateBefore {
        state: BlobRef,
    },
    /// The world's state when the attempt ended.
    StateAfter {
        state: BlobRef,
    },
    /// What the deployment's own backend said, before the agent could act or when the attempt ended.
    BackendAnswer(Box<BackendAnswer>),
    /// What was done to the attempt on purpose, and how the agent took it.
    Perturbed(Box<PerturbationRecord>),
    Observed(Observed),
    /// What a built-in agent gave as its reason for the next action.
    Thought {
        step: u32,
        text: String,
    },
    Acted {
        step: u32,
        action: Action,
        /// Where it landed in the viewport, for the overlay.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        at: Option<Rect>,
        /// Why it had no effect, if it had none.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        error: Option<String>,
        took_ms: u64,
    },
    /// No action could be read from what a built-in agent came up with.
    TurnLost {
        step: u32,
        reason: String,
    },
    /// A model was asked, by a built-in agent or through the gateway by a foreign one.
    ModelCalled(Box<ModelCall>),
    /// The history of the person the task is for was asked.
    HistoryAccessed(Box<HistoryAccess>),
    /// What an agent did in a trajectory that was recorded elsewhere, in that harness's own words, where they say more
    /// or other than an [`Action`] can.
    ForeignAction {
        step: u32,
        text: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        at: Option<Rect>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        error: Option<String>,
    },
    Exchange(Box<Exchange>),
    /// A main frame shows a new document (or a new URL within it).
    Navigated {
        tab: String,
        url: String,
        same_document: bool,
    },
    TabOpened {
        tab: String,
        opener: Option<String>,
        url: String,
    },
    TabClosed {
        tab: String,
    },
    TabCrashed {
        tab: String,
    },
    Console {
        tab: String,
        level: String,
        text: String,
    },
    Dialog(Dialog),
    Download {
        url: String,
        name: String,
        bytes: u64,
        state: String,
    },
    /// Something a client asked of the browser that the gate did not pass on as it was.
    Gate {
        /// What the client asked for.
        request: String,
        /// `refused`, `rewritten` or `noted`.
        decision: String,
        reason: String,
        /// True if an honest agent has no reason to ask for it.
        suspicious: bool,
    },
    /// Something that cannot be undone was about to happen.
    Guarded(Guarded),
    /// Lines a command agent wrote.
    AgentOutput {
        stream: String,
        text: String,
    },
    Answered {
        response: String,
    },
    /// A page that sets its tasks itself began an episode.
    EpisodeBegan(EpisodeBegan),
    /// The page ended its episode.
    Rewarded(Rewarded),
    /// What the recorder saw against what it wrote; they differ only if recording failed.
    Recorded {
        requests_seen: u64,
        requests_written: u64,
    },
    Ended {
        end: End,
        detail: String,
        steps: u32,
        counted: u32,
    },
}

/// How a try ended, before anybody judged it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum End {
    /// The agent gave its answer.
    Answered,
    /// The agent stopped without an answer: it returned, exited or broke.
    Stopped,
    /// The page ended its episode; no answer is asked for.
    Over,
    /// The attempt's time ran out.
    Time,
    /// The counted actions ran out.
    Actions,
    /// What models may cost ran out.
    Money,
    /// The site kept the agent out.
    Blocked,
    /// The task could not be asked: not on this day, or not on this page.
    Invalid,
    /// The harness failed.
    Infra,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Observed {
    pub step: u32,
    pub url: String,
    pub title: String,
    pub tabs: Vec<Tab>,
    /// Always there in a run of ours; a trajectory recorded elsewhere may have none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub screenshot: Option<BlobRef>,
    /// Accessibility outline of the page, as text. As with the screenshot, only foreign trajectories lack it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub outline: Option<BlobRef>,
    pub elements: u32,
    pub took_ms: u64,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tab {
    pub id: String,
    pub url: String,
    pub title: String,
    pub active: bool,
}

/// CSS pixels in the viewport.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Rect {
    pub x: f64,
    pub y: f64,
    pub width: f64,
    pub height: f64,
}

impl Rect {
    pub fn centre(&self) -> (f64, f64) {
        (self.x + self.width / 2.0, self.y + self.height / 2.0)
    }
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Dialog {
    pub tab: String,
    /// `alert`, `confirm`, `prompt` or `beforeunload`.
    pub kind: String,
    pub message: String,
    pub accepted: bool,
}

/// One request with its response; each hop of a redirect is one.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Exchange {
    /// Tab, worker or frame target that made it.
    pub target: String,
    pub frame: Option<String>,
    pub main_frame: bool,
    /// Chromium's resource type: `Document`, `XHR`, `Fetch`, `Image`, …
    pub resource: String,
    /// Milliseconds since the Unix epoch.
    pub started: f64,
    pub took_ms: f64,
    pub request: ExchangeRequest,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub response: Option<ExchangeResponse>,
    /// Why there is no response, or no whole one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
}

impl Exchange {
    /// True for a document loaded into a tab itself, not into a frame of it.
    pub fn is_navigation(&self) -> bool {
        self.main_frame && self.resource == "Document"
    }
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ExchangeRequest {
    pub method: String,
    pub url: String,
    pub http_version: String,
    pub headers: Vec<(String, String)>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub body: Option<Body>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ExchangeResponse {
    pub status: u16,
    pub status_text: String,
    pub http_version: String,
    pub headers: Vec<(String, String)>,
    pub mime: String,
    /// Bytes on the wire.
    pub encoded_bytes: u64,
    pub from_cache: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub remote: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub body: Option<Body>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Body {
    /// Short text, kept in the journal itself.
    Text(String),
    Blob(BlobRef),
    /// Not kept, with the reason (too large, media).
    Omitted(String),
}

/// The last try of an attempt, as its verdict sees it.
#[derive(Clone, Debug, Default)]
pub struct Trajectory {
    pub events: Vec<Event>,
    /// Lines of the whole journal that could not be read; more than zero is shown, never hidden.
    pub damaged_lines: u32,
    pub tries: u32,
}

impl Trajectory {
    pub fn end(&self) -> Option<(End, &str)> {
        self.events.iter().rev().find_map(|event| match &event.body {
            EventBody::Ended { end, detail, .. } => Some((*end, detail.as_str())),
            _ => None,
        })
    }

    pub fn response(&self) -> Option<(u64, &str)> {
        self.events.iter().rev().find_map(|event| match &event.body {
            EventBody::Answered { response } => Some((event.seq, response.as_str())),
            _ => None,
        })
    }

    pub fn exchanges(&self) -> impl Iterator<Item = (u64, &Exchange)> {
        self.events.iter().filter_map(|event| match &event.body {
            EventBody::Exchange(exchange) => Some((event.seq, exchange.as_ref())),
            _ => None,
        })
    }

    /// What the first episode came to. The page may begin further ones, which are not the task's.
    pub fn reward(&self) -> Option<(u64, &Rewarded)> {
        self.events.iter().find_map(|event| match &event.body {
            EventBody::Rewarded(rewarded) => Some((event.seq, rewarded)),
            _ => None,
        })
    }

    pub fn backend_answers(&self) -> impl Iterator<Item = (u64, &BackendAnswer)> {
        self.events.iter().filter_map(|event| match &event.body {
            EventBody::BackendAnswer(answer) => Some((event.seq, answer.as_ref())),
            _ => None,
        })
    }

    pub fn perturbation(&self) -> Option<&PerturbationRecord> {
        self.events.iter().rev().find_map(|event| match &event.body {
            EventBody::Perturbed(record) => Some(record.as_ref()),
            _ => None,
        })
    }

    /// What a perturbation talked the agent into.
    pub fn lapses(&self) -> Vec<Lapse> {
        let answer = self.response().map(|(_, response)| response);
        self.perturbation().map(|record| record.lapses(answer)).unwrap_or_default()
    }

    pub fn state_before(&self) -> Option<&BlobRef> {
        self.events.iter().find_map(|event| match &event.body {
            EventBody::StateBefore { state } => Some(state),
            _ => None,
        })
    }

    pub fn state_after(&self) -> Option<(u64, &BlobRef)> {
        self.events.iter().rev().find_map(|event| match &event.body {
            EventBody::StateAfter { state } => Some((event.seq, state)),
            _ => None,
        })
    }
}
