//! Pages drawn for the tests, and ways to write them down.

use std::io::{Cursor, Write as _};

use bytes::Bytes;
use flate2::write::ZlibEncoder;
use flate2::{Compression, Crc};
use font8x8::UnicodeFonts as _;
use image::{DynamicImage, ImageFormat, Rgb, RgbImage};
use jpeg_encoder::{ColorType, Encoder, SamplingFactor};
use umpire_judges::pictures::Screenshot;
use umpire_model::Digest;

pub const WIDTH: u32 = 1280;
pub const HEIGHT: u32 = 1024;
pub const BLACK: [u8; 3] = [20, 20, 20];
pub const GREY: [u8; 3] = [150, 150, 150];

/// A page of text, a table, buttons and a photograph.
pub fn page() -> RgbImage {
    let mut page = RgbImage::from_pixel(WIDTH, HEIGHT, Rgb([255, 255, 255]));
    fill(&mut page, (0, 0), (WIDTH, 56), [26, 54, 93]);
    write(&mut page, "Account settings", (24, 20), 2, [255, 255, 255]);
    for line in 0..30 {
        let text = format!(
            "{line:>2}  The quick brown fox jumps over the lazy dog, {} times of {}",
            line * 7,
            line * line
        );
        write(&mut page, &text, (24, 90 + line * 28), 1, if line % 3 == 0 { GREY } else { BLACK });
    }
    for y in 600..900 {
        for x in 760..1200 {
            // Soft forms with an edge here and there, as photographs have them.
            let wave = |by: f64| ((f64::from(x) * by).sin() + (f64::from(y) * by * 0.7).cos()) * 55.0 + 128.0;
            let edge = if (x / 61 + y / 47) % 3 == 0 { 30.0 } else { 0.0 };
            page.put_pixel(x, y, Rgb([0.05, 0.11, 0.23].map(|by| (wave(by) - edge) as u8)));
        }
    }
    page
}

pub fn with(page: &RgbImage, change: impl FnOnce(&mut RgbImage)) -> RgbImage {
    let mut page = page.clone();
    change(&mut page);
    page
}

pub fn fill(page: &mut RgbImage, (left, top): (u32, u32), (width, height): (u32, u32), colour: [u8; 3]) {
    for y in top..(top + height).min(page.height()) {
        for x in left..(left + width).min(page.width()) {
            page.put_pixel(x, y, Rgb(colour));
        }
    }
}

pub fn write(page: &mut RgbImage, text: &str, (left, top): (u32, u32), scale: u32, colour: [u8; 3]) {
    for (index, letter) in (0..).zip(text.chars()) {
        let rows = font8x8::BASIC_FONTS.get(letter).unwrap_or_default();
        for (y, row) in (0..).zip(rows) {
            for x in (0..8).filter(|x| row >> x & 1 == 1) {
                let place = (left + (index * 8 + x) * scale, top + y * scale);
                fill(page, place, (scale, scale), colour);
            }
        }
    }
}

/// A switch of 20 × 20 with its knob on one side, in one of two colours.
pub fn switch(page: &mut RgbImage, (left, top): (u32, u32), on: bool, colour: [u8; 3]) {
    fill(page, (left, top), (20, 20), colour);
    fill(page, (left + if on { 11 } else { 2 }, top + 2), (7, 16), [245, 245, 245]);
}

/// As Chromium writes screenshots: colour at half resolution.
pub fn jpeg(page: &RgbImage, quality: u8) -> Bytes {
    let mut out = Vec::new();
    let mut encoder = Encoder::new(&mut out, quality);
    encoder.set_sampling_factor(SamplingFactor::F_2_2);
    encoder.encode(page, page.width() as u16, page.height() as u16, ColorType::Rgb).expect("encoded");
    out.into()
}

pub fn written(picture: &DynamicImage, format: ImageFormat) -> Bytes {
    let mut out = Cursor::new(Vec::new());
    picture.write_to(&mut out, format).expect("encoded");
    out.into_inner().into()
}

pub fn png(page: &RgbImage) -> Bytes {
    written(&DynamicImage::ImageRgb8(page.clone()), ImageFormat::Png)
}

/// A PNG with a palette of two colours, one bit a pixel, which the encoder at hand does not write.
pub fn palette_png(width: u32, height: u32) -> Bytes {
    let mut content = b"\x89PNG\r\n\x1a\n".to_vec();
    let mut header = [width.to_be_bytes(), height.to_be_bytes()].concat();
    header.extend([1, 3, 0, 0, 0]);
    let row = [vec![0], vec![0xaa; width.div_ceil(8) as usize]].concat();
    let mut pixels = ZlibEncoder::new(Vec::new(), Compression::fast());
    pixels.write_all(&row.repeat(height as usize)).expect("compressed");
    let pixels = pixels.finish().expect("compressed");
    for (name, body) in
        [(b"IHDR", header), (b"PLTE", vec![200, 30, 30, 255, 255, 255]), (b"IDAT", pixels), (b"IEND", vec![])]
    {
        let mut crc = Crc::new();
        crc.update(name);
        crc.update(&body);
        content.extend((body.len() as u32).to_be_bytes());
        content.extend(name);
        content.extend(body);
        content.extend(crc.sum().to_be_bytes());
    }
    content.into()
}

/// Screenshots of steps 1, 2, ….
pub fn shots(contents: impl IntoIterator<Item = Bytes>) -> Vec<Screenshot> {
    let shot = |(step, content): (u32, Bytes)| Screenshot { step, digest: Digest::of(&content), content };
    (1..).zip(contents).map(shot).collect()
}
