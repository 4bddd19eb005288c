//! What tokens cost. A price that is not known is not guessed, and not zero.

use serde::Deserialize;
use umpire_model::{Usage, UsdMicros};

/// The list that comes with Umpire.
const BUILT_IN: &str = include_str!("../prices.toml");
const VERSION: u32 = 1;
/// Beyond this a number is a slip of the finger, and sums could overflow.
const DEAREST: f64 = 1_000_000.0;

/// US dollars for a million tokens.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Price {
    pub input: f64,
    /// Input that the provider read from its cache; the same as input if it is not given.
    pub cached_input: Option<f64>,
    pub output: f64,
}

/// A price in a model's own configuration.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
#[serde(untagged)]
pub enum PriceSpec {
    Word(PriceWord),
    Listed(Price),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum PriceWord {
    /// A model of one's own.
    Free,
}

impl Price {
    pub const FREE: Self = Self { input: 0.0, cached_input: None, output: 0.0 };

    /// Rounded up to a millionth of a dollar, so that many small calls do not come out free.
    pub fn cost(&self, usage: &Usage) -> UsdMicros {
        let cached = usage.cached_input.min(usage.input);
        // Dollars for a million tokens are millionths of a dollar for one.
        let micros = (usage.input - cached) as f64 * self.input
            + cached as f64 * self.cached_input.unwrap_or(self.input)
            + usage.output as f64 * self.output;
        // What floats add at the far end is not a part of the price.
        UsdMicros((micros - 1e-6).ceil().max(0.0) as u64)
    }

