//! Whether a suite's own checks can be believed: what should pass does, and what should not does not.
//!
//! The oracle shows that every check can be met. The naive agents show that none is met by chance, navigation aside,
//! where following links can lead to the right page. Near misses, made from the oracle's attempts, show how fine the
//! checks are. The attempts are an ordinary run, so that the same command resumes.

use serde::Serialize;
use umpire_agents::built_in_kinds;
use umpire_model::Outcome;
use umpire_rules::{evaluate, mutants};
use umpire_runner::{Plan, load_suite};
use umpire_store::{Run, Runs, Status};

use super::run::{Carried, carry_out, default_jobs, request_for};
use crate::args::{Global, SuiteCheckArgs};
use crate::config::Config;
use crate::exit::Exit;
use crate::failure::Failure;

/// Agents that are no baseline: one knows the answers, one tries to find them.
const NOT_NAIVE: [&str; 2] = ["oracle", "heuristic"];

/// How often the checks were wrong about one kind of attempt.
#[derive(Default, Serialize)]
struct Errors {
    attempts: usize,
    wrong: Vec<String>,
}

impl Errors {
    fn note(&mut self, is_wrong: bool, what: impl FnOnce() -> String) {
        self.attempts += 1;
        if is_wrong {
            self.wrong.push(what());
        }
    }

    fn rate(&self) -> f64 {
        if self.attempts == 0 { 0.0 } else { self.wrong.len() as f64 / self.attempts as f64 }
    }
}

pub async fn try_checks(
    args: &SuiteCheckArgs,
    global: &Global,
    config: &Config,
    runs: &Runs,
) -> Result<Exit, Failure> {
    let tried = Trial { args, global, config, runs };
    let oracle = tried.run(&["oracle"], args.filter.clone()).await?;
    let naive: Vec<&str> = built_in_kinds().into_iter().filter(|kind| !NOT_NAIVE.contains(kind)).collect();
    let not_navigation = match &args.filter {
        Some(filter) => format!("kind!=navigate and ({filter})"),
        None => "kind!=navigate".to_owned(),
    };
    let naive = tried.run(&naive, Some(not_navigation)).await?;
    let unfinished = |carried: &Carried| carried.execution.tally.unfinished > 0;
    if unfinished(&oracle) || unfinished(&naive) {
        return Ok(Exit::Incomplete);
    }
    let rejected_oracles = outcomes(&oracle.run, |outcome| outcome != Outcome::Pass)?;
    let accepted_naive = outcomes(&naive.run, |outcome| outcome == Outcome::Pass)?;
    let accepted_mutants = near_misses(&oracle.run)?;
    report(&rejected_oracles, &accepted_naive, &accepted_mutants, global.json);
    let is_clean =
        [&rejected_oracles, &accepted_naive, &accepted_mutants].iter().all(|errors| errors.wrong.is_empty());
    Ok(if is_clean { Exit::Ok } else { Exit::GateFailed })
}

struct Trial<'a> {
    args: &'a SuiteCheckArgs,
    global: &'a Global,
    config: &'a Config,
    runs: &'a Runs,
}

impl Trial<'_> {
    async fn run(&self, agents: &[&str], filter: Option<String>) -> Result<Carried, Failure> {
        let plan = Plan::build(load_suite(&self.args.suite)?, request_for(agents, filter)?)?;
        let jobs = self.args.jobs.unwrap_or_else(default_jobs);
        carry_out(&plan, &self.args.suite, jobs, None, self.global, self.config, self.runs).await
    }
}

/// The finished attempts of a run, and those whose outcome is wrong.
fn outcomes(run: &Run, is_wrong: impl Fn(Outcome) -> bool) -> Result<Errors, Failure> {
    let mut errors = Errors::default();
    for id in run.planned()? {
        if let Status::Ended { verdict: Some(verdict), .. } = run.attempt(&id).status()? {
            errors
                .note(is_wrong(verdict.outcome), || format!("{id}: {} {}", verdict.outcome, verdict.reason));
        }
    }
    Ok(errors)
}

/// Changes each right attempt a little, in every way that would make it wrong, and has the checks look again.
fn near_misses(run: &Run) -> Result<Errors, Failure> {
    let instances = run.expectations()?;
    let blobs = run.blobs();
    let mut errors = Errors::default();
    for id in run.planned()? {
        let attempt = run.attempt(&id);
        let Some(instance) = instances.iter().find(|instance| instance.id == id.instance) else { continue };
        let Status::Ended { verdict: Some(verdict), .. } = attempt.status()? else { continue };
        if verdict.outcome != Outcome::Pass {
            continue;
        }
        let trajectory = attempt.read()?;
        let answer = trajectory.response().map_or("", |(_, response)| response);
        for mutant in mutants::mutants(instance, answer) {
            let Some((changed, changed_blobs)) = mutants::apply(&mutant, &trajectory, &blobs) else {
                continue;
            };
            let verdict = evaluate(&id, instance, &changed, &changed_blobs);
            errors.note(verdict.outcome == Outcome::Pass, || format!("{}: {mutant}", id.instance));
        }
    }
    Ok(errors)
}

fn report(oracle: &Errors, naive: &Errors, mutants: &Errors, as_json: bool) {
    if as_json {
        let found = serde_json::json!({
            "oracle_rejected": oracle, "naive_accepted": naive, "mutants_accepted": mutants,
            "false_negative_rate": oracle.rate(),
            "false_positive_rate": {"naive": naive.rate(), "mutants": mutants.rate()},
        });
        say!("{found}");
        return;
    }
    say!();
    for (name, verb, kind, errors) in [
        ("oracle", "rejected", "false negatives", oracle),
        ("naive agents", "accepted", "false positives", naive),
        ("near misses", "accepted", "false positives", mutants),
    ] {
        let (wrong, attempts) = (errors.wrong.len(), errors.attempts);
        say!("{name:13} {wrong:>5} of {attempts:>6} {verb}   {kind} {:.2} %", errors.rate() * 100.0);
        for attempt in &errors.wrong {
            say!("    {attempt}");
        }
    }
}
