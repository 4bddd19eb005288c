//! Screenshots as Chromium writes them, drawn: lines that look like text, and a photograph.

use bytes::Bytes;
use image::{Rgb, RgbImage};
use jpeg_encoder::{ColorType, Encoder, SamplingFactor};

/// One trajectory's; each page stays for so many steps.
pub fn recorded(run: u32, screenshots: u32, stays: u32) -> Result<Vec<Bytes>, String> {
    let mut shots: Vec<Bytes> = Vec::new();
    for step in 0..screenshots {
        let content = match shots.last() {
            Some(before) if step % stays != 0 => before.clone(),
            _ => page(run, step, 80)?,
        };
        shots.push(content);
    }
    Ok(shots)
}

pub fn page(run: u32, step: u32, quality: u8) -> Result<Bytes, String> {
    let shift = run * 977 + step * 131;
    let drawn = RgbImage::from_fn(1280, 1024, |x, y| {
        if x > 800 && y > 500 && x < 1240 && y < 860 {
            let wave =
                |by: f64| ((f64::from(x + shift) * by).sin() + (f64::from(y) * by).cos()) * 60.0 + 125.0;
            return Rgb([0.03, 0.05, 0.11].map(|by| wave(by) as u8));
        }
        *line(x, y + shift * 28)
    });
    jpeg(&drawn, quality)
}

pub fn long_page() -> Result<Bytes, String> {
    jpeg(&RgbImage::from_fn(1280, 9000, |x, y| *line(x, y)), 80)
}

fn line(x: u32, y: u32) -> &'static Rgb<u8> {
    const WHITE: Rgb<u8> = Rgb([255, 255, 255]);
    const INK: Rgb<u8> = Rgb([40, 42, 48]);
    let (line, row) = (y / 28, y % 28);
    let (letter, column) = (x / 9, x % 9);
    let form = (letter.wrapping_mul(2_654_435_761) ^ line.wrapping_mul(40_503)) >> 7;
    let inked = row < 12
        && column < 7
        && letter % 7 != 0
        && x > 24
        && x < 700
        && (form >> (row / 3 * 4 + column / 2)) & 1 == 1;
    if inked { &INK } else { &WHITE }
}

fn jpeg(page: &RgbImage, quality: u8) -> Result<Bytes, String> {
    let mut out = Vec::new();
    let mut encoder = Encoder::new(&mut out, quality);
    encoder.set_sampling_factor(SamplingFactor::F_2_2);
    let (width, height) = (page.width() as u16, page.height() as u16);
    encoder.encode(page, width, height, ColorType::Rgb).map_err(|error| error.to_string())?;
    Ok(out.into())
}
