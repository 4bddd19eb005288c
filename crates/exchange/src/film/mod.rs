//! An attempt as a film: a card with the task, a picture a step with what was done drawn on it, a card with the end.
//!
//! Frames are drawn one after the other as they are asked for, so that a long attempt needs the memory of one.

mod gif;
mod lettering;
mod webm;

use std::path::Path;

use image::imageops::{self, FilterType};
use image::{Rgb, RgbImage};
use umpire_model::{BlobSource as _, Rect, Viewport};

pub(crate) use self::gif::write as write_gif;
use self::lettering::{LINE_HEIGHT, lines_of, text_width, write_line};
pub(crate) use self::webm::write as write_webm;
use crate::export::{Outgoing, Story, StoryStep};

const WIDEST: u32 = 800;
/// Taller pages are cut below: the film shows what a window shows.
const TALLEST: u32 = 800;
const BAR_LINES: u32 = 2;
const MARGIN: u32 = 10;
const CARD: Rgb<u8> = Rgb([24, 32, 43]);
const INK: Rgb<u8> = Rgb([240, 243, 246]);
const FAINT: Rgb<u8> = Rgb([150, 162, 176]);
const MARK: Rgb<u8> = Rgb([11, 150, 135]);
const FAILED: Rgb<u8> = Rgb([214, 64, 48]);

const CARD_MS: u32 = 2500;
const STEP_MS: u32 = 1500;

/// One picture of the film and how long it is shown.
#[derive(Debug)]
pub(crate) struct Frame {
    pub picture: RgbImage,
    pub ms: u32,
}

/// The frames of one attempt.
pub(crate) struct Film<'a> {
    outgoing: &'a Outgoing<'a>,
    story: Story<'a>,
    size: (u32, u32),
    next: usize,
}

impl<'a> Film<'a> {
    pub(crate) fn of(outgoing: &'a Outgoing<'a>) -> Self {
        let story = Story::of(outgoing.trajectory);
        let first = story.steps.iter().find_map(|step| picture(outgoing, step));
        let (width, height) = first.map_or((WIDEST, WIDEST * 3 / 4), |picture| fitted(&picture));
        let bar = BAR_LINES * LINE_HEIGHT + MARGIN;
        // Video codecs halve the colours' resolution: sides have to be even.
        let size = (width.max(320) & !1, (height + bar) & !1);
        Self { outgoing, story, size, next: 0 }
    }

    pub(crate) fn size(&self) -> (u32, u32) {
        self.size
    }

    fn title(&self) -> Frame {
        let instance = self.outgoing.instance;
        let mut card = Card::new(self.size);
        card.line(&self.outgoing.id.to_string(), FAINT, 1);
        card.space();
        card.text(&instance.intent, INK, 2);
        card.space();
        card.line(&instance.sites.join(", "), FAINT, 1);
        Frame { picture: card.picture, ms: CARD_MS }
    }

    fn end(&self) -> Frame {
        let mut card = Card::new(self.size);
        let why = self.story.why_no_answer();
        let (head, text) =
            self.story.answer.map_or(("no answer", why.as_str()), |answer| ("answered", answer));
        card.line(head, FAINT, 1);
        card.space();
        card.text(text, INK, 2);
        Frame { picture: card.picture, ms: CARD_MS }
    }

    fn step(&self, step: &StoryStep<'_>) -> Frame {
        let (width, height) = self.size;
        let bar = BAR_LINES * LINE_HEIGHT + MARGIN;
        let mut frame = RgbImage::from_pixel(width, height, CARD);
        let failed = step.acts.iter().any(|act| act.error.is_some());
        if let Some(picture) = picture(self.outgoing, step) {
            let shown = shown(&picture, width, height - bar);
            let x = (width - shown.width()) / 2;
            imageops::replace(&mut frame, &shown, i64::from(x), 0);
            let scale =
                scale(self.story.viewport, &picture) * f64::from(shown.width()) / f64::from(picture.width());
            for act in &step.acts {
                if let Some(at) = act.at {
                    let colour = if act.error.is_some() { FAILED } else { MARK };
                    mark(&mut frame, at, scale, x, height - bar, colour);
                }
            }
        }
        let number = format!("{} ", step.number);
        let top = height - bar + MARGIN / 2;
        write_line(&mut frame, MARGIN, top, &number, if failed { FAILED } else { MARK }, 1);
        let did: Vec<String> = step.acts.iter().map(|act| act.did.text()).collect();
        let what = if did.is_empty() { step.thoughts.join(" ") } else { did.join("; ") };
        let left = MARGIN + text_width(&number, 1);
        let lines = lines_of(&what, (width - left - MARGIN) / text_width("m", 1));
        for (row, line) in (0..BAR_LINES).zip(&lines) {
            write_line(&mut frame, left, top + row * LINE_HEIGHT, line, INK, 1);
        }
        Frame { picture: frame, ms: STEP_MS }
    }
}

