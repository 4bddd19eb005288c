//! Points of the country, in metres from its north-western corner, and what people call their directions.

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point {
    pub x: f64,
    pub y: f64,
}

const NORTH: f64 = 52.4;
const WEST: f64 = -18.0;
const METRES_PER_DEGREE_NORTH: f64 = 111_320.0;
const METRES_PER_DEGREE_EAST: f64 = 69_300.0;

impl Point {
    pub fn new(x: f64, y: f64) -> Self {
        Self { x: x.round(), y: y.round() }
    }

    pub fn metres_to(self, other: Self) -> f64 {
        (self.x - other.x).hypot(self.y - other.y)
    }

    /// The point at this share of the way to another.
    #[must_use]
    pub fn towards(self, other: Self, share: f64) -> Self {
        Self { x: self.x + (other.x - self.x) * share, y: self.y + (other.y - self.y) * share }
    }

    pub fn latitude(self) -> f64 {
        NORTH - self.y / METRES_PER_DEGREE_NORTH
    }

    pub fn longitude(self) -> f64 {
        WEST + self.x / METRES_PER_DEGREE_EAST
    }

    pub fn at(latitude: f64, longitude: f64) -> Self {
        Self {
            x: (longitude - WEST) * METRES_PER_DEGREE_EAST,
            y: (NORTH - latitude) * METRES_PER_DEGREE_NORTH,
        }
    }

    /// `51.83127, -16.90412`.
    pub fn coordinates(self) -> String {
        format!("{:.5}, {:.5}", self.latitude(), self.longitude())
    }

    pub fn bearing_to(self, other: Self) -> Bearing {
        Bearing((other.x - self.x).atan2(self.y - other.y).to_degrees().rem_euclid(360.0))
    }
}

/// Degrees clockwise from north.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bearing(f64);

impl Bearing {
    pub fn word(self) -> &'static str {
        const WORDS: [&str; 8] =
            ["north", "north-east", "east", "south-east", "south", "south-west", "west", "north-west"];
        WORDS[((self.0 + 22.5) / 45.0) as usize % 8]
    }

    /// What to do to go on in another direction.
    pub fn turn_to(self, next: Self) -> &'static str {
        let turn = (next.0 - self.0 + 180.0).rem_euclid(360.0) - 180.0;
        match turn {
            -150.0..-50.0 => "Turn left",
            -50.0..-20.0 => "Bear left",
            -20.0..20.0 => "Continue",
            20.0..50.0 => "Bear right",
            50.0..150.0 => "Turn right",
            _ => "Make a U-turn",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn coordinates_lead_back_to_their_point() {
        let point = Point::new(81_234.0, 60_512.0);
        let again = Point::at(point.latitude(), point.longitude());
        assert!(point.metres_to(again) < 0.01);
        assert_eq!(Point::new(0.0, 0.0).coordinates(), "52.40000, -18.00000");
    }

    #[test]
    fn directions_have_words() {
        let here = Point::new(0.0, 0.0);
        for (x, y, word) in
            [(0.0, -9.0, "north"), (9.0, -9.0, "north-east"), (9.0, 0.5, "east"), (-9.0, 8.0, "south-west")]
        {
            assert_eq!(here.bearing_to(Point::new(x, y)).word(), word, "{x} {y}");
        }
        for (from, to, turn) in [
            (0.0, 90.0, "Turn right"),
            (350.0, 80.0, "Turn right"),
            (10.0, 280.0, "Turn left"),
            (0.0, 5.0, "Continue"),
            (0.0, 180.0, "Make a U-turn"),
            (90.0, 60.0, "Bear left"),
        ] {
            assert_eq!(Bearing(from).turn_to(Bearing(to)), turn, "{from} {to}");
        }
    }
}
