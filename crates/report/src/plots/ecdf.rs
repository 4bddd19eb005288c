//! The share of attempts or tasks up to a value: steps, seconds, difficulty.

use super::curves::{Chart, Curve, chart};

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Sample {
    pub label: String,
    /// In any order; what is not a number is left out.
    pub values: Vec<f64>,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct EcdfPlot {
    pub title: String,
    pub axis: String,
    pub samples: Vec<Sample>,
}

/// A line of a hundred thousand steps looks like one of this many, and is no page of its own.
const MOST_POINTS: usize = 400;

/// Names stand from the sample with the lowest median to that with the highest.
pub fn ecdf(plot: &EcdfPlot) -> String {
    let mut curves = Vec::new();
    let mut most: f64 = 0.0;
    let mut least: f64 = 0.0;
    for (series, sample) in plot.samples.iter().enumerate() {
        let mut sorted: Vec<f64> = sample.values.iter().copied().filter(|value| value.is_finite()).collect();
        sorted.sort_by(f64::total_cmp);
        let [lowest, ..] = sorted[..] else { continue };
        (least, most) = (least.min(lowest), sorted.iter().copied().fold(most, f64::max));
        curves.push(Curve {
            label: &sample.label,
            series,
            points: stairs(&sorted),
            steps: true,
            marked: false,
            thin: false,
        });
    }
    // All end at the top, so names stand in the order in which the curves pass the middle.
    let middle = |curve: &Curve<'_>| {
        curve.points.iter().find(|point| point.1 >= 0.5).map_or(f64::INFINITY, |point| point.0)
    };
    curves.sort_by(|a, b| middle(a).total_cmp(&middle(b)));
    for curve in &mut curves {
        // Everything is below the right edge.
        curve.points.push((most, 1.0));
    }
    chart(&Chart {
        title: &plot.title,
        x_axis: &plot.axis,
        y_axis: "% of them at or below",
        x_range: (least, most),
        x_ticks: None,
        curves,
        named_at_ends: false,
        ..Chart::default()
    })
}

/// Value and share at or below it, one point a value.
fn stairs(sorted: &[f64]) -> Vec<(f64, f64)> {
    let total = sorted.len() as f64;
    let mut points: Vec<(f64, f64)> = vec![(sorted.first().copied().unwrap_or(0.0), 0.0)];
    for (index, value) in sorted.iter().enumerate() {
        let share = (index + 1) as f64 / total;
        match points.last_mut() {
            Some(last) if last.0.total_cmp(value).is_eq() && last.1 > 0.0 => last.1 = share,
            _ => points.push((*value, share)),
        }
    }
    if points.len() > MOST_POINTS {
        let every = points.len().div_ceil(MOST_POINTS);
        let last = points.len() - 1;
        points = points
            .into_iter()
            .enumerate()
            .filter(|(i, _)| i % every == 0 || *i == last)
            .map(|(_, p)| p)
            .collect();
    }
    points
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_value_stands_for_the_share_at_or_below_it() {
        assert_eq!(stairs(&[1.0, 1.0, 2.0, 5.0]), [(1.0, 0.0), (1.0, 0.5), (2.0, 0.75), (5.0, 1.0)]);
    }

    #[test]
    fn many_values_keep_both_ends() {
        let values: Vec<f64> = (0..100_000).map(f64::from).collect();
        let points = stairs(&values);
        assert!(points.len() <= MOST_POINTS + 1, "{}", points.len());
        assert_eq!((points[0].0, points[points.len() - 1]), (0.0, (99_999.0, 1.0)));
    }
}
