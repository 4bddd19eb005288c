//! WebM out of still pictures: a lossy WebP image holds one key frame of VP8, which is all a film of steps needs.
//!
//! Somebody who has an encoder makes the WebP images; this puts their frames into Matroska's boxes.

use std::path::Path;

use super::Film;
use crate::ExportError;
use crate::export::{Outgoing, StillEncoder};

/// Writes the film of an attempt, its pictures compressed by somebody who can.
pub(crate) fn write(
    outgoing: &Outgoing<'_>,
    file: &Path,
    encoder: Option<&dyn StillEncoder>,
) -> Result<(), ExportError> {
    let encoder = encoder.ok_or_else(|| ExportError::Encoder("there is no encoder".to_owned()))?;
    let frames = Film::of(outgoing);
    let size = frames.size();
    let mut pictures = Vec::new();
    for frame in frames {
        pictures.push((encoder.webp(&frame.picture).map_err(ExportError::Encoder)?, frame.ms));
    }
    let content = webm(size, &pictures).map_err(|error| ExportError::Encoder(error.to_string()))?;
    super::finish(file, &content).map_err(ExportError::write(file))
}

/// A picture that holds no VP8 frame.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
#[error("picture {0} is no lossy WebP image")]
struct NotAFrame(usize);

const EBML: u32 = 0x1A45_DFA3;
const SEGMENT: u32 = 0x1853_8067;
const INFO: u32 = 0x1549_A966;
const TRACKS: u32 = 0x1654_AE6B;
const CLUSTER: u32 = 0x1F43_B675;
const CUES: u32 = 0x1C53_BB6B;

/// The film as a WebM file. Each picture comes with how many milliseconds it is shown.
fn webm(size: (u32, u32), pictures: &[(Vec<u8>, u32)]) -> Result<Vec<u8>, NotAFrame> {
    let mut file = Vec::new();
    let mut head = Vec::new();
    number(&mut head, 0x4286, 1);
    number(&mut head, 0x42F7, 1);
    number(&mut head, 0x42F2, 4);
    number(&mut head, 0x42F3, 8);
    element(&mut head, 0x4282, b"webm");
    number(&mut head, 0x4287, 4);
    number(&mut head, 0x4285, 2);
    element(&mut file, EBML, &head);

    let mut segment = Vec::new();
    let total: u64 = pictures.iter().map(|(_, ms)| u64::from(*ms)).sum();
    let mut info = Vec::new();
    // One tick is a millisecond.
    number(&mut info, 0x002A_D7B1, 1_000_000);
    element(&mut info, 0x4489, &(total as f64).to_be_bytes());
    element(&mut info, 0x4D80, b"Umpire");
    element(&mut info, 0x5741, b"Umpire");
    element(&mut segment, INFO, &info);
    element(&mut segment, TRACKS, &video_track(size));

    let mut clusters: Vec<(u64, Vec<u8>)> = Vec::with_capacity(pictures.len() + 1);
    let mut time = 0_u64;
    let mut shown: &[u8] = &[];
    for (place, (picture, ms)) in pictures.iter().enumerate() {
        shown = vp8_frame(picture).ok_or(NotAFrame(place))?;
        clusters.push((time, cluster(time, shown, *ms)));
        time += u64::from(*ms);
    }
    if !clusters.is_empty() {
        // Players show a frame until the next one comes: the last needs one to end it.
        clusters.push((time.saturating_sub(1), cluster(time.saturating_sub(1), shown, 1)));
    }
    let cues = cues(segment.len() as u64, &clusters);
    segment.extend_from_slice(&cues);
    for (_, cluster) in &clusters {
        segment.extend_from_slice(cluster);
    }
    element(&mut file, SEGMENT, &segment);
    Ok(file)
}

/// One frame, and how long it is shown.
fn cluster(time: u64, frame: &[u8], ms: u32) -> Vec<u8> {
    // Track 1, no offset within the cluster.
    let mut block = vec![0x81, 0, 0, 0];
    block.extend_from_slice(frame);
    let mut group = Vec::new();
    element(&mut group, 0xA1, &block);
    number(&mut group, 0x9B, u64::from(ms));
    let mut content = Vec::new();
    number(&mut content, 0xE7, time);
    element(&mut content, 0xA0, &group);
    let mut out = Vec::new();
    element(&mut out, CLUSTER, &content);
    out
}

/// Where each cluster is, so that a player can jump to it. Positions count from the segment's content, in which
/// `before` bytes precede this table; they are written in eight bytes each, so the table's length is known beforehand.
fn cues(before: u64, clusters: &[(u64, Vec<u8>)]) -> Vec<u8> {
    let table = |first: u64| {
        let mut points = Vec::new();
        let mut position = first;
        for (time, cluster) in clusters {
            let mut place = Vec::new();
            number(&mut place, 0xF7, 1);
            element(&mut place, 0xF1, &position.to_be_bytes());
            let mut point = Vec::new();
            number(&mut point, 0xB3, *time);
            element(&mut point, 0xB7, &place);
            element(&mut points, 0xBB, &point);
            position += cluster.len() as u64;
        }
        let mut out = Vec::new();
        element(&mut out, CUES, &points);
        out
    };
    let length = table(0).len() as u64;
    table(before + length)
}