impl Iterator for Film<'_> {
    type Item = Frame;

    fn next(&mut self) -> Option<Frame> {
        let index = self.next;
        self.next += 1;
        match index {
            0 => Some(self.title()),
            _ => match self.story.steps.get(index - 1) {
                Some(step) => Some(self.step(step)),
                None if index == self.story.steps.len() + 1 => Some(self.end()),
                None => None,
            },
        }
    }
}

fn picture(outgoing: &Outgoing<'_>, step: &StoryStep<'_>) -> Option<RgbImage> {
    let shot = step.observed?.screenshot.as_ref()?;
    let bytes = outgoing.run.blobs().read(shot).ok()?;
    Some(image::load_from_memory(&bytes).ok()?.into_rgb8())
}

/// How large a picture is in the film.
fn fitted(picture: &RgbImage) -> (u32, u32) {
    let width = picture.width().clamp(1, WIDEST);
    let height = u64::from(picture.height()) * u64::from(width) / u64::from(picture.width().max(1));
    (width, (height as u32).clamp(1, TALLEST))
}

fn shown(picture: &RgbImage, width: u32, height: u32) -> RgbImage {
    let target = width.min(picture.width()).max(1);
    let whole = u64::from(picture.height()) * u64::from(target) / u64::from(picture.width().max(1));
    let rows = if whole > u64::from(height) {
        u64::from(height) * u64::from(picture.width()) / u64::from(target)
    } else {
        u64::from(picture.height())
    };
    let window = imageops::crop_imm(picture, 0, 0, picture.width(), (rows as u32).max(1)).to_image();
    imageops::resize(&window, target, (whole as u32).clamp(1, height), FilterType::Triangle)
}

/// Pixels of the picture to one of the viewport, in which actions are placed.
fn scale(viewport: Viewport, picture: &RgbImage) -> f64 {
    if viewport.width == 0 { 1.0 } else { f64::from(picture.width()) / f64::from(viewport.width) }
}

/// A box around what was acted on, or a dot where it was acted.
fn mark(frame: &mut RgbImage, at: Rect, scale: f64, left: u32, bottom: u32, colour: Rgb<u8>) {
    const LINE: i64 = 3;
    const DOT: f64 = 7.0;
    let (x, y) = at.centre();
    let half_width = (at.width * scale / 2.0).max(DOT);
    let half_height = (at.height * scale / 2.0).max(DOT);
    let (x, y) = (f64::from(left) + x * scale, y * scale);
    let (from_x, to_x) = ((x - half_width) as i64, (x + half_width) as i64);
    let (from_y, to_y) = ((y - half_height) as i64, (y + half_height) as i64);
    let (width, height) = (i64::from(frame.width()), i64::from(bottom));
    for row in from_y.max(0)..=to_y.min(height - 1) {
        for column in from_x.max(0)..=to_x.min(width - 1) {
            let is_edge =
                row - from_y < LINE || to_y - row < LINE || column - from_x < LINE || to_x - column < LINE;
            if is_edge {
                frame.put_pixel(column as u32, row as u32, colour);
            }
        }
    }
}

/// A card with text, from the top.
struct Card {
    picture: RgbImage,
    y: u32,
}

impl Card {
    fn new((width, height): (u32, u32)) -> Self {
        Self { picture: RgbImage::from_pixel(width, height, CARD), y: height / 5 }
    }

    fn space(&mut self) {
        self.y += LINE_HEIGHT;
    }

    fn line(&mut self, text: &str, colour: Rgb<u8>, size: u32) {
        write_line(&mut self.picture, MARGIN * 2, self.y, text, colour, size);
        self.y += LINE_HEIGHT * size;
    }

    /// As many lines as there is room for.
    fn text(&mut self, text: &str, colour: Rgb<u8>, size: u32) {
        let columns = self.picture.width().saturating_sub(MARGIN * 4) / text_width("m", size);
        for line in lines_of(text, columns) {
            if self.y + LINE_HEIGHT * size > self.picture.height() {
                break;
            }
            self.line(&line, colour, size);
        }
    }
}

/// Writes the film under its name only when it is whole.
fn finish(file: &Path, content: &[u8]) -> std::io::Result<()> {
    if let Some(folder) = file.parent() {
        std::fs::create_dir_all(folder)?;
    }
    let part = file.with_extension("part");
    std::fs::write(&part, content)?;
    std::fs::rename(part, file)
}
