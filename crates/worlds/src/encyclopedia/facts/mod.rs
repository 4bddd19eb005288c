//! What is true in the country besides its geography: people, works, species, events, companies. Prose only retells it.

mod companies;
mod events;
mod people;
mod species;
mod works;

pub use companies::Company;
pub use events::Event;
pub use people::Person;
pub use species::Species;
pub use works::Work;

use umpire_model::Random;

use crate::geography::Country;

pub struct Facts {
    pub people: Vec<Person>,
    pub works: Vec<Work>,
    pub species: Vec<Species>,
    pub events: Vec<Event>,
    pub companies: Vec<Company>,
}

impl Facts {
    pub fn generate(seed: u64, country: &Country) -> Self {
        let stream = |purpose: &str| Random::stream(seed, &format!("facts {purpose}"));
        let people = people::generate(&mut stream("people"), country);
        let works = works::generate(&mut stream("works"), &people);
        let species = species::generate(&mut stream("species"), country, &people);
        let events = events::generate(&mut stream("events"), country, &people);
        let companies = companies::generate(&mut stream("companies"), country, &people);
        Self { people, works, species, events, companies }
    }
}
