//! Finding the values of an attribute in a text, by the forms in which it is written.

use std::collections::BTreeSet;

use regex::{Regex, RegexBuilder};

use crate::numbers::Number;
use crate::tables::Facet;
use crate::words::places;

/// Values of one attribute, as texts have them.
pub struct Finder {
    /// Texts in small letters with the values they stand for; the longest first, so that it is found in place of what
    /// it contains.
    words: Vec<(String, String)>,
    numbers: Vec<(Regex, Number)>,
}

impl Finder {
    /// For an attribute whose values may be spread over several tables.
    pub fn new(families: &[&Facet]) -> Self {
        let mut words = Vec::new();
        let mut numbers = Vec::new();
        for facet in families {
            for form in &facet.forms {
                for value in &facet.values {
                    let text = form.replace("{l}", value).replace("{}", value);
                    words.push((text.to_lowercase(), value.clone()));
                }
                if let Some(number) = &facet.number {
                    let digits = format!("({})", number.written.pattern());
                    let pattern = regex::escape(form).replace(r"\{\}", &digits);
                    let found =
                        RegexBuilder::new(&format!(r"(?:^|[^\w.]){pattern}")).case_insensitive(true).build();
                    numbers.extend(found.ok().map(|regex| (regex, number.clone())));
                }
            }
        }
        Self::longest_first(words, numbers)
    }

    /// For values that no table knows.
    pub fn of_words(words: &[String]) -> Self {
        Self::longest_first(
            words.iter().map(|word| (word.to_lowercase(), word.clone())).collect(),
            Vec::new(),
        )
    }

    fn longest_first(mut words: Vec<(String, String)>, numbers: Vec<(Regex, Number)>) -> Self {
        words.sort_by(|a, b| b.0.len().cmp(&a.0.len()).then_with(|| a.cmp(b)));
        Self { words, numbers }
    }

    /// The values a text has, each once.
    pub fn find<'s>(&'s self, text: &str) -> BTreeSet<&'s str> {
        let mut found = BTreeSet::new();
        let mut rest = text.to_lowercase();
        for (word, value) in &self.words {
            for place in places(&rest, word) {
                found.insert(value.as_str());
                rest.replace_range(place.clone(), &" ".repeat(place.len()));
            }
        }
        for (regex, number) in &self.numbers {
            let numbers = regex.captures_iter(text).filter_map(|capture| {
                let written = capture.get(1)?.as_str();
                number.bin(number.written.read(written)?)
            });
            found.extend(numbers);
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tables::Tables;

    #[test]
    fn values_are_found_in_their_forms_and_not_in_one_another() {
        for (domain, key, text, values) in [
            ("Transportation", "cabin", "Premium economy, aisle seat", vec!["Premium economy"]),
            ("Transportation", "cabin", "Economy and Business", vec!["Business", "Economy"]),
            ("Online learning", "plan", "full course with mentor plan", vec!["Full course with mentor"]),
            ("Online learning", "hours", "up to 20 hours", vec!["20"]),
            ("Books and stationery", "pages", "(284 pages, hardcover)", vec!["300"]),
            ("Books and stationery", "pages", "1284 pages", vec![]),
            ("Transportation", "window", "dep. 08:15, meal included", vec!["Morning (before 12:00)"]),
            ("Restaurant reservations", "tier", "Blue Fig ($$), Sat", vec!["$$"]),
            ("Restaurant reservations", "distance", "2.4 mi away", vec!["3"]),
            ("Groceries", "packaging", "in glass, organic", vec!["Glass"]),
            ("Groceries", "packaging", "glasses", vec![]),
            ("Apparel and accessories", "size", "size XL, navy", vec!["XL"]),
        ] {
            let domain = Tables::embedded().domain(domain).expect(domain);
            let families: Vec<&Facet> = domain.facets.iter().filter(|facet| facet.key == key).collect();
            assert_eq!(Finder::new(&families).find(text).into_iter().collect::<Vec<_>>(), values, "{text}");
        }
    }
}
