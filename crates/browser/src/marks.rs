//! Set-of-marks: each visible element's box and number, drawn on the screenshot and never in the page.

use image::{Rgb, RgbImage};
use jpeg_encoder::{ColorType, Encoder};
use umpire_model::Rect;

use crate::Observation;

const JPEG_QUALITY: u8 = 85;
const LINE: i64 = 2;
/// Pixels of the screen to one of the digits' grid.
const SCALE: i64 = 2;
const DIGIT_WIDTH: i64 = 5;
const DIGIT_HEIGHT: i64 = 7;
/// Around and between the digits of a label.
const GAP: i64 = 2;
const WHITE: Rgb<u8> = Rgb([255, 255, 255]);

/// Rows of each digit, top first; the lowest five bits are its pixels.
const DIGITS: [[u8; 7]; 10] = [
    [0b01110, 0b10001, 0b10011, 0b10101, 0b11001, 0b10001, 0b01110],
    [0b00100, 0b01100, 0b00100, 0b00100, 0b00100, 0b00100, 0b01110],
    [0b01110, 0b10001, 0b00001, 0b00110, 0b01000, 0b10000, 0b11111],
    [0b01110, 0b10001, 0b00001, 0b00110, 0b00001, 0b10001, 0b01110],
    [0b00010, 0b00110, 0b01010, 0b10010, 0b11111, 0b00010, 0b00010],
    [0b11111, 0b10000, 0b11110, 0b00001, 0b00001, 0b10001, 0b01110],
    [0b00110, 0b01000, 0b10000, 0b11110, 0b10001, 0b10001, 0b01110],
    [0b11111, 0b00001, 0b00010, 0b00100, 0b01000, 0b01000, 0b01000],
    [0b01110, 0b10001, 0b10001, 0b01110, 0b10001, 0b10001, 0b01110],
    [0b01110, 0b10001, 0b10001, 0b01111, 0b00001, 0b00010, 0b01100],
];

/// A box in whole pixels.
#[derive(Clone, Copy)]
struct Area {
    x: i64,
    y: i64,
    width: i64,
    height: i64,
}

impl Area {
    fn of(rect: Rect) -> Self {
        let (x, y) = (rect.x.round() as i64, rect.y.round() as i64);
        let (right, bottom) = ((rect.x + rect.width).round() as i64, (rect.y + rect.height).round() as i64);
        Self { x, y, width: right - x, height: bottom - y }
    }

    fn meets(&self, other: &Self) -> bool {
        self.x < other.x + other.width
            && other.x < self.x + self.width
            && self.y < other.y + other.height
            && other.y < self.y + self.height
    }

    fn lies_in(&self, width: i64, height: i64) -> bool {
        self.x >= 0 && self.y >= 0 && self.x + self.width <= width && self.y + self.height <= height
    }
}

/// The screenshot with boxes and numbers, as JPEG. A screenshot that cannot be read is returned as it is.
pub fn draw(seen: &Observation) -> Vec<u8> {
    let Ok(decoded) = image::load_from_memory(&seen.screenshot) else {
        return seen.screenshot.clone();
    };
    let mut picture = decoded.into_rgb8();
    let visible: Vec<_> = seen.elements.iter().filter(|element| element.visible).collect();
    for element in &visible {
        outline(&mut picture, Area::of(element.rect), colour(element.mark));
    }
    // Numbers come last, so that no box crosses one.
    let mut labels: Vec<Area> = Vec::with_capacity(visible.len());
    for element in &visible {
        let label = place(&picture, Area::of(element.rect), element.mark, &labels);
        fill(&mut picture, label, colour(element.mark));
        write(&mut picture, label, element.mark);
        labels.push(label);
    }
    // An agent waits for this: `image`'s own encoder took 20 ms of the 25 a marked screenshot cost.
    let mut jpeg = Vec::with_capacity(seen.screenshot.len());
    let size = u16::try_from(picture.width()).ok().zip(u16::try_from(picture.height()).ok());
    let encoded = size.map(|(width, height)| {
        Encoder::new(&mut jpeg, JPEG_QUALITY).encode(&picture, width, height, ColorType::Rgb)
    });
    match encoded {
        Some(Ok(())) => jpeg,
        _ => seen.screenshot.clone(),
    }
}

