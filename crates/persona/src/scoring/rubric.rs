//! Website of 10, preferences of 5 each, location of 5 more where it matters, intent of 10.

use serde::{Deserialize, Serialize};

use super::errors::Error;

const INTENT: f64 = 10.0;

/// What was found, before it is counted.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Rubric {
    pub website: Pair,
    pub preferences: Vec<Pair>,
    /// None where the wish does not depend on it.
    pub location: Option<Pair>,
    /// 0, 5 or 10.
    pub intent: u32,
    pub hidden: Hidden,
}

/// Something about a person: was it looked up, was it used?
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pair {
    pub retrieval: bool,
    pub utilization: bool,
}

/// What the wish leaves unsaid. What it says itself does not have to be looked up, so looking it up does not count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Hidden {
    pub website: bool,
    pub preferences: bool,
    pub location: bool,
}

impl Hidden {
    pub const ALL: Self = Self { website: true, preferences: true, location: true };

    /// Level 0 says everything, level 1 hides website and location, level 2 the preferences too.
    pub fn at_level(level: Option<usize>) -> Self {
        let level = level.unwrap_or(2);
        Self { website: level > 0, preferences: level > 1, location: level > 0 }
    }
}

/// The rubric in numbers, each from 0 to 1.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct PersonaScore {
    pub website: f64,
    pub preference: f64,
    pub average: f64,
    pub intent: f64,
    /// All three are perfect.
    pub success: bool,
}

impl PersonaScore {
    /// The least there is.
    pub const NOTHING: Self =
        Self { website: 0.0, preference: 0.0, average: 0.0, intent: 0.0, success: false };
    /// The most there is.
    pub const EVERYTHING: Self =
        Self { website: 1.0, preference: 1.0, average: 1.0, intent: 1.0, success: true };
}

impl Pair {
    fn share(self, is_hidden: bool) -> f64 {
        let got = f64::from(u8::from(self.utilization));
        if is_hidden { f64::midpoint(got, f64::from(u8::from(self.retrieval))) } else { got }
    }
}

/// Points as shares of the most that can be had. All preferences and the location weigh the same.
pub fn score(rubric: &Rubric) -> PersonaScore {
    let Hidden { website, preferences, location } = rubric.hidden;
    let website = rubric.website.share(website);
    let wishes = rubric.preferences.iter().map(|pair| pair.share(preferences));
    let parts: Vec<f64> = wishes.chain(rubric.location.map(|pair| pair.share(location))).collect();
    let preference = if parts.is_empty() { 1.0 } else { parts.iter().sum::<f64>() / parts.len() as f64 };
    let intent = f64::from(rubric.intent) / INTENT;
    let is_full = |share: f64| (share - 1.0).abs() < 1e-9;
    PersonaScore {
        website,
        preference,
        average: f64::midpoint(website, preference),
        intent,
        success: is_full(website) && is_full(preference) && is_full(intent),
    }
}

/// One attempt's line in a table of levels, schemes and ablations.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PersonaResult {
    pub user: String,
    pub instance: String,
    pub level: Option<usize>,
    /// How the history was reached: `none`, `on-demand`, `pre-execution`, `explicit-profile`.
    pub scheme: String,
    /// What the index was made from, where there was one.
    pub index_key: Option<String>,
    pub rubric: Rubric,
    pub score: PersonaScore,
    pub errors: Vec<Error>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_wish_says_needs_no_looking_up() {
        let used = Pair { retrieval: false, utilization: true };
        let at = |level| {
            let rubric = Rubric {
                website: used,
                preferences: vec![used, used],
                location: Some(used),
                intent: 10,
                hidden: Hidden::at_level(level),
            };
            let score = score(&rubric);
            (score.website, score.preference, score.success)
        };
        assert_eq!(at(Some(0)), (1.0, 1.0, true));
        assert_eq!(at(Some(1)), (0.5, 2.5 / 3.0, false));
        assert_eq!(at(Some(2)), (0.5, 0.5, false));
        assert_eq!(at(None), at(Some(2)));
    }
}
