//! Maximum matching in a bipartite graph. Taking the first partner that fits can leave a later element alone although
//! a complete assignment exists, and then the verdict would depend on the order of the answer.

use std::collections::VecDeque;

/// For each of `right` elements on the right, its partner on the left, in a matching as large as there can be.
/// `accepted[l]` lists the right elements that left element `l` may have.
pub(crate) fn best_partners(accepted: &[Vec<usize>], right: usize) -> Vec<Option<usize>> {
    let mut partner_of = vec![None; right];
    for left in 0..accepted.len() {
        improve(left, accepted, &mut partner_of);
    }
    partner_of
}

/// Gives `start` a partner if that is possible by moving others to their second choice: a breadth-first search for an
/// augmenting path, iterative so that long lists do not use up the stack.
fn improve(start: usize, accepted: &[Vec<usize>], partner_of: &mut [Option<usize>]) {
    let mut reached_from: Vec<Option<usize>> = vec![None; partner_of.len()];
    let mut queue = VecDeque::from([start]);
    while let Some(left) = queue.pop_front() {
        for &right in &accepted[left] {
            if reached_from[right].is_some() {
                continue;
            }
            reached_from[right] = Some(left);
            match partner_of[right] {
                Some(taken_by) => queue.push_back(taken_by),
                None => return shift_along(right, &reached_from, accepted, partner_of),
            }
        }
    }
}

/// Walks the path back from a free right element to the left one that has no partner yet, giving each left element on
/// it the later partner.
fn shift_along(
    free: usize,
    reached_from: &[Option<usize>],
    accepted: &[Vec<usize>],
    partner_of: &mut [Option<usize>],
) {
    let mut right = free;
    while let Some(left) = reached_from[right] {
        let before = accepted[left].iter().copied().find(|&other| partner_of[other] == Some(left));
        partner_of[right] = Some(left);
        match before {
            Some(previous) => right = previous,
            None => return,
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn size(partner_of: &[Option<usize>]) -> usize {
        partner_of.iter().flatten().count()
    }

    /// Tries everything; an independent answer for small graphs.
    fn largest(accepted: &[Vec<usize>], used: &mut Vec<bool>) -> usize {
        let Some((first, rest)) = accepted.split_first() else { return 0 };
        let mut best = largest(rest, used);
        for &right in first {
            if !used[right] {
                used[right] = true;
                best = best.max(1 + largest(rest, used));
                used[right] = false;
            }
        }
        best
    }

    #[test]
    fn a_long_chain_of_second_choices() {
        let n = 2000;
        let accepted: Vec<Vec<usize>> =
            (0..n).map(|left| if left == n - 1 { vec![0] } else { vec![left, left + 1] }).collect();
        assert_eq!(size(&best_partners(&accepted, n)), n);
    }

    proptest! {
        #[test]
        fn as_large_as_trying_everything(
            accepted in prop::collection::vec(prop::collection::btree_set(0..6_usize, 0..5), 0..6)
        ) {
            let accepted: Vec<Vec<usize>> = accepted.into_iter().map(|set| set.into_iter().collect()).collect();
            let partner_of = best_partners(&accepted, 6);
            prop_assert_eq!(size(&partner_of), largest(&accepted, &mut vec![false; 6]));
            for (right, left) in partner_of.iter().enumerate() {
                prop_assert!(left.is_none_or(|left| accepted[left].contains(&right)));
            }
            let mut lefts: Vec<_> = partner_of.iter().flatten().collect();
            lefts.sort();
            lefts.dedup();
            prop_assert_eq!(lefts.len(), size(&partner_of));
        }
    }
}
