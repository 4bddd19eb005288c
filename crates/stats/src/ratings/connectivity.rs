use super::{ModelId, Pairs};

/// Which models can be compared at all, and which have a finite rating.
///
/// Ratings of two models are comparable if a chain of battles leads from one to the other (a *weak* component). They are
/// finite if, besides, no group in it won all its battles against the rest, that is if points were taken in both
/// directions (one *strong* component).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Connectivity {
    /// Each in ascending order of ids; every model is in one.
    pub weak: Vec<Vec<ModelId>>,
    /// From the bottom up: whoever is in a later one and met one in an earlier took all the points.
    pub strong: Vec<Vec<ModelId>>,
}

impl Connectivity {
    pub fn of(pairs: &Pairs) -> Self {
        Self { weak: weak_components(pairs), strong: strong_components(pairs) }
    }

    /// Whether every rating has a finite maximum-likelihood estimate (up to the level of each component).
    pub fn has_finite_mle(&self) -> bool {
        self.weak.len() == self.strong.len()
    }

    /// The strong components that a weak one consists of.
    pub fn blocks_of<'a>(&'a self, component: &'a [ModelId]) -> impl Iterator<Item = &'a Vec<ModelId>> {
        self.strong.iter().filter(|block| component.binary_search(&block[0]).is_ok())
    }
}

fn weak_components(pairs: &Pairs) -> Vec<Vec<ModelId>> {
    let mut parent: Vec<usize> = (0..pairs.models).collect();
    for pair in &pairs.pairs {
        let (one, other) = (root(&mut parent, pair.first as usize), root(&mut parent, pair.second as usize));
        // The smaller id leads, which gives components in order of their first model.
        parent[one.max(other)] = one.min(other);
    }
    let mut components: Vec<Vec<ModelId>> = vec![Vec::new(); pairs.models];
    for model in 0..pairs.models {
        components[root(&mut parent, model)].push(model as ModelId);
    }
    components.retain(|component| !component.is_empty());
    components
}

/// The model that leads a component, with the way to it made shorter.
fn root(parent: &mut [usize], mut at: usize) -> usize {
    while parent[at] != at {
        parent[at] = parent[parent[at]];
        at = parent[at];
    }
    at
}

/// Who took points from whom, as one list with the places where each model's part of it begins.
struct Victories {
    starts: Vec<usize>,
    losers: Vec<ModelId>,
}

impl Victories {
    fn of(pairs: &Pairs) -> Self {
        let victories = || {
            pairs.pairs.iter().flat_map(|pair| {
                let up = (pair.first_points() > 0.0).then_some((pair.first, pair.second));
                let down = (pair.second_points() > 0.0).then_some((pair.second, pair.first));
                up.into_iter().chain(down)
            })
        };
        let mut starts = vec![0; pairs.models + 1];
        for (winner, _) in victories() {
            starts[winner as usize + 1] += 1;
        }
        for at in 1..starts.len() {
            starts[at] += starts[at - 1];
        }
        let mut losers = vec![0; starts[pairs.models]];
        let mut next = starts.clone();
        for (winner, loser) in victories() {
            losers[next[winner as usize]] = loser;
            next[winner as usize] += 1;
        }
        Self { starts, losers }
    }
}

/// Tarjan's algorithm without recursion, which would end at a few thousand models in a row.
fn strong_components(pairs: &Pairs) -> Vec<Vec<ModelId>> {
    const UNSEEN: u32 = u32::MAX;
    let victories = Victories::of(pairs);
    let mut found = Vec::new();
    let mut index = vec![UNSEEN; pairs.models];
    let mut low = vec![0; pairs.models];
    let mut open = vec![false; pairs.models];
    let mut stack: Vec<ModelId> = Vec::new();
    let mut calls: Vec<(usize, usize)> = Vec::new();
    let mut next_index = 0;
    for start in 0..pairs.models {
        if index[start] != UNSEEN {
            continue;
        }
        calls.push((start, victories.starts[start]));
        while let Some(&mut (model, ref mut edge)) = calls.last_mut() {
            if index[model] == UNSEEN {
                index[model] = next_index;
                low[model] = next_index;
                next_index += 1;
                open[model] = true;
                stack.push(model as ModelId);
            }
            if *edge < victories.starts[model + 1] {
                let loser = victories.losers[*edge] as usize;
                *edge += 1;
                if index[loser] == UNSEEN {
                    calls.push((loser, victories.starts[loser]));
                } else if open[loser] {
                    low[model] = low[model].min(index[loser]);
                }
                continue;
            }
            calls.pop();
            if let Some(&(caller, _)) = calls.last() {
                low[caller] = low[caller].min(low[model]);
            }
            if low[model] == index[model] {
                let from = stack.iter().rposition(|&on| on as usize == model).unwrap_or(0);
                let mut block = stack.split_off(from);
                for &member in &block {
                    open[member as usize] = false;
                }
                block.sort_unstable();
                found.push(block);
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::super::{Battles, Winner};
    use super::*;

    fn connectivity(rows: &[(&str, &str, Winner)]) -> Connectivity {
        Connectivity::of(&Pairs::count(&rows.iter().copied().collect::<Battles>()))
    }

    #[test]
    fn points_in_both_directions_make_a_block() {
        let found = connectivity(&[("p", "q", Winner::A), ("q", "r", Winner::A), ("r", "p", Winner::A)]);
        assert_eq!((found.weak.len(), found.strong.len()), (1, 1));
        let found = connectivity(&[("p", "q", Winner::A), ("q", "r", Winner::A), ("p", "r", Winner::A)]);
        assert_eq!(found.strong, [vec![2], vec![1], vec![0]], "from the bottom up");
        assert!(!found.has_finite_mle());
        assert!(connectivity(&[("p", "q", Winner::Tie)]).has_finite_mle());
    }

    #[test]
    fn groups_that_never_met_are_apart() {
        let found = connectivity(&[
            ("p", "q", Winner::Tie),
            ("r", "s", Winner::A),
            ("s", "r", Winner::A),
            ("u", "u", Winner::A),
        ]);
        assert_eq!(found.weak, [vec![0, 1], vec![2, 3], vec![4]]);
        assert!(found.has_finite_mle());
    }

    #[test]
    fn a_long_chain_needs_no_stack() {
        let names: Vec<String> = (0..50_000).map(|id| id.to_string()).collect();
        let rows: Battles = names.windows(2).map(|two| (&*two[0], &*two[1], Winner::A)).collect();
        assert_eq!(Connectivity::of(&Pairs::count(&rows)).strong.len(), 50_000);
    }
}
