//! A page as pieces of its own text, so that what is not changed stays as it was, byte by byte.
//!
//! The sites' pages are written by one template engine and are well-formed; whatever else comes along is read without
//! loss, and at worst not changed.

use std::ops::Range;

/// Elements without content.
const VOID: [&str; 14] = [
    "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source", "track",
    "wbr",
];
/// Elements whose content is no markup.
const RAW: [&str; 4] = ["script", "style", "textarea", "title"];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Open,
    Close,
    Text,
    /// Content of a script, a style sheet, a text area or the title.
    Raw,
    /// Comments, the document type, and what is broken.
    Other,
}

/// A stretch of the page.
#[derive(Clone, Copy, Debug)]
pub struct Piece<'p> {
    pub kind: Kind,
    pub at: usize,
    pub text: &'p str,
}

impl<'p> Piece<'p> {
    pub fn end(&self) -> usize {
        self.at + self.text.len()
    }

    pub fn range(&self) -> Range<usize> {
        self.at..self.end()
    }

    /// Name of the element a tag opens or closes.
    pub fn name(&self) -> &'p str {
        let inner = self.text.trim_start_matches(['<', '/']);
        &inner[..inner.find(|c: char| !c.is_ascii_alphanumeric() && c != '-').unwrap_or(inner.len())]
    }

    pub fn opens(&self, name: &str) -> bool {
        self.kind == Kind::Open && self.name().eq_ignore_ascii_case(name)
    }

    fn has_no_content(&self) -> bool {
        self.text.ends_with("/>") || VOID.iter().any(|void| self.name().eq_ignore_ascii_case(void))
    }

    /// Where the value of an attribute of this tag lies in the page; an attribute without a value has an empty one.
    pub fn attribute(&self, name: &str) -> Option<Range<usize>> {
        if self.kind != Kind::Open {
            return None;
        }
        let mut found = None;
        each_attribute(self.text, |own, value| {
            if found.is_none() && self.text[own].eq_ignore_ascii_case(name) {
                found = Some(self.at + value.start..self.at + value.end);
            }
        });
        found
    }

    /// Names of this tag's attributes, and where their values lie in the page.
    pub fn attributes(&self) -> Vec<(&'p str, Range<usize>)> {
        let mut found = Vec::new();
        if self.kind == Kind::Open {
            each_attribute(self.text, |own, value| {
                found.push((&self.text[own], self.at + value.start..self.at + value.end));
            });
        }
        found
    }

    /// True if script may be listening to it: the sites' scripts find their elements by `data-` attributes.
    pub fn has_script_hook(&self) -> bool {
        let mut found = false;
        each_attribute(self.text, |own, _| found |= self.text[own].starts_with("data-"));
        found
    }

    pub fn value(&self, name: &str) -> Option<&'p str> {
        self.attribute(name).map(|range| &self.text[range.start - self.at..range.end - self.at])
    }
}

/// Calls `note` with the places of every attribute's name and value.
fn each_attribute(tag: &str, mut note: impl FnMut(Range<usize>, Range<usize>)) {
    let bytes = tag.as_bytes();
    let is_space = |at: usize| bytes[at].is_ascii_whitespace();
    let end = tag.len().saturating_sub(1);
    let mut at = tag.find(|c: char| c.is_ascii_whitespace()).unwrap_or(end);
    while at < end {
        if is_space(at) || bytes[at] == b'/' {
            at += 1;
            continue;
        }
        let name_from = at;
        while at < end && !is_space(at) && !matches!(bytes[at], b'=' | b'/') {
            at += 1;
        }
        if at == name_from {
            at += 1;
            continue;
        }
        let name = name_from..at;
        if at >= end || bytes[at] != b'=' {
            note(name, at..at);
            continue;
        }
        at += 1;
        let value = if let Some(&quote @ (b'"' | b'\'')) = bytes.get(at) {
            let from = at + 1;
            let to = tag[from..].find(char::from(quote)).map_or(end, |length| from + length);
            at = to + 1;
            from..to
        } else {
            let from = at;
            while at < end && !is_space(at) {
                at += 1;
            }
            from..at
        };
        note(name, value);
    }
}

