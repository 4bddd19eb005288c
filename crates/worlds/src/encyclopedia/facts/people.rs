//! People who have an article.

use umpire_model::Random;

use crate::geography::{Country, LandmarkKind};
use crate::kit::calendar::Day;
use crate::kit::text::choose;

const PEOPLE: usize = 620;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Field {
    Novelist,
    Poet,
    Painter,
    Composer,
    Playwright,
    Director,
    Philosopher,
    Naturalist,
    Astronomer,
    Chemist,
    Engineer,
    Physician,
    Explorer,
    Politician,
    Rower,
    Architect,
}

impl Field {
    const ALL: [Self; 16] = [
        Self::Novelist,
        Self::Poet,
        Self::Painter,
        Self::Composer,
        Self::Playwright,
        Self::Director,
        Self::Philosopher,
        Self::Naturalist,
        Self::Astronomer,
        Self::Chemist,
        Self::Engineer,
        Self::Physician,
        Self::Explorer,
        Self::Politician,
        Self::Rower,
        Self::Architect,
    ];

    pub fn noun(self) -> &'static str {
        match self {
            Self::Novelist => "novelist",
            Self::Poet => "poet",
            Self::Painter => "painter",
            Self::Composer => "composer",
            Self::Playwright => "playwright",
            Self::Director => "film director",
            Self::Philosopher => "philosopher",
            Self::Naturalist => "naturalist",
            Self::Astronomer => "astronomer",
            Self::Chemist => "chemist",
            Self::Engineer => "engineer",
            Self::Physician => "physician",
            Self::Explorer => "explorer",
            Self::Politician => "politician",
            Self::Rower => "rower",
            Self::Architect => "architect",
        }
    }

    /// Films and championships are younger than ships and sonnets.
    fn earliest_birth(self) -> i64 {
        match self {
            Self::Director => 1880,
            Self::Rower => 1850,
            Self::Engineer | Self::Chemist => 1720,
            _ => 1640,
        }
    }
}

pub struct Person {
    pub name: String,
    pub is_woman: bool,
    pub field: Field,
    pub born: Day,
    pub died: Option<Day>,
    /// Position of the town.
    pub birthplace: usize,
    /// Position of a university among the landmarks.
    pub studied: Option<usize>,
    pub siblings: u32,
}

impl Person {
    pub fn they(&self) -> &'static str {
        if self.is_woman { "she" } else { "he" }
    }

    pub fn their(&self) -> &'static str {
        if self.is_woman { "her" } else { "his" }
    }

    pub fn surname(&self) -> &str {
        self.name.rsplit(' ').next().unwrap_or(&self.name)
    }
}

const WOMEN: &[&str] = &[
    "Adela",
    "Beatrix",
    "Cordula",
    "Dagny",
    "Elspeth",
    "Freya",
    "Gudrun",
    "Hester",
    "Imogen",
    "Judit",
    "Katrin",
    "Linnea",
    "Margit",
    "Nerys",
    "Odile",
    "Philippa",
    "Ragna",
    "Sunniva",
    "Thea",
    "Ursula",
    "Verity",
    "Wilhelmina",
    "Ysolde",
    "Zelda",
];
const MEN: &[&str] = &[
    "Alaric", "Benno", "Caspar", "Dunstan", "Emrys", "Fergus", "Gideon", "Halvard", "Ivo", "Joachim",
    "Kester", "Leofric", "Magnus", "Niall", "Osric", "Perrin", "Quentin", "Rurik", "Sigmund", "Tobias",
    "Ulrich", "Valentin", "Wystan", "Yorick",
];
const FAMILIES: &[&str] = &[
    "Achterhof",
    "Ballantyne",
    "Corrigan",
    "Dreyfield",
    "Eastlake",
    "Fairweather",
    "Goldhawk",
    "Haldane",
    "Inchbald",
    "Jernigan",
    "Kettering",
    "Lovelock",
    "Mortlake",
    "Nightingale",
    "Ottoway",
    "Pargeter",
    "Quayle",
    "Rutherglen",
    "Stannard",
    "Threlkeld",
    "Uppingham",
    "Vandeleur",
    "Wetherall",
    "Yelverton",
    "Applegarth",
    "Brackenbury",
    "Crowther",
    "Dunmore",
    "Ellingham",
    "Fenwick",
    "Garrick",
    "Hollister",
    "Ironside",
    "Jocelyn",
    "Kinnaird",
    "Larkspur",
    "Marchbanks",
    "Norcross",
    "Oakhurst",
    "Penrose",
];

pub fn generate(random: &mut Random, country: &Country) -> Vec<Person> {
    let universities: Vec<usize> = (0..country.landmarks.len())
        .filter(|at| country.landmarks[*at].kind == LandmarkKind::University)
        .collect();
    let mut people = Vec::with_capacity(PEOPLE);
    for at in 0..PEOPLE {
        let field = Field::ALL[at % Field::ALL.len()];
        let is_woman = random.chance(50);
        let given = choose(random, if is_woman { WOMEN } else { MEN });
        let born = random.between(field.earliest_birth(), 1992);
        let lifetime = random.between(38, 96);
        let day = |random: &mut Random, year: i64| {
            Day::of(year as i16, random.between(1, 12) as i8, random.between(1, 28) as i8)
        };
        let founded_before = |at: &usize| i64::from(country.landmarks[*at].founded) < born + 18;
        let open: Vec<usize> = universities.iter().copied().filter(founded_before).collect();
        people.push(Person {
            name: format!("{given} {}", choose(random, FAMILIES)),
            is_woman,
            field,
            born: day(random, born),
            died: (born + lifetime < 2024).then(|| day(random, born + lifetime)),
            // Large towns have more children who become famous.
            birthplace: random.below(country.towns.len()).min(random.below(country.towns.len())),
            studied: if random.chance(70) { random.pick(&open).copied() } else { None },
            siblings: random.between(0, 8) as u32,
        });
    }
    people
}
