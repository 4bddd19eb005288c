//! From a trajectory to a verdict.
//!
//! How the try ended decides first: without a proper end there is nothing to judge the agent by. Then every check is
//! decided, none skipped, so that a verdict shows all that went wrong. What follows from their rulings:
//!
//! | rulings | outcome |
//! |---|---|
//! | a check is broken | `invalid`: no run of this task can be scored |
//! | else a check failed, or the agent stopped without an answer | `blocked` if it ended in front of a wall, else `fail`, whatever missing evidence would have shown |
//! | else a check lacks evidence | `infra` |
//! | else | `pass` |

use umpire_model::{
    AttemptId, BackendAnswer, BackendCheck, BlobSource, Check, CheckResult, End, Instance, Outcome,
    Trajectory, VERDICT_VERSION, Verdict,
};

use crate::backend::{self, RecordedAnswers};
use crate::response_check::RecordedResponse;
use crate::ruling::{Ruling, Undecided};
use crate::state::RecordedStates;
use crate::{activity, network, response_check, reward, state, walls, words};

pub fn evaluate(
    attempt: &AttemptId,
    instance: &Instance,
    trajectory: &Trajectory,
    blobs: &dyn BlobSource,
) -> Verdict {
    let response = RecordedResponse::of(trajectory);
    let Judgement { outcome, reason, checks } = judge(instance, trajectory, response.as_ref(), blobs);
    Verdict {
        version: VERDICT_VERSION,
        attempt: attempt.clone(),
        by: "rules".to_owned(),
        digest: crate::digest(),
        outcome,
        reason,
        response_form: response.and_then(|response| response.form()),
        checks,
    }
}

struct Judgement {
    outcome: Outcome,
    reason: String,
    checks: Vec<CheckResult>,
}

impl Judgement {
    fn without_checks(outcome: Outcome, reason: String) -> Self {
        Self { outcome, reason, checks: Vec::new() }
    }
}

fn judge(
    instance: &Instance,
    trajectory: &Trajectory,
    response: Option<&RecordedResponse<'_>>,
    blobs: &dyn BlobSource,
) -> Judgement {
    let Some((end, detail)) = trajectory.end() else {
        return Judgement::without_checks(Outcome::Infra, "the try did not end".to_owned());
    };
    let answered = response.is_some();
    let because = |sentence: &str| match words::shorten(detail).trim() {
        "" => sentence.to_owned(),
        detail => format!("{sentence}: {detail}"),
    };
    match end {
        End::Time => return Judgement::without_checks(Outcome::Timeout, because("the time ran out")),
        End::Actions => return Judgement::without_checks(Outcome::Budget, because("the actions ran out")),
        End::Money => {
            return Judgement::without_checks(Outcome::Budget, because("what models may cost ran out"));
        }
        End::Blocked => {
            return Judgement::without_checks(Outcome::Blocked, because("the site kept the agent out"));
        }
        End::Invalid => {
            return Judgement::without_checks(Outcome::Invalid, because("the task could not be asked"));
        }
        End::Infra => return Judgement::without_checks(Outcome::Infra, because("the harness failed")),
        End::Answered if !answered => {
            return Judgement::without_checks(
                Outcome::Infra,
                "the agent's answer was not recorded".to_owned(),
            );
        }
        End::Answered | End::Stopped | End::Over => {}
    }
    let gave_up =
        (!answered && end != End::Over).then(|| because("response: the agent stopped without an answer"));
    let judgement = sum_up(decide_all(instance, trajectory, response, blobs), gave_up);
    match judgement.outcome {
        Outcome::Fail => excused_by_a_wall(judgement, trajectory, blobs),
        _ => judgement,
    }
}

/// An agent that failed in front of a wall was kept out; its checks are shown all the same.
fn excused_by_a_wall(failed: Judgement, trajectory: &Trajectory, blobs: &dyn BlobSource) -> Judgement {
    let Some(wall) = walls::at_the_end(trajectory, blobs) else { return failed };
    let Judgement { mut checks, .. } = failed;
    checks.push(CheckResult {
        kind: "wall".to_owned(),
        expected: "no wall where the attempt ended".to_owned(),
        held: false,
        found: wall.reason.clone(),
        evidence: vec![wall.evidence],
    });
    let reason = format!("the site kept the agent out: {}", wall.reason);
    Judgement { outcome: Outcome::Blocked, reason, checks }
}

