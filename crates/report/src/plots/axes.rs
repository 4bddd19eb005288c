//! A pair of axes: something across, a share of everything upwards, or another measure.

use maud::{Markup, html};

use super::canvas::{Scale, Unit, line, round_step, small};

const TOP: f64 = 44.0;
const LEFT: f64 = 48.0;
const BOTTOM: f64 = 52.0;

pub(super) struct Axes<'a> {
    pub x: Scale,
    pub y: Scale,
    pub top: f64,
    pub left: f64,
    pub right: f64,
    pub bottom: f64,
    /// Of the whole picture.
    pub height: f64,
    title: &'a str,
    x_axis: &'a str,
    y_axis: &'a str,
    y_ticks: Vec<f64>,
    y_unit: Unit,
}

impl<'a> Axes<'a> {
    pub fn new(
        [title, x_axis, y_axis]: [&'a str; 3],
        x_range: (f64, f64),
        right: f64,
        plot_height: f64,
    ) -> Self {
        let bottom = TOP + plot_height;
        Self {
            x: Scale::new(x_range, (LEFT, right)),
            y: Scale::new((0.0, 1.0), (bottom, TOP)),
            top: TOP,
            left: LEFT,
            right,
            bottom,
            height: bottom + BOTTOM,
            title,
            x_axis,
            y_axis,
            y_ticks: vec![0.0, 0.25, 0.5, 0.75, 1.0],
            y_unit: Unit::Percent,
        }
    }

    /// The same with plain numbers upwards, from a round one to a round one.
    #[must_use]
    pub fn measuring(mut self, (low, high): (f64, f64)) -> Self {
        let step = round_step((high - low) / 5.0);
        let range = ((low / step).floor() * step, (high / step).ceil() * step);
        self.y = Scale::new(range, (self.bottom, self.top));
        self.y_ticks = self.y.ticks(5);
        self.y_unit = Unit::Plain;
        self
    }

    /// Where a pair of values stands in the picture.
    pub fn at(&self, (across, up): (f64, f64)) -> (f64, f64) {
        (self.x.at(across), self.y.at(up))
    }

    /// Title, grid and ticks, with a note below.
    pub fn drawn(&self, ticks: &[f64], note: &str) -> Markup {
        let step = step_of(ticks);
        let named: Vec<(f64, String)> =
            ticks.iter().map(|tick| (*tick, Unit::Plain.tick(*tick, step))).collect();
        self.drawn_with(&named, note)
    }

    /// The same with ticks that go by names.
    pub fn drawn_with(&self, ticks: &[(f64, String)], note: &str) -> Markup {
        let y_step = step_of(&self.y_ticks);
        html! {
            text x="0" y="12" font-weight="600" { (self.title) }
            (small(self.left - 40.0, self.top - 14.0, "start", self.y_axis))
            @for tick in &self.y_ticks {
                (line("g", (self.left, self.y.at(*tick)), (self.right, self.y.at(*tick))))
                (small(self.left - 8.0, self.y.at(*tick), "end", &self.y_unit.tick(*tick, y_step)))
            }
            @for (tick, name) in ticks {
                (line("g", (self.x.at(*tick), self.bottom), (self.x.at(*tick), self.bottom + 4.0)))
                (small(self.x.at(*tick), self.bottom + 14.0, "middle", name))
            }
            (small(self.right, self.bottom + 30.0, "end", self.x_axis))
            (small(self.left, self.height - 8.0, "start", note))
        }
    }
}

fn step_of(ticks: &[f64]) -> f64 {
    ticks.windows(2).map(|pair| pair[1] - pair[0]).next().unwrap_or(1.0)
}
