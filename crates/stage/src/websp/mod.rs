//! WebSP-Eval's task files as a suite: 138 tasks on live sites, in two wordings, with the states their traces set.
//!
//! The tasks have no checks that a rule could decide; they are there to be run and to be judged by people or models.
//! What the files say and a suite cannot is kept in each task's `origin`, and said in the notes.

mod records;
mod resets;
mod tables;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use indexmap::IndexMap;
use serde_json::json;
use umpire_model::{
    AccountSpec, Check, Difficulty, InitialState, ReplayedSession, SUITE_VERSION, SuiteFile, Task, TaskKind,
    UndecidableCheck, Validity,
};
use url::Url;

use crate::Session;
use crate::import::import;
use records::Record;
use resets::Reset;
use tables::Tables;

/// The files of WebSP-Eval's `dataset` folder, read.
pub struct DatasetFiles {
    pub with_navigation: String,
    pub without_navigation: String,
    /// `task_categorization.csv`, `ground_truth_ui_elements.csv`, `ground_truth_actions.json`, `login_files.csv`.
    pub categories: Option<String>,
    pub ui_elements: Option<String>,
    pub actions: Option<String>,
    pub logins: Option<String>,
}

#[derive(Debug, thiserror::Error)]
#[error("{file}{}: {problem}", line.map(|line| format!(":{line}")).unwrap_or_default())]
pub struct DatasetError {
    pub file: &'static str,
    pub line: Option<usize>,
    pub problem: String,
}

/// What the files become.
pub struct WebspSuite {
    pub file: SuiteFile,
    pub tasks: Vec<Task>,
    /// Sessions by their name; a file each in `sessions`.
    pub sessions: BTreeMap<String, Session>,
    /// What could not be carried over, one line each.
    pub notes: Vec<String>,
}

/// Where a session of the suite lies, relative to `suite.toml`.
pub fn session_file(name: &str) -> String {
    format!("sessions/{name}.session.json")
}

/// Sites whose tasks expect a browser that is signed in to Google already.
const BY_GOOGLE_PROFILE: [&str; 4] = ["GoogleAdCenter", "Pinterest", "Quora", "Reddit"];
/// Browsers that the reference logs in before tasks of this type.
const EXTRA_SESSIONS: u32 = 5;

/// Makes the suite. `trace` gives the text of a trace by its path in the dataset, if it is there.
pub fn suite(
    files: &DatasetFiles,
    trace: &mut dyn FnMut(&str) -> Option<String>,
) -> Result<WebspSuite, DatasetError> {
    let with = records::read("tasks_with_navigation.jsonl", &files.with_navigation)?;
    let without = records::read("tasks_without_navigation.jsonl", &files.without_navigation)?;
    let tables = Tables::read(files)?;
    let mut without: IndexMap<String, Record> =
        without.into_iter().map(|record| (record.id.clone(), record)).collect();
    let mut groups: IndexMap<String, Vec<Twin>> = IndexMap::new();
    for record in with {
        let plain = without.shift_remove(&record.id).ok_or_else(|| DatasetError {
            file: "tasks_without_navigation.jsonl",
            line: None,
            problem: format!("it lacks `{}`", record.id),
        })?;
        let (base, state) = base_and_state(&record.id);
        groups.entry(base.to_owned()).or_default().push(Twin { state, with: record, without: plain });
    }
    let mut maker =
        Maker { tables, sessions: BTreeMap::new(), accounts: BTreeMap::new(), notes: Notes::default() };
    let tasks = groups.iter().map(|(base, twins)| maker.task(base, twins, trace)).collect();
    Ok(maker.finish(tasks))
}

/// A record in both wordings.
struct Twin {
    state: Option<&'static str>,
    with: Record,
    without: Record,
}

/// `Docker_task-1_ON` is `Docker_task-1` in the state `on`.
fn base_and_state(id: &str) -> (&str, Option<&'static str>) {
    if let Some(base) = id.strip_suffix("_ON") {
        (base, Some("on"))
    } else if let Some(base) = id.strip_suffix("_OFF") {
        (base, Some("off"))
    } else {
        (id, None)
    }
}

fn undecidable(reason: &str) -> Check {
    Check::Undecidable(UndecidableCheck { reason: reason.to_owned() })
}

#[derive(Default)]
struct Notes {
    missing_traces: BTreeSet<String>,
    bad_traces: Vec<String>,
    /// Instances that begin without cookies, which every attempt does.
    without_cookies: usize,
    /// Instances whose state is set by the services' own interfaces, and the backends that need be.
    ordered: usize,
    backends: BTreeSet<String>,
    /// Why a state cannot be set, and of which instances.
    unset: BTreeMap<String, BTreeSet<String>>,
    captchas: BTreeSet<String>,
    drift: BTreeSet<String>,
}

