//! What holds for every plot, however many agents it shows.

use crate::drawings;

#[test]
fn every_plot_is_an_image_with_a_name_and_a_description() {
    for count in [0, 1, 2, 20] {
        for (name, plot) in drawings::all(count) {
            assert!(plot.starts_with("<svg"), "{name}");
            assert!(
                plot.contains("role=\"img\"") && plot.contains("<title>") && plot.contains("<desc>"),
                "{name}"
            );
            for broken in ["NaN", "inf", "undefined"] {
                let numbers = plot.split('"').skip(1).step_by(2);
                assert!(
                    !numbers.into_iter().any(|value| value == broken || value.contains("NaN")),
                    "{name}: {broken}"
                );
            }
        }
    }
}

#[test]
fn names_cannot_leave_their_text() {
    for (name, plot) in drawings::all(20) {
        assert!(!plot.contains("<script"), "{name}");
        // Reliability and the cut names show it whole or cut; the description always names it whole.
        assert!(plot.contains("&lt;script&gt;alert"), "{name}");
        assert!(!plot.contains("http://") || plot.matches("http").count() == 1, "{name} links somewhere");
    }
}

#[test]
fn light_and_dark_are_the_readers_choice() {
    for (name, plot) in drawings::all(2) {
        assert!(plot.contains("prefers-color-scheme:dark"), "{name}");
        let attributes: String = plot.split("</style>").nth(1).expect("a style first").to_owned();
        assert!(
            !attributes.contains("fill=\"#") && !attributes.contains("stroke=\"#"),
            "{name} fixes a colour"
        );
    }
}

/// The rows of a plot, from what the marks say.
fn marked(plot: &str, attribute: &str) -> usize {
    plot.matches(attribute).count()
}

#[test]
fn an_interval_that_crosses_zero_is_marked() {
    use umpire_report::plots::{Difference, DifferencePlot, differences};
    let row = |value, low, high| Difference {
        label: "a".into(),
        value: Some(value),
        low,
        high,
        note: String::new(),
    };
    let rows = vec![row(0.1, 0.02, 0.18), row(0.1, -0.02, 0.2), row(-0.1, -0.2, -0.01), row(0.1, 0.0, 0.2)];
    let plot = differences(&DifferencePlot { rows, ..DifferencePlot::default() });
    assert_eq!(
        (marked(&plot, "data-crosses-zero=\"true\""), marked(&plot, "data-crosses-zero=\"false\"")),
        (2, 2)
    );
}

#[test]
fn a_ranking_goes_from_high_to_low() {
    use umpire_report::plots::{Estimate, ForestPlot, ranking};
    let row = |label: &str, value| Estimate {
        label: label.into(),
        value,
        low: 0.0,
        high: 1.0,
        ..Estimate::default()
    };
    let rows = vec![row("low", Some(0.1)), row("none", None), row("high", Some(0.9))];
    let plot = ranking(&ForestPlot { rows, ..ForestPlot::default() });
    let places = ["high", "low", "none"].map(|name| plot.find(&format!("<g><title>{name}:")).expect(name));
    assert!(places.is_sorted(), "{places:?}");
}
