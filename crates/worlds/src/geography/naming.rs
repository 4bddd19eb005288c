//! Names of towns, rivers and mountains, none given twice.

use std::collections::BTreeSet;

use umpire_model::Random;

use super::vocabulary::{PEAK_FORMS, RIVER_ENDINGS, STEMS, TOWN_ENDINGS};
use crate::kit::text::choose;

pub struct Names {
    random: Random,
    given: BTreeSet<String>,
}

impl Names {
    pub fn new(seed: u64) -> Self {
        Self { random: Random::stream(seed, "country names"), given: BTreeSet::new() }
    }

    pub fn town(&mut self) -> String {
        self.fresh(|random| format!("{}{}", choose(random, STEMS), choose(random, TOWN_ENDINGS)))
    }

    pub fn river(&mut self) -> String {
        self.fresh(|random| format!("{}{}", choose(random, STEMS), choose(random, RIVER_ENDINGS)))
    }

    pub fn peak(&mut self) -> String {
        self.fresh(|random| choose(random, PEAK_FORMS).replace("{}", choose(random, STEMS)))
    }

    /// Two names that begin alike are confused, so a stem may return only after the others.
    fn fresh(&mut self, make: impl Fn(&mut Random) -> String) -> String {
        loop {
            let name = make(&mut self.random);
            if self.given.insert(name.clone()) {
                return name;
            }
        }
    }
}
