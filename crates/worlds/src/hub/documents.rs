//! The one page of the hub that is about nobody, for the search engine.

use super::pages::help::QUESTIONS;
use crate::documents::{Document, Kind};

pub(crate) fn documents(_seed: u64) -> Vec<Document> {
    let text: Vec<String> =
        QUESTIONS.iter().map(|(question, answer)| format!("{question}: {answer}")).collect();
    let title = "Help · Orrery".to_owned();
    vec![Document::new("hub.localhost", "/help".to_owned(), title, text.join(" "), Kind::Other)]
}
