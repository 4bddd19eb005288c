use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::ids::check_name;
use crate::{AccountSpec, Action, Canary, Digest, Instance, ServedFolder, Task, Validity};

pub const SUITE_VERSION: u32 = 1;

const MAX_EXTRA_SESSIONS: u32 = 50;

const WORLDS: [&str; 3] = ["built-in", "live", "miniwob"];

/// `suite.toml`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SuiteFile {
    pub version: u32,
    pub name: String,
    pub description: String,
    /// `built-in` serves the sites from inside Umpire; `live` lets the browser reach `hosts`; `miniwob` serves the
    /// pages of `folder`, which set their tasks themselves.
    pub world: String,
    /// Seed of the built-in world.
    #[serde(default)]
    pub seed: u64,
    /// Hosts an attempt may reach besides its sites; `*.example.org` covers subdomains.
    #[serde(default)]
    pub hosts: Vec<String>,
    /// Task files, relative to this one; those of another suite may be among them.
    #[serde(default = "one_task_file")]
    pub tasks: Vec<String>,
    /// Files of recorded sessions, relative to this one: one session each, or one a line in a `.jsonl`. Tasks name sessions
    /// by their names.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub sessions: Vec<String>,
    /// File that says how the histories of its people are made, relative to this one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub histories: Option<String>,
    /// Ids of the instances to take out of the task files; all of them if none is named.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub only: Vec<String>,
    /// Accounts that tasks name; `umpire.toml` may say more about them, or otherwise.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub accounts: BTreeMap<String, AccountSpec>,
    /// The pages of a `miniwob` world.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub folder: Option<ServedFolder>,
}

fn one_task_file() -> Vec<String> {
    vec!["tasks.jsonl".to_owned()]
}

/// A suite file that cannot be used. Names the file and line, so that its author can go there.
#[derive(Debug, thiserror::Error)]
#[error("{}{}: {problem}", file.display(), line.map(|l| format!(":{l}")).unwrap_or_default())]
pub struct SuiteError {
    pub file: PathBuf,
    pub line: Option<usize>,
    pub problem: String,
}

/// A suite whose parts fit together.
#[derive(Clone, Debug)]
pub struct Suite {
    pub file: SuiteFile,
    pub tasks: Vec<Task>,
    /// The texts of its recorded sessions, by name.
    pub sessions: BTreeMap<String, String>,
    /// The text of its `histories`.
    pub histories: Option<String>,
    /// Digest of everything that decides what is asked and what is right.
    pub digest: Digest,
}

impl Suite {
    /// Parses and checks a suite. `task_files` and `session_files` hold name and content of each file that `suite.toml`
    /// lists, in order; paths are only used to name places in errors.
    pub fn parse(
        toml_path: &Path,
        toml_text: &str,
        task_files: &[(PathBuf, String)],
        session_files: &[(PathBuf, String)],
    ) -> Result<Self, SuiteError> {
        let file = Self::parse_file(toml_path, toml_text)?;
        let sessions = sessions_by_name(session_files)?;
        let mut tasks: Vec<Task> = Vec::new();
        let mut ids = BTreeSet::new();
        for (path, text) in task_files {
            for (index, line) in text.lines().enumerate() {
                if line.trim().is_empty() {
                    continue;
                }
                let fail =
                    |problem: String| SuiteError { file: path.clone(), line: Some(index + 1), problem };
                let task: Task = serde_json::from_str(line).map_err(|error| fail(error.to_string()))?;
                check_task(&task).map_err(&fail)?;
                if let Some(name) = named_sessions(&task).find(|name| !sessions.contains_key(*name)) {
                    return Err(fail(format!("the suite has no session `{name}`")));
                }
                for instance in Instance::of(&task) {
                    if !ids.insert(instance.id.clone()) {
                        return Err(fail(format!("there is already an instance `{}`", instance.id)));
                    }
                }
                tasks.push(task);
            }
        }
        let fail = |problem: String| SuiteError { file: toml_path.to_owned(), line: None, problem };
        if tasks.is_empty() {
            return Err(fail("the suite has no tasks".to_owned()));
        }
        if let Some(unknown) = file.only.iter().find(|id| !ids.contains(*id)) {
            return Err(fail(format!("`only` names `{unknown}`, and no task file has that instance")));
        }
        Ok(Self::of(file, tasks, sessions, None))
    }

