//! Species.

use super::{Sources, add, article};
use crate::encyclopedia::library::Article;
use crate::kit::text::{capitalised, choose};

pub fn write(sources: Sources<'_>, articles: &mut Vec<Article>) {
    articles.extend((0..sources.facts.species.len()).map(|at| species(sources, at)));
}

fn species(sources: Sources<'_>, at: usize) -> Article {
    let species = &sources.facts.species[at];
    let noun = species.group.noun();
    let region = sources.region(species.region);
    let author = sources.person(species.described_by);
    let size = if species.size >= 100 {
        format!("{}.{} cm", species.size / 10, species.size % 10)
    } else {
        format!("{} mm", species.size)
    };
    let mut random = sources.phrases(&species.name);
    let mut body = format!(
        "The **{}** ({}) is {} {noun} found in [[{}]]. It was described by {author} in {}.\n\n## Description\n\nIt reaches {size}. ",
        species.name,
        species.latin,
        if noun.starts_with('o') { "an" } else { "a" },
        sources.country.name,
        species.described
    );
    body += choose(
        &mut random,
        &[
            "Young ones are paler and harder to tell from their relatives.",
            "It is easily overlooked outside of May and June.",
            "The two sexes differ in colour.",
            "It is best told by the mark behind its head.",
            "No two are marked quite alike.",
        ],
    );
    add(
        &mut body,
        &format!(
            "\n\n## Distribution\n\nIt lives in {} and is centred on {region}. Its status is given as {}.",
            species.habitat, species.status
        ),
    );
    let card = vec![
        ("Latin name", species.latin.clone()),
        ("Group", capitalised(noun)),
        ("Size", size),
        ("Habitat", capitalised(species.habitat)),
        ("Status", capitalised(species.status)),
        ("Described by", format!("{author}, {}", species.described)),
    ];
    let categories = vec![
        species.group.plural().to_owned(),
        format!("Nature of {}", sources.country.regions[species.region].name),
        format!("{} species", capitalised(species.status)),
    ];
    article(&species.name, noun, card, body, categories)
}
