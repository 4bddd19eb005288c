use serde::Serialize;

use super::{Share, cohen_kappa};
use crate::Paired;

/// A judge's successes and failures against those of people. "Positive" is success.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Confusion {
    pub true_positive: usize,
    /// The judge saw a success where there was none.
    pub false_positive: usize,
    /// The judge missed a success.
    pub false_negative: usize,
    pub true_negative: usize,
}

impl Confusion {
    /// Counts pairs of (what people said, what the judge said).
    pub fn of(pairs: impl IntoIterator<Item = (bool, bool)>) -> Self {
        let mut counted = Self::default();
        for pair in pairs {
            *match pair {
                (true, true) => &mut counted.true_positive,
                (false, true) => &mut counted.false_positive,
                (true, false) => &mut counted.false_negative,
                (false, false) => &mut counted.true_negative,
            } += 1;
        }
        counted
    }

    pub fn total(&self) -> usize {
        self.true_positive + self.false_positive + self.false_negative + self.true_negative
    }

    /// Also called accuracy: how often judge and people say the same.
    pub fn agreement(&self) -> Share {
        Share::new(self.true_positive + self.true_negative, self.total())
    }

    /// Of what the judge called a success, how much was one.
    pub fn precision(&self) -> Share {
        Share::new(self.true_positive, self.true_positive + self.false_positive)
    }

    /// Of the successes, how many the judge saw; also called sensitivity.
    pub fn recall(&self) -> Share {
        Share::new(self.true_positive, self.true_positive + self.false_negative)
    }

    /// Of the failures, how many the judge saw; also called specificity.
    pub fn true_negative_rate(&self) -> Share {
        Share::new(self.true_negative, self.true_negative + self.false_positive)
    }

    /// None if neither side knows any success.
    pub fn f1(&self) -> Option<f64> {
        let involved = 2 * self.true_positive + self.false_positive + self.false_negative;
        (involved > 0).then(|| 2.0 * self.true_positive as f64 / involved as f64)
    }

    /// Cohen's κ; none if both always say the same one thing.
    pub fn kappa(&self) -> Option<f64> {
        cohen_kappa(self.cells().into_iter().flat_map(|(pair, count)| std::iter::repeat_n(pair, count)))
    }

    fn cells(&self) -> [((bool, bool), usize); 4] {
        [
            ((true, true), self.true_positive),
            ((false, true), self.false_positive),
            ((true, false), self.false_negative),
            ((false, false), self.true_negative),
        ]
    }

    /// The success rate as people see it.
    pub fn human_rate(&self) -> Share {
        Share::new(self.true_positive + self.false_negative, self.total())
    }

    /// The success rate as the judge sees it.
    pub fn judge_rate(&self) -> Share {
        Share::new(self.true_positive + self.false_positive, self.total())
    }

    /// The two rates as paired proportions: their difference is the judge's bias, positive if it is too generous.
    pub fn bias(&self) -> Paired {
        Paired {
            both: self.true_positive,
            lost: self.false_negative,
            gained: self.false_positive,
            neither: self.true_negative,
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn what_cannot_be_computed_is_none() {
        let never = Confusion::of([(true, false), (false, false)]);
        assert_eq!(never.precision().value(), None);
        assert_eq!(never.recall().value(), Some(0.0));
        let no_success = Confusion::of([(false, false), (false, false)]);
        assert_eq!((no_success.f1(), no_success.kappa(), no_success.recall().value()), (None, None, None));
        assert_eq!(Confusion::default().agreement().value(), None);
    }

    #[test]
    fn agrees_with_a_worked_example() {
        // 20 + 15 agreements of 50, from the usual textbook table for Cohen's κ (J. Cohen's formula worked by hand:
        // observed 0.70, expected 0.50, κ = 0.40).
        let table = Confusion { true_positive: 20, false_positive: 10, false_negative: 5, true_negative: 15 };
        assert_eq!(table.agreement().value(), Some(0.7));
        assert!((table.kappa().expect("both vary") - 0.4).abs() < 1e-12);
        assert!((table.f1().expect("successes") - 40.0 / 55.0).abs() < 1e-12);
        assert!((table.bias().difference().expect("pairs") - 0.1).abs() < 1e-12);
    }

    proptest! {
        #[test]
        fn judge_and_people_may_trade_places(pairs in proptest::collection::vec(any::<(bool, bool)>(), 1..80)) {
            let here = Confusion::of(pairs.iter().copied());
            let there = Confusion::of(pairs.iter().map(|&(human, judge)| (judge, human)));
            prop_assert_eq!(here.agreement(), there.agreement());
            prop_assert_eq!(here.precision(), there.recall());
            prop_assert_eq!(here.f1(), there.f1());
            let same = match (here.kappa(), there.kappa()) {
                (Some(a), Some(b)) => (a - b).abs() < 1e-9,
                (a, b) => a == b,
            };
            prop_assert!(same);
        }

        #[test]
        fn f1_lies_between_precision_and_recall(pairs in proptest::collection::vec(any::<(bool, bool)>(), 1..80)) {
            let table = Confusion::of(pairs);
            if let (Some(p), Some(r), Some(f1)) = (table.precision().value(), table.recall().value(), table.f1()) {
                prop_assert!(p.min(r) - 1e-12 <= f1 && f1 <= p.max(r) + 1e-12);
            }
        }
    }
}
