//! Newspapers, shipyards, clubs: what people founded.

use std::collections::BTreeSet;

use umpire_model::Random;

use super::people::Person;
use crate::geography::Country;
use crate::kit::text::choose;

const COMPANIES: usize = 110;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum CompanyKind {
    Newspaper,
    Shipyard,
    Brewery,
    Publisher,
    Railway,
    RowingClub,
}

impl CompanyKind {
    const ALL: [Self; 6] =
        [Self::Newspaper, Self::Shipyard, Self::Brewery, Self::Publisher, Self::Railway, Self::RowingClub];

    pub fn noun(self) -> &'static str {
        match self {
            Self::Newspaper => "newspaper",
            Self::Shipyard => "shipyard",
            Self::Brewery => "brewery",
            Self::Publisher => "publishing house",
            Self::Railway => "railway company",
            Self::RowingClub => "rowing club",
        }
    }

    pub fn plural(self) -> &'static str {
        match self {
            Self::Newspaper => "Newspapers",
            Self::Shipyard => "Shipyards",
            Self::Brewery => "Breweries",
            Self::Publisher => "Publishing houses",
            Self::Railway => "Railway companies",
            Self::RowingClub => "Rowing clubs",
        }
    }

    pub fn measure(self) -> &'static str {
        match self {
            Self::Newspaper => "Copies a day",
            Self::RowingClub => "Members",
            _ => "Employees",
        }
    }
}

pub struct Company {
    pub name: String,
    pub kind: CompanyKind,
    /// Position of the town.
    pub town: usize,
    pub founded: u32,
    /// Position of the person.
    pub founder: usize,
    pub size: u32,
}

const PAPERS: &[&str] = &["Courier", "Observer", "Evening Post", "Mercury", "Echo", "Sentinel", "Advertiser"];

pub fn generate(random: &mut Random, country: &Country, people: &[Person]) -> Vec<Company> {
    let mut companies: Vec<Company> = Vec::with_capacity(COMPANIES);
    let mut names = BTreeSet::new();
    while companies.len() < COMPANIES {
        let kind = CompanyKind::ALL[companies.len() % CompanyKind::ALL.len()];
        let founder = random.below(people.len());
        let person = &people[founder];
        let last = person.died.map_or(2020, |day| i64::from(day.year()));
        let year = i64::from(person.born.year()) + random.between(24, 58);
        if year < 1760 || year > last {
            continue;
        }
        let town = &country.towns[person.birthplace].name;
        let name = match kind {
            CompanyKind::Newspaper => format!("{town} {}", choose(random, PAPERS)),
            CompanyKind::Shipyard => format!("{} & Sons Shipyard", person.surname()),
            CompanyKind::Brewery => format!("{} Brewery", person.surname()),
            CompanyKind::Publisher => format!("{} Press", person.surname()),
            CompanyKind::Railway => format!("{town} and District Railway"),
            CompanyKind::RowingClub => format!("{town} Rowing Club"),
        };
        if !names.insert(name.clone()) {
            continue;
        }
        companies.push(Company {
            name,
            kind,
            town: person.birthplace,
            founded: year as u32,
            founder,
            size: random.between(18, 9_400) as u32,
        });
    }
    companies
}
