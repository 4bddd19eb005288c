//! Days and times at which people do things.

use jiff::ToSpan as _;
use jiff::civil::{Date, DateTime, Weekday};
use umpire_model::Random;

use crate::tables::Domain;

const WEEKDAY_WEIGHT: u32 = 2;
/// Nobody is up between these hours.
const NIGHT: std::ops::Range<i8> = 2..6;

/// The days of a year, each as likely as its month and weekday make it.
pub struct Days {
    first: Date,
    /// Weights, summed up.
    sums: Vec<u32>,
}

impl Days {
    pub fn new(domain: &Domain, first: Date, count: i64) -> Self {
        let months = domain.months.unwrap_or([1; 12]);
        let mut total = 0;
        let weight = |date: Date| {
            let is_weekend = matches!(date.weekday(), Weekday::Saturday | Weekday::Sunday);
            let day = if is_weekend { domain.weekend } else { WEEKDAY_WEIGHT };
            months[usize::from(date.month().unsigned_abs()) - 1] * day
        };
        let sums = (0..count).map(|at| {
            total += weight(plus(first, at));
            total
        });
        Self { sums: sums.collect(), first }
    }

    pub fn draw(&self, random: &mut Random) -> Date {
        let total = self.sums.last().copied().unwrap_or_default();
        let at = random.below(total as usize) as u32;
        let day = self.sums.partition_point(|sum| *sum <= at);
        plus(self.first, i64::try_from(day).unwrap_or_default())
    }
}

pub fn plus(date: Date, days: i64) -> Date {
    date.checked_add(days.days()).unwrap_or(date)
}

/// A time of day in the domain's hours, earlier or later by what sort of person it is.
pub fn time_on(random: &mut Random, domain: &Domain, date: Date, shift: i64) -> DateTime {
    let spans: Vec<(i64, i64)> =
        domain.hours.chunks_exact(2).map(|pair| (i64::from(pair[0]), i64::from(pair[1]))).collect();
    let total: i64 = spans.iter().map(|(from, to)| to - from).sum();
    let mut minute = random.between(0, (total * 60 - 1).max(0));
    for (from, to) in spans {
        let length = (to - from) * 60;
        if minute < length {
            minute += from * 60;
            break;
        }
        minute -= length;
    }
    let second = random.between(0, 59);
    awake(later(date.at(0, 0, 0, 0), (minute + shift) * 60 + second))
}

/// A moment a few minutes on, as the next click of the same visit is.
pub fn soon_after(random: &mut Random, at: DateTime) -> DateTime {
    let seconds = random.between(20, 200) + random.between(0, 420);
    awake(later(at, seconds))
}

fn later(at: DateTime, seconds: i64) -> DateTime {
    at.checked_add(seconds.seconds()).unwrap_or(at)
}

/// Things of the small hours are done in the morning.
fn awake(at: DateTime) -> DateTime {
    if NIGHT.contains(&at.hour()) { later(at, 4 * 3_600) } else { at }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tables::Tables;

    #[test]
    fn nobody_is_up_in_the_small_hours() {
        let mut random = Random::new(5);
        let games = Tables::embedded().domain("Games").expect("games");
        for shift in [-90, 0, 90] {
            for _ in 0..500 {
                let mut at = time_on(&mut random, games, jiff::civil::date(2026, 1, 5), shift);
                for _ in 0..4 {
                    assert!(!NIGHT.contains(&at.hour()), "{at}");
                    let next = soon_after(&mut random, at);
                    assert!(next > at);
                    at = next;
                }
            }
        }
    }

    #[test]
    fn likely_months_and_weekdays_see_more() {
        let mut random = Random::new(5);
        let electronics = Tables::embedded().domain("Electronics").expect("electronics");
        let days = Days::new(electronics, jiff::civil::date(2025, 3, 17), 365);
        let drawn: Vec<Date> = (0..4_000).map(|_| days.draw(&mut random)).collect();
        let in_month = |month| drawn.iter().filter(|date| date.month() == month).count();
        assert!(in_month(11) > 2 * in_month(4), "{} and {}", in_month(11), in_month(4));
        assert!(
            drawn
                .iter()
                .all(|date| (jiff::civil::date(2025, 3, 17)..=jiff::civil::date(2026, 3, 16)).contains(date))
        );
    }
}
