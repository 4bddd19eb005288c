//! Whether a suite's own checks can be believed: what should pass does, and what should not does not.
//!
//! The oracle shows that every check can be met. The naive agents show that none is met by chance, navigation aside,
//! where following links can lead to the right page. Near misses, made from the oracle's attempts, show how fine the
//! checks are. The attempts are an ordinary run, so that the same command resumes. All of it can be tried on perturbed
//! instances, too.

mod basis;
mod walks;

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::Serialize;
use umpire_agents::{browsing_kinds, naive_kinds};
use umpire_model::{AttemptId, Instance, Outcome, Perturbation, TaskKind};
use umpire_rules::{evaluate, mutants};
use umpire_runner::{Plan, load_suite};
use umpire_store::{Run, Runs, Status};

pub use self::basis::Basis;
use self::walks::Starts;
use super::conduct::Conduct;
use super::run::{carry_out, request_for};
use crate::args::{Global, SuiteCheckArgs};
use crate::config::Config;
use crate::exit::Exit;
use crate::failure::Failure;

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

    fn extend(&mut self, others: Self) {
        self.attempts += others.attempts;
        self.wrong.extend(others.wrong);
    }

    fn rate(&self) -> f64 {
        if self.attempts == 0 { 0.0 } else { self.wrong.len() as f64 / self.attempts as f64 }
    }
}

/// Errors by the perturbation that the attempts were made under; none for plain ones.
type ByPerturbation = BTreeMap<Option<String>, Errors>;

fn perturbation_of(instance: &Instance) -> Option<String> {
    instance.perturbation.as_ref().map(|perturbed| perturbed.by.to_string())
}

/// What the checks of one suite were wrong about.
#[derive(Serialize)]
struct Findings {
    suite: String,
    #[serde(flatten)]
    basis: Basis,
    #[serde(skip_serializing_if = "Option::is_none")]
    perturbed_by: Option<String>,
    oracle_rejected: Errors,
    naive_accepted: Errors,
    mutants_accepted: Errors,
}

impl Findings {
    fn is_clean(&self) -> bool {
        [&self.oracle_rejected, &self.naive_accepted, &self.mutants_accepted]
            .iter()
            .all(|errors| errors.wrong.is_empty())
    }
}

pub async fn try_checks(
    suites: &[&str],
    args: &SuiteCheckArgs,
    global: &Global,
    config: &Config,
    runs: &Runs,
) -> Result<Exit, Failure> {
    let mut found = Vec::new();
    for suite in suites {
        let perturbations = Perturbation::list(&args.perturbations);
        let perturbations = perturbations.map_err(|unknown| Failure::new(unknown.to_string()))?;
        let trial = Trial { suite, perturbations, args, global, config, runs };
        let Some(findings) = trial.findings().await? else { return Ok(Exit::Incomplete) };
        found.extend(findings);
    }
    if global.json {
        found.iter().for_each(say_json);
    } else {
        table(&found);
    }
    Ok(if found.iter().all(Findings::is_clean) { Exit::Ok } else { Exit::GateFailed })
}

struct Trial<'a> {
    suite: &'a str,
    perturbations: Vec<Perturbation>,
    args: &'a SuiteCheckArgs,
    global: &'a Global,
    config: &'a Config,
    runs: &'a Runs,
}

impl Trial<'_> {
    /// Those without a perturbation, then those with each; `None` if the attempts were interrupted.
    async fn findings(&self) -> Result<Option<Vec<Findings>>, Failure> {
        let chosen = self.chosen()?;
        let Some(oracle) = self.run(&["oracle"], ids(&chosen)).await? else { return Ok(None) };
        let mut others = chosen;
        others.retain(|instance| instance.kind != TaskKind::Navigate);
        let mut naive = ByPerturbation::new();
        if !others.is_empty() {
            let browsing: Vec<&str> = browsing_kinds().collect();
            let answering: Vec<&str> = naive_kinds().filter(|kind| !browsing.contains(kind)).collect();
            let Some(run) = self.run(&answering, ids(&others)).await? else { return Ok(None) };
            naive = outcomes(&run, |outcome| matches!(outcome, Outcome::Pass | Outcome::Infra))?;
            let starts = Starts::of(&self.plan(&browsing, ids(&others))?.instances);
            let Some(run) = self.run(&browsing, starts.places()).await? else { return Ok(None) };
            for (by, errors) in starts.judge(&run)? {
                naive.entry(by).or_default().extend(errors);
            }
        }
        let mut rejected = outcomes(&oracle, |outcome| outcome != Outcome::Pass)?;
        let mut mutants = near_misses(&oracle)?;
        let basis = Basis::of(&load_suite(self.suite)?)?;
        let perturbed = self.perturbations.iter().map(|by| Some(by.to_string()));
        let findings = [None].into_iter().chain(perturbed).map(|by| Findings {
            suite: self.suite.to_owned(),
            basis: basis.clone(),
            oracle_rejected: rejected.remove(&by).unwrap_or_default(),
            naive_accepted: naive.remove(&by).unwrap_or_default(),
            mutants_accepted: mutants.remove(&by).unwrap_or_default(),
            perturbed_by: by,
        });
        Ok(Some(findings.collect()))
    }

    /// The instances to try, by filter and sample.
    fn chosen(&self) -> Result<Vec<Arc<Instance>>, Failure> {
        let plan = Plan::build(load_suite(self.suite)?, request_for(&["oracle"], self.args.filter.clone())?)?;
        let all = plan.instances;
        Ok(match self.args.sample {
            Some(size) if size.get() < all.len() => {
                (0..size.get()).map(|place| Arc::clone(&all[place * all.len() / size])).collect()
            }
            _ => all,
        })
    }

    /// For these instances, plain and with every perturbation.
    fn plan(&self, agents: &[&str], instances: Vec<&str>) -> Result<Plan, Failure> {
        let instances = instances.into_iter().map(str::to_owned).collect();
        let mut request = request_for(agents, None)?;
        request.perturbations.clone_from(&self.perturbations);
        Ok(Plan::build(load_suite(self.suite)?.only(instances), request)?)
    }

    async fn run(&self, agents: &[&str], instances: Vec<&str>) -> Result<Option<Run>, Failure> {
        let plan = self.plan(agents, instances)?;
        let conduct = Conduct::with_jobs(self.args.jobs);
        let carried = carry_out(&plan, self.suite, &conduct, self.global, self.config, self.runs).await?;
        Ok((carried.execution.tally.unfinished == 0).then_some(carried.run))
    }
}

