//! Attempts made of dice: how long one takes and how it ends its name decides, so that a test can say what is right.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};
use umpire_fleet::{Assignment, Crew, Ended, Fleet, Job, JobError, Key, Refusal, Roster};
use umpire_model::{Digest, Outcome};

use crate::ground::soon;

#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct SimPlan {
    pub run: String,
    pub attempts: usize,
    /// What an attempt takes on average.
    pub mean_ms: u64,
    /// Places whose attempts kill their worker.
    pub poison: BTreeSet<usize>,
    /// Places whose first try hangs.
    pub hangs: BTreeSet<usize>,
    /// Places whose attempts cannot be carried out, on any machine.
    pub fails: BTreeSet<usize>,
    /// Places whose attempts go on until there is a file `go-PLACE` at the meeting place.
    pub waits: BTreeSet<usize>,
    /// Attempts share so many accounts.
    pub accounts: usize,
    /// How many may use one of them at a time.
    pub at_a_time: u32,
    pub repeatable: bool,
    /// Folder where attempts leave what other attempts can see.
    pub meeting_place: Option<PathBuf>,
}

impl SimPlan {
    pub fn new(run: &str, attempts: usize, mean_ms: u64) -> Self {
        Self { run: run.to_owned(), attempts, mean_ms, at_a_time: 1, repeatable: true, ..Self::default() }
    }

    pub fn roster(&self) -> Vec<Assignment> {
        let assignment = |place: usize| Assignment {
            run: self.run.clone(),
            attempt: format!("sim/task-{place}/1"),
            keys: self
                .account_of(place)
                .map(|name| Key { name, at_a_time: self.at_a_time })
                .into_iter()
                .collect(),
            repeatable: self.repeatable,
            copy: 0,
        };
        (0..self.attempts).map(assignment).collect()
    }

    fn account_of(&self, place: usize) -> Option<String> {
        Some(format!("account:{}", place.checked_rem(self.accounts)?))
    }

    pub async fn put(&self, fleet: &Fleet) {
        let text = serde_json::to_vec(self).expect("json");
        fleet.depot.put(&format!("{}/plan.json", self.run), text.into(), soon()).await.expect("put");
    }
}

/// How an attempt of this name ends, whoever carries it out.
pub fn outcome_of(attempt: &str) -> Outcome {
    match Digest::of(attempt.as_bytes()).as_str().as_bytes()[0] % 3 {
        0 => Outcome::Fail,
        _ => Outcome::Pass,
    }
}

pub struct SimCrew;

#[async_trait::async_trait]
impl Crew for SimCrew {
    async fn join(&self, run: &str, fleet: &Fleet) -> Result<Arc<dyn Job>, Refusal> {
        let found = fleet.depot.get(&format!("{run}/plan.json"), soon()).await;
        let text = found.map_err(|error| Refusal::Passing(error.to_string()))?;
        let plan: SimPlan =
            serde_json::from_slice(&text).map_err(|error| Refusal::Lasting(error.to_string()))?;
        Ok(Arc::new(SimJob { roster: plan.roster(), plan }))
    }
}

struct SimJob {
    plan: SimPlan,
    roster: Vec<Assignment>,
}

#[async_trait::async_trait]
impl Job for SimJob {
    fn roster(&self) -> &dyn Roster {
        &self.roster
    }

    async fn attempt(&self, attempt: &str, folder: &Path) -> Result<Ended, JobError> {
        let began = Instant::now();
        let place: usize =
            attempt.split(['-', '/']).nth(2).and_then(|number| number.parse().ok()).expect("our name");
        if self.plan.poison.contains(&place) {
            std::process::abort();
        }
        if self.plan.fails.contains(&place) {
            return Err(JobError("no space left on device".to_owned()));
        }
        let meeting = self.plan.account_of(place).zip(self.plan.meeting_place.as_deref());
        let _meeting = meeting.map(|(account, folder)| Meeting::at(&account, folder, self.plan.at_a_time));
        if self.plan.waits.contains(&place) {
            note(self.plan.meeting_place.as_deref(), &arrived(place));
        }
        while self.plan.waits.contains(&place) && !may_go(self.plan.meeting_place.as_deref(), place) {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        if self.plan.hangs.contains(&place) && first_time(self.plan.meeting_place.as_deref(), attempt) {
            std::future::pending::<()>().await;
        }
        tokio::time::sleep(Duration::from_millis(fastrand::u64(0..=2 * self.plan.mean_ms))).await;
        record(folder, attempt);
        let ms = began.elapsed().as_millis() as u64;
        Ok(Ended { outcome: outcome_of(attempt), reason: String::new(), ms, steps: 1 })
    }

    async fn give_up(&self, attempt: &str, reason: &str, folder: &Path) -> Result<Ended, JobError> {
        record(folder, attempt);
        Ok(Ended { outcome: Outcome::Infra, reason: reason.to_owned(), ms: 0, steps: 0 })
    }
}

fn record(folder: &Path, attempt: &str) {
    let journal = folder.join("attempts").join(attempt).join("journal.jsonl");
    fs::create_dir_all(journal.parent().expect("below")).expect("made");
    fs::write(journal, attempt).expect("recorded");
}

fn first_time(meeting_place: Option<&Path>, attempt: &str) -> bool {
    let name = format!("began-{}", attempt.replace('/', "-"));
    meeting_place.is_some_and(|folder| fs::File::create_new(folder.join(name)).is_ok())
}

/// The mark of an attempt that is under way and waits to be let go.
pub fn arrived(place: usize) -> String {
    format!("at-{place}")
}

fn note(meeting_place: Option<&Path>, mark: &str) {
    if let Some(folder) = meeting_place {
        fs::write(folder.join(mark), "").expect("written");
    }
}

fn may_go(meeting_place: Option<&Path>, place: usize) -> bool {
    meeting_place.is_none_or(|folder| folder.join(format!("go-{place}")).exists())
}

/// Somebody uses an account while this exists. That as many do as may is written down, and that more do.
struct Meeting(PathBuf);

impl Meeting {
    fn at(account: &str, folder: &Path, at_a_time: u32) -> Self {
        let place = folder.join(account.replace(':', "-"));
        fs::create_dir_all(&place).expect("made");
        let mark = place.join(format!("{:016x}", fastrand::u64(..)));
        fs::write(&mark, "").expect("written");
        let said = match fs::read_dir(&place).expect("there").count().cmp(&(at_a_time as usize)) {
            std::cmp::Ordering::Less => None,
            std::cmp::Ordering::Equal => Some("as-many-as-may"),
            std::cmp::Ordering::Greater => Some("too-many"),
        };
        if let Some(said) = said {
            fs::write(folder.join(said), account).expect("written");
        }
        Self(mark)
    }
}

impl Drop for Meeting {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.0);
    }
}
