//! Page events: navigations, loading, dialogs, crashes.

use std::collections::{HashMap, HashSet, VecDeque};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use serde_json::json;
use umpire_model::{Dialog, EventBody};

use super::attach::Kind;
use super::protocol::{
    DialogClosed, DialogOpening, FrameDetached, FrameId, FrameNavigated, NavigatedWithinDocument,
};
use super::{Desk, Note, read};
use crate::cdp::{CdpEvent, Session, SessionId};
use crate::seat::Driver;

/// How long a client may take to answer a dialog before we do.
const CLIENT_ANSWERS: Duration = Duration::from_secs(3);
/// After this many dialogs on one page the tab leaves it.
const DIALOGS_OF_A_PAGE: u32 = 20;
/// Where it goes.
const LEFT: &str = "data:text/html,<title>Left</title><p>The page opened dialogs without end and was left.";
/// Texts kept for the next observation.
const TEXTS: usize = 20;

/// How a dialog that is still to come is to be answered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DialogAnswer {
    /// `alert`, `confirm`, `prompt` or `beforeunload`; one of another kind is not meant.
    pub kind: String,
    pub accept: bool,
    /// For a prompt.
    pub text: Option<String>,
}

/// Answers for the dialogs to come, in order.
pub(super) type Foreseen = Arc<Mutex<VecDeque<DialogAnswer>>>;

/// Dialogs of all tabs, by session.
pub(super) struct Dialogs {
    tabs: HashMap<SessionId, TabDialogs>,
    serial: u32,
    texts: Arc<Mutex<Vec<String>>>,
    foreseen: Foreseen,
}

#[derive(Default)]
struct TabDialogs {
    /// Since the last navigation.
    count: u32,
    open: Option<OpenDialog>,
}

struct OpenDialog {
    serial: u32,
    kind: String,
    message: String,
    default_prompt: String,
}

impl Dialogs {
    pub fn new(texts: Arc<Mutex<Vec<String>>>, foreseen: Foreseen) -> Self {
        Self { tabs: HashMap::new(), serial: 0, texts, foreseen }
    }

    fn take_foreseen(&self, kind: &str) -> Option<DialogAnswer> {
        let mut foreseen = self.foreseen.lock().unwrap_or_else(PoisonError::into_inner);
        if foreseen.front().is_some_and(|answer| answer.kind == kind) { foreseen.pop_front() } else { None }
    }
}

impl Desk {
    pub(super) fn page_event(&mut self, name: &str, event: &CdpEvent) {
        let Some(session) = event.session.clone() else { return };
        let Some((tab, kind)) =
            self.target_of(event).and_then(|target| Some((target.tab.clone()?, target.kind)))
        else {
            return;
        };
        match name {
            "frameNavigated" => {
                if let Some(FrameNavigated { frame }) = read(event) {
                    let is_main = frame.parent_id.is_none() && kind == Kind::Tab;
                    self.forget_requests("its page was left", |request| {
                        request.tab.as_ref() == Some(&tab)
                            && request.loader != frame.loader_id
                            && !request.is_coming
                            && (is_main || request.frame.as_ref() == Some(&frame.id))
                    });
                    if is_main {
                        self.set_loading(&tab, |frames| frames.retain(|loading| *loading == frame.id));
                        self.dialog_closed(&session, &tab, false);
                        self.dialogs.tabs.remove(&session);
                        self.navigated(&tab, format!("{}{}", frame.url, frame.url_fragment), false);
                    }
                }
            }
            "navigatedWithinDocument" => {
                if let Some(NavigatedWithinDocument { frame_id, url }) = read(event)
                    && frame_id == tab
                {
                    self.navigated(&tab, url, true);
                }
            }
            "frameStartedLoading" | "frameStartedNavigating" => {
                if let Some(FrameId { frame_id }) = read(event) {
                    self.set_loading(&tab, |frames| frames.extend([frame_id]));
                }
            }
            "frameStoppedLoading" => {
                if let Some(FrameId { frame_id }) = read(event) {
                    self.set_loading(&tab, |frames| frames.retain(|frame| *frame != frame_id));
                }
            }
            "frameDetached" => {
                // A frame that moves to another process goes on loading there.
                if let Some(FrameDetached { frame_id, reason }) = read(event)
                    && reason != "swap"
                {
                    self.set_loading(&tab, |frames| frames.retain(|frame| *frame != frame_id));
                }
            }
            "javascriptDialogOpening" => {
                if let Some(opening) = read(event) {
                    self.dialog_opening(&session, &tab, opening);
                }
            }
            "javascriptDialogClosed" => {
                if let Some(DialogClosed { result }) = read(event) {
                    self.dialog_closed(&session, &tab, result);
                }
            }
            _ => {}
        }
    }

    fn navigated(&mut self, tab: &str, url: String, same_document: bool) {
        if let Some(handle) = self.tabs.handle(tab) {
            handle.activity.update(|counts| {
                counts.navigations += 1;
                counts.crashed = false;
            });
        }
        self.write(EventBody::Navigated { tab: tab.to_owned(), url, same_document });
    }

