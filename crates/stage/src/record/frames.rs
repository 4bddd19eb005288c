//! Which frame a report came from, told from what the documents above it said about their frames.

use std::collections::HashMap;

use super::report::{FramePath, FrameSeen};
use crate::session::Frame;

/// Documents kept for one tab; a page may make frames without end.
const MOST_DOCUMENTS: usize = 2_000;

#[derive(Clone, Debug, Default)]
struct DocumentSeen {
    url: String,
    frames: Vec<FrameSeen>,
}

/// The documents of one tab as they are now, by the places of their frames.
#[derive(Clone, Debug, Default)]
pub(super) struct FrameTree(HashMap<FramePath, DocumentSeen>);

impl FrameTree {
    /// A new document; all that was below the old one is gone with it.
    pub fn arrived(&mut self, path: &FramePath, url: &str) {
        if path.is_empty() {
            self.0.clear();
        }
        self.moved(path, url);
    }

    /// The document's address changed, or is heard of for the first time.
    pub fn moved(&mut self, path: &FramePath, url: &str) {
        if self.0.len() < MOST_DOCUMENTS || self.0.contains_key(path) {
            url.clone_into(&mut self.0.entry(path.clone()).or_default().url);
        }
    }

    pub fn told(&mut self, path: &FramePath, frames: Vec<FrameSeen>) {
        if self.0.len() < MOST_DOCUMENTS || self.0.contains_key(path) {
            self.0.entry(path.clone()).or_default().frames = frames;
        }
    }

    /// Address of the tab's page.
    pub fn page(&self) -> Option<&str> {
        self.0.get(&Vec::new()).map(|document| document.url.as_str())
    }

    /// The frames from the page down to `path`, outermost first.
    pub fn frames(&self, path: &FramePath) -> Vec<Frame> {
        (1..=path.len()).map(|depth| self.frame(&path[..depth])).collect()
    }

    fn frame(&self, path: &[i32]) -> Frame {
        let url = self.0.get(path).map(|document| bare(&document.url));
        let (place, above) = path.split_last().map_or((-1, path), |(place, above)| (*place, above));
        let holder = self.0.get(above);
        let seen = holder.and_then(|holder| {
            let mut there = holder.frames.iter().filter(|frame| frame.place == place).peekable();
            let first = there.peek().copied();
            // Frames in shadow trees share a place; their addresses tell them apart.
            there.find(|frame| url == Some(frame.url.as_str())).or(first)
        });
        let own = |text: &Option<String>| text.clone().filter(|text| !text.is_empty());
        Frame {
            url: url.or(seen.map(|frame| frame.url.as_str())).unwrap_or_default().to_owned(),
            id: seen.and_then(|frame| own(&frame.id)),
            name: seen.and_then(|frame| own(&frame.name)),
            title: seen.and_then(|frame| own(&frame.title)),
            index: seen.map(|frame| frame.index),
        }
    }
}

fn bare(url: &str) -> &str {
    url.split(['?', '#']).next().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seen(place: i32, url: &str, id: &str, index: u32) -> FrameSeen {
        FrameSeen { place, url: url.to_owned(), id: Some(id.to_owned()), name: None, title: None, index }
    }

    #[test]
    fn a_frame_is_described_by_the_document_above_and_by_its_own() {
        let mut tree = FrameTree::default();
        tree.arrived(&vec![], "http://a/?q=1");
        tree.told(
            &vec![],
            vec![
                seen(0, "http://b/", "outer", 1),
                seen(-1, "http://s/", "shady", 2),
                seen(-1, "http://t/", "other", 3),
            ],
        );
        tree.arrived(&vec![0], "http://b/moved?x#y");
        tree.told(&vec![0], vec![seen(3, "", "inner", 4)]);
        tree.arrived(&vec![-1], "http://t/");
        assert_eq!(tree.page(), Some("http://a/?q=1"));
        assert_eq!(tree.frames(&vec![]), []);
        let frame = |url: &str, id: &str, index| Frame {
            url: url.to_owned(),
            id: Some(id.to_owned()),
            index: Some(index),
            ..Frame::default()
        };
        assert_eq!(tree.frames(&vec![0, 3]), [frame("http://b/moved", "outer", 1), frame("", "inner", 4)]);
        assert_eq!(tree.frames(&vec![-1]), [frame("http://t/", "other", 3)]);
        assert_eq!(tree.frames(&vec![7]), [Frame::default()], "nothing is made up");
        tree.arrived(&vec![], "http://c/");
        assert_eq!(tree.frames(&vec![0]), [Frame::default()], "the old page's frames are gone");
    }
}
