//! The courses of Brightwell, made from the seed.

use std::sync::Arc;

use umpire_model::Random;

use crate::kit::by_seed::BySeed;
use crate::kit::text::choose;
use crate::settings::people;

pub(super) struct Course {
    pub id: String,
    pub title: String,
    pub subject: &'static str,
    pub teacher: String,
    pub level: &'static str,
    pub weeks: i64,
    pub learners: i64,
    /// Tenths of a point, of five points.
    pub rating: i64,
}

pub(super) struct Catalogue {
    pub courses: Vec<Course>,
}

const COURSES: usize = 1_200;
pub(super) const LEVELS: [&str; 3] = ["Beginner", "Intermediate", "Advanced"];

const SUBJECTS: [(&str, [&str; 8]); 8] = [
    (
        "Statistics",
        [
            "Probability",
            "Regression",
            "Survey design",
            "Bayesian inference",
            "Time series",
            "Clinical trials",
            "Sampling",
            "Data stories",
        ],
    ),
    (
        "Health",
        [
            "Anatomy",
            "Wound care",
            "Nutrition",
            "Sleep",
            "Infection control",
            "Patient talks",
            "Pain",
            "First aid",
        ],
    ),
    (
        "Languages",
        [
            "Dutch",
            "Everyday Polish",
            "Business French",
            "Sign language",
            "Latin",
            "Finnish",
            "Medical German",
            "Basque",
        ],
    ),
    (
        "Programming",
        ["Python", "Databases", "Web pages", "Algorithms", "Version control", "Rust", "Testing", "Networks"],
    ),
    (
        "History",
        [
            "The Hanse",
            "Silk roads",
            "Plague and quarantine",
            "The printing press",
            "Railways",
            "Maps and empires",
            "Salt",
            "Women in science",
        ],
    ),
    (
        "Art",
        [
            "Watercolour",
            "Perspective",
            "Typography",
            "Ceramics",
            "Colour",
            "Life drawing",
            "Photography",
            "Bookbinding",
        ],
    ),
    (
        "Business",
        [
            "Bookkeeping",
            "Negotiation",
            "Pricing",
            "Small shops",
            "Leading night shifts",
            "Contracts",
            "Logistics",
            "Grant writing",
        ],
    ),
    (
        "Nature",
        ["Mosses", "River ecology", "Bird song", "Soil", "Weather maps", "Tides", "Night skies", "Bees"],
    ),
];

const SHAPES: [&str; 8] = [
    "{} from the ground up",
    "A short course in {}",
    "{} in practice",
    "{}: the hard parts",
    "Thinking with {}",
    "{} for busy people",
    "{} workshop",
    "Mastering {}",
];

static CATALOGUE: BySeed<Catalogue> = BySeed::new();

impl Catalogue {
    pub fn of_seed(seed: u64) -> Arc<Self> {
        CATALOGUE.get(seed, Self::generate)
    }

    fn generate(seed: u64) -> Self {
        let random = &mut Random::stream(seed, "learning.courses");
        let teachers = people(random, 120);
        let courses = (1..=COURSES)
            .map(|number| {
                let (subject, themes) = &SUBJECTS[random.below(SUBJECTS.len())];
                Course {
                    id: format!("c{number}"),
                    title: choose(random, &SHAPES).replace("{}", choose(random, themes)),
                    subject,
                    teacher: random.pick(&teachers).cloned().unwrap_or_default(),
                    level: choose(random, &LEVELS),
                    weeks: random.between(2, 14),
                    learners: random.between(40, 46_000),
                    rating: random.between(31, 50),
                }
            })
            .collect();
        Self { courses }
    }

    pub fn course(&self, id: &str) -> Option<&Course> {
        self.courses.iter().find(|course| course.id == id)
    }
}

pub(super) fn subjects() -> impl Iterator<Item = &'static str> {
    SUBJECTS.iter().map(|(subject, _)| *subject)
}