    /// The suite with the text of the file that its `histories` names.
    #[must_use]
    pub fn with_histories(self, text: String) -> Self {
        Self::of(self.file, self.tasks, self.sessions, Some(text))
    }

    fn of(
        file: SuiteFile,
        mut tasks: Vec<Task>,
        mut sessions: BTreeMap<String, String>,
        histories: Option<String>,
    ) -> Self {
        tasks.retain(|task| Instance::of(task).iter().any(|instance| file.keeps(instance)));
        sessions.retain(|name, _| tasks.iter().flat_map(named_sessions).any(|named| named == name));
        let digest = match (&histories, sessions.is_empty()) {
            (None, true) => Digest::of_json(&(&file, &tasks)),
            (None, false) => Digest::of_json(&(&file, &tasks, &sessions)),
            (Some(histories), _) => Digest::of_json(&(&file, &tasks, &sessions, histories)),
        };
        Self { file, tasks, sessions, histories, digest }
    }

    /// The suite that has only these of its instances, as if its file said so.
    #[must_use]
    pub fn only(self, instances: Vec<String>) -> Self {
        Self::of(SuiteFile { only: instances, ..self.file }, self.tasks, self.sessions, self.histories)
    }

    pub fn parse_file(path: &Path, text: &str) -> Result<SuiteFile, SuiteError> {
        let fail = |line: Option<usize>, problem: String| SuiteError { file: path.to_owned(), line, problem };
        let file: SuiteFile = toml::from_str(text).map_err(|error| {
            let line = error.span().map(|span| text[..span.start.min(text.len())].matches('\n').count() + 1);
            fail(line, error.message().to_owned())
        })?;
        if file.version != SUITE_VERSION {
            return Err(fail(None, format!("version {} is not known; this Umpire reads 1", file.version)));
        }
        if !WORLDS.contains(&file.world.as_str()) {
            let problem = format!("world `{}` is not known; there are {}", file.world, WORLDS.join(", "));
            return Err(fail(None, problem));
        }
        if (file.world == "miniwob") != file.folder.is_some() {
            let problem = "a world `miniwob` has a [folder] with path and digest, and no other world has one";
            return Err(fail(None, problem.to_owned()));
        }
        check_name(&file.name).map_err(|error| fail(None, error.to_string()))?;
        Ok(file)
    }

    pub fn instances(&self) -> Vec<Instance> {
        self.tasks.iter().flat_map(Instance::of).filter(|instance| self.file.keeps(instance)).collect()
    }
}

impl SuiteFile {
    fn keeps(&self, instance: &Instance) -> bool {
        self.only.is_empty() || self.only.contains(&instance.id)
    }
}

/// What is in the session files: their own room reads more of it than the name.
fn sessions_by_name(files: &[(PathBuf, String)]) -> Result<BTreeMap<String, String>, SuiteError> {
    #[derive(Deserialize)]
    struct Named {
        name: String,
    }
    let mut sessions = BTreeMap::new();
    for (path, text) in files {
        let is_list = path.extension().is_some_and(|extension| extension == "jsonl");
        let texts: Vec<&str> = if is_list { text.lines().collect() } else { vec![text] };
        for (index, text) in texts.into_iter().enumerate().filter(|(_, text)| !text.trim().is_empty()) {
            let fail = |problem: String| SuiteError { file: path.clone(), line: Some(index + 1), problem };
            let Named { name } = serde_json::from_str(text).map_err(|error| fail(error.to_string()))?;
            if sessions.insert(name.clone(), text.to_owned()).is_some() {
                return Err(fail(format!("there is already a session `{name}`")));
            }
        }
    }
    Ok(sessions)
}

fn named_sessions(task: &Task) -> impl Iterator<Item = &str> {
    let replayed =
        task.states.values().flat_map(|state| &state.replay).map(|replayed| replayed.session.as_str());
    replayed.chain(task.session.as_deref())
}

