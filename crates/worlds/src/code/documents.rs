//! The site's public pages, for the search engine.

use super::catalogue::Catalogue;
use super::state::Visibility;
use crate::documents::{Document, Kind};

const HOST: &str = "code.localhost";

/// Projects that everybody may see, and their issues.
pub fn documents(seed: u64) -> Vec<Document> {
    let catalogue = Catalogue::shared(seed);
    let mut documents = Vec::new();
    for project in
        catalogue.projects.iter().filter(|project| project.opening.visibility == Visibility::Public)
    {
        let title = format!("{} · Keelson", project.path);
        let text = format!("{} Topics: {}", project.opening.description, project.words.topics.join(", "));
        documents.push(Document::new(HOST, format!("/{}", project.path), title, text, Kind::Code));
        for (at, issue) in project.issues.iter().enumerate() {
            let path = format!("/{}/issues/{}", project.path, at + 1);
            let title = format!("{} · {}", issue.title, project.path);
            documents.push(Document::new(HOST, path, title, issue.body.clone(), Kind::Code));
        }
    }
    documents
}
