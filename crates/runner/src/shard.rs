use std::fmt;
use std::str::FromStr;

use crate::Plan;

/// One of several shares of a plan, for machines that share no server: each makes its own, and the runs are merged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    /// From 1.
    index: usize,
    of: usize,
}

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is no share: write 3/8 for the third of eight")]
pub struct BadShard(String);

impl FromStr for Shard {
    type Err = BadShard;

    fn from_str(text: &str) -> Result<Self, BadShard> {
        let bad = || BadShard(text.to_owned());
        let (index, of) = text.split_once('/').ok_or_else(bad)?;
        let (index, of) = (index.parse().map_err(|_| bad())?, of.parse().map_err(|_| bad())?);
        if (1..=of).contains(&index) { Ok(Self { index, of }) } else { Err(bad()) }
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.index, self.of)
    }
}

impl Plan {
    /// Leaves the attempts of one share to be made. The run stays the same run, of all attempts: its name, manifest and
    /// instances do not depend on how it is shared out. All agents meet an instance on the same machine, so that no
    /// comparison is between machines.
    #[must_use]
    pub fn share(mut self, shard: Shard) -> Self {
        let agents = self.request.agents.len().max(1);
        let mut position = 0;
        self.units.retain(|_| {
            let turn = position / agents;
            position += 1;
            turn % shard.of == shard.index - 1
        });
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{PlanRequest, load_suite};
    use std::collections::BTreeSet;
    use umpire_agents::AgentSpec;
    use umpire_model::{AttemptId, GuardMode, HistorySettings, Limits, StatesBy, Viewport};

    #[test]
    fn shares_are_read_and_told() {
        for good in ["1/1", "3/8", "8/8"] {
            assert_eq!(good.parse::<Shard>().map(|shard| shard.to_string()), Ok(good.to_owned()));
        }
        for bad in ["", "3", "0/8", "9/8", "3/0", "-1/2", "1/2/3", "a/b", "1.5/2"] {
            assert_eq!(bad.parse::<Shard>(), Err(BadShard(bad.to_owned())), "{bad}");
        }
    }

    #[test]
    fn shares_are_disjoint_whole_and_even_and_keep_agents_together() {
        let agents = ["oracle", "heuristic", "yes"];
        let named = |kind: &&str| ((*kind).to_owned(), AgentSpec::built_in(kind).expect("built in"));
        let request = PlanRequest {
            agents: agents.iter().map(named).collect(),
            filter: None,
            trials: 2,
            perturbations: Vec::new(),
            seed: 1,
            limits: Limits::default(),
            viewport: Viewport::default(),
            retries: 0,
            repeat: 0,
            today: "2026-01-01".parse().expect("a day"),
            guard: GuardMode::default(),
            states: StatesBy::default(),
            history: HistorySettings {
                method: "lexical".to_owned(),
                keys: "all".to_owned(),
                most: 20,
                threshold: None,
                accesses: 3,
                embedder: None,
                histories: None,
            },
        };
        let plan = Plan::build(load_suite("smoke").expect("built in"), request).expect("a plan");
        for of in [1, 2, 3, 7, 1000] {
            let shares: Vec<Plan> = (1..=of).map(|index| plan.clone().share(Shard { index, of })).collect();
            let made: Vec<&AttemptId> =
                shares.iter().flat_map(|plan| &plan.units).map(|unit| &unit.id).collect();
            assert_eq!(made.len(), plan.units.len(), "{of}: none twice");
            assert_eq!(made.iter().collect::<BTreeSet<_>>().len(), plan.units.len(), "{of}: all of them");
            let sizes = || shares.iter().map(|plan| plan.units.len());
            assert!(sizes().max().unwrap_or(0) - sizes().min().unwrap_or(0) <= agents.len(), "{of}");
            for share in &shares {
                assert_eq!(share.run, plan.run);
                let mut by_instance: Vec<(u32, &str)> =
                    share.units.iter().map(|unit| (unit.id.trial, unit.id.instance.as_str())).collect();
                by_instance.dedup();
                assert_eq!(by_instance.len() * agents.len(), share.units.len(), "{of}: all agents of each");
            }
        }
    }
}