    pub(super) fn set_loading(&mut self, tab: &str, change: impl FnOnce(&mut HashSet<String>)) {
        let frames = self.loading.entry(tab.to_owned()).or_default();
        change(frames);
        let count = frames.len() as u32;
        if let Some(handle) = self.tabs.handle(tab) {
            handle.activity.update(|counts| counts.loading = count);
        }
    }

    pub(super) fn inspector_event(&mut self, name: &str, event: &CdpEvent) {
        let Some(target) = self.target_of(event) else { return };
        let (Some(tab), kind) = (target.tab.clone(), target.kind) else { return };
        if name != "targetCrashed" || kind != Kind::Tab {
            return;
        }
        self.summary.tabs_crashed += 1;
        self.forget_requests("the page's process crashed", |request| request.tab.as_ref() == Some(&tab));
        self.set_loading(&tab, HashSet::clear);
        if let Some(handle) = self.tabs.handle(&tab) {
            handle.activity.update(|counts| {
                counts.crashed = true;
                counts.dialog_open = false;
            });
        }
        self.write(EventBody::TabCrashed { tab });
    }

    fn dialog_opening(&mut self, session: &SessionId, tab: &str, opening: DialogOpening) {
        self.set_dialog_open(tab, true);
        self.summary.dialogs += 1;
        self.dialogs.serial += 1;
        let serial = self.dialogs.serial;
        let dialogs = self.dialogs.tabs.entry(session.clone()).or_default();
        dialogs.count += 1;
        let count = dialogs.count;
        dialogs.open = Some(OpenDialog {
            serial,
            kind: opening.r#type,
            message: opening.message,
            default_prompt: opening.default_prompt,
        });
        let client_drives = self.attempt.as_ref().is_some_and(|attempt| attempt.driver == Driver::Client);
        if client_drives && count <= DIALOGS_OF_A_PAGE {
            let (notes, session) = (self.notes.clone(), session.clone());
            tokio::spawn(async move {
                tokio::time::sleep(CLIENT_ANSWERS).await;
                let _ = notes.send(Note::DialogDue { session, serial });
            });
        } else {
            self.dialog_due(session, serial);
        }
        if count == DIALOGS_OF_A_PAGE + 1 {
            self.leave_page(&self.connection.session(session.clone()));
        }
    }

    /// An endless loop of dialogs must end, or nothing else ever happens in the tab. Stopping the script does not do
    /// it (Chromium forgets the request while a dialog is open), but a document in another process does.
    fn leave_page(&self, page: &Session) {
        let reason = format!("more than {DIALOGS_OF_A_PAGE} dialogs on one page; the tab has left it");
        self.flag("a dialog", "refused", reason);
        page.post("Page.navigate", json!({ "url": LEFT }));
    }

    /// Answers a dialog that is still open: as foreseen, or as a person in a hurry would, OK.
    pub(super) fn dialog_due(&mut self, session: &SessionId, serial: u32) {
        let open = self.dialogs.tabs.get(session).and_then(|dialogs| dialogs.open.as_ref());
        let Some(dialog) = open.filter(|dialog| dialog.serial == serial) else { return };
        let mut answer = json!({ "accept": true });
        if dialog.kind == "prompt" {
            answer["promptText"] = json!(dialog.default_prompt);
        }
        if let Some(foreseen) = self.dialogs.take_foreseen(&dialog.kind) {
            answer["accept"] = json!(foreseen.accept);
            if let Some(text) = foreseen.text {
                answer["promptText"] = json!(text);
            }
        }
        self.connection.session(session.clone()).post("Page.handleJavaScriptDialog", answer);
    }

    fn dialog_closed(&mut self, session: &SessionId, tab: &str, accepted: bool) {
        self.set_dialog_open(tab, false);
        let Some(dialog) = self.dialogs.tabs.get_mut(session).and_then(|dialogs| dialogs.open.take()) else {
            return;
        };
        self.write_dialog(tab.to_owned(), dialog, accepted);
    }

    fn write_dialog(&self, tab: String, dialog: OpenDialog, accepted: bool) {
        let OpenDialog { kind, message, .. } = dialog;
        let mut texts = self.dialogs.texts.lock().unwrap_or_else(PoisonError::into_inner);
        if texts.len() < TEXTS {
            let answer = if accepted { "accepted" } else { "dismissed" };
            texts.push(format!("{kind} ({answer}): {message}"));
        }
        drop(texts);
        self.write(EventBody::Dialog(Dialog { tab, kind, message, accepted }));
    }

    /// Writes dialogs nobody answered before the attempt ended.
    pub(super) fn close_dialogs(&mut self) {
        let open: Vec<_> = self
            .dialogs
            .tabs
            .iter_mut()
            .filter_map(|(session, dialogs)| Some((session.clone(), dialogs.open.take()?)))
            .collect();
        for (session, dialog) in open {
            if let Some(tab) = self.targets.get(&session).and_then(|target| target.tab.clone()) {
                self.write_dialog(tab, dialog, false);
            }
        }
    }

    fn set_dialog_open(&self, tab: &str, open: bool) {
        if let Some(handle) = self.tabs.handle(tab) {
            handle.activity.update(|counts| counts.dialog_open = open);
        }
    }
}
