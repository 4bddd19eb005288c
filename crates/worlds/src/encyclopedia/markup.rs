//! The editors' markup: headings, paragraphs, lists, tables, links and bold text. Everything else is text.
//!
//! ```text
//! ## History
//! The town was founded by **fishers** on the [[River Eskow]], see [[Great Fire of Eskwick|the fire]].
//! - an item
//! | Year | Population |
//! ```

use maud::{Markup, html};

use crate::kit::text::slug;

pub struct Heading<'a> {
    pub text: &'a str,
    pub anchor: String,
}

/// Headings of the second level, for the table of contents.
pub fn headings(text: &str) -> Vec<Heading<'_>> {
    let titles = text.lines().filter_map(|line| line.strip_prefix("## "));
    titles.map(|text| Heading { text: text.trim(), anchor: slug(text) }).collect()
}

/// Slugs of the articles a text links to.
pub fn links(text: &str) -> Vec<String> {
    let inner = text.split("[[").skip(1).filter_map(|rest| rest.split_once("]]"));
    inner.map(|(link, _)| slug(link.split('|').next().unwrap_or_default())).collect()
}

/// The words alone.
pub fn plain(text: &str) -> String {
    let mut words = String::with_capacity(text.len());
    for piece in pieces(text) {
        match piece {
            Piece::Text(text) | Piece::Bold(text) | Piece::Link(_, text) => words.push_str(text),
        }
    }
    words
}

enum Piece<'a> {
    Text(&'a str),
    Bold(&'a str),
    /// Title and text.
    Link(&'a str, &'a str),
}

fn pieces(text: &str) -> Vec<Piece<'_>> {
    let mut pieces = Vec::new();
    let mut rest = text;
    while !rest.is_empty() {
        let link = rest.find("[[").map(|at| (at, "]]"));
        let bold = rest.find("**").map(|at| (at, "**"));
        let next = [link, bold].into_iter().flatten().min();
        let found = next.and_then(|(at, end)| {
            let (before, after) = (&rest[..at], &rest[at + 2..]);
            after.split_once(end).map(|(inner, after)| (before, inner, after, end))
        });
        let Some((before, inner, after, end)) = found else {
            pieces.push(Piece::Text(rest));
            break;
        };
        pieces.push(Piece::Text(before));
        pieces.push(if end == "**" {
            Piece::Bold(inner)
        } else {
            let (title, text) = inner.split_once('|').unwrap_or((inner, inner));
            Piece::Link(title, text)
        });
        rest = after;
    }
    pieces
}

/// Text within a line. `exists` says whether an article does: links to others are marked as wanted.
pub fn inline(text: &str, exists: &dyn Fn(&str) -> bool) -> Markup {
    html! {
        @for piece in pieces(text) {
            @match piece {
                Piece::Text(text) => (text),
                Piece::Bold(text) => { strong { (text) } },
                Piece::Link(title, text) => {
                    a href={ "/article/" (slug(title)) } class=[(!exists(&slug(title))).then_some("wanted")] { (text) }
                },
            }
        }
    }
}

/// A whole text.
pub fn render(text: &str, exists: &dyn Fn(&str) -> bool) -> Markup {
    let text = text.replace("\r\n", "\n");
    html! { @for block in text.split("\n\n") { (block_of(block.trim_matches('\n'), exists)) } }
}

fn block_of(block: &str, exists: &dyn Fn(&str) -> bool) -> Markup {
    let lines: Vec<&str> = block.lines().collect();
    if let Some(title) = block.strip_prefix("## ") {
        let (title, rest) = title.split_once('\n').unwrap_or((title, ""));
        return html! { h2 id=(slug(title)) { (title.trim()) } @if !rest.is_empty() { (block_of(rest, exists)) } };
    }
    if !lines.is_empty() && lines.iter().all(|line| line.starts_with("- ")) {
        return html! { ul { @for line in lines { li { (inline(line.trim_start_matches("- "), exists)) } } } };
    }
    if let [head, rows @ ..] = lines.as_slice()
        && lines.iter().all(|line| line.starts_with('|'))
    {
        let cells = |line: &str| -> Vec<String> {
            // A bar inside a link is part of the link.
            let line = line.trim().trim_matches('|').to_owned();
            let mut cells = vec![String::new()];
            let mut depth = 0_usize;
            for character in line.chars() {
                match character {
                    '[' => depth += 1,
                    ']' => depth = depth.saturating_sub(1),
                    _ => {}
                }
                if character == '|' && depth == 0 {
                    cells.push(String::new());
                } else if let Some(cell) = cells.last_mut() {
                    cell.push(character);
                }
            }
            cells
        };
        return html! {
            table.data {
                thead { tr { @for cell in cells(head) { th scope="col" { (inline(cell.trim(), exists)) } } } }
                tbody { @for row in rows { tr { @for cell in cells(row) { td { (inline(cell.trim(), exists)) } } } } }
            }
        };
    }
    html! { @if !block.trim().is_empty() { p { (inline(block, exists)) } } }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markup_becomes_pages() {
        let all = |_: &str| true;
        for (text, page) in [
            ("a < b", "<p>a &lt; b</p>"),
            ("**x** y", "<p><strong>x</strong> y</p>"),
            ("## Old Town\n\nText", "<h2 id=\"old-town\">Old Town</h2><p>Text</p>"),
            ("- a\n- b", "<ul><li>a</li><li>b</li></ul>"),
            ("[[River Eskow]]", "<p><a href=\"/article/river-eskow\">River Eskow</a></p>"),
            (
                "[[River Eskow|the \"river\"]]",
                "<p><a href=\"/article/river-eskow\">the &quot;river&quot;</a></p>",
            ),
            ("[[open **bold", "<p>[[open **bold</p>"),
            ("", ""),
        ] {
            assert_eq!(render(text, &all).into_string(), page, "{text}");
        }
        let table = render("| A | B |\n| 1 | [[X|y]] |", &|_| false).into_string();
        assert!(
            table.contains("<th scope=\"col\">A</th>")
                && table.contains("<a href=\"/article/x\" class=\"wanted\">y</a>"),
            "{table}"
        );
    }

    #[test]
    fn links_and_words_are_read_from_a_text() {
        let text = "See [[A b]] and [[C|the d]] in **e**.";
        assert_eq!(links(text), ["a-b", "c"]);
        assert_eq!(plain(text), "See A b and the d in e.");
        assert_eq!(
            headings("x\n## One\n## Two words")
                .iter()
                .map(|heading| heading.anchor.as_str())
                .collect::<Vec<_>>(),
            ["one", "two-words"]
        );
    }
}
