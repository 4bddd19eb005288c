//! The words the paper is written with. `{s}` is what an article is about, `{p}` where, `{o}` who is in charge, `{n}`
//! how many people, `{m}` how much money, `{w}` somebody who is quoted.

mod civic;
mod life;
mod people;

pub use people::*;

pub struct Section {
    pub slug: &'static str,
    pub name: &'static str,
    pub about: &'static str,
    /// Colour of its pictures, as a hue.
    pub hue: u32,
    /// Its stories cost millions; those of other sections thousands.
    pub costs_millions: bool,
    pub subjects: &'static [&'static str],
    pub headlines: &'static [&'static str],
    pub standfirsts: &'static [&'static str],
    pub paragraphs: &'static [&'static str],
    pub organisations: &'static [&'static str],
}

/// In the order of the navigation.
pub static SECTIONS: [&Section; 10] = [
    &civic::WORLD,
    &civic::POLITICS,
    &civic::BUSINESS,
    &civic::TECHNOLOGY,
    &civic::SCIENCE,
    &life::HEALTH,
    &life::CULTURE,
    &life::SPORT,
    &life::PLACES,
    &life::OPINION,
];
