//! Lines over a common pair of axes, each named at its end.

use std::fmt::Write as _;

use maud::{Markup, html};

use super::canvas::{
    LABEL_CHARACTERS, SMALL, Scale, Unit, WIDTH, frame, line, px, series_colour, series_dashes, shortened,
    small, text_width,
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
}

const TOP: f64 = 44.0;
const LEFT: f64 = 48.0;
const PLOT_HEIGHT: f64 = 330.0;
const BOTTOM: f64 = 52.0;
/// From line to line of the names.
const NAMES_APART: f64 = 15.5;

pub(super) fn chart(chart: &Chart<'_>) -> String {
    let shown: Vec<String> =
        chart.curves.iter().map(|curve| shortened(curve.label, LABEL_CHARACTERS)).collect();
    let names_room = shown.iter().map(|name| text_width(name, SMALL)).fold(40.0, f64::max);
    // Many names need more height than the plot would take by itself.
    let plot_height = PLOT_HEIGHT.max(chart.curves.len() as f64 * NAMES_APART);
    let (bottom, height) = (TOP + plot_height, TOP + plot_height + BOTTOM);
    let right = WIDTH - names_room - 44.0;
    let x = Scale::new(chart.x_range, (LEFT, right));
    let y = Scale::new((0.0, 1.0), (bottom, TOP));
    let ends: Vec<f64> =
        chart.curves.iter().map(|curve| y.at(curve.points.last().map_or(0.0, |point| point.1))).collect();
    let places = if chart.named_at_ends {
        pushed_apart(&ends, NAMES_APART, (TOP, bottom))
    } else {
        (0..ends.len()).map(|index| TOP + 4.0 + NAMES_APART * index as f64).collect()
    };
    let body = html! {
        text x="0" y="12" font-weight="600" { (chart.title) }
        (small(LEFT - 40.0, TOP - 14.0, "start", chart.y_axis))
        (axes(chart, &x, &y, bottom, right))
        @for curve in &chart.curves { (drawn(curve, &x, &y)) }
        @for (((curve, name), end), place) in chart.curves.iter().zip(&shown).zip(&ends).zip(&places) {
            @if chart.named_at_ends {
                (lead_to_name(curve, &x, *end, right, *place))
            } @else {
                line x1=(px(right + 10.0)) x2=(px(right + 32.0)) y1=(px(*place)) y2=(px(*place)) stroke-width="2"
                    stroke=(series_colour(curve.series)) stroke-dasharray=(series_dashes(curve.series)) {}
            }
            text x=(px(right + 36.0)) y=(px(*place)) font-size="11" dominant-baseline="middle" style={ "fill:" (series_colour(curve.series)) } {
                @if name != curve.label { title { (curve.label) } }
                (name)
            }
        }
        (small(LEFT, height - 8.0, "start", chart.note))
    };
    let described: Vec<String> = chart
        .curves
        .iter()
        .map(|curve| {
            let end = curve
                .points
                .last()
                .map_or_else(String::new, |point| format!(" ends at {:.1} %", point.1 * 100.0));
            format!("{}{end}", curve.label)
        })
        .collect();
    frame(
        chart.title,
        &format!("{} over {}: {}", chart.y_axis, chart.x_axis, described.join("; ")),
        height,
        &body,
    )
}

fn lead_to_name(curve: &Curve<'_>, x: &Scale, end: f64, right: f64, place: f64) -> Markup {
    let from = curve.points.last().map_or(right, |point| x.at(point.0));
    let corners = [(from + 4.0, end), (right + 8.0, end), (right + 26.0, place), (right + 32.0, place)];
    let corners = corners.map(|(across, down)| format!("{},{}", px(across), px(down)));
    html! { polyline.lead points=(corners.join(" ")) {} }
}

fn axes(chart: &Chart<'_>, x: &Scale, y: &Scale, bottom: f64, right: f64) -> Markup {
    let ticks = chart.x_ticks.clone().unwrap_or_else(|| x.ticks(8));
    let step = ticks.windows(2).map(|pair| pair[1] - pair[0]).next().unwrap_or(1.0);
    html! {
        @for share in [0.0, 0.25, 0.5, 0.75, 1.0] {
            (line("g", (LEFT, y.at(share)), (right, y.at(share))))
            (small(LEFT - 8.0, y.at(share), "end", &Unit::Percent.tick(share, 0.25)))
        }
        @for tick in &ticks {
            (line("g", (x.at(*tick), bottom), (x.at(*tick), bottom + 4.0)))
            (small(x.at(*tick), bottom + 14.0, "middle", &Unit::Plain.tick(*tick, step)))
        }
        (small(right, bottom + 30.0, "end", chart.x_axis))
    }
}

fn drawn(curve: &Curve<'_>, x: &Scale, y: &Scale) -> Markup {
    let mut path = String::new();
    let mut before: Option<f64> = None;
    for &(across, up) in curve.points.iter().filter(|point| point.0.is_finite() && point.1.is_finite()) {
        let (across, up) = (x.at(across), y.at(up));
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
                @for (across, up) in &curve.points {
                    circle cx=(px(x.at(*across))) cy=(px(y.at(*up))) r="3" fill=(colour) {}
                }
            }
        }
    }
}
