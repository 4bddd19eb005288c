//! What somebody who counts makes of entries that were found, and what they would ask to find them. No model is needed for
//! it, so it is what scripted agents have in place of one.

use std::collections::BTreeMap;

use crate::audit::{About, Finder, addresses};
use crate::tables::{Domain, Facet, Tables};
use crate::words::has_words;

/// The words of a question about something that a wish of this category leaves unsaid.
pub fn question(tables: &Tables, category: &str, wish: &str, about: &About) -> String {
    let Some(domain) = tables.of_category(category) else { return category.to_lowercase() };
    let things = domain.things.iter().map(|thing| thing.shelf.as_str());
    let wished = things.filter(|shelf| has_words(wish, shelf)).collect::<Vec<_>>().join(" ");
    let words = match about {
        About::Website => format!("{} {wished}", domain.sought),
        About::Preference(key) => {
            let forms = facets(Some(domain), key).flat_map(|facet| &facet.forms).take(1);
            let form: String = forms.map(|form| form.replace("{}", "").replace("{l}", "")).collect();
            format!("{} {wished} {key} {form}", domain.sought)
        }
        About::Address | About::City => "directions from weather".to_owned(),
    };
    words.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The value that most entries show; of equally many, the first by name.
pub fn likeliest<'t>(
    tables: &Tables,
    category: &str,
    about: &About,
    entries: impl IntoIterator<Item = &'t str>,
) -> Option<String> {
    let domain = tables.of_category(category);
    let finder = match about {
        About::Preference(key) => Finder::new(&facets(domain, key).collect::<Vec<_>>()),
        About::Website => Finder::of_words(&hosts(domain)),
        About::City => Finder::of_words(&tables.places.cities),
        About::Address => Finder::of_words(&tables.places.streets),
    };
    let found = |text: &str| match about {
        About::Address => addresses(&finder, text),
        _ => finder.find(text).into_iter().map(str::to_owned).collect(),
    };
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for value in entries.into_iter().flat_map(found) {
        *counts.entry(value).or_default() += 1;
    }
    counts.into_iter().max_by(|a, b| a.1.cmp(&b.1).then_with(|| b.0.cmp(&a.0))).map(|(value, _)| value)
}

/// Everything it could be, for somebody who has to take something.
pub fn choices(tables: &Tables, category: &str, about: &About) -> Vec<String> {
    let domain = tables.of_category(category);
    match about {
        About::Preference(key) => {
            facets(domain, key).flat_map(Facet::all_values).map(str::to_owned).collect()
        }
        About::Website => hosts(domain),
        About::City => tables.places.cities.clone(),
        About::Address => tables.places.streets.iter().map(|street| format!("1 {street}")).collect(),
    }
}

fn facets<'d>(domain: Option<&'d Domain>, key: &'d str) -> impl Iterator<Item = &'d Facet> {
    domain.into_iter().flat_map(|domain| &domain.facets).filter(move |facet| facet.key == key)
}

fn hosts(domain: Option<&Domain>) -> Vec<String> {
    domain.into_iter().flat_map(|domain| &domain.sites).map(|site| site.website.host.clone()).collect()
}
