//! Raw reports in, steps out. Nothing here waits or touches a file.
//!
//! Reports may come late, twice or not at all: a page that is left cannot say how it came to rest, an extension's worker
//! that was restarted tells again what it had told. A deed is known by its document and number, and is replaced when more
//! of it is told.

use std::collections::{HashMap, HashSet};

use umpire_model::{Redactor, Viewport};

use super::frames::FrameTree;
use super::journey::Journey;
use super::noted::{Noted, StepKey, with_references};
use super::purpose::{change, purpose};
use super::report::{Arrival, DeedReport, DocumentName, FramePath, PageReport, Settled, Told};
use super::secrets::redact;
use crate::session::{ControlKind, Deed, SESSION_VERSION, Session, Step};

/// A person who does more than this is not recording a session.
const MOST_STEPS: usize = 5_000;
/// A tab that opens this soon after something was done was opened by it.
const OPENS_WITHIN_MS: u64 = 2_000;
/// A tab that goes this soon after something was done in it was closed by its page.
const CLOSES_WITHIN_MS: u64 = 1_500;
const BLANK: &str = "about:blank";

/// Something that reached the recorder.
#[derive(Clone, Debug, PartialEq)]
pub enum RawEvent {
    TabOpened {
        tab: String,
        opener: Option<String>,
        url: String,
        at: u64,
    },
    TabClosed {
        tab: String,
        at: u64,
    },
    Page {
        tab: String,
        report: PageReport,
    },
    /// A picture of a step was stored under this file name.
    Picture {
        step: StepKey,
        file: String,
    },
}

/// A step that waits for its picture.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PictureWanted {
    pub tab: String,
    /// Address of the page in it, without secrets.
    pub url: String,
    pub step: StepKey,
    /// Counts the pictures from 1.
    pub number: u32,
}

/// What the whole recording is called and made with.
#[derive(Clone, Debug)]
pub struct Heading {
    pub name: String,
    /// RFC 3339, UTC.
    pub recorded_at: String,
    /// The same moment in milliseconds since 1970.
    pub began: u64,
    pub recorder: String,
    pub start_url: String,
    pub viewport: Viewport,
}

pub struct Collector {
    heading: Heading,
    tabs: Vec<TabLog>,
    entries: Vec<Noted>,
    /// Values of secret fields, in memory alone.
    secrets: HashMap<StepKey, String>,
    documents: HashSet<DocumentName>,
    browser_steps: u64,
    pictures: u32,
    wanted: Vec<PictureWanted>,
}

struct TabLog {
    id: String,
    is_open: bool,
    journey: Journey,
    frames: FrameTree,
    /// The entry that tells of its opening, while its address is not known.
    opening: Option<StepKey>,
}

impl Collector {
    pub fn new(heading: Heading) -> Self {
        Self {
            heading,
            tabs: Vec::new(),
            entries: Vec::new(),
            secrets: HashMap::new(),
            documents: HashSet::new(),
            browser_steps: 0,
            pictures: 0,
            wanted: Vec::new(),
        }
    }

    pub fn take_in(&mut self, event: RawEvent) {
        match event {
            RawEvent::TabOpened { tab, opener, url, at } => {
                self.tab_opened(&tab, opener.as_deref(), &url, at);
            }
            RawEvent::TabClosed { tab, at } => self.tab_closed(&tab, at),
            RawEvent::Page { tab, report } => self.page(&tab, report),
            RawEvent::Picture { step, file } => {
                if let Some(noted) = self.entries.iter_mut().find(|noted| noted.key == step) {
                    noted.picture = Some(file);
                }
            }
        }
    }

    /// Steps whose pictures can be taken now; each is named once.
    pub fn take_wanted_pictures(&mut self) -> Vec<PictureWanted> {
        std::mem::take(&mut self.wanted)
    }

    /// Steps that are complete and were not given here before.
    pub fn take_finished(&mut self) -> Vec<Step> {
        self.take_new(|noted| noted.rest.is_some() || noted.element.is_none())
    }

    /// The same at the end, when nothing more will be told.
    pub fn take_rest(&mut self) -> Vec<Step> {
        self.take_new(|_| true)
    }

    fn take_new(&mut self, is_ready: impl Fn(&Noted) -> bool) -> Vec<Step> {
        let mut taken = Vec::new();
        for noted in &mut self.entries {
            if !noted.is_shown && is_ready(noted) {
                noted.is_shown = true;
                taken.push(noted.key.clone());
            }
        }
        let mut session = self.empty_session();
        let kept = self.kept();
        session.steps =
            kept.iter().filter(|noted| taken.contains(&noted.key)).map(|noted| self.step(noted)).collect();
        redact(&mut session, &self.redactor());
        session.steps
    }

