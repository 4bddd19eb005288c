//! People and their works, and the pages that tell namesakes apart.

use super::{Sources, add, article};
use crate::encyclopedia::library::Article;
use crate::kit::text::{capitalised, choose, thousands};

pub fn write(sources: Sources<'_>, articles: &mut Vec<Article>) {
    for at in 0..sources.facts.people.len() {
        articles.push(person(sources, at));
    }
    for at in 0..sources.facts.works.len() {
        articles.push(work(sources, at));
    }
    for (name, titles) in &sources.titles.shared {
        let items: Vec<String> = titles.iter().map(|title| format!("- [[{title}]]")).collect();
        let body = format!("**{name}** may mean:\n\n{}", items.join("\n"));
        articles.push(article(name, "namesakes", Vec::new(), body, vec!["Namesakes".to_owned()]));
    }
}

fn person(sources: Sources<'_>, at: usize) -> Article {
    let person = &sources.facts.people[at];
    let title = &sources.titles.people[at];
    let mut random = sources.phrases(title);
    let (they, their) = (person.they(), person.their());
    let birthplace = sources.town(person.birthplace);
    let noun = person.field.noun();
    let verb = if person.died.is_some() { "was" } else { "is" };
    let life = match person.died {
        Some(died) => format!("{} – {died}", person.born),
        None => format!("born {}", person.born),
    };
    let mut body = format!(
        "**{}** ({life}) {verb} {} {noun} from {birthplace}.\n\n## Life\n\n{} was born in {birthplace}",
        person.name,
        if noun.starts_with(['a', 'e', 'i', 'o', 'u']) { "an" } else { "a" },
        person.surname()
    );
    let siblings = match person.siblings {
        0 => " as an only child".to_owned(),
        1 => " and had one sibling".to_owned(),
        count => format!(" and had {count} siblings"),
    };
    add(&mut body, &siblings);
    body += choose(
        &mut random,
        &[
            ", the child of a harbour pilot. ",
            ", above a bakery. ",
            ", where the family kept an inn. ",
            ", to a clerk and a seamstress. ",
            ", in a house that still stands. ",
        ],
    );
    if let Some(university) = person.studied {
        add(
            &mut body,
            &format!(
                "{} studied at the [[{}]]. ",
                capitalised(they),
                sources.country.landmarks[university].name
            ),
        );
    } else {
        add(&mut body, &format!("{} was self-taught. ", capitalised(they)));
    }
    body += choose(
        &mut random,
        &[
            "Letters show a dry humour and a fear of draughts.",
            "Friends remembered long walks and short answers.",
            "A quarrel with the town council kept the newspapers busy for a year.",
            "Fame came late, and was not trusted.",
            "Two journeys around the island left their mark on everything that followed.",
        ],
    );
    let works: Vec<usize> =
        (0..sources.facts.works.len()).filter(|work| sources.facts.works[*work].creator == at).collect();
    if !works.is_empty() {
        let rows: Vec<String> = works
            .iter()
            .map(|work| {
                let facts = &sources.facts.works[*work];
                format!("| {} | {} | {} |", facts.year, sources.work(*work), facts.kind.noun())
            })
            .collect();
        add(&mut body, &format!("\n\n## Works\n\n| Year | Title | Kind |\n{}", rows.join("\n")));
    }
    let species: Vec<String> = sources
        .facts
        .species
        .iter()
        .filter(|species| species.described_by == at)
        .map(|species| format!("- [[{}]] ({})", species.name, species.described))
        .collect();
    if !species.is_empty() {
        add(&mut body, &format!("\n\n## Species described\n\n{}", species.join("\n")));
    }
    let founded: Vec<String> = sources
        .facts
        .companies
        .iter()
        .filter(|company| company.founder == at)
        .map(|company| format!("In {} {they} founded the [[{}]].", company.founded, company.name))
        .collect();
    let events: Vec<String> = sources
        .facts
        .events
        .iter()
        .filter(|event| event.person == Some(at))
        .map(|event| format!("{} part in the [[{}]] is well attested.", capitalised(their), event.title))
        .collect();
    if !founded.is_empty() || !events.is_empty() {
        add(
            &mut body,
            &format!(
                "\n\n## Public life\n\n{}",
                founded.into_iter().chain(events).collect::<Vec<_>>().join(" ")
            ),
        );
    }
    let mut card = vec![("Born", format!("{}, {birthplace}", person.born))];
    card.extend(person.died.map(|died| ("Died", died.to_string())));
    card.push(("Occupation", capitalised(noun)));
    if let Some(university) = person.studied {
        card.push(("Studied at", format!("[[{}]]", sources.country.landmarks[university].name)));
    }
    let century = (person.born.year() - 1) / 100 + 1;
    let categories = vec![
        format!("{}s", capitalised(noun)),
        format!("Born in the {century}th century"),
        format!("People from {}", sources.country.towns[person.birthplace].name),
    ];
    article(title, noun, card, body, categories)
}

fn work(sources: Sources<'_>, at: usize) -> Article {
    let work = &sources.facts.works[at];
    let title = &sources.titles.works[at];
    let mut random = sources.phrases(title);
    let creator = sources.person(work.creator);
    let field = sources.facts.people[work.creator].field.noun();
    let noun = work.kind.noun();
    let town = sources.town(work.town);
    let size = format!("{} {}", thousands(u64::from(work.size)), work.kind.unit());
    let mut body = format!(
        "**{}** is {} {noun} of {} by the {field} {creator}.\n\n## Content\n\n",
        work.title,
        if noun.starts_with('o') { "an" } else { "a" },
        work.year
    );
    body += choose(
        &mut random,
        &[
            "It tells of a family that keeps a ferry nobody needs any more.",
            "Its subject is a single night in a house by the sea.",
            "It follows a clerk who finds an error in the map of the island.",
            "It is built on a lullaby from the hills.",
            "It turns on a letter that arrives forty years late.",
            "It is an argument against hurry.",
        ],
    );
    add(&mut body, &format!("\n\n## Reception\n\nIt was first presented in {town}. "));
    body += choose(
        &mut random,
        &[
            "The critics were divided, the public was not.",
            "It was forgotten for two generations and is now taught in schools.",
            "The first version was withdrawn after a week.",
            "It made its author's name.",
        ],
    );
    let card = vec![
        ("Kind", capitalised(noun)),
        ("By", creator),
        ("Year", work.year.to_string()),
        ("Size", size),
        ("First presented in", town),
    ];
    let categories =
        vec![format!("{}s", capitalised(noun)), format!("Works of the {}s", work.year / 10 * 10)];
    article(title, noun, card, body, categories)
}
