use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use bytes::Bytes;
use image::RgbImage;
use umpire_model::Digest;

use super::decode::decode;
use super::likeness::{Likeness, likeness};
use super::{BadPicture, Fingerprint, Memory, Screenshot};

/// What one or more neighbouring steps looked like.
#[derive(Clone, Debug)]
pub struct Frame {
    /// In order; the picture is that of the last one.
    pub steps: Vec<u32>,
    pub digest: Digest,
    pub content: Bytes,
}

/// Neighbouring screenshots that show the same become one frame. The last screenshot is always the picture of the last
/// frame.
///
/// All of a frame's screenshots are like its first one, so that a slow change of many small steps is not lost. A page that
/// comes back later is a frame of its own: that it came back is evidence.
pub fn collapse(screenshots: &[Screenshot], memory: &dyn Memory) -> Result<Vec<Frame>, BadPicture> {
    let fingerprints = fingerprints(screenshots, memory)?;
    let mut frames: Vec<Frame> = Vec::new();
    let mut first = 0;
    // Of the frame's first screenshot, once something close to it has come.
    let mut first_pixels: Option<RgbImage> = None;
    for (index, shot) in screenshots.iter().enumerate() {
        let same = index > 0
            && (shot.digest == screenshots[first].digest
                || !fingerprints[index].is_far_from(&fingerprints[first])
                    && shows_the_same(&screenshots[first], shot, &mut first_pixels, memory)?);
        match frames.last_mut() {
            Some(frame) if same => {
                frame.steps.push(shot.step);
                frame.digest = shot.digest.clone();
                frame.content = shot.content.clone();
            }
            _ => {
                first = index;
                first_pixels = None;
                let (digest, content) = (shot.digest.clone(), shot.content.clone());
                frames.push(Frame { steps: vec![shot.step], digest, content });
            }
        }
    }
    Ok(frames)
}

fn shows_the_same(
    first: &Screenshot,
    shot: &Screenshot,
    first_pixels: &mut Option<RgbImage>,
    memory: &dyn Memory,
) -> Result<bool, BadPicture> {
    if let Some(same) = memory.same(&first.digest, &shot.digest) {
        return Ok(same);
    }
    let known = match first_pixels {
        Some(pixels) => pixels,
        None => first_pixels.insert(pixels_of(first)?),
    };
    let same = likeness(known, &pixels_of(shot)?) != Likeness::Different;
    memory.keep_same(&first.digest, &shot.digest, same);
    Ok(same)
}

fn pixels_of(shot: &Screenshot) -> Result<RgbImage, BadPicture> {
    decode(&shot.content).map_err(|problem| BadPicture { step: shot.step, problem })
}

/// Takes the missing ones, on all cores: decoding is most of what preparing costs.
fn fingerprints(screenshots: &[Screenshot], memory: &dyn Memory) -> Result<Vec<Fingerprint>, BadPicture> {
    let known: Vec<Mutex<Option<Fingerprint>>> =
        screenshots.iter().map(|shot| Mutex::new(memory.fingerprint(&shot.digest))).collect();
    let missing: Vec<usize> = (0..known.len()).filter(|index| lock(&known[*index]).is_none()).collect();
    let next = AtomicUsize::new(0);
    let bad: Mutex<Option<BadPicture>> = Mutex::new(None);
    let work = || {
        while let Some(index) = missing.get(next.fetch_add(1, Ordering::Relaxed)) {
            let shot = &screenshots[*index];
            match memory.fingerprint(&shot.digest).map_or_else(|| Fingerprint::of(&shot.content), Ok) {
                Ok(fingerprint) => {
                    memory.keep_fingerprint(&shot.digest, &fingerprint);
                    *lock(&known[*index]) = Some(fingerprint);
                }
                Err(problem) => {
                    // The first step in order is named, whichever thread was faster.
                    let mut bad = lock(&bad);
                    if bad.as_ref().is_none_or(|earlier| shot.step < earlier.step) {
                        *bad = Some(BadPicture { step: shot.step, problem });
                    }
                }
            }
        }
    };
    let threads = std::thread::available_parallelism().map_or(1, usize::from).min(missing.len());
    if threads > 1 {
        std::thread::scope(|scope| {
            for _ in 0..threads {
                scope.spawn(work);
            }
        });
    } else {
        work();
    }
    if let Some(bad) = lock(&bad).take() {
        return Err(bad);
    }
    // Every index is filled or has been reported.
    Ok(known.into_iter().filter_map(|cell| cell.into_inner().ok().flatten()).collect())
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}
