//! Lists: as many elements as expected, each with a partner of its own, in the given order or in any.

use serde_json::Value;

use super::matching::best_partners;
use super::{Expected, Order};

/// Which elements found no partner, by position.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct ListComparison {
    pub(crate) missing: Vec<usize>,
    pub(crate) unexpected: Vec<usize>,
}

impl ListComparison {
    pub(crate) fn is_match(&self) -> bool {
        self.missing.is_empty() && self.unexpected.is_empty()
    }
}

pub(crate) fn compare_lists(expected: &[Expected], actual: &[Value], order: Order) -> ListComparison {
    // Elements are not compared when their number is wrong: a hostile list may be very long.
    if expected.len() != actual.len() {
        return ListComparison {
            missing: (actual.len()..expected.len()).collect(),
            unexpected: (expected.len()..actual.len()).collect(),
        };
    }
    match order {
        Order::Given => {
            let apart: Vec<usize> =
                (0..expected.len()).filter(|&at| !expected[at].accepts(&actual[at])).collect();
            ListComparison { missing: apart.clone(), unexpected: apart }
        }
        Order::Any => {
            let accepted: Vec<Vec<usize>> = expected
                .iter()
                .map(|expected| (0..actual.len()).filter(|&at| expected.accepts(&actual[at])).collect())
                .collect();
            let partner_of = best_partners(&accepted, actual.len());
            ListComparison {
                missing: (0..expected.len()).filter(|at| !partner_of.contains(&Some(*at))).collect(),
                unexpected: (0..actual.len()).filter(|&at| partner_of[at].is_none()).collect(),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::values::ValueType;

    fn compare(expected: &[Value], actual: &[Value], order: Order) -> ListComparison {
        let expected: Vec<Expected> = expected
            .iter()
            .map(|value| ValueType::Inferred.expect(value, order).expect("readable"))
            .collect();
        compare_lists(&expected, actual, order)
    }

    #[test]
    fn alternatives_are_shared_out_so_that_all_find_a_partner() {
        let expected = [json!(["a", "b"]), json!("a")];
        for actual in [[json!("a"), json!("b")], [json!("b"), json!("a")]] {
            assert!(compare(&expected, &actual, Order::Any).is_match(), "{actual:?}");
        }
        assert!(!compare(&expected, &[json!("b"), json!("b")], Order::Any).is_match());
    }

    #[test]
    fn order_and_number_count() {
        let expected = [json!(1), json!(2), json!(2)];
        for (actual, any, given) in [
            (vec![json!(1), json!(2), json!(2)], true, true),
            (vec![json!(2), json!(1), json!(2)], true, false),
            (vec![json!(1), json!(1), json!(2)], false, false),
            (vec![json!(1), json!(2)], false, false),
            (vec![json!(1), json!(2), json!(2), json!(2)], false, false),
        ] {
            assert_eq!(compare(&expected, &actual, Order::Any).is_match(), any, "{actual:?}");
            assert_eq!(compare(&expected, &actual, Order::Given).is_match(), given, "{actual:?}");
        }
        assert!(compare(&[], &[], Order::Any).is_match());
    }

    #[test]
    fn the_lonely_are_named() {
        let comparison = compare(&[json!("a"), json!("b")], &[json!("c"), json!("a")], Order::Any);
        assert_eq!(comparison, ListComparison { missing: vec![1], unexpected: vec![0] });
    }
}
