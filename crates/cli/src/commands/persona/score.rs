use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::Arc;

use serde::Serialize;
use umpire_llm::Gateway;
use umpire_model::{
    AttemptId, BlobSource as _, EventBody, HistoryScheme, Instance, Manifest, Outcome, REDACTED, Ruling,
    Suite, Trajectory, Vote,
};
use umpire_persona::scoring::{
    Attempted, Error, Judged, Part, PersonaScore, Rubric, decide, score as normalised,
};
use umpire_persona::{Histories, History, Tables};
use umpire_recall::Embed;
use umpire_report::summary;
use umpire_runner::load_suite;
use umpire_store::{Run, Runs};

use super::evidence::attempted;
use super::left::Left;
use super::score_table::{level_curves, table};
use crate::args::ScoreArgs;
use crate::embedder::embedder;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::histories::{as_searched, read, recipe};
use crate::open;

/// Queries whose vectors are this close mean the same.
const SAME_MEANING: f32 = 0.85;

/// The judge that may say what the evidence leaves open.
const PERSONA_JUDGE: &str = "persona";

/// One attempt at somebody's wish.
#[derive(Debug, Serialize)]
pub struct Scored {
    pub run: String,
    pub attempt: AttemptId,
    /// How the agent could know the person: not at all, by a profile, or by searching a history this way.
    pub knowing: String,
    pub person: String,
    pub level: Option<usize>,
    /// What was done to the pages on purpose.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub perturbation: Option<String>,
    /// The harness failed, or is not done: nobody can say what the agent would have made of it.
    pub lost: bool,
    pub accesses: usize,
    /// None where the evidence does not tell all of it.
    pub rubric: Option<Rubric>,
    /// The score if all that the evidence leaves open turned out badly.
    pub least: PersonaScore,
    /// The score if it turned out well.
    pub most: PersonaScore,
    pub errors: Vec<Error>,
    pub undecided: Vec<Part>,
}

pub fn score(args: &ScoreArgs, runs: &Runs, gateway: &Arc<Gateway>, as_json: bool) -> Result<Exit, Failure> {
    let embed = args.embedder.as_deref().map(|named| embedder(named, gateway)).transpose()?;
    let names: Vec<Option<&str>> = match args.scored.as_slice() {
        [] => vec![None],
        named => named.iter().map(|name| Some(name.as_str())).collect(),
    };
    let mut all = Vec::new();
    for name in names {
        all.extend(scored(&open(runs, name)?, args, embed.as_deref())?);
    }
    if let Some(file) = &args.plot {
        std::fs::write(file, level_curves(&all))
            .map_err(|error| Failure::new(format!("{}: {error}", file.display())))?;
    }
    if as_json {
        say!("{}", serde_json::to_string(&all).map_err(|error| Failure::new(error.to_string()))?);
    } else {
        say!("{}", table(&all).trim_end());
    }
    Ok(if all.is_empty() { Exit::NothingRan } else { Exit::Ok })
}

