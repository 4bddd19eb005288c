//! `--gate 'success>=0.6@95%'`: the condition a run must meet.

use umpire_stats::wilson;

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Gate {
    at_least: f64,
    /// Compare the lower end of the 95 % interval instead of the rate itself.
    by_interval: bool,
}

impl Gate {
    pub fn parse(text: &str) -> Result<Self, String> {
        let compact: String = text.chars().filter(|c| !c.is_whitespace()).collect();
        let explain = || format!("`{text}` is not a gate; write success>=0.6 or success>=0.6@95%");
        let condition = compact.strip_prefix("success>=").ok_or_else(explain)?;
        let (threshold, by_interval) = match condition.split_once('@') {
            Some((threshold, "95%")) => (threshold, true),
            Some((_, level)) => {
                return Err(format!("the interval is that of 95%, not {level}; write success>=0.6@95%"));
            }
            None => (condition, false),
        };
        let at_least: f64 = threshold.parse().map_err(|_| explain())?;
        if !(0.0..=1.0).contains(&at_least) {
            return Err(format!("{at_least} is not a share between 0 and 1"));
        }
        Ok(Self { at_least, by_interval })
    }

    pub fn is_met(self, passed: usize, planned: usize) -> bool {
        let measured = match planned {
            0 => 0.0,
            _ if self.by_interval => wilson(passed, planned).low,
            _ => passed as f64 / planned as f64,
        };
        measured >= self.at_least
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gates_compare_the_rate_or_the_lower_end() {
        for (text, passed, planned, met) in [
            ("success>=0.6", 6, 10, true),
            ("success >= 0.6", 5, 10, false),
            ("success>=0.6@95%", 8, 10, false),
            ("success>=0.6@95%", 80, 100, true),
            ("success>=0", 0, 0, true),
            ("success>=1", 0, 0, false),
        ] {
            assert_eq!(
                Gate::parse(text).expect(text).is_met(passed, planned),
                met,
                "{text} {passed}/{planned}"
            );
        }
    }

    #[test]
    fn what_is_not_a_gate_is_explained() {
        for text in ["", "success>0.5", "speed>=1", "success>=60", "success>=0.5@99%", "success>=0.5@high"] {
            assert!(Gate::parse(text).is_err(), "{text}");
        }
    }
}
