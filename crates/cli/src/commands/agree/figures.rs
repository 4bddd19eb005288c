//! The figures of one judge on some attempts, each with its interval.

use std::collections::BTreeSet;

use serde::Serialize;
use umpire_stats::Interval;
use umpire_stats::agreement::{Bootstrap, Confusion, Share, clustered_bootstrap, krippendorff_alpha};

use super::policy::Judged;

/// A figure that is not a plain share.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Estimate {
    pub value: Option<f64>,
    pub interval: Option<Interval>,
}

/// A share with the interval that suits where it comes from: by task where tasks repeat, else Wilson's.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Proportion {
    #[serde(flatten)]
    pub share: Share,
    pub interval: Option<Interval>,
}

impl Proportion {
    pub fn value(&self) -> Option<f64> {
        self.share.value()
    }
}

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Figures {
    /// Attempts compared.
    pub n: usize,
    pub confusion: Confusion,
    pub agreement: Proportion,
    /// Agreement of whoever always says what people say most often: what a judge must exceed to be of use.
    pub constant_agreement: Share,
    pub precision: Proportion,
    pub recall: Proportion,
    pub true_negative_rate: Proportion,
    pub f1: Estimate,
    pub cohen_kappa: Estimate,
    pub krippendorff_alpha: Option<f64>,
    pub human_rate: Proportion,
    pub judge_rate: Proportion,
    /// Judge's rate less people's.
    pub bias: Estimate,
}

/// Two opinions on each attempt, by task: what people and judge said.
pub type Pairs<'a> = Vec<(&'a str, (bool, bool))>;

pub fn pairs_of<'a>(judged: &[Judged<'a>]) -> Pairs<'a> {
    let pair = |one: &Judged<'a>| Some((one.attempt.task.as_str(), (one.human?, one.judge)));
    judged.iter().filter_map(pair).collect()
}

/// Whether some task was attempted more than once, so that attempts are not independent.
pub fn tasks_repeat<T>(by_task: &[(&str, T)]) -> bool {
    by_task.iter().map(|one| one.0).collect::<BTreeSet<_>>().len() < by_task.len()
}

/// How often something holds.
pub fn proportion(by_task: &[(&str, bool)], draws: Bootstrap) -> Proportion {
    let share = Share::counting(by_task.iter().map(|one| one.1));
    let drawn = |flags: &[bool]| Share::counting(flags.iter().copied()).value();
    let interval = if tasks_repeat(by_task) {
        clustered_bootstrap(by_task, draws, drawn)
    } else {
        (share.of > 0).then(|| share.interval())
    };
    Proportion { share, interval }
}

pub fn figures(pairs: &Pairs<'_>, draws: Bootstrap) -> Figures {
    let confusion = Confusion::of(pairs.iter().map(|pair| pair.1));
    let repeated = tasks_repeat(pairs);
    let drawn = |statistic: &dyn Fn(Confusion) -> Option<f64>| {
        clustered_bootstrap(pairs, draws, |pairs| statistic(Confusion::of(pairs.iter().copied())))
    };
    let proportion = |of: &dyn Fn(&Confusion) -> Share| {
        let share = of(&confusion);
        let interval = match (share.of, repeated) {
            (0, _) => None,
            (_, true) => drawn(&|table| of(&table).value()),
            (_, false) => Some(share.interval()),
        };
        Proportion { share, interval }
    };
    let estimate = |of: &dyn Fn(Confusion) -> Option<f64>| {
        let value = of(confusion);
        Estimate { value, interval: value.and_then(|_| drawn(of)) }
    };
    let human_rate = confusion.human_rate();
    let both: Vec<Vec<bool>> = pairs.iter().map(|(_, (human, judge))| vec![*human, *judge]).collect();
    Figures {
        n: pairs.len(),
        agreement: proportion(&Confusion::agreement),
        constant_agreement: Share::new(human_rate.count.max(human_rate.of - human_rate.count), human_rate.of),
        precision: proportion(&Confusion::precision),
        recall: proportion(&Confusion::recall),
        true_negative_rate: proportion(&Confusion::true_negative_rate),
        f1: estimate(&|table| table.f1()),
        cohen_kappa: estimate(&|table| table.kappa()),
        krippendorff_alpha: krippendorff_alpha(&both),
        human_rate: proportion(&Confusion::human_rate),
        judge_rate: proportion(&Confusion::judge_rate),
        bias: bias(pairs, draws),
        confusion,
    }
}

/// Judge's rate less people's, as paired proportions.
pub fn bias(pairs: &Pairs<'_>, draws: Bootstrap) -> Estimate {
    let of = |pairs: &[(bool, bool)]| Confusion::of(pairs.iter().copied()).bias();
    let all = Confusion::of(pairs.iter().map(|pair| pair.1)).bias();
    let interval = if tasks_repeat(pairs) {
        clustered_bootstrap(pairs, draws, |pairs| of(pairs).difference())
    } else {
        (!pairs.is_empty()).then(|| all.interval())
    };
    Estimate { value: all.difference(), interval }
}
