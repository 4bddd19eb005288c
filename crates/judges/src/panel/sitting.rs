//! The votes themselves.

use std::collections::HashMap;
use std::sync::Arc;

use futures_util::StreamExt as _;
use futures_util::stream;
use umpire_llm::{AskError, Caller};
use umpire_model::{
    AttemptId, CheckResult, Deadline, Digest, End, Instance, Outcome, Redactor, Ruling, Shown, Spending,
    Unrecorded, VERDICT_VERSION, VOTE_VERSION, Verdict, Vote, VoteKey,
};
use umpire_store::RunLock;

use super::{Brought, Docket, LONGEST_VOTE, Panel, PanelError};
use crate::asking::{Asking, Ledger, NoOpinion, Parser};
use crate::case::Case;
use crate::judge::{Bench, Exhibit, Opinion};
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

/// One vote to be had.
struct Ballot {
    brought: usize,
    model: String,
    sample: u32,
}

impl Panel {
    pub(super) fn case(&self, attempt: &AttemptId, instance: &Instance) -> Result<Case, PanelError> {
        let trajectory = self.run.attempt(attempt).read()?;
        Case::read(attempt, instance, &trajectory, &self.run.blobs())
            .map_err(|error| PanelError::Evidence { attempt: attempt.clone(), problem: error.to_string() })
    }

