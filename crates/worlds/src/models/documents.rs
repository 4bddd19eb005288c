//! The site's public pages, for the search engine.

use super::content::Catalogue;
use crate::documents::{Document, Kind};

pub fn documents(seed: u64) -> Vec<Document> {
    let document = |model: &super::content::Model| {
        let text = format!(
            "{} model by {}, {} million parameters, licence {}.",
            model.task, model.organisation, model.parameters, model.licence
        );
        Document::new(
            "models.localhost",
            format!("/models/{}", model.id),
            format!("{}/{} · Weightroom", model.organisation, model.name),
            text,
            Kind::Code,
        )
    };
    Catalogue::of_seed(seed).models.iter().map(document).collect()
}
