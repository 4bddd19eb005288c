//! One vote: who casts it, on what evidence, and what is said.

use std::collections::HashMap;
use std::sync::Arc;

use serde_json::Value;
use tokio::sync::OnceCell;
use umpire_llm::{AskError, Caller};
use umpire_model::{
    AttemptId, Deadline, Digest, Instance, Redactor, Ruling, Shown, Unrecorded, VOTE_VERSION, Vote, VoteKey,
};
use umpire_store::Run;

use super::{Brought, Docket, LONGEST_VOTE, Panel, PanelError};
use crate::asking::{Asking, Ledger, NoOpinion, Parser};
use crate::case::Case;
use crate::evidence::EvidencePolicy;
use crate::frames::Frames;
use crate::judge::{Bench, Exhibit, Opinion, Side};

/// One vote to be had.
pub(super) struct Ballot {
    pub place: usize,
    pub lot: Arc<Lot>,
    pub model: String,
    pub sample: u32,
}

/// An attempt, or two to be compared, for all votes on it: what is shown is read and made small once, when the first of
/// them needs it, and given up with the last.
pub(super) struct Lot {
    pub brought: Brought,
    read: OnceCell<Result<Arc<Read>, NoOpinion>>,
    looked_at: OnceCell<Result<Looks, NoOpinion>>,
}

struct Read {
    one: Exhibit,
    other: Option<Exhibit>,
    digest: Digest,
}

/// Of one side, and of the other.
#[derive(Clone, Default)]
struct Looks(Frames, Option<Frames>);

pub(super) enum Cast {
    Kept(Box<Vote>),
    New(Box<Vote>),
    /// The budget was used up; it is cast when there is more.
    Unpaid,
}

impl Lot {
    pub fn new(brought: Brought) -> Arc<Self> {
        Arc::new(Self { brought, read: OnceCell::new(), looked_at: OnceCell::new() })
    }
}

impl Read {
    fn new(run: &Run, brought: &Brought, policy: &EvidencePolicy) -> Result<Self, PanelError> {
        let exhibit = |attempt: &AttemptId| {
            Ok::<_, PanelError>(Exhibit::new(case(run, attempt, &brought.instance)?, policy, &run.blobs()))
        };
        let one = exhibit(&brought.attempt)?;
        let other = brought.against.as_ref().map(|(other, _)| exhibit(other)).transpose()?;
        let digest = Digest::of_json(&(one.digest(policy), other.as_ref().map(|other| other.digest(policy))));
        Ok(Self { one, other, digest })
    }
}

pub(super) fn case(run: &Run, attempt: &AttemptId, instance: &Instance) -> Result<Case, PanelError> {
    let trajectory = run.attempt(attempt).read()?;
    Case::read(attempt, instance, &trajectory, &run.blobs())
        .map_err(|error| PanelError::Evidence { attempt: attempt.clone(), problem: error.to_string() })
}

impl Panel {
    /// By what makes them themselves; of several the latest, for a vote that failed may be cast again.
    pub(super) fn earlier_votes(&self, docket: &Docket) -> Result<HashMap<VoteKey, Vote>, PanelError> {
        let mut earlier = HashMap::new();
        for brought in &docket.brought {
            for vote in self.run.attempt(&brought.attempt).votes()? {
                earlier.insert(vote.key(), vote);
            }
        }
        Ok(earlier)
    }

