//! The log of Inspect (`.eval`): an archive with a header, summaries, and one JSON document per sample.
//!
//! A log is of one agent, so a run of several becomes several logs. Instances are samples, trials are epochs, steps are
//! messages: what was seen as the user's, what was done as a tool call. Expected answers are not written.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::Path;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use jiff::{SignedDuration, Timestamp};
use serde_json::{Map, Value, json};
use umpire_model::{AttemptId, BlobSource as _, Instance, Manifest, NotRecorded, Outcome, Verdict};
use umpire_store::{Run, Status};
use zip::write::SimpleFileOptions;

use crate::ExportError;
use crate::export::Story;

/// The layout of the archive and of the documents in it.
const LOG_VERSION: u32 = 2;
const SCORER: &str = "umpire";

/// Writes the log of these attempts, all of one agent.
pub(crate) fn write(
    run: &Run,
    attempts: &[&AttemptId],
    instances: &BTreeMap<String, Instance>,
    file: &Path,
) -> Result<(), ExportError> {
    let Some(first) = attempts.first() else { return Err(ExportError::Nothing) };
    if let Some(folder) = file.parent() {
        fs::create_dir_all(folder).map_err(ExportError::write(folder))?;
    }
    let mut log = Log { zip: zip::ZipWriter::new(File::create(file).map_err(ExportError::write(file))?) };
    let failed = || ExportError::write(file);
    let (mut summaries, mut samples) = (Vec::new(), Vec::new());
    for id in attempts {
        let Some(instance) = instances.get(&id.instance) else { continue };
        let sample = Sample::of(run, id, instance)?;
        let name = format!("samples/{}_epoch_{}.json", id.instance, id.trial);
        log.member(&name, &sample.document).map_err(failed())?;
        summaries.push(sample.summary());
        samples.push(sample);
    }
    let spec = spec(run.manifest(), &first.agent, &samples);
    let plan = json!({"name": "plan", "steps": []});
    let start = json!({"version": LOG_VERSION, "eval": spec, "plan": plan});
    log.member("_journal/start.json", &start).map_err(failed())?;
    log.member("summaries.json", &Value::Array(summaries)).map_err(failed())?;
    log.member("header.json", &header(&spec, &plan, &samples)).map_err(failed())?;
    log.zip.finish().map_err(io::Error::from).map_err(failed())?;
    Ok(())
}

struct Log {
    zip: zip::ZipWriter<File>,
}

impl Log {
    fn member(&mut self, name: &str, document: &Value) -> io::Result<()> {
        self.zip.start_file(name, SimpleFileOptions::default())?;
        serde_json::to_writer(&mut self.zip, document)?;
        self.zip.flush()
    }
}

fn spec(manifest: &Manifest, agent: &str, samples: &[Sample]) -> Value {
    let ids: Vec<&Value> = samples.iter().map(|sample| &sample.document["id"]).collect();
    let settings: Map<String, Value> = manifest
        .agents
        .iter()
        .find(|entry| entry.name == agent)
        .map(|entry| {
            entry.settings.iter().map(|(name, value)| (name.clone(), value.as_str().into())).collect()
        })
        .unwrap_or_default();
    json!({
        "eval_id": format!("{}-{agent}", manifest.run),
        "run_id": manifest.run,
        "created": manifest.created,
        "task": manifest.suite,
        "task_id": manifest.suite_digest,
        "task_version": 0,
        "dataset": {"name": manifest.suite, "samples": samples.len(), "sample_ids": ids},
        // Inspect logs are of a model; an agent's name stands for whatever models it uses.
        "model": format!("umpire/{agent}"),
        "config": {"epochs": manifest.trials},
        "packages": {"umpire": manifest.umpire},
        "metadata": {
            "agent": agent, "agent_settings": settings, "browser": manifest.browser, "seed": manifest.seed,
            "viewport": manifest.viewport, "rules_digest": manifest.rules_digest, "denominator": manifest.denominator,
            "imported": manifest.imported,
        },
    })
}

fn header(spec: &Value, plan: &Value, samples: &[Sample]) -> Value {
    let judged = samples.iter().filter(|sample| sample.verdict.is_some()).count();
    let passed = samples
        .iter()
        .filter(|sample| sample.verdict.as_ref().is_some_and(|verdict| verdict.outcome == Outcome::Pass))
        .count();
    let mut results =
        json!({"total_samples": samples.len(), "completed_samples": samples.len(), "scores": []});
    if judged > 0 {
        let value = passed as f64 / samples.len().max(1) as f64;
        results["scores"] = json!([{
            "name": SCORER, "scorer": SCORER, "params": {},
            "metrics": {"accuracy": {"name": "accuracy", "value": value, "params": {}}},
            "metadata": {"denominator": "every attempt in this log; one that was not judged has not passed"},
        }]);
    }
    let times = || samples.iter().filter_map(|sample| sample.times.as_ref());
    json!({
        "version": LOG_VERSION,
        "status": "success",
        "eval": spec,
        "plan": plan,
        "results": results,
        "stats": {
            "started_at": times().map(|(from, _)| from.as_str()).min().unwrap_or_default(),
            "completed_at": times().map(|(_, to)| to.as_str()).max().unwrap_or_default(),
            "model_usage": {},
        },
    })
}

/// One attempt as a sample.
struct Sample {
    document: Value,
    verdict: Option<Verdict>,
    /// Start and end, RFC 3339.
    times: Option<(String, String)>,
}

