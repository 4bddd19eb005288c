//! `umpire evaluate --suite FILE --attempts DIR`: attempts recorded elsewhere, in the layout of WebArena Verified.

use std::collections::BTreeMap;
use std::fs;
use std::num::NonZeroUsize;
use std::path::Path;

use serde::Serialize;
use serde_json::json;
use umpire_model::Outcome;
use umpire_rules::BackendJudgement;
use umpire_stats::Tally;
use umpire_webarena::attempts::{self, AttemptFolder};
use umpire_webarena::config::{Config as WebArenaConfig, Environments};
use umpire_webarena::differences::difference;
use umpire_webarena::original::{self, OriginalTask, parse_tasks};
use umpire_webarena::reference::run as reference;
use umpire_webarena::strict::run as strict;
use umpire_webarena::task::Dataset;

use crate::args::{Mode, RecordedArgs};
use crate::commands::run::default_jobs;
use crate::commands::{recorded_backend, sites};
use crate::config::Config;
use crate::exit::Exit;
use crate::failure::Failure;

/// The summary of a run, next to its attempts, as the reference names it.
const SUMMARY_FILE: &str = "eval_results.json";

pub async fn evaluate(args: &RecordedArgs, config: &Config, as_json: bool) -> Result<Exit, Failure> {
    let (Some(suite), Some(folder)) = (&args.suite, &args.attempts) else {
        return Err(Failure::new("recorded attempts need both --suite FILE and --attempts DIR"));
    };
    let text = fs::read(suite).map_err(|error| Failure::new(format!("{}: {error}", suite.display())))?;
    let folders =
        attempts::find(folder).map_err(|error| Failure::new(format!("{}: {error}", folder.display())))?;
    if folders.is_empty() {
        eprintln!("{} has no folder named by a task's number", folder.display());
        return Ok(Exit::NothingRan);
    }
    let given = args.sites.as_deref().map(sites::from_file).transpose()?;
    let sites =
        given.as_ref().and_then(|given| given.environments.clone()).unwrap_or_else(|| config.sites().clone());
    let threads = NonZeroUsize::new(args.jobs.unwrap_or_else(default_jobs)).unwrap_or(NonZeroUsize::MIN);
    let run = Recorded { folder, folders, suite, text, given, sites, threads };
    let backend = match &args.backend_checks {
        Some(_) if args.diff_modes || args.mode != Mode::Strict => {
            return Err(Failure::new("backends are asked in strict mode only"));
        }
        Some(file) => recorded_backend::ask(file, config).await?,
        None => BTreeMap::new(),
    };
    match (args.diff_modes, args.mode) {
        (true, _) => run.differences(as_json),
        (false, Mode::Strict) => run.strictly(backend, as_json),
        (false, Mode::Reference) => run.as_the_reference(as_json),
        (false, Mode::Original) => run.as_the_original(as_json),
    }
}

/// The attempts, their suite and where the sites were.
struct Recorded<'a> {
    folder: &'a Path,
    folders: Vec<AttemptFolder>,
    suite: &'a Path,
    text: Vec<u8>,
    /// The reference's own configuration, if there is one.
    given: Option<WebArenaConfig>,
    sites: Environments,
    threads: NonZeroUsize,
}

#[derive(Serialize)]
struct Disagreement {
    task_id: i64,
    reference: &'static str,
    strict: Outcome,
    reason: String,
}

