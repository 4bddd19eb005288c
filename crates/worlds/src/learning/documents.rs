//! The site's public pages, for the search engine.

use super::content::Catalogue;
use crate::documents::{Document, Kind};

pub fn documents(seed: u64) -> Vec<Document> {
    let document = |course: &super::content::Course| {
        let text = format!(
            "{} course for {} learners, {} weeks, with {}.",
            course.subject, course.level, course.weeks, course.teacher
        );
        Document::new(
            "learning.localhost",
            format!("/courses/{}", course.id),
            format!("{} · Brightwell", course.title),
            text,
            Kind::Other,
        )
    };
    Catalogue::of_seed(seed).courses.iter().map(document).collect()
}
