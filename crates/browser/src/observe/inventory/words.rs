//! What is written around an element, and under which heading it stands.

use super::{Inventory, Item, LONGEST_WORDS};
use crate::observe::names::tidy;

/// A row's text is rarely further from its button than this.
const LEVELS: usize = 4;

impl Inventory {
    /// Text of the nearest sibling before it that has some.
    pub fn previous_text(&self, at: usize) -> Option<&str> {
        self.nearest(at, |item| item.previous)
    }

    /// Text of the nearest sibling after it that has some.
    pub fn next_text(&self, at: usize) -> Option<&str> {
        self.nearest(at, |item| item.next)
    }

    fn nearest(&self, at: usize, step: impl Fn(&Item) -> Option<usize>) -> Option<&str> {
        let first = step(self.items.get(at)?);
        let mut line = std::iter::successors(first, |&at| self.items.get(at).and_then(&step));
        line.find_map(|at| self.items.get(at).map(|item| item.text.as_str()).filter(|text| !text.is_empty()))
    }

    /// Text of its parent without its own, or of the nearest ancestor that says anything else.
    pub fn text_around(&self, at: usize) -> Option<String> {
        let own = &self.items.get(at)?.text;
        let around = self.ancestors(at).take(LEVELS).filter_map(|above| self.items.get(above));
        around.map(|above| without(&above.text, own)).find(|text| !text.is_empty())
    }

    /// The nearest heading or legend before it, or the name of the region it stands in, whichever begins later.
    pub fn heading_of(&self, at: usize) -> Option<&str> {
        let frame = self.items.get(at)?.frame;
        let mut regions = self.ancestors(at).filter(|&above| is_named_region(&self.items[above])).peekable();
        for before in (0..at).rev() {
            let item = &self.items[before];
            if item.frame != frame {
                continue;
            }
            if regions.next_if_eq(&before).is_some() {
                return Some(&item.name);
            }
            let heads = item.role == "heading" || item.tag == "legend";
            let is_around = || self.ancestors(at).any(|above| above == before);
            if heads && !item.text.is_empty() && !is_around() {
                return Some(&item.text);
            }
        }
        None
    }
}

fn is_named_region(item: &Item) -> bool {
    const REGIONS: [&str; 9] = [
        "region",
        "group",
        "radiogroup",
        "dialog",
        "alertdialog",
        "tabpanel",
        "form",
        "navigation",
        "complementary",
    ];
    !item.name.is_empty() && REGIONS.contains(&item.role.as_str())
}

fn without(whole: &str, part: &str) -> String {
    match (part.is_empty(), whole.find(part)) {
        (false, Some(start)) => tidy(&format!("{} {}", &whole[..start], &whole[start + part.len()..])),
        _ => whole.to_owned(),
    }
}

/// At most [`LONGEST_WORDS`] characters.
pub(super) fn shortened(mut text: String) -> String {
    if let Some((end, _)) = text.char_indices().nth(LONGEST_WORDS) {
        text.truncate(end);
        text.truncate(text.trim_end().len());
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn own_words_are_taken_out_of_the_words_around() {
        for (whole, part, left) in [
            ("Hotel TV 412 Sign out", "Sign out", "Hotel TV 412"),
            ("Sign out", "Sign out", ""),
            ("Hotel TV", "", "Hotel TV"),
            ("Hotel TV", "Radio", "Hotel TV"),
        ] {
            assert_eq!(without(whole, part), left);
        }
    }

    #[test]
    fn long_words_end_at_a_character() {
        assert_eq!(shortened("é".repeat(300)).chars().count(), LONGEST_WORDS);
        assert_eq!(shortened("short".to_owned()), "short");
    }
}