impl Recorded<'_> {
    fn dataset(&self) -> Result<Dataset, Failure> {
        Dataset::from_json(&self.text).map_err(|error| {
            Failure::new(format!("{}: {error}", self.suite.display()))
                .help("a file of the original WebArena is judged with `--mode original`")
        })
    }

    fn as_the_reference(&self, as_json: bool) -> Result<Exit, Failure> {
        let dataset = self.dataset()?;
        let judged = self.by_reference(&dataset, |options| {
            reference::write_results(self.folder, &self.folders, options, &now())
        });
        let judged = judged.map_err(|error| self.unwritable(&error))?;
        let summary = judged.summary;
        if as_json {
            say!("{}", json!({"mode": "reference", "summary": summary, "skipped": judged.skipped}));
            return Ok(Exit::Ok);
        }
        say!("{:<24} {:>6} {:>8} {:>8} {:>6}", "reference", "tasks", "success", "failure", "error");
        for (name, site) in &summary.per_site {
            row(
                name,
                [
                    site.counts.total,
                    site.counts.success_count,
                    site.counts.failure_count,
                    site.counts.error_count,
                ],
            );
        }
        let all = summary.overall;
        row("all", [all.total, all.success_count, all.failure_count, all.error_count]);
        for skipped in &judged.skipped {
            let missing: Vec<String> =
                skipped.missing_files.iter().map(|path| path.display().to_string()).collect();
            say!("skipped task {}: there is no {}", skipped.task_id, missing.join(", no "));
        }
        self.say_where();
        Ok(Exit::Ok)
    }

    fn strictly(&self, mut backend: BTreeMap<i64, BackendJudgement>, as_json: bool) -> Result<Exit, Failure> {
        let dataset = self.dataset()?;
        let mut judged = self.strict_results(&dataset);
        for attempt in &mut judged {
            if let Some(said) = backend.remove(&attempt.task_id) {
                attempt.also(said);
            }
        }
        for attempt in &judged {
            let result = serde_json::to_vec_pretty(&attempt.result(&dataset)).unwrap_or_default();
            fs::write(&attempt.result_file, result).map_err(|error| self.unwritable(&error))?;
        }
        let all = Tally::of(judged.iter().map(|attempt| Some(attempt.outcome())));
        let by_site = by_site(&dataset, &judged);
        let forms = response_forms(&judged);
        let summary = json!({
            "timestamp": now(), "mode": "strict", "rate": all.rate(), "per_site": by_site, "response_forms": forms,
        });
        let text = serde_json::to_vec_pretty(&summary).unwrap_or_default();
        fs::write(self.folder.join(SUMMARY_FILE), text).map_err(|error| self.unwritable(&error))?;
        if as_json {
            say!("{summary}");
            return Ok(Exit::Ok);
        }
        say!("{:<24} {:>6} {:>6} {:>6} {:>8} {:>6}", "strict", "tasks", "pass", "fail", "invalid", "infra");
        for (name, tally) in by_site.iter().map(|(name, tally)| (name.as_str(), tally)).chain([("all", &all)])
        {
            say!(
                "{name:<24} {:>6} {:>6} {:>6} {:>8} {:>6}",
                tally.planned(),
                tally.count(Outcome::Pass),
                tally.count(Outcome::Fail),
                tally.count(Outcome::Invalid),
                tally.count(Outcome::Infra)
            );
        }
        for (form, count) in &forms {
            say!("{count} responses were not the JSON object alone: {form}");
        }
        for attempt in
            judged.iter().filter(|attempt| matches!(attempt.outcome(), Outcome::Infra | Outcome::Invalid))
        {
            say!("{:>7} task {}: {}", attempt.outcome().to_string(), attempt.task_id, attempt.reason());
        }
        self.say_where();
        Ok(Exit::Ok)
    }

    fn as_the_original(&self, as_json: bool) -> Result<Exit, Failure> {
        let tasks = self.original_tasks()?;
        let config = self.given.clone().unwrap_or_default();
        let judged = original::run::evaluate_attempts(&self.folders, &tasks, &config, self.threads);
        let value =
            |attempt: &original::run::JudgedAttempt| attempt.score.as_ref().and_then(|score| score.value);
        let passed = judged.iter().filter(|attempt| value(attempt) == Some(1.0)).count();
        let failed = judged.iter().filter(|attempt| value(attempt) == Some(0.0)).count();
        let undecided = judged.len() - passed - failed;
        if as_json {
            for attempt in &judged {
                say!("{}", serde_json::to_string(attempt).unwrap_or_default());
            }
            return Ok(Exit::Ok);
        }
        say!("original: {} attempts, {passed} passed, {failed} failed, {undecided} undecided", judged.len());
        for attempt in judged.iter().filter(|attempt| value(attempt).is_none()) {
            let reason = attempt
                .problem
                .clone()
                .or_else(|| attempt.score.as_ref().and_then(original::Score::why_undecided));
            say!("undecided task {}: {}", attempt.task_id, reason.unwrap_or_default());
        }
        Ok(Exit::Ok)
    }

    /// Every attempt on which the reference and strict evaluation disagree, and why.
    fn differences(&self, as_json: bool) -> Result<Exit, Failure> {
        let dataset = self.dataset()?;
        let reference =
            self.by_reference(&dataset, |options| reference::evaluate_attempts(&self.folders, options));
        let strict = self.strict_results(&dataset);
        let by_task: BTreeMap<i64, _> =
            reference.results.iter().map(|judged| (judged.result.task_id, &judged.result)).collect();
        let mut found = Vec::new();
        for attempt in &strict {
            let reference = by_task.get(&attempt.task_id);
            let disagreement = match (reference, &attempt.verdict) {
                (Some(reference), Ok(verdict)) => difference(reference, verdict)
                    .map(|difference| (difference.reference.name(), difference.reason)),
                (Some(reference), Err(problem)) => Some((reference.status.name(), problem.clone())),
                (None, _) => Some(("skipped", format!("the reference passes over it; {}", attempt.reason()))),
            };
            found.extend(disagreement.map(|(reference, reason)| Disagreement {
                task_id: attempt.task_id,
                reference,
                strict: attempt.outcome(),
                reason,
            }));
        }
        if as_json {
            for difference in &found {
                say!("{}", serde_json::to_string(difference).unwrap_or_default());
            }
            return Ok(Exit::Ok);
        }
        for Disagreement { task_id, reference, strict, reason } in &found {
            say!("task {task_id:<5} reference {reference:8} strict {strict:8} {reason}");
        }
        say!("{} attempts, {} judged differently", strict.len(), found.len());
        Ok(Exit::Ok)
    }

    /// What is made of the attempts with the reference's options: its own configuration, or else the table of sites.
    fn by_reference<T>(&self, dataset: &Dataset, judge: impl FnOnce(&reference::RunOptions<'_>) -> T) -> T {
        let from_table =
            WebArenaConfig { environments: Some(self.sites.clone()), ..WebArenaConfig::default() };
        let config = self.given.as_ref().or_else(|| (!self.sites.is_empty()).then_some(&from_table));
        judge(&reference::RunOptions { dataset, config, today: today(), threads: self.threads })
    }

    fn strict_results(&self, dataset: &Dataset) -> Vec<strict::JudgedAttempt> {
        let config = self.given.clone().unwrap_or_default();
        let options =
            strict::RunOptions { dataset, sites: &self.sites, config: &config, threads: self.threads };
        strict::evaluate_attempts(&self.folders, &options)
    }

    fn original_tasks(&self) -> Result<Vec<OriginalTask>, Failure> {
        let explain = |problem: String| Failure::new(format!("{}: {problem}", self.suite.display()));
        let text = std::str::from_utf8(&self.text).map_err(|error| explain(error.to_string()))?;
        let addresses: Vec<(&str, &str)> = self
            .sites
            .iter()
            .filter_map(|(site, environment)| Some((site.placeholder(), environment.active_url()?)))
            .collect();
        let tasks = parse_tasks(text).map_err(|error| explain(error.to_string()))?;
        tasks
            .iter()
            .map(|task| task.at_sites(&addresses).map_err(|error| explain(error.to_string())))
            .collect()
    }

    fn unwritable(&self, error: &std::io::Error) -> Failure {
        Failure::new(format!("results cannot be written below {}: {error}", self.folder.display()))
    }

    fn say_where(&self) {
        say!(
            "each attempt's result is in its folder, the summary in {}",
            self.folder.join(SUMMARY_FILE).display()
        );
    }
}