    /// Has every vote cast that is not on the disk, and files what they come to. The run's lock is held meanwhile: votes
    /// are appended to its files.
    pub async fn sit(&self, docket: &Docket, watch: impl Fn(Heard<'_>)) -> Result<Sitting, PanelError> {
        let _lock: RunLock = self.run.lock()?;
        let earlier = self.earlier_votes(docket)?;
        let mut ballots = Vec::new();
        for brought in 0..docket.brought.len() {
            for model in &self.options.models {
                for sample in 1..=self.options.samples {
                    ballots.push(Ballot { brought, model: model.clone(), sample });
                }
            }
        }
        let mut sitting = Sitting::default();
        let mut votes: Vec<Vec<Vote>> = vec![Vec::new(); docket.brought.len()];
        let mut casting = stream::iter(ballots.into_iter().map(|ballot| {
            let place = ballot.brought;
            let brought = docket.brought[place].clone();
            let earlier = &earlier;
            async move { (place, self.vote(&brought, &ballot, earlier).await) }
        }))
        .buffer_unordered(self.options.jobs.max(1));
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

    /// By what makes them themselves; of several the latest, for a vote that failed may be cast again.
    fn earlier_votes(&self, docket: &Docket) -> Result<HashMap<VoteKey, Vote>, PanelError> {
        let mut earlier = HashMap::new();
        for brought in &docket.brought {
            for vote in self.run.attempt(&brought.attempt).votes()? {
                earlier.insert(vote.key(), vote);
            }
        }
        Ok(earlier)
    }

    async fn vote(
        &self,
        brought: &Brought,
        ballot: &Ballot,
        earlier: &HashMap<VoteKey, Vote>,
    ) -> Result<Cast, PanelError> {
        let sees = self.gateway.spec(&ballot.model).is_none_or(|spec| spec.images);
        let (exhibit, other) = self.exhibits(brought, sees).await?;
        let key = VoteKey {
            attempt: brought.attempt.clone(),
            against: brought.against.as_ref().map(|(other, _)| other.clone()),
            r#try: brought.r#try,
            judge: self.judge.name().to_owned(),
            digest: self.digest(&ballot.model),
            evidence: evidence_digest(&exhibit, other.as_ref()),
            model: ballot.model.clone(),
            sample: ballot.sample,
        };
        if let Some(vote) = earlier.get(&key).filter(|vote| vote.ruling != Ruling::Error) {
            return Ok(Cast::Kept(Box::new(vote.clone())));
        }
        let ledger = Ledger::new(Redactor::new(self.gateway.secret_values()));
        let heard = match (exhibit, other) {
            (Ok(exhibit), None) => self.hear(&ballot.model, &key, &exhibit, None, &ledger).await?,
            (Ok(exhibit), Some(Ok(other))) => {
                self.hear(&ballot.model, &key, &exhibit, Some(&other), &ledger).await?
            }
            (Err(none), _) | (_, Some(Err(none))) => (Err(none), Shown::default()),
        };
        let (opinion, shown) = heard;
        let opinion = match opinion {
            Ok(opinion) => opinion,
            Err(NoOpinion::Unanswered(AskError::Budget(_))) => return Ok(Cast::Unpaid),
            Err(none) => Opinion {
                ruling: Ruling::Error,
                reason: none.to_string(),
                findings: serde_json::Value::Null,
                images: 0,
            },
        };
        Ok(Cast::New(Box::new(Vote {
            version: VOTE_VERSION,
            attempt: key.attempt,
            against: key.against,
            r#try: key.r#try,
            judge: key.judge,
            digest: key.digest,
            evidence: key.evidence,
            model: key.model,
            sample: key.sample,
            ruling: opinion.ruling,
            reason: opinion.reason,
            findings: opinion.findings,
            shown,
            calls: ledger.take(),
        })))
    }

    async fn hear(
        &self,
        model: &str,
        key: &VoteKey,
        exhibit: &Exhibit,
        other: Option<&Exhibit>,
        ledger: &Ledger,
    ) -> Result<(Result<Opinion, NoOpinion>, Shown), PanelError> {
        let name = format!("{} of {}, {}", key.judge, key.attempt, key.sample);
        let mut caller = Caller::new(name, vec![Arc::clone(&self.budget)], Arc::new(Unrecorded));
        caller.sample = key.sample;
        let asker = self.gateway.asker(model, caller)?;
        let asking = Asking::new(&asker, ledger, self.options.parser, Deadline::after(LONGEST_VOTE));
        let bench = Bench { exhibit, other, asking };
        let opinion = self.judge.judge(&bench).await;
        let images = opinion.as_ref().map_or(0, |opinion| opinion.images);
        let plain = self.judge.effort(exhibit.frames.screenshots as usize);
        Ok((opinion, exhibit.shown(images, plain)))
    }

    /// What is shown is read and made small on a thread of its own.
    async fn exhibits(&self, brought: &Brought, sees: bool) -> Result<Exhibits, PanelError> {
        let one = self.exhibit(&brought.attempt, &brought.instance, sees).await?;
        let other = match &brought.against {
            None => None,
            Some((attempt, _)) => Some(self.exhibit(attempt, &brought.instance, sees).await?),
        };
        Ok((one, other))
    }

    async fn exhibit(
        &self,
        attempt: &AttemptId,
        instance: &Arc<Instance>,
        sees: bool,
    ) -> Result<Result<Exhibit, NoOpinion>, PanelError> {
        let case = self.case(attempt, instance);
        let case = match case {
            Ok(case) => case,
            Err(PanelError::Evidence { problem, .. }) => return Ok(Err(NoOpinion::NoEvidence(problem))),
            Err(error) => return Err(error),
        };
        let (policy, blobs) = (self.judge.evidence().clone(), self.run.blobs());
        let darkroom = sees.then(|| Arc::clone(&self.darkroom));
        let preparing = move || Exhibit::prepare(case, &policy, &blobs, darkroom.as_deref());
        let prepared = tokio::task::spawn_blocking(preparing).await;
        Ok(prepared.unwrap_or_else(|error| Err(NoOpinion::NoEvidence(error.to_string()))))
    }

    /// Of all that makes a vote what it is but the evidence.
    fn digest(&self, model: &str) -> Digest {
        // What bears on a reply; how often and how fast is asked does not.
        let spec = self.gateway.spec(model).map(|spec| {
            let said = (spec.provider.name(), &spec.model, spec.base_url.as_ref().map(ToString::to_string));
            let drawn = (spec.temperature, spec.max_tokens, &spec.reasoning_effort, &spec.extra);
            (format!("{said:?} {drawn:?}"), spec.images, spec.system_role, format!("{:?}", spec.structured))
        });
        let parser = self.options.parser == Parser::Reference;
        Digest::of_json(&(self.judge.digest(), parser, spec))
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

type Exhibits = (Result<Exhibit, NoOpinion>, Option<Result<Exhibit, NoOpinion>>);

enum Cast {
    Kept(Box<Vote>),
    New(Box<Vote>),
    /// The budget was used up; it is cast when there is more.
    Unpaid,
}

/// Evidence that cannot be shown has a digest of its own, so that it is looked at again once it is there.
fn evidence_digest(one: &Result<Exhibit, NoOpinion>, other: Option<&Result<Exhibit, NoOpinion>>) -> Digest {
    let of = |exhibit: &Result<Exhibit, NoOpinion>| match exhibit {
        Ok(exhibit) => exhibit.digest(),
        Err(none) => Digest::of(none.to_string().as_bytes()),
    };
    match other {
        None => of(one),
        Some(other) => Digest::of_json(&(of(one), of(other))),
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
