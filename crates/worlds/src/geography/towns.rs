//! Towns, their streets and districts, and the regions they belong to.

use std::f64::consts::TAU;

use umpire_model::Random;

use super::land::{Mouth, River, Shape};
use super::naming::Names;
use super::plane::Point;
use super::vocabulary::{DISTRICTS, REGION_FORMS, STEMS, STREET_ENDINGS, STREET_STEMS};
use super::{HEIGHT, WIDTH};
use crate::kit::text::{choose, slug};

const TOWNS: usize = 46;
const REGIONS: usize = 7;
const METRES_BETWEEN_TOWNS: f64 = 13_000.0;
const BLOCK: f64 = 205.0;
/// Areas are counted in squares of this side, in metres.
const CELL: f64 = 3_000.0;
/// Metres of street front per house number.
const FRONT: f64 = 9.0;
/// Houses stand this far from the middle of the street.
const SETBACK: f64 = 16.0;

pub struct Town {
    pub name: String,
    pub slug: String,
    pub centre: Point,
    pub population: u32,
    pub founded: u32,
    /// Metres above the sea.
    pub elevation: u32,
    pub region: usize,
    pub river: Option<usize>,
    pub coastal: bool,
    pub dialling_code: u32,
    /// First the streets that run across (west to east, if the town is not turned), then those that run down.
    pub streets: Vec<Street>,
    pub columns: usize,
    pub rows: usize,
    /// Crossings, row by row.
    pub crossings: Vec<Point>,
    districts: Vec<&'static str>,
}

pub struct Street {
    pub name: String,
    /// Positions of the crossings it joins, in order.
    pub crossings: Vec<usize>,
}

/// A house: positions of town and street, and a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Address {
    pub town: usize,
    pub street: usize,
    pub number: u32,
}

pub struct Region {
    pub name: String,
    pub slug: String,
    /// Position of its seat.
    pub seat: usize,
    /// Square kilometres.
    pub area: u32,
    pub population: u32,
    pub motto: &'static str,
}

const MOTTOES: [&str; REGIONS] = [
    "Slowly and all the way",
    "The tide keeps the time",
    "Bread, salt and an open gate",
    "What is sown is owed",
    "Stone upon stone",
    "Many hearths, one smoke",
    "Before the wind",
];

impl Town {
    /// Half of the town's extent, in metres.
    pub fn reach(&self) -> f64 {
        self.columns.max(self.rows) as f64 * BLOCK * 0.75
    }

    pub fn district(&self, crossing: usize) -> &'static str {
        let side = if self.districts.len() == 9 { 3 } else { 2 };
        let (column, row) = (crossing % self.columns, crossing / self.columns);
        self.districts[(row * side / self.rows) * side + column * side / self.columns]
    }

    /// Every district with a point in its middle.
    pub fn districts(&self) -> impl Iterator<Item = (&'static str, Point)> {
        self.districts.iter().map(|name| {
            let inside: Vec<Point> = (0..self.crossings.len())
                .filter(|crossing| self.district(*crossing) == *name)
                .map(|crossing| self.crossings[crossing])
                .collect();
            let count = inside.len().max(1) as f64;
            let sum = inside.iter().fold((0.0, 0.0), |(x, y), point| (x + point.x, y + point.y));
            (*name, Point::new(sum.0 / count, sum.1 / count))
        })
    }

    pub fn last_number(&self, street: usize) -> u32 {
        ((self.streets[street].crossings.len() - 1) as f64 * BLOCK / FRONT) as u32 - 1
    }

    /// The two crossings a house stands between, and how far along it stands from the first.
    pub fn span_of(&self, address: Address) -> (usize, usize, f64) {
        let along = f64::from(address.number) * FRONT / BLOCK;
        let crossings = &self.streets[address.street].crossings;
        let first = (along as usize).min(crossings.len() - 2);
        (crossings[first], crossings[first + 1], (along - first as f64).clamp(0.0, 1.0))
    }

    pub fn point_of(&self, address: Address) -> Point {
        let (first, second, share) = self.span_of(address);
        let (from, to) = (self.crossings[first], self.crossings[second]);
        let on_street = from.towards(to, share);
        let length = from.metres_to(to).max(1.0);
        // Even numbers stand on the right.
        let side = if address.number.is_multiple_of(2) { SETBACK } else { -SETBACK } / length;
        Point::new(on_street.x - (to.y - from.y) * side, on_street.y + (to.x - from.x) * side)
    }

    pub fn district_of(&self, address: Address) -> &'static str {
        self.district(self.span_of(address).0)
    }

    pub fn random_address(&self, town: usize, random: &mut Random) -> Address {
        let street = random.below(self.streets.len());
        let number = random.between(1, i64::from(self.last_number(street))) as u32;
        Address { town, street, number }
    }

    /// The house nearest to a point, if the point lies in the town; `town` is its position.
    pub fn address_at(&self, town: usize, point: Point) -> Option<Address> {
        if self.centre.metres_to(point) > self.reach() * 1.2 {
            return None;
        }
        let all = (0..self.streets.len()).flat_map(|street| {
            (1..=self.last_number(street)).map(move |number| Address { town, street, number })
        });
        let distance = |address: &Address| self.point_of(*address).metres_to(point);
        all.min_by(|a, b| distance(a).total_cmp(&distance(b)))
    }
}