    /// The session as it stands, without secrets.
    pub fn session(&self) -> Session {
        let mut session = self.empty_session();
        session.steps = self.kept().into_iter().map(|noted| self.step(noted)).collect();
        redact(&mut session, &self.redactor());
        session
    }

    fn empty_session(&self) -> Session {
        let Heading { name, recorded_at, recorder, start_url, viewport, .. } = self.heading.clone();
        let (steps, remarks) = (Vec::new(), Vec::new());
        Session { version: SESSION_VERSION, name, recorded_at, recorder, start_url, viewport, steps, remarks }
    }

    fn redactor(&self) -> Redactor {
        Redactor::new(self.secrets.values())
    }

    /// In the order they were done, without what did nothing.
    fn kept(&self) -> Vec<&Noted> {
        let mut kept: Vec<&Noted> = self.entries.iter().filter(|noted| !noted.is_noise()).collect();
        kept.sort_by_key(|noted| noted.at);
        let into_field = |pair: &[&Noted]| {
            let [click, typed] = pair else { return false };
            matches!((&click.deed, &typed.deed), (Deed::Click { .. }, Deed::Type { .. }))
                && click.is_same_place(typed)
        };
        let only_focus: Vec<StepKey> =
            kept.windows(2).filter(|pair| into_field(pair)).map(|pair| pair[0].key.clone()).collect();
        kept.retain(|noted| !only_focus.contains(&noted.key));
        kept
    }

    fn step(&self, noted: &Noted) -> Step {
        let (after, marks_after) =
            noted.rest.as_ref().map_or((None, None), |rest| (rest.after.clone(), rest.marks.as_deref()));
        let mut element = noted.element.clone();
        let marks = (noted.marks.as_deref(), marks_after);
        let change = change(element.as_ref(), (noted.before.clone(), after), marks);
        let purpose = purpose(&noted.deed, element.as_ref(), &change);
        if let Some(element) = element.as_mut().filter(|_| change.inferred) {
            element.control = Some(ControlKind::Inferred);
        }
        Step {
            at_ms: noted.at.saturating_sub(self.heading.began),
            tab: noted.tab,
            url: noted.url.clone(),
            frames: noted.frames.clone(),
            deed: noted.deed.clone(),
            purpose,
            element,
            before: change.before,
            after: change.after,
            screenshot: noted.picture.clone(),
        }
    }

    /// The tab's place in the log; one that was never announced is taken for opened now.
    fn tab(&mut self, id: &str) -> usize {
        if let Some(place) = self.tabs.iter().position(|tab| tab.id == id) {
            return place;
        }
        self.tabs.push(TabLog {
            id: id.to_owned(),
            is_open: true,
            journey: Journey::default(),
            frames: FrameTree::default(),
            opening: None,
        });
        self.tabs.len() - 1
    }

    fn tab_opened(&mut self, id: &str, opener: Option<&str>, url: &str, at: u64) {
        if self.tabs.iter().any(|tab| tab.id == id) {
            return;
        }
        let opener = opener.and_then(|opener| self.tabs.iter().position(|tab| tab.id == opener));
        let place = self.tab(id);
        let number = place as u32 + 1;
        if place == 0 {
            return;
        }
        let recent = self.last_deed(|noted| at.abs_diff(noted.at) <= OPENS_WITHIN_MS);
        if let Some(asked) = recent.and_then(|at| self.entries.get_mut(at))
            && matches!(asked.deed, Deed::OpenTab { .. })
        {
            asked.tab = number;
            return;
        }
        let by = opener.map(|place| place as u32 + 1).or(recent.map(|at| self.entries[at].tab));
        let url = url.to_owned();
        let deed = match by {
            Some(by) => Deed::TabOpened { by, url: url.clone() },
            None => Deed::OpenTab { url: url.clone() },
        };
        let key = self.note_browser(deed, number, url, at);
        self.tabs[place].opening = Some(key);
    }

    fn tab_closed(&mut self, id: &str, at: u64) {
        let Some(place) = self.tabs.iter().position(|tab| tab.id == id && tab.is_open) else { return };
        self.tabs[place].is_open = false;
        let number = place as u32 + 1;
        let is_last = self.tabs.iter().all(|tab| !tab.is_open);
        let by_page = self
            .last_deed(|noted| noted.tab == number)
            .is_some_and(|last| at.saturating_sub(self.entries[last].at) <= CLOSES_WITHIN_MS);
        if !is_last && !by_page {
            let url = self.tabs[place].frames.page().unwrap_or_default().to_owned();
            self.note_browser(Deed::CloseTab, number, url, at);
        }
    }

    /// Place of the latest deed of a person.
    fn last_deed(&self, is_it: impl Fn(&Noted) -> bool) -> Option<usize> {
        let deeds = self.entries.iter().enumerate();
        deeds
            .filter(|(_, noted)| matches!(noted.key, StepKey::Page(..)) && is_it(noted))
            .max_by_key(|(_, noted)| noted.at)
            .map(|(place, _)| place)
    }

