//! Whether an agent can do it at all (pass@k), and whether it does it every time (pass^k), over k trials.

use super::curves::{Chart, Curve, chart};

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Reliability {
    pub label: String,
    /// For k from 1: at least one of k trials passes.
    pub at: Vec<f64>,
    /// For k from 1: all of k trials pass.
    pub all: Vec<f64>,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct ReliabilityPlot {
    pub title: String,
    pub agents: Vec<Reliability>,
}

pub fn reliability(plot: &ReliabilityPlot) -> String {
    let trials =
        plot.agents.iter().map(|agent| agent.at.len().max(agent.all.len())).max().unwrap_or(1).max(2);
    let over_k = |values: &[f64]| (1..).map(f64::from).zip(values.iter().copied()).collect::<Vec<_>>();
    let names: Vec<[String; 2]> = plot
        .agents
        .iter()
        .map(|agent| [format!("{} @k", agent.label), format!("{} ^k", agent.label)])
        .collect();
    let mut curves = Vec::new();
    for (series, (agent, [at, all])) in plot.agents.iter().zip(&names).enumerate() {
        for (label, values, thin) in [(at, &agent.at, true), (all, &agent.all, false)] {
            if !values.is_empty() {
                curves.push(Curve {
                    label,
                    series,
                    points: over_k(values),
                    steps: false,
                    marked: true,
                    thin,
                });
            }
        }
    }
    let step = trials.div_ceil(12);
    chart(&Chart {
        title: &plot.title,
        x_axis: "k, trials",
        y_axis: "%",
        x_range: (1.0, trials as f64),
        x_ticks: Some((1..=trials).step_by(step).map(|k| k as f64).collect()),
        curves,
        note: "broken line: at least one of k trials passes (pass@k); full line: all of them do (pass^k)",
        ..Chart::default()
    })
}
