use serde::Serialize;

use super::{Confusion, Share, cohen_kappa, fleiss_kappa};

/// Several judges on the same attempts: what they say to each other, and what their votes would be worth.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Panel {
    pub judges: usize,
    /// How often all say the same.
    pub unanimous: Share,
    /// How often they are right where all say the same.
    pub right_if_unanimous: Share,
    /// Cohen's κ between two judges, Fleiss' κ between more.
    pub kappa: Option<f64>,
    /// Success only if all say so.
    pub and: Confusion,
    /// Success if any says so.
    pub or: Confusion,
    /// Success if more than half say so; only for three judges and more, where it differs from the other two.
    pub majority: Option<Confusion>,
}

/// From one (what people said, what each judge said) an attempt, judges in the same order everywhere; none for fewer than
/// two judges.
pub fn panel_of(attempts: &[(bool, Vec<bool>)]) -> Option<Panel> {
    let judges = attempts.first()?.1.len();
    if judges < 2 || attempts.iter().any(|(_, verdicts)| verdicts.len() != judges) {
        return None;
    }
    let all = |verdicts: &[bool]| verdicts.iter().all(|&success| success);
    let any = |verdicts: &[bool]| verdicts.iter().any(|&success| success);
    let most = |verdicts: &[bool]| 2 * verdicts.iter().filter(|&&success| success).count() > verdicts.len();
    let vote = |rule: &dyn Fn(&[bool]) -> bool| {
        Confusion::of(attempts.iter().map(|(human, verdicts)| (*human, rule(verdicts))))
    };
    let same = |verdicts: &[bool]| all(verdicts) == any(verdicts);
    let unanimous = attempts.iter().filter(|(_, verdicts)| same(verdicts));
    let counts: Vec<Vec<usize>> = attempts
        .iter()
        .map(|(_, verdicts)| {
            let successes = verdicts.iter().filter(|&&success| success).count();
            vec![successes, judges - successes]
        })
        .collect();
    let kappa = if judges == 2 {
        cohen_kappa(attempts.iter().map(|(_, verdicts)| (verdicts[0], verdicts[1])))
    } else {
        fleiss_kappa(&counts)
    };
    Some(Panel {
        judges,
        unanimous: Share::counting(attempts.iter().map(|(_, verdicts)| same(verdicts))),
        right_if_unanimous: Share::counting(unanimous.map(|(human, verdicts)| *human == verdicts[0])),
        kappa,
        and: vote(&all),
        or: vote(&any),
        majority: (judges > 2).then(|| vote(&most)),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn votes_are_counted_against_people() {
        let attempts = [
            (true, vec![true, true, true]),
            (true, vec![true, true, false]),
            (false, vec![true, false, false]),
            (false, vec![false, false, false]),
        ];
        let panel = panel_of(&attempts).expect("three judges");
        assert_eq!((panel.unanimous, panel.right_if_unanimous), (Share::new(2, 4), Share::new(2, 2)));
        assert_eq!(panel.and.agreement(), Share::new(3, 4));
        assert_eq!(panel.or.agreement(), Share::new(3, 4));
        assert_eq!(panel.majority.expect("three").agreement(), Share::new(4, 4));
    }

    #[test]
    fn one_judge_is_no_panel() {
        assert_eq!(panel_of(&[(true, vec![true])]), None);
        assert_eq!(panel_of(&[]), None);
        assert_eq!(panel_of(&[(true, vec![true, true]), (true, vec![true])]), None);
    }
}
