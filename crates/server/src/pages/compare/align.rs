//! Which step of one attempt goes with which of another.

/// A step as far as it can be like another: where it was and what was done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Like {
    pub place: String,
    pub deed: String,
}

/// More steps than this are put side by side by number alone: aligning takes time and memory by their product.
const MOST: usize = 400;

/// Rows of two columns. Steps that are alike share a row, as many as possible without crossing; what lies between is
/// put side by side as it comes.
pub(crate) fn align(left: &[Like], right: &[Like]) -> Vec<(Option<usize>, Option<usize>)> {
    let mut rows = Vec::with_capacity(left.len().max(right.len()));
    let (mut l, mut r) = (0, 0);
    for (at_left, at_right) in anchors(left, right).into_iter().chain([(left.len(), right.len())]) {
        let (gap_left, gap_right) = (at_left - l, at_right - r);
        for offset in 0..gap_left.max(gap_right) {
            let within = |from: usize, gap: usize| (offset < gap).then_some(from + offset);
            rows.push((within(l, gap_left), within(r, gap_right)));
        }
        if at_left < left.len() && at_right < right.len() {
            rows.push((Some(at_left), Some(at_right)));
        }
        (l, r) = ((at_left + 1).min(left.len()), (at_right + 1).min(right.len()));
    }
    rows
}

/// The longest common subsequence, as pairs of places.
fn anchors(left: &[Like], right: &[Like]) -> Vec<(usize, usize)> {
    if left.len() > MOST || right.len() > MOST {
        return Vec::new();
    }
    let width = right.len() + 1;
    let mut common = vec![0_u16; (left.len() + 1) * width];
    for l in (0..left.len()).rev() {
        for r in (0..right.len()).rev() {
            common[l * width + r] = if left[l] == right[r] {
                common[(l + 1) * width + r + 1] + 1
            } else {
                common[(l + 1) * width + r].max(common[l * width + r + 1])
            };
        }
    }
    let (mut l, mut r, mut pairs) = (0, 0, Vec::new());
    while l < left.len() && r < right.len() {
        if left[l] == right[r] {
            pairs.push((l, r));
            (l, r) = (l + 1, r + 1);
        } else if common[(l + 1) * width + r] >= common[l * width + r + 1] {
            l += 1;
        } else {
            r += 1;
        }
    }
    pairs
}

#[cfg(test)]
mod tests {
    use super::*;

    fn steps(deeds: &str) -> Vec<Like> {
        deeds.chars().map(|deed| Like { place: String::new(), deed: deed.to_string() }).collect()
    }

    #[test]
    fn alike_steps_share_a_row_and_detours_stand_alone() {
        let rows = align(&steps("abcd"), &steps("axcyd"));
        let wanted =
            [(Some(0), Some(0)), (Some(1), Some(1)), (Some(2), Some(2)), (None, Some(3)), (Some(3), Some(4))];
        assert_eq!(rows, wanted);
    }

    #[test]
    fn every_step_is_in_exactly_one_row_in_its_order() {
        let texts = ["", "a", "abcabc", "cba", "aaaa", "abacadae", "xyz", &"ab".repeat(300)];
        for left in texts {
            for right in texts {
                let rows = align(&steps(left), &steps(right));
                let seen_left: Vec<usize> = rows.iter().filter_map(|(l, _)| *l).collect();
                let seen_right: Vec<usize> = rows.iter().filter_map(|(_, r)| *r).collect();
                assert_eq!(seen_left, (0..left.len()).collect::<Vec<_>>(), "{left} {right}");
                assert_eq!(seen_right, (0..right.len()).collect::<Vec<_>>(), "{left} {right}");
                assert!(rows.iter().all(|row| *row != (None, None)));
            }
        }
    }
}