fn video_track((width, height): (u32, u32)) -> Vec<u8> {
    let mut video = Vec::new();
    number(&mut video, 0xB0, u64::from(width));
    number(&mut video, 0xBA, u64::from(height));
    let mut entry = Vec::new();
    number(&mut entry, 0xD7, 1);
    number(&mut entry, 0x73C5, 1);
    number(&mut entry, 0x83, 1);
    number(&mut entry, 0x9C, 0);
    element(&mut entry, 0x86, b"V_VP8");
    element(&mut entry, 0xE0, &video);
    let mut tracks = Vec::new();
    element(&mut tracks, 0xAE, &entry);
    tracks
}

/// The key frame inside a WebP image, bare or in the extended layout.
fn vp8_frame(webp: &[u8]) -> Option<&[u8]> {
    if webp.get(..4)? != b"RIFF" || webp.get(8..12)? != b"WEBP" {
        return None;
    }
    let mut rest = webp.get(12..)?;
    loop {
        let name = rest.get(..4)?;
        let length = u32::from_le_bytes(rest.get(4..8)?.try_into().ok()?) as usize;
        let content = rest.get(8..8_usize.checked_add(length)?)?;
        if name == b"VP8 " {
            // A key frame has a zero in its first bit and a start code behind its tag.
            let is_key = content.first()? & 1 == 0 && content.get(3..6)? == [0x9d, 0x01, 0x2a];
            return is_key.then_some(content);
        }
        // Chunks are padded to even lengths.
        rest = rest.get(8 + length + (length & 1)..)?;
    }
}

/// An element: its id as it is, its length, its content.
fn element(out: &mut Vec<u8>, id: u32, content: &[u8]) {
    let id = id.to_be_bytes();
    let leading = id.iter().take_while(|byte| **byte == 0).count();
    out.extend_from_slice(&id[leading..]);
    // Lengths are always given in eight bytes, of which the first only says so.
    out.push(0x01);
    out.extend_from_slice(&(content.len() as u64).to_be_bytes()[1..]);
    out.extend_from_slice(content);
}

fn number(out: &mut Vec<u8>, id: u32, value: u64) {
    let bytes = value.to_be_bytes();
    let leading = bytes.iter().take_while(|byte| **byte == 0).count().min(7);
    element(out, id, &bytes[leading..]);
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn elements_are_written_as_the_specification_shows_them() {
        // RFC 8794: an id, a length with its marker bit, the content in the fewest bytes.
        let mut out = Vec::new();
        number(&mut out, 0x4286, 1);
        assert_eq!(out, [0x42, 0x86, 0x01, 0, 0, 0, 0, 0, 0, 1, 1]);
        let mut out = Vec::new();
        number(&mut out, 0xE7, 0x1234);
        assert_eq!(out, [0xE7, 0x01, 0, 0, 0, 0, 0, 0, 2, 0x12, 0x34]);
    }

    #[test]
    fn the_frame_is_found_behind_other_chunks() {
        let key = [0x10, 0, 0, 0x9d, 0x01, 0x2a, 2, 0, 2, 0];
        let chunk = |name: &[u8; 4], content: &[u8]| {
            let mut out = name.to_vec();
            out.extend_from_slice(&(content.len() as u32).to_le_bytes());
            out.extend_from_slice(content);
            out.resize(out.len() + (content.len() & 1), 0);
            out
        };
        let image = |chunks: &[Vec<u8>]| [b"RIFF\0\0\0\0WEBP".to_vec(), chunks.concat()].concat();
        let bare = image(&[chunk(b"VP8 ", &key)]);
        let extended = image(&[chunk(b"VP8X", &[0; 10]), chunk(b"ICCP", &[1; 3]), chunk(b"VP8 ", &key)]);
        assert_eq!(vp8_frame(&bare), Some(&key[..]));
        assert_eq!(vp8_frame(&extended), Some(&key[..]));
        let lossless = image(&[chunk(b"VP8L", &key)]);
        assert_eq!(webm((2, 2), &[(bare, 10), (lossless, 10)]), Err(NotAFrame(1)));
    }

    proptest! {
        #[test]
        fn no_picture_panics(bytes in prop::collection::vec(any::<u8>(), 0..80), head in any::<bool>()) {
            let picture = if head { [b"RIFF\0\0\0\0WEBP".to_vec(), bytes].concat() } else { bytes };
            let _ = webm((2, 2), &[(picture, 5)]);
        }
    }
}
