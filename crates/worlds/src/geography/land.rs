//! What was there before people: the coast, mountains, rivers and lakes.

use std::f64::consts::TAU;

use umpire_model::Random;

use super::naming::Names;
use super::plane::Point;
use super::vocabulary::{LAKE_FORMS, RANGES, STEMS};
use super::{HEIGHT, WIDTH};
use crate::kit::text::choose;

const COAST_POINTS: usize = 160;
const RIVERS_TO_THE_SEA: usize = 9;
const TRIBUTARIES: usize = 5;
const LAKES: usize = 7;
const RIVER_BENDS: usize = 18;

/// An island as a wavy ellipse: its radius in every direction, as a share of the country's extent.
pub struct Shape {
    /// Size, frequency and phase of each wave.
    waves: Vec<(f64, f64, f64)>,
}

impl Shape {
    fn generate(random: &mut Random) -> Self {
        let waves = [(0.10, 2.0), (0.08, 3.0), (0.05, 5.0), (0.03, 9.0), (0.018, 17.0), (0.012, 31.0)];
        Self {
            waves: waves
                .into_iter()
                .map(|(size, frequency)| (size, frequency, fraction(random) * TAU))
                .collect(),
        }
    }

    fn radius(&self, angle: f64) -> f64 {
        let wave = |(size, frequency, phase): &(f64, f64, f64)| size * (angle * frequency + phase).sin();
        0.76 + self.waves.iter().map(wave).sum::<f64>()
    }

    /// The point in a direction from the middle, at a share of the way to the coast.
    pub fn point(&self, angle: f64, share: f64) -> Point {
        let radius = self.radius(angle) * share;
        Point::new(WIDTH / 2.0 * (1.0 + radius * angle.cos()), HEIGHT / 2.0 * (1.0 + radius * angle.sin()))
    }

    pub fn contains(&self, point: Point) -> bool {
        let (x, y) = (point.x / (WIDTH / 2.0) - 1.0, point.y / (HEIGHT / 2.0) - 1.0);
        x.hypot(y) < self.radius(y.atan2(x))
    }
}

pub struct Peak {
    pub name: String,
    pub range: &'static str,
    /// Metres above the sea.
    pub height: u32,
    pub point: Point,
}

pub enum Mouth {
    Sea,
    /// Position among the country's rivers.
    River(usize),
}

pub struct River {
    /// `River Carrowen`.
    pub name: String,
    /// Position of the peak it rises at.
    pub source: usize,
    pub mouth: Mouth,
    pub course: Vec<Point>,
    /// Kilometres.
    pub length: u32,
}

pub struct Lake {
    pub name: String,
    pub river: usize,
    pub point: Point,
    /// Tenths of a square kilometre.
    pub area: u32,
    /// Metres.
    pub depth: u32,
}

impl Lake {
    /// Of a circle of the same area, in metres.
    pub fn radius(&self) -> f64 {
        (f64::from(self.area) * 100_000.0 / std::f64::consts::PI).sqrt()
    }
}

pub struct Land {
    pub shape: Shape,
    pub coast: Vec<Point>,
    pub peaks: Vec<Peak>,
    pub rivers: Vec<River>,
    pub lakes: Vec<Lake>,
}

impl Land {
    pub fn generate(seed: u64, names: &mut Names) -> Self {
        let mut random = Random::stream(seed, "country land");
        let shape = Shape::generate(&mut random);
        let coast =
            (0..COAST_POINTS).map(|at| shape.point(at as f64 / COAST_POINTS as f64 * TAU, 1.0)).collect();
        let peaks = peaks(&mut random, &shape, names);
        let rivers = rivers(&mut random, &shape, &peaks, names);
        let lakes = lakes(&mut random, &rivers);
        Self { shape, coast, peaks, rivers, lakes }
    }
}

fn fraction(random: &mut Random) -> f64 {
    random.below(1_000_000) as f64 / 1_000_000.0
}