fn check_task(task: &Task) -> Result<(), String> {
    check_name(&task.id).map_err(|error| error.to_string())?;
    if task.id.contains('@') {
        return Err(format!("task id `{}` may not contain `@`", task.id));
    }
    if task.start_urls.is_empty() {
        return Err("`start_urls` is empty".to_owned());
    }
    for url in &task.start_urls {
        match url::Url::parse(url) {
            Ok(url) if matches!(url.scheme(), "http" | "https") => {}
            _ => return Err(format!("start URL `{url}` is not an http(s) URL")),
        }
    }
    check_validity(&task.validity)?;
    crate::persona::check_levels(&task.intent, &task.levels, task.persona.as_ref())?;
    if task.extra_sessions > MAX_EXTRA_SESSIONS {
        return Err(format!("`extra_sessions` is at most {MAX_EXTRA_SESSIONS}"));
    }
    if task.extra_sessions > 0 && task.account.is_none() {
        return Err("`extra_sessions` needs an `account` to log in with".to_owned());
    }
    for state in task.states.keys() {
        check_name(state).map_err(|error| error.to_string())?;
    }
    for instance in Instance::of(task) {
        // Any day will do: what cannot be told on one cannot be told on another.
        if let Err(error) = instance.clone().on(jiff::civil::date(2026, 3, 16).into()) {
            return Err(error.to_string());
        }
        if instance.checks.is_empty() {
            return Err(format!("instance `{}` has no checks: it could never fail", instance.id));
        }
        match instance.reference.last() {
            None | Some(Action::Answer(_)) => {}
            Some(_) => return Err(format!("the reference of `{}` does not end with an answer", instance.id)),
        }
    }
    Ok(())
}

