//! Who has an account.

use std::collections::BTreeSet;

use umpire_model::Random;

use super::DAY;
use crate::code::catalogue::{Person, VISITOR};
use crate::code::vocabulary::{CITIES, GIVEN_NAMES, ROLES, SURNAMES};
use crate::kit::moment::Moment;
use crate::kit::text::choose;

const PEOPLE: usize = 64;

/// People with projects of their own, the visitor first.
const NAMED: [(&str, &str); 4] = [
    (VISITOR, "Ines Calder"),
    ("osei_k", "Kwame Osei"),
    ("tbrandt", "Tilda Brandt"),
    ("lucia_ferro", "Lucía Ferro"),
];

pub fn people(seed: u64) -> Vec<Person> {
    let mut random = Random::stream(seed, "code people");
    let mut names: Vec<(String, String)> =
        NAMED.iter().map(|(username, name)| ((*username).to_owned(), (*name).to_owned())).collect();
    let mut taken = BTreeSet::new();
    while names.len() < PEOPLE {
        let (given, surname) = (choose(&mut random, GIVEN_NAMES), choose(&mut random, SURNAMES));
        let style = random.below(3);
        // One person a full name, so that a name always means one account.
        if !taken.insert((given, surname)) {
            continue;
        }
        let (given_low, surname_low) = (given.to_lowercase(), surname.to_lowercase());
        let initial: String = given_low.chars().take(1).collect();
        let username = match style {
            0 => format!("{given_low}_{surname_low}"),
            1 => format!("{initial}{surname_low}"),
            _ => format!("{given_low}-{surname_low}"),
        };
        if names.iter().all(|(other, _)| *other != username) {
            names.push((username, format!("{given} {surname}")));
        }
    }
    names
        .into_iter()
        .map(|(username, name)| Person {
            username,
            name,
            bio: choose(&mut random, ROLES),
            city: choose(&mut random, CITIES),
            joined: Moment::minutes_ago(random.between(950 * DAY, 2600 * DAY) as u32),
        })
        .collect()
}
