use std::fmt;
use std::str::FromStr;

use crate::bank::{Bank, Entry};

/// Which text of an entry it is found by.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Keys {
    /// `purchase: oat milk`
    #[default]
    TypeObject,
    /// `[purchase] oat milk`
    BracketedTypeObject,
    /// `2024-08-11 01:28:43 purchase oat milk basketway.com`
    All,
    /// `oat milk`
    Object,
}

impl Keys {
    pub const EVERY: [Self; 4] = [Self::TypeObject, Self::BracketedTypeObject, Self::All, Self::Object];

    /// As settings and index files write it.
    pub fn name(self) -> &'static str {
        match self {
            Self::TypeObject => "type-object",
            Self::BracketedTypeObject => "bracketed-type-object",
            Self::All => "all",
            Self::Object => "object",
        }
    }

    pub fn of(self, entry: &Entry) -> String {
        let Entry { timestamp, kind, object, website } = entry;
        match self {
            Self::TypeObject => format!("{kind}: {object}"),
            Self::BracketedTypeObject => format!("[{kind}] {object}"),
            Self::All => format!("{timestamp} {kind} {object} {website}"),
            Self::Object => object.clone(),
        }
    }

    pub fn of_bank(self, bank: &Bank) -> Vec<String> {
        bank.entries().iter().map(|entry| self.of(entry)).collect()
    }
}

impl fmt::Display for Keys {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Keys {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        Self::EVERY.into_iter().find(|keys| keys.name() == name).ok_or_else(|| {
            let known = Self::EVERY.map(Self::name).join(", ");
            format!("`{name}` is no kind of index key; there are {known}")
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_kind_writes_its_part_of_the_entry() {
        let entry = Entry {
            timestamp: "2024-08-11 01:28:43".into(),
            kind: "purchase".into(),
            object: "oat milk".into(),
            website: "basketway.com".into(),
        };
        for (name, key) in [
            ("type-object", "purchase: oat milk"),
            ("bracketed-type-object", "[purchase] oat milk"),
            ("all", "2024-08-11 01:28:43 purchase oat milk basketway.com"),
            ("object", "oat milk"),
        ] {
            assert_eq!(name.parse::<Keys>().map(|keys| keys.of(&entry)), Ok(key.to_owned()));
        }
        assert_eq!(Keys::default().name(), "type-object");
        assert!("title".parse::<Keys>().is_err_and(|problem| problem.contains("type-object, bracketed")));
    }
}
