//! A person as the generator knows them: who they are, where they live, and their tastes. Agents see it only where a run
//! asks what history costs, by telling the profile instead.

use serde::{Deserialize, Serialize};
use umpire_model::{Location, Preference, Website};

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Profile {
    pub person: Person,
    pub domains: Vec<DomainProfile>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Person {
    pub id: String,
    pub name: String,
    pub demographics: Demographics,
    pub home: Location,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Demographics {
    pub sector: String,
    pub occupation: String,
    pub age: u32,
    pub gender: Gender,
    pub marital: Marital,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Gender {
    Woman,
    Man,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Marital {
    Single,
    Married,
    Divorced,
    Widowed,
}

/// A person's ways in one domain.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DomainProfile {
    pub domain: String,
    /// Why somebody like this does such things.
    pub rationale: String,
    /// Events a year.
    pub frequency: u32,
    pub website: Website,
    pub preferences: Vec<Preference>,
    /// Habits, in sentences.
    pub patterns: Vec<String>,
}

impl Gender {
    pub fn name(self) -> &'static str {
        match self {
            Self::Woman => "woman",
            Self::Man => "man",
        }
    }
}

impl Demographics {
    pub fn told(&self) -> String {
        let marital = match self.marital {
            Marital::Single => "single",
            Marital::Married => "married",
            Marital::Divorced => "divorced",
            Marital::Widowed => "widowed",
        };
        format!("{}, {}, {marital}, {} ({})", self.gender.name(), self.age, self.occupation, self.sector)
    }
}

impl Profile {
    pub fn domain(&self, name: &str) -> Option<&DomainProfile> {
        self.domains.iter().find(|profile| profile.domain == name)
    }

    /// The whole profile in plain words, for attempts that are given it instead of a history.
    pub fn told(&self) -> String {
        let Person { name, demographics, home, .. } = &self.person;
        let mut lines = vec![
            format!("{name}: {}.", demographics.told()),
            format!("Lives at {}, {}.", home.address, home.city),
        ];
        lines.extend(self.domains.iter().map(DomainProfile::told));
        lines.join("\n")
    }
}

impl DomainProfile {
    pub fn told(&self) -> String {
        let Website { name, host } = &self.website;
        let mut told = format!("{}: uses {name} ({host}).", self.domain);
        for Preference { key, value, .. } in &self.preferences {
            told.extend([" Prefers ", &key.replace('_', " "), ": ", value, "."]);
        }
        for pattern in &self.patterns {
            told.push(' ');
            told.push_str(pattern);
        }
        told
    }
}