fn scored(run: &Run, args: &ScoreArgs, embed: Option<&dyn Embed>) -> Result<Vec<Scored>, Failure> {
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
    let suite = suite_of(run.manifest());
    let seed = suite.as_ref().ok().map(|suite| suite.file.seed);
    let people = People::of(suite, args)?;
    // What was recorded elsewhere may have no outcome for good.
    let is_own = run.manifest().imported.is_none();
    let mut scored = Vec::new();
    for attempt in &counted.attempts {
        let Some(instance) = instances.get(&attempt.id.instance) else { continue };
        let Some(persona) = &instance.persona else { continue };
        let knowing = Knowing::of(run.manifest(), &attempt.id.agent);
        let mut one = Scored {
            run: run.manifest().run.to_string(),
            attempt: attempt.id.clone(),
            knowing: knowing.told(run.manifest()),
            person: persona.id.clone(),
            level: instance.level,
            perturbation: attempt.perturbation.as_ref().map(|perturbed| perturbed.by.to_string()),
            lost: attempt.outcome.map_or(is_own, |outcome| outcome == Outcome::Infra),
            accesses: 0,
            rubric: None,
            least: PersonaScore::NOTHING,
            most: PersonaScore::EVERYTHING,
            errors: Vec::new(),
            undecided: Vec::new(),
        };
        if one.lost {
            scored.push(one);
            continue;
        }
        let trajectory = run.attempt(&attempt.id).read().map_err(|error| failed(&error))?;
        let history = match known.entry(persona.id.clone()) {
            std::collections::btree_map::Entry::Occupied(known) => known.into_mut(),
            std::collections::btree_map::Entry::Vacant(place) => place.insert(people.history(&persona.id)?),
        };
        if !are_of(history, &trajectory) {
            let problem = format!("{}, {}: its hits are of another history", one.run, one.attempt);
            return Err(Failure::new(problem).help("--histories DIR names the histories the run used"));
        }
        let state = trajectory.state_after().map(|(_, blob)| run.blobs().read(blob)).transpose();
        let state = state.map_err(|error| failed(&error))?;
        let left = state.map(|state| Left::of(&state, seed)).transpose().map_err(|error| {
            Failure::new(format!("{}, {}: the state it left cannot be read: {error}", one.run, one.attempt))
        })?;
        let left = left.unwrap_or_default();
        let mut evidence = attempted(tables, instance, persona, &trajectory, &left, attempt.outcome);
        evidence.alike = embed.map(|embed| alike(&evidence, embed)).transpose()?.unwrap_or_default();
        if knowing == Knowing::Profile {
            // Who is told everything has nothing to look up, as at level 0.
            evidence.level = Some(0);
        }
        let mut decided = decide(tables, persona, history, &evidence);
        if decided.rubric().is_none() {
            let votes = run.attempt(&attempt.id).votes().map_err(|error| failed(&error))?;
            if let Some(judged) = latest_opinion(&votes, attempt.tries) {
                decided.settle(&judged, persona);
            }
        }
        one.accesses = evidence.accesses.len();
        one.rubric = decided.rubric();
        one.least = normalised(&decided.rubric_if(false));
        one.most = normalised(&decided.rubric_if(true));
        (one.errors, one.undecided) = (decided.errors, decided.undecided);
        scored.push(one);
    }
    Ok(scored)
}

/// Whether the entries that an agent was shown are those of this history: they are known by their places, which mean
/// something else in every other.
fn are_of(history: &History, trajectory: &Trajectory) -> bool {
    let accesses = trajectory.events.iter().filter_map(|event| match &event.body {
        EventBody::HistoryAccessed(access) => Some(access),
        _ => None,
    });
    accesses.flat_map(|access| access.kept()).all(|hit| {
        let entry = history.entries.get(hit.id).map(|entry| as_searched(entry).to_string());
        entry.is_some_and(|entry| hit.text.as_deref().is_none_or(|shown| is_of(shown, &entry)))
    })
}

/// Whether a text is of this entry, as far as secrets were not taken out of it.
fn is_of(shown: &str, entry: &str) -> bool {
    let mut rest = entry;
    shown.split(REDACTED).all(|piece| {
        let after = rest.split_once(piece).map(|(_, after)| after);
        rest = after.unwrap_or_default();
        after.is_some()
    })
}

/// What the `persona` judge last said of an attempt's last try, if it said anything.
fn latest_opinion(votes: &[Vote], tries: u32) -> Option<Judged> {
    let is_opinion = |vote: &&Vote| {
        vote.judge == PERSONA_JUDGE
            && vote.r#try == tries
            && matches!(vote.ruling, Ruling::Pass | Ruling::Fail)
    };
    let latest = votes.iter().rev().find(is_opinion)?;
    serde_json::from_value(latest.findings.clone()).ok()
}

/// How an agent of a run could know the person.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Knowing {
    Nothing,
    Profile,
    History,
}

impl Knowing {
    fn of(manifest: &Manifest, agent: &str) -> Self {
        let Some(entry) = manifest.agents.iter().find(|entry| entry.name == agent) else {
            return Self::Nothing;
        };
        match entry.settings.get(umpire_agents::HISTORY_SETTING) {
            Some(scheme) if scheme == HistoryScheme::Profile.as_str() => Self::Profile,
            _ if manifest.history.is_some() && umpire_agents::could_ask_history(entry) => Self::History,
            _ => Self::Nothing,
        }
    }

