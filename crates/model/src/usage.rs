//! What asking models costs: tokens and money.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::BlobRef;

/// Tokens of one call, as the provider counted them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Usage {
    /// All that was read, from a cache or not.
    pub input: u64,
    /// Of `input`: read from the provider's cache.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub cached_input: u64,
    /// All that was written, reasoning included.
    pub output: u64,
    /// Of `output`: reasoning that is not part of the reply.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub reasoning: u64,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands over a reference")]
fn is_zero(count: &u64) -> bool {
    *count == 0
}

impl std::ops::AddAssign for Usage {
    fn add_assign(&mut self, other: Self) {
        self.input += other.input;
        self.cached_input += other.cached_input;
        self.output += other.output;
        self.reasoning += other.reasoning;
    }
}

/// Money in millionths of a US dollar.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct UsdMicros(pub u64);

impl UsdMicros {
    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        Self(self.0.saturating_add(other.0))
    }
}

/// `$0.0042`: cents, and more digits only where they say something.
impl fmt::Display for UsdMicros {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (dollars, micros) = (self.0 / 1_000_000, self.0 % 1_000_000);
        let digits = format!("{micros:06}");
        let kept = digits.trim_end_matches('0').len().max(2);
        f.pad(&format!("${dollars}.{}", &digits[..kept]))
    }
}

#[derive(Debug, thiserror::Error, PartialEq, Eq)]
#[error("`{0}` is not an amount of money such as `25usd`, `$0.10` or `0.10`")]
pub struct NotMoney(pub String);

impl FromStr for UsdMicros {
    type Err = NotMoney;

    fn from_str(text: &str) -> Result<Self, NotMoney> {
        let wrong = || NotMoney(text.to_owned());
        let lower = text.trim().to_ascii_lowercase();
        let number = lower.strip_suffix("usd").unwrap_or(&lower).trim();
        let number = number.strip_prefix('$').unwrap_or(number).trim();
        let (dollars, fraction) = number.split_once('.').unwrap_or((number, ""));
        let is_number = |digits: &str| digits.bytes().all(|byte| byte.is_ascii_digit());
        if (dollars.is_empty() && fraction.is_empty())
            || !is_number(dollars)
            || !is_number(fraction)
            || fraction.len() > 6
        {
            return Err(wrong());
        }
        let whole: u64 = if dollars.is_empty() { 0 } else { dollars.parse().map_err(|_| wrong())? };
        let micros: u64 = format!("{fraction:0<6}").parse().map_err(|_| wrong())?;
        let total = whole.checked_mul(1_000_000).and_then(|whole| whole.checked_add(micros));
        total.map(Self).ok_or_else(wrong)
    }
}

/// One call of a model during an attempt.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ModelCall {
    /// Step during which it was made, from 1; none for a foreign agent, whose steps are its own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub step: Option<u32>,
    /// Name of the model in the configuration.
    pub model: String,
    /// What was sent, as JSON; images in it are blobs of their own.
    pub request: BlobRef,
    /// What came back, as text; none if nothing did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reply: Option<BlobRef>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub usage: Option<Usage>,
    /// None if it is not known, which is not the same as nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cost: Option<UsdMicros>,
    pub source: CallSource,
    /// Requests it took, failed ones included.
    pub tries: u32,
    pub took_ms: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
}

/// What asking models came to. Money counts where it is known.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Spending {
    pub calls: u64,
    pub usage: Usage,
    pub cost: UsdMicros,
    /// Calls whose cost nobody knows.
    pub unknown: u64,
}

impl Spending {
    pub fn count(&mut self, call: &ModelCall) {
        self.calls += 1;
        self.usage += call.usage.unwrap_or_default();
        match call.cost {
            Some(cost) => self.cost = self.cost.plus(cost),
            None => self.unknown += 1,
        }
    }

    pub fn is_nothing(&self) -> bool {
        self.calls == 0
    }
}

impl std::ops::AddAssign for Spending {
    fn add_assign(&mut self, other: Self) {
        self.calls += other.calls;
        self.usage += other.usage;
        self.cost = self.cost.plus(other.cost);
        self.unknown += other.unknown;
    }
}

impl std::iter::Sum for Spending {
    fn sum<I: Iterator<Item = Self>>(parts: I) -> Self {
        parts.fold(Self::default(), |mut sum, part| {
            sum += part;
            sum
        })
    }
}

/// The money: `$1.20`, `unknown`, or `$1.20 and more` where only a part is known.
impl fmt::Display for Spending {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.unknown {
            0 => self.cost.fmt(f),
            all if all == self.calls => f.pad("unknown"),
            _ => f.pad(&format!("{} and more", self.cost)),
        }
    }
}

/// Where a reply came from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum CallSource {
    Provider,
    Cache,
    Cassette,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn money_reads_and_prints() {
        for (text, micros, printed) in [
            ("25usd", 25_000_000, "$25.00"),
            ("$0.10", 100_000, "$0.10"),
            ("0.000042", 42, "$0.000042"),
            (".5", 500_000, "$0.50"),
            (" 1.25 USD ", 1_250_000, "$1.25"),
        ] {
            let money: UsdMicros = text.parse().expect(text);
            assert_eq!((money.0, money.to_string().as_str()), (micros, printed), "{text}");
        }
        for text in ["", ".", "usd", "-1", "1.2.3", "0.0000001", "99999999999999999999", "ten"] {
            assert_eq!(text.parse::<UsdMicros>(), Err(NotMoney(text.to_owned())));
        }
    }
}
