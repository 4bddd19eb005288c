//! What is wrong with a set of wishes.

use std::fmt;
use std::sync::LazyLock;

use regex::Regex;
use serde::{Deserialize, Serialize};
use umpire_model::{Preference, Website};

use super::normal::Words;
use super::{Gold, QuerySet};
use crate::scoring::{Hidden, Part};

/// Values of fewer letters say nothing by themselves: `S`, `New`, `Bar`. Only the words they stand in do.
const TELLING: usize = 4;

/// Ends of hosts that nobody says.
const PLAIN_ENDS: [&str; 6] = [".com", ".org", ".net", ".gov", ".edu", ".co.uk"];

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "problem", rename_all = "lowercase")]
pub enum Problem {
    /// A wish gives away what it should leave unsaid.
    Leak { level: usize, part: Part, found: String },
    /// A wish does not say what it should.
    Missing { level: usize, part: Part, words: String },
    /// The clear wish leaves something open.
    Vague { found: String },
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = |part: &Part| match part {
            Part::Website => "the website".to_owned(),
            Part::Preference(key) => format!("the preference `{key}`"),
            Part::Location => "the home".to_owned(),
        };
        match self {
            Self::Leak { level, part, found } => {
                write!(f, "level {level} gives {} away: `{found}`", name(part))
            }
            Self::Missing { level, part, words } => {
                write!(f, "level {level} does not say {}: `{words}`", name(part))
            }
            Self::Vague { found } => write!(f, "level 0 leaves something open: `{found}`"),
        }
    }
}

static VAGUE: LazyLock<Regex> = LazyLock::new(|| {
    let how = "usual|preferred|favou?rite|typical|regular|normal|standard|go-to|local";
    Regex::new(&format!(r"(?i)\bmy (?:\w+ )?(?:{how})\b[\w ’'-]{{0,24}}")).expect("a pattern")
});

#[derive(Deserialize)]
struct Synonyms {
    words: Vec<Vec<String>>,
    websites: Vec<Vec<String>>,
}

static SYNONYMS: LazyLock<Synonyms> = LazyLock::new(|| {
    toml::from_str(include_str!("../../data/synonyms.toml")).expect("the table that comes with Umpire")
});

/// Everything that is wrong with a set, level by level.
pub fn problems(set: &QuerySet) -> Vec<Problem> {
    let mut problems = Vec::new();
    problems
        .extend(VAGUE.find(&set.texts[0]).map(|found| Problem::Vague { found: found.as_str().to_owned() }));
    for (level, text) in set.texts.iter().enumerate() {
        let words = Words::of(text);
        let hidden = Hidden::at_level(Some(level));
        for (part, is_hidden, names) in parts(&set.gold, hidden) {
            let said = names.telling.iter().find_map(|name| words.say(&Words::of(name)));
            match (said, is_hidden) {
                (Some(found), true) => problems.push(Problem::Leak { level, part, found }),
                (None, false) if !names.is_said_by(&words) => {
                    problems.push(Problem::Missing { level, part, words: names.own });
                }
                _ => {}
            }
        }
    }
    problems
}

/// What a part of the truth is called.
struct Names {
    own: String,
    /// Words that give it away.
    telling: Vec<String>,
    /// Words that are enough to say it where it should be said.
    enough: Vec<String>,
}

impl Names {
    fn is_said_by(&self, words: &Words) -> bool {
        self.telling.iter().chain(&self.enough).any(|name| words.say(&Words::of(name)).is_some())
    }
}

fn parts(gold: &Gold, hidden: Hidden) -> Vec<(Part, bool, Names)> {
    let mut parts = Vec::new();
    if let Some(first) = gold.websites.first() {
        let telling = gold.websites.iter().flat_map(website_names).collect();
        parts.push((
            Part::Website,
            hidden.website,
            Names { own: first.name.clone(), telling, enough: Vec::new() },
        ));
    }
    for preference in &gold.preferences {
        let part = Part::Preference(preference.key.clone());
        parts.push((part, hidden.preferences, preference_names(preference)));
    }
    for home in &gold.home {
        let names = Names { own: home.clone(), telling: vec![home.clone()], enough: Vec::new() };
        parts.push((Part::Location, hidden.location, names));
    }
    parts
}

