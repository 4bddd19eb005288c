//! The library with the visitor's edits laid over it.

use super::history::{self, Version};
use super::library::{Article, Library};
use super::state::{State, VISITOR_NAME};
use crate::kit::moment::Moment;

#[derive(Clone, Copy)]
pub struct Desk<'a> {
    pub library: &'a Library,
    pub state: &'a State,
}

impl<'a> Desk<'a> {
    pub fn article(self, slug: &str) -> Option<&'a Article> {
        self.library.article(slug)
    }

    /// The text as it stands now.
    pub fn text(self, article: &'a Article) -> &'a str {
        let edits = self.state.edits.get(&article.slug);
        edits.and_then(|edits| edits.last_key_value()).map_or(&article.body, |(_, edit)| &edit.text)
    }

    /// Oldest first.
    pub fn versions(self, article: &Article) -> Vec<Version> {
        let mut versions = history::versions(self.library.seed, article);
        for (number, edit) in self.state.edits.get(&article.slug).into_iter().flatten() {
            versions.push(Version {
                number: *number,
                author: VISITOR_NAME.to_owned(),
                at: Moment::now(),
                summary: edit.summary.clone(),
                minor: edit.minor,
                text: edit.text.clone(),
            });
        }
        versions
    }

    /// Number of the latest revision.
    pub fn revision(self, article: &Article) -> u32 {
        self.versions(article).last().map_or(0, |version| version.number)
    }

    pub fn exists(self) -> impl Fn(&str) -> bool + 'a {
        move |slug: &str| self.library.article(slug).is_some()
    }
}
