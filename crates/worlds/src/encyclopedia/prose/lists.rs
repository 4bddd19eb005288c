//! Lists: the same facts as tables.

use super::{Sources, article};
use crate::encyclopedia::library::Article;
use crate::geography::LandmarkKind;
use crate::kit::text::thousands;

pub fn write(sources: Sources<'_>, articles: &mut Vec<Article>) {
    let country = sources.country;
    let towns = country.towns.iter().map(|town| {
        let region = &country.regions[town.region].name;
        format!(
            "| [[{}]] | {} | [[{region}]] | {} |",
            town.name,
            thousands(u64::from(town.population)),
            town.founded
        )
    });
    articles.push(list(
        sources,
        "List of towns",
        "| Town | Population | Region | Founded |",
        &towns.collect::<Vec<_>>(),
    ));

    let mut rivers: Vec<_> = country.rivers.iter().collect();
    rivers.sort_by_key(|river| std::cmp::Reverse(river.length));
    let rivers = rivers.iter().map(|river| {
        format!("| [[{}]] | {} km | [[{}]] |", river.name, river.length, country.peaks[river.source].name)
    });
    articles.push(list(
        sources,
        "List of rivers",
        "| River | Length | Source |",
        &rivers.collect::<Vec<_>>(),
    ));

    let mut peaks: Vec<_> = country.peaks.iter().collect();
    peaks.sort_by_key(|peak| std::cmp::Reverse(peak.height));
    let peaks =
        peaks.iter().map(|peak| format!("| [[{}]] | {} m | {} |", peak.name, peak.height, peak.range));
    articles.push(list(
        sources,
        "List of mountains",
        "| Mountain | Height | Range |",
        &peaks.collect::<Vec<_>>(),
    ));

    let lakes = country.lakes.iter().map(|lake| {
        format!("| [[{}]] | {}.{} km² | {} m |", lake.name, lake.area / 10, lake.area % 10, lake.depth)
    });
    articles.push(list(sources, "List of lakes", "| Lake | Area | Depth |", &lakes.collect::<Vec<_>>()));

    for (title, kind, head) in [
        ("List of universities", LandmarkKind::University, "Students"),
        ("List of museums", LandmarkKind::Museum, "Visitors a year"),
        ("List of bridges", LandmarkKind::Bridge, "Metres"),
        ("List of theatres", LandmarkKind::Theatre, "Seats"),
    ] {
        let rows = country.landmarks.iter().filter(|landmark| landmark.kind == kind).map(|landmark| {
            let town = sources.town(landmark.address.town);
            let size = thousands(u64::from(landmark.size));
            format!("| [[{}]] | {town} | {} | {size} |", landmark.name, landmark.founded)
        });
        articles.push(list(
            sources,
            title,
            &format!("| Name | Town | Founded | {head} |"),
            &rows.collect::<Vec<_>>(),
        ));
    }
}

fn list(sources: Sources<'_>, title: &str, head: &str, rows: &[String]) -> Article {
    let subject = title.trim_start_matches("List of ");
    let body = format!(
        "This is a **list of {subject}** in [[{}]], kept by the register. It has {} entries.\n\n## Table\n\n{head}\n{}",
        sources.country.name,
        rows.len(),
        rows.join("\n")
    );
    let mut article = article(title, "list", Vec::new(), body, vec!["Lists".to_owned()]);
    article.protected = true;
    article
}