/// Reads a page; the pieces, one after the other, are the page.
pub fn pieces(page: &str) -> Vec<Piece<'_>> {
    let mut pieces = Vec::new();
    let mut at = 0;
    while at < page.len() {
        let rest = &page[at..];
        let (kind, length) = next_piece(rest);
        let piece = Piece { kind, at, text: &rest[..length] };
        at += length;
        let raw = RAW.iter().find(|raw| piece.opens(raw)).copied();
        pieces.push(piece);
        if let Some(name) = raw.filter(|_| at < page.len()) {
            let length = end_of_raw(&page[at..], name);
            if length > 0 {
                pieces.push(Piece { kind: Kind::Raw, at, text: &page[at..at + length] });
                at += length;
            }
        }
    }
    pieces
}

fn next_piece(rest: &str) -> (Kind, usize) {
    if let Some(comment) = rest.strip_prefix("<!--") {
        return (Kind::Other, comment.find("-->").map_or(rest.len(), |end| 4 + end + 3));
    }
    if rest.starts_with("<!") || rest.starts_with("<?") {
        return (Kind::Other, rest.find('>').map_or(rest.len(), |end| end + 1));
    }
    let named = |from: usize| rest.as_bytes().get(from).is_some_and(u8::is_ascii_alphabetic);
    let kind = match rest.as_bytes() {
        [b'<', b'/', ..] if named(2) => Kind::Close,
        [b'<', ..] if named(1) => Kind::Open,
        _ => {
            // A lone `<` is text, and so is everything up to the next one that could begin a tag.
            let first = rest.chars().next().map_or(0, char::len_utf8);
            return (Kind::Text, rest[first..].find('<').map_or(rest.len(), |next| first + next));
        }
    };
    match end_of_tag(rest) {
        Some(length) => (kind, length),
        None => (Kind::Other, rest.len()),
    }
}

/// Quoted values may contain `>`.
fn end_of_tag(tag: &str) -> Option<usize> {
    let mut quote = None;
    for (at, byte) in tag.bytes().enumerate() {
        match (quote, byte) {
            (None, b'>') => return Some(at + 1),
            (None, b'"' | b'\'') => quote = Some(byte),
            (Some(open), byte) if open == byte => quote = None,
            _ => {}
        }
    }
    None
}

fn end_of_raw(rest: &str, name: &str) -> usize {
    let closes = |at: usize| {
        rest.get(at + 2..at + 2 + name.len()).is_some_and(|found| found.eq_ignore_ascii_case(name))
    };
    rest.match_indices("</").map(|(at, _)| at).find(|&at| closes(at)).unwrap_or(rest.len())
}

/// An element, by its place in the page.
#[derive(Clone, Debug)]
pub struct Element {
    pub parent: Option<usize>,
    /// Index of the tag that opens it.
    pub tag: usize,
    /// From the first byte of its opening tag to the last of its closing one.
    pub range: Range<usize>,
}