/// Name and host, what else it is known by, and where it has no name of its own the host's: `kohls` of `kohls.com`.
fn website_names(website: &Website) -> Vec<String> {
    let host = website.host.strip_prefix("www.").unwrap_or(&website.host);
    let mut names = vec![website.name.clone(), host.to_owned()];
    // The end of `last.fm` is part of what it is called.
    let stem =
        PLAIN_ENDS.iter().find_map(|end| host.strip_suffix(end)).filter(|_| website.name == website.host);
    if let Some(stem) = stem {
        names.push(stem.to_owned());
        names.extend(stem.rsplit_once('.').map(|(_, inner)| inner.to_owned()));
    }
    names.extend(meanings(&SYNONYMS.websites, host));
    names
}

fn preference_names(preference: &Preference) -> Names {
    let value = &preference.value;
    let is_telling = value.chars().filter(|c| c.is_alphabetic()).count() >= TELLING;
    let mut telling = vec![preference.words().to_owned()];
    let mut enough = Vec::new();
    if is_telling {
        telling.push(value.clone());
        telling.extend(meanings(&SYNONYMS.words, value));
    } else {
        enough.push(value.clone());
    }
    Names { own: preference.words().to_owned(), telling, enough }
}

/// Other words of the same meaning.
fn meanings(table: &[Vec<String>], word: &str) -> Vec<String> {
    let same = |line: &&Vec<String>| line.iter().any(|known| known.eq_ignore_ascii_case(word));
    table.iter().filter(same).flatten().cloned().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(texts: [&str; 3]) -> QuerySet {
        let preference = |key: &str, value: &str, text: &str| Preference {
            key: key.to_owned(),
            value: value.to_owned(),
            text: Some(text.to_owned()),
        };
        let website = Website { name: "Kohl's".to_owned(), host: "kohls.com".to_owned() };
        let gold = Gold {
            websites: vec![website],
            preferences: vec![
                preference("size", "S", "in size S"),
                preference("diet", "Vegan", "labelled Vegan"),
                preference("cover", "Paperback", "as Paperback"),
            ],
            home: vec!["Portmere".to_owned()],
        };
        QuerySet { id: "x".to_owned(), gold, texts: texts.map(str::to_owned) }
    }

    const CLEAR: &str = "At Kohl's, find it in size S, labelled Vegan, as Paperback, sent to Portmere.";
    const UNNAMED: &str = "Find it in size S, labelled Vegan, as Paperback.";
    const VAGUE: &str = "Find it in my size, as I eat, as I read.";

    fn told(texts: [&str; 3]) -> Vec<String> {
        problems(&set(texts)).iter().map(ToString::to_string).collect()
    }

    #[test]
    fn levels_that_say_what_belongs_to_them_are_fine() {
        assert_eq!(told([CLEAR, UNNAMED, VAGUE]), Vec::<String>::new());
        // A letter that is a size says nothing outside of its words, and a part of a word is another word.
        assert_eq!(told([CLEAR, UNNAMED, "The S in vegans' papers: kohlsdorf"]).len(), 1);
    }

    #[test]
    fn leaks_are_found_in_any_dress() {
        for (vague, found) in [
            ("Search KOHLS for it", "the website away: `kohl`"),
            ("Search kohls.com for it", "the website away"),
            ("Find it in SIZE s", "`size` away: `in size s`"),
            ("Find some vegans' food", "`diet` away: `vegan`"),
            ("Find plant based food", "`diet` away: `plant based`"),
            ("Find softcovers", "`cover` away: `softcover`"),
            ("Find it near Portmere", "the home away"),
        ] {
            let vague = vague.replace("in SIZE", "it in SIZE");
            let told = told([CLEAR, UNNAMED, &vague]);
            assert!(
                told.len() == 1 && told[0].starts_with("level 2 ") && told[0].contains(found),
                "{vague}: {told:?}"
            );
        }
    }

    #[test]
    fn what_is_missing_or_open_is_told() {
        for (clear, unnamed, found) in [
            (
                "At Kohl's, find it in size S, labelled Vegan, as Paperback.",
                UNNAMED,
                "level 0 does not say the home",
            ),
            (CLEAR, "Find it in size S, as Paperback.", "level 1 does not say the preference `diet`"),
            (CLEAR, CLEAR, "level 1 gives the website away"),
        ] {
            let told = told([clear, unnamed, VAGUE]);
            assert!(told.iter().any(|problem| problem.contains(found)), "{told:?}");
        }
        let told = told([
            "At Kohl's, in my usual way, find it in size S, labelled Vegan, as Paperback, to Portmere.",
            UNNAMED,
            VAGUE,
        ]);
        assert_eq!(told, ["level 0 leaves something open: `my usual way`"]);
    }
}
