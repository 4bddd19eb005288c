//! Cost against success, with the agents that nobody beats on both.

use maud::html;

use super::axes::Axes;
use super::canvas::{LABEL_CHARACTERS, SMALL, Unit, WIDTH, frame, line, px, shortened, text_width};
use super::placing::{Area, beside_point};

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Costed {
    pub label: String,
    /// US dollars an attempt, or whatever the axis says.
    pub cost: f64,
    pub success: f64,
    /// Of the success.
    pub low: f64,
    pub high: f64,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct CostPlot {
    pub title: String,
    pub axis: String,
    pub agents: Vec<Costed>,
}

const PLOT_HEIGHT: f64 = 380.0;
const NOTE: &str =
    "filled: nobody else is both cheaper and better (Pareto front); vertical lines: 95 % intervals";

pub fn cost_against_success(plot: &CostPlot) -> String {
    let agents: Vec<&Costed> =
        plot.agents.iter().filter(|agent| agent.cost.is_finite() && agent.success.is_finite()).collect();
    let most = agents.iter().map(|agent| agent.cost).fold(0.0, f64::max);
    // Room to the right of the dearest agent for its name.
    let range = (0.0, if most > 0.0 { most * 1.12 } else { 1.0 });
    let axes = Axes::new([&plot.title, &plot.axis, "passed, %"], range, WIDTH - 24.0, PLOT_HEIGHT);
    let front = pareto_front(&agents);
    let at = |agent: &Costed| axes.at((agent.cost, agent.success));
    let corners: Vec<(f64, f64)> = front.iter().map(|&agent| at(agents[agent])).collect();
    let bounds = Area {
        left: axes.left,
        top: axes.top - 12.0,
        width: axes.right - axes.left + 20.0,
        height: PLOT_HEIGHT + 18.0,
    };
    let labels = placed(&agents, at, &corners, &bounds);
    let stairs: Vec<String> = front
        .iter()
        .enumerate()
        .map(|(index, &agent)| {
            let (across, up) = at(agents[agent]);
            if index == 0 {
                format!("M{} {}", px(across), px(up))
            } else {
                format!("H{}V{}", px(across), px(up))
            }
        })
        .collect();
    let body = html! {
        (axes.drawn(&axes.x.ticks(7), NOTE))
        path d=(stairs.concat()) fill="none" stroke="var(--p-accent)" stroke-width="1.5" stroke-dasharray="5 4" {}
        @for (index, (agent, area)) in agents.iter().zip(&labels).enumerate() {
            @let (across, up) = at(agent);
            @let on_front = front.contains(&index);
            @let name = shortened(&agent.label, LABEL_CHARACTERS);
            g data-front=(on_front) {
                title { (agent.label) ": " (Unit::Percent.text(agent.success)) " % at " (agent.cost) }
                @if agent.low.is_finite() && agent.high.is_finite() {
                    line x1=(px(across)) x2=(px(across)) y1=(px(axes.y.at(agent.low))) y2=(px(axes.y.at(agent.high))) stroke="var(--p-muted)" stroke-width="1" opacity="0.6" {}
                }
                (lead((across, up), area))
                circle cx=(px(across)) cy=(px(up)) r="4.5" stroke="var(--p-accent)" stroke-width="2"
                    fill=(if on_front { "var(--p-accent)" } else { "var(--p-bg)" }) {}
                text x=(px(area.left + 2.0)) y=(px(area.top + area.height / 2.0)) font-size="11" dominant-baseline="middle"
                    font-weight=[on_front.then_some("600")] { (name) }
            }
        }
    };
    let described: Vec<String> = agents
        .iter()
        .enumerate()
        .map(|(index, agent)| {
            let front = if front.contains(&index) { ", on the front" } else { "" };
            format!("{} {} % at {}{front}", agent.label, Unit::Percent.text(agent.success), agent.cost)
        })
        .collect();
    frame(&plot.title, &format!("success over {}: {}", plot.axis, described.join("; ")), axes.height, &body)
}

/// Those that no other beats: nobody is as good for less, or better for as much. From cheap to dear.
fn pareto_front(agents: &[&Costed]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..agents.len()).collect();
    order.sort_by(|&a, &b| {
        agents[a].cost.total_cmp(&agents[b].cost).then(agents[b].success.total_cmp(&agents[a].success))
    });
    let mut front: Vec<usize> = Vec::new();
    for index in order {
        let better = front.last().is_none_or(|&last| {
            let (best, next) = (agents[last], agents[index]);
            let as_good = next.success.total_cmp(&best.success);
            as_good.is_gt() || (as_good.is_eq() && next.cost.total_cmp(&best.cost).is_eq())
        });
        if better {
            front.push(index);
        }
    }
    front
}

/// Names that keep clear of each other, of all points and of the front.
fn placed(
    agents: &[&Costed],
    at: impl Fn(&Costed) -> (f64, f64),
    front: &[(f64, f64)],
    bounds: &Area,
) -> Vec<Area> {
    let points = agents.iter().map(|agent| at(agent)).map(|(x, y)| Area {
        left: x - 5.0,
        top: y - 5.0,
        width: 10.0,
        height: 10.0,
    });
    let steps = front.windows(2).flat_map(|pair| {
        let [(x, y), (next_x, next_y)] = [pair[0], pair[1]];
        [
            Area { left: x, top: y - 1.0, width: next_x - x, height: 2.0 },
            Area { left: next_x - 1.0, top: next_y, width: 2.0, height: y - next_y },
        ]
    });
    let mut taken: Vec<Area> = points.chain(steps).collect();
    agents
        .iter()
        .map(|agent| {
            let width = text_width(&shortened(&agent.label, LABEL_CHARACTERS), SMALL) + 4.0;
            let area = beside_point(at(agent), (width, 14.0), bounds, &taken);
            taken.push(area);
            area
        })
        .collect()
}

/// From the point to the nearest edge of its name, where that is not beside it.
fn lead((x, y): (f64, f64), area: &Area) -> maud::Markup {
    let end = (x.clamp(area.left, area.left + area.width), y.clamp(area.top, area.top + area.height));
    let far = (end.0 - x).hypot(end.1 - y) > 12.0;
    html! { @if far { (line("lead", (x, y), end)) } }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_front_holds_those_that_nobody_beats() {
        let agents: Vec<Costed> =
            [(0.1, 0.3), (0.2, 0.2), (0.3, 0.6), (0.3, 0.5), (0.9, 0.6), (1.0, 0.7), (0.3, 0.6)]
                .map(|(cost, success)| Costed { cost, success, ..Costed::default() })
                .to_vec();
        let mut front = pareto_front(&agents.iter().collect::<Vec<_>>());
        front.sort_unstable();
        // Dearer and worse, as dear and worse, dearer and as good are off it; equals are on it together.
        assert_eq!(front, [0, 2, 5, 6]);
    }
}