    fn is_sane(&self) -> bool {
        [Some(self.input), self.cached_input, Some(self.output)]
            .into_iter()
            .flatten()
            .all(|price| (0.0..=DEAREST).contains(&price))
    }
}

impl PriceSpec {
    pub(crate) fn price(self) -> Result<Price, BadPrices> {
        match self {
            Self::Word(PriceWord::Free) => Ok(Price::FREE),
            Self::Listed(price) if price.is_sane() => Ok(price),
            Self::Listed(_) => Err(BadPrices::NotAPrice("price".to_owned())),
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadPrices {
    #[error("line {line}: {problem}")]
    Syntax { line: usize, problem: String },
    #[error("version {0} of a price file is not known here; version {VERSION} is")]
    Version(u32),
    #[error("`{0}`: a price is between 0 and {DEAREST} US dollars for a million tokens")]
    NotAPrice(String),
    #[error("`{0}`: a pattern is a model's name, or its beginning followed by one `*`")]
    Pattern(String),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PriceFile {
    version: u32,
    date: String,
    models: toml::Table,
}

/// A price list. Names are those the providers use; `name*` stands for all that begin so, and the longest one counts.
#[derive(Clone, Debug, PartialEq)]
pub struct Prices {
    /// When the prices were looked up.
    date: String,
    entries: Vec<(String, Price)>,
}

impl Prices {
    pub fn built_in() -> Self {
        Self::parse(BUILT_IN).expect("the list that comes with Umpire is well-formed; a test reads it")
    }

    pub fn parse(text: &str) -> Result<Self, BadPrices> {
        let syntax = |error: &toml::de::Error| BadPrices::Syntax {
            line: error.span().map_or(1, |span| text[..span.start.min(text.len())].matches('\n').count() + 1),
            problem: error.message().to_owned(),
        };
        let file: PriceFile = toml::from_str(text).map_err(|error| syntax(&error))?;
        if file.version != VERSION {
            return Err(BadPrices::Version(file.version));
        }
        let mut entries = Vec::new();
        for (pattern, value) in file.models {
            if pattern.trim_end_matches('*').contains('*') || pattern.ends_with("**") || pattern.is_empty() {
                return Err(BadPrices::Pattern(pattern));
            }
            let price: Price = value.try_into().map_err(|error: toml::de::Error| BadPrices::Syntax {
                line: 1,
                problem: format!("`{pattern}`: {}", error.message()),
            })?;
            if !price.is_sane() {
                return Err(BadPrices::NotAPrice(pattern));
            }
            entries.push((pattern, price));
        }
        Ok(Self { date: file.date, entries })
    }

    /// These prices, and for what they do not name those of `other`.
    #[must_use]
    pub fn over(mut self, other: &Self) -> Self {
        let named: Vec<String> = self.entries.iter().map(|(pattern, _)| pattern.clone()).collect();
        let others = other.entries.iter().filter(|(pattern, _)| !named.contains(pattern));
        self.entries.extend(others.cloned());
        self
    }

    pub fn date(&self) -> &str {
        &self.date
    }

    pub fn of(&self, model: &str) -> Option<Price> {
        let fits = |pattern: &str| match pattern.strip_suffix('*') {
            Some(beginning) => model.starts_with(beginning),
            None => model == pattern,
        };
        // An exact name is longer than any beginning of it, by its missing star.
        let length = |pattern: &str| (pattern.trim_end_matches('*').len(), !pattern.ends_with('*'));
        let best = self.entries.iter().filter(|(pattern, _)| fits(pattern));
        best.max_by_key(|(pattern, _)| length(pattern)).map(|(_, price)| *price)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIST: &str = "version = 1\ndate = '2026-01-02'\n[models]\n'gpt-4o*' = { input = 2.5, cached_input = 1.25, output = 10 }\n'gpt-4o-mini' = { input = 0.15, output = 0.6 }\n'gpt-4o-mini*' = { input = 0.16, output = 0.7 }\n";

    #[test]
    fn the_longest_name_that_fits_counts() {
        let prices = Prices::parse(LIST).expect("a list");
        for (model, input) in [
            ("gpt-4o", Some(2.5)),
            ("gpt-4o-2024-08-06", Some(2.5)),
            ("gpt-4o-mini", Some(0.15)),
            ("gpt-4o-mini-2024", Some(0.16)),
            ("gpt-5", None),
            ("", None),
        ] {
            assert_eq!(prices.of(model).map(|price| price.input), input, "{model}");
        }
        assert_eq!(prices.date(), "2026-01-02");
    }

    /// Arithmetic by hand: 1,000 tokens of which 400 cached, 200 written.
    #[test]
    fn a_call_costs_what_the_list_says() {
        let price = Prices::parse(LIST).expect("a list").of("gpt-4o").expect("listed");
        let usage = Usage { input: 1000, cached_input: 400, output: 200, reasoning: 50 };
        // 600 × 2.5 + 400 × 1.25 + 200 × 10 = 1500 + 500 + 2000
        assert_eq!(price.cost(&usage), UsdMicros(4000));
        let mini = Price { input: 0.15, cached_input: None, output: 0.6 };
        // 1000 × 0.15 + 200 × 0.6 = 150 + 120; without a price of its own, cached input costs what input costs.
        assert_eq!(mini.cost(&usage), UsdMicros(270));
        let one = Usage { input: 1, ..Usage::default() };
        assert_eq!(mini.cost(&one), UsdMicros(1), "0.15 millionths are rounded up");
        assert_eq!(Price::FREE.cost(&usage), UsdMicros(0));
        assert_eq!(price.cost(&Usage::default()), UsdMicros(0));
    }

    #[test]
    fn a_list_that_is_wrong_says_where() {
        for (text, part) in [
            ("version = 2\ndate = 'd'\n[models]\n", "version 2"),
            (
                "version = 1\ndate = 'd'\n[models]\nx = { input = -1, output = 1 }\n",
                "`x`: a price is between",
            ),
            ("version = 1\ndate = 'd'\n[models]\nx = { input = 1 }\n", "missing field `output`"),
            ("version = 1\ndate = 'd'\n[models]\n'a*b' = { input = 1, output = 1 }\n", "`a*b`: a pattern"),
            ("version = 1\n[models]\n", "missing field `date`"),
            (
                "version = 1\ndate = 'd'\n[models]\nx = { input = 1, output = 1, cache = 2 }\n",
                "unknown field `cache`",
            ),
            ("version = 1\ndate = 'd'\n[models\n", "line 3"),
        ] {
            let problem = Prices::parse(text).expect_err(text).to_string();
            assert!(problem.contains(part), "{text}: {problem}");
        }
    }

    #[test]
    fn ones_own_list_comes_first() {
        let own = Prices::parse("version = 1\ndate = 'd'\n[models]\n'gpt-4o*' = { input = 9, output = 9 }\n")
            .expect("a list");
        let prices = own.over(&Prices::parse(LIST).expect("a list"));
        assert_eq!(prices.of("gpt-4o").map(|price| price.input), Some(9.0));
        assert_eq!(prices.of("gpt-4o-mini").map(|price| price.input), Some(0.15));
    }

    #[test]
    fn the_built_in_list_is_sane() {
        let prices = Prices::built_in();
        assert!(prices.entries.len() >= 5);
        for (pattern, price) in &prices.entries {
            assert!(price.cached_input.is_none_or(|cached| cached <= price.input), "{pattern}");
            assert!(price.input <= price.output, "{pattern}: writing is never cheaper than reading");
        }
    }
}