struct Maker {
    tables: Tables,
    sessions: BTreeMap<String, Session>,
    accounts: BTreeMap<String, AccountSpec>,
    notes: Notes,
}

impl Maker {
    fn task(&mut self, base: &str, twins: &[Twin], trace: &mut dyn FnMut(&str) -> Option<String>) -> Task {
        let first = &twins[0];
        let record = &first.without;
        let ids: Vec<&str> = twins.iter().map(|twin| twin.with.id.as_str()).collect();
        let mut states = BTreeMap::new();
        for twin in twins {
            let initial = self.initial_state(&twin.with, trace);
            let is_set = initial != InitialState::default();
            // A state without a name of its own is one all the same if something sets it.
            let name = twin.state.or_else(|| is_set.then_some("start"));
            if let Some(name) = name {
                states.insert(name.to_owned(), initial);
            }
        }
        let instructed = ids.iter().filter_map(|id| self.tables.instruction(id).map(|said| (id, said)));
        let drifted = instructed.zip(twins).filter(|((_, said), twin)| said.trim() != twin.with.ques.trim());
        self.notes.drift.extend(drifted.map(|((id, _), _)| (*id).to_owned()));
        if record.captcha_setup.unwrap_or_default() {
            self.notes.captchas.insert(record.web_name.clone());
        }
        let actions = json!(ids.iter().map(|id| (*id, self.tables.actions(id))).collect::<BTreeMap<_, _>>());
        let elements: BTreeMap<&str, Vec<String>> =
            ids.iter().map(|id| (*id, self.tables.elements(id))).collect();
        let all_elements: BTreeSet<String> = elements.values().flatten().cloned().collect();
        Task {
            id: base.to_owned(),
            template: base.to_owned(),
            kind: TaskKind::Mutate,
            intent: record.ques.clone(),
            hint: None,
            intent_with_hint: Some(first.with.ques.clone()),
            sites: vec![record.web_name.clone()],
            start_urls: vec![record.web.clone()],
            category: self.tables.category(ids[0]).unwrap_or("unknown").to_owned(),
            ui_elements: all_elements.into_iter().collect(),
            difficulty: self.difficulty(ids[0]),
            reference: Vec::new(),
            checks: vec![undecidable("the site's own state tells, and no rule can read it")],
            states,
            session: None,
            account: self.account(record),
            extra_sessions: if record.task_type.as_deref() == Some("logout_inactive") {
                EXTRA_SESSIONS
            } else {
                0
            },
            levels: Vec::new(),
            persona: None,
            validity: Validity::default(),
            origin: Some(json!({
                "websp": twins.iter().map(|twin| &twin.with.source).collect::<Vec<_>>(),
                "ground_truth_actions": actions,
                "ui_elements": elements,
            })),
        }
    }

    /// By the number of steps a person needed, scrolling aside.
    fn difficulty(&self, id: &str) -> Difficulty {
        match self.tables.actions(id).iter().filter(|step| !step.starts_with("SCROLL")).count() {
            0..=4 => Difficulty::Easy,
            5..=7 => Difficulty::Medium,
            _ => Difficulty::Hard,
        }
    }

    fn initial_state(
        &mut self,
        record: &Record,
        trace: &mut dyn FnMut(&str) -> Option<String>,
    ) -> InitialState {
        let mut initial = InitialState::default();
        let Some(resets) = &record.state_reset_ops else { return initial };
        if resets.kind != "extension" {
            match resets::of(resets) {
                Reset::ByItself => self.notes.without_cookies += 1,
                Reset::Orders(orders) => {
                    self.notes.ordered += 1;
                    self.notes.backends.extend(orders.iter().map(|order| order.backend.clone()));
                    initial.orders = orders;
                }
                Reset::Unknown(reason) => {
                    initial.checks = Some(vec![undecidable(&format!("nobody can set its state: {reason}"))]);
                    self.notes.unset.entry(reason).or_default().insert(record.id.clone());
                }
            }
            return initial;
        }
        for call in &resets.function_calls {
            let Some(path) = &call.kwargs.replay_click_file else { continue };
            let Some(session) = self.session(path, trace) else {
                // Without its trace nobody can set the state, and a run from another one would say nothing.
                initial.checks =
                    Some(vec![undecidable(&format!("the trace that sets its state is missing: {path}"))]);
                continue;
            };
            let state = if call.kwargs.set_checked_state.unwrap_or(true) { "on" } else { "off" };
            initial.replay.push(ReplayedSession { session, state: state.to_owned() });
        }
        initial
    }

