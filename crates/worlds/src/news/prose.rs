//! The long texts of the paper, written when they are shown: the same article always reads the same.

use umpire_model::Random;

use super::catalogue::{Article, Catalogue};
use super::vocabulary;
use crate::kit::moment::Moment;
use crate::kit::text::choose;

pub struct Comment {
    /// `30412-7`: unique over all articles.
    pub id: String,
    pub reader: String,
    pub text: String,
    pub at: Moment,
    pub recommendations: u32,
}

/// The article's paragraphs. The first two stand above the fold of a page that is still asking for consent.
pub fn paragraphs(catalogue: &Catalogue, article: &Article) -> Vec<String> {
    let mut random = Random::stream(catalogue.seed, &format!("news body {}", article.id));
    let mut sentences: Vec<&str> = article.section.paragraphs.to_vec();
    random.shuffle(&mut sentences);
    let mut quotes: Vec<&str> = vocabulary::QUOTES.to_vec();
    random.shuffle(&mut quotes);
    let mut paragraphs: Vec<String> = Vec::new();
    for pair in sentences.chunks(2) {
        paragraphs
            .push(pair.iter().map(|sentence| article.facts.fill(sentence)).collect::<Vec<_>>().join(" "));
        if let Some(quote) = quotes.pop().filter(|_| random.chance(70)) {
            let first = choose(&mut random, vocabulary::FIRST_NAMES);
            let witness = format!("{first} {}", choose(&mut random, vocabulary::LAST_NAMES));
            paragraphs.push(quote.replace("{w}", &witness));
        }
    }
    paragraphs
}

/// What readers wrote below an article before the visitor came, oldest first.
pub fn comments(catalogue: &Catalogue, article: &Article) -> Vec<Comment> {
    let mut random = Random::stream(catalogue.seed, &format!("news comments {}", article.id));
    let open_minutes = article.published.age_minutes().min(9 * 24 * 60);
    let mut ages: Vec<i64> = (0..article.comments)
        .map(|_| article.published.age_minutes() - random.between(0, open_minutes))
        .collect();
    ages.sort_unstable_by(|one, other| other.cmp(one));
    let comments = ages.into_iter().enumerate().map(|(index, age)| {
        let mut text = article.facts.fill(choose(&mut random, vocabulary::READER_REMARKS));
        if random.chance(55) {
            text = format!("{text} {}", choose(&mut random, vocabulary::AFTERTHOUGHTS));
        }
        Comment {
            id: format!("{}-{}", article.id, index + 1),
            reader: choose(&mut random, vocabulary::READER_NAMES).to_owned(),
            text,
            at: Moment::minutes_ago(age.max(1) as u32),
            recommendations: random.between(0, 180) as u32,
        }
    });
    comments.collect()
}