    fn told(self, manifest: &Manifest) -> String {
        match (self, &manifest.history) {
            (Self::Profile, _) => "profile".to_owned(),
            (Self::History, Some(how)) => {
                let mut told = format!("{}, {}", how.method, how.keys);
                for (what, digest) in [("embedder", &how.embedder), ("histories", &how.histories)] {
                    if let Some(digest) = digest {
                        let _ = write!(told, ", {what} {digest:?}");
                    }
                }
                told
            }
            _ => "–".to_owned(),
        }
    }
}

/// Pairs of accesses whose queries mean the same.
fn alike(evidence: &Attempted, embed: &dyn Embed) -> Result<Vec<(usize, usize)>, Failure> {
    let queries: Vec<&str> = evidence.accesses.iter().map(|access| access.query.as_str()).collect();
    if queries.len() < 2 {
        return Ok(Vec::new());
    }
    let embedded = embed.embed(&queries).map_err(|error| Failure::new(error.to_string()))?;
    let vectors = embedded.into_unit().map_err(|error| Failure::new(error.to_string()))?;
    let cosine =
        |a: usize, b: usize| vectors.row(a).iter().zip(vectors.row(b)).map(|(a, b)| a * b).sum::<f32>();
    let pairs = (1..queries.len()).flat_map(|later| (0..later).map(move |earlier| (earlier, later)));
    Ok(pairs.filter(|(earlier, later)| cosine(*earlier, *later) >= SAME_MEANING).collect())
}

/// The suite as it was when the run was made.
fn suite_of(manifest: &Manifest) -> Result<Suite, Failure> {
    let suite = load_suite(&manifest.suite)?;
    if suite.digest == manifest.suite_digest {
        return Ok(suite);
    }
    let problem = format!("the suite `{}` is not what it was when the run was made", manifest.suite);
    Err(Failure::new(problem).help("--histories DIR names the histories it used"))
}

/// Where the histories are that the run's people had.
enum People<'a> {
    Folder(&'a std::path::Path),
    Suite(Box<Suite>, Box<Histories>),
}

impl<'a> People<'a> {
    fn of(suite: Result<Suite, Failure>, args: &'a ScoreArgs) -> Result<Self, Failure> {
        if let Some(folder) = &args.histories {
            return Ok(Self::Folder(folder));
        }
        let suite = suite?;
        let recipe = recipe(&suite)?.ok_or_else(|| {
            Failure::new("the suite says nothing of histories").help("--histories DIR names them")
        })?;
        Ok(Self::Suite(Box::new(suite), Box::new(recipe)))
    }

    fn history(&self, person: &str) -> Result<History, Failure> {
        match self {
            Self::Folder(folder) => read(folder, person).map_err(Failure::new),
            Self::Suite(suite, recipe) => {
                let made = recipe.history(Tables::embedded(), &suite.tasks, person);
                made.map_err(|error| Failure::new(error.to_string()))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use umpire_model::Event;

    use super::*;

    #[test]
    fn hits_are_of_the_history_that_has_them() {
        let entries = json!([
            {"timestamp": "2026-01-02 08:00:01", "type": "purchase", "object": "oat milk", "website": "a.b"},
            {"timestamp": "2026-01-03 09:00:00", "type": "web visit", "object": "garden chair"},
        ]);
        let history = History::parse(&entries.to_string()).expect("a history");
        for (id, text, is_of_it) in [
            (0, Some("[2026-01-02 08:00:01] purchase: oat milk, a.b"), true),
            (1, Some("[2026-01-03 09:00:00] web visit: garden chair"), true),
            (0, Some("[2026-01-02 08:00:01] purchase: «redacted» milk, «redacted»"), true),
            (0, Some("[2026-01-02 08:00:01] purchase: «redacted» chair"), false),
            (1, Some("[2026-01-02 08:00:01] purchase: oat milk, a.b"), false),
            (2, Some("[2026-01-02 08:00:01] purchase: oat milk, a.b"), false),
            (2, None, true),
        ] {
            let event: Event = serde_json::from_value(json!({
                "v": 1, "seq": 0, "ms": 0, "type": "history_accessed", "step": 1, "scheme": "on-demand", "query": "q",
                "method": "lexical", "took_ms": 1, "hits": [{"id": id, "score": 0.5, "text": text}],
            }))
            .expect("an event");
            let trajectory = Trajectory { events: vec![event], ..Trajectory::default() };
            assert_eq!(are_of(&history, &trajectory), is_of_it, "{id}: {text:?}");
        }
    }
}
