//! How far agents get the less they are told: success over the levels of a wish.

use super::curves::{Chart, Curve, chart};

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Levels {
    pub label: String,
    /// Level and share of successes, by level.
    pub points: Vec<(f64, f64)>,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct LevelPlot {
    pub title: String,
    pub agents: Vec<Levels>,
}

pub fn levels(plot: &LevelPlot) -> String {
    let all = plot.agents.iter().flat_map(|agent| &agent.points).map(|point| point.0);
    let highest = all.fold(1.0, f64::max);
    chart(&Chart {
        title: &plot.title,
        x_axis: "level: the higher, the less the wish says",
        y_axis: "%",
        x_range: (0.0, highest),
        x_ticks: Some((0..=highest as u32).map(f64::from).collect()),
        curves: plot.agents.iter().enumerate().map(|(series, agent)| curve(series, agent)).collect(),
        ..Chart::default()
    })
}

fn curve(series: usize, agent: &Levels) -> Curve<'_> {
    let Levels { label, points } = agent;
    Curve { label, series, points: points.clone(), steps: false, marked: true, thin: false }
}
