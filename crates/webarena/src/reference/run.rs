//! All attempts of a run, judged, and their results written where the reference writes them.

use std::fs;
use std::io;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use jiff::civil::Date;
use serde::Serialize;

use super::evaluate::{Evaluation, TaskError, retention};
use super::response::AgentResponse;
use super::results::{Provenance, ResultsSummary, Summary, TaskResult};
use crate::attempts::{self, AttemptFolder};
use crate::config::Config;
use crate::task::{Dataset, Task};
use crate::trace::Trace;

/// The summary of a run, next to its attempts.
const SUMMARY_FILE: &str = "eval_results.json";

/// What the judging of a run needs besides its folder.
#[derive(Debug, Clone)]
pub struct RunOptions<'a> {
    pub dataset: &'a Dataset,
    /// For all attempts; without it, each attempt's own, or the defaults.
    pub config: Option<&'a Config>,
    /// The day an incomplete date is completed with.
    pub today: Date,
    pub threads: NonZeroUsize,
}

/// The verdicts on a run.
#[derive(Debug, Clone)]
pub struct RunResults {
    /// By task number.
    pub results: Vec<JudgedAttempt>,
    /// Attempts without response or trace, which the reference passes over. Here they are named.
    pub skipped: Vec<SkippedAttempt>,
}

/// What is left of a run whose results are in its folders.
#[derive(Debug, Clone)]
pub struct WrittenRun {
    pub summary: Summary,
    pub skipped: Vec<SkippedAttempt>,
}

#[derive(Debug, Clone)]
pub struct JudgedAttempt {
    /// Where the result belongs.
    result_file: PathBuf,
    pub result: TaskResult,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct SkippedAttempt {
    pub task_id: i64,
    pub missing_files: Vec<PathBuf>,
}

/// Judges these attempts, several at a time.
pub fn evaluate_attempts(folders: &[AttemptFolder], options: &RunOptions<'_>) -> RunResults {
    let provenance = Provenance::of_data(options.dataset.checksum());
    let judged = attempts::in_parallel(folders, options.threads, |folder| {
        evaluate_attempt(folder, options, &provenance)
    });
    let mut run = RunResults { results: Vec::new(), skipped: Vec::new() };
    for attempt in judged {
        match attempt {
            Ok(judged) => run.results.push(judged),
            Err(skipped) => run.skipped.push(skipped),
        }
    }
    run
}

/// Judges these attempts, several at a time, and writes each result into its attempt's folder as soon as there is one,
/// so that a long run needs the memory of its summary only. The summary goes into the run's folder.
pub fn write_results(
    run: &Path,
    folders: &[AttemptFolder],
    options: &RunOptions<'_>,
    timestamp: &str,
) -> io::Result<WrittenRun> {
    let provenance = Provenance::of_data(options.dataset.checksum());
    let written = attempts::in_parallel(folders, options.threads, |folder| {
        evaluate_attempt(folder, options, &provenance).map(JudgedAttempt::write)
    });
    let (mut outlines, mut skipped) = (Vec::new(), Vec::new());
    for attempt in written {
        match attempt {
            Ok(outline) => outlines.push(outline?),
            Err(attempt) => skipped.push(attempt),
        }
    }
    let summary = Summary::of(&outlines);
    let file = ResultsSummary { timestamp: timestamp.to_owned(), provenance, summary: summary.clone() };
    fs::write(run.join(SUMMARY_FILE), serde_json::to_vec_pretty(&file)?)?;
    Ok(WrittenRun { summary, skipped })
}

fn evaluate_attempt(
    folder: &AttemptFolder,
    options: &RunOptions<'_>,
    provenance: &Provenance,
) -> Result<JudgedAttempt, SkippedAttempt> {
    let own_config = match options.config {
        Some(_) => Ok(None),
        None => folder.run_config(),
    };
    let (own_config, config_error) = match own_config {
        Ok(own_config) => (own_config, None),
        Err(error) => (None, Some(error)),
    };
    let config = match options.config {
        Some(config) => config,
        None => &own_config.unwrap_or_default(),
    };
    let evaluation = Evaluation { config, today: options.today, provenance: provenance.clone() };
    // Whether the files are there is asked only of an attempt that could not be judged: opening them tells as well.
    let unjudged = |error: &TaskError, task: Option<&Task>| {
        let missing_files = folder.missing_files(config);
        if missing_files.is_empty() {
            Ok(evaluation.error(folder.task_id, task, error))
        } else {
            Err(SkippedAttempt { task_id: folder.task_id, missing_files })
        }
    };
    let task = options.dataset.task(folder.task_id);
    let result = match (task, config_error) {
        (_, Some(problem)) => unjudged(&TaskError::RunConfig(problem), task)?,
        (None, None) => unjudged(&TaskError::UnknownTask, None)?,
        (Some(task), None) => match evidence(folder, config, task) {
            Ok((response, trace)) => evaluation.evaluate(task, &response, Ok(trace)),
            Err(problem) => unjudged(&problem, Some(task))?,
        },
    };
    Ok(JudgedAttempt { result_file: folder.path.join(&config.eval_result_file_name), result })
}

fn evidence(
    folder: &AttemptFolder,
    config: &Config,
    task: &Task,
) -> Result<(AgentResponse, Trace), TaskError> {
    let response = folder.read_response(config).map_err(TaskError::Response)?;
    Ok((AgentResponse::Text(response), folder.read_trace(config, &retention(task))?))
}

impl JudgedAttempt {
    /// Writes the result into the attempt's folder and keeps of it what a summary needs.
    fn write(mut self) -> io::Result<TaskResult> {
        const TYPICAL_SIZE: usize = 4096;
        let mut text = Vec::with_capacity(TYPICAL_SIZE);
        serde_json::to_writer_pretty(&mut text, &self.result)?;
        fs::write(&self.result_file, text)?;
        self.result.evaluators_results = Vec::new();
        Ok(self.result)
    }
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;
    use serde_json::{Value, json};

