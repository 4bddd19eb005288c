//! When places are open: by weekday, in minutes after midnight.

use umpire_model::Random;

/// The days, Monday first, with their opening and closing; none is a day on which a place stays closed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hours([Option<(u32, u32)>; 7]);

pub const DAYS: [&str; 7] = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"];

/// How a trade keeps its hours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pattern {
    Always,
    Office,
    Shop,
    Meals,
    Morning,
    Evening,
    Culture,
}

impl Hours {
    pub fn of(pattern: Pattern, random: &mut Random) -> Self {
        let mut half_hour = |low: i64, high: i64| random.between(low * 2, high * 2) as u32 * 30;
        let (opens, closes) = match pattern {
            Pattern::Always => (0, 24 * 60),
            Pattern::Office => (half_hour(8, 9), half_hour(16, 18)),
            Pattern::Shop => (half_hour(8, 10), half_hour(17, 20)),
            Pattern::Meals => (half_hour(11, 12), half_hour(21, 23)),
            Pattern::Morning => (half_hour(6, 8), half_hour(14, 18)),
            Pattern::Evening => (half_hour(16, 18), half_hour(22, 24)),
            Pattern::Culture => (half_hour(9, 11), half_hour(16, 18)),
        };
        let mut days = [Some((opens, closes)); 7];
        match pattern {
            Pattern::Always => {}
            Pattern::Office => (days[5], days[6]) = (None, None),
            Pattern::Shop => {
                days[5] = Some((opens, closes - 90));
                if random.chance(75) {
                    days[6] = None;
                }
            }
            Pattern::Meals | Pattern::Morning | Pattern::Evening | Pattern::Culture => {
                if random.chance(70) {
                    days[random.below(3)] = None;
                }
                if random.chance(30) {
                    days[6] = Some((opens + 60, closes - 120));
                }
            }
        }
        Self(days)
    }

    /// `09:00–17:30`, `Open 24 hours`, `Closed`. `day` is 0 for Monday.
    pub fn on(self, day: usize) -> String {
        match self.0.get(day).copied().flatten() {
            Some((0, 1_440)) => "Open 24 hours".to_owned(),
            Some((opens, closes)) => format!("{}–{}", clock(opens), clock(closes)),
            None => "Closed".to_owned(),
        }
    }

    pub fn is_open(self, day: usize, minute: u32) -> bool {
        let of_day = self.0.get(day).copied().flatten();
        of_day.is_some_and(|(opens, closes)| (opens..closes).contains(&minute))
    }
}

pub fn clock(minutes: u32) -> String {
    format!("{:02}:{:02}", minutes / 60, minutes % 60)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hours_are_open_between_their_ends() {
        let hours = Hours([Some((540, 1_050)), None, Some((0, 1_440)), None, None, None, None]);
        assert_eq!([0, 1, 2].map(|day| hours.on(day)), ["09:00–17:30", "Closed", "Open 24 hours"]);
        for (day, minute, open) in
            [(0, 539, false), (0, 540, true), (0, 1_050, false), (1, 600, false), (2, 0, true), (9, 0, false)]
        {
            assert_eq!(hours.is_open(day, minute), open, "{day} {minute}");
        }
    }

    #[test]
    fn every_pattern_opens_before_it_closes() {
        let mut random = Random::new(5);
        for pattern in [
            Pattern::Always,
            Pattern::Office,
            Pattern::Shop,
            Pattern::Meals,
            Pattern::Morning,
            Pattern::Evening,
            Pattern::Culture,
        ] {
            for _ in 0..50 {
                let hours = Hours::of(pattern, &mut random);
                assert!(hours.0.iter().flatten().all(|(opens, closes)| opens < closes && *closes <= 1_440));
                assert!(hours.0.iter().flatten().count() >= 4, "{pattern:?}");
            }
        }
    }
}
