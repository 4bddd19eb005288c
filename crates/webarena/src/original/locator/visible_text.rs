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
    let mut lines = Lines::new();
    let mut inside_hidden = None;
    for edge in element.traverse() {
        match edge {
            Edge::Open(node) if inside_hidden.is_none() && (is_hidden(node) || is_box(node)) => {
                if !is_hidden(node) {
                    lines.place_box();
                }
                inside_hidden = Some(node.id());
            }
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

const NEVER_SHOWN: [&str; 11] = [
    "script", "style", "template", "noscript", "head", "title", "meta", "link", "datalist", "source", "track",
];
/// Shown as a box of their own; what text they hold is not the page's.
const BOXES: [&str; 7] = ["textarea", "input", "iframe", "object", "audio", "video", "canvas"];
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

fn is_box(node: NodeRef<'_, Node>) -> bool {
    node.value().as_element().is_some_and(|element| BOXES.contains(&element.name()))
}

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
        || (element.name() == "input" && element.attr("type") == Some("hidden"))
        || element.attr("hidden").is_some()
        || style.contains("display:none")
        || style.contains("visibility:hidden")
}

struct Lines {
    text: String,
    /// Line breaks asked for by blocks since the last text; the most demanding one counts.
    breaks: usize,
    /// White space seen since the last text or box.
    space: bool,
    /// Whether white space vanishes here because a line begins.
    at_line_start: bool,
    /// How many elements around the present place keep their white space.
    preformatted: usize,
}

/// How many line breaks an element asks for before and after itself.
fn breaks_around(name: &str) -> usize {
    if name == "p" { 2 } else { usize::from(BLOCKS.contains(&name)) }
}

impl Lines {
    fn new() -> Self {
        Self { text: String::new(), breaks: 0, space: false, at_line_start: true, preformatted: 0 }
    }

    fn enter(&mut self, node: NodeRef<'_, Node>) {
        match node.value() {
            Node::Text(text) if self.preformatted > 0 => self.push(text),
            Node::Text(text) => self.take_collapsed(text),
            Node::Element(element) => match element.name() {
                "br" => self.end_line("\n"),
                "img" => self.place_box(),
                // Lines begin afresh within these boxes.
                "button" | "select" => {
                    self.place_box();
                    self.at_line_start = true;
                }
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
        if matches!(element.name(), "button" | "select") {
            self.space = false;
            self.at_line_start = false;
        }
        self.ask_for_breaks(breaks_around(element.name()));
        self.preformatted -= usize::from(element.name() == "pre");
        let is_cell = |node: NodeRef<'_, Node>| {
            node.value().as_element().is_some_and(|element| matches!(element.name(), "td" | "th"))
        };
        if is_cell(node) && node.next_siblings().any(is_cell) {
            self.end_line("\t");
        }
    }

    /// Something without text that takes up room, so that the white space around it counts.
    fn place_box(&mut self) {
        self.settle_space();
        self.at_line_start = false;
    }

    fn take_collapsed(&mut self, text: &str) {
        let is_space = |character: char| matches!(character, ' ' | '\t' | '\n' | '\r' | '\u{c}');
        for (index, word) in text.split(is_space).enumerate() {
            self.space |= index > 0;
            if !word.is_empty() {
                self.settle_space();
                self.push(word);
            }
        }
    }

    fn push(&mut self, text: &str) {
        self.settle_breaks();
        self.space = false;
        self.at_line_start = false;
        self.text.push_str(text);
    }

    fn end_line(&mut self, mark: &str) {
        self.push(mark);
        self.at_line_start = true;
    }

    fn ask_for_breaks(&mut self, breaks: usize) {
        if breaks > 0 {
            self.breaks = self.breaks.max(breaks);
            self.space = false;
            self.at_line_start = true;
        }
    }

    fn settle_space(&mut self) {
        if std::mem::take(&mut self.space) && !self.at_line_start {
            self.settle_breaks();
            self.text.push(' ');
        }
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
            ("a <img> b", "a  b"),
            ("a<button> b </button> c", "ab c"),
            ("a <input type=hidden> b", "a b"),
            ("<select><option>a</option></select> b", "a\n b"),
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