/// Neighbouring numbers get colours far apart; all are dark enough for white digits.
fn colour(mark: u32) -> Rgb<u8> {
    const GOLDEN_ANGLE: f64 = 137.508;
    let hue = f64::from(mark) * GOLDEN_ANGLE % 360.0 / 60.0;
    let (light, saturation) = (0.31, 0.85);
    let chroma = (1.0 - f64::abs(2.0 * light - 1.0)) * saturation;
    let second = chroma * (1.0 - (hue % 2.0 - 1.0).abs());
    let (red, green, blue) = match hue as u8 {
        0 => (chroma, second, 0.0),
        1 => (second, chroma, 0.0),
        2 => (0.0, chroma, second),
        3 => (0.0, second, chroma),
        4 => (second, 0.0, chroma),
        _ => (chroma, 0.0, second),
    };
    let base = light - chroma / 2.0;
    Rgb([red, green, blue].map(|channel| ((channel + base) * 255.0) as u8))
}

/// Where the number goes: the first place around the box that is on the picture and free, else on its corner.
fn place(picture: &RgbImage, rect: Area, mark: u32, taken: &[Area]) -> Area {
    let digits = i64::from(mark.max(1).ilog10()) + 1;
    let width = digits * (DIGIT_WIDTH * SCALE + GAP) + GAP;
    let height = DIGIT_HEIGHT * SCALE + 2 * GAP;
    let (right, bottom) = (rect.x + rect.width, rect.y + rect.height);
    let at = |x: i64, y: i64| Area { x, y, width, height };
    let places = [
        at(rect.x, rect.y - height),
        at(rect.x - width, rect.y),
        at(right - width, rect.y - height),
        at(right, rect.y),
        at(rect.x, bottom),
        at(right - width, rect.y),
        at(rect.x, rect.y),
    ];
    let (columns, rows) = (i64::from(picture.width()), i64::from(picture.height()));
    let is_free =
        |place: &&Area| place.lies_in(columns, rows) && !taken.iter().any(|other| place.meets(other));
    let corner = at(rect.x.clamp(0, (columns - width).max(0)), rect.y.clamp(0, (rows - height).max(0)));
    places.iter().find(is_free).copied().unwrap_or(corner)
}

fn outline(picture: &mut RgbImage, area: Area, colour: Rgb<u8>) {
    let Area { x, y, width, height } = area;
    for side in [
        Area { height: LINE.min(height), ..area },
        Area { y: (y + height - LINE).max(y), height: LINE.min(height), ..area },
        Area { width: LINE.min(width), ..area },
        Area { x: (x + width - LINE).max(x), width: LINE.min(width), ..area },
    ] {
        fill(picture, side, colour);
    }
}

fn fill(picture: &mut RgbImage, area: Area, colour: Rgb<u8>) {
    let (columns, rows) = (i64::from(picture.width()), i64::from(picture.height()));
    for y in area.y.max(0)..(area.y + area.height).min(rows) {
        for x in area.x.max(0)..(area.x + area.width).min(columns) {
            picture.put_pixel(x as u32, y as u32, colour);
        }
    }
}

fn write(picture: &mut RgbImage, label: Area, mark: u32) {
    for (place, digit) in (0..).zip(mark.to_string().bytes()) {
        let left = label.x + GAP + place * (DIGIT_WIDTH * SCALE + GAP);
        let rows = DIGITS[usize::from(digit - b'0')];
        for (row, bits) in (0..).zip(rows) {
            for column in 0..DIGIT_WIDTH {
                if bits >> (DIGIT_WIDTH - 1 - column) & 1 == 1 {
                    let (x, y) = (left + column * SCALE, label.y + GAP + row * SCALE);
                    fill(picture, Area { x, y, width: SCALE, height: SCALE }, WHITE);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_stay_legible_on_every_colour() {
        for mark in 1..=1_000 {
            let Rgb([red, green, blue]) = colour(mark);
            let luminance = 0.299 * f64::from(red) + 0.587 * f64::from(green) + 0.114 * f64::from(blue);
            assert!(luminance < 150.0, "{mark}: {red} {green} {blue}");
        }
    }

    #[test]
    fn labels_stay_on_the_picture_and_apart() {
        let picture = RgbImage::new(300, 200);
        let first = place(&picture, Area { x: 0, y: 0, width: 60, height: 20 }, 7, &[]);
        assert!(first.lies_in(300, 200));
        let second = place(&picture, Area { x: 0, y: 0, width: 60, height: 20 }, 12, &[first]);
        assert!(second.lies_in(300, 200) && !second.meets(&first));
        let outside = place(&picture, Area { x: 280, y: 190, width: 400, height: 400 }, 1_000, &[]);
        assert!(outside.lies_in(300, 200));
    }
}
