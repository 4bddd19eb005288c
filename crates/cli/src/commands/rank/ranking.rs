//! The ranking of one group of battles: ratings, intervals, ranks, and what to know about them.

use std::collections::BTreeMap;

use serde::Serialize;
use umpire_stats::ratings::{
    Anchor, Battles, Connectivity, Elo, Estimate, Features, Models, Pairs, Penalty, RatingInterval,
    UnknownLabels, Warning, Weighting, WinRates, bootstrap, elo_bootstrap, fit, fit_contextual, online_elo,
    ranks_by_overlap, sandwich_intervals,
};

use super::method::Method;
use crate::args::{IntervalsBy, RatingMethod};
use crate::failure::Failure;

#[derive(Debug, Serialize)]
pub struct Ranking {
    /// The value of `--by`.
    pub group: Option<String>,
    pub battles: usize,
    pub unknown_labels: usize,
    /// The best first.
    pub models: Vec<Ranked>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub style: Vec<StyleEffect>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bootstrap: Option<Drawn>,
    pub warnings: Vec<Notice>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub matrix: Option<Matrix>,
}

#[derive(Debug, Serialize)]
pub struct Ranked {
    /// Among the models it can be compared with.
    pub rank: usize,
    pub model: String,
    pub rating: f64,
    pub low: Option<f64>,
    pub high: Option<f64>,
    pub battles: usize,
    /// Mean share of decided battles won, over opponents.
    pub win_rate: Option<f64>,
    pub estimate: Option<Estimate>,
    /// Models with different numbers cannot be compared.
    pub component: usize,
}

/// What one standard deviation more of a feature does to the log odds of a win.
#[derive(Debug, Serialize)]
pub struct StyleEffect {
    pub feature: String,
    pub coefficient: f64,
}

#[derive(Debug, Serialize)]
pub struct Drawn {
    pub rounds: usize,
    pub seed: u64,
    pub without_finite_mle: usize,
}

/// A warning with the names of models in it.
#[derive(Debug, Serialize)]
pub struct Notice {
    pub kind: &'static str,
    pub message: String,
    pub models: BTreeMap<&'static str, Vec<Vec<String>>>,
}

/// Shares of decided battles that the model of a row won against that of a column, in the order of the ranking.
#[derive(Debug, Serialize)]
pub struct Matrix {
    pub models: Vec<String>,
    pub win_fraction: Vec<Vec<Option<f64>>>,
    pub battles: Vec<Vec<f64>>,
}

/// A group's battles, and what both sides of each show.
pub struct Group<'a> {
    pub name: Option<String>,
    pub battles: &'a Battles,
    pub style: &'a [Vec<(f64, f64)>],
}

struct Estimated {
    ratings: Vec<f64>,
    intervals: Option<Vec<RatingInterval>>,
    estimates: Vec<Option<Estimate>>,
    components: Vec<usize>,
    coefficients: Vec<f64>,
    rounds: Option<Drawn>,
    warnings: Vec<Warning>,
}

/// Battles a pair must have met to count in full, where pairs are to count alike.
const ENOUGH_BATTLES: f64 = 50.0;

pub fn ranking(group: &Group<'_>, method: &Method) -> Result<Ranking, Failure> {
    let models = &group.battles.models;
    let pairs = Pairs::count(group.battles);
    if pairs.pairs.is_empty() {
        let place = group.name.as_ref().map(|name| format!(" in `{name}`")).unwrap_or_default();
        let problem = match models.names().next() {
            Some(only) if models.len() == 1 => format!("`{only}` is the only model{place}"),
            Some(_) => format!("no model ever met another{place}"),
            None => format!("no battle is left{place}"),
        };
        return Err(Failure::new(format!("{problem}: there is nothing to rank"))
            .help("a ranking needs battles between at least two models; --ties half keeps ties"));
    }
    let anchor = method.anchor(models);
    let estimated = match method.rating {
        RatingMethod::Elo => by_elo(group.battles, &pairs, method, anchor),
        RatingMethod::Mle if method.style.is_empty() => by_likelihood(&pairs, method, anchor),
        RatingMethod::Mle => by_style(group, &pairs, method, anchor)?,
    };
    Ok(assemble(group, &pairs, method, estimated))
}

