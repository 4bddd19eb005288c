use std::collections::BTreeMap;

use serde::Serialize;
use umpire_model::{AttemptId, Digest, Instance, Suite};
use umpire_persona::scoring::{
    Decided, Error, ErrorKind, Part, PersonaScore, Rubric, decide, score as normalised,
};
use umpire_persona::{History, Tables};
use umpire_report::summary;
use umpire_runner::load_suite;
use umpire_store::{Run, Runs};

use super::evidence::attempted;
use crate::args::ScoreArgs;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::grid::{count, grid, percent};
use crate::histories::{file_of, recipe};
use crate::open;

/// One attempt at somebody's wish.
#[derive(Debug, Serialize)]
struct Scored {
    attempt: AttemptId,
    person: String,
    level: Option<usize>,
    accesses: usize,
    /// None where the evidence does not tell all of it, and a judge has to.
    score: Option<PersonaScore>,
    rubric: Option<Rubric>,
    errors: Vec<Error>,
    undecided: Vec<Part>,
}

pub fn score(args: &ScoreArgs, runs: &Runs, as_json: bool) -> Result<Exit, Failure> {
    let run = open(runs, args.run.as_deref())?;
    let scored = scored(&run, args)?;
    if as_json {
        say!("{}", serde_json::to_string(&scored).map_err(|error| Failure::new(error.to_string()))?);
    } else {
        say!("{}", shown(&scored).trim_end());
    }
    Ok(if scored.is_empty() { Exit::NothingRan } else { Exit::Ok })
}

fn scored(run: &Run, args: &ScoreArgs) -> Result<Vec<Scored>, Failure> {
    let tables = Tables::embedded();
    let failed = |error: &dyn std::fmt::Display| Failure::new(error.to_string());
    let counted = summary(run).map_err(|error| failed(&error))?;
    let instances: BTreeMap<String, Instance> = run
        .expectations()
        .map_err(|error| failed(&error))?
        .into_iter()
        .map(|instance| (instance.id.clone(), instance))
        .collect();
    let mut known: BTreeMap<String, History> = BTreeMap::new();
    let mut people = People::of(run, args)?;
    let mut scored = Vec::new();
    for attempt in &counted.attempts {
        let Some(instance) = instances.get(&attempt.id.instance) else { continue };
        let Some(persona) = &instance.persona else { continue };
        let trajectory = run.attempt(&attempt.id).read().map_err(|error| failed(&error))?;
        if trajectory.events.is_empty() {
            continue;
        }
        let history = match known.entry(persona.id.clone()) {
            std::collections::btree_map::Entry::Occupied(known) => known.into_mut(),
            std::collections::btree_map::Entry::Vacant(place) => place.insert(people.history(&persona.id)?),
        };
        let evidence = attempted(tables, instance, persona, &trajectory, attempt.outcome);
        let decided: Decided = decide(tables, persona, history, &evidence);
        let rubric = decided.rubric();
        scored.push(Scored {
            attempt: attempt.id.clone(),
            person: persona.id.clone(),
            level: instance.level,
            accesses: evidence.accesses.len(),
            score: rubric.as_ref().map(normalised),
            rubric,
            errors: decided.errors,
            undecided: decided.undecided,
        });
    }
    Ok(scored)
}

/// Where the histories are that the run's people had.
enum People<'a> {
    Folder(&'a std::path::Path),
    Suite(Box<Suite>),
}

impl<'a> People<'a> {
    fn of(run: &Run, args: &'a ScoreArgs) -> Result<Self, Failure> {
        if let Some(folder) = &args.histories {
            return Ok(Self::Folder(folder));
        }
        let manifest = run.manifest();
        let suite = load_suite(&manifest.suite)?;
        let same: &Digest = &suite.digest;
        if *same != manifest.suite_digest {
            let problem = format!("the suite `{}` is not what it was when the run was made", manifest.suite);
            return Err(Failure::new(problem).help("--histories DIR names the histories it used"));
        }
        Ok(Self::Suite(Box::new(suite)))
    }

    fn history(&mut self, person: &str) -> Result<History, Failure> {
        match self {
            Self::Folder(folder) => {
                let file = file_of(folder, person);
                let at = |problem: String| Failure::new(format!("{}: {problem}", file.display()));
                let text = std::fs::read_to_string(&file).map_err(|error| at(error.to_string()))?;
                History::parse(&text).map_err(|error| at(error.to_string()))
            }
            Self::Suite(suite) => {
                let recipe = recipe(suite)?.ok_or_else(|| {
                    Failure::new("the suite says nothing of histories").help("--histories DIR")
                })?;
                let made = recipe.history(Tables::embedded(), &suite.tasks, person);
                made.map_err(|error| Failure::new(error.to_string()))
            }
        }
    }
}

fn shown(scored: &[Scored]) -> String {
    let mut groups: BTreeMap<(&str, Option<usize>), Vec<&Scored>> = BTreeMap::new();
    for one in scored {
        groups.entry((&one.attempt.agent, one.level)).or_default().push(one);
    }
    let mean =
        |values: &[f64]| (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64);
    let rows: Vec<Vec<String>> = groups
        .iter()
        .map(|((agent, level), group)| {
            let points: Vec<&PersonaScore> = group.iter().filter_map(|one| one.score.as_ref()).collect();
            let figure = |of: &dyn Fn(&PersonaScore) -> f64| {
                percent(mean(&points.iter().map(|score| of(score)).collect::<Vec<_>>()))
            };
            let errors = |kind: ErrorKind| {
                group
                    .iter()
                    .filter(|one| one.errors.iter().any(|error| error.kind == kind))
                    .count()
                    .to_string()
            };
            let accesses: usize = group.iter().map(|one| one.accesses).sum();
            vec![
                (*agent).to_owned(),
                level.map_or_else(|| "–".to_owned(), |level| level.to_string()),
                count(group.len()),
                count(group.len() - points.len()),
                format!("{:.1}", accesses as f64 / group.len() as f64),
                figure(&|score| score.website),
                figure(&|score| score.preference),
                figure(&|score| score.average),
                figure(&|score| score.intent),
                figure(&|score| f64::from(u8::from(score.success))),
                errors(ErrorKind::RedundantAccess),
                errors(ErrorKind::HallucinatedPreference),
                errors(ErrorKind::RetrievalFailure),
                errors(ErrorKind::UtilizationFailure),
            ]
        })
        .collect();
    let header = [
        "agent",
        "level",
        "attempts",
        "for a judge",
        "accesses",
        "website",
        "preference",
        "average",
        "intent",
        "success",
        "redundant",
        "invented",
        "not found",
        "not used",
    ];
    let mut out =
        String::from("points in percent, of attempts that the evidence decides; errors in attempts\n");
    grid(&header, &rows, &mut out);
    out
}