fn check_validity(validity: &Validity) -> Result<(), String> {
    if let (Some(from), Some(until)) = (validity.from, validity.until)
        && from > until
    {
        return Err(format!("the task is valid from {from} until {until}: never"));
    }
    match &validity.canary {
        Some(canary) if *canary == Canary::default() => {
            Err("`canary` says nothing about the page".to_owned())
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TOML: &str = "version = 1\nname = \"t\"\ndescription = \"d\"\nworld = \"built-in\"\n";
    const TASK: &str = r#"{"id":"a","template":"a","kind":"mutate","intent":"Do it.","hint":"Go there.","sites":["hub"],
        "start_urls":["http://hub.localhost/"],"category":"c","difficulty":"easy",
        "checks":[{"type":"state","site":"hub","path":"/x","expect":{"equals":true}}],
        "states":{"on":{"world":{"hub":{"x":true}}},"off":{}}}"#;

    fn parse(toml: &str, tasks: &str) -> Result<Suite, SuiteError> {
        Suite::parse(Path::new("s/suite.toml"), toml, &[("s/tasks.jsonl".into(), tasks.into())], &[])
    }

    fn one_line() -> String {
        TASK.replace('\n', " ")
    }

    #[test]
    fn states_and_hints_multiply_into_instances() {
        let suite = parse(TOML, &one_line()).expect("well-formed");
        let instances = suite.instances();
        let ids: Vec<&str> = instances.iter().map(|i| i.id.as_str()).collect();
        assert_eq!(ids, ["a@off", "a@off.nav", "a@on", "a@on.nav"]);
        assert_eq!(instances[3].intent, "Do it. Go there.");
    }

    #[test]
    fn levels_multiply_into_instances_that_differ_in_what_they_say() {
        let levels = r#""levels":["Do it in red.","Do it as I like it."],"persona":{"id":"p","website":{"name":"Hub",
            "host":"hub.localhost"},"preferences":[{"key":"colour","value":"red"}]},"states":{}"#;
        let levels = levels.replace('\n', " ");
        let states = r#""states":{"on":{"world":{"hub":{"x":true}}},"off":{}}"#;
        let line = one_line().replace("Do it.", "At Hub, do it in red.").replace(states, &levels);
        let suite = parse(TOML, &line.replace(r#""hint":"Go there.","#, "")).expect("well-formed");
        let said: Vec<_> = suite.instances().into_iter().map(|i| (i.id, i.intent, i.level)).collect();
        let expected = ["At Hub, do it in red.", "Do it in red.", "Do it as I like it."];
        for (level, (found, intent)) in said.iter().zip(expected).enumerate() {
            assert_eq!(found, &(format!("a@{level}"), intent.to_owned(), Some(level)));
        }
        assert_eq!(said.len(), 3);
        let leaking = line.replace("as I like it", "in red");
        let error = parse(TOML, &format!("\n{leaking}")).expect_err("a leak").to_string();
        assert_eq!(error, "s/tasks.jsonl:2: level 2 gives `red` away");
    }

    #[test]
    fn a_suite_can_be_a_choice_from_task_files() {
        let other = one_line().replace(r#""id":"a""#, r#""id":"b""#);
        let tasks = format!("{}\n{other}", one_line());
        let suite = parse(&format!("{TOML}only = [\"a@on.nav\"]\n"), &tasks).expect("well-formed");
        let ids: Vec<String> = suite.instances().into_iter().map(|instance| instance.id).collect();
        assert_eq!((ids, suite.tasks.len()), (vec!["a@on.nav".to_owned()], 1));
        let chosen = parse(TOML, &tasks).expect("well-formed").only(vec!["a@on.nav".to_owned()]);
        assert_eq!(chosen.digest, suite.digest);
        let error = parse(&format!("{TOML}only = [\"a\"]\n"), &tasks).expect_err("no such instance");
        assert!(error.to_string().starts_with("s/suite.toml: `only` names `a`"), "{error}");
    }

    #[test]
    fn dates_and_windows_that_make_no_sense_are_refused() {
        for (validity, intent, problem) in [
            (
                r#"{"from":"2026-04-01","until":"2026-03-01"}"#,
                "Do it.",
                "valid from 2026-04-01 until 2026-03-01: never",
            ),
            (r#"{"from":"1.4.2026"}"#, "Do it.", "`1.4.2026` is not a day"),
            (r#"{"canary":{}}"#, "Do it.", "`canary` says nothing"),
            ("{}", "Do it {{today+x}}.", "`{{today+x}}` is not a date"),
        ] {
            let line = one_line().replace("Do it.", intent);
            let line = line.replace(r#""difficulty""#, &format!(r#""validity":{validity},"difficulty""#));
            let error = parse(TOML, &line).expect_err(problem).to_string();
            assert!(error.starts_with("s/tasks.jsonl:1: ") && error.contains(problem), "{error}");
        }
        let line = one_line().replace("Do it.", "Do it by {{next friday|%-d %B}}.");
        let instance = parse(TOML, &line).expect("well-formed").instances().swap_remove(0);
        assert!(instance.depends_on_day());
        let told = instance.on("2026-03-16".parse().expect("a day")).expect("told");
        assert_eq!((told.intent.as_str(), told.depends_on_day()), ("Do it by 20 March.", false));
    }

    #[test]
    fn only_a_world_of_served_pages_has_a_folder() {
        let line = one_line();
        let folder = format!("[folder]\npath = \"/pages\"\ndigest = \"{}\"\n", Digest::of(b"pages"));
        let foreign = TOML.replace("built-in", "miniwob");
        let elsewhere = folder.replace("/pages", "/other");
        let here = parse(&format!("{foreign}{folder}"), &line).expect("well-formed");
        let there = parse(&format!("{foreign}{elsewhere}"), &line).expect("well-formed");
        assert_eq!(here.digest, there.digest, "where the files are changes nothing about the tasks");
        for toml in [foreign.clone(), format!("{TOML}{folder}")] {
            let error = parse(&toml, &line).expect_err("a folder too few or too many").to_string();
            assert!(error.contains("[folder]"), "{error}");
        }
        let error = parse(&TOML.replace("built-in", "moon"), &line).expect_err("unknown").to_string();
        assert!(error.contains("built-in, live, miniwob"), "{error}");
    }

    #[test]
    fn errors_name_file_and_line() {
        let broken = format!("\n{}\n{{\"id\": 3}}\n", one_line());
        assert!(parse(TOML, &broken).expect_err("line 3").to_string().starts_with("s/tasks.jsonl:3: "));
        let twice = format!("{0}\n{0}\n", one_line());
        assert!(
            parse(TOML, &twice).expect_err("duplicate").to_string().contains("already an instance `a@off`")
        );
        let toml = parse("version = 1\nname = 5\n", "").expect_err("type").to_string();
        assert!(toml.starts_with("s/suite.toml:2: "), "{toml}");
        assert!(parse(TOML, "").expect_err("empty").to_string().contains("no tasks"));
        let unchecked = one_line()
            .replace(r#"[{"type":"state","site":"hub","path":"/x","expect":{"equals":true}}]"#, "[]");
        assert!(parse(TOML, &unchecked).expect_err("no checks").to_string().contains("could never fail"));
        let typo = one_line().replace("\"category\"", "\"categroy\"");
        assert!(parse(TOML, &typo).expect_err("typo").to_string().contains("categroy"));
    }
}
