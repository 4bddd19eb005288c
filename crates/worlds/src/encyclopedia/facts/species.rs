//! Animals and plants of the country.

use std::collections::BTreeSet;

use umpire_model::Random;

use super::people::{Field, Person};
use crate::geography::Country;
use crate::kit::text::choose;

const SPECIES: usize = 220;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Group {
    Bird,
    Fish,
    Beetle,
    Moth,
    Orchid,
    Fern,
    Mammal,
}

impl Group {
    const ALL: [Self; 7] =
        [Self::Bird, Self::Fish, Self::Beetle, Self::Moth, Self::Orchid, Self::Fern, Self::Mammal];

    pub fn noun(self) -> &'static str {
        match self {
            Self::Bird => "bird",
            Self::Fish => "fish",
            Self::Beetle => "beetle",
            Self::Moth => "moth",
            Self::Orchid => "orchid",
            Self::Fern => "fern",
            Self::Mammal => "mammal",
        }
    }

    pub fn plural(self) -> &'static str {
        match self {
            Self::Bird => "Birds",
            Self::Fish => "Fish",
            Self::Beetle => "Beetles",
            Self::Moth => "Moths",
            Self::Orchid => "Orchids",
            Self::Fern => "Ferns",
            Self::Mammal => "Mammals",
        }
    }

    fn names(self) -> &'static [&'static str] {
        match self {
            Self::Bird => &["Plover", "Wagtail", "Shrike", "Diver", "Bunting", "Warbler", "Kite"],
            Self::Fish => &["Char", "Loach", "Dace", "Gudgeon", "Trout", "Blenny"],
            Self::Beetle => &["Ground Beetle", "Weevil", "Longhorn", "Chafer", "Dung Beetle"],
            Self::Moth => &["Hawkmoth", "Footman", "Carpet", "Ermine", "Underwing"],
            Self::Orchid => &["Helleborine", "Twayblade", "Lady's-tresses", "Marsh Orchid"],
            Self::Fern => &["Spleenwort", "Buckler-fern", "Polypody", "Moonwort"],
            Self::Mammal => &["Vole", "Shrew", "Hare", "Marten", "Bat", "Dormouse"],
        }
    }

    /// Of the genus it is put in, made up for this country.
    fn genera(self) -> &'static [&'static str] {
        match self {
            Self::Bird => &["Litorava", "Pluvianth", "Emberornis"],
            Self::Fish => &["Salvenix", "Cobitella", "Aquadontis"],
            Self::Beetle => &["Carabellus", "Ceramboxa", "Melolonth"],
            Self::Moth => &["Sphinctara", "Arctivora", "Noctulina"],
            Self::Orchid => &["Epipactella", "Listerina", "Dactylium"],
            Self::Fern => &["Asplenella", "Dryopteron", "Botrychilla"],
            Self::Mammal => &["Arvicolax", "Soricella", "Leporinus"],
        }
    }

    fn size(self, random: &mut Random) -> u32 {
        let (low, high) = match self {
            Self::Bird => (110, 740),
            Self::Fish => (60, 910),
            Self::Beetle => (4, 48),
            Self::Moth => (18, 96),
            Self::Orchid | Self::Fern => (80, 820),
            Self::Mammal => (50, 690),
        };
        random.between(low, high) as u32
    }
}

pub struct Species {
    pub name: String,
    pub latin: String,
    pub group: Group,
    /// Millimetres: length, height or wingspan.
    pub size: u32,
    pub region: usize,
    pub habitat: &'static str,
    pub status: &'static str,
    /// Position of the person who described it.
    pub described_by: usize,
    pub described: u32,
}

const MARKS: &[&str] = &[
    "Grey-backed",
    "Copper",
    "Lesser",
    "Greater",
    "Red-legged",
    "Banded",
    "Pale",
    "Dusky",
    "Spotted",
    "Marsh",
    "Stone",
    "Bog",
    "Common",
    "Northern",
    "Slender",
    "Crested",
    "Bearded",
    "Silver",
];
const EPITHETS: &[&str] = &[
    "borealis",
    "paludosa",
    "striata",
    "montana",
    "obscura",
    "argentea",
    "vernalis",
    "insularis",
    "minor",
    "cuprea",
    "pallida",
    "saxicola",
    "robusta",
    "elegans",
    "solitaria",
    "maculata",
];
const HABITATS: &[&str] = &[
    "wet meadows",
    "peat bogs",
    "sea cliffs",
    "old oak woods",
    "river gravel",
    "limestone grassland",
    "reed beds",
    "mountain scree",
    "salt marshes",
    "hedgerows",
];
const STATUSES: &[&str] = &["common", "scattered", "declining", "rare", "endangered"];

pub fn generate(random: &mut Random, country: &Country, people: &[Person]) -> Vec<Species> {
    let naturalists: Vec<usize> =
        (0..people.len()).filter(|at| people[*at].field == Field::Naturalist).collect();
    let mut species = Vec::with_capacity(SPECIES);
    let (mut names, mut latins) = (BTreeSet::new(), BTreeSet::new());
    while species.len() < SPECIES {
        let group = Group::ALL[species.len() % Group::ALL.len()];
        let name = format!("{} {}", choose(random, MARKS), choose(random, group.names()));
        let latin = format!("{} {}", choose(random, group.genera()), choose(random, EPITHETS));
        let described_by = naturalists.get(random.below(naturalists.len())).copied().unwrap_or(0);
        if names.contains(&name) || latins.contains(&latin) {
            continue;
        }
        names.insert(name.clone());
        latins.insert(latin.clone());
        let person = &people[described_by];
        let born = i64::from(person.born.year());
        let last = person.died.map_or(2024, |day| i64::from(day.year()));
        species.push(Species {
            name,
            latin,
            group,
            size: group.size(random),
            region: random.below(country.regions.len()),
            habitat: choose(random, HABITATS),
            status: choose(random, STATUSES),
            described_by,
            described: random.between(born + 24, last.min(born + 70)) as u32,
        });
    }
    species
}
