use bytes::Bytes;
use image::RgbImage;
use image::imageops::{self, FilterType};
use jpeg_encoder::{ColorType, Encoder};
use umpire_model::Media;

use super::decode::decode;
use super::header::header;

/// How large a picture may be, and what is done with a larger one.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Policy {
    /// In pixels. Providers shrink what is larger, each in its own way.
    pub longest_side: u32,
    /// A page that is too long, and more than this many times as long as wide, is cut into tiles.
    pub tiles_above: u32,
    /// Longer tiles, which are then shrunk, rather than more of them.
    pub most_tiles: u32,
    /// In pixels; what a cut goes through can be read in one of the two.
    pub overlap: u32,
    /// Of JPEG, 1 to 100.
    pub quality: u8,
}

impl Default for Policy {
    fn default() -> Self {
        Self { longest_side: 2048, tiles_above: 3, most_tiles: 8, overlap: 48, quality: 85 }
    }
}

/// A picture as it is sent. The media type is read from the bytes, or they were written by us.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Picture {
    pub media: Media,
    pub content: Bytes,
    pub width: u32,
    pub height: u32,
    /// Which part of a long page it is, from 1, and of how many.
    pub tile: Option<(u32, u32)>,
}

/// The pictures to send for one screenshot: itself, untouched, if it is small enough and of a kind that all providers take;
/// otherwise one or several new ones.
///
/// # Errors
/// What is wrong with the picture.
pub fn prepare(content: &Bytes, policy: &Policy) -> Result<Vec<Picture>, String> {
    if let Some(found) = header(content)
        && found.plain
        && found.width.max(found.height) <= policy.longest_side
        && found.width.min(found.height) > 0
    {
        let (width, height) = (found.width, found.height);
        return Ok(vec![Picture { media: found.media, content: content.clone(), width, height, tile: None }]);
    }
    let pixels = decode(content)?;
    let (width, height) = pixels.dimensions();
    if !is_long(width, height, policy) {
        return Ok(vec![encoded(&pixels, policy, None)?]);
    }
    let tiles = cuts(height, width, policy);
    let count = tiles.len() as u32;
    let cut = |(number, (top, bottom)): (u32, (u32, u32))| {
        let tile = imageops::crop_imm(&pixels, 0, top, width, bottom - top).to_image();
        encoded(&tile, policy, (count > 1).then_some((number, count)))
    };
    (1..).zip(tiles).map(cut).collect()
}

/// Pages are long downwards; what is long sideways is shrunk like everything else. What fits is not cut, whatever its form.
fn is_long(width: u32, height: u32, policy: &Policy) -> bool {
    height > policy.longest_side && u64::from(height) > u64::from(width) * u64::from(policy.tiles_above)
}

/// Top and bottom of each tile: all of the same height, each overlapping the one before.
fn cuts(height: u32, width: u32, policy: &Policy) -> Vec<(u32, u32)> {
    // A tile is as high as fits without being shrunk more than its width has to be.
    let fits = if width <= policy.longest_side { policy.longest_side } else { width };
    let step = fits.saturating_sub(policy.overlap).max(1);
    let count = height.saturating_sub(policy.overlap).div_ceil(step).clamp(1, policy.most_tiles.max(1));
    let step = height.saturating_sub(policy.overlap).div_ceil(count).max(1);
    let tile = |index: u32| (index * step, (index * step + step).saturating_add(policy.overlap).min(height));
    (0..count).map(tile).filter(|(top, bottom)| top < bottom).collect()
}

fn encoded(pixels: &RgbImage, policy: &Policy, tile: Option<(u32, u32)>) -> Result<Picture, String> {
    let (width, height) = pixels.dimensions();
    // JPEG itself has no larger pictures.
    let longest = policy.longest_side.clamp(1, u32::from(u16::MAX));
    let shrunk = (width.max(height) > longest).then(|| {
        let scaled =
            |side: u32| (u64::from(side) * u64::from(longest) / u64::from(width.max(height))).max(1) as u32;
        imageops::resize(pixels, scaled(width), scaled(height), FilterType::CatmullRom)
    });
    let pixels = shrunk.as_ref().unwrap_or(pixels);
    let (width, height) = pixels.dimensions();
    let mut content = Vec::new();
    Encoder::new(&mut content, policy.quality.clamp(1, 100))
        .encode(pixels.as_raw(), width as u16, height as u16, ColorType::Rgb)
        .map_err(|error| format!("it cannot be written as JPEG: {error}"))?;
    Ok(Picture { media: Media::Jpeg, content: content.into(), width, height, tile })
}
