//! What was asked: words, and where to look.

use crate::Request;
use crate::documents::{Document, Kind};
use crate::kit::text::bounded;

const LONGEST: usize = 200;

/// The tabs above the results: code in the address, name, and the kind of page each shows.
pub const TABS: [(&str, &str, Option<Kind>); 7] = [
    ("", "All", None),
    ("articles", "Articles", Some(Kind::Article)),
    ("places", "Places", Some(Kind::Place)),
    ("products", "Products", Some(Kind::Product)),
    ("code", "Code", Some(Kind::Code)),
    ("discussions", "Discussions", Some(Kind::Discussion)),
    ("news", "News", Some(Kind::News)),
];

#[derive(Clone, Debug, PartialEq)]
pub struct Question {
    /// As it was typed.
    pub text: String,
    /// What is looked for, in the form the index knows words in.
    pub words: Vec<String>,
    /// From `site:shop` or `site:shop.localhost`: only hosts that begin like this.
    pub site: Option<String>,
    pub kind: Option<Kind>,
}

impl Question {
    pub fn of(request: &Request) -> Self {
        let text = bounded(request.query("q").unwrap_or_default(), LONGEST);
        let tab = request.query("tab").unwrap_or_default();
        let kind = TABS.iter().find(|(code, ..)| *code == tab).and_then(|(.., kind)| *kind);
        let (mut words, mut site) = (Vec::new(), None);
        for part in text.split_whitespace() {
            match part.to_lowercase().strip_prefix("site:") {
                Some(host) => site = Some(host.to_owned()).filter(|host| !host.is_empty()),
                None => words.extend(words_of(part)),
            }
        }
        Self { text, words, site, kind }
    }

    /// Whether a page may be shown at all, whatever it says.
    pub fn admits(&self, document: &Document) -> bool {
        let here = self.site.as_ref().is_none_or(|site| {
            document.host == site || document.host.strip_suffix(".localhost") == Some(site.as_str())
        });
        here && self.kind.is_none_or(|kind| document.kind == kind)
    }
}

/// Words of a text as the index keeps them: lower case, without the plural's ending.
pub fn words_of(text: &str) -> impl Iterator<Item = String> {
    text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).map(stem)
}

fn stem(word: &str) -> String {
    let word = word.to_lowercase();
    match word.strip_suffix('s') {
        Some(singular) if singular.len() > 2 && !singular.ends_with(['s', 'u', 'i']) => singular.to_owned(),
        _ => word,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kit::visitor::request;

    #[test]
    fn questions_are_taken_apart() {
        for (target, words, site, kind) in [
            ("/search?q=Floor+Lamps", vec!["floor", "lamp"], None, None),
            ("/search?q=site:shop+lamp&tab=products", vec!["lamp"], Some("shop"), Some(Kind::Product)),
            ("/search?q=glass+bus+site:", vec!["glass", "bus"], None, None),
            ("/search?tab=none", vec![], None, None),
        ] {
            let question = Question::of(&request("GET", "search.localhost", target, "", ""));
            assert_eq!(question.words, words, "{target}");
            assert_eq!((question.site.as_deref(), question.kind), (site, kind), "{target}");
        }
    }
}
