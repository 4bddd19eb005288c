//! Judges without their models: prompts of 20 screenshots, from recorded pictures to what goes into a request.
//!
//! The text around the pictures is as long as a real one. Pictures become data URLs as the gateway writes them; the body
//! of the request, with all of them in it, is measured apart.

use std::fmt::Write as _;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use bytes::Bytes;
use image::{Rgb, RgbImage};
use jpeg_encoder::{ColorType, Encoder, SamplingFactor};
use serde_json::{Map, Value, json};
use umpire_judges::pictures::{
    Choice, Fingerprint, InMemory, Policy, Prepared, Screenshot, collapse, prepare, select,
};
use umpire_llm::{Message, Part};
use umpire_model::Digest;

use crate::cpu_ms;

const SCREENSHOTS: u32 = 20;
/// Different ones, so that no cache of the processor holds all of them.
const TRAJECTORIES: u32 = 16;
const THREADS: usize = 2;
const MEASURED_FOR: Duration = Duration::from_secs(3);
const MOST_SHOWN: usize = 50;

pub fn measure() -> Result<(), String> {
    let trajectories: Vec<Vec<Screenshot>> =
        (0..TRAJECTORIES).map(|run| recorded(run, 1)).collect::<Result<_, _>>()?;
    let idle: Vec<Vec<Screenshot>> =
        (0..TRAJECTORIES).map(|run| recorded(run, 3)).collect::<Result<_, _>>()?;
    let bytes: usize = trajectories.iter().flatten().map(|shot| shot.content.len()).sum();
    let one = &trajectories[0][0].content;
    let nearly = jpeg(&drawn(0, 0), 90)?;
    let long = jpeg(&RgbImage::from_fn(1280, 9000, |x, y| *drawn_line(x, y)), 80)?;
    let small = Policy { longest_side: 1024, ..Policy::default() };
    let close =
        [one.clone(), nearly].map(|content| Screenshot { step: 1, digest: Digest::of(&content), content });
    let fingerprint_ms = milliseconds(|| Fingerprint::of(one).map(drop))?;
    let pair_ms = milliseconds(|| {
        // One after the other, so that it is the cost of one core.
        let memory = InMemory::default();
        for shot in &close {
            collapse(std::slice::from_ref(shot), &memory).map_err(|bad| bad.to_string())?;
        }
        let frames = collapse(&close, &memory).map_err(|bad| bad.to_string())?;
        if frames.len() == 1 { Ok(()) } else { Err("the pair is not one frame".to_owned()) }
    })?;
    let (per_second, cpu_ms) = prepared(&trajectories, parts)?;
    let (_, idle_cpu_ms) = prepared(&idle, parts)?;
    let (_, request_cpu_ms) = prepared(&trajectories, request)?;
    println!(
        "{}",
        json!({
            "screenshots": SCREENSHOTS,
            "threads": THREADS,
            "mean_kb": bytes as f64 / 1024.0 / f64::from(TRAJECTORIES * SCREENSHOTS),
            "per_second": per_second,
            "cpu_ms": cpu_ms,
            "idle_cpu_ms": idle_cpu_ms,
            "request_cpu_ms": request_cpu_ms,
            "fingerprint_ms": fingerprint_ms,
            "compare_ms": pair_ms - 2.0 * fingerprint_ms,
            "shrink_ms": milliseconds(|| prepare(one, &small).map(drop))?,
            "tiles_ms": milliseconds(|| prepare(&long, &Policy::default()).map(drop))?,
            "new_trajectory_ms": milliseconds(|| {
                parts(&trajectories[0], &InMemory::default(), &Prepared::default()).map(drop)
            })?,
        })
    );
    Ok(())
}

/// How many trajectories were prepared a second, and the CPU milliseconds of one.
fn prepared(trajectories: &[Vec<Screenshot>], prepare: Prepare) -> Result<(f64, f64), String> {
    let (memory, prepared) = (InMemory::default(), Prepared::default());
    for trajectory in trajectories {
        prepare(trajectory, &memory, &prepared)?;
    }
    let done = AtomicUsize::new(0);
    let (started, cpu) = (Instant::now(), cpu_ms());
    let work = || {
        while started.elapsed() < MEASURED_FOR {
            let next = done.fetch_add(1, Ordering::Relaxed);
            std::hint::black_box(prepare(&trajectories[next % trajectories.len()], &memory, &prepared)?);
        }
        Ok::<(), String>(())
    };
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..THREADS).map(|_| scope.spawn(work)).collect();
        threads
            .into_iter()
            .try_for_each(|thread| thread.join().map_err(|_| "a thread panicked".to_owned())?)
    })?;
    let done = done.load(Ordering::Relaxed) as f64;
    Ok((done / started.elapsed().as_secs_f64(), (cpu_ms() - cpu) / done))
}

