//! The network of streets and roads, and the quickest way through it.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use umpire_model::Random;

use super::plane::Point;
use super::towns::Town;
use super::{HEIGHT, WIDTH};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    Street,
    Road,
    /// Closed to bicycles and walkers.
    Motorway,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RoadId {
    /// Positions of town and street.
    Street(usize, usize),
    /// Position among the roads.
    Road(usize),
}

pub struct Road {
    /// `B14`, `M2`.
    pub name: String,
    pub class: Class,
    pub course: Vec<Point>,
}

struct Edge {
    to: usize,
    metres: u32,
    road: RoadId,
    class: Class,
    /// The road's course runs the other way.
    backwards: bool,
}

/// One stretch of a way, from a crossing to the next.
#[derive(Clone, Debug, PartialEq)]
pub struct Step {
    pub road: RoadId,
    pub metres: u32,
    pub seconds: u32,
    /// Its course, both ends included.
    pub course: Vec<Point>,
}

pub struct Network {
    pub roads: Vec<Road>,
    points: Vec<Point>,
    edges: Vec<Vec<Edge>>,
    /// Position of each town's first crossing.
    first: Vec<usize>,
}

/// Joined by motorways.
const CITIES: usize = 7;

impl Network {
    pub fn between(seed: u64, towns: &[Town]) -> Self {
        let mut random = Random::stream(seed, "country roads");
        let mut network =
            Self { roads: Vec::new(), points: Vec::new(), edges: Vec::new(), first: Vec::new() };
        for (at, town) in towns.iter().enumerate() {
            let first = network.points.len();
            network.first.push(first);
            network.points.extend(&town.crossings);
            network.edges.resize_with(network.points.len(), Vec::new);
            for (street, line) in town.streets.iter().enumerate() {
                for pair in line.crossings.windows(2) {
                    network.join(first + pair[0], first + pair[1], RoadId::Street(at, street), Class::Street);
                }
            }
        }
        for (a, b) in neighbours(towns) {
            network.build(&mut random, towns, (a, b), Class::Road);
        }
        for (a, b) in spanning_tree(&towns[..CITIES.min(towns.len())]) {
            network.build(&mut random, towns, (a, b), Class::Motorway);
        }
        network
    }

    /// Position of a town's crossing in the network.
    pub fn crossing(&self, town: usize, crossing: usize) -> usize {
        self.first[town] + crossing
    }

    pub fn point(&self, crossing: usize) -> Point {
        self.points[crossing]
    }

    fn join(&mut self, a: usize, b: usize, road: RoadId, class: Class) {
        let metres =
            self.course(road, a, b, false).windows(2).map(|pair| pair[0].metres_to(pair[1])).sum::<f64>();
        let metres = metres.round() as u32;
        self.edges[a].push(Edge { to: b, metres, road, class, backwards: false });
        self.edges[b].push(Edge { to: a, metres, road, class, backwards: true });
    }

    fn build(&mut self, random: &mut Random, towns: &[Town], (a, b): (usize, usize), class: Class) {
        let gate = |town: usize, other: usize| {
            let distance = |at: &usize| towns[town].crossings[*at].metres_to(towns[other].centre);
            (0..towns[town].crossings.len()).min_by(|x, y| distance(x).total_cmp(&distance(y))).unwrap_or(0)
        };
        let (from, to) = (self.crossing(a, gate(a, b)), self.crossing(b, gate(b, a)));
        let (start, end) = (self.points[from], self.points[to]);
        let length = start.metres_to(end);
        // A motorway keeps away from the road between the same towns, on the side away from the sea.
        let inland =
            (end.y - start.y) * (WIDTH / 2.0 - start.x) - (end.x - start.x) * (HEIGHT / 2.0 - start.y);
        let bow = if class == Class::Motorway { 0.07 * inland.signum() } else { 0.0 };
        let mut course = vec![start];
        for share in [0.2, 0.4, 0.6, 0.8] {
            let sway = bow * (share * std::f64::consts::PI).sin() + random.between(-28, 28) as f64 / 1_000.0;
            let point = start.towards(end, share);
            let (x, y) = ((end.y - start.y) * sway, -(end.x - start.x) * sway);
            course.push(Point::new(point.x + x, point.y + y));
        }
        course.push(end);
        let same_class = self.roads.iter().filter(|road| road.class == class).count();
        let name = match class {
            Class::Motorway => format!("M{}", same_class + 1),
            _ => format!("B{}", 11 + same_class * 3 + usize::from(length > 30_000.0)),
        };
        self.roads.push(Road { name, class, course });
        self.join(from, to, RoadId::Road(self.roads.len() - 1), class);
    }

