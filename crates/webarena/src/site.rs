//! The websites of WebArena.

use serde::de::{self, Deserialize, Deserializer};
use serde::{Serialize, Serializer};

/// One of the seven sites a task can live on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Site {
    Gitlab,
    Map,
    Reddit,
    ShoppingAdmin,
    Shopping,
    Wikipedia,
    Homepage,
}

impl Site {
    pub const ALL: [Self; 7] = [
        Self::Gitlab,
        Self::Map,
        Self::Reddit,
        Self::ShoppingAdmin,
        Self::Shopping,
        Self::Wikipedia,
        Self::Homepage,
    ];

    /// The name used in files.
    pub fn name(self) -> &'static str {
        match self {
            Self::Gitlab => "gitlab",
            Self::Map => "map",
            Self::Reddit => "reddit",
            Self::ShoppingAdmin => "shopping_admin",
            Self::Shopping => "shopping",
            Self::Wikipedia => "wikipedia",
            Self::Homepage => "homepage",
        }
    }

    /// What stands for the site's address in task files.
    pub fn placeholder(self) -> &'static str {
        match self {
            Self::Gitlab => "__GITLAB__",
            Self::Map => "__MAP__",
            Self::Reddit => "__REDDIT__",
            Self::ShoppingAdmin => "__SHOPPING_ADMIN__",
            Self::Shopping => "__SHOPPING__",
            Self::Wikipedia => "__WIKIPEDIA__",
            Self::Homepage => "__HOMEPAGE__",
        }
    }

    /// Accepts the name, the name in capitals, and either with underscores around it; no other spelling.
    pub fn parse(text: &str) -> Option<Self> {
        let bare = text.trim_matches('_');
        Self::ALL.into_iter().find(|site| bare == site.name() || bare == site.placeholder().trim_matches('_'))
    }
}

impl Serialize for Site {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

impl<'de> Deserialize<'de> for Site {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = std::borrow::Cow::<'de, str>::deserialize(deserializer)?;
        Self::parse(&text).ok_or_else(|| de::Error::custom(format!("unknown site {text:?}")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_spellings_name_a_site() {
        for site in Site::ALL {
            for spelling in [site.name(), site.placeholder(), site.placeholder().trim_matches('_')] {
                assert_eq!(Site::parse(spelling), Some(site), "{spelling}");
            }
        }
        for text in ["Gitlab", "shopping admin", "", "____"] {
            assert_eq!(Site::parse(text), None, "{text}");
        }
    }
}
