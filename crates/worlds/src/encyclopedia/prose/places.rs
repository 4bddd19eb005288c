//! The country, its regions, towns, rivers, lakes and mountains.

use super::{Sources, add, article, link};
use crate::encyclopedia::library::Article;
use crate::geography::{Mouth, Town};
use crate::kit::lists::grouped;
use crate::kit::text::{choose, thousands};

pub fn write(sources: Sources<'_>, articles: &mut Vec<Article>) {
    articles.push(country(sources));
    for at in 0..sources.country.regions.len() {
        articles.push(region(sources, at));
    }
    for at in 0..sources.country.towns.len() {
        articles.push(town(sources, at));
    }
    for at in 0..sources.country.rivers.len() {
        articles.push(river(sources, at));
    }
    for at in 0..sources.country.lakes.len() {
        articles.push(lake(sources, at));
    }
    for at in 0..sources.country.peaks.len() {
        articles.push(peak(sources, at));
    }
}

fn country(sources: Sources<'_>) -> Article {
    let country = sources.country;
    let capital = sources.town(0);
    let regions: Vec<String> =
        country.regions.iter().map(|region| format!("- [[{}]]", region.name)).collect();
    let highest = country.peaks.iter().max_by_key(|peak| peak.height);
    let longest = country.rivers.iter().max_by_key(|river| river.length);
    let mut body = format!(
        "**{}** is an island country of {} people in the north of the ocean. Its capital and largest town is {capital}.\n\n\
         ## Geography\n\nThe island covers {} square kilometres.",
        country.name,
        thousands(u64::from(country.population())),
        thousands(u64::from(country.area())),
    );
    if let (Some(peak), Some(river)) = (highest, longest) {
        add(
            &mut body,
            &format!(
                " Its highest mountain is [[{}]] at {} metres, its longest river the [[{}]] at {} kilometres.",
                peak.name, peak.height, river.name, river.length
            ),
        );
    }
    add(
        &mut body,
        &format!(
            "\n\n## Regions\n\n{} is divided into {} regions.\n\n{}",
            country.name,
            regions.len(),
            regions.join("\n")
        ),
    );
    add(
        &mut body,
        &format!(
            "\n\n## People\n\nThe people of the island are called {}. See also [[List of towns]], [[List of rivers]] and [[List of mountains]].",
            country.people
        ),
    );
    let card = vec![
        ("Capital", capital),
        ("Population", thousands(u64::from(country.population()))),
        ("Area", format!("{} km²", thousands(u64::from(country.area())))),
        ("Regions", country.regions.len().to_string()),
        ("Towns", country.towns.len().to_string()),
    ];
    let mut article = article(country.name, "country", card, body, vec!["Geography".to_owned()]);
    article.protected = true;
    article
}

fn region(sources: Sources<'_>, at: usize) -> Article {
    let region = &sources.country.regions[at];
    let towns: Vec<&Town> = sources.country.towns.iter().filter(|town| town.region == at).collect();
    let rows: Vec<String> = towns
        .iter()
        .map(|town| {
            format!("| [[{}]] | {} | {} |", town.name, thousands(u64::from(town.population)), town.founded)
        })
        .collect();
    let seat = sources.town(region.seat);
    let body = format!(
        "**{}** is one of the {} regions of [[{}]]. Its seat is {seat}.\n\n## Geography\n\nThe region covers {} square \
         kilometres and has {} inhabitants, most of whom live in its {} towns.\n\n## Towns\n\n| Town | Population | Founded |\n{}\n\n\
         ## Arms\n\nThe arms carry the motto “{}”.",
        region.name,
        sources.country.regions.len(),
        sources.country.name,
        thousands(u64::from(region.area)),
        thousands(u64::from(region.population)),
        towns.len(),
        rows.join("\n"),
        region.motto
    );
    let card = vec![
        ("Seat", seat),
        ("Area", format!("{} km²", thousands(u64::from(region.area)))),
        ("Population", thousands(u64::from(region.population))),
        ("Motto", region.motto.to_owned()),
    ];
    article(&region.name, "region", card, body, vec!["Regions".to_owned(), "Geography".to_owned()])
}

