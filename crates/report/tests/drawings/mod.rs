//! Every plot with made-up numbers of so many agents.

use umpire_report::plots::{
    CostPlot, Costed, DayLine, DayValue, Difference, DifferencePlot, EcdfPlot, Estimate, ForestPlot, HeatMap,
    HistoryPlot, LevelPlot, Levels, Reliability, ReliabilityPlot, Sample, Unit, cost_against_success,
    differences, ecdf, forest, heat_map, history, levels, ranking, reliability,
};

/// Long, alike at the beginning, and one hostile.
pub fn names(count: usize) -> Vec<String> {
    (0..count)
        .map(|index| match index {
            1 => "<script>alert('x')</script>&\"".to_owned(),
            2 => "bu".to_owned(),
            3 => "category 12".to_owned(),
            4 => "WWW MMMM @@@@ 100 %".to_owned(),
            _ => format!("browser-use-0.9.{index}+some-vendor-large-model-2026-0{}-preview", index % 9 + 1),
        })
        .collect()
}

/// A share that looks random and is not.
fn share(index: usize, salt: usize) -> f64 {
    ((index * 7919 + salt * 104_729 + 13) % 997) as f64 / 997.0
}

/// Some came later than others.
fn rated(index: usize, name: &str) -> DayLine {
    let value = |day: usize| {
        let value = 900.0 + 200.0 * share(index, 3) + 20.0 * share(index, day);
        DayValue { day: day as f64, value, low: value - 25.0, high: value + 25.0 }
    };
    DayLine { label: name.to_owned(), values: (index * 3..40).map(value).collect() }
}

pub fn all(count: usize) -> Vec<(&'static str, String)> {
    let names = names(count);
    let estimates: Vec<Estimate> = names
        .iter()
        .enumerate()
        .map(|(index, name)| {
            let value = share(index, 1);
            Estimate {
                label: name.clone(),
                value: (index != 5).then_some(value),
                low: (value - 0.08).max(0.0),
                high: (value + 0.08).min(1.0),
                band: (index % 3 == 0).then_some((value, (value + 0.05).min(1.0))),
                note: format!("{}/240", (value * 240.0).round()),
            }
        })
        .collect();
    let plot = |title: &str| ForestPlot {
        title: title.to_owned(),
        axis: "passed, % of planned attempts".to_owned(),
        unit: Unit::Percent,
        range: Some((0.0, 1.0)),
        rows: estimates.clone(),
    };
    let ratings = ForestPlot {
        title: "Ratings".to_owned(),
        axis: "rating".to_owned(),
        unit: Unit::Plain,
        range: None,
        rows: estimates
            .iter()
            .map(|row| Estimate {
                value: row.value.map(|value| 900.0 + 300.0 * value),
                low: 900.0 + 300.0 * row.low,
                high: 900.0 + 300.0 * row.high,
                band: None,
                ..row.clone()
            })
            .collect(),
    };
    let rows = names.iter().enumerate().map(|(index, name)| {
        let value = share(index, 2) * 0.4 - 0.2;
        Difference {
            label: name.clone(),
            value: (index != 4).then_some(value),
            low: value - 0.07,
            high: value + 0.07,
            note: format!("p {:.3}, 240 pairs", share(index, 3)),
        }
    });
    let curves = names.iter().enumerate().map(|(index, name)| {
        let one = share(index, 4);
        let over_k = |all: bool| {
            (1..=8_i32).map(|k| if all { one.powi(k) } else { 1.0 - (1.0 - one).powi(k) }).collect()
        };
        Reliability { label: name.clone(), at: over_k(false), all: over_k(true) }
    });
    let samples = names.iter().enumerate().map(|(index, name)| Sample {
        label: name.clone(),
        values: (0..200).map(|one| (share(one, index) * (8.0 + index as f64)).ceil()).collect(),
    });
    let costed = names.iter().enumerate().map(|(index, name)| {
        let success = share(index, 6);
        Costed {
            label: name.clone(),
            cost: share(index, 7) * 0.4,
            success,
            low: (success - 0.05).max(0.0),
            high: (success + 0.05).min(1.0),
        }
    });
    let columns: Vec<String> =
        ["search", "checkout and payment", "account", "privacy settings", "messages", "maps and routes"]
            .map(str::to_owned)
            .to_vec();
    let cells = names.iter().enumerate().map(|(index, name)| {
        let shares = (0..columns.len()).map(|column| (index + column != 7).then(|| share(index, column)));
        (name.clone(), shares.collect())
    });
    vec![
        ("forest", forest(&plot("Agents"))),
        ("ranking", ranking(&plot("Categories"))),
        ("ratings", ranking(&ratings)),
        (
            "differences",
            differences(&DifferencePlot {
                title: "Against the first agent".to_owned(),
                axis: "percentage points".to_owned(),
                rows: rows.collect(),
            }),
        ),
        (
            "levels",
            levels(&LevelPlot {
                title: "Levels".to_owned(),
                agents: names
                    .iter()
                    .enumerate()
                    .map(|(index, name)| Levels {
                        label: name.clone(),
                        points: (0..3).map(|level| (level as f64, share(index, 40 + level))).collect(),
                    })
                    .collect(),
            }),
        ),
        (
            "history",
            history(&HistoryPlot {
                title: "Ratings at the end of each day".to_owned(),
                axis: "Bradley–Terry rating".to_owned(),
                days: (0..40).map(|day| (f64::from(day), format!("2026-03-{day:02}"))).collect(),
                lines: names.iter().take(9).enumerate().map(|(index, name)| rated(index, name)).collect(),
            }),
        ),
        (
            "reliability",
            reliability(&ReliabilityPlot {
                title: "Over trials".to_owned(),
                agents: curves.take(10).collect(),
            }),
        ),
        (
            "ecdf",
            ecdf(&EcdfPlot {
                title: "Steps".to_owned(),
                axis: "steps".to_owned(),
                samples: samples.collect(),
            }),
        ),
        (
            "heat-map",
            heat_map(&HeatMap {
                title: "Agents by category".to_owned(),
                rows: cells.collect(),
                columns,
                axis: "passed, %".to_owned(),
                unit: Unit::Percent,
            }),
        ),
        (
            "cost",
            cost_against_success(&CostPlot {
                title: "Cost and success".to_owned(),
                axis: "US dollars an attempt".to_owned(),
                agents: costed.collect(),
            }),
        ),
    ]
}
