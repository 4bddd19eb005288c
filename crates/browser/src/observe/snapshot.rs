//! The parts of `DOMSnapshot.captureSnapshot` that an observation uses, read with as few allocations as possible:
//! strings are borrowed from the answer, and lists of small lists become one list with offsets.

use std::borrow::Cow;

use super::reader::{Malformed, Reader};

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

#[derive(Default)]
pub(super) struct Snapshot<'a> {
    pub documents: Vec<Document>,
    strings: Vec<Cow<'a, str>>,
}

#[derive(Default)]
pub(super) struct Document {
    pub url: i32,
    pub title: i32,
    pub nodes: Nodes,
    pub layout: Layout,
    pub scroll_offset_x: f64,
    pub scroll_offset_y: f64,
}

/// Columns over the document's nodes in flat-tree order: shadow content replaces what it hides, slots hold what they
/// show.
#[derive(Default)]
pub(super) struct Nodes {
    pub parent_index: Vec<i32>,
    pub node_type: Vec<u8>,
    pub shadow_root_type: Rare,
    pub node_name: Vec<i32>,
    pub node_value: Vec<i32>,
    pub backend_node_id: Vec<i64>,
    pub attributes: Jagged,
    pub text_value: Rare,
    pub input_value: Rare,
    pub input_checked: Rare,
    pub option_selected: Rare,
    pub content_document_index: Rare,
    pub pseudo_type: Rare,
    pub is_clickable: Rare,
}

#[derive(Default)]
pub(super) struct Layout {
    pub node_index: Vec<u32>,
    pub styles: Jagged,
    /// In pixels from the origin of the document, scrolled or not.
    pub bounds: Vec<[f64; 4]>,
    pub text: Vec<i32>,
    pub paint_orders: Vec<u32>,
}

/// Values of the few nodes that have one; a flag has no values.
#[derive(Default)]
pub(super) struct Rare {
    pub index: Vec<u32>,
    pub value: Vec<i32>,
}

/// A list of lists of string indices, stored flat. Lists that repeat a recent one share its place.
#[derive(Default)]
pub(super) struct Jagged {
    values: Vec<i32>,
    /// Where each list starts and ends among the values.
    rows: Vec<(u32, u32)>,
}

/// Elements of a list or a table alternate between so few sets of styles, as a rule.
const REMEMBERED_ROWS: usize = 4;

impl Jagged {
    pub fn row(&self, index: usize) -> &[i32] {
        let (start, end) = self.rows.get(index).copied().unwrap_or_default();
        &self.values[start as usize..end as usize]
    }

    /// `rows` says how many there will be, as far as that is known.
    fn read(reader: &mut Reader<'_>, rows: usize) -> Result<Self, Malformed> {
        let mut jagged = Self { values: Vec::with_capacity(rows), rows: Vec::with_capacity(rows) };
        let mut recent: Vec<(&str, (u32, u32))> = Vec::with_capacity(REMEMBERED_ROWS);
        let mut oldest = 0;
        reader.array(|reader| {
            if let Some(&(_, row)) = recent.iter().find(|(written, _)| reader.repeats(written)) {
                jagged.rows.push(row);
                return Ok(());
            }
            let start = jagged.values.len() as u32;
            let values = &mut jagged.values;
            let written =
                reader.each_integer(|value| i32::try_from(value).map(|value| values.push(value)).is_ok())?;
            let row = (start, jagged.values.len() as u32);
            jagged.rows.push(row);
            if recent.len() < REMEMBERED_ROWS {
                recent.push((written, row));
            } else {
                recent[oldest] = (written, row);
                oldest = (oldest + 1) % REMEMBERED_ROWS;
            }
            Ok(())
        })?;
        Ok(jagged)
    }
}

impl<'a> Snapshot<'a> {
    pub fn read(text: &'a str) -> Result<Self, Malformed> {
        let mut snapshot = Self::default();
        Reader::new(text).object(|reader, key| {
            match key {
                "documents" => reader.array(|reader| {
                    snapshot.documents.push(Document::read(reader)?);
                    Ok(())
                })?,
                "strings" => reader.array(|reader| {
                    snapshot.strings.push(reader.string()?);
                    Ok(())
                })?,
                _ => reader.skip()?,
            }
            Ok(())
        })?;
        Ok(snapshot)
    }

    pub fn mentions(&self, word: &str) -> bool {
        self.strings.iter().any(|text| text == word)
    }

    /// Indices of -1 stand for the empty string.
    pub fn string(&self, index: i32) -> &str {
        usize::try_from(index).ok().and_then(|index| self.strings.get(index)).map_or("", |text| text)
    }
}

