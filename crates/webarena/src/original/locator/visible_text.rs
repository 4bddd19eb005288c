//! The text of an element as a browser shows it (`innerText`), as far as the source alone tells.

use ego_tree::NodeRef;
use ego_tree::iter::Edge;
use scraper::{ElementRef, Node};

/// The element's text with hidden parts left out, white space collapsed, and lines where blocks and breaks make them.
pub(super) fn of(element: ElementRef<'_>) -> String {
    let is_shown = std::iter::once(*element)
        .chain(element.ancestors())
        .all(|node| node.value().as_element().is_none_or(|_| !is_hidden(node)));
    if !is_shown {
        // A browser gives the raw text of what it does not show.
        return content(*element);
    }
    let mut lines = Lines::default();
    let mut inside_hidden = None;
    for edge in element.traverse() {
        match edge {
            Edge::Open(node) if inside_hidden.is_none() && is_hidden(node) => inside_hidden = Some(node.id()),
            Edge::Open(node) if inside_hidden.is_none() && node.id() != element.id() => lines.enter(node),
            Edge::Close(node) if inside_hidden == Some(node.id()) => inside_hidden = None,
            Edge::Close(node) if inside_hidden.is_none() && node.id() != element.id() => lines.leave(node),
            _ => {}
        }
    }
    lines.text
}

/// All text below a node, hidden or not (`textContent`).
pub(super) fn content(node: NodeRef<'_, Node>) -> String {
    node.traverse()
        .filter_map(|edge| match edge {
            Edge::Open(node) => node.value().as_text().map(|text| &**text),
            Edge::Close(_) => None,
        })
        .collect()
}

const NEVER_SHOWN: [&str; 18] = [
    "script", "style", "template", "noscript", "head", "title", "meta", "link", "textarea", "input",
    "iframe", "object", "audio", "video", "canvas", "datalist", "source", "track",
];
const BLOCKS: [&str; 44] = [
    "address",
    "article",
    "aside",
    "blockquote",
    "body",
    "center",
    "dd",
    "details",
    "dialog",
    "dir",
    "div",
    "dl",
    "dt",
    "fieldset",
    "figcaption",
    "figure",
    "footer",
    "form",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "header",
    "hgroup",
    "hr",
    "html",
    "legend",
    "li",
    "main",
    "menu",
    "nav",
    "ol",
    "option",
    "p",
    "pre",
    "section",
    "summary",
    "table",
    "tbody",
    "tr",
    "ul",
    "search",
];

fn is_hidden(node: NodeRef<'_, Node>) -> bool {
    let Some(element) = node.value().as_element() else { return false };
    let style: String = element
        .attr("style")
        .unwrap_or_default()
        .chars()
        .filter(|character| !character.is_whitespace())
        .collect::<String>()
        .to_lowercase();
    NEVER_SHOWN.contains(&element.name())
        || element.attr("hidden").is_some()
        || style.contains("display:none")
        || style.contains("visibility:hidden")
}

#[derive(Default)]
struct Lines {
    text: String,
    /// Line breaks asked for by blocks since the last text; the most demanding one counts.
    breaks: usize,
    /// White space seen since the last text.
    space: bool,
    /// How many elements around the present place keep their white space.
    preformatted: usize,
}

/// How many line breaks an element asks for before and after itself.
fn breaks_around(name: &str) -> usize {
    if name == "p" { 2 } else { usize::from(BLOCKS.contains(&name)) }
}

impl Lines {
    fn enter(&mut self, node: NodeRef<'_, Node>) {
        match node.value() {
            Node::Text(text) if self.preformatted > 0 => self.push(text),
            Node::Text(text) => self.take_collapsed(text),
            Node::Element(element) => match element.name() {
                "br" => self.push("\n"),
                name => {
                    self.ask_for_breaks(breaks_around(name));
                    self.preformatted += usize::from(name == "pre");
                }
            },
            _ => {}
        }
    }

    fn leave(&mut self, node: NodeRef<'_, Node>) {
        let Some(element) = node.value().as_element() else { return };
        self.ask_for_breaks(breaks_around(element.name()));
        self.preformatted -= usize::from(element.name() == "pre");
        let is_cell = |node: NodeRef<'_, Node>| {
            node.value().as_element().is_some_and(|element| matches!(element.name(), "td" | "th"))
        };
        if is_cell(node) && node.next_siblings().any(is_cell) {
            self.push("\t");
        }
    }

    fn take_collapsed(&mut self, text: &str) {
        let is_space = |character: char| matches!(character, ' ' | '\t' | '\n' | '\r' | '\u{c}');
        for (index, word) in text.split(is_space).enumerate() {
            self.space |= index > 0;
            if !word.is_empty() {
                let starts_line =
                    self.breaks > 0 || self.text.is_empty() || self.text.ends_with(['\n', '\t']);
                if self.space && !starts_line {
                    self.text.push(' ');
                }
                self.push(word);
            }
        }
    }

    fn push(&mut self, text: &str) {
        self.settle_breaks();
        self.space = false;
        self.text.push_str(text);
    }

    fn ask_for_breaks(&mut self, breaks: usize) {
        self.breaks = self.breaks.max(breaks);
        self.space &= breaks == 0;
    }

    fn settle_breaks(&mut self) {
        let breaks = std::mem::take(&mut self.breaks);
        if !self.text.is_empty() {
            self.text.extend(std::iter::repeat_n('\n', breaks));
        }
    }
}

#[cfg(test)]
mod tests {
    use scraper::{Html, Selector};

    use super::*;

    #[test]
    fn text_is_laid_out_as_in_a_browser() {
        for (inner, expected) in [
            ("a  b\n c", "a b c"),
            ("a<br>b", "a\nb"),
            ("<div>a</div><div>b</div>", "a\nb"),
            ("<p>a</p><p>b</p>", "a\n\nb"),
            ("a<div> b </div>c", "a\nb\nc"),
            ("<span>a </span> <b>b</b>", "a b"),
            ("<span>a</span><b>b</b>", "ab"),
            ("<script>x</script>a<span hidden>b</span><i style='Display: none'>c</i>", "a"),
            ("<table><tr><td>a</td><td>b</td></tr><tr><td>c</td></tr></table>", "a\tb\nc"),
            ("<pre>a\n  b</pre>", "a\n  b"),
            ("", ""),
        ] {
            let document = Html::parse_document(&format!("<div id=x>{inner}</div>"));
            let element =
                document.select(&Selector::parse("#x").expect("a selector")).next().expect("the element");
            assert_eq!(of(element), expected, "{inner}");
        }
    }
}
