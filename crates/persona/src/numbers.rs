//! Attributes that are numbers: how they are written, and which preference they suit.

use serde::Deserialize;

/// An attribute that is a number; a taste is the smallest of the limits that things keep below.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Number {
    pub written: Written,
    pub low: i64,
    pub high: i64,
    /// The value of a preference, and the largest number that suits it.
    pub bins: Vec<(String, i64)>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Written {
    /// `284`
    Whole,
    /// `2.4`, kept as 24.
    Tenths,
    /// `08:15`, kept as minutes.
    Clock,
}

impl Written {
    pub fn write(self, number: i64) -> String {
        match self {
            Self::Whole => number.to_string(),
            Self::Tenths => format!("{}.{}", number / 10, number % 10),
            Self::Clock => format!("{:02}:{:02}", number / 60, number % 60),
        }
    }

    /// What [`Self::write`] wrote.
    pub fn read(self, text: &str) -> Option<i64> {
        let (first, second) = match self {
            Self::Whole => return text.parse().ok(),
            Self::Tenths => text.split_once('.')?,
            Self::Clock => text.split_once(':')?,
        };
        let (first, second): (i64, i64) = (first.parse().ok()?, second.parse().ok()?);
        Some(if self == Self::Clock { first * 60 + second } else { first * 10 + second })
    }

    /// A regular expression for what [`Self::write`] writes.
    pub fn pattern(self) -> &'static str {
        match self {
            Self::Whole => r"\d+",
            Self::Tenths => r"\d+\.\d",
            Self::Clock => r"\d\d:\d\d",
        }
    }
}

impl Number {
    /// The preference that such a number suits best.
    pub fn bin(&self, number: i64) -> Option<&str> {
        self.bins.iter().find(|(_, most)| number <= *most).map(|(value, _)| value.as_str())
    }

    /// The largest number that suits a preference, as it is kept.
    pub fn limit(&self, value: &str) -> Option<i64> {
        self.bins.iter().find(|(known, _)| known == value).map(|(_, most)| *most)
    }

    /// The numbers that suit a preference and no stricter one.
    pub fn range(&self, value: &str) -> Option<(i64, i64)> {
        let at = self.bins.iter().position(|(known, _)| known == value)?;
        let low = if at == 0 { self.low } else { self.bins[at - 1].1 + 1 };
        Some((low.max(self.low), self.bins[at].1.min(self.high)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_fall_into_the_strictest_limit_they_keep() {
        let bins = [("200", 200), ("300", 300), ("450", 450)].map(|(value, most)| (value.to_owned(), most));
        let pages = Number { written: Written::Whole, low: 110, high: 620, bins: bins.to_vec() };
        assert_eq!(pages.range("300"), Some((201, 300)));
        assert_eq!(pages.range("200"), Some((110, 200)));
        assert_eq!([200, 201, 451].map(|n| pages.bin(n)), [Some("200"), Some("300"), None]);
        assert_eq!(["300", "301"].map(|value| pages.limit(value)), [Some(300), None]);
        for (written, number, text) in
            [(Written::Whole, 284, "284"), (Written::Tenths, 24, "2.4"), (Written::Clock, 495, "08:15")]
        {
            assert_eq!((written.write(number).as_str(), written.read(text)), (text, Some(number)));
        }
    }
}