fn ids(instances: &[Arc<Instance>]) -> Vec<&str> {
    instances.iter().map(|instance| instance.id.as_str()).collect()
}

/// The attempts of a run with their instances.
fn attempts(run: &Run) -> Result<Vec<(AttemptId, Instance)>, Failure> {
    let instances: BTreeMap<String, Instance> =
        run.expectations()?.into_iter().map(|instance| (instance.id.clone(), instance)).collect();
    let planned = run.planned()?.into_iter();
    Ok(planned.filter_map(|id| instances.get(&id.instance).map(|instance| (id, instance.clone()))).collect())
}

/// The finished attempts of a run, and those whose outcome is wrong.
fn outcomes(run: &Run, is_wrong: impl Fn(Outcome) -> bool) -> Result<ByPerturbation, Failure> {
    let mut found = ByPerturbation::new();
    for (id, instance) in attempts(run)? {
        if let Status::Ended { verdict: Some(verdict), .. } = run.attempt(&id).status()? {
            let errors = found.entry(perturbation_of(&instance)).or_default();
            errors
                .note(is_wrong(verdict.outcome), || format!("{id}: {} {}", verdict.outcome, verdict.reason));
        }
    }
    Ok(found)
}

/// Changes each right attempt a little, in every way that would make it wrong, and has the checks look again.
fn near_misses(run: &Run) -> Result<ByPerturbation, Failure> {
    let blobs = run.blobs();
    let mut found = ByPerturbation::new();
    for (id, instance) in attempts(run)? {
        let attempt = run.attempt(&id);
        let Status::Ended { verdict: Some(verdict), .. } = attempt.status()? else { continue };
        if verdict.outcome != Outcome::Pass {
            continue;
        }
        let trajectory = attempt.read()?;
        let answer = trajectory.response().map_or("", |(_, response)| response);
        let errors = found.entry(perturbation_of(&instance)).or_default();
        for mutant in mutants::mutants(&instance, answer) {
            let Some((changed, changed_blobs)) = mutants::apply(&mutant, &trajectory, &blobs) else {
                continue;
            };
            let verdict = evaluate(&id, &instance, &changed, &changed_blobs);
            errors.note(verdict.outcome == Outcome::Pass, || {
                format!("{}: accepted with {mutant}", id.instance)
            });
        }
    }
    Ok(found)
}

fn say_json(found: &Findings) {
    let mut line = serde_json::to_value(found).unwrap_or_default();
    line["false_negative_rate"] = found.oracle_rejected.rate().into();
    line["false_positive_rate"] = serde_json::json!({
        "naive": found.naive_accepted.rate(), "mutants": found.mutants_accepted.rate(),
    });
    say!("{line}");
}

fn table(found: &[Findings]) {
    let of = |errors: &Errors| {
        format!("{} of {} ({:.2} %)", errors.wrong.len(), errors.attempts, errors.rate() * 100.0)
    };
    say!();
    let name = |findings: &Findings| match &findings.perturbed_by {
        Some(by) => format!("{}+{by}", findings.suite),
        None => findings.suite.clone(),
    };
    let width = found.iter().map(|findings| name(findings).len()).max().unwrap_or_default().max(12);
    say!("{:width$} {:>22} {:>22} {:>24}", "", "oracle rejected", "naive accepted", "near misses accepted");
    for findings in found {
        let Findings { oracle_rejected, naive_accepted, mutants_accepted, .. } = findings;
        let columns = (of(oracle_rejected), of(naive_accepted), of(mutants_accepted));
        say!("{:width$} {:>22} {:>22} {:>24}", name(findings), columns.0, columns.1, columns.2);
        for errors in [oracle_rejected, naive_accepted, mutants_accepted] {
            for attempt in &errors.wrong {
                say!("    {attempt}");
            }
        }
    }
    say!(
        "\nRejected oracles are false negatives of the checks, accepted naive agents and near misses false positives.\nA naive attempt that the harness lost (infra) counts with the accepted: it was not tried."
    );
}
