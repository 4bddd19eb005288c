//! Landmarks, companies and events.

use super::{Sources, add, article};
use crate::encyclopedia::library::Article;
use crate::geography::LandmarkKind;
use crate::kit::text::{capitalised, choose, thousands};

pub fn write(sources: Sources<'_>, articles: &mut Vec<Article>) {
    for at in 0..sources.country.landmarks.len() {
        articles.push(landmark(sources, at));
    }
    for at in 0..sources.facts.companies.len() {
        articles.push(company(sources, at));
    }
    for at in 0..sources.facts.events.len() {
        articles.push(event(sources, at));
    }
}

fn landmark(sources: Sources<'_>, at: usize) -> Article {
    let country = sources.country;
    let landmark = &country.landmarks[at];
    let town = sources.town(landmark.address.town);
    let noun = landmark.kind.noun();
    let size = thousands(u64::from(landmark.size));
    let (label, value, sentence) = match landmark.kind {
        LandmarkKind::University => ("Students", size.clone(), format!("It has {size} students.")),
        LandmarkKind::Museum | LandmarkKind::Castle | LandmarkKind::Garden => {
            ("Visitors a year", size.clone(), format!("It counts {size} visitors a year."))
        }
        LandmarkKind::Theatre => ("Seats", size.clone(), format!("It seats {size}.")),
        LandmarkKind::Observatory => {
            ("Main mirror", format!("{size} cm"), format!("Its main mirror measures {size} centimetres."))
        }
        LandmarkKind::Bridge => ("Length", format!("{size} m"), format!("It is {size} metres long.")),
        LandmarkKind::Library => ("Books", size.clone(), format!("It holds {size} books.")),
    };
    let mut random = sources.phrases(&landmark.name);
    let mut body = format!(
        "The **{}** is {} {noun} in {town}. It dates from {}.\n\n## Description\n\nIt stands at {}. {sentence} ",
        landmark.name,
        if noun.starts_with('o') { "an" } else { "a" },
        landmark.founded,
        country.write_address(landmark.address)
    );
    body += choose(
        &mut random,
        &[
            "The front is of local sandstone, the back of whatever was left.",
            "Restoration took eleven years and two mayors.",
            "Its clock is known to be slow.",
            "Guided tours are given on the first Sunday of the month.",
            "It was saved from demolition by a petition.",
        ],
    );
    if landmark.kind == LandmarkKind::University {
        let alumni: Vec<String> = (0..sources.facts.people.len())
            .filter(|person| sources.facts.people[*person].studied == Some(at))
            .take(10)
            .map(|person| {
                format!("- {}, {}", sources.person(person), sources.facts.people[person].field.noun())
            })
            .collect();
        if !alumni.is_empty() {
            add(&mut body, &format!("\n\n## Alumni\n\n{}", alumni.join("\n")));
        }
    }
    let card = vec![
        ("Town", town),
        ("Address", country.write_address(landmark.address)),
        ("Founded", landmark.founded.to_string()),
        (label, value),
    ];
    let plural = match landmark.kind {
        LandmarkKind::University => "Universities".to_owned(),
        LandmarkKind::Observatory => "Observatories".to_owned(),
        LandmarkKind::Library => "Libraries".to_owned(),
        _ => format!("{}s", capitalised(noun)),
    };
    let categories = vec![plural, format!("Sights of {}", country.towns[landmark.address.town].name)];
    let mut article = article(&landmark.name, noun, card, body, categories);
    article.point = Some(country.point_of(landmark.address));
    article
}

fn company(sources: Sources<'_>, at: usize) -> Article {
    let company = &sources.facts.companies[at];
    let (town, founder) = (sources.town(company.town), sources.person(company.founder));
    let noun = company.kind.noun();
    let size = thousands(u64::from(company.size));
    let mut random = sources.phrases(&company.name);
    let mut body = format!(
        "The **{}** is a {noun} in {town}. It was founded in {} by {founder}.\n\n## History\n\n",
        company.name, company.founded
    );
    body += choose(
        &mut random,
        &[
            "It began in two rooms over a chandler's shop.",
            "Its first ten years were spent in debt.",
            "It has moved three times and never left the parish.",
            "The founder's portrait still hangs in the stairwell.",
        ],
    );
    add(&mut body, &format!("\n\n## Today\n\n{}: {size}.", company.kind.measure()));
    let card = vec![
        ("Town", town),
        ("Founded", company.founded.to_string()),
        ("Founder", founder),
        (company.kind.measure(), size),
    ];
    article(&company.name, noun, card, body, vec![company.kind.plural().to_owned()])
}

fn event(sources: Sources<'_>, at: usize) -> Article {
    let event = &sources.facts.events[at];
    let town = sources.town(event.town);
    let noun = event.kind.noun();
    let size = thousands(u64::from(event.size));
    let days = if event.days == 1 { "a single day".to_owned() } else { format!("{} days", event.days) };
    let mut random = sources.phrases(&event.title);
    let mut body = format!(
        "The **{}** was {} {noun} in {town}. It began on {} and lasted {days}.\n\n## What happened\n\n",
        event.title,
        if noun.starts_with('e') { "an" } else { "a" },
        event.day
    );
    body += choose(
        &mut random,
        &[
            "The chronicles do not agree about its cause.",
            "A warning had been given and was not heeded.",
            "It had been expected for years, and still came as a surprise.",
            "What was said on the first evening is still quoted.",
        ],
    );
    if let Some(person) = event.person {
        add(&mut body, &format!(" {} had a part in it.", sources.person(person)));
    }
    add(&mut body, &format!("\n\n## Consequences\n\n{}: {size}. ", event.kind.measure()));
    body += choose(
        &mut random,
        &[
            "A stone in the market place recalls it.",
            "The town's ordinances were rewritten in the following year.",
            "It is remembered with a procession.",
            "Little of it can be seen today.",
        ],
    );
    let mut card = vec![
        ("Date", event.day.to_string()),
        ("Place", town),
        ("Duration", days),
        (event.kind.measure(), size),
    ];
    card.extend(event.person.map(|person| ("Participant", sources.person(person))));
    let century = (event.day.year() - 1) / 100 + 1;
    let categories = vec![event.kind.plural().to_owned(), format!("Events of the {century}th century")];
    article(&event.title, noun, card, body, categories)
}