impl Document {
    fn read(reader: &mut Reader<'_>) -> Result<Self, Malformed> {
        let mut document = Self::default();
        reader.object(|reader, key| {
            match key {
                "documentURL" => document.url = reader.integer()?,
                "title" => document.title = reader.integer()?,
                "nodes" => document.nodes = Nodes::read(reader)?,
                "layout" => document.layout = Layout::read(reader)?,
                "scrollOffsetX" => document.scroll_offset_x = reader.number()?,
                "scrollOffsetY" => document.scroll_offset_y = reader.number()?,
                _ => reader.skip()?,
            }
            Ok(())
        })?;
        Ok(document)
    }
}

impl Nodes {
    fn read(reader: &mut Reader<'_>) -> Result<Self, Malformed> {
        let mut nodes = Self::default();
        reader.object(|reader, key| {
            match key {
                "parentIndex" => nodes.parent_index = reader.integers()?,
                "nodeType" => nodes.node_type = reader.integers()?,
                "shadowRootType" => nodes.shadow_root_type = Rare::read(reader)?,
                "nodeName" => nodes.node_name = reader.integers()?,
                "nodeValue" => nodes.node_value = reader.integers()?,
                "backendNodeId" => nodes.backend_node_id = reader.integers()?,
                "attributes" => nodes.attributes = Jagged::read(reader, nodes.node_type.len())?,
                "textValue" => nodes.text_value = Rare::read(reader)?,
                "inputValue" => nodes.input_value = Rare::read(reader)?,
                "inputChecked" => nodes.input_checked = Rare::read(reader)?,
                "optionSelected" => nodes.option_selected = Rare::read(reader)?,
                "contentDocumentIndex" => nodes.content_document_index = Rare::read(reader)?,
                "pseudoType" => nodes.pseudo_type = Rare::read(reader)?,
                "isClickable" => nodes.is_clickable = Rare::read(reader)?,
                _ => reader.skip()?,
            }
            Ok(())
        })?;
        Ok(nodes)
    }
}

impl Layout {
    fn read(reader: &mut Reader<'_>) -> Result<Self, Malformed> {
        let mut layout = Self::default();
        reader.object(|reader, key| {
            match key {
                "nodeIndex" => layout.node_index = reader.integers()?,
                "styles" => layout.styles = Jagged::read(reader, layout.node_index.len())?,
                "bounds" => {
                    layout.bounds.reserve(layout.node_index.len());
                    reader.array(|reader| {
                        let (mut bounds, mut place) = ([0.0; 4], 0);
                        reader.array(|reader| {
                            let number = reader.number()?;
                            if let Some(bound) = bounds.get_mut(place) {
                                *bound = number;
                            }
                            place += 1;
                            Ok(())
                        })?;
                        layout.bounds.push(bounds);
                        Ok(())
                    })?;
                }
                "text" => layout.text = reader.integers()?,
                "paintOrders" => layout.paint_orders = reader.integers()?,
                _ => reader.skip()?,
            }
            Ok(())
        })?;
        Ok(layout)
    }
}

impl Rare {
    fn read(reader: &mut Reader<'_>) -> Result<Self, Malformed> {
        let mut rare = Self::default();
        reader.object(|reader, key| {
            match key {
                "index" => rare.index = reader.integers()?,
                "value" => rare.value = reader.integers()?,
                _ => reader.skip()?,
            }
            Ok(())
        })?;
        Ok(rare)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_of_a_jagged_list_keep_their_places() {
        let written = "[[1,2],[],[-1],[1,2],[1],[3],[1,2,3],[4],[5],[1,2],[6], [6]]";
        let jagged = Jagged::read(&mut Reader::new(written), 0).expect("a list of lists");
        let expected: Vec<Vec<i32>> = serde_json::from_str(written).expect("JSON");
        for (index, row) in expected.iter().enumerate() {
            assert_eq!(jagged.row(index), row, "{index}");
        }
        assert!(jagged.row(expected.len()).is_empty());
        assert!(jagged.values.len() < expected.concat().len(), "rows that repeat are shared");
    }

    #[test]
    fn fields_that_are_not_used_are_skipped() {
        let text = r#"{"documents":[{"documentURL":1,"title":0,"baseURL":1,"scrollOffsetY":12.5,
            "nodes":{"nodeType":[9],"originURL":{"index":[],"value":[]},"isClickable":{"index":[0]}},
            "layout":{"nodeIndex":[0],"bounds":[[0,0,1280.5,20]],"blendedBackgroundColors":[]},
            "textBoxes":{"layoutIndex":[0],"bounds":[[1,2,3,4]]}}],"strings":["Title","http://x/"]}"#;
        let snapshot = Snapshot::read(text).expect("a snapshot");
        let document = &snapshot.documents[0];
        assert_eq!((snapshot.string(document.url), snapshot.string(document.title)), ("http://x/", "Title"));
        assert_eq!(snapshot.string(-1), "");
        assert_eq!(document.layout.bounds, [[0.0, 0.0, 1280.5, 20.0]]);
        assert_eq!(
            (document.scroll_offset_y, document.nodes.is_clickable.index.as_slice()),
            (12.5, [0].as_slice())
        );
    }
}