fn town(sources: Sources<'_>, at: usize) -> Article {
    let country = sources.country;
    let town = &country.towns[at];
    let mut random = sources.phrases(&town.name);
    let region = sources.region(town.region);
    let river = town.river.map(|river| format!("[[{}]]", country.rivers[river].name));
    let site = match (&river, town.coastal) {
        (Some(river), true) => format!("at the mouth of the {river}"),
        (Some(river), false) => format!("on the {river}"),
        (None, true) => "on the coast".to_owned(),
        (None, false) => "in the interior of the island".to_owned(),
    };
    let rank = at + 1;
    let mut body = format!(
        "**{}** is a town in {region}, [[{}]], {site}. With {} inhabitants it is number {rank} of the country's towns by population.\n\n\
         ## History\n\n{} {}",
        town.name,
        country.name,
        thousands(u64::from(town.population)),
        choose(
            &mut random,
            &[
                "The town is first named in a charter of",
                "Fishers and weavers settled here before the year",
                "A market was granted to the place in",
                "The oldest stone of the town wall bears the year",
            ]
        ),
        town.founded
    );
    body += ". ";
    body += choose(
        &mut random,
        &[
            "For centuries it lived on wool, salt and the toll of its bridge.",
            "Its guilds were known for their quarrels and their clocks.",
            "The railway came late, and the mills came with it.",
            "After the harbour silted up, the town turned to paper and print.",
            "Its fairs drew traders from the whole island.",
        ],
    );
    let events: Vec<String> = sources
        .facts
        .events
        .iter()
        .filter(|event| event.town == at)
        .map(|event| format!("- {}: [[{}]]", event.day.year(), event.title))
        .collect();
    if !events.is_empty() {
        add(&mut body, &format!("\n\nEvents of note:\n\n{}", events.join("\n")));
    }
    body += "\n\n## Population\n\n| Census | Inhabitants |";
    for (year, share) in [(1926, 41), (1951, 58), (1976, 77), (2001, 92), (2021, 100)] {
        add(&mut body, &format!("\n| {year} | {} |", thousands(u64::from(town.population) * share / 100)));
    }
    let districts: Vec<&str> = town.districts().map(|(name, _)| name).collect();
    add(
        &mut body,
        &format!(
            "\n\n## Townscape\n\nThe town is divided into {} districts: {}.",
            districts.len(),
            districts.join(", ")
        ),
    );
    let sights: Vec<String> = country
        .landmarks
        .iter()
        .filter(|landmark| landmark.address.town == at)
        .map(|landmark| format!("- [[{}]], founded in {}", landmark.name, landmark.founded))
        .collect();
    if !sights.is_empty() {
        add(&mut body, &format!("\n\n## Sights\n\n{}", sights.join("\n")));
    }
    let people: Vec<String> = (0..sources.facts.people.len())
        .filter(|person| sources.facts.people[*person].birthplace == at)
        .take(12)
        .map(|person| {
            let facts = &sources.facts.people[person];
            format!("- {}, {}, born {}", sources.person(person), facts.field.noun(), facts.born.year())
        })
        .collect();
    if !people.is_empty() {
        add(&mut body, &format!("\n\n## Born in {}\n\n{}", town.name, people.join("\n")));
    }
    let mut card = vec![
        ("Region", region),
        ("Population", thousands(u64::from(town.population))),
        ("Founded", town.founded.to_string()),
        ("Elevation", format!("{} m", town.elevation)),
        ("Dialling code", format!("0{}", town.dialling_code)),
        ("Coordinates", town.centre.coordinates()),
    ];
    card.extend(river.map(|river| ("River", river)));
    let mut categories = vec!["Towns".to_owned(), format!("Towns in {}", country.regions[town.region].name)];
    if town.coastal {
        categories.push("Coastal towns".to_owned());
    }
    let mut article = article(&town.name, "town", card, body, categories);
    article.point = Some(town.centre);
    article
}

