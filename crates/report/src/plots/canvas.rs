//! What all plots share: the frame, scales, and how wide a text is about to be.

use maud::{Markup, PreEscaped, html};

pub(super) const FONT: f64 = 12.0;
pub(super) const SMALL: f64 = 11.0;
/// Fits a page of 1280 pixels with its margins.
pub(super) const WIDTH: f64 = 960.0;
/// Longer names are cut in the middle, where those of one family are alike; the whole name is in a tooltip.
pub(super) const LABEL_CHARACTERS: usize = 44;

const STYLE: &str = "\
.umpire-plot{--p-ink:#1b1f24;--p-muted:#5f6771;--p-line:#dfe2e6;--p-accent:#0b6e63;--p-bad:#ad2c23;--p-bg:#ffffff;\
--s0:#0b6e63;--s1:#b3541e;--s2:#5b4bb0;--s3:#a3246e;--s4:#2f6fb5;--s5:#7a6a00;--s6:#4d7c28;--s7:#6b6f76;\
font:12px system-ui,-apple-system,'Segoe UI','Noto Sans','Liberation Sans',sans-serif;font-variant-numeric:tabular-nums;\
max-width:100%;height:auto;color:var(--p-ink)}\
@media(prefers-color-scheme:dark){.umpire-plot{--p-ink:#e3e6e9;--p-muted:#9ba3ac;--p-line:#30363c;--p-accent:#52bbab;\
--p-bad:#f08a81;--p-bg:#14171a;--s0:#52bbab;--s1:#e79a63;--s2:#a79bf0;--s3:#e683b8;--s4:#7db2ec;--s5:#cfbf4f;--s6:#9acb6f;\
--s7:#a9aeb5}}\
.umpire-plot text{fill:var(--p-ink)}.umpire-plot .m{fill:var(--p-muted);font-size:11px}\
.umpire-plot .g{stroke:var(--p-line);stroke-width:1}.umpire-plot .i{stroke:var(--p-ink);stroke-width:1.5}\
.umpire-plot .lead{stroke:var(--p-muted);stroke-width:.75;stroke-dasharray:1 2;fill:none}";

/// A drawing of this size. The title is shown and read out; the description is only read out.
pub(super) fn frame(title: &str, description: &str, height: f64, body: &Markup) -> String {
    let size = format!("0 0 {} {}", px(WIDTH), px(height));
    let drawn = html! {
        svg.umpire-plot xmlns="http://www.w3.org/2000/svg" role="img" width=(px(WIDTH)) height=(px(height)) viewBox=(size) {
            title { (title) }
            desc { (description) }
            style { (PreEscaped(STYLE)) }
            (body)
        }
    };
    drawn.0
}

/// One decimal is a tenth of a pixel.
pub(super) fn px(value: f64) -> String {
    let tenths = (value * 10.0).round() / 10.0;
    // `-0` would be a number too, and look like a mistake.
    if tenths == 0.0 { "0".to_owned() } else { tenths.to_string() }
}

pub(super) fn label(x: f64, y: f64, anchor: &str, text: &str) -> Markup {
    let shown = shortened(text, LABEL_CHARACTERS);
    html! {
        text x=(px(x)) y=(px(y)) text-anchor=(anchor) dominant-baseline="middle" {
            @if shown != text { title { (text) } }
            (shown)
        }
    }
}

pub(super) fn small(x: f64, y: f64, anchor: &str, text: &str) -> Markup {
    html! { text.m x=(px(x)) y=(px(y)) text-anchor=(anchor) dominant-baseline="middle" { (text) } }
}

pub(super) fn line(class: &str, from: (f64, f64), to: (f64, f64)) -> Markup {
    html! { line class=(class) x1=(px(from.0)) y1=(px(from.1)) x2=(px(to.0)) y2=(px(to.1)) {} }
}

/// A colour of the series; there are eight, and more series than that also differ in how their lines are broken.
pub(super) fn series_colour(index: usize) -> String {
    format!("var(--s{})", index % 8)
}

pub(super) fn series_dashes(index: usize) -> &'static str {
    ["none", "6 3", "2 3", "8 3 2 3"][(index / 8) % 4]
}

/// A guess after the widest font a reader is likely to have: a label that is a little short of its room is better than
/// one that leaves it.
pub(super) fn text_width(text: &str, size: f64) -> f64 {
    let ems: f64 = text
        .chars()
        .map(|c| match c {
            'i' | 'l' | 'j' | '.' | ',' | '\'' | '|' | ' ' => 0.34,
            't' | 'f' | 'r' | ':' | ';' | '!' | 'I' | '-' | '/' | '(' | ')' | '[' | ']' => 0.43,
            'm' | 'w' | 'M' | 'W' | '@' | '%' | '…' => 1.0,
            '<' | '>' | '=' | '+' | '&' | '#' | '~' => 0.86,
            c if c.is_ascii_uppercase() => 0.78,
            c if c.is_ascii() => 0.66,
            _ => 1.0,
        })
        .sum();
    ems * size
}