    fn course(&self, road: RoadId, from: usize, to: usize, backwards: bool) -> Vec<Point> {
        match road {
            RoadId::Street(..) => vec![self.points[from], self.points[to]],
            RoadId::Road(at) => {
                let mut course = self.roads[at].course.clone();
                if backwards {
                    course.reverse();
                }
                course
            }
        }
    }

    /// The quickest way from any of the `starts` to any of the `goals`, given with the seconds it takes to get to or
    /// from them. `speed` is in metres an hour; zero closes a class of road.
    pub fn quickest(
        &self,
        starts: &[(usize, u32)],
        goals: &[(usize, u32)],
        speed: impl Fn(Class) -> u32,
    ) -> Option<(usize, Vec<Step>, usize)> {
        const UNREACHED: u32 = u32::MAX;
        let mut best = vec![UNREACHED; self.points.len()];
        let mut came: Vec<Option<(usize, usize)>> = vec![None; self.points.len()];
        let mut queue = BinaryHeap::new();
        for &(start, seconds) in starts {
            if seconds < best[start] {
                best[start] = seconds;
                queue.push(Reverse((seconds, start)));
            }
        }
        while let Some(Reverse((seconds, at))) = queue.pop() {
            if seconds > best[at] {
                continue;
            }
            for (index, edge) in self.edges[at].iter().enumerate() {
                let Some(spent) = seconds_for(edge.metres, speed(edge.class)) else { continue };
                let arrival = seconds.saturating_add(spent);
                if arrival < best[edge.to] {
                    best[edge.to] = arrival;
                    came[edge.to] = Some((at, index));
                    queue.push(Reverse((arrival, edge.to)));
                }
            }
        }
        let (goal, _) = goals
            .iter()
            .filter(|(goal, _)| best[*goal] != UNREACHED)
            .min_by_key(|(goal, more)| best[*goal].saturating_add(*more))?;
        let mut steps = Vec::new();
        let mut at = *goal;
        while let Some((from, index)) = came[at] {
            let edge = &self.edges[from][index];
            steps.push(Step {
                road: edge.road,
                metres: edge.metres,
                seconds: seconds_for(edge.metres, speed(edge.class)).unwrap_or(0),
                course: self.course(edge.road, from, edge.to, edge.backwards),
            });
            at = from;
        }
        steps.reverse();
        Some((at, steps, *goal))
    }
}

/// None on a road that is closed.
pub fn seconds_for(metres: u32, metres_per_hour: u32) -> Option<u32> {
    (u64::from(metres) * 3_600)
        .checked_div(u64::from(metres_per_hour))
        .and_then(|seconds| seconds.try_into().ok())
}

/// Towns between which no third one lies (a Gabriel graph): every town can be reached, and no road is a detour.
fn neighbours(towns: &[Town]) -> Vec<(usize, usize)> {
    let mut pairs = Vec::new();
    for a in 0..towns.len() {
        for b in a + 1..towns.len() {
            let middle = towns[a].centre.towards(towns[b].centre, 0.5);
            let radius = towns[a].centre.metres_to(middle);
            let lies_between =
                |other: usize| other != a && other != b && towns[other].centre.metres_to(middle) < radius;
            if !(0..towns.len()).any(lies_between) {
                pairs.push((a, b));
            }
        }
    }
    pairs
}

/// The shortest connections that join all of them.
fn spanning_tree(towns: &[Town]) -> Vec<(usize, usize)> {
    let mut joined = vec![0];
    let mut pairs = Vec::new();
    while joined.len() < towns.len() {
        let outside = (0..towns.len()).filter(|town| !joined.contains(town));
        let candidates = outside.flat_map(|town| joined.iter().map(move |other| (*other, town)));
        let length = |(a, b): &(usize, usize)| towns[*a].centre.metres_to(towns[*b].centre);
        let Some(next) = candidates.min_by(|a, b| length(a).total_cmp(&length(b))) else { break };
        joined.push(next.1);
        pairs.push(next);
    }
    pairs
}
