//! Whether a reader could tell two screenshots apart.
//!
//! A wrong "same" loses evidence, a wrong "different" costs a few tokens: thresholds lie just above what encoders do to a
//! picture, and far below what a changed digit, a tick or a switch does to it.

use image::RgbImage;

/// Brightness in 4 × 4 pixels, root mean square. Another digit in small grey type changes it by 33 and more, writing the
/// same page as JPEG of another quality (from 75) by 17 at most.
const STROKE: i32 = 24;
/// Mean brightness of 8 × 8 pixels: pale highlights of rows and fields. Encoders change this mean by 4 at most.
const TINT: i32 = 6;
/// Mean colour difference of 8 × 8 pixels: a switch that changes its colour and not its brightness. Encoders that halve the
/// resolution of colours change it by 6 to 7.
const HUE: i32 = 9;

/// A caret is a solid bar; letters as tall as this are wider.
const CARET_WIDTH: u32 = 3;
const CARET_HEIGHT: std::ops::RangeInclusive<u32> = 12..=40;
const CARET_SLIMNESS: u32 = 6;
/// Encoders smear it over the blocks of 8 pixels that it touches.
const SMEAR: u32 = 8;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Likeness {
    Same,
    /// All that changed is a caret that blinks.
    Caret,
    Different,
}

/// Compares pixel by pixel.
pub fn likeness(a: &RgbImage, b: &RgbImage) -> Likeness {
    if a.dimensions() != b.dimensions() {
        return Likeness::Different;
    }
    let mut changed: Option<Area> = None;
    let (width, height) = a.dimensions();
    for top in (0..height).step_by(8) {
        for left in (0..width).step_by(8) {
            let block = Area { left, top, right: (left + 8).min(width), bottom: (top + 8).min(height) };
            if block_changed(a, b, block) {
                let area = changed.map_or(block, |area| area.with(block));
                if area.width() > CARET_WIDTH + 2 * SMEAR || area.height() > CARET_HEIGHT.end() + 2 * SMEAR {
                    return Likeness::Different;
                }
                changed = Some(area);
            }
        }
    }
    match changed {
        None => Likeness::Same,
        Some(area) if is_caret(a, b, area) => Likeness::Caret,
        Some(_) => Likeness::Different,
    }
}

#[derive(Clone, Copy)]
struct Area {
    left: u32,
    top: u32,
    right: u32,
    bottom: u32,
}

impl Area {
    fn width(self) -> u32 {
        self.right - self.left
    }

    fn height(self) -> u32 {
        self.bottom - self.top
    }

    fn with(self, other: Self) -> Self {
        Self {
            left: self.left.min(other.left),
            top: self.top.min(other.top),
            right: self.right.max(other.right),
            bottom: self.bottom.max(other.bottom),
        }
    }
}

fn block_changed(a: &RgbImage, b: &RgbImage, block: Area) -> bool {
    let row_bytes = a.width() as usize * 3;
    let (mut strokes, mut brightness, mut blue, mut red) = ([0i32; 4], 0, 0, 0);
    for y in block.top..block.bottom {
        let from = y as usize * row_bytes + block.left as usize * 3;
        let bytes = from..from + block.width() as usize * 3;
        let (a, b) = (&a.as_raw()[bytes.clone()], &b.as_raw()[bytes]);
        if a == b {
            continue;
        }
        let half = usize::from(y - block.top >= 4) * 2;
        for (x, (a, b)) in a.chunks_exact(3).zip(b.chunks_exact(3)).enumerate() {
            let by = |at: usize| i32::from(a[at]) - i32::from(b[at]);
            let brighter = brighter(a, b);
            strokes[half + x / 4] += brighter * brighter;
            brightness += brighter;
            blue += by(2) - brighter;
            red += by(0) - brighter;
        }
    }
    let pixels = (block.width() * block.height()).cast_signed();
    strokes.iter().any(|squares| *squares >= STROKE * STROKE * 16)
        || brightness.abs() >= TINT * pixels
        || blue.abs().max(red.abs()) / 2 >= HUE * pixels
}

fn brighter(a: &[u8], b: &[u8]) -> i32 {
    let by = |at: usize| i32::from(a[at]) - i32::from(b[at]);
    (77 * by(0) + 150 * by(1) + 29 * by(2)) / 256
}

/// One solid upright bar, all of it darker or all of it brighter, and nothing else of that strength.
fn is_caret(a: &RgbImage, b: &RgbImage, area: Area) -> bool {
    let changes = || {
        let places = (area.top..area.bottom).flat_map(move |y| (area.left..area.right).map(move |x| (x, y)));
        places.map(|(x, y)| (x, y, brighter(&a.get_pixel(x, y).0, &b.get_pixel(x, y).0)))
    };
    let peak = changes().map(|(_, _, by)| by).max_by_key(|by| by.abs()).unwrap_or(0);
    let strong = |by: i32| by.abs() * 2 >= peak.abs();
    let mut bar: Option<Area> = None;
    let mut pixels = 0;
    for (x, y, by) in changes().filter(|(_, _, by)| strong(*by)) {
        if by.signum() != peak.signum() {
            return false;
        }
        let pixel = Area { left: x, top: y, right: x + 1, bottom: y + 1 };
        bar = Some(bar.map_or(pixel, |bar| bar.with(pixel)));
        pixels += 1;
    }
    bar.is_some_and(|bar| {
        let (width, height) = (bar.width(), bar.height());
        width <= CARET_WIDTH
            && CARET_HEIGHT.contains(&height)
            && height >= width * CARET_SLIMNESS
            && pixels * 10 >= width * height * 9
    })
}
