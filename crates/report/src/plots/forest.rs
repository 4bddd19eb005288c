//! Values with their intervals, one a row: agents beside each other, or categories from best to worst.

use maud::{Markup, html};

use super::canvas::{Scale, Unit, WIDTH, frame, label, label_room, line, px, round_step, small, text_width};

/// A value with its interval.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Estimate {
    pub label: String,
    /// None where there is nothing to show but the name.
    pub value: Option<f64>,
    pub low: f64,
    pub high: f64,
    /// A second range behind the interval, such as the infra bounds.
    pub band: Option<(f64, f64)>,
    /// Said at the end of the row, such as `12/20`.
    pub note: String,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct ForestPlot {
    pub title: String,
    /// What the numbers are: `passed, % of planned attempts`.
    pub axis: String,
    pub unit: Unit,
    /// The whole scale, where it has ends; otherwise the data decide.
    pub range: Option<(f64, f64)>,
    pub rows: Vec<Estimate>,
}

const ROW: f64 = 26.0;
const TOP: f64 = 34.0;
const BOTTOM: f64 = 28.0;
const GAP: f64 = 14.0;

/// In the order given.
pub fn forest(plot: &ForestPlot) -> String {
    let numbers: Vec<String> = plot.rows.iter().map(|row| numbers(row, plot.unit)).collect();
    let room = label_room(plot.rows.iter().map(|row| row.label.as_str()));
    let numbers_room = numbers.iter().map(|text| text_width(text, 12.0)).fold(0.0, f64::max);
    let notes_room = plot.rows.iter().map(|row| text_width(&row.note, 11.0)).fold(0.0, f64::max);
    let end = WIDTH - 12.0 - notes_room - GAP - numbers_room - GAP;
    let scale = Scale::new(plot.range.unwrap_or_else(|| extent(&plot.rows)), (room + GAP, end));
    let height = TOP + ROW * plot.rows.len() as f64 + BOTTOM;
    let body = html! {
        text x="0" y="12" font-weight="600" { (plot.title) }
        (axis(&scale, plot, height))
        @for (index, (row, numbers)) in plot.rows.iter().zip(&numbers).enumerate() {
            @let y = TOP + ROW * (index as f64 + 0.5);
            g {
                title { (row.label) ": " (numbers) " " (row.note) }
                (label(room, y, "end", &row.label))
                (mark(&scale, row, y))
                text x=(px(end + GAP + numbers_room)) y=(px(y)) text-anchor="end" dominant-baseline="middle" { (numbers) }
                (small(WIDTH - 12.0, y, "end", &row.note))
            }
        }
    };
    let described: Vec<String> =
        plot.rows.iter().zip(&numbers).map(|(row, numbers)| format!("{} {numbers}", row.label)).collect();
    frame(&plot.title, &format!("{}: {}", plot.axis, described.join("; ")), height, &body)
}

/// From the highest value to the lowest; those without a value come last.
pub fn ranking(plot: &ForestPlot) -> String {
    let mut sorted = plot.clone();
    let key = |row: &Estimate| row.value.unwrap_or(f64::NEG_INFINITY);
    sorted.rows.sort_by(|a, b| key(b).total_cmp(&key(a)).then_with(|| a.label.cmp(&b.label)));
    forest(&sorted)
}

fn axis(scale: &Scale, plot: &ForestPlot, height: f64) -> Markup {
    let ticks = scale.ticks(5);
    let step = ticks.windows(2).map(|pair| pair[1] - pair[0]).next().unwrap_or(1.0);
    let low = height - BOTTOM;
    html! {
        @for tick in &ticks {
            @let x = scale.at(*tick);
            (line("g", (x, TOP - 4.0), (x, low)))
            (small(x, low + 10.0, "middle", &plot.unit.tick(*tick, step)))
        }
        (small(scale.at(f64::INFINITY), 12.0, "end", &plot.axis))
    }
}

fn mark(scale: &Scale, row: &Estimate, y: f64) -> Markup {
    let ends = [row.low, row.high];
    html! {
        @if let Some((low, high)) = row.band.filter(|(low, high)| high > low) {
            rect x=(px(scale.at(low))) y=(px(y - 6.0)) width=(px(scale.at(high) - scale.at(low))) height="12" rx="2"
                fill="var(--p-muted)" opacity="0.22" {}
        }
        @if let Some(value) = row.value.filter(|value| value.is_finite()) {
            @if ends.iter().all(|end| end.is_finite()) {
                (line("i", (scale.at(row.low), y), (scale.at(row.high), y)))
                @for end in ends { (line("i", (scale.at(end), y - 4.0), (scale.at(end), y + 4.0))) }
            }
            circle cx=(px(scale.at(value))) cy=(px(y)) r="4.5" fill="var(--p-accent)" stroke="var(--p-bg)" stroke-width="1.5" {}
        }
    }
}

fn numbers(row: &Estimate, unit: Unit) -> String {
    match row.value.filter(|value| value.is_finite()) {
        None => "–".to_owned(),
        Some(value) if row.low.is_finite() && row.high.is_finite() => {
            format!("{} [{}, {}]", unit.text(value), unit.text(row.low), unit.text(row.high))
        }
        Some(value) => unit.text(value),
    }
}

/// What the rows cover, widened to round numbers.
pub(super) fn extent(rows: &[Estimate]) -> (f64, f64) {
    let all = rows.iter().flat_map(|row| [row.value.unwrap_or(f64::NAN), row.low, row.high]);
    let (low, high) = all
        .filter(|number| number.is_finite())
        .fold((f64::MAX, f64::MIN), |(low, high), number| (low.min(number), high.max(number)));
    if low > high {
        return (0.0, 1.0);
    }
    let step = round_step(((high - low) / 5.0).max(f64::EPSILON));
    ((low / step).floor() * step, (high / step).ceil() * step)
}