fn by_likelihood(pairs: &Pairs, method: &Method, anchor: Option<Anchor>) -> Estimated {
    let weights = method.reweight.then(|| pairs.pair_weights(ENOUGH_BATTLES));
    let found = fit(pairs, weights.as_deref(), anchor);
    let mut rounds = None;
    let intervals = match method.intervals {
        Some(IntervalsBy::Bootstrap) => {
            let drawn = bootstrap(pairs, &found, anchor, method.rounds, method.seed);
            rounds = Some(Drawn {
                rounds: method.rounds,
                seed: method.seed,
                without_finite_mle: drawn.without_finite_mle,
            });
            drawn.intervals(pairs, &found)
        }
        Some(IntervalsBy::Sandwich) => Some(sandwich_intervals(pairs, weights.as_deref(), &found)),
        None => None,
    };
    Estimated {
        intervals,
        estimates: found.estimates.into_iter().map(Some).collect(),
        components: components(&found.connectivity, pairs.models),
        coefficients: Vec::new(),
        rounds,
        warnings: found.warnings,
        ratings: found.ratings,
    }
}

fn by_elo(battles: &Battles, pairs: &Pairs, method: &Method, anchor: Option<Anchor>) -> Estimated {
    let mut ratings = online_elo(battles, Elo::default());
    let shift = anchor.map_or(0.0, |anchor| anchor.rating - ratings[anchor.model as usize]);
    for rating in &mut ratings {
        *rating += shift;
    }
    let intervals = method.intervals.and_then(|_| {
        let drawn = elo_bootstrap(battles, Elo::default(), method.rounds, method.seed);
        let moved = |interval: RatingInterval| RatingInterval {
            low: interval.low + shift,
            high: interval.high + shift,
            ..interval
        };
        (0..pairs.models).map(|model| drawn.interval(model).map(moved)).collect()
    });
    let connectivity = Connectivity::of(pairs);
    let warnings = if connectivity.weak.len() > 1 {
        vec![Warning::NotComparable { groups: connectivity.weak.clone() }]
    } else {
        Vec::new()
    };
    Estimated {
        estimates: vec![None; ratings.len()],
        components: components(&connectivity, pairs.models),
        coefficients: Vec::new(),
        rounds: intervals.is_some().then_some(Drawn {
            rounds: method.rounds,
            seed: method.seed,
            without_finite_mle: 0,
        }),
        intervals,
        warnings,
        ratings,
    }
}

fn by_style(
    group: &Group<'_>,
    pairs: &Pairs,
    method: &Method,
    anchor: Option<Anchor>,
) -> Result<Estimated, Failure> {
    let features = Features::from_sides(group.style.iter().map(Vec::as_slice), method.style.len());
    let penalty = Penalty::STYLE_CONTROL;
    let found = fit_contextual(group.battles, &features, Weighting::Equal, penalty, anchor)
        .ok_or_else(|| Failure::new("the ratings with --style have no maximum"))?;
    let plain = fit(pairs, None, None);
    Ok(Estimated {
        ratings: found.ratings,
        intervals: Some(found.intervals),
        estimates: vec![Some(Estimate::Regularised); pairs.models],
        components: components(&plain.connectivity, pairs.models),
        coefficients: found.coefficients,
        rounds: None,
        warnings: plain.warnings,
    })
}

fn components(connectivity: &Connectivity, models: usize) -> Vec<usize> {
    let mut component_of = vec![0; models];
    for (number, component) in connectivity.weak.iter().enumerate() {
        for &model in component {
            component_of[model as usize] = number + 1;
        }
    }
    component_of
}

fn assemble(group: &Group<'_>, pairs: &Pairs, method: &Method, estimated: Estimated) -> Ranking {
    let names = &group.battles.models;
    let rates = WinRates::of(pairs, UnknownLabels::LeftOut);
    let battles = pairs.battles_of_each();
    let ranks = ranks(&estimated);
    let mut order: Vec<usize> = (0..names.len()).collect();
    order.sort_by(|&one, &other| {
        (estimated.ratings[other].total_cmp(&estimated.ratings[one]))
            .then_with(|| names.name(one as u32).cmp(names.name(other as u32)))
    });
    let interval = |model: usize| estimated.intervals.as_ref().map(|intervals| intervals[model]);
    let ranked = |&model: &usize| Ranked {
        rank: ranks[model],
        model: names.name(model as u32).to_owned(),
        rating: estimated.ratings[model],
        low: interval(model).map(|interval| interval.low),
        high: interval(model).map(|interval| interval.high),
        battles: battles[model] as usize,
        win_rate: rates.average(model),
        estimate: estimated.estimates[model],
        component: estimated.components[model],
    };
    let unknown_labels = group.battles.unknown_labels();
    let mut warnings: Vec<Notice> = estimated.warnings.iter().map(|warning| notice(warning, names)).collect();
    warnings.extend(unknown_notice(unknown_labels));
    warnings.extend(method.absent_anchor(names));
    if estimated.intervals.is_some() && pairs.pairs.iter().all(|pair| pair.battles() <= pair.halves()) {
        warnings.push(Notice {
            kind: "nothing-decided",
            message: "no vote decided anything, so the intervals have no width: that is not certainty"
                .to_owned(),
            models: BTreeMap::new(),
        });
    }
    if let Some(rounds) = estimated.rounds.as_ref().filter(|rounds| rounds.without_finite_mle > 0) {
        warnings.push(Notice {
            kind: "rounds-without-finite-rating",
            message: format!(
                "in {} of {} rounds of the bootstrap some model had no finite rating; those rounds are regularised and kept",
                rounds.without_finite_mle, rounds.rounds
            ),
            models: BTreeMap::new(),
        });
    }
    Ranking {
        group: group.name.clone(),
        battles: group.battles.len(),
        unknown_labels,
        models: order.iter().map(ranked).collect(),
        style: method
            .style
            .iter()
            .zip(estimated.coefficients)
            .map(|(feature, coefficient)| StyleEffect { feature: feature.clone(), coefficient })
            .collect(),
        bootstrap: estimated.rounds,
        warnings,
        matrix: method.matrix.then(|| matrix(&order, names, &rates)),
    }
}