/// The elements of a page in document order. One that is never closed ends with its parent.
pub fn elements(pieces: &[Piece<'_>]) -> Vec<Element> {
    let mut elements: Vec<Element> = Vec::new();
    let mut open: Vec<usize> = Vec::new();
    for (index, piece) in pieces.iter().enumerate() {
        match piece.kind {
            Kind::Open => {
                elements.push(Element { parent: open.last().copied(), tag: index, range: piece.range() });
                if !piece.has_no_content() {
                    open.push(elements.len() - 1);
                }
            }
            Kind::Close => {
                let own = |&element: &usize| pieces[elements[element].tag].opens(piece.name());
                let Some(place) = open.iter().rposition(own) else { continue };
                for (depth, element) in open.split_off(place).into_iter().enumerate() {
                    elements[element].range.end = if depth == 0 { piece.end() } else { piece.at };
                }
            }
            Kind::Text | Kind::Raw | Kind::Other => {}
        }
    }
    let end = pieces.last().map_or(0, Piece::end);
    for element in open {
        elements[element].range.end = end;
    }
    elements
}

/// Changes to a page, each in a place of its own.
#[derive(Debug, Default)]
pub struct Edits(Vec<(Range<usize>, String)>);

impl Edits {
    pub fn replace(&mut self, range: Range<usize>, with: impl Into<String>) {
        self.0.push((range, with.into()));
    }

    pub fn insert(&mut self, at: usize, text: impl Into<String>) {
        self.replace(at..at, text);
    }

    pub fn count(&self) -> u32 {
        self.0.len() as u32
    }

    /// The page with its changes; of two that overlap, the later one is left out.
    pub fn apply(mut self, page: &str) -> String {
        self.0.sort_by_key(|(range, _)| (range.start, range.end));
        let mut changed = String::with_capacity(page.len() + 1024);
        let mut done = 0;
        for (range, with) in self.0 {
            if range.start < done {
                continue;
            }
            changed.push_str(&page[done..range.start]);
            changed.push_str(&with);
            done = range.end;
        }
        changed.push_str(&page[done..]);
        changed
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn tags_text_and_raw_content_are_told_apart() {
        let page = "<!DOCTYPE html><a href='x>y' data-n>5 < 6</a><script>if (a<b) '</a>'</script><br>é";
        let read: Vec<(Kind, &str)> = pieces(page).iter().map(|piece| (piece.kind, piece.text)).collect();
        assert_eq!(
            read,
            [
                (Kind::Other, "<!DOCTYPE html>"),
                (Kind::Open, "<a href='x>y' data-n>"),
                (Kind::Text, "5 "),
                (Kind::Text, "< 6"),
                (Kind::Close, "</a>"),
                (Kind::Open, "<script>"),
                (Kind::Raw, "if (a<b) '</a>'"),
                (Kind::Close, "</script>"),
                (Kind::Open, "<br>"),
                (Kind::Text, "é"),
            ]
        );
    }

    #[test]
    fn attributes_are_found_in_every_spelling() {
        let page = r#"<input type=checkbox NAME="a b" value='x"y' checked data-k=1/>"#;
        let tag = pieces(page)[0];
        for (name, value) in [
            ("type", Some("checkbox")),
            ("name", Some("a b")),
            ("value", Some("x\"y")),
            ("checked", Some("")),
            ("id", None),
        ] {
            assert_eq!(tag.value(name), value, "{name}");
        }
    }

    #[test]
    fn elements_span_what_they_contain() {
        let page = "<ul><li>a<br></li><li><b>b</li></ul>c</p>";
        let pieces = pieces(page);
        let spans: Vec<&str> = elements(&pieces).iter().map(|e| &page[e.range.clone()]).collect();
        assert_eq!(
            spans,
            ["<ul><li>a<br></li><li><b>b</li></ul>", "<li>a<br></li>", "<br>", "<li><b>b</li>", "<b>b"]
        );
    }

    proptest! {
        #[test]
        fn the_pieces_are_the_page(page in "(<[a-z!/ ]{0,4}|[a-z \"'=>é-]{0,6}|<script>|</script>|-->){0,12}") {
            let pieces = pieces(&page);
            let together: String = pieces.iter().map(|piece| piece.text).collect();
            prop_assert_eq!(&together, &page);
            for piece in pieces.iter().filter(|piece| piece.kind == Kind::Open) {
                let _ = piece.value("class");
            }
            for element in elements(&pieces) {
                prop_assert!(element.range.end <= page.len());
                if let Some(parent) = element.parent {
                    prop_assert!(parent < pieces.len());
                }
            }
        }
    }
}