/// Keeps beginning and end.
pub(super) fn shortened(text: &str, characters: usize) -> String {
    let all: Vec<char> = text.chars().collect();
    if all.len() <= characters || characters < 3 {
        return text.to_owned();
    }
    let tail = (characters - 1) / 2;
    let head = characters - 1 - tail;
    all[..head].iter().chain(&['…']).chain(&all[all.len() - tail..]).collect()
}

/// Room for the longest of these labels as they are shown.
pub(super) fn label_room<'a>(labels: impl Iterator<Item = &'a str>) -> f64 {
    labels.map(|label| text_width(&shortened(label, LABEL_CHARACTERS), FONT)).fold(60.0, f64::max)
}

/// What the numbers of a plot are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Unit {
    /// Shares between 0 and 1, shown in percent.
    #[default]
    Percent,
    /// Shown as they are.
    Plain,
}

impl Unit {
    /// A tick, with as many digits as the step between ticks needs.
    pub(super) fn tick(self, value: f64, step: f64) -> String {
        match self {
            Self::Percent => tick_text(value * 100.0, step * 100.0),
            Self::Plain => tick_text(value, step),
        }
    }

    /// A value beside its mark.
    pub(super) fn text(self, value: f64) -> String {
        match self {
            Self::Percent => format!("{:.1}", value * 100.0),
            Self::Plain if value.abs() >= 100.0 => format!("{value:.0}"),
            Self::Plain => format!("{value:.2}"),
        }
    }
}

/// From numbers to pixels, in either direction.
#[derive(Clone, Copy, Debug)]
pub(super) struct Scale {
    from: f64,
    to: f64,
    start: f64,
    end: f64,
}

impl Scale {
    pub fn new((from, to): (f64, f64), (start, end): (f64, f64)) -> Self {
        let to = if to > from { to } else { from + 1.0 };
        Self { from, to, start, end }
    }

    /// Values beyond the scale stay at its edge.
    pub fn at(&self, value: f64) -> f64 {
        let share = ((value - self.from) / (self.to - self.from)).clamp(0.0, 1.0);
        self.start + share * (self.end - self.start)
    }

    /// About so many round numbers within the scale.
    pub fn ticks(&self, about: usize) -> Vec<f64> {
        let step = round_step((self.to - self.from) / about.max(1) as f64);
        let first = (self.from / step).ceil() as i64;
        let last = (self.to / step + 1e-9).floor() as i64;
        (first..=last).map(|index| index as f64 * step).collect()
    }
}

/// The next of 1, 2, 5 times a power of ten.
pub(super) fn round_step(rough: f64) -> f64 {
    if !(rough.is_finite() && rough > 0.0) {
        return 1.0;
    }
    let power = 10_f64.powf(rough.log10().floor());
    let factor = [1.0, 2.0, 5.0, 10.0].into_iter().find(|factor| factor * power >= rough * 0.999_999);
    factor.unwrap_or(10.0) * power
}

/// As many digits as the step between ticks needs.
pub(super) fn tick_text(value: f64, step: f64) -> String {
    let digits = (-step.log10().floor()).clamp(0.0, 6.0) as usize;
    format!("{value:.digits$}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round_and_within() {
        let fifths = Scale::new((0.0, 1.0), (0.0, 100.0)).ticks(5);
        let texts: Vec<String> = fifths.iter().map(|tick| Unit::Percent.tick(*tick, 0.2)).collect();
        assert_eq!(texts, ["0", "20", "40", "60", "80", "100"]);
        assert_eq!(Scale::new((0.0, 37.0), (0.0, 1.0)).ticks(5), [0.0, 10.0, 20.0, 30.0]);
        assert_eq!(Scale::new((3.0, 3.0), (0.0, 1.0)).ticks(2), [3.0, 3.5, 4.0]);
        let steps: Vec<f64> = [f64::NAN, 0.0, -3.0].map(round_step).into();
        assert_eq!(steps, [1.0; 3], "no step is no reason to loop for ever");
    }

    #[test]
    fn names_are_cut_in_the_middle() {
        assert_eq!(shortened("abcdefghij", 5), "ab…ij");
        assert_eq!(shortened("äöü", 3), "äöü");
    }

    #[test]
    fn pixels_have_no_idle_digits() {
        assert_eq!((px(3.0), px(2.14), px(-0.04)), ("3".into(), "2.1".into(), "0".into()));
    }
}