fn row(name: &str, [total, success, failure, error]: [usize; 4]) {
    say!("{name:<24} {total:>6} {success:>8} {failure:>8} {error:>6}");
}

/// Outcomes by the task's sites, as the reference groups them.
fn by_site(dataset: &Dataset, judged: &[strict::JudgedAttempt]) -> BTreeMap<String, Tally> {
    let mut groups: BTreeMap<String, Vec<Option<Outcome>>> = BTreeMap::new();
    for attempt in judged {
        let mut names: Vec<&str> = dataset
            .task(attempt.task_id)
            .map(|task| task.sites.iter().map(|site| site.name()).collect())
            .unwrap_or_default();
        names.sort_unstable();
        let group = if names.is_empty() { "unknown task".to_owned() } else { names.join("-") };
        groups.entry(group).or_default().push(Some(attempt.outcome()));
    }
    groups.into_iter().map(|(name, outcomes)| (name, Tally::of(outcomes))).collect()
}

/// How many responses came wrapped in something, by what it was. They are judged on their content, and counted.
fn response_forms(judged: &[strict::JudgedAttempt]) -> BTreeMap<&'static str, usize> {
    let mut forms = BTreeMap::new();
    for verdict in judged.iter().filter_map(|attempt| attempt.verdict.as_ref().ok()) {
        if let Some(form) = verdict.verdict.response_form {
            *forms.entry(form.as_str()).or_default() += 1;
        }
    }
    forms
}

/// The day the reference completes incomplete dates with.
pub(super) fn today() -> jiff::civil::Date {
    jiff::Timestamp::now().to_zoned(jiff::tz::TimeZone::UTC).date()
}

fn now() -> String {
    jiff::Timestamp::now().strftime("%Y-%m-%dT%H:%M:%S+00:00").to_string()
}