fn river(sources: Sources<'_>, at: usize) -> Article {
    let country = sources.country;
    let river = &country.rivers[at];
    let source = format!("[[{}]]", country.peaks[river.source].name);
    let (mouth, end) = match river.mouth {
        Mouth::Sea => ("the sea".to_owned(), "and flows into the sea".to_owned()),
        Mouth::River(into) => {
            let into = format!("[[{}]]", country.rivers[into].name);
            (into.clone(), format!("and joins the {into} from the left"))
        }
    };
    let tributaries: Vec<String> = country
        .rivers
        .iter()
        .filter(|other| matches!(other.mouth, Mouth::River(into) if into == at))
        .map(|other| format!("[[{}]]", other.name))
        .collect();
    let towns: Vec<String> = country
        .towns
        .iter()
        .filter(|town| town.river == Some(at))
        .map(|town| format!("| [[{}]] | {} |", town.name, thousands(u64::from(town.population))))
        .collect();
    let mut body = format!(
        "The **{}** is a river in [[{}]]. It rises on {source}, is {} kilometres long {end}.\n\n## Course\n\n",
        river.name, country.name, river.length
    );
    let mut random = sources.phrases(&river.name);
    body += choose(
        &mut random,
        &[
            "In its upper course it is quick and cold, and has never been tamed; below, meadows are flooded every spring.",
            "It leaves the hills through a narrow gorge, and from there on barges can use it.",
            "Its water drove forty mills once; three of them still turn.",
            "Anglers know it for its deep bends, bargemen for its shallows.",
        ],
    );
    if !tributaries.is_empty() {
        add(&mut body, &format!(" It takes in the {}.", tributaries.join(" and the ")));
    }
    if let Some(lake) = country.lakes.iter().find(|lake| lake.river == at) {
        add(&mut body, &format!(" On its way it flows through [[{}]].", lake.name));
    }
    if !towns.is_empty() {
        add(&mut body, &format!("\n\n## Towns on the river\n\n| Town | Population |\n{}", towns.join("\n")));
    }
    let mut card = vec![("Length", format!("{} km", river.length)), ("Source", source), ("Mouth", mouth)];
    if !tributaries.is_empty() {
        card.push(("Tributaries", tributaries.join(", ")));
    }
    let mut article =
        article(&river.name, "river", card, body, vec!["Rivers".to_owned(), "Geography".to_owned()]);
    article.point = river.course.get(river.course.len() / 2).copied();
    article
}

fn lake(sources: Sources<'_>, at: usize) -> Article {
    let lake = &sources.country.lakes[at];
    let river = format!("[[{}]]", sources.country.rivers[lake.river].name);
    let area = format!("{}.{} km²", lake.area / 10, lake.area % 10);
    let body = format!(
        "**{}** is a lake in [[{}]]. The {river} flows through it.\n\n## Description\n\nThe lake has a surface of {area} and \
         is {} metres deep at its deepest. In hard winters it freezes from shore to shore.",
        lake.name, sources.country.name, lake.depth
    );
    let card = vec![("Area", area), ("Depth", format!("{} m", lake.depth)), ("River", river)];
    let mut article =
        article(&lake.name, "lake", card, body, vec!["Lakes".to_owned(), "Geography".to_owned()]);
    article.point = Some(lake.point);
    article
}

fn peak(sources: Sources<'_>, at: usize) -> Article {
    let country = sources.country;
    let peak = &country.peaks[at];
    let nearest = country.nearest_town(peak.point);
    let distance = (country.towns[nearest].centre.metres_to(peak.point) / 1_000.0).round() as usize;
    let rivers: Vec<String> = country
        .rivers
        .iter()
        .filter(|river| river.source == at)
        .map(|river| format!("[[{}]]", river.name))
        .collect();
    let mut body = format!(
        "**{}** is a mountain of the {} in [[{}]], {} metres high.\n\n## Situation\n\nThe nearest town is {}, about {} kilometres away.",
        peak.name,
        peak.range,
        country.name,
        thousands(u64::from(peak.height)),
        sources.town(nearest),
        grouped(distance)
    );
    if !rivers.is_empty() {
        add(&mut body, &format!(" The {} rises on its slopes.", rivers.join(" and the ")));
    }
    let mut random = sources.phrases(&peak.name);
    body += "\n\n## Ascent\n\n";
    body += choose(
        &mut random,
        &[
            "The usual path takes five hours and wants good shoes.",
            "The summit is reached over a ridge that is closed in winter.",
            "A hut below the top is open from June to September.",
            "There is no marked path to the top.",
        ],
    );
    let card = vec![
        ("Height", format!("{} m", thousands(u64::from(peak.height)))),
        ("Range", peak.range.to_owned()),
        ("Coordinates", peak.point.coordinates()),
        ("Nearest town", link(&country.towns[nearest].name, &country.towns[nearest].name)),
    ];
    let categories = vec!["Mountains".to_owned(), format!("Mountains of the {}", peak.range)];
    let mut article = article(&peak.name, "mountain", card, body, categories);
    article.point = Some(peak.point);
    article
}