pub fn generate(seed: u64, shape: &Shape, rivers: &[River], names: &mut Names) -> Vec<Town> {
    let mut random = Random::stream(seed, "country towns");
    let sites = sites(&mut random, shape, rivers);
    let mut population = 418_000.0 + random.below(40_000) as f64;
    let mut codes: Vec<u32> = (210..=960).step_by(10).collect();
    random.shuffle(&mut codes);
    let mut towns = Vec::with_capacity(sites.len());
    for (at, (centre, river, coastal)) in sites.into_iter().enumerate() {
        let name = names.town();
        let (columns, rows) = match at {
            ..4 => (13, 11),
            4..14 => (9, 8),
            _ => (6, 6),
        };
        towns.push(Town {
            slug: slug(&name),
            name,
            centre,
            population: population as u32,
            founded: random.between(980, 1720) as u32,
            elevation: if coastal { random.between(2, 24) } else { random.between(40, 460) } as u32,
            region: 0,
            river,
            coastal,
            dialling_code: codes.pop().unwrap_or(999),
            streets: streets(&mut random, columns, rows),
            columns,
            rows,
            crossings: crossings(&mut random, centre, columns, rows),
            districts: districts(&mut random, if at < 14 { 9 } else { 4 }),
        });
        let drop = if at < 14 { 78 + random.below(10) } else { 90 + random.below(6) };
        population = (population * drop as f64 / 100.0).max(1_900.0 - at as f64 * 9.0);
    }
    towns
}

/// Where towns stand: at mouths, on rivers, on the coast and inland, never too close to each other.
fn sites(random: &mut Random, shape: &Shape, rivers: &[River]) -> Vec<(Point, Option<usize>, bool)> {
    let mut sites: Vec<(Point, Option<usize>, bool)> = Vec::new();
    let mut offer = |point: Point, river: Option<usize>, coastal: bool| {
        let is_free = sites.iter().all(|(other, ..)| other.metres_to(point) > METRES_BETWEEN_TOWNS)
            && sites.len() < TOWNS;
        if is_free && shape.contains(point) {
            sites.push((point, river, coastal));
        }
    };
    for (at, river) in rivers.iter().enumerate() {
        let bends = river.course.len();
        if matches!(river.mouth, Mouth::Sea) {
            offer(river.course[bends - 2], Some(at), true);
        }
    }
    for (at, river) in rivers.iter().enumerate() {
        offer(river.course[river.course.len() / 2], Some(at), false);
    }
    for _ in 0..4_000 {
        let angle = random.below(10_000) as f64 / 10_000.0 * TAU;
        let outward = (random.below(9_000) as f64 / 9_000.0).sqrt();
        if outward > 0.8 && random.chance(60) {
            offer(shape.point(angle, 0.965), None, true);
        } else {
            offer(shape.point(angle, outward * 0.88), None, false);
        }
    }
    sites
}