/// Within each component; by the order of ratings where there are no intervals.
fn ranks(estimated: &Estimated) -> Vec<usize> {
    let mut ranks = vec![0; estimated.ratings.len()];
    let last = estimated.components.iter().copied().max().unwrap_or(0);
    for component in 1..=last {
        let members: Vec<usize> =
            (0..ranks.len()).filter(|&model| estimated.components[model] == component).collect();
        let of_members: Vec<RatingInterval> = members
            .iter()
            .map(|&model| {
                let rating = estimated.ratings[model];
                let point = RatingInterval { low: rating, high: rating, variance: 0.0 };
                estimated.intervals.as_ref().map_or(point, |intervals| intervals[model])
            })
            .collect();
        for (model, rank) in members.into_iter().zip(ranks_by_overlap(&of_members)) {
            ranks[model] = rank;
        }
    }
    ranks
}

fn matrix(order: &[usize], names: &Models, rates: &WinRates) -> Matrix {
    let each = |row: usize| order.iter().map(move |&column| (row, column));
    Matrix {
        models: order.iter().map(|&model| names.name(model as u32).to_owned()).collect(),
        win_fraction: order
            .iter()
            .map(|&row| each(row).map(|(r, c)| rates.fraction(r, c)).collect())
            .collect(),
        battles: order.iter().map(|&row| each(row).map(|(r, c)| rates.battles(r, c)).collect()).collect(),
    }
}

fn unknown_notice(unknown: usize) -> Option<Notice> {
    (unknown > 0).then(|| Notice {
        kind: "unknown-labels",
        message: format!(
            "{unknown} vote{} a label that is none of a, b, t, x; counted as {}",
            if unknown == 1 { " has" } else { "s have" },
            if unknown == 1 { "a tie" } else { "ties" }
        ),
        models: BTreeMap::new(),
    })
}

fn notice(warning: &Warning, models: &Models) -> Notice {
    let named = |ids: &[u32]| -> Vec<String> { ids.iter().map(|&id| models.name(id).to_owned()).collect() };
    match warning {
        Warning::NotComparable { groups } => {
            let groups: Vec<Vec<String>> = groups.iter().map(|group| named(group)).collect();
            let shown: Vec<String> = groups.iter().map(|group| list(group)).collect();
            Notice {
                kind: "not-comparable",
                message: format!(
                    "no battle links these groups, so a rating in one says nothing about one in another: {}",
                    shown.join(" | ")
                ),
                models: BTreeMap::from([("groups", groups)]),
            }
        }
        Warning::NoFiniteRating { never_lost, never_won, group } => {
            let [top, bottom, all] = [never_lost, never_won, group].map(|ids| named(ids));
            let reason = match (top.len() < all.len(), bottom.len() < all.len()) {
                (true, true) => {
                    format!("{} never lost a point to the rest, {} never took one", list(&top), list(&bottom))
                }
                _ => "votes went one way only".to_owned(),
            };
            Notice {
                kind: "no-finite-rating",
                message: format!(
                    "{reason}: their ratings have no finite maximum, and those of {} are regularised as if each had tied \
                     once with a mean model",
                    list(&all)
                ),
                models: BTreeMap::from([
                    ("never_lost", vec![top]),
                    ("never_won", vec![bottom]),
                    ("regularised", vec![all]),
                ]),
            }
        }
    }
}

/// Names for a sentence; not more than a reader takes in.
fn list(names: &[String]) -> String {
    const MOST: usize = 6;
    let shown = names.iter().take(MOST).cloned().collect::<Vec<_>>().join(", ");
    if names.len() > MOST { format!("{shown} and {} more", names.len() - MOST) } else { shown }
}
