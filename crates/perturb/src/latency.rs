//! Answers that come late. Every wait is bounded, and so is their sum.

use std::time::Duration;

use umpire_model::Random;

/// All delays of an attempt together, whatever its time limit.
const MOST: Duration = Duration::from_secs(8);
/// A slow site may use up this part of an attempt's time.
const SHARE: u32 = 4;

#[derive(Debug)]
pub struct Latency {
    seed: u64,
    left: Duration,
    /// The document whose answer stalls.
    stall_at: u32,
}

impl Latency {
    pub fn new(seed: u64, attempt: Duration) -> Self {
        let mut random = Random::stream(seed, "stall");
        Self { seed, left: MOST.min(attempt / SHARE), stall_at: random.between(2, 3) as u32 }
    }

    /// How long the answer to a request is held back; `document` is its number among documents, if it is one.
    pub fn delay(&mut self, request: u32, document: Option<u32>) -> Duration {
        let millis = match document {
            Some(number) => {
                let mut random = Random::stream(self.seed, &format!("document {number}"));
                let stall = if number == self.stall_at { random.between(1_500, 2_500) } else { 0 };
                stall + random.between(120, 500)
            }
            None => Random::stream(self.seed, &format!("request {request}")).between(20, 120),
        };
        let delay = Duration::from_millis(millis.unsigned_abs()).min(self.left);
        self.left -= delay;
        delay
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn delays(seed: u64, attempt: u64, requests: u32) -> Vec<Duration> {
        let mut latency = Latency::new(seed, Duration::from_secs(attempt));
        (1..=requests)
            .map(|number| latency.delay(number, number.is_multiple_of(3).then_some(number / 3)))
            .collect()
    }

    #[test]
    fn delays_are_decided_by_the_seed() {
        assert_eq!(delays(1, 600, 30), delays(1, 600, 30));
        assert_ne!(delays(1, 600, 30), delays(2, 600, 30));
    }

    #[test]
    fn one_document_stalls_and_all_together_stay_bounded() {
        let long = delays(5, 600, 300);
        assert_eq!(long.iter().filter(|delay| **delay > Duration::from_secs(1)).count(), 1);
        assert_eq!(long.iter().sum::<Duration>(), MOST);
        assert_eq!(delays(5, 4, 300).iter().sum::<Duration>(), Duration::from_secs(1));
    }
}
