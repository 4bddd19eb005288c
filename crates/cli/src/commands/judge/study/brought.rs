//! The attempts of a battle as voters see them: without names.

use std::collections::HashMap;
use std::fmt::Display;
use std::sync::{Arc, Mutex, PoisonError};

use umpire_arena::{Battle, Contestant, Scrubber};
use umpire_judges::case::Case;
use umpire_judges::evidence::EvidencePolicy;
use umpire_judges::frames::{Darkroom, Frames};
use umpire_judges::judge::Exhibit;
use umpire_model::{Instance, RunId, Trajectory};
use umpire_store::{Run, Runs};

use super::NoVote;

/// The runs that battles come from, each read once for all votes.
pub(super) struct Archive {
    runs: Runs,
    read: Mutex<HashMap<RunId, Arc<Kept>>>,
}

struct Kept {
    run: Run,
    instances: HashMap<String, Instance>,
}

impl Archive {
    pub(super) fn new(runs: Runs) -> Self {
        Self { runs, read: Mutex::default() }
    }

    fn run(&self, id: &RunId) -> Result<Arc<Kept>, NoVote> {
        // Held while the run is read, so that votes that come together do not all read it.
        let mut read = self.read.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(kept) = read.get(id) {
            return Ok(Arc::clone(kept));
        }
        let run = self.runs.find(id).map_err(|error| broken(&error))?.ok_or_else(|| gone(id))?;
        let instances = run.expectations().map_err(|error| broken(&error))?;
        let instances = instances.into_iter().map(|instance| (instance.id.clone(), instance)).collect();
        let kept = Arc::new(Kept { run, instances });
        read.insert(id.clone(), Arc::clone(&kept));
        Ok(kept)
    }
}

/// Both sides of a battle, without names.
pub(super) struct Brought {
    /// Left, then right.
    pub(super) sides: [(Exhibit, Frames); 2],
    pub(super) hidden: u32,
}

impl Brought {
    pub(super) fn read(
        archive: &Archive,
        battle: &Battle,
        policy: &EvidencePolicy,
        darkroom: &Darkroom,
    ) -> Result<Self, NoVote> {
        let left = Recorded::read(archive, &battle.left)?;
        let right = Recorded::read(archive, &battle.right)?;
        let manifests = [left.of.run.manifest(), right.of.run.manifest()];
        let scrubber = Scrubber::for_attempts(&manifests, &[&left.trajectory, &right.trajectory]);
        let mut hidden = 0;
        let mut side = |recorded: &Recorded| {
            let blobs = recorded.of.run.blobs();
            let mut case = recorded.case.clone();
            hidden += scrub(&mut case, &scrubber);
            let frames = Frames::of(&case, policy, &blobs, darkroom).map_err(NoVote::NoOpinion)?;
            Ok::<_, NoVote>((Exhibit::new(case, policy, &blobs), frames))
        };
        let sides = [side(&left)?, side(&right)?];
        Ok(Self { sides, hidden: u32::try_from(hidden).unwrap_or(u32::MAX) })
    }
}

struct Recorded {
    of: Arc<Kept>,
    trajectory: Trajectory,
    case: Case,
}

impl Recorded {
    fn read(archive: &Archive, contestant: &Contestant) -> Result<Self, NoVote> {
        let (Some(run), Some(attempt)) = (&contestant.run, &contestant.attempt) else {
            return Err(NoVote::Broken("nothing of it is recorded".to_owned()));
        };
        let of = archive.run(run)?;
        let instance = of.instances.get(&attempt.instance).ok_or_else(|| gone(run))?;
        let trajectory = of.run.attempt(attempt).read().map_err(|error| broken(&error))?;
        let case = Case::read(attempt, instance, &trajectory, &of.run.blobs());
        let case = case.map_err(|error| broken(&error))?;
        Ok(Self { of, trajectory, case })
    }
}

fn broken(error: &dyn Display) -> NoVote {
    NoVote::Broken(error.to_string())
}

fn gone(run: &RunId) -> NoVote {
    NoVote::Broken(format!("the run {run} is not there any more"))
}

/// Takes names out of everything that is shown of an attempt; the outline of a page, which is read elsewhere, is not shown.
fn scrub(case: &mut Case, scrubber: &Scrubber) -> usize {
    let mut hidden = 0;
    let mut clean = |text: &mut String| {
        let clear = scrubber.scrub(text);
        hidden += clear.hidden_in_all();
        *text = clear.text;
    };
    for turn in &mut case.turns {
        turn.outline = None;
        let said = [Some(&mut turn.url), Some(&mut turn.title), turn.thought.as_mut()];
        said.into_iter().flatten().for_each(&mut clean);
        let done = turn.deeds.iter_mut().flat_map(|deed| [Some(&mut deed.text), deed.error.as_mut()]);
        done.flatten().for_each(&mut clean);
    }
    case.answer.iter_mut().chain(&mut case.requests).chain(&mut case.changes).for_each(clean);
    hidden
}

#[cfg(test)]
mod tests {
    use umpire_judges::case::{Deed, Turn};
    use umpire_model::{AttemptId, TaskKind};

    use super::*;

    #[test]
    fn names_are_taken_out_of_all_that_is_shown() {
        let said = || "I am Quillfish, by GPT-4o.".to_owned();
        let deed = Deed { text: said(), is_answer: false, error: Some(said()) };
        let turn = Turn {
            step: 1,
            url: "http://x.test/quillfish".to_owned(),
            title: said(),
            thought: Some(said()),
            deeds: vec![deed],
            ..Turn::default()
        };
        let mut case = Case {
            attempt: AttemptId::new("quillfish", "lamp", 1).expect("a name"),
            intent: "Buy a lamp".to_owned(),
            kind: TaskKind::Mutate,
            start_urls: Vec::new(),
            category: String::new(),
            ui_elements: Vec::new(),
            reference: Vec::new(),
            level: None,
            persona: None,
            turns: vec![turn],
            answer: Some(said()),
            end: None,
            requests: vec![said()],
            changes: vec![said()],
        };
        let hidden = scrub(&mut case, &Scrubber::new(&["quillfish"]));
        for text in case.hostile() {
            assert!(!text.to_lowercase().contains("quillfish") && !text.contains("4o"), "{text}");
        }
        assert_eq!(hidden, 15, "two names in each of seven texts, and one in the address");
    }
}
