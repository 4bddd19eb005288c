//! People whose attributes are spread evenly, as far as they go together.

use umpire_model::{Location, Random};

use crate::profile::{Demographics, Gender, Marital, Person};
use crate::tables::Tables;
use crate::words::capitalised;

/// Youngest and oldest of the bands that ages are spread over.
const AGES: [(u32, u32); 4] = [(18, 29), (30, 44), (45, 59), (60, 82)];
/// Each with the youngest age it is likely at.
const MARITAL: [(Marital, u32); 4] =
    [(Marital::Single, 18), (Marital::Married, 24), (Marital::Divorced, 30), (Marital::Widowed, 58)];
const NAME_TRIES: usize = 200;

/// So many people. The first ones stay the same when more are asked for.
pub fn people(tables: &Tables, seed: u64, count: usize) -> Vec<Person> {
    let mut random = Random::stream(seed, "persona/people");
    let mut spread = Spread::new(tables);
    let mut people: Vec<Person> = Vec::with_capacity(count);
    for _ in 0..count {
        let person = spread.person(tables, &mut random, &people);
        people.push(person);
    }
    people
}

/// How often each value was given so far.
struct Spread {
    sectors: Vec<usize>,
    ages: [usize; AGES.len()],
    genders: [usize; 2],
    marital: [usize; MARITAL.len()],
    cities: Vec<usize>,
}

impl Spread {
    fn new(tables: &Tables) -> Self {
        Self {
            sectors: vec![0; tables.people.sectors.len()],
            ages: [0; AGES.len()],
            genders: [0; 2],
            marital: [0; MARITAL.len()],
            cities: vec![0; tables.places.cities.len()],
        }
    }

    fn person(&mut self, tables: &Tables, random: &mut Random, others: &[Person]) -> Person {
        let sector = &tables.people.sectors[rarest(random, &mut self.sectors, |_| true)];
        let [youngest, oldest] = sector.ages;
        let band =
            AGES[rarest(random, &mut self.ages, |at| AGES[at].0.max(youngest) <= AGES[at].1.min(oldest))];
        let age = random.between(i64::from(band.0.max(youngest)), i64::from(band.1.min(oldest))) as u32;
        let marital = MARITAL[rarest(random, &mut self.marital, |at| MARITAL[at].1 <= age)].0;
        let gender = [Gender::Woman, Gender::Man][rarest(random, &mut self.genders, |_| true)];
        let city = tables.places.cities[rarest(random, &mut self.cities, |_| true)].clone();
        let name = new_name(tables, random, gender, others);
        Person {
            id: name.to_lowercase().replace(' ', "-"),
            name,
            demographics: Demographics {
                sector: sector.name.clone(),
                occupation: one(random, &sector.titles),
                age,
                gender,
                marital,
            },
            home: Location { address: address(tables, random), city },
        }
    }
}

/// Who somebody given by name alone is, as far as the name and chance say.
pub fn unknown_person(tables: &Tables, random: &mut Random, id: &str, home: Option<Location>) -> Person {
    let mut person = Spread::new(tables).person(tables, random, &[]);
    person.name = id.split('-').map(capitalised).collect::<Vec<_>>().join(" ");
    id.clone_into(&mut person.id);
    let given = person.name.split(' ').next().unwrap_or_default();
    let has_name = |gender: &Gender| {
        tables.people.given.get(gender.name()).is_some_and(|names| names.iter().any(|name| name == given))
    };
    if let Some(gender) = [Gender::Woman, Gender::Man].into_iter().find(has_name) {
        person.demographics.gender = gender;
    }
    if let Some(home) = home {
        person.home = home;
    }
    person
}

/// An address of a town.
pub fn address(tables: &Tables, random: &mut Random) -> String {
    let number = random.between(1, tables.places.last_number);
    format!("{number} {}", one(random, &tables.places.streets))
}

pub fn one(random: &mut Random, words: &[String]) -> String {
    random.pick(words).cloned().unwrap_or_default()
}

/// The place of the value given least often of those that fit; counts it.
fn rarest(random: &mut Random, given: &mut [usize], fits: impl Fn(usize) -> bool) -> usize {
    let fitting: Vec<usize> = (0..given.len()).filter(|&at| fits(at)).collect();
    let least = fitting.iter().map(|&at| given[at]).min().unwrap_or_default();
    let rare: Vec<usize> = fitting.into_iter().filter(|&at| given[at] == least).collect();
    let at = random.pick(&rare).copied().unwrap_or_default();
    given[at] += 1;
    at
}

fn new_name(tables: &Tables, random: &mut Random, gender: Gender, others: &[Person]) -> String {
    let given = tables.people.given.get(gender.name()).map(Vec::as_slice).unwrap_or_default();
    let mut name = String::new();
    for _ in 0..NAME_TRIES {
        name = format!("{} {}", one(random, given), one(random, &tables.people.family));
        if others.iter().all(|other| other.name != name) {
            return name;
        }
    }
    // All names are taken: told apart by number, as registries do.
    format!("{name} {}", others.len() + 1)
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};

    use super::*;

    fn spread<K: Ord>(people: &[Person], key: impl Fn(&Person) -> K) -> (usize, usize) {
        let mut counts = BTreeMap::new();
        for person in people {
            *counts.entry(key(person)).or_insert(0) += 1;
        }
        (counts.values().min().copied().unwrap_or(0), counts.values().max().copied().unwrap_or(0))
    }

    #[test]
    fn attributes_are_spread_evenly_and_go_together() {
        let tables = Tables::embedded();
        for seed in 0..20 {
            let people = people(tables, seed, 50);
            let ids: BTreeSet<&str> = people.iter().map(|person| person.id.as_str()).collect();
            assert_eq!(ids.len(), 50);
            for (least, most) in [
                spread(&people, |p| p.demographics.sector.clone()),
                spread(&people, |p| p.demographics.gender),
                spread(&people, |p| p.home.city.clone()),
            ] {
                assert!(most - least <= 1, "{least} and {most}");
            }
            let band = |p: &Person| AGES.iter().position(|(_, oldest)| p.demographics.age <= *oldest);
            let (least, most) = spread(&people, band);
            assert!(most - least <= 3, "ages: {least} and {most}");
            for person in &people {
                let Demographics { sector, age, marital, .. } = &person.demographics;
                let known =
                    tables.people.sectors.iter().find(|known| known.name == *sector).expect("a sector");
                assert!((known.ages[0]..=known.ages[1]).contains(age), "{person:?}");
                assert!(*marital != Marital::Widowed || *age >= 58, "{person:?}");
                assert!(sector != "student" || *age < 30, "{person:?}");
            }
        }
    }

    #[test]
    fn more_people_leave_the_first_as_they_were() {
        let tables = Tables::embedded();
        assert_eq!(people(tables, 7, 5), people(tables, 7, 30)[..5]);
        assert_ne!(people(tables, 7, 5), people(tables, 8, 5));
    }

    #[test]
    fn there_are_more_people_than_names() {
        let people = people(Tables::embedded(), 1, 1_500);
        let ids: BTreeSet<&str> = people.iter().map(|person| person.id.as_str()).collect();
        assert_eq!(ids.len(), 1_500);
    }
}
