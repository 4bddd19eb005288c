use image::RgbImage;

use super::decode::decode;

/// Side of a cell, in pixels. Larger than a caret is wide, smaller than a paragraph.
const CELL: usize = 16;
/// Of a cell's mean; what re-encoding a picture changes is below it.
const CHANGED_BY: u8 = 6;
/// A caret touches no more cells than this.
const FEW_CELLS: usize = 6;
const VERSION: u8 = 1;

/// The mean colour of every cell of a picture, as brightness and two colour differences. A few kilobytes that tell apart
/// what is plainly different; what is close has to be looked at pixel by pixel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fingerprint {
    width: u32,
    height: u32,
    cells: Vec<[u8; 3]>,
}

impl Fingerprint {
    /// # Errors
    /// What is wrong with the picture.
    pub fn of(content: &[u8]) -> Result<Self, String> {
        Ok(Self::of_pixels(&decode(content)?))
    }

    pub(super) fn of_pixels(pixels: &RgbImage) -> Self {
        let (width, height) = pixels.dimensions();
        let columns = (width as usize).div_ceil(CELL);
        let mut cells = Vec::with_capacity(columns * (height as usize).div_ceil(CELL));
        let row_bytes = width as usize * 3;
        for band in pixels.as_raw().chunks(row_bytes.max(1) * CELL) {
            let mut sums = vec![[0u32; 3]; columns];
            for row in band.chunks_exact(row_bytes) {
                for (sum, cell) in sums.iter_mut().zip(row.chunks(CELL * 3)) {
                    for pixel in cell.chunks_exact(3) {
                        for (sum, value) in sum.iter_mut().zip(pixel) {
                            *sum += u32::from(*value);
                        }
                    }
                }
            }
            let rows = band.len() / row_bytes.max(1);
            for (index, sum) in sums.iter().enumerate() {
                let pixels = rows * CELL.min(width as usize - index * CELL);
                cells.push(colour_of(sum.map(|sum| sum / pixels.max(1) as u32)));
            }
        }
        Self { width, height, cells }
    }

    /// Whether the two are different at a glance. Otherwise they may be the same, or differ in something small.
    pub fn is_far_from(&self, other: &Self) -> bool {
        if (self.width, self.height) != (other.width, other.height) {
            return true;
        }
        let changed = self.cells.iter().zip(&other.cells);
        changed
            .filter(|(a, b)| a.iter().zip(*b).any(|(a, b)| a.abs_diff(*b) >= CHANGED_BY))
            .nth(FEW_CELLS)
            .is_some()
    }

    /// For keeping it beside a run.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = vec![VERSION];
        bytes.extend(self.width.to_le_bytes());
        bytes.extend(self.height.to_le_bytes());
        bytes.extend(self.cells.iter().flatten());
        bytes
    }

    /// `None` for bytes of another version, or none of ours: then it is taken anew.
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let (head, cells) = bytes.split_at_checked(9)?;
        let number = |at: usize| Some(u32::from_le_bytes(head[at..at + 4].try_into().ok()?));
        let (width, height) = (number(1)?, number(5)?);
        let count = (width as usize).div_ceil(CELL).checked_mul((height as usize).div_ceil(CELL))?;
        let whole = head[0] == VERSION && count.checked_mul(3)? == cells.len();
        let cells = cells.chunks_exact(3).map(|cell| [cell[0], cell[1], cell[2]]).collect();
        whole.then_some(Self { width, height, cells })
    }
}

/// Brightness, and how far blue and red are from it.
fn colour_of([r, g, b]: [u32; 3]) -> [u8; 3] {
    let y = (77 * r + 150 * g + 29 * b) >> 8;
    [y as u8, ((255 + b - y) / 2) as u8, ((255 + r - y) / 2) as u8]
}