fn peaks(random: &mut Random, shape: &Shape, names: &mut Names) -> Vec<Peak> {
    let mut peaks: Vec<Peak> = Vec::new();
    for (at, range) in RANGES.iter().enumerate() {
        let angle = (at as f64 + fraction(random) * 0.7) / RANGES.len() as f64 * TAU;
        let along = angle + TAU / 4.0 + fraction(random) - 0.5;
        let middle = shape.point(angle, 0.42);
        for position in 0..6_u32 {
            let offset = (f64::from(position) - 2.5) * 6_200.0;
            let point = Point::new(
                middle.x + along.cos() * offset + (fraction(random) - 0.5) * 5_000.0,
                middle.y + along.sin() * offset + (fraction(random) - 0.5) * 5_000.0,
            );
            let mut height = 640 + random.below(1_500) as u32;
            // "The highest" must mean one.
            while peaks.iter().any(|peak| peak.height == height) {
                height += 1;
            }
            peaks.push(Peak { name: names.peak(), range, height, point });
        }
    }
    peaks
}

fn rivers(random: &mut Random, shape: &Shape, peaks: &[Peak], names: &mut Names) -> Vec<River> {
    let mut rivers: Vec<River> = Vec::new();
    let mut sources: Vec<usize> = (0..peaks.len()).collect();
    random.shuffle(&mut sources);
    let mut sources = sources.into_iter();
    for at in 0..RIVERS_TO_THE_SEA {
        let Some(source) = sources.next() else { break };
        let angle = (at as f64 + fraction(random) * 0.5) / RIVERS_TO_THE_SEA as f64 * TAU;
        // The nearest peak that is still without a river, so that rivers seldom cross.
        let mouth = shape.point(angle, 1.0);
        let free = |peak: &usize| rivers.iter().all(|river: &River| river.source != *peak);
        let near = |a: &usize, b: &usize| {
            peaks[*a].point.metres_to(mouth).total_cmp(&peaks[*b].point.metres_to(mouth))
        };
        let source = (0..peaks.len()).filter(free).min_by(near).unwrap_or(source);
        let course = meander(random, peaks[source].point, mouth);
        rivers.push(river(names, source, Mouth::Sea, course));
    }
    for at in 0..TRIBUTARIES {
        let into = at * RIVERS_TO_THE_SEA / TRIBUTARIES;
        let meeting = rivers[into].course[RIVER_BENDS * 2 / 3];
        let free = |peak: &usize| rivers.iter().all(|river| river.source != *peak);
        let near = |a: &usize, b: &usize| {
            peaks[*a].point.metres_to(meeting).total_cmp(&peaks[*b].point.metres_to(meeting))
        };
        let Some(source) = (0..peaks.len()).filter(free).min_by(near) else { break };
        let course = meander(random, peaks[source].point, meeting);
        rivers.push(river(names, source, Mouth::River(into), course));
    }
    let mut taken = Vec::new();
    for river in &mut rivers {
        while taken.contains(&river.length) {
            river.length += 1;
        }
        taken.push(river.length);
    }
    rivers
}

fn river(names: &mut Names, source: usize, mouth: Mouth, course: Vec<Point>) -> River {
    let metres: f64 = course.windows(2).map(|pair| pair[0].metres_to(pair[1])).sum();
    // The drawn course leaves out the small bends.
    let length = (metres * 1.25 / 1_000.0).round() as u32;
    River { name: format!("River {}", names.river()), source, mouth, course, length }
}

fn meander(random: &mut Random, from: Point, to: Point) -> Vec<Point> {
    let (phase, second) = (fraction(random) * TAU, fraction(random) * TAU);
    let length = from.metres_to(to).max(1.0);
    let across = ((to.y - from.y) / length, -(to.x - from.x) / length);
    let bend = |at: usize| {
        let share = at as f64 / RIVER_BENDS as f64;
        let swing = (share * 9.0 + phase).sin() * 0.045 + (share * 21.0 + second).sin() * 0.018;
        let offset = swing * length * (share * std::f64::consts::PI).sin();
        let point = from.towards(to, share);
        Point::new(point.x + across.0 * offset, point.y + across.1 * offset)
    };
    (0..=RIVER_BENDS).map(bend).collect()
}

fn lakes(random: &mut Random, rivers: &[River]) -> Vec<Lake> {
    let mut stems: Vec<&str> = STEMS.to_vec();
    random.shuffle(&mut stems);
    let lake = |at: usize| {
        let point = rivers[at].course[3 + at % 4];
        Lake {
            name: choose(random, LAKE_FORMS).replace("{}", stems[at]),
            river: at,
            point,
            area: 38 + at as u32 * 7 + random.below(7) as u32 + random.below(3) as u32 * 70,
            depth: 12 + at as u32 * 9 + random.below(9) as u32,
        }
    };
    (0..LAKES.min(rivers.len())).map(lake).collect()
}
