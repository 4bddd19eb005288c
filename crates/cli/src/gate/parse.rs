//! Reading a gate, and saying where it stops being one.

use umpire_model::{Outcome, UsdMicros};

use super::{Bound, Condition, Field, Gate, Measure};

/// Something in a gate that is not understood.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the gate is not understood: {problem}\n  {text}\n  {:>caret$}", "^", caret = at + 1)]
pub struct BadGate {
    text: String,
    /// Characters before the mistake.
    at: usize,
    problem: String,
}

const MEASURES: &str =
    "success, fail, timeout, budget, blocked, invalid, infra, open, cost, median_steps, median_seconds";
const FIELDS: &str = "agent, site, category, kind, state, level, hint, perturbation, template, task";

pub(super) fn parse(text: &str) -> Result<Gate, BadGate> {
    let mut reader = Reader { text, at: 0 };
    let mut conditions = vec![reader.condition()?];
    while !reader.is_done() {
        let at = reader.at;
        match reader.word() {
            "and" => conditions.push(reader.condition()?),
            _ => return Err(reader.wrong(at, "conditions are joined by `and`")),
        }
    }
    Ok(Gate(conditions))
}

struct Reader<'a> {
    text: &'a str,
    /// In bytes.
    at: usize,
}

impl<'a> Reader<'a> {
    fn wrong(&self, at: usize, problem: impl Into<String>) -> BadGate {
        let before = self.text[..at].chars().count();
        BadGate { text: self.text.to_owned(), at: before, problem: problem.into() }
    }

    fn skip_spaces(&mut self) {
        let rest = &self.text[self.at..];
        self.at += rest.len() - rest.trim_start().len();
    }

    fn is_done(&mut self) -> bool {
        self.skip_spaces();
        self.at == self.text.len()
    }

    /// The longest piece of such characters, after spaces; `at` is then at its end.
    fn take(&mut self, is_part: impl Fn(char) -> bool) -> &'a str {
        self.skip_spaces();
        let rest = &self.text[self.at..];
        let end = rest.find(|c| !is_part(c)).unwrap_or(rest.len());
        self.at += end;
        &rest[..end]
    }

    fn word(&mut self) -> &'a str {
        self.take(|c| c.is_alphanumeric() || c == '_')
    }

    fn eat(&mut self, wanted: &str) -> bool {
        self.skip_spaces();
        let found = self.text[self.at..].starts_with(wanted);
        if found {
            self.at += wanted.len();
        }
        found
    }

    fn condition(&mut self) -> Result<Condition, BadGate> {
        self.skip_spaces();
        let start = self.at;
        let measure = self.measure()?;
        let only = if self.eat("[") { self.only()? } else { Vec::new() };
        let bound = self.bound()?;
        let threshold = self.threshold(measure)?;
        let by_interval = self.by_interval(measure)?;
        let text = self.text[start..self.at].trim().to_owned();
        Ok(Condition { measure, only, bound, threshold, by_interval, text })
    }

    fn measure(&mut self) -> Result<Measure, BadGate> {
        self.skip_spaces();
        let at = self.at;
        Ok(match self.word() {
            "success" | "pass" => Measure::Success,
            "open" => Measure::Open,
            "cost" => Measure::Cost,
            "median_steps" => Measure::MedianSteps,
            "median_seconds" => Measure::MedianSeconds,
            word => {
                let outcome = Outcome::ALL.into_iter().find(|outcome| outcome.as_str() == word);
                let what = if word.is_empty() { "here" } else { "this" };
                let wrong = || self.wrong(at, format!("{what} should be one of {MEASURES}"));
                Measure::Outcome(outcome.ok_or_else(wrong)?)
            }
        })
    }

    /// `site=shop, kind=retrieve]`
    fn only(&mut self) -> Result<Vec<(Field, String)>, BadGate> {
        let mut only = Vec::new();
        loop {
            self.skip_spaces();
            let at = self.at;
            let field = match self.word() {
                "agent" => Field::Agent,
                "site" => Field::Site,
                "category" => Field::Category,
                "kind" => Field::Kind,
                "state" => Field::State,
                "level" => Field::Level,
                "hint" => Field::Hint,
                "perturbation" => Field::Perturbation,
                "template" => Field::Template,
                "task" => Field::Task,
                _ => return Err(self.wrong(at, format!("attempts are chosen by one of {FIELDS}"))),
            };
            if !self.eat("=") {
                return Err(self.wrong(self.at, "a `=` and a value should follow"));
            }
            let at = self.at;
            let value = self.take(|c| c != ',' && c != ']').trim_end();
            if value.is_empty() {
                return Err(self.wrong(at, "a value is missing"));
            }
            if field == Field::Hint && !["with", "without"].contains(&value) {
                return Err(self.wrong(at, "a hint is `with` or `without`"));
            }
            if only.iter().any(|(other, _)| *other == field) {
                return Err(self.wrong(at, "this field is already chosen by"));
            }
            only.push((field, value.to_owned()));
            if self.eat("]") {
                return Ok(only);
            }
            if !self.eat(",") {
                return Err(self.wrong(self.at, "a `]` is missing"));
            }
        }
    }

    fn bound(&mut self) -> Result<Bound, BadGate> {
        if self.eat(">=") {
            return Ok(Bound::AtLeast);
        }
        if self.eat("<=") {
            return Ok(Bound::AtMost);
        }
        self.skip_spaces();
        Err(self.wrong(self.at, "`>=` or `<=` should follow"))
    }

    fn threshold(&mut self, measure: Measure) -> Result<f64, BadGate> {
        self.skip_spaces();
        let at = self.at;
        let written = self.take(|c| c.is_alphanumeric() || "._%$-+".contains(c));
        let (written, is_percent) = match written.strip_suffix('%') {
            Some(number) => (number, true),
            None => (written, false),
        };
        if measure == Measure::Cost {
            let money: Result<UsdMicros, _> = written.parse();
            return match money {
                Ok(money) if !is_percent => Ok(money.0 as f64 / 1e6),
                _ => Err(self.wrong(at, "an amount should follow, such as 5usd or 0.25")),
            };
        }
        let number: f64 = match written.parse() {
            Ok(number) if f64::is_finite(number) && number >= 0.0 => number,
            _ => return Err(self.wrong(at, "a number should follow")),
        };
        if !measure.is_share() {
            return if is_percent {
                Err(self.wrong(at, "this is no share, so `%` means nothing"))
            } else {
                Ok(number)
            };
        }
        let share = if is_percent { number / 100.0 } else { number };
        if share <= 1.0 {
            Ok(share)
        } else {
            Err(self.wrong(at, format!("{written} is not a share between 0 and 1; 60 % is 0.6 or 60%")))
        }
    }

    fn by_interval(&mut self, measure: Measure) -> Result<bool, BadGate> {
        self.skip_spaces();
        let at = self.at;
        if !self.eat("@") {
            return Ok(false);
        }
        if !measure.is_share() {
            return Err(self.wrong(at, "only shares of attempts have an interval here"));
        }
        let at = self.at;
        match self.take(|c| c.is_alphanumeric() || "%.".contains(c)) {
            "95%" => Ok(true),
            _ => Err(self.wrong(at, "the interval is that of 95%; write success>=0.6@95%")),
        }
    }
}

impl Measure {
    fn is_share(self) -> bool {
        matches!(self, Self::Success | Self::Outcome(_) | Self::Open)
    }
}
