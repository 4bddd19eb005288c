use serde::{Serialize, Serializer};

use crate::{Interval, wilson};

/// So many of so many: a proportion that keeps its denominator.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Share {
    pub count: usize,
    pub of: usize,
}

impl Share {
    pub fn new(count: usize, of: usize) -> Self {
        Self { count, of }
    }

    pub fn counting(outcomes: impl IntoIterator<Item = bool>) -> Self {
        outcomes.into_iter().fold(Self::default(), |share, counted| Self {
            count: share.count + usize::from(counted),
            of: share.of + 1,
        })
    }

    /// None of nothing.
    pub fn value(&self) -> Option<f64> {
        (self.of > 0).then(|| self.count as f64 / self.of as f64)
    }

    /// Wilson, 95 %: for counts of independent things.
    pub fn interval(&self) -> Interval {
        wilson(self.count, self.of)
    }
}

/// Written as `{count, of, value}`: which interval is right depends on where the counts come from.
impl Serialize for Share {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct Written {
            count: usize,
            of: usize,
            value: Option<f64>,
        }
        Written { count: self.count, of: self.of, value: self.value() }.serialize(serializer)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_has_no_share() {
        assert_eq!(Share::counting([]).value(), None);
        let written = serde_json::to_value(Share::default()).expect("plain data");
        assert_eq!(written, serde_json::json!({"count": 0, "of": 0, "value": null}));
    }

    #[test]
    fn counts_what_holds() {
        assert_eq!(Share::counting([true, false, true, true]), Share::new(3, 4));
        assert_eq!(Share::new(3, 4).value(), Some(0.75));
    }
}
