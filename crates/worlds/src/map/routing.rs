//! Ways between two ends: how far, how long, and where to turn.

use serde::{Deserialize, Serialize};

use crate::geography::{Address, Class, Country, Point, RoadId, Step};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Mode {
    Car,
    Bike,
    Foot,
}

impl Mode {
    pub const ALL: [Self; 3] = [Self::Car, Self::Bike, Self::Foot];

    pub fn parse(code: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|mode| mode.code() == code)
    }

    pub fn code(self) -> &'static str {
        match self {
            Self::Car => "car",
            Self::Bike => "bike",
            Self::Foot => "foot",
        }
    }

    pub fn label(self) -> &'static str {
        match self {
            Self::Car => "By car",
            Self::Bike => "By bike",
            Self::Foot => "On foot",
        }
    }

    /// Metres an hour; zero where one must not go.
    fn speed(self, class: Class, avoid_motorways: bool) -> u32 {
        match (self, class) {
            (Self::Car, Class::Motorway) if avoid_motorways => 0,
            (Self::Car, Class::Street) => 32_000,
            (Self::Car, Class::Road) => 74_000,
            (Self::Car, Class::Motorway) => 115_000,
            (_, Class::Motorway) => 0,
            (Self::Bike, _) => 16_500,
            (Self::Foot, _) => 4_800,
        }
    }
}

/// Where a route begins or ends.
#[derive(Clone, Debug, PartialEq)]
pub struct End {
    pub label: String,
    pub point: Point,
    /// The house it is at; without one, the way begins at the nearest crossing.
    pub address: Option<Address>,
}

pub struct Leg {
    pub instruction: String,
    pub metres: u32,
}

pub struct Route {
    pub metres: u32,
    pub seconds: u32,
    pub legs: Vec<Leg>,
    pub course: Vec<Point>,
}

impl Route {
    /// `1 h 12 min`; a begun minute counts.
    pub fn duration(&self) -> String {
        let minutes = self.seconds.div_ceil(60).max(1);
        match (minutes / 60, minutes % 60) {
            (0, minutes) => format!("{minutes} min"),
            (hours, 0) => format!("{hours} h"),
            (hours, minutes) => format!("{hours} h {minutes} min"),
        }
    }
}

pub fn find(country: &Country, from: &End, to: &End, mode: Mode, avoid_motorways: bool) -> Option<Route> {
    let speed = |class| mode.speed(class, avoid_motorways);
    let on_street =
        |metres: f64| (metres * 3_600.0 / f64::from(speed(Class::Street)).max(1.0)).round() as u32;
    if let Some(step) = within_one_block(country, from, to) {
        let metres = step.metres;
        let seconds = on_street(f64::from(metres));
        return Some(assemble(country, from, to, &[Step { seconds, ..step }]));
    }
    let (starts, goals) = (access(country, from), access(country, to));
    let timed = |ends: &[(usize, f64, RoadId)]| -> Vec<(usize, u32)> {
        ends.iter().map(|(crossing, metres, _)| (*crossing, on_street(*metres))).collect()
    };
    let (first, mut steps, last) = country.network.quickest(&timed(&starts), &timed(&goals), speed)?;
    let stub = |ends: &[(usize, f64, RoadId)], crossing: usize, course: Vec<Point>| {
        let end = ends.iter().find(|(at, ..)| *at == crossing);
        end.map(|(_, metres, road)| Step {
            road: *road,
            metres: metres.round() as u32,
            seconds: on_street(*metres),
            course,
        })
    };
    let (first_point, last_point) = (country.network.point(first), country.network.point(last));
    if let Some(step) = stub(&starts, first, vec![from.point, first_point]) {
        steps.insert(0, step);
    }
    steps.extend(stub(&goals, last, vec![last_point, to.point]));
    Some(assemble(country, from, to, &steps))
}

/// Crossings an end can be left by, with the metres to them and the street they lie on.
fn access(country: &Country, end: &End) -> Vec<(usize, f64, RoadId)> {
    if let Some(address) = end.address {
        let town = &country.towns[address.town];
        let (first, second, share) = town.span_of(address);
        let length = town.crossings[first].metres_to(town.crossings[second]);
        let road = RoadId::Street(address.town, address.street);
        let crossing = |at| country.network.crossing(address.town, at);
        return vec![
            (crossing(first), share * length, road),
            (crossing(second), (1.0 - share) * length, road),
        ];
    }
    let at = country.nearest_town(end.point);
    let town = &country.towns[at];
    let distance = |crossing: &usize| town.crossings[*crossing].metres_to(end.point);
    let nearest =
        (0..town.crossings.len()).min_by(|a, b| distance(a).total_cmp(&distance(b))).unwrap_or_default();
    let street =
        town.streets.iter().position(|street| street.crossings.contains(&nearest)).unwrap_or_default();
    vec![(country.network.crossing(at, nearest), distance(&nearest), RoadId::Street(at, street))]
}

/// Between two houses of one block no crossing is passed.
fn within_one_block(country: &Country, from: &End, to: &End) -> Option<Step> {
    let (a, b) = (from.address?, to.address?);
    let town = &country.towns[a.town];
    if (a.town, a.street) != (b.town, b.street) {
        return None;
    }
    let ((first, second, share), (other, _, other_share)) = (town.span_of(a), town.span_of(b));
    let length = town.crossings[first].metres_to(town.crossings[second]);
    (first == other).then(|| Step {
        road: RoadId::Street(a.town, a.street),
        metres: ((share - other_share).abs() * length).round() as u32,
        seconds: 0,
        course: vec![from.point, to.point],
    })
}

fn assemble(country: &Country, from: &End, to: &End, steps: &[Step]) -> Route {
    let metres = steps.iter().map(|step| step.metres).sum();
    let seconds = steps.iter().map(|step| step.seconds).sum();
    let mut course = vec![from.point];
    let mut legs: Vec<Leg> = Vec::new();
    let mut last: Option<RoadId> = None;
    for step in steps {
        let heading = heading(&step.course);
        if last == Some(step.road) {
            if let Some(leg) = legs.last_mut() {
                leg.metres += step.metres;
            }
        } else {
            let name = road_name(country, step.road);
            let before = course.len().checked_sub(2).map(|at| course[at].bearing_to(course[at + 1]));
            let instruction = match (before, heading) {
                (Some(before), Some(heading)) if !legs.is_empty() => {
                    format!("{} onto {name}", before.turn_to(heading))
                }
                (_, Some(heading)) => format!("Head {} on {name}", heading.word()),
                _ => format!("Start on {name}"),
            };
            legs.push(Leg { instruction, metres: step.metres });
        }
        last = Some(step.road);
        course.extend(step.course.iter().skip(1));
    }
    legs.push(Leg { instruction: format!("Arrive at {}", to.label), metres: 0 });
    Route { metres, seconds, legs, course }
}

fn heading(course: &[Point]) -> Option<crate::geography::Bearing> {
    let (first, rest) = course.split_first()?;
    rest.iter().find(|point| point.metres_to(*first) > 1.0).map(|point| first.bearing_to(*point))
}

pub fn road_name(country: &Country, road: RoadId) -> &str {
    match road {
        RoadId::Street(town, street) => &country.towns[town].streets[street].name,
        RoadId::Road(at) => &country.network.roads[at].name,
    }
}
