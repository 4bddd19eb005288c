//! All votes on all attempts, and what they come to.

use futures_util::StreamExt as _;
use futures_util::stream;
use umpire_model::{
    AttemptId, CheckResult, Digest, End, Outcome, Ruling, Spending, VERDICT_VERSION, Verdict, Vote,
};
use umpire_store::RunLock;

use super::voting::{Ballot, Cast, Lot};
use super::{Brought, Docket, Panel, PanelError};
use crate::vote::{Count, count};

/// What became of one vote, as it happens.
#[derive(Debug)]
pub struct Heard<'a> {
    pub vote: &'a Vote,
    /// It was on the disk already.
    pub kept: bool,
}

/// What the votes on one attempt came to.
#[derive(Clone, Debug)]
pub struct Ruled {
    pub attempt: AttemptId,
    pub against: Option<AttemptId>,
    pub count: Count,
    pub votes: Vec<Vote>,
}

/// All that a sitting came to.
#[derive(Clone, Debug, Default)]
pub struct Sitting {
    /// In the order of the plan.
    pub ruled: Vec<Ruled>,
    /// Votes that were on the disk from before.
    pub kept: u64,
    pub cast: u64,
    /// What the votes that were cast now cost.
    pub spent: Spending,
    /// Votes that could not be cast because the budget was used up.
    pub unpaid: u64,
}

impl Panel {
    /// Has every vote cast that is not on the disk, and files what they come to. The run's lock is held meanwhile: votes
    /// are appended to its files.
    pub async fn sit(&self, docket: &Docket, watch: impl Fn(Heard<'_>)) -> Result<Sitting, PanelError> {
        let _lock: RunLock = self.run.lock()?;
        let earlier = self.earlier_votes(docket)?;
        let ballots = docket.brought.iter().enumerate().flat_map(|(place, brought)| {
            let lot = Lot::new(brought.clone());
            let voters = self
                .options
                .models
                .iter()
                .flat_map(|model| (1..=self.options.samples).map(move |sample| (model.clone(), sample)));
            voters.map(move |(model, sample)| Ballot { place, lot: lot.clone(), model, sample })
        });
        let mut sitting = Sitting::default();
        let mut votes: Vec<Vec<Vote>> = vec![Vec::new(); docket.brought.len()];
        let earlier = &earlier;
        let casting = ballots.map(|ballot| async move {
            let cast = self.vote(&ballot, earlier).await;
            (ballot.place, cast)
        });
        let mut casting = stream::iter(casting).buffer_unordered(self.options.jobs.max(1));
        while let Some((place, result)) = casting.next().await {
            match result? {
                Cast::Kept(vote) => {
                    sitting.kept += 1;
                    watch(Heard { vote: &vote, kept: true });
                    votes[place].push(*vote);
                }
                Cast::New(vote) => {
                    // What cannot be kept is not gone on with: it would be asked for and paid again.
                    self.run.attempt(&docket.brought[place].attempt).append_vote(&vote)?;
                    sitting.cast += 1;
                    sitting.spent += vote.spending();
                    watch(Heard { vote: &vote, kept: false });
                    votes[place].push(*vote);
                }
                Cast::Unpaid => sitting.unpaid += 1,
            }
        }
        drop(casting);
        for (brought, mut votes) in docket.brought.iter().zip(votes) {
            votes.sort_by(|a, b| (&a.model, a.sample).cmp(&(&b.model, b.sample)));
            let all: Vec<&Vote> = votes.iter().collect();
            let count = count(&all, &self.options.counting);
            let is_whole = votes.len() == self.options.models.len() * self.options.samples as usize;
            if is_whole && brought.against.is_none() {
                self.file(brought, &count, &votes)?;
            }
            let against = brought.against.as_ref().map(|(other, _)| other.clone());
            sitting.ruled.push(Ruled { attempt: brought.attempt.clone(), against, count, votes });
        }
        Ok(sitting)
    }

    /// A verdict stands in the attempt's file beside that of the rules; abstentions and errors are none.
    fn file(&self, brought: &Brought, count: &Count, votes: &[Vote]) -> Result<(), PanelError> {
        let Some(outcome) = outcome(count.ruling, brought.end) else { return Ok(()) };
        let checks = votes.iter().map(|vote| CheckResult {
            kind: "vote".to_owned(),
            expected: format!("{}, {}", vote.model, vote.sample),
            held: vote.ruling == Ruling::Pass,
            found: format!("{}: {}", vote.ruling, vote.reason),
            evidence: Vec::new(),
        });
        let digests: Vec<&Digest> = votes.iter().map(|vote| &vote.digest).collect();
        let verdict = Verdict {
            version: VERDICT_VERSION,
            attempt: brought.attempt.clone(),
            by: format!("judge {}", self.judge.name()),
            digest: Digest::of_json(&(digests, &self.options.counting)),
            outcome,
            reason: count.reason.clone(),
            response_form: None,
            checks: checks.collect(),
        };
        Ok(self.run.attempt(&brought.attempt).append_verdict(&verdict)?)
    }
}

/// How the attempt ended decides first, as it does for rules: what ran out of time did not pass.
fn outcome(ruling: Ruling, end: End) -> Option<Outcome> {
    match (ruling, end) {
        (Ruling::Abstained | Ruling::Error | Ruling::Noted, _) => None,
        (_, End::Time) => Some(Outcome::Timeout),
        (_, End::Actions | End::Money) => Some(Outcome::Budget),
        (_, End::Blocked) => Some(Outcome::Blocked),
        (Ruling::Pass, _) => Some(Outcome::Pass),
        (Ruling::Fail, _) => Some(Outcome::Fail),
    }
}