fn crossings(random: &mut Random, centre: Point, columns: usize, rows: usize) -> Vec<Point> {
    let angle = (random.below(1_000) as f64 / 1_000.0 - 0.5) * 1.2;
    let mut jitter = || random.between(-34, 34) as f64;
    let mut crossings = Vec::with_capacity(columns * rows);
    for row in 0..rows {
        for column in 0..columns {
            let across = (column as f64 - (columns - 1) as f64 / 2.0) * BLOCK + jitter();
            let down = (row as f64 - (rows - 1) as f64 / 2.0) * BLOCK + jitter();
            crossings.push(Point::new(
                centre.x + across * angle.cos() - down * angle.sin(),
                centre.y + across * angle.sin() + down * angle.cos(),
            ));
        }
    }
    crossings
}

fn streets(random: &mut Random, columns: usize, rows: usize) -> Vec<Street> {
    let mut stems: Vec<&str> = STREET_STEMS.to_vec();
    random.shuffle(&mut stems);
    let mut names: Vec<String> = stems
        .iter()
        .map(|stem| format!("{stem} {}", choose(random, STREET_ENDINGS)))
        .take(columns + rows)
        .collect();
    "High Street".clone_into(&mut names[rows / 2]);
    "Station Road".clone_into(&mut names[rows + columns / 2]);
    let across = (0..rows).map(|row| (0..columns).map(|column| row * columns + column).collect());
    let down = (0..columns).map(|column| (0..rows).map(|row| row * columns + column).collect());
    let lines: Vec<Vec<usize>> = across.chain(down).collect();
    lines.into_iter().zip(names).map(|(crossings, name)| Street { name, crossings }).collect()
}

fn districts(random: &mut Random, count: usize) -> Vec<&'static str> {
    let mut names: Vec<&'static str> = DISTRICTS.to_vec();
    random.shuffle(&mut names);
    names.truncate(count);
    names[count / 2] = "Old Town";
    names
}

/// Seats of regions are large towns far from each other; every other town belongs to the nearest seat.
pub fn regions(seed: u64, shape: &Shape, towns: &mut [Town]) -> Vec<Region> {
    let mut random = Random::stream(seed, "country regions");
    let mut seats: Vec<usize> = vec![0];
    while seats.len() < REGIONS.min(towns.len()) {
        let apart = |town: &usize| {
            let nearest = |seat: &usize| towns[*seat].centre.metres_to(towns[*town].centre);
            seats.iter().map(nearest).fold(f64::INFINITY, f64::min)
        };
        let next = (0..towns.len().min(18)).max_by(|a, b| apart(a).total_cmp(&apart(b))).unwrap_or(0);
        seats.push(next);
    }
    let region_of = |point: Point| {
        let distance = |at: &usize| towns[seats[*at]].centre.metres_to(point);
        (0..seats.len()).min_by(|a, b| distance(a).total_cmp(&distance(b))).unwrap_or(0)
    };
    let of_towns: Vec<usize> = towns.iter().map(|town| region_of(town.centre)).collect();
    let mut areas = [0_u32; REGIONS];
    for row in 0..(HEIGHT / CELL) as usize {
        for column in 0..(WIDTH / CELL) as usize {
            let point = Point { x: (column as f64 + 0.5) * CELL, y: (row as f64 + 0.5) * CELL };
            if shape.contains(point) {
                areas[region_of(point)] += 9;
            }
        }
    }
    for (town, region) in towns.iter_mut().zip(of_towns) {
        town.region = region;
    }
    let mut stems: Vec<&str> = STEMS.to_vec();
    random.shuffle(&mut stems);
    let mut forms: Vec<&str> = REGION_FORMS.to_vec();
    random.shuffle(&mut forms);
    let region = |(at, seat): (usize, usize)| {
        let name = forms[at].replace("{}", stems[at]);
        let in_towns: u32 = towns.iter().filter(|town| town.region == at).map(|town| town.population).sum();
        Region {
            slug: slug(&name),
            name,
            seat,
            area: areas[at],
            // The countryside has people, too.
            population: in_towns + areas[at] * 11,
            motto: MOTTOES[at],
        }
    };
    seats.into_iter().enumerate().map(region).collect()
}
