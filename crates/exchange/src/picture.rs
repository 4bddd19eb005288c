//! Pictures from elsewhere, checked before they become evidence.

use std::io::Cursor;

use image::{ImageFormat, ImageReader};
use umpire_model::Media;

/// A page of 1,280 × 100,000 pixels has half as many.
const MOST_PIXELS: u64 = 256 << 20;

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Picture {
    pub bytes: Vec<u8>,
    pub media: Media,
    pub width: u32,
    pub height: u32,
}

impl Picture {
    /// PNG and JPEG stay as they are; WebP becomes a PNG of the same pixels. An error says what is wrong.
    pub(crate) fn of(bytes: Vec<u8>) -> Result<Self, String> {
        let format = image::guess_format(&bytes).map_err(|_| "it is no picture".to_owned())?;
        let media = match format {
            ImageFormat::Png | ImageFormat::WebP => Media::Png,
            ImageFormat::Jpeg => Media::Jpeg,
            other => return Err(format!("it is a {other:?} picture; PNG, JPEG and WebP are read")),
        };
        let damaged = |error: image::ImageError| format!("the picture is damaged: {error}");
        let (width, height) =
            ImageReader::with_format(Cursor::new(&bytes), format).into_dimensions().map_err(damaged)?;
        if u64::from(width) * u64::from(height) > MOST_PIXELS {
            return Err(format!("a picture of {width} × {height} is too large"));
        }
        let bytes = match format {
            ImageFormat::WebP => {
                let mut png = Cursor::new(Vec::new());
                let decoded = image::load_from_memory_with_format(&bytes, format).map_err(damaged)?;
                decoded.write_to(&mut png, ImageFormat::Png).map_err(damaged)?;
                png.into_inner()
            }
            _ => bytes,
        };
        Ok(Self { bytes, media, width, height })
    }
}

#[cfg(test)]
mod tests {
    use image::{Rgb, RgbImage};

    use super::*;

    fn drawn(format: ImageFormat) -> Vec<u8> {
        let mut out = Cursor::new(Vec::new());
        RgbImage::from_pixel(3, 2, Rgb([9, 8, 7])).write_to(&mut out, format).expect("drawn");
        out.into_inner()
    }

    #[test]
    fn pictures_are_told_by_their_content() {
        for (format, media) in [
            (ImageFormat::Png, Media::Png),
            (ImageFormat::Jpeg, Media::Jpeg),
            (ImageFormat::WebP, Media::Png),
        ] {
            let picture = Picture::of(drawn(format)).expect("a picture");
            assert_eq!((picture.media, picture.width, picture.height), (media, 3, 2), "{format:?}");
        }
        let from_webp = Picture::of(drawn(ImageFormat::WebP)).expect("a picture");
        let pixels = image::load_from_memory(&from_webp.bytes).expect("a PNG").into_rgb8();
        assert_eq!(pixels.get_pixel(2, 1), &Rgb([9, 8, 7]));
    }

    #[test]
    fn what_is_no_picture_is_refused() {
        for (bytes, told) in [
            (b"hello".to_vec(), "no picture"),
            (Vec::new(), "no picture"),
            (b"GIF89a\x01\x00\x01\x00".to_vec(), "Gif"),
            (drawn(ImageFormat::Png)[..20].to_vec(), "damaged"),
        ] {
            let error = Picture::of(bytes).expect_err(told);
            assert!(error.contains(told), "{error}");
        }
        // The size in a PNG's header, and no pixels: nothing is decoded before the size is known.
        let mut bomb = drawn(ImageFormat::Png);
        bomb[16..24].copy_from_slice(&[0, 1, 0, 0, 0, 1, 0, 0]);
        assert!(Picture::of(bomb).is_err());
    }
}
