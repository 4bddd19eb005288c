//! What the release does around its judges: images, file names, work in portions.

use umpire_model::Media;

use super::{Crash, Mode};

/// Kinds of pixels, by the names of the Python Imaging Library.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PictureMode {
    Rgb,
    Rgba,
    Grey,
    GreyAlpha,
    Bilevel,
    Palette,
    Cmyk,
    Grey16,
}

impl PictureMode {
    pub fn parse(name: &str) -> Option<Self> {
        Some(match name {
            "RGB" => Self::Rgb,
            "RGBA" => Self::Rgba,
            "L" => Self::Grey,
            "LA" => Self::GreyAlpha,
            "1" => Self::Bilevel,
            "P" => Self::Palette,
            "CMYK" => Self::Cmyk,
            "I;16" => Self::Grey16,
            _ => return None,
        })
    }
}

/// Only RGBA is converted before a picture is written as JPEG; what JPEG cannot hold then crashes.
pub fn encodes(mode: PictureMode) -> Result<(), Crash> {
    match mode {
        PictureMode::Rgb
        | PictureMode::Rgba
        | PictureMode::Grey
        | PictureMode::Bilevel
        | PictureMode::Cmyk => Ok(()),
        PictureMode::Palette | PictureMode::GreyAlpha | PictureMode::Grey16 => {
            Err(Crash("the pixels of this picture cannot be written as JPEG"))
        }
    }
}

/// What the last call of a mode declares its pictures to be. The bytes are JPEG in all of them.
pub fn declared_media(mode: Mode) -> Media {
    match mode {
        Mode::Autonomous | Mode::AgentTrek => Media::Jpeg,
        Mode::WebVoyager | Mode::WebJudgeOnline | Mode::WebJudgeGeneral => Media::Png,
    }
}

/// Screenshots are ordered by the first number in their names: a date counts as its year. A number beyond 2¹²⁸ counts as
/// that, which the release would order.
pub fn screenshot_sort_key(name: &str) -> Result<u128, Crash> {
    let start = name.find(|c: char| c.is_ascii_digit()).ok_or(Crash("a name without a number"))?;
    let digits = &name[start..];
    let digits = &digits[..digits.find(|c: char| !c.is_ascii_digit()).unwrap_or(digits.len())];
    Ok(digits.parse().unwrap_or(u128::MAX))
}

/// How many tasks each process gets. The portion is rounded down, so there are more processes than asked for, and fewer
/// tasks than workers are too few.
pub fn chunk_sizes(tasks: usize, workers: usize) -> Result<Vec<usize>, Crash> {
    let portion =
        tasks.checked_div(workers).filter(|portion| *portion > 0).ok_or(Crash("portions of no task"))?;
    Ok((0..tasks).step_by(portion).map(|start| portion.min(tasks - start)).collect())
}
