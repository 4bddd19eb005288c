use serde::Serialize;

use super::{Share, cohen_kappa, fleiss_kappa, krippendorff_alpha};

/// How far people agree with each other: what no judge can be shown to exceed.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Ceiling {
    /// Attempts with at least two annotations.
    pub attempts: usize,
    /// Annotations of the attempt that has most.
    pub annotators: usize,
    /// Of all pairs of annotations of one attempt that both decide, how many say the same.
    pub agreement: Share,
    /// The same where an annotator who did not decide agrees with nobody.
    pub agreement_undecided_differ: Share,
    /// Cohen's κ of first and second annotation, if no attempt has more than two.
    pub cohen_kappa: Option<f64>,
    /// Fleiss' κ over the attempts that have `annotators` decided annotations.
    pub fleiss_kappa: Option<f64>,
    pub krippendorff_alpha: Option<f64>,
}

/// One list an attempt, of what each annotator said; `None` is one who looked and did not decide.
pub fn human_ceiling(attempts: &[Vec<Option<bool>>]) -> Ceiling {
    let shared: Vec<&Vec<Option<bool>>> = attempts.iter().filter(|given| given.len() >= 2).collect();
    let annotators = shared.iter().map(|given| given.len()).max().unwrap_or(0);
    let decided: Vec<Vec<bool>> =
        shared.iter().map(|given| given.iter().flatten().copied().collect()).collect();
    let pairs = |given: &[bool]| {
        let all = given.len() * given.len().saturating_sub(1) / 2;
        let successes = given.iter().filter(|&&success| success).count();
        let failures = given.len() - successes;
        let same = successes * successes.saturating_sub(1) / 2 + failures * failures.saturating_sub(1) / 2;
        (same, all)
    };
    let (same, of) = decided.iter().map(|given| pairs(given)).fold((0, 0), |a, b| (a.0 + b.0, a.1 + b.1));
    let with_undecided = shared.iter().map(|given| given.len() * (given.len() - 1) / 2).sum();
    let full: Vec<Vec<usize>> = decided
        .iter()
        .filter(|given| given.len() == annotators)
        .map(|given| {
            let successes = given.iter().filter(|&&success| success).count();
            vec![successes, given.len() - successes]
        })
        .collect();
    let couples = decided.iter().filter(|given| given.len() == 2).map(|given| (given[0], given[1]));
    Ceiling {
        attempts: shared.len(),
        annotators,
        agreement: Share::new(same, of),
        agreement_undecided_differ: Share::new(same, with_undecided),
        cohen_kappa: if annotators == 2 { cohen_kappa(couples) } else { None },
        fleiss_kappa: fleiss_kappa(&full),
        krippendorff_alpha: krippendorff_alpha(&decided),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn undecided_annotators_are_counted_both_ways() {
        let (yes, no, unsure) = (Some(true), Some(false), None);
        let ceiling =
            human_ceiling(&[vec![yes, yes], vec![no, no], vec![yes, no], vec![unsure, yes], vec![yes]]);
        assert_eq!((ceiling.attempts, ceiling.annotators), (4, 2));
        assert_eq!(ceiling.agreement, Share::new(2, 3));
        assert_eq!(ceiling.agreement_undecided_differ, Share::new(2, 4));
    }

    #[test]
    fn three_annotators_make_three_pairs() {
        let (yes, no) = (Some(true), Some(false));
        let ceiling = human_ceiling(&[vec![yes, yes, no], vec![no, no, no], vec![yes, yes]]);
        assert_eq!(ceiling.agreement, Share::new(1 + 3 + 1, 3 + 3 + 1));
        assert_eq!(ceiling.cohen_kappa, None);
        assert!(ceiling.fleiss_kappa.is_some() && ceiling.krippendorff_alpha.is_some());
    }

    #[test]
    fn nobody_twice_is_no_ceiling() {
        let ceiling = human_ceiling(&[vec![Some(true)], vec![]]);
        assert_eq!((ceiling.attempts, ceiling.agreement.value()), (0, None));
    }
}
