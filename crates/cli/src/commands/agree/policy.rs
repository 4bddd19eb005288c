//! What is done with attempts on which somebody is silent. Nothing is left out without being counted.

use std::collections::BTreeSet;

use serde::Serialize;

use super::attempts::Attempt;
use super::opinion::Opinion;
use crate::args::{AgreeArgs, Missing, Unexecutable, Unlabelled};
use crate::failure::Failure;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Policies {
    pub missing: Missing,
    pub unlabelled: Unlabelled,
    pub unexecutable: Unexecutable,
}

impl From<&AgreeArgs> for Policies {
    fn from(args: &AgreeArgs) -> Self {
        Self { missing: args.missing, unlabelled: args.unlabelled, unexecutable: args.unexecutable }
    }
}

/// An attempt as it is counted for one judge.
#[derive(Clone, Copy)]
pub struct Judged<'a> {
    /// Its place among all attempts, by which judges' opinions on it are brought together.
    pub at: usize,
    pub attempt: &'a Attempt,
    /// None if nobody labelled it.
    pub human: Option<bool>,
    pub judge: bool,
}

/// How many attempts each policy concerned.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Concerned {
    /// With a label, counted in the agreement.
    pub compared: usize,
    /// Labelled, but without a verdict.
    pub missing: usize,
    /// With a verdict, but without a label.
    pub unlabelled: usize,
    /// Called impossible to carry out.
    pub unexecutable: usize,
    /// Agents the judge has no verdict on at all; none of their attempts is counted.
    pub agents_not_judged: Vec<String>,
}

/// The success of an attempt as people see it; none if it does not count.
pub fn human_success(attempt: &Attempt, policies: Policies) -> Option<bool> {
    match (attempt.human, policies.unexecutable) {
        (Opinion::Success, _) => Some(true),
        (Opinion::Failure, _) | (Opinion::Unexecutable, Unexecutable::Failure) => Some(false),
        (Opinion::Undecided, _) | (Opinion::Unexecutable, Unexecutable::Drop) => None,
    }
}

/// The attempts that count for a judge.
///
/// An agent it never judged is left out as a whole: that nobody ran the judge there says nothing about the judge.
pub fn apply<'a>(
    attempts: &'a [Attempt],
    judge: (usize, &str),
    policies: Policies,
) -> Result<(Vec<Judged<'a>>, Concerned), Failure> {
    let (index, name) = judge;
    let agents = |judged: bool| -> BTreeSet<Option<&str>> {
        attempts
            .iter()
            .filter(|attempt| !judged || attempt.verdicts[index].is_some())
            .map(|attempt| attempt.agent.as_deref())
            .collect()
    };
    let judged_agents = agents(true);
    let mut concerned = Concerned {
        agents_not_judged: agents(false)
            .difference(&judged_agents)
            .map(|agent| agent.unwrap_or_default().to_owned())
            .collect(),
        ..Concerned::default()
    };
    let mut counted = Vec::new();
    for (at, attempt) in attempts.iter().enumerate() {
        if !judged_agents.contains(&attempt.agent.as_deref()) {
            continue;
        }
        let verdict = attempt.verdicts[index];
        if attempt.human == Opinion::Undecided {
            let Some(judge) = verdict else { continue };
            concerned.unlabelled += 1;
            if policies.unlabelled == Unlabelled::Fail {
                return Err(Failure::new(format!("{}: there is no label for this attempt", attempt.place))
                    .help("--unlabelled drop leaves such attempts out of the agreement"));
            }
            counted.push(Judged { at, attempt, human: None, judge });
            continue;
        }
        concerned.unexecutable += usize::from(attempt.human == Opinion::Unexecutable);
        let Some(human) = human_success(attempt, policies) else { continue };
        concerned.missing += usize::from(verdict.is_none());
        let judge = match (verdict, policies.missing) {
            (Some(verdict), _) => verdict,
            (None, Missing::CountAsFailure) => false,
            (None, Missing::Drop) => continue,
            (None, Missing::Fail) => {
                return Err(Failure::new(format!("{}: {name} has no verdict on this attempt", attempt.place))
                    .help("--missing drop leaves such attempts out, --missing count-as-failure counts them as failures"));
            }
        };
        concerned.compared += 1;
        counted.push(Judged { at, attempt, human: Some(human), judge });
    }
    Ok((counted, concerned))
}