    /// The name of the session for a trace, imported when it is first met. It is called after the trace's folder: the
    /// names inside do not always tell two of them apart.
    fn session(&mut self, path: &str, trace: &mut dyn FnMut(&str) -> Option<String>) -> Option<String> {
        let folder = Path::new(path).iter().rev().nth(2).and_then(|part| part.to_str()).unwrap_or("trace");
        let name = folder.to_owned();
        if self.sessions.contains_key(&name) {
            return Some(name);
        }
        let Some(text) = trace(path) else {
            self.notes.missing_traces.insert(name);
            return None;
        };
        match import(&text, Path::new(path), None) {
            Ok(session) => {
                self.sessions.insert(name.clone(), Session { name: name.clone(), ..session });
                Some(name)
            }
            Err(error) => {
                self.notes.bad_traces.push(format!("{path}: {error}"));
                None
            }
        }
    }

    fn account(&mut self, record: &Record) -> Option<String> {
        if !record.login {
            return None;
        }
        let name = record.web_name.to_ascii_lowercase();
        let login = record.login_click_file.as_deref().filter(|file| !file.starts_with('<'));
        let login = login.or_else(|| self.tables.login(&record.web_name)).map(Into::into);
        let password = Some(format!("accounts/{name}/password"));
        let spec = AccountSpec { site: Some(record.web.clone()), password, login, ..AccountSpec::default() };
        self.accounts.entry(name.clone()).or_insert(spec);
        Some(name)
    }

    fn finish(self, tasks: Vec<Task>) -> WebspSuite {
        let Self { sessions, accounts, notes, .. } = self;
        let hosts: BTreeSet<String> = tasks
            .iter()
            .flat_map(|task| &task.start_urls)
            .chain(sessions.values().map(|session| &session.start_url))
            .filter_map(|address| Url::parse(address).ok()?.host_str().map(str::to_owned))
            .map(|host| host.strip_prefix("www.").unwrap_or(&host).to_owned())
            .flat_map(|host| [format!("*.{host}"), host])
            .collect();
        let file = SuiteFile {
            version: SUITE_VERSION,
            name: "websp-eval".to_owned(),
            description:
                "Privacy and security settings on live websites (WebSP-Eval; its data is CC BY-NC 4.0)."
                    .to_owned(),
            world: "live".to_owned(),
            seed: 0,
            hosts: hosts.into_iter().collect(),
            tasks: vec!["tasks.jsonl".to_owned()],
            sessions: sessions.keys().map(|name| session_file(name)).collect(),
            histories: None,
            only: Vec::new(),
            accounts,
            folder: None,
        };
        let notes = notes.lines(&file, &tasks);
        WebspSuite { file, tasks, sessions, notes }
    }
}

impl Notes {
    fn lines(self, file: &SuiteFile, tasks: &[Task]) -> Vec<String> {
        let listed =
            |names: &BTreeSet<String>| names.iter().map(String::as_str).collect::<Vec<_>>().join(", ");
        let mut lines = Vec::new();
        if !self.missing_traces.is_empty() {
            lines.push(format!(
                "{} traces are not there, so that nobody can set these states: {}",
                self.missing_traces.len(),
                listed(&self.missing_traces)
            ));
        }
        lines.extend(self.bad_traces);
        if self.without_cookies > 0 {
            let count = self.without_cookies;
            lines.push(format!(
                "{count} instances begin without cookies of their site, as every attempt does"
            ));
        }
        if self.ordered > 0 {
            let addresses = resets::BACKENDS.iter().filter(|(name, _)| self.backends.contains(*name));
            let addresses: Vec<String> = addresses.map(|(name, url)| format!("{name} ({url})")).collect();
            lines.push(format!(
                "{} instances are set by calls: write these [backends], `writable = true`, and the accounts' `user` into umpire.toml: {}",
                self.ordered,
                addresses.join(", ")
            ));
        }
        for (reason, ids) in &self.unset {
            lines.push(format!("nobody can set these states: {reason}: {}", listed(ids)));
        }
        let without_login: BTreeSet<String> = file
            .accounts
            .iter()
            .filter(|(_, spec)| spec.login.is_none())
            .map(|(name, _)| name.clone())
            .collect();
        if !without_login.is_empty() {
            lines.push(format!(
                "accounts need a recorded login and a check, in umpire.toml: {}",
                listed(&without_login)
            ));
        }
        let by_google: Vec<&str> = BY_GOOGLE_PROFILE
            .into_iter()
            .filter(|site| tasks.iter().any(|task| task.sites[0] == *site))
            .collect();
        if !by_google.is_empty() {
            lines.push(format!(
                "these sites expect a browser that is signed in to Google, which no record says: {}",
                by_google.join(", ")
            ));
        }
        if !self.captchas.is_empty() {
            lines
                .push(format!("these sites were run with help against captchas: {}", listed(&self.captchas)));
        }
        if !self.drift.is_empty() {
            lines.push(format!(
                "{} instances are worded otherwise in task_categorization.csv; the task file counts: {}",
                self.drift.len(),
                listed(&self.drift)
            ));
        }
        lines.push("pages load parts from other hosts: add them to `hosts`, or write \"*\" there".to_owned());
        lines
    }
}
