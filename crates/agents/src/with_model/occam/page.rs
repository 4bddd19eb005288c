//! The outline without what only lays a page out, and the pivotal part of one.

/// Roles that say how something is arranged, not what it is.
const ARRANGEMENT: [&str; 14] = [
    "list",
    "listitem",
    "row",
    "rowgroup",
    "cell",
    "gridcell",
    "group",
    "generic",
    "region",
    "figure",
    "presentation",
    "separator",
    "contentinfo",
    "banner",
];

struct Line<'a> {
    depth: usize,
    text: &'a str,
}

fn lines(outline: &str) -> impl Iterator<Item = Line<'_>> {
    outline.lines().map(|line| {
        let text = line.trim_start();
        Line { depth: (line.len() - text.len()) / 2, text: text.strip_prefix("- ").unwrap_or(text) }
    })
}

fn role(text: &str) -> &str {
    let end = text.find([' ', ':']).unwrap_or(text.len());
    &text[..end]
}

/// Drops lines that only arrange and lifts what is in them; a text that repeats the line before it is dropped too.
pub(super) fn pruned(outline: &str) -> String {
    let mut kept = String::with_capacity(outline.len());
    // Depths of the lines dropped on the way down to the current one.
    let mut lifted: Vec<usize> = Vec::new();
    let mut last = "";
    for line in lines(outline) {
        while lifted.last().is_some_and(|depth| *depth >= line.depth) {
            lifted.pop();
        }
        let is_bare = ARRANGEMENT.contains(&line.text);
        if is_bare {
            lifted.push(line.depth);
            continue;
        }
        let words = line.text.strip_prefix("text ").unwrap_or(line.text).trim_matches('"');
        if line.text.starts_with("text ") && !words.is_empty() && last.contains(words) {
            continue;
        }
        kept.extend(std::iter::repeat_n("  ", line.depth - lifted.len()));
        // What an arranging line carries itself is all that matters of it.
        let told = match line.text.split_once(": ") {
            Some((arranging, told)) if ARRANGEMENT.contains(&arranging) => told,
            _ => line.text,
        };
        kept.push_str(told);
        kept.push('\n');
        last = line.text;
    }
    kept
}

/// The lines of these elements with the headings above them: what is worth remembering of a page.
pub(super) fn pivotal(page: &str, marks: &[u32]) -> String {
    let mut kept = String::new();
    // Headings on the way down to the current line, not yet told.
    let mut above: Vec<Line<'_>> = Vec::new();
    for line in lines(page) {
        above.retain(|heading| heading.depth <= line.depth);
        if marks.iter().any(|mark| line.text.contains(&format!("[{mark}]"))) {
            for heading in above.drain(..) {
                kept.push_str(heading.text);
                kept.push('\n');
            }
            kept.push_str(line.text);
            kept.push('\n');
        } else if role(line.text) == "heading" {
            above.retain(|heading| heading.depth < line.depth);
            above.push(line);
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    const OUTLINE: &str = r#"- heading "All products" (level 1)
- list
  - listitem
    - link [1] "Desk lamp"
    - text "Desk lamp"
    - text "24.99 EUR"
  - listitem: "Sold out"
- heading "Help" (level 2)
- button [2] "Ask"
"#;

    #[test]
    fn what_only_arranges_is_dropped_and_its_content_lifted() {
        let expected = "heading \"All products\" (level 1)\nlink [1] \"Desk lamp\"\ntext \"24.99 EUR\"\n\"Sold out\"\n\
                        heading \"Help\" (level 2)\nbutton [2] \"Ask\"\n";
        assert_eq!(pruned(OUTLINE), expected);
    }

    #[test]
    fn depth_that_carries_meaning_stays() {
        let outline = "- navigation \"Main\"\n  - list\n    - link [1] \"Home\"\n- dialog \"Sure?\"\n  - group\n    - group\n      - button [2] \"Yes\"\n";
        assert_eq!(
            pruned(outline),
            "navigation \"Main\"\n  link [1] \"Home\"\ndialog \"Sure?\"\n  button [2] \"Yes\"\n"
        );
    }

    #[test]
    fn pivotal_lines_come_with_their_heading() {
        let page = pruned(OUTLINE);
        assert_eq!(pivotal(&page, &[2]), "heading \"Help\" (level 2)\nbutton [2] \"Ask\"\n");
        assert_eq!(pivotal(&page, &[9]), "");
        assert!(pivotal(&page, &[1, 2]).starts_with("heading \"All products\""));
    }

    proptest::proptest! {
        #[test]
        fn any_outline_is_taken(outline in "([ -]{0,6}[a-z]{0,8}( \"[a-z ]{0,5}\")?(: x)?\n){0,20}") {
            let page = pruned(&outline);
            proptest::prop_assert!(page.len() <= outline.len() + outline.lines().count());
            let _ = pivotal(&page, &[1]);
        }
    }
}