/// Judges backend checks alone, for attempts whose other evidence is judged elsewhere. The answers are those of
/// `umpire_backend::ask`, which keeps them whole.
pub fn evaluate_backend(checks: &[BackendCheck], answers: &[BackendAnswer]) -> BackendJudgement {
    let answers = RecordedAnswers::in_hand(answers);
    let decided = checks.iter().map(|check| backend_decided(check, &answers)).collect();
    let Judgement { outcome, reason, checks } = sum_up(decided, None);
    BackendJudgement { outcome, reason, checks }
}

/// What backend checks come to; the evidence of a check is the position of its answer.
#[derive(Clone, Debug, PartialEq)]
pub struct BackendJudgement {
    pub outcome: Outcome,
    pub reason: String,
    pub checks: Vec<CheckResult>,
}

/// A check with what became of it.
struct Decided {
    kind: &'static str,
    expected: String,
    ruling: Result<Ruling, Undecided>,
}

fn decide_all(
    instance: &Instance,
    trajectory: &Trajectory,
    response: Option<&RecordedResponse<'_>>,
    blobs: &dyn BlobSource,
) -> Vec<Decided> {
    let states = RecordedStates::new(trajectory, blobs);
    let answers = RecordedAnswers::of(trajectory, blobs);
    let decide = |check: &Check| match check {
        Check::Response(check) => Decided {
            kind: "response",
            expected: response_check::in_words(check, instance.kind),
            ruling: response_check::rule(check, instance.kind, response),
        },
        Check::Network(check) => Decided {
            kind: "network",
            expected: network::in_words(check),
            ruling: network::rule(check, trajectory, blobs),
        },
        Check::State(check) => {
            Decided { kind: "state", expected: state::in_words(check), ruling: state::rule(check, &states) }
        }
        Check::Backend(check) => backend_decided(check, &answers),
        Check::Activity(check) => Decided {
            kind: "activity",
            expected: activity::in_words(check),
            ruling: activity::rule(check, trajectory),
        },
        Check::Reward(check) => Decided {
            kind: "reward",
            expected: reward::in_words(check),
            ruling: Ok(reward::rule(check, trajectory)),
        },
        Check::Undecidable(check) => Decided {
            kind: "undecidable",
            expected: check.reason.clone(),
            ruling: Err(Undecided::Broken(check.reason.clone())),
        },
    };
    instance.checks.iter().map(decide).collect()
}

fn backend_decided(check: &BackendCheck, answers: &RecordedAnswers<'_>) -> Decided {
    Decided { kind: "backend", expected: backend::in_words(check), ruling: backend::rule(check, answers) }
}

fn sum_up(decided: Vec<Decided>, gave_up: Option<String>) -> Judgement {
    if decided.is_empty() {
        let reason = "the task has no checks: it could never fail".to_owned();
        return Judgement::without_checks(Outcome::Invalid, reason);
    }
    let broken = decided.iter().enumerate().find_map(|(at, check)| match &check.ruling {
        Err(problem @ Undecided::Broken(_)) => Some(format!("check {} ({}): {problem}", at + 1, check.kind)),
        _ => None,
    });
    let failed = gave_up.or_else(|| {
        decided.iter().find_map(|check| match &check.ruling {
            Ok(Ruling::Failed { reason, .. }) => Some(reason.clone()),
            _ => None,
        })
    });
    let unknown = decided.iter().find_map(|check| match &check.ruling {
        Err(problem @ Undecided::NoEvidence(_)) => Some(format!("{}: {problem}", check.kind)),
        _ => None,
    });
    let (outcome, reason) = match (broken, failed, unknown) {
        (Some(reason), _, _) => (Outcome::Invalid, reason),
        (None, Some(reason), _) => (Outcome::Fail, reason),
        (None, None, Some(reason)) => (Outcome::Infra, reason),
        (None, None, None) if decided.len() == 1 => (Outcome::Pass, "the check held".to_owned()),
        (None, None, None) => (Outcome::Pass, format!("all {} checks held", decided.len())),
    };
    Judgement { outcome, reason, checks: decided.into_iter().map(written).collect() }
}

fn written(Decided { kind, expected, ruling }: Decided) -> CheckResult {
    let (held, found, evidence) = match ruling {
        Ok(Ruling::Held { found, evidence }) => (true, found, evidence),
        Ok(Ruling::Failed { found, evidence, .. }) => (false, found, evidence),
        Err(problem) => (false, problem.to_string(), Vec::new()),
    };
    CheckResult { kind: kind.to_owned(), expected, held, found, evidence }
}
