//! Lines over a common pair of axes, each named at its end.

use std::fmt::Write as _;

use maud::{Markup, html};

use super::axes::Axes;
use super::canvas::{
    LABEL_CHARACTERS, SMALL, WIDTH, frame, px, series_colour, series_dashes, shortened, text_width,
};
use super::placing::pushed_apart;

/// Lines that share a name's colour but not its pattern: pass@k above, pass^k below.
pub(super) struct Curve<'a> {
    pub label: &'a str,
    pub series: usize,
    pub points: Vec<(f64, f64)>,
    /// A staircase: the value holds until the next point.
    pub steps: bool,
    pub marked: bool,
    pub thin: bool,
}

impl Curve<'_> {
    /// What can be drawn.
    fn known(&self) -> impl DoubleEndedIterator<Item = (f64, f64)> + '_ {
        self.points.iter().copied().filter(|point| point.0.is_finite() && point.1.is_finite())
    }
}

pub(super) struct Chart<'a> {
    pub title: &'a str,
    pub x_axis: &'a str,
    pub y_axis: &'a str,
    pub x_range: (f64, f64),
    pub x_ticks: Option<Vec<f64>>,
    pub curves: Vec<Curve<'a>>,
    /// Where the curves end says which is which; otherwise names stand in the order given, each with a piece of its line.
    pub named_at_ends: bool,
    pub note: &'a str,
    /// Upwards in plain numbers, instead of shares.
    pub y_range: Option<(f64, f64)>,
    /// Names of places across, instead of numbers.
    pub x_names: Vec<(f64, String)>,
    pub bands: Vec<Band>,
}

/// Where the truth may be, in the colour of a series.
pub(super) struct Band {
    pub series: usize,
    /// Across, low and high.
    pub points: Vec<(f64, f64, f64)>,
}

impl Default for Chart<'_> {
    fn default() -> Self {
        Self {
            title: "",
            x_axis: "",
            y_axis: "",
            x_range: (0.0, 1.0),
            x_ticks: None,
            curves: Vec::new(),
            named_at_ends: true,
            note: "",
            y_range: None,
            x_names: Vec::new(),
            bands: Vec::new(),
        }
    }
}

const PLOT_HEIGHT: f64 = 330.0;
/// From line to line of the names.
const NAMES_APART: f64 = 15.5;

pub(super) fn chart(chart: &Chart<'_>) -> String {
    let shown: Vec<String> =
        chart.curves.iter().map(|curve| shortened(curve.label, LABEL_CHARACTERS)).collect();
    let names_room = shown.iter().map(|name| text_width(name, SMALL)).fold(40.0, f64::max);
    // Many names need more height than the plot would take by itself.
    let plot_height = PLOT_HEIGHT.max(chart.curves.len() as f64 * NAMES_APART);
    let right = WIDTH - names_room - 44.0;
    let named = [chart.title, chart.x_axis, chart.y_axis];
    let axes = Axes::new(named, chart.x_range, right, plot_height);
    let axes = match chart.y_range {
        Some(range) => axes.measuring(range),
        None => axes,
    };
    let end_of = |curve: &Curve<'_>| axes.y.at(curve.known().next_back().map_or(0.0, |point| point.1));
    let ends: Vec<f64> = chart.curves.iter().map(end_of).collect();
    let places = if chart.named_at_ends {
        pushed_apart(&ends, NAMES_APART, (axes.top, axes.bottom))
    } else {
        (0..ends.len()).map(|index| axes.top + 4.0 + NAMES_APART * index as f64).collect()
    };
    let ticks = chart.x_ticks.clone().unwrap_or_else(|| axes.x.ticks(8));
    let body = html! {
        @if chart.x_names.is_empty() { (axes.drawn(&ticks, chart.note)) } @else { (axes.drawn_with(&chart.x_names, chart.note)) }
        @for band in &chart.bands { (shaded(band, &axes)) }
        @for curve in &chart.curves { (drawn(curve, &axes)) }
        @for (((curve, name), end), place) in chart.curves.iter().zip(&shown).zip(&ends).zip(&places) {
            @if chart.named_at_ends {
                @if curve.known().next().is_some() { (lead_to_name(curve, &axes, *end, *place)) }
            } @else {
                line x1=(px(right + 10.0)) x2=(px(right + 32.0)) y1=(px(*place)) y2=(px(*place)) stroke-width="2"
                    stroke=(series_colour(curve.series)) stroke-dasharray=(series_dashes(curve.series)) {}
            }
            text x=(px(right + 36.0)) y=(px(*place)) font-size="11" dominant-baseline="middle" style={ "fill:" (series_colour(curve.series)) } {
                @if name != curve.label { title { (curve.label) } }
                (name)
            }
        }
    };
    let described: Vec<String> = chart
        .curves
        .iter()
        .map(|curve| {
            let end = curve.known().next_back().map_or_else(String::new, |point| match chart.y_range {
                Some(_) => format!(" ends at {:.0}", point.1),
                None => format!(" ends at {:.1} %", point.1 * 100.0),
            });
            format!("{}{end}", curve.label)
        })
        .collect();
    frame(
        chart.title,
        &format!("{} over {}: {}", chart.y_axis, chart.x_axis, described.join("; ")),
        axes.height,
        &body,
    )
}

/// From low to high and back again.
fn shaded(band: &Band, axes: &Axes<'_>) -> Markup {
    let known =
        || band.points.iter().filter(|(across, low, high)| [across, low, high].iter().all(|v| v.is_finite()));
    let above = known().map(|(across, _, high)| axes.at((*across, *high)));
    let below = known().rev().map(|(across, low, _)| axes.at((*across, *low)));
    let corners: Vec<String> =
        above.chain(below).map(|(across, up)| format!("{},{}", px(across), px(up))).collect();
    html! { polygon points=(corners.join(" ")) fill=(series_colour(band.series)) opacity="0.12" {} }
}

fn lead_to_name(curve: &Curve<'_>, axes: &Axes<'_>, end: f64, place: f64) -> Markup {
    let right = axes.right;
    let from = curve.known().next_back().map_or(right, |point| axes.x.at(point.0));
    let corners = [(from + 4.0, end), (right + 8.0, end), (right + 26.0, place), (right + 32.0, place)];
    let corners = corners.map(|(across, down)| format!("{},{}", px(across), px(down)));
    html! { polyline.lead points=(corners.join(" ")) {} }
}

fn drawn(curve: &Curve<'_>, axes: &Axes<'_>) -> Markup {
    let mut path = String::new();
    let mut before: Option<f64> = None;
    for point in curve.known() {
        let (across, up) = axes.at(point);
        let _ = match before {
            None => write!(path, "M{} {}", px(across), px(up)),
            Some(_) if curve.steps => write!(path, "H{}V{}", px(across), px(up)),
            Some(_) => write!(path, "L{} {}", px(across), px(up)),
        };
        before = Some(up);
    }
    let colour = series_colour(curve.series);
    html! {
        g {
            title { (curve.label) }
            path d=(path) fill="none" stroke=(colour) stroke-width=(if curve.thin { "1.25" } else { "2" })
                stroke-dasharray=(if curve.thin { "3 3" } else { series_dashes(curve.series) }) {}
            @if curve.marked {
                @for point in curve.known() {
                    @let (across, up) = axes.at(point);
                    circle cx=(px(across)) cy=(px(up)) r="3" fill=(colour) {}
                }
            }
        }
    }
}
