use serde::Serialize;

use super::{Share, cohen_kappa, fleiss_kappa, krippendorff_alpha};

/// Several judges on the same attempts: how far they agree among themselves.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Panel {
    pub judges: usize,
    /// How often all say the same.
    pub unanimous: Share,
    /// How often they are right where all say the same.
    pub right_if_unanimous: Share,
    /// Cohen's κ between two judges, Fleiss' κ between more.
    pub kappa: Option<f64>,
    pub krippendorff_alpha: Option<f64>,
}

/// Makes one verdict of several.
pub type VotingRule = fn(&[bool]) -> bool;

impl Panel {
    /// How several verdicts become one, by name: success if all, any, or most say so.
    pub const RULES: [(&'static str, VotingRule); 3] = [("all", all), ("any", any), ("most", most)];
}

fn all(verdicts: &[bool]) -> bool {
    verdicts.iter().all(|&success| success)
}

fn any(verdicts: &[bool]) -> bool {
    verdicts.iter().any(|&success| success)
}

/// More than half: a tie is no success.
fn most(verdicts: &[bool]) -> bool {
    2 * verdicts.iter().filter(|&&success| success).count() > verdicts.len()
}

/// From one (what people said, what each judge said) an attempt, judges in the same order everywhere; none for fewer than
/// two judges.
pub fn panel_of(attempts: &[(bool, Vec<bool>)]) -> Option<Panel> {
    let judges = attempts.first()?.1.len();
    if judges < 2 || attempts.iter().any(|(_, verdicts)| verdicts.len() != judges) {
        return None;
    }
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
    let verdicts: Vec<Vec<bool>> = attempts.iter().map(|(_, verdicts)| verdicts.clone()).collect();
    Some(Panel {
        judges,
        unanimous: Share::counting(attempts.iter().map(|(_, verdicts)| same(verdicts))),
        right_if_unanimous: Share::counting(unanimous.map(|(human, verdicts)| *human == verdicts[0])),
        kappa,
        krippendorff_alpha: krippendorff_alpha(&verdicts),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn agreement_among_judges_is_counted_against_people() {
        let attempts = [
            (true, vec![true, true, true]),
            (true, vec![true, true, false]),
            (false, vec![true, false, false]),
            (true, vec![false, false, false]),
        ];
        let panel = panel_of(&attempts).expect("three judges");
        assert_eq!((panel.unanimous, panel.right_if_unanimous), (Share::new(2, 4), Share::new(1, 2)));
    }

    #[test]
    fn rules_differ_where_judges_do() {
        let votes = |verdicts: &[bool]| Panel::RULES.map(|(_, rule)| rule(verdicts));
        assert_eq!(votes(&[true, true, false]), [false, true, true]);
        assert_eq!(votes(&[true, false]), [false, true, false], "a tie is no success");
        assert_eq!(votes(&[true, true]), [true, true, true]);
    }

    #[test]
    fn one_judge_is_no_panel() {
        assert_eq!(panel_of(&[(true, vec![true])]), None);
        assert_eq!(panel_of(&[]), None);
        assert_eq!(panel_of(&[(true, vec![true, true]), (true, vec![true])]), None);
    }
}