impl Sample {
    fn of(run: &Run, id: &AttemptId, instance: &Instance) -> Result<Self, ExportError> {
        let attempt = run.attempt(id);
        let trajectory = attempt.read()?;
        let verdict = match attempt.status()? {
            Status::Ended { verdict, .. } => verdict,
            _ => None,
        };
        let story = Story::of(&trajectory);
        let times = times(&story).filter(|_| !run.manifest().lacks(NotRecorded::Times));
        let mut attachments = Map::new();
        let messages = messages(run, instance, &story, &mut attachments);
        let answer = story.answer.unwrap_or_default();
        let mut document = json!({
            "id": id.instance,
            "epoch": id.trial,
            "input": instance.intent,
            "target": "",
            "messages": messages,
            "output": {
                "model": format!("umpire/{}", id.agent),
                "choices": [{"message": {"role": "assistant", "content": answer}, "stop_reason": "stop"}],
            },
            "metadata": {
                "attempt": id, "task": instance.task, "sites": instance.sites, "category": instance.category,
                "ended": story.end.map(|(end, _)| end), "why": story.end.map(|(_, detail)| detail),
            },
            "attachments": attachments,
            "uuid": format!("{}-{id}", run.manifest().run),
        });
        if let Some((from, to)) = &times {
            document["started_at"] = from.as_str().into();
            document["completed_at"] = to.as_str().into();
            document["total_time"] = json!(story.ms as f64 / 1000.0);
        }
        judge(&mut document, verdict.as_ref(), story.answer, run.manifest());
        Ok(Self { document, verdict, times })
    }

    fn summary(&self) -> Value {
        let mut summary = json!({"completed": true, "model_usage": {}});
        for key in
            ["id", "epoch", "input", "target", "scores", "started_at", "completed_at", "total_time", "uuid"]
        {
            if let Some(value) = self.document.get(key) {
                summary[key] = value.clone();
            }
        }
        if let Some(message) = self.document.pointer("/error/message") {
            summary["error"] = message.clone();
        }
        if let Some(limit) = self.document.pointer("/limit/type") {
            summary["limit"] = limit.clone();
        }
        summary["message_count"] = json!(self.document["messages"].as_array().map_or(0, Vec::len));
        summary
    }
}

/// A score says what the agent did; an attempt that the harness lost is an error, and one that nobody judged has none.
fn judge(document: &mut Value, verdict: Option<&Verdict>, answer: Option<&str>, manifest: &Manifest) {
    let Some(verdict) = verdict else { return };
    if verdict.outcome == Outcome::Infra {
        document["error"] =
            json!({"message": verdict.reason, "traceback": verdict.reason, "traceback_ansi": verdict.reason});
        return;
    }
    match verdict.outcome {
        Outcome::Timeout => document["limit"] = json!({"type": "time", "limit": manifest.limits.seconds}),
        Outcome::Budget => document["limit"] = json!({"type": "custom", "limit": manifest.limits.actions}),
        _ => {}
    }
    let value = if verdict.outcome == Outcome::Pass { "C" } else { "I" };
    document["scores"] = json!({SCORER: {
        "value": value, "answer": answer, "explanation": verdict.reason,
        "metadata": {"outcome": verdict.outcome, "by": verdict.by, "digest": verdict.digest},
    }});
}

fn messages(
    run: &Run,
    instance: &Instance,
    story: &Story<'_>,
    attachments: &mut Map<String, Value>,
) -> Vec<Value> {
    let mut messages = vec![json!({"role": "user", "content": instance.intent})];
    let mut calls = 0;
    for step in &story.steps {
        if let Some(observed) = step.observed {
            let text = format!("Step {}: {} {}", step.number, observed.title, observed.url);
            let mut content = vec![json!({"type": "text", "text": text.trim_end()})];
            let picture = observed.screenshot.as_ref().and_then(|shot| {
                let bytes = run.blobs().read(shot).ok()?;
                let name = shot.digest.to_string();
                let data = format!("data:{};base64,{}", shot.media.mime(), STANDARD.encode(bytes));
                attachments.insert(name.clone(), data.into());
                Some(json!({"type": "image", "image": format!("attachment://{name}"), "detail": "auto"}))
            });
            content.extend(picture);
            messages.push(json!({"role": "user", "content": content}));
        }
        let mut results = Vec::new();
        let mut tool_calls = Vec::new();
        for act in &step.acts {
            calls += 1;
            let call = format!("call-{calls}");
            let text = act.did.text();
            tool_calls.push(json!({
                "id": call, "type": "function", "function": "browser", "arguments": {"action": text},
            }));
            let mut result = json!({
                "role": "tool", "tool_call_id": call, "function": "browser",
                "content": act.error.unwrap_or("done"),
            });
            if let Some(error) = act.error {
                result["error"] = json!({"type": "unknown", "message": error});
            }
            results.push(result);
        }
        if !step.thoughts.is_empty() || !tool_calls.is_empty() {
            let mut message = json!({"role": "assistant", "content": step.thoughts.join("\n")});
            if !tool_calls.is_empty() {
                message["tool_calls"] = Value::Array(tool_calls);
            }
            messages.push(message);
        }
        messages.extend(results);
    }
    messages.extend(story.answer.map(|answer| json!({"role": "assistant", "content": answer})));
    messages
}

fn times(story: &Story<'_>) -> Option<(String, String)> {
    let from: Timestamp = story.started_at.parse().ok()?;
    let to = from.checked_add(SignedDuration::from_millis(i64::try_from(story.ms).ok()?)).ok()?;
    Some((format!("{from:.3}"), format!("{to:.3}")))
}
