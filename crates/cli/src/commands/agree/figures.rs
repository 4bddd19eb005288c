//! The figures of one judge on some attempts, each with its interval.

use std::collections::BTreeSet;

use serde::Serialize;
use umpire_stats::agreement::{Confusion, Share, krippendorff_alpha};
use umpire_stats::{Bootstrap, clustered_bootstrap};
use umpire_stats::{Interval, wilson};

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
    tasks(by_task) < by_task.len()
}

fn tasks<T>(by_task: &[(&str, T)]) -> usize {
    by_task.iter().map(|one| one.0).collect::<BTreeSet<_>>().len()
}

/// The share of `of` among opinions on attempts, with its interval.
fn share_by_task<T: Copy>(
    by_task: &[(&str, T)],
    bootstrap: Bootstrap,
    of: impl Fn(&[T]) -> Share,
) -> Proportion {
    let all: Vec<T> = by_task.iter().map(|one| one.1).collect();
    let share = of(&all);
    let interval = if share.of == 0 {
        None
    } else if !tasks_repeat(by_task) {
        Some(share.interval())
    } else if share.count == 0 || share.count == share.of {
        // Draws of what never varies never vary: only the number of tasks says how much is known.
        let independent = tasks(by_task).min(share.of);
        Some(wilson(if share.count == 0 { 0 } else { independent }, independent))
    } else {
        clustered_bootstrap(by_task, bootstrap, |drawn| of(drawn).value())
    };
    Proportion { share, interval }
}

/// How often something holds.
pub fn proportion(by_task: &[(&str, bool)], bootstrap: Bootstrap) -> Proportion {
    share_by_task(by_task, bootstrap, |flags| Share::counting(flags.iter().copied()))
}

pub fn figures(pairs: &Pairs<'_>, bootstrap: Bootstrap) -> Figures {
    let confusion = Confusion::of(pairs.iter().map(|pair| pair.1));
    let drawn = |statistic: &dyn Fn(Confusion) -> Option<f64>| {
        clustered_bootstrap(pairs, bootstrap, |pairs| statistic(Confusion::of(pairs.iter().copied())))
    };
    let proportion = |of: &dyn Fn(&Confusion) -> Share| {
        share_by_task(pairs, bootstrap, |pairs| of(&Confusion::of(pairs.iter().copied())))
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
        bias: bias(pairs, bootstrap),
        confusion,
    }
}

/// Judge's rate less people's, as paired proportions.
pub fn bias(pairs: &Pairs<'_>, bootstrap: Bootstrap) -> Estimate {
    let of = |pairs: &[(bool, bool)]| Confusion::of(pairs.iter().copied()).bias();
    let all = Confusion::of(pairs.iter().map(|pair| pair.1)).bias();
    let interval = if tasks_repeat(pairs) {
        clustered_bootstrap(pairs, bootstrap, |pairs| of(pairs).difference())
    } else {
        (!pairs.is_empty()).then(|| all.interval())
    };
    Estimate { value: all.difference(), interval }
}
