//! What the page itself gave for its episode.

use umpire_model::{RewardCheck, Rewarded, Trajectory};

use crate::ruling::Ruling;
use crate::words;

pub(crate) fn in_words(check: &RewardCheck) -> String {
    format!("a reward of at least {} for real input to an untouched page", check.at_least)
}

pub(crate) fn rule(check: &RewardCheck, trajectory: &Trajectory) -> Ruling {
    let Some((seq, rewarded)) = trajectory.reward() else {
        let found = "the episode had not ended".to_owned();
        return Ruling::Failed { reason: format!("reward: {found}"), found, evidence: Vec::new() };
    };
    let found = described(rewarded);
    let evidence = vec![seq];
    if let Some(objection) = rewarded.objection() {
        let found = format!("{found}, but {}", words::shorten(&objection));
        return Ruling::Failed { reason: format!("reward: {found}"), found, evidence };
    }
    if rewarded.raw >= check.at_least {
        return Ruling::Held { found, evidence };
    }
    Ruling::Failed { reason: format!("reward: {found}, not {}", check.at_least), found, evidence }
}

fn described(rewarded: &Rewarded) -> String {
    match &rewarded.reason {
        Some(reason) => format!("{} ({})", rewarded.raw, words::shorten(reason)),
        None => rewarded.raw.to_string(),
    }
}
