//! Paired differences with their intervals around zero.

use maud::html;

use super::canvas::{Scale, WIDTH, frame, label, label_room, line, px, round_step, small, text_width};

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Difference {
    /// `second − first`, or what was changed.
    pub label: String,
    /// A share, shown in percentage points; none without a pair.
    pub value: Option<f64>,
    pub low: f64,
    pub high: f64,
    /// Said at the end of the row, such as `p 0.03, 120 pairs`.
    pub note: String,
}

impl Difference {
    /// The interval says that it could as well be nothing.
    fn crosses_zero(&self) -> bool {
        !(self.low > 0.0 || self.high < 0.0)
    }
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct DifferencePlot {
    pub title: String,
    pub axis: String,
    pub rows: Vec<Difference>,
}

const ROW: f64 = 26.0;
const TOP: f64 = 34.0;
const BOTTOM: f64 = 46.0;
const GAP: f64 = 14.0;

pub fn differences(plot: &DifferencePlot) -> String {
    let numbers: Vec<String> = plot.rows.iter().map(numbers).collect();
    let room = label_room(plot.rows.iter().map(|row| row.label.as_str()));
    let numbers_room = numbers.iter().map(|text| text_width(text, 12.0)).fold(0.0, f64::max);
    let notes_room = plot.rows.iter().map(|row| text_width(&row.note, 11.0)).fold(0.0, f64::max);
    let end = WIDTH - 12.0 - notes_room - GAP - numbers_room - GAP;
    let farthest = farthest(&plot.rows);
    let scale = Scale::new((-farthest, farthest), (room + GAP, end));
    let rows_end = TOP + ROW * plot.rows.len() as f64;
    let height = rows_end + BOTTOM;
    let body = html! {
        text x="0" y="12" font-weight="600" { (plot.title) }
        (small(end, 12.0, "end", &plot.axis))
        @for tick in scale.ticks(6) {
            @let x = scale.at(tick);
            (line(if tick == 0.0 { "i" } else { "g" }, (x, TOP - 4.0), (x, rows_end)))
            (small(x, rows_end + 10.0, "middle", &points(tick, 0)))
        }
        @for (index, (row, numbers)) in plot.rows.iter().zip(&numbers).enumerate() {
            @let y = TOP + ROW * (index as f64 + 0.5);
            @let colour = if row.crosses_zero() { "var(--p-muted)" } else { "var(--p-accent)" };
            g data-crosses-zero=(row.crosses_zero()) {
                title { (row.label) ": " (numbers) " " (row.note) }
                (label(room, y, "end", &row.label))
                @if let Some(value) = row.value.filter(|value| value.is_finite()) {
                    line x1=(px(scale.at(row.low))) x2=(px(scale.at(row.high))) y1=(px(y)) y2=(px(y)) stroke=(colour)
                        stroke-width="2" stroke-dasharray=[row.crosses_zero().then_some("4 3")] {}
                    // Hollow, so that the difference does not hang on colour alone.
                    circle cx=(px(scale.at(value))) cy=(px(y)) r="4.5" stroke=(colour) stroke-width="2"
                        fill=(if row.crosses_zero() { "var(--p-bg)" } else { colour }) {}
                }
                text x=(px(end + GAP + numbers_room)) y=(px(y)) text-anchor="end" dominant-baseline="middle" { (numbers) }
                (small(WIDTH - 12.0, y, "end", &row.note))
            }
        }
        (small(room + GAP, rows_end + 32.0, "start", "hollow and broken: the interval crosses zero"))
    };
    let described: Vec<String> = plot
        .rows
        .iter()
        .zip(&numbers)
        .map(|(row, numbers)| {
            let crosses = if row.crosses_zero() { ", crosses zero" } else { "" };
            format!("{} {numbers}{crosses}", row.label)
        })
        .collect();
    frame(&plot.title, &format!("{}: {}", plot.axis, described.join("; ")), height, &body)
}

fn numbers(row: &Difference) -> String {
    row.value.filter(|value| value.is_finite()).map_or_else(
        || "–".to_owned(),
        |value| format!("{} [{}, {}]", points(value, 1), points(row.low, 1), points(row.high, 1)),
    )
}

fn points(share: f64, digits: usize) -> String {
    let text = format!("{:.digits$}", share.abs() * 100.0);
    let is_nothing = text.chars().all(|c| c == '0' || c == '.');
    match share {
        _ if is_nothing => text,
        s if s < 0.0 => format!("−{text}"),
        _ => format!("+{text}"),
    }
}

/// The scale is the same to both sides of zero.
fn farthest(rows: &[Difference]) -> f64 {
    let all = rows.iter().filter(|row| row.value.is_some()).flat_map(|row| [row.low, row.high]);
    let most = all.filter(|number| number.is_finite()).map(f64::abs).fold(0.05, f64::max);
    let step = round_step(most / 3.0);
    (most / step).ceil() * step
}
