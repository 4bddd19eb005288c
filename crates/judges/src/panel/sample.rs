//! A part of the attempts that stands for all of them.

use std::collections::BTreeMap;

use umpire_model::Digest;

use super::Brought;

/// What a sample keeps its share of.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Stratum {
    pub agent: String,
    pub site: String,
    pub difficulty: String,
}

impl Stratum {
    fn of(brought: &Brought) -> Self {
        Self {
            agent: brought.attempt.agent.clone(),
            site: brought.instance.sites.join("+"),
            difficulty: format!("{:?}", brought.instance.difficulty).to_lowercase(),
        }
    }
}

/// At most so many, each stratum with its share: rounded down first, the rest to the largest remainders. Which ones
/// within a stratum is decided by their names' digests: the same sample every time, and none of our choosing.
pub fn stratified(all: Vec<Brought>, most: usize) -> Vec<Brought> {
    let total = all.len();
    if total <= most {
        return all;
    }
    let mut strata: BTreeMap<Stratum, Vec<(Digest, usize)>> = BTreeMap::new();
    for (place, brought) in all.iter().enumerate() {
        let digest = Digest::of(brought.attempt.to_string().as_bytes());
        strata.entry(Stratum::of(brought)).or_default().push((digest, place));
    }
    let mut quotas: Vec<(usize, usize, &Stratum)> = strata
        .iter()
        .map(|(stratum, members)| (members.len() * most / total, members.len() * most % total, stratum))
        .collect();
    let given: usize = quotas.iter().map(|(quota, ..)| quota).sum();
    quotas.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.2.cmp(b.2)));
    for quota in quotas.iter_mut().take(most - given) {
        quota.0 += 1;
    }
    let mut places: Vec<usize> = quotas
        .iter()
        .flat_map(|(quota, _, stratum)| {
            let mut members = strata[*stratum].clone();
            members.sort();
            members.into_iter().take(*quota).map(|(_, place)| place).collect::<Vec<_>>()
        })
        .collect();
    places.sort_unstable();
    places.into_iter().map(|place| all[place].clone()).collect()
}
