//! The country of a seed: its coast, mountains, rivers, lakes, regions, towns, streets and roads.
//!
//! One seed is one country. The map draws it and finds ways through it, the encyclopedia writes about it; neither
//! keeps facts of its own about what is here, so the two cannot disagree.

mod land;
mod landmarks;
mod naming;
mod plane;
mod roads;
mod towns;
mod vocabulary;

use std::sync::Arc;

pub use land::{Lake, Mouth, Peak, River};
pub use landmarks::{Landmark, LandmarkKind};
pub use plane::{Bearing, Point};
pub use roads::{Class, Network, RoadId, Step};
pub use towns::{Address, Region, Street, Town};

use crate::kit::by_seed::BySeed;
use land::Land;

/// West to east, in metres.
pub const WIDTH: f64 = 240_000.0;
/// North to south, in metres.
pub const HEIGHT: f64 = 180_000.0;

pub struct Country {
    pub name: &'static str,
    pub people: &'static str,
    pub coast: Vec<Point>,
    pub peaks: Vec<Peak>,
    pub rivers: Vec<River>,
    pub lakes: Vec<Lake>,
    pub regions: Vec<Region>,
    /// The most populous first.
    pub towns: Vec<Town>,
    pub landmarks: Vec<Landmark>,
    pub network: Network,
}

impl Country {
    pub fn of_seed(seed: u64) -> Arc<Self> {
        static BUILT: BySeed<Country> = BySeed::new();
        BUILT.get(seed, Self::generate)
    }

    fn generate(seed: u64) -> Self {
        let (name, people) = vocabulary::COUNTRIES
            [umpire_model::Random::stream(seed, "country").below(vocabulary::COUNTRIES.len())];
        let mut names = naming::Names::new(seed);
        let Land { shape, coast, peaks, rivers, lakes } = Land::generate(seed, &mut names);
        let mut towns = towns::generate(seed, &shape, &rivers, &mut names);
        let regions = towns::regions(seed, &shape, &mut towns);
        let network = Network::between(seed, &towns);
        let landmarks = landmarks::generate(seed, &towns, &rivers);
        Self { name, people, coast, peaks, rivers, lakes, regions, towns, landmarks, network }
    }

    pub fn town_of_slug(&self, slug: &str) -> Option<(usize, &Town)> {
        self.towns.iter().enumerate().find(|(_, town)| town.slug == slug)
    }

    pub fn capital(&self) -> &Town {
        &self.towns[0]
    }

    pub fn region_of(&self, town: &Town) -> &Region {
        &self.regions[town.region]
    }

    /// In square kilometres.
    pub fn area(&self) -> u32 {
        self.regions.iter().map(|region| region.area).sum()
    }

    pub fn population(&self) -> u32 {
        self.regions.iter().map(|region| region.population).sum()
    }

    /// The town in whose streets a point lies or which is nearest to it.
    pub fn nearest_town(&self, point: Point) -> usize {
        let by_distance = |a: &usize, b: &usize| {
            let distance = |at: &usize| self.towns[*at].centre.metres_to(point);
            distance(a).total_cmp(&distance(b))
        };
        (0..self.towns.len()).min_by(by_distance).unwrap_or(0)
    }

    /// The address nearest to a point; none where nobody lives.
    pub fn address_at(&self, point: Point) -> Option<Address> {
        let at = self.nearest_town(point);
        self.towns[at].address_at(at, point)
    }

    /// `14 Mill Street, Carrowmouth`.
    pub fn write_address(&self, address: Address) -> String {
        let town = &self.towns[address.town];
        format!("{} {}, {}", address.number, town.streets[address.street].name, town.name)
    }

    pub fn point_of(&self, address: Address) -> Point {
        self.towns[address.town].point_of(address)
    }
}

#[cfg(test)]
mod tests;
