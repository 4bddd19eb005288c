use std::io::Cursor;

use image::{DynamicImage, ImageFormat, ImageReader, Limits, Rgb, RgbImage};

use super::header::header;

/// A full-page capture of 1280 × 50,000 is the longest that is evidence; beyond, it is an attack or an accident.
const MOST_PIXELS: u64 = 64_000_000;
/// Of what a decoder may ask for, however small the file is.
const MOST_BYTES: u64 = 512 << 20;
/// Some encoders leave a few bytes after the end.
const AFTER_THE_END: usize = 1024;

/// The pixels of a JPEG, PNG or WebP of any kind of pixels, on white where it is transparent.
pub(super) fn decode(content: &[u8]) -> Result<RgbImage, String> {
    let format = image::guess_format(content).map_err(|_| "it is no picture".to_owned())?;
    let damaged = |error: image::ImageError| format!("the picture is damaged: {error}");
    let dimensions = || ImageReader::with_format(Cursor::new(content), format).into_dimensions();
    let (width, height) = match header(content) {
        Some(header) => (header.width, header.height),
        None => dimensions().map_err(damaged)?,
    };
    if u64::from(width) * u64::from(height) > MOST_PIXELS {
        return Err(format!("{width} × {height} are more pixels than a screenshot has"));
    }
    // The decoder fills what is missing with grey, and would not say so.
    let tail = &content[content.len().saturating_sub(AFTER_THE_END)..];
    if format == ImageFormat::Jpeg && !tail.windows(2).any(|pair| pair == b"\xff\xd9") {
        return Err("the picture is damaged: it ends early".to_owned());
    }
    let mut reader = ImageReader::with_format(Cursor::new(content), format);
    let mut limits = Limits::default();
    limits.max_alloc = Some(MOST_BYTES);
    reader.limits(limits);
    Ok(on_white(reader.decode().map_err(damaged)?))
}

fn on_white(decoded: DynamicImage) -> RgbImage {
    if !decoded.color().has_alpha() {
        return decoded.into_rgb8();
    }
    let pixels = decoded.into_rgba8();
    RgbImage::from_fn(pixels.width(), pixels.height(), |x, y| {
        let [r, g, b, alpha] = pixels.get_pixel(x, y).0;
        let over = |value: u8| {
            let (value, alpha) = (u32::from(value), u32::from(alpha));
            ((value * alpha + 255 * (255 - alpha) + 127) / 255) as u8
        };
        Rgb([over(r), over(g), over(b)])
    })
}
