//! A pair of axes: something across, a share of everything upwards.

use maud::{Markup, html};

use super::canvas::{Scale, Unit, line, small};

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
        }
    }

    /// Where a pair of values stands in the picture.
    pub fn at(&self, (across, up): (f64, f64)) -> (f64, f64) {
        (self.x.at(across), self.y.at(up))
    }

    /// Title, grid and ticks, with a note below.
    pub fn drawn(&self, ticks: &[f64], note: &str) -> Markup {
        let step = ticks.windows(2).map(|pair| pair[1] - pair[0]).next().unwrap_or(1.0);
        html! {
            text x="0" y="12" font-weight="600" { (self.title) }
            (small(self.left - 40.0, self.top - 14.0, "start", self.y_axis))
            @for share in [0.0, 0.25, 0.5, 0.75, 1.0] {
                (line("g", (self.left, self.y.at(share)), (self.right, self.y.at(share))))
                (small(self.left - 8.0, self.y.at(share), "end", &Unit::Percent.tick(share, 0.25)))
            }
            @for tick in ticks {
                (line("g", (self.x.at(*tick), self.bottom), (self.x.at(*tick), self.bottom + 4.0)))
                (small(self.x.at(*tick), self.bottom + 14.0, "middle", &Unit::Plain.tick(*tick, step)))
            }
            (small(self.right, self.bottom + 30.0, "end", self.x_axis))
            (small(self.left, self.height - 8.0, "start", note))
        }
    }
}
