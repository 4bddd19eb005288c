//! Which articles a search finds, the best first.

use super::desk::Desk;
use super::library::Article;

const LONGEST_QUESTION: usize = 120;

fn words(question: &str) -> Vec<String> {
    let question: String = question.chars().take(LONGEST_QUESTION).collect::<String>().to_lowercase();
    question.split_whitespace().map(str::to_owned).collect()
}

/// Titles count more than texts, and a title that begins like the question most.
pub fn find<'a>(desk: Desk<'a>, question: &str) -> Vec<&'a Article> {
    let words = words(question);
    if words.is_empty() {
        return Vec::new();
    }
    let whole = words.join(" ");
    let rank = |article: &'a Article| {
        let title = article.title.to_lowercase();
        if title == whole {
            Some(0)
        } else if title.starts_with(&whole) {
            Some(1)
        } else if words.iter().all(|word| title.contains(word.as_str())) {
            Some(2)
        } else {
            let text = desk.text(article).to_lowercase();
            let all = words.iter().all(|word| text.contains(word.as_str()) || title.contains(word.as_str()));
            all.then_some(3)
        }
    };
    let articles = desk.library.shelf().articles.iter();
    let mut found: Vec<(u8, &Article)> =
        articles.filter_map(|article| rank(article).map(|rank| (rank, article))).collect();
    found.sort_by_key(|(rank, _)| *rank);
    found.into_iter().map(|(_, article)| article).collect()
}

/// Titles that begin like what was typed, or have a word that does.
pub fn suggestions(desk: Desk<'_>, typed: &str) -> Vec<String> {
    let whole = words(typed).join(" ");
    if whole.is_empty() {
        return Vec::new();
    }
    let begins = |article: &&Article| {
        let title = article.title.to_lowercase();
        title.starts_with(&whole) || title.contains(&format!(" {whole}"))
    };
    let articles = desk.library.shelf().articles.iter();
    articles.filter(begins).take(8).map(|article| article.title.clone()).collect()
}