    fn note_browser(&mut self, deed: Deed, tab: u32, url: String, at: u64) -> StepKey {
        self.browser_steps += 1;
        let key = StepKey::Browser(self.browser_steps);
        self.note(Noted::new(key.clone(), at, tab, url, deed));
        key
    }

    fn note(&mut self, noted: Noted) {
        if self.entries.len() < MOST_STEPS {
            self.entries.push(noted);
        }
    }

    fn page(&mut self, tab: &str, report: PageReport) {
        let place = self.tab(tab);
        let PageReport { document, path, told } = report;
        match told {
            Told::Document { at, url, how, viewport } => {
                self.document(place, document, &path, (at, &url, how, viewport));
            }
            Told::Loaded if path.is_empty() => self.want_left_behind(place),
            Told::Loaded => {}
            Told::Frames { frames } => self.tabs[place].frames.told(&path, frames),
            Told::Leaving { at } => self.tabs[place].journey.leaving(at),
            Told::Deed(deed) => self.deed(place, document, &path, *deed),
            Told::Settled(rest) => self.settled(&StepKey::Page(document, rest.id), rest),
            Told::Secret { id, value } => {
                self.secrets.insert(StepKey::Page(document, id), value);
            }
        }
    }

    fn document(
        &mut self,
        place: usize,
        document: DocumentName,
        path: &FramePath,
        (at, url, how, viewport): (u64, &str, Arrival, (u32, u32)),
    ) {
        if url == BLANK && path.is_empty() || !self.documents.insert(document) {
            return;
        }
        self.tabs[place].frames.arrived(path, url);
        if !path.is_empty() {
            return;
        }
        if self.heading.start_url.is_empty() && place == 0 {
            url.clone_into(&mut self.heading.start_url);
        }
        if place == 0 && self.documents.len() == 1 {
            self.heading.viewport = Viewport { width: viewport.0, height: viewport.1 };
        }
        let number = place as u32 + 1;
        for noted in self.entries.iter_mut().filter(|noted| noted.tab == number && noted.rest.is_none()) {
            noted.is_left = true;
        }
        let deed = self.tabs[place].journey.arrived(url, how, at);
        if let Some(opening) = self.tabs[place].opening.take()
            && let Some(noted) = self.entries.iter_mut().find(|noted| noted.key == opening)
        {
            url.clone_into(&mut noted.url);
            if let Deed::TabOpened { url: opened, .. } | Deed::OpenTab { url: opened } = &mut noted.deed {
                url.clone_into(opened);
            }
        }
        if let Some(deed) = deed {
            self.note_browser(deed, number, url.to_owned(), at);
        }
    }

    fn deed(&mut self, place: usize, document: DocumentName, path: &FramePath, told: DeedReport) {
        let tab = &mut self.tabs[place];
        tab.frames.moved(path, &told.url);
        if !path.is_empty() {
            tab.journey.frame_deed(told.at);
        }
        let key = StepKey::Page(document, told.id);
        let url = tab.frames.page().unwrap_or_default().to_owned();
        let frames = tab.frames.frames(path);
        let deed = with_references(told.deed, &told.url);
        if let Some(known) = self.entries.iter_mut().find(|noted| noted.key == key) {
            known.deed = deed;
            known.before = told.before;
            return;
        }
        self.note(Noted {
            frames,
            element: told.element,
            before: told.before,
            marks: told.marks,
            is_interactive: told.interactive,
            ..Noted::new(key, told.at, place as u32 + 1, url, deed)
        });
    }

    fn settled(&mut self, key: &StepKey, rest: Settled) {
        let Some(noted) = self.entries.iter_mut().find(|noted| noted.key == *key) else { return };
        noted.rest = Some(rest);
        if !noted.is_noise() {
            self.want(key);
        }
    }

    /// Steps whose page is gone, and those of the browser, get the picture of what came after.
    fn want_left_behind(&mut self, place: usize) {
        let number = place as u32 + 1;
        let waiting = self.entries.iter().filter(|noted| noted.tab == number && noted.rest.is_none());
        let keys: Vec<StepKey> = waiting.map(|noted| noted.key.clone()).collect();
        for key in &keys {
            self.want(key);
        }
    }

    fn want(&mut self, key: &StepKey) {
        let Some(noted) = self.entries.iter_mut().find(|noted| noted.key == *key) else { return };
        let Some(tab) = self.tabs.get(noted.tab as usize - 1) else { return };
        if noted.picture_number.is_none() {
            self.pictures += 1;
            noted.picture_number = Some(self.pictures);
            self.wanted.push(PictureWanted {
                tab: tab.id.clone(),
                url: tab.frames.page().unwrap_or_default().to_owned(),
                step: key.clone(),
                number: self.pictures,
            });
        }
    }
}
