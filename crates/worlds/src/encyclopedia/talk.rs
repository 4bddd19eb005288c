//! What others said about an article.

use umpire_model::Random;

use super::library::Article;
use crate::kit::moment::Moment;
use crate::kit::text::choose;

pub struct Topic {
    pub title: &'static str,
    /// Author, time and text, oldest first.
    pub remarks: Vec<(&'static str, Moment, &'static str)>,
}

const TOPICS: &[(&str, &[&str])] = &[
    (
        "Sources for the early history",
        &[
            "The date rests on one charter only. Is there a second source?",
            "The parish book agrees within a year. I have added it.",
            "A year is a year. Let us keep the doubt in the text.",
        ],
    ),
    (
        "A picture would help",
        &["Does anybody have a drawing that may be used?", "I pass there in May and shall bring my pencils."],
    ),
    (
        "Spelling of the name",
        &[
            "Older maps spell it differently. Should we mention that?",
            "In a footnote, not in the first line.",
            "Agreed.",
        ],
    ),
    ("Too long?", &["This could be said in half the words.", "Which half?"]),
    (
        "Wording of the first sentence",
        &["The first sentence promises more than the article holds.", "Then let us write the rest."],
    ),
];
const SPEAKERS: &[&str] =
    &["Brackwater", "Fernandine", "Tollkeeper", "Sheepfold", "Cordwainer", "Lamplight", "Saltbox"];

pub fn topics(seed: u64, article: &Article) -> Vec<Topic> {
    let mut random = Random::stream(seed, &format!("quire talk {}", article.slug));
    let mut chosen: Vec<usize> = (0..TOPICS.len()).collect();
    random.shuffle(&mut chosen);
    chosen.truncate(random.below(4));
    let topic = |at: usize| {
        let (title, texts) = TOPICS[at];
        let mut minutes = 20_000 + random.below(200_000) as u32;
        let remarks = texts.iter().map(|text| {
            minutes -= 500 + random.below(4_000) as u32;
            (choose(&mut random, SPEAKERS), Moment::minutes_ago(minutes), *text)
        });
        Topic { title, remarks: remarks.collect() }
    };
    chosen.into_iter().map(topic).collect()
}