type Prepare = fn(&[Screenshot], &InMemory, &Prepared) -> Result<Vec<Value>, String>;

/// What a judge is asked, as parts of a message with the pictures in base64.
fn parts(trajectory: &[Screenshot], memory: &InMemory, prepared: &Prepared) -> Result<Vec<Value>, String> {
    let frames = collapse(trajectory, memory).map_err(|bad| bad.to_string())?;
    let mut text =
        String::from("Task: find the cheapest blue jacket in size M and put it into the basket.\n");
    for Screenshot { step, .. } in trajectory {
        let _ =
            writeln!(text, "{step}. click [{}] the button \"Add to basket\" of the third product", step * 7);
    }
    let mut message = Message::user(text);
    for index in select(frames.len(), MOST_SHOWN, &Choice::default()) {
        let frame = &frames[index];
        message.parts.push(Part::Text(format!("Steps {:?}", frame.steps)));
        for picture in &*prepared.pictures_of(frame, &Policy::default()).map_err(|bad| bad.to_string())? {
            message = message.with_image(picture.media, picture.content.clone());
        }
    }
    let parts = message.parts.iter().map(|part| match part {
        Part::Text(text) => json!({"type": "text", "text": text}),
        Part::Image { media, content } => {
            let url = Value::String(format!("data:{};base64,{}", media.mime(), STANDARD.encode(content)));
            // Moved in, where the macro would copy it.
            let image = Map::from_iter([("url".to_owned(), url)]);
            Value::Object(Map::from_iter([
                ("type".to_owned(), json!("image_url")),
                ("image_url".to_owned(), image.into()),
            ]))
        }
    });
    Ok(parts.collect())
}

/// The bytes of the request, too.
fn request(trajectory: &[Screenshot], memory: &InMemory, prepared: &Prepared) -> Result<Vec<Value>, String> {
    let parts = parts(trajectory, memory, prepared)?;
    std::hint::black_box(serde_json::to_vec(&parts).map_err(|error| error.to_string())?);
    Ok(parts)
}

/// The best of several: what the machine does beside this is not measured.
fn milliseconds(mut work: impl FnMut() -> Result<(), String>) -> Result<f64, String> {
    let mut best = f64::INFINITY;
    for _ in 0..10 {
        let started = Instant::now();
        work()?;
        best = best.min(started.elapsed().as_secs_f64() * 1000.0);
    }
    Ok(best)
}

/// Each page stays for so many steps.
fn recorded(run: u32, stays: u32) -> Result<Vec<Screenshot>, String> {
    let mut shots: Vec<Screenshot> = Vec::new();
    for step in 0..SCREENSHOTS {
        let content = match shots.last() {
            Some(before) if step % stays != 0 => before.content.clone(),
            _ => jpeg(&drawn(run, step), 80)?,
        };
        shots.push(Screenshot { step: step + 1, digest: Digest::of(&content), content });
    }
    Ok(shots)
}

/// A page of lines that look like text, and a photograph.
fn drawn(run: u32, step: u32) -> RgbImage {
    let shift = run * 977 + step * 131;
    RgbImage::from_fn(1280, 1024, |x, y| {
        if x > 800 && y > 500 && x < 1240 && y < 860 {
            let wave =
                |by: f64| ((f64::from(x + shift) * by).sin() + (f64::from(y) * by).cos()) * 60.0 + 125.0;
            return Rgb([0.03, 0.05, 0.11].map(|by| wave(by) as u8));
        }
        *drawn_line(x, y + shift * 28)
    })
}

fn drawn_line(x: u32, y: u32) -> &'static Rgb<u8> {
    const WHITE: Rgb<u8> = Rgb([255, 255, 255]);
    const INK: Rgb<u8> = Rgb([40, 42, 48]);
    let (line, row) = (y / 28, y % 28);
    let (letter, column) = (x / 9, x % 9);
    let form = (letter.wrapping_mul(2_654_435_761) ^ line.wrapping_mul(40_503)) >> 7;
    let inked = row < 12
        && column < 7
        && letter % 7 != 0
        && x > 24
        && x < 700
        && (form >> (row / 3 * 4 + column / 2)) & 1 == 1;
    if inked { &INK } else { &WHITE }
}

/// As Chromium writes screenshots.
fn jpeg(page: &RgbImage, quality: u8) -> Result<Bytes, String> {
    let mut out = Vec::new();
    let mut encoder = Encoder::new(&mut out, quality);
    encoder.set_sampling_factor(SamplingFactor::F_2_2);
    let (width, height) = (page.width() as u16, page.height() as u16);
    encoder.encode(page, width, height, ColorType::Rgb).map_err(|error| error.to_string())?;
    Ok(out.into())
}
