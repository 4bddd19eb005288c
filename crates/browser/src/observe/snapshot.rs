//! The parts of `DOMSnapshot.captureSnapshot` that an observation uses, decoded with as few allocations as possible:
//! strings are borrowed from the answer, and lists of small lists become one list with offsets.

use std::borrow::Cow;
use std::fmt;

use serde::Deserialize;
use serde::de::{Deserializer, SeqAccess, Visitor};

/// The computed styles asked for, in the order in which each layout node carries them.
pub(super) const STYLES: [&str; 8] = [
    "display",
    "visibility",
    "opacity",
    "cursor",
    "pointer-events",
    "position",
    // Visible in one axis means visible in both.
    "overflow-x",
    "overlay",
];

#[derive(Deserialize)]
pub(super) struct Snapshot<'a> {
    pub documents: Vec<Document>,
    #[serde(borrow)]
    strings: Vec<Text<'a>>,
}

/// A string that is copied only if it contains escapes.
#[derive(Deserialize)]
struct Text<'a>(#[serde(borrow)] Cow<'a, str>);

impl Snapshot<'_> {
    /// Indices of -1 stand for the empty string.
    pub fn string(&self, index: i32) -> &str {
        usize::try_from(index).ok().and_then(|index| self.strings.get(index)).map_or("", |text| &text.0)
    }
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Document {
    #[serde(rename = "documentURL")]
    pub url: i32,
    pub title: i32,
    pub nodes: Nodes,
    pub layout: Layout,
    #[serde(default)]
    pub scroll_offset_x: f64,
    #[serde(default)]
    pub scroll_offset_y: f64,
}

/// Columns over the document's nodes in flat-tree order: shadow content replaces what it hides, slots hold what they
/// show.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Nodes {
    pub parent_index: Vec<i32>,
    pub node_type: Vec<u8>,
    pub node_name: Vec<i32>,
    pub node_value: Vec<i32>,
    pub backend_node_id: Vec<i64>,
    pub attributes: Jagged,
    pub text_value: RareStrings,
    pub input_value: RareStrings,
    pub input_checked: RareFlags,
    pub option_selected: RareFlags,
    pub content_document_index: RareStrings,
    pub pseudo_type: RareStrings,
    pub is_clickable: RareFlags,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Layout {
    pub node_index: Vec<u32>,
    pub styles: Jagged,
    /// In pixels from the origin of the document, scrolled or not.
    pub bounds: Vec<[f64; 4]>,
    pub text: Vec<i32>,
    #[serde(default)]
    pub paint_orders: Vec<u32>,
}

#[derive(Deserialize)]
pub(super) struct RareStrings {
    pub index: Vec<u32>,
    pub value: Vec<i32>,
}

#[derive(Deserialize)]
pub(super) struct RareFlags {
    pub index: Vec<u32>,
}

/// A list of lists of string indices, stored flat.
#[derive(Default)]
pub(super) struct Jagged {
    values: Vec<i32>,
    ends: Vec<u32>,
}

impl Jagged {
    pub fn row(&self, index: usize) -> &[i32] {
        let end = |at: usize| self.ends.get(at).map_or(self.values.len(), |&end| end as usize);
        let start = if index == 0 { 0 } else { end(index - 1) };
        &self.values[start..end(index)]
    }
}

impl<'de> Deserialize<'de> for Jagged {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_seq(JaggedVisitor)
    }
}

struct JaggedVisitor;

impl<'de> Visitor<'de> for JaggedVisitor {
    type Value = Jagged;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list of lists of string indices")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut rows: A) -> Result<Jagged, A::Error> {
        let mut jagged = Jagged::default();
        while rows.next_element_seed(Row(&mut jagged.values))?.is_some() {
            jagged.ends.push(jagged.values.len() as u32);
        }
        Ok(jagged)
    }
}

/// Appends one row to the flat list.
struct Row<'v>(&'v mut Vec<i32>);

impl<'de> serde::de::DeserializeSeed<'de> for Row<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_seq(self)
    }
}

impl<'de> Visitor<'de> for Row<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list of string indices")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut row: A) -> Result<(), A::Error> {
        while let Some(value) = row.next_element()? {
            self.0.push(value);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_of_a_jagged_list_keep_their_places() {
        let jagged: Jagged = serde_json::from_str("[[1,2],[],[-1]]").expect("three rows");
        assert_eq!(jagged.row(0), [1, 2]);
        assert!(jagged.row(1).is_empty());
        assert_eq!(jagged.row(2), [-1]);
        assert!(jagged.row(3).is_empty());
    }
}
