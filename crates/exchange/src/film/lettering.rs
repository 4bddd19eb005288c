//! Text on pictures, in the fixed-width letters of early terminals: no font file, the same on every machine.

use font8x8::{BASIC_FONTS, GREEK_FONTS, LATIN_FONTS, MISC_FONTS, UnicodeFonts as _};
use image::{Rgb, RgbImage};

const LETTER: u32 = 8;
pub(super) const LINE_HEIGHT: u32 = 14;

/// Pixels a text is wide.
pub(super) fn text_width(text: &str, size: u32) -> u32 {
    text.chars().count() as u32 * LETTER * size
}

pub(super) fn write_line(picture: &mut RgbImage, x: u32, y: u32, text: &str, colour: Rgb<u8>, size: u32) {
    for (place, letter) in (0_u32..).zip(text.chars()) {
        let left = x + place * LETTER * size;
        if left + LETTER * size > picture.width() {
            return;
        }
        for (row, bits) in (0_u32..).zip(glyph(letter)) {
            for column in 0..LETTER {
                if bits & (1 << column) != 0 {
                    fill(picture, left + column * size, y + row * size, size, colour);
                }
            }
        }
    }
}

/// Letters that have no picture are drawn as a box: something was said there.
fn glyph(letter: char) -> [u8; 8] {
    const UNKNOWN: [u8; 8] = [0x7e, 0x42, 0x42, 0x42, 0x42, 0x42, 0x7e, 0x00];
    let letter = if letter.is_whitespace() { ' ' } else { letter };
    BASIC_FONTS
        .get(letter)
        .or_else(|| LATIN_FONTS.get(letter))
        .or_else(|| GREEK_FONTS.get(letter))
        .or_else(|| MISC_FONTS.get(letter))
        .unwrap_or(UNKNOWN)
}

fn fill(picture: &mut RgbImage, x: u32, y: u32, size: u32, colour: Rgb<u8>) {
    for dy in 0..size {
        for dx in 0..size {
            if x + dx < picture.width() && y + dy < picture.height() {
                picture.put_pixel(x + dx, y + dy, colour);
            }
        }
    }
}

/// The text in lines of at most so many letters, broken between words where it can be.
pub(super) fn lines_of(text: &str, columns: u32) -> Vec<String> {
    let columns = (columns as usize).max(1);
    let mut lines = vec![String::new()];
    for word in text.split_whitespace() {
        let mut word: Vec<char> = word.chars().collect();
        let used = lines.last().map_or(0, |line| line.chars().count());
        if used > 0 && used + 1 + word.len() > columns {
            lines.push(String::new());
        }
        while !word.is_empty() {
            let Some(line) = lines.last_mut() else { break };
            if !line.is_empty() {
                line.push(' ');
            }
            let room = columns.saturating_sub(line.chars().count()).max(1);
            line.extend(word.drain(..room.min(word.len())));
            if !word.is_empty() {
                lines.push(String::new());
            }
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn words_stay_whole_where_they_fit() {
        assert_eq!(lines_of("find the cheapest lamp", 10), ["find the", "cheapest", "lamp"]);
        assert_eq!(lines_of("abcdefgh ij", 3), ["abc", "def", "gh", "ij"]);
        assert_eq!(lines_of("", 5), [""]);
    }

    #[test]
    fn letters_are_drawn_where_they_belong() {
        let ink = Rgb([255, 255, 255]);
        let mut picture = RgbImage::new(40, 10);
        write_line(&mut picture, 2, 1, "I", ink, 1);
        let drawn: Vec<(u32, u32)> = picture
            .enumerate_pixels()
            .filter(|(_, _, pixel)| **pixel == ink)
            .map(|(x, y, _)| (x, y))
            .collect();
        assert!(!drawn.is_empty());
        assert!(drawn.iter().all(|(x, y)| (2..10).contains(x) && (1..9).contains(y)), "{drawn:?}");
    }

    proptest! {
        #[test]
        fn no_text_is_too_much(text in any::<String>(), columns in 0_u32..40, x in 0_u32..50, y in 0_u32..50) {
            let lines = lines_of(&text, columns);
            let longest = (columns as usize).max(1);
            prop_assert!(lines.iter().all(|line| line.chars().count() <= longest));
            let kept: String = lines.concat().split_whitespace().collect();
            let given: String = text.split_whitespace().collect();
            prop_assert_eq!(kept, given);
            let mut picture = RgbImage::new(30, 20);
            for size in 1..3 {
                write_line(&mut picture, x, y, &text, Rgb([1, 2, 3]), size);
            }
        }
    }
}
