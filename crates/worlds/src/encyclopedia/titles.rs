//! What articles are called. Names that several bear get an addition in brackets, and a page that tells them apart.

use std::collections::BTreeMap;

use super::facts::Facts;
use crate::kit::text::capitalised;

pub struct Titles {
    pub people: Vec<String>,
    pub works: Vec<String>,
    /// Shared names, with the titles that go by them.
    pub shared: BTreeMap<String, Vec<String>>,
}

impl Titles {
    pub fn of(facts: &Facts) -> Self {
        let people: Vec<(&str, String, String)> = facts
            .people
            .iter()
            .map(|person| {
                (person.name.as_str(), person.field.noun().to_owned(), format!("born {}", person.born.year()))
            })
            .collect();
        let works: Vec<(&str, String, String)> = facts
            .works
            .iter()
            .map(|work| (work.title.as_str(), work.kind.noun().to_owned(), work.year.to_string()))
            .collect();
        let (people, works) = (told_apart(&people), told_apart(&works));
        let mut shared: BTreeMap<String, Vec<String>> = BTreeMap::new();
        let names = facts.people.iter().map(|person| &person.name).zip(&people);
        let titles = facts.works.iter().map(|work| &work.title).zip(&works);
        for (name, title) in names.chain(titles).filter(|(name, title)| name != title) {
            shared.entry(capitalised(name)).or_default().push(title.clone());
        }
        Self { people, works, shared }
    }
}

/// Each name with as much added as it takes: the first addition, and the second where that is shared, too.
fn told_apart(names: &[(&str, String, String)]) -> Vec<String> {
    let mut by_name: BTreeMap<&str, usize> = BTreeMap::new();
    let mut by_addition: BTreeMap<(&str, &str), usize> = BTreeMap::new();
    for (name, first, _) in names {
        *by_name.entry(name).or_default() += 1;
        *by_addition.entry((name, first)).or_default() += 1;
    }
    let mut used: BTreeMap<String, usize> = BTreeMap::new();
    let title = |(name, first, second): &(&str, String, String)| {
        let title = if by_name[name] == 1 {
            (*name).to_owned()
        } else if by_addition[&(*name, first.as_str())] == 1 {
            format!("{name} ({first})")
        } else {
            format!("{name} ({first}, {second})")
        };
        let times = used.entry(title.clone()).or_default();
        *times += 1;
        // Two of one name, field and year: the younger is numbered.
        if *times == 1 { title } else { format!("{} {times})", title.trim_end_matches(')')) }
    };
    names.iter().map(title).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shared_names_are_told_apart() {
        let of = |name, first: &str, second: &str| (name, first.to_owned(), second.to_owned());
        let names = [
            of("Ivo Quayle", "poet", "born 1801"),
            of("Thea Garrick", "poet", "born 1820"),
            of("Thea Garrick", "rower", "born 1901"),
            of("Thea Garrick", "poet", "born 1840"),
            of("Thea Garrick", "poet", "born 1840"),
        ];
        assert_eq!(
            told_apart(&names),
            [
                "Ivo Quayle",
                "Thea Garrick (poet, born 1820)",
                "Thea Garrick (rower)",
                "Thea Garrick (poet, born 1840)",
                "Thea Garrick (poet, born 1840 2)",
            ]
        );
    }
}
