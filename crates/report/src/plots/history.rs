//! How a measure of several went over time, day by day, with what is known of it.

use super::curves::{Band, Chart, Curve, chart};

/// A value at the end of a day, with its interval.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct DayValue {
    /// Days since any day that all share.
    pub day: f64,
    pub value: f64,
    pub low: f64,
    pub high: f64,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct DayLine {
    pub label: String,
    /// By day.
    pub values: Vec<DayValue>,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct HistoryPlot {
    pub title: String,
    pub axis: String,
    /// Days and their names, in order; a day without a name has no tick.
    pub days: Vec<(f64, String)>,
    pub lines: Vec<DayLine>,
}

/// Names of days take about a tenth of the width.
const MOST_TICKS: usize = 8;

pub fn history(plot: &HistoryPlot) -> String {
    let all = || plot.lines.iter().flat_map(|line| &line.values);
    let bounds =
        all().flat_map(|value| [value.low, value.value, value.high]).filter(|value| value.is_finite());
    let (low, high) = bounds
        .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| (low.min(value), high.max(value)));
    let (low, high) = if low < high { (low, high) } else { (low.min(0.0) - 1.0, high.max(0.0) + 1.0) };
    let days = || plot.days.iter().map(|(day, _)| *day);
    let (first, last) = (days().fold(f64::INFINITY, f64::min), days().fold(f64::NEG_INFINITY, f64::max));
    // One day alone stands in the middle.
    let x_range = if first < last { (first, last) } else { (first - 1.0, first + 1.0) };
    let curves = plot.lines.iter().enumerate().map(|(series, line)| Curve {
        label: &line.label,
        series,
        points: line.values.iter().map(|value| (value.day, value.value)).collect(),
        steps: false,
        marked: true,
        thin: false,
    });
    let band = |(series, line): (usize, &DayLine)| Band {
        series,
        points: line.values.iter().map(|value| (value.day, value.low, value.high)).collect(),
    };
    chart(&Chart {
        title: &plot.title,
        x_axis: "day, UTC",
        y_axis: &plot.axis,
        x_range: if x_range.0.is_finite() { x_range } else { (0.0, 1.0) },
        curves: curves.collect(),
        note: "shaded: 95 % intervals",
        y_range: Some((low, high)),
        x_names: plot.days.iter().step_by(plot.days.len().div_ceil(MOST_TICKS).max(1)).cloned().collect(),
        bands: plot.lines.iter().enumerate().map(band).collect(),
        ..Chart::default()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(label: &str, values: &[(f64, f64)]) -> DayLine {
        let values =
            values.iter().map(|&(day, value)| DayValue { day, value, low: value - 20.0, high: value + 20.0 });
        DayLine { label: label.to_owned(), values: values.collect() }
    }

    fn plot(days: usize, lines: Vec<DayLine>) -> String {
        let days = (0..days).map(|day| (day as f64, format!("day {day}"))).collect();
        history(&HistoryPlot { title: "Ratings".into(), axis: "rating".into(), days, lines })
    }

    #[test]
    fn every_line_is_named_and_days_have_room() {
        let drawn =
            plot(90, vec![line("oak", &[(0.0, 990.0), (89.0, 1040.0)]), line("elm", &[(40.0, 1010.0)])]);
        assert!(drawn.contains("oak ends at 1040") && drawn.contains("elm ends at 1010"), "{drawn}");
        assert!(
            drawn.matches("day 8").count() <= 2 && drawn.matches(">day ").count() <= MOST_TICKS,
            "{drawn}"
        );
        assert!(drawn.contains(">960<") || drawn.contains(">950<") || drawn.contains(">1000<"), "{drawn}");
    }

    #[test]
    fn one_day_none_and_numbers_that_are_none_are_drawn_as_well() {
        for lines in [
            Vec::new(),
            vec![line("oak", &[(0.0, 1000.0)])],
            vec![line("oak", &[(0.0, f64::NAN)])],
            vec![line("oak", &[(0.0, f64::INFINITY), (1.0, 3.0)])],
        ] {
            let drawn = plot(1, lines.clone());
            assert!(!drawn.contains("NaN") && !drawn.contains("inf"), "{lines:?}: {drawn}");
        }
        assert!(plot(0, Vec::new()).contains("Ratings"));
    }
}
