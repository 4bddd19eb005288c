//! What goes wrong with web agents, in the categories of the papers that looked.
//!
//! Each paper has its own, and they overlap; a label may use any number from any of them. The names are part of the format
//! of labels: none is changed or taken away.

use std::fmt;
use std::str::FromStr;

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize};

/// The categories of one paper.
#[derive(Clone, Copy, Debug)]
pub struct Taxonomy {
    pub name: &'static str,
    pub categories: &'static [Category],
}

#[derive(Clone, Copy, Debug)]
pub struct Category {
    pub name: &'static str,
    /// For an annotator: when to choose it.
    pub meaning: &'static str,
}

const fn category(name: &'static str, meaning: &'static str) -> Category {
    Category { name, meaning }
}

pub const TAXONOMIES: [Taxonomy; 4] = [
    Taxonomy {
        name: "websp-eval",
        categories: &[
            category(
                "incorrect-navigation",
                "never got to the page, or the part of it, that the task is about",
            ),
            category(
                "state-misunderstanding",
                "took a control for being the other way round, and did the opposite",
            ),
            category("hallucinated-success", "believes it is done, although its own actions say otherwise"),
            category("repeated-actions", "went round in circles without getting nearer"),
            category("partial-completion", "did only some of what the task asks for"),
        ],
    },
    Taxonomy {
        name: "online-mind2web",
        categories: &[
            category(
                "numeric-or-temporal-constraint",
                "overlooked a number, range or date, or set a wrong one",
            ),
            category("missed-site-feature", "did not find a feature of the site that the task needs"),
            category("neglected-requirement", "left out something that the task says"),
            category(
                "hallucinated-constraint",
                "claims a requirement is met that the pages do not show to be",
            ),
            category("limited-exploration", "looked at too little of the site"),
            category(
                "premature-termination",
                "gave up, or stopped too early, when something was unclear or in the way",
            ),
            category("repeated-actions", "did the same again when something was unclear or in the way"),
            category(
                "keyword-search",
                "typed everything into a search box where filters or sorting were needed",
            ),
        ],
    },
    Taxonomy {
        name: "persona2web",
        categories: &[
            category(
                "redundant-history-access",
                "asked the user's history too vaguely, and so again and again",
            ),
            category(
                "personalization-hallucination",
                "took something for the user's preference that is not in the history",
            ),
            category(
                "history-retrieval-failure",
                "got the wrong part of the history, or not all that matters",
            ),
            category("history-utilization-failure", "got the right part of the history, and did not use it"),
        ],
    },
    Taxonomy {
        name: "browserarena",
        categories: &[
            category("captcha", "was stopped by a captcha or another check for humans"),
            category(
                "pop-up-banner",
                "was stopped by a banner or dialog it could not close, such as a consent one",
            ),
            category(
                "direct-navigation",
                "went straight to an address it knew, and a search would have served better",
            ),
            category("parsing-errors", "its replies or the page could not be read, again and again"),
            category("execution-errors", "knew what to do, but its action did not do it"),
            category("technical-errors", "something broke that has nothing to do with finding the way"),
            category("url-errors", "went to an address that does not exist or is wrong"),
            category("repeated-attempts", "tried to complete the same thing many times, in vain"),
            category("section-navigation", "did not find the section of a site it was to go to"),
        ],
    },
];

/// A category of a taxonomy, written `websp-eval/partial-completion`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(into = "String")]
pub struct FailureCategory {
    taxonomy: &'static str,
    category: &'static str,
}

/// Says what there is instead.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub enum UnknownCategory {
    #[error("`{0}` is not a category: write taxonomy/category, such as websp-eval/partial-completion")]
    Form(String),
    #[error("there is no taxonomy `{name}`; there is {there}")]
    Taxonomy { name: String, there: String },
    #[error("`{taxonomy}` has no category `{name}`; it has {there}")]
    Category { taxonomy: &'static str, name: String, there: String },
}

impl FromStr for FailureCategory {
    type Err = UnknownCategory;

    fn from_str(text: &str) -> Result<Self, UnknownCategory> {
        let (wanted, name) = text.split_once('/').ok_or_else(|| UnknownCategory::Form(text.to_owned()))?;
        let taxonomy = TAXONOMIES.iter().find(|known| known.name == wanted).ok_or_else(|| {
            let there = TAXONOMIES.map(|known| known.name).join(", ");
            UnknownCategory::Taxonomy { name: wanted.to_owned(), there }
        })?;
        let found = taxonomy.categories.iter().find(|known| known.name == name);
        let category = found.ok_or_else(|| {
            let there: Vec<&str> = taxonomy.categories.iter().map(|known| known.name).collect();
            UnknownCategory::Category {
                taxonomy: taxonomy.name,
                name: name.to_owned(),
                there: there.join(", "),
            }
        })?;
        Ok(Self { taxonomy: taxonomy.name, category: category.name })
    }
}

// By hand: derived, it would want to borrow the names for ever from what is read.
impl<'de> Deserialize<'de> for FailureCategory {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(D::Error::custom)
    }
}

impl From<FailureCategory> for String {
    fn from(category: FailureCategory) -> Self {
        category.to_string()
    }
}

impl fmt::Display for FailureCategory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.taxonomy, self.category)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn every_category_has_a_name_of_its_own_that_reads_back() {
        let mut seen = BTreeSet::new();
        for taxonomy in TAXONOMIES {
            for known in taxonomy.categories {
                let text = format!("{}/{}", taxonomy.name, known.name);
                let category: FailureCategory = text.parse().expect("known");
                assert_eq!(category.to_string(), text);
                assert!(seen.insert(category), "{text} is there twice");
            }
        }
        assert_eq!(seen.len(), 5 + 8 + 4 + 9);
    }

    #[test]
    fn an_unknown_name_is_told_what_there_is() {
        let told = |text: &str| text.parse::<FailureCategory>().expect_err("unknown").to_string();
        assert!(told("captcha").contains("write taxonomy/category"));
        assert!(
            told("webarena/captcha")
                .contains("there is websp-eval, online-mind2web, persona2web, browserarena")
        );
        assert!(told("persona2web/captcha").contains("it has redundant-history-access, "));
    }
}