    use super::*;
    use crate::reference::results::EvalStatus;

    const RESPONSE: &str = r#"{"task_type": "NAVIGATE", "status": "SUCCESS", "retrieved_data": null}"#;

    fn dataset() -> Dataset {
        let task = |task_id: i64| {
            json!({
                "sites": ["shopping"], "task_id": task_id, "intent_template_id": 9, "start_urls": ["__SHOPPING__"],
                "intent": "Go", "intent_template": "Go", "instantiation_dict": {}, "revision": 2,
                "eval": [
                    {"evaluator": "AgentResponseEvaluator", "results_schema": {"type": "null"},
                     "expected": {"task_type": "navigate", "status": "SUCCESS", "retrieved_data": null}},
                    {"evaluator": "NetworkEventEvaluator", "expected": {"url": "__SHOPPING__/a"}},
                ],
            })
        };
        let tasks: Vec<Value> = (1..=6).map(task).collect();
        Dataset::from_json(&serde_json::to_vec(&tasks).expect("JSON")).expect("tasks")
    }

    fn har(url: &str) -> String {
        let headers = json!([{"name": "accept", "value": "text/html"}]);
        let entry = json!({"request": {"method": "GET", "url": url, "headers": headers}, "response": {"status": 200}});
        json!({"log": {"entries": [entry]}}).to_string()
    }

    #[test]
    fn every_attempt_is_judged_or_named() {
        let run = tempfile::tempdir().expect("a folder");
        let write = |path: &str, content: &str| {
            let path = run.path().join(path);
            fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
            fs::write(path, content).expect("written");
        };
        for (task_id, response, trace) in [
            (1, RESPONSE, har("http://shop/a")),
            (2, RESPONSE, har("http://shop/b")),
            (3, RESPONSE, "no trace".to_owned()),
            (4, "no response", har("http://shop/a")),
            (99, RESPONSE, har("http://shop/a")),
        ] {
            write(&format!("{task_id}/agent_response.json"), response);
            write(&format!("{task_id}/network.har"), &trace);
        }
        write("5/agent_response.json", RESPONSE);
        write("6/agent_response.json", RESPONSE);
        write("6/network.har", &har("http://shop/a"));
        write("6/run_config.json", "{");

        let config: Config =
            serde_json::from_value(json!({"environments": {"shopping": {"urls": ["http://shop"]}}}))
                .expect("a configuration");
        let dataset = dataset();
        let threads = NonZeroUsize::new(2).expect("two");
        let options =
            RunOptions { dataset: &dataset, config: Some(&config), today: date(2026, 11, 15), threads };
        let judged = evaluate_attempts(&attempts::find(run.path()).expect("a run"), &options);
        let statuses: Vec<_> =
            judged.results.iter().map(|judged| (judged.result.task_id, judged.result.status)).collect();
        let (success, failure, error) = (EvalStatus::Success, EvalStatus::Failure, EvalStatus::Error);
        assert_eq!(
            statuses,
            [(1, success), (2, failure), (3, error), (4, failure), (6, success), (99, error)]
        );
        assert_eq!(judged.skipped.len(), 1);
        assert_eq!(judged.skipped[0].task_id, 5);

        let own_configs = evaluate_attempts(
            &attempts::find(run.path()).expect("a run"),
            &RunOptions { config: None, ..options.clone() },
        );
        assert_eq!(own_configs.results[4].result.status, error);

        let folders = attempts::find(run.path()).expect("a run");
        let written =
            write_results(run.path(), &folders, &options, "2026-11-15T08:00:00+00:00").expect("written");
        assert_eq!((written.summary.overall.total, written.skipped), (6, judged.skipped));
        let read = |path: &str| -> Value {
            serde_json::from_slice(&fs::read(run.path().join(path)).expect("a file")).expect("JSON")
        };
        let keys = |value: &Value| value.as_object().expect("an object").keys().cloned().collect::<Vec<_>>();
        let result = read("1/eval_result.json");
        assert_eq!(
            keys(&result),
            [
                "task_id",
                "intent_template_id",
                "sites",
                "task_revision",
                "status",
                "score",
                "evaluators_results",
                "webarena_verified_version",
                "webarena_verified_evaluator_checksum",
                "webarena_verified_data_checksum"
            ]
        );
        assert_eq!(
            keys(&result["evaluators_results"][1]),
            [
                "evaluator_name",
                "status",
                "score",
                "actual",
                "actual_normalized",
                "expected",
                "assertions",
                "error_msg",
                "should_not_exist"
            ]
        );
        assert_eq!(result["evaluators_results"][1]["actual"][0]["url"], "http://shop/a");
        assert_eq!(result["evaluators_results"][1]["expected"]["url"]["base_url"], "__SHOPPING__/a");
        let summary = read("eval_results.json");
        assert_eq!(
            summary["summary"]["overall"],
            json!({"total": 6, "success_count": 2, "failure_count": 2, "error_count": 2, "failed_or_error_count": 4})
        );
        assert_eq!(summary["summary"]["per_site"]["shopping"]["failed_task_ids"], json!([2, 4]));
        assert_eq!(read("99/eval_result.json")["intent_template_id"], -1);
    }
}
