//! Shares or counts in labelled cells: agents by category, or pairs of agents.

use maud::html;

use super::canvas::{FONT, Unit, WIDTH, frame, label, px, shortened, small, text_width};

#[derive(Clone, Debug, Default, PartialEq)]
pub struct HeatMap {
    pub title: String,
    pub columns: Vec<String>,
    /// Name, and one share or count a column; none where there is nothing.
    pub rows: Vec<(String, Vec<Option<f64>>)>,
    /// What a cell's number is: `passed, %`.
    pub axis: String,
    /// Counts are shaded by the largest of them.
    pub unit: Unit,
}

const ROW: f64 = 28.0;
const COLUMN_CHARACTERS: usize = 26;
const ROW_CHARACTERS: usize = 36;

/// A cell says its number, so that no reader depends on telling shades apart.
pub fn heat_map(map: &HeatMap) -> String {
    let room = map
        .rows
        .iter()
        .map(|(name, _)| text_width(&shortened(name, ROW_CHARACTERS), FONT))
        .fold(60.0, f64::max);
    let columns = map.columns.len().max(1) as f64;
    let cell = ((WIDTH - room - 24.0) / columns).clamp(30.0, 110.0);
    let names: Vec<String> = map.columns.iter().map(|name| shortened(name, COLUMN_CHARACTERS)).collect();
    let widest = names.iter().map(|name| text_width(name, 11.0)).fold(0.0, f64::max);
    // Names that do not fit above their cells stand upright.
    let upright = widest > cell - 6.0;
    let top = 30.0 + if upright { widest + 6.0 } else { 18.0 };
    let height = top + ROW * map.rows.len() as f64 + 26.0;
    let left = room + 14.0;
    let whole = match map.unit {
        Unit::Percent => 1.0,
        Unit::Plain => largest(map).max(1.0),
    };
    let written = |value: f64| match map.unit {
        Unit::Percent => format!("{:.0}", value * 100.0),
        Unit::Plain => format!("{value:.0}"),
    };
    let body = html! {
        text x="0" y="12" font-weight="600" { (map.title) }
        @for (index, (name, full)) in names.iter().zip(&map.columns).enumerate() {
            @let x = left + cell * (index as f64 + 0.5);
            @if upright {
                text.m transform={ "translate(" (px(x)) " " (px(top - 6.0)) ") rotate(-90)" } dominant-baseline="middle" {
                    @if name != full { title { (full) } }
                    (name)
                }
            } @else {
                (small(x, top - 10.0, "middle", name))
            }
        }
        @for (index, (name, shares)) in map.rows.iter().enumerate() {
            @let y = top + ROW * index as f64;
            (label(room, y + ROW / 2.0, "end", &shortened(name, ROW_CHARACTERS)))
            @for (column, (share, of)) in shares.iter().zip(&map.columns).enumerate() {
                @let x = left + cell * column as f64;
                @let share = share.filter(|share| share.is_finite());
                @let number = share.map_or_else(|| "–".to_owned(), &written);
                g {
                    title { (name) ", " (of) ": " (number) }
                    rect x=(px(x + 1.0)) y=(px(y + 1.0)) width=(px(cell - 2.0)) height=(px(ROW - 2.0)) rx="3"
                        fill="var(--p-accent)" fill-opacity=(format!("{:.2}", 0.04 + (share.unwrap_or(0.0) / whole).clamp(0.0, 1.0) * 0.46)) {}
                    text x=(px(x + cell / 2.0)) y=(px(y + ROW / 2.0)) text-anchor="middle" dominant-baseline="middle" { (number) }
                }
            }
        }
        (small(left, height - 10.0, "start", &map.axis))
    };
    let described: Vec<String> = map
        .rows
        .iter()
        .map(|(name, shares)| {
            let cells = shares.iter().zip(&map.columns).map(|(share, of)| {
                share.map_or_else(|| format!("{of} none"), |share| format!("{of} {}", written(share)))
            });
            format!("{name}: {}", cells.collect::<Vec<_>>().join(", "))
        })
        .collect();
    frame(&map.title, &format!("{}. {}", map.axis, described.join("; ")), height, &body)
}

fn largest(map: &HeatMap) -> f64 {
    let values = map.rows.iter().flat_map(|(_, values)| values.iter().flatten());
    values.copied().filter(|value| value.is_finite()).fold(0.0, f64::max)
}