    pub(super) async fn vote(
        &self,
        ballot: &Ballot,
        earlier: &HashMap<VoteKey, Vote>,
    ) -> Result<Cast, PanelError> {
        let brought = &ballot.lot.brought;
        let read = ballot.lot.read.get_or_try_init(|| self.read(brought)).await?;
        // Evidence that cannot be read has a digest of its own, so that it is looked at again once it can.
        let evidence = match read {
            Ok(read) => read.digest.clone(),
            Err(none) => Digest::of(none.to_string().as_bytes()),
        };
        let key = VoteKey {
            attempt: brought.attempt.clone(),
            against: brought.against.as_ref().map(|(other, _)| other.clone()),
            r#try: brought.r#try,
            judge: self.judge.name().to_owned(),
            digest: self.digest(&ballot.model),
            evidence,
            model: ballot.model.clone(),
            sample: ballot.sample,
        };
        if let Some(vote) = earlier.get(&key).filter(|vote| vote.ruling != Ruling::Error) {
            return Ok(Cast::Kept(Box::new(vote.clone())));
        }
        let ledger = Ledger::new(Redactor::new(self.gateway.secret_values()));
        let (opinion, shown) = match read {
            Ok(read) => self.hear(ballot, &key, read, &ledger).await?,
            Err(none) => (Err(none.clone()), Shown::default()),
        };
        let opinion = match opinion {
            Ok(opinion) => opinion,
            Err(NoOpinion::Unanswered(AskError::Budget(_))) => return Ok(Cast::Unpaid),
            Err(none) => {
                Opinion { ruling: Ruling::Error, reason: none.to_string(), findings: Value::Null, images: 0 }
            }
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
        ballot: &Ballot,
        key: &VoteKey,
        read: &Arc<Read>,
        ledger: &Ledger,
    ) -> Result<(Result<Opinion, NoOpinion>, Shown), PanelError> {
        let sees = self.gateway.spec(&ballot.model).is_none_or(|spec| spec.images);
        let looks = if sees {
            ballot.lot.looked_at.get_or_init(|| self.looks(read)).await.clone()
        } else {
            Ok(Looks(
                Frames::unseen(&read.one.case),
                read.other.as_ref().map(|other| Frames::unseen(&other.case)),
            ))
        };
        let Looks(frames, others) = match looks {
            Ok(looks) => looks,
            Err(none) => return Ok((Err(none), Shown::default())),
        };
        let name = format!("{} of {}, {}", key.judge, key.attempt, key.sample);
        let mut caller = Caller::new(name, vec![Arc::clone(&self.budget)], Arc::new(Unrecorded));
        caller.sample = key.sample;
        let asker = self.gateway.asker(&ballot.model, caller)?;
        let side = Side { exhibit: &read.one, frames: &frames };
        let other = read.other.as_ref().zip(others.as_ref());
        let bench = Bench {
            side,
            other: other.map(|(exhibit, frames)| Side { exhibit, frames }),
            asking: Asking::new(&asker, ledger, self.options.parser, Deadline::after(LONGEST_VOTE)),
        };
        let opinion = self.judge.judge(&bench).await;
        let images = opinion.as_ref().map_or(0, |opinion| opinion.images);
        let plain = self.judge.effort(frames.screenshots as usize);
        Ok((opinion, side.shown(images, plain)))
    }

    /// Journals, and what is said in them, on a thread that may wait for the disk.
    async fn read(&self, brought: &Brought) -> Result<Result<Arc<Read>, NoOpinion>, PanelError> {
        let (run, policy, brought) = (self.run.clone(), self.judge.evidence().clone(), brought.clone());
        let reading = tokio::task::spawn_blocking(move || Read::new(&run, &brought, &policy)).await;
        match reading {
            Ok(Ok(read)) => Ok(Ok(Arc::new(read))),
            Ok(Err(PanelError::Evidence { problem, .. })) => Ok(Err(NoOpinion::NoEvidence(problem))),
            Ok(Err(error)) => Err(error),
            Err(error) => Ok(Err(NoOpinion::NoEvidence(error.to_string()))),
        }
    }

    /// Pictures are made small on a thread of their own.
    async fn looks(&self, read: &Arc<Read>) -> Result<Looks, NoOpinion> {
        let (policy, blobs) = (self.judge.evidence().clone(), self.run.blobs());
        let (read, darkroom) = (Arc::clone(read), Arc::clone(&self.darkroom));
        let looking = move || {
            let frames = |exhibit: &Exhibit| Frames::of(&exhibit.case, &policy, &blobs, &darkroom);
            Ok(Looks(frames(&read.one)?, read.other.as_ref().map(frames).transpose()?))
        };
        let looked = tokio::task::spawn_blocking(looking).await;
        looked.unwrap_or_else(|error| Err(NoOpinion::NoEvidence(error.to_string())))
    }

    /// Of all that makes a vote what it is but the evidence.
    pub(super) fn digest(&self, model: &str) -> Digest {
        // What bears on a reply; how often and how fast is asked does not.
        let spec = self.gateway.spec(model).map(|spec| {
            let said = (spec.provider.name(), &spec.model, spec.base_url.as_ref().map(ToString::to_string));
            let drawn = (spec.temperature, spec.max_tokens, &spec.reasoning_effort, &spec.extra);
            (format!("{said:?} {drawn:?}"), spec.images, spec.system_role, format!("{:?}", spec.structured))
        });
        let parser = self.options.parser == Parser::Reference;
        Digest::of_json(&(self.judge.digest(), parser, spec))
    }
}
