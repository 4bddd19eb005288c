//! Rewards that pages give for their own episodes.

use serde_json::json;
use umpire_model::{End, EventBody, Outcome, Rewarded, TaskKind};

use crate::support::Attempt;

fn rewarded(raw: f64) -> Rewarded {
    Rewarded { raw, reason: None, event: Some("click".to_owned()), trusted: true, client_script: None }
}

#[test]
fn only_a_full_reward_for_real_input_passes() {
    let forged = Rewarded { trusted: false, ..rewarded(1.0) };
    let meddled = Rewarded { client_script: Some("Runtime.evaluate".to_owned()), ..rewarded(1.0) };
    for (given, outcome, reason) in [
        (vec![], Outcome::Fail, "reward: the episode had not ended"),
        (vec![rewarded(1.0)], Outcome::Pass, "the check held"),
        (vec![rewarded(0.5)], Outcome::Fail, "reward: 0.5, not 1"),
        (vec![rewarded(-1.0)], Outcome::Fail, "reward: -1, not 1"),
        (vec![rewarded(-1.0), rewarded(1.0)], Outcome::Fail, "reward: -1, not 1"),
        (vec![forged], Outcome::Fail, "reward: 1, but it was given for a click that a script made up"),
        (
            vec![meddled],
            Outcome::Fail,
            "reward: 1, but the agent meddled with the page's script (Runtime.evaluate)",
        ),
    ] {
        let mut attempt = Attempt::default();
        for reward in given {
            attempt.push(EventBody::Rewarded(reward));
        }
        let check = json!([{"type": "reward", "at_least": 1.0}]);
        let verdict = attempt.end(End::Over).judged_by(TaskKind::Mutate, check);
        assert_eq!((verdict.outcome, verdict.reason.as_str()), (outcome, reason));
    }
}
