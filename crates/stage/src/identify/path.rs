//! Paths to an element: written for a recording, and followed back on another page.

use umpire_browser::observe::inventory::{Inventory, Item};

use super::generated::looks_generated;

/// A step of a path, from the element upwards.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Step {
    /// `tag#id`, or `*[@id="…"]`, which says nothing of the tag.
    Id { tag: Option<String>, id: String },
    /// The tag, and its place among siblings of that tag.
    Place { tag: String, nth: u32 },
    /// A shadow root is entered here.
    Shadow,
}

/// Tags and places up to the nearest element with an id of its own, with a `::shadow` step where a shadow root is entered.
pub fn css_path(page: &Inventory, at: usize) -> String {
    let mut steps = Vec::new();
    let mut next = Some(at);
    while let Some(item) = next.and_then(|at| page.items.get(at)) {
        if let Some(id) = written_id(item) {
            steps.push(format!("{}#{id}", item.tag));
            break;
        }
        steps.push(match item.tag.as_str() {
            tag @ ("html" | "body") => tag.to_owned(),
            tag => format!("{tag}:nth-of-type({})", item.among_siblings.0),
        });
        if item.enters_shadow {
            steps.push("::shadow".to_owned());
        }
        next = item.parent;
    }
    steps.reverse();
    steps.join(" > ")
}

/// From the nearest element with an id, or from the root, inside the innermost shadow root or document.
pub fn xpath(page: &Inventory, at: usize) -> String {
    let mut steps = Vec::new();
    let mut next = Some(at);
    while let Some(item) = next.and_then(|at| page.items.get(at)) {
        if let Some(id) = written_id(item).filter(|id| !id.contains('"')) {
            steps.push(format!("//*[@id=\"{id}\"]"));
            break;
        }
        steps.push(match item.tag.as_str() {
            tag @ ("html" | "body") => format!("/{tag}"),
            tag => format!("/{tag}[{}]", item.among_siblings.0),
        });
        if item.enters_shadow {
            break;
        }
        next = item.parent;
    }
    steps.reverse();
    steps.concat()
}

fn written_id(item: &Item) -> Option<&str> {
    item.attribute("id").filter(|id| {
        !id.is_empty() && !looks_generated(id) && !id.contains(|c: char| c.is_whitespace() || c == '>')
    })
}

/// The share of a recorded CSS path that leads to this element, from its end; 1 is the whole path.
pub fn along_css(path: &str, page: &Inventory, at: usize) -> f64 {
    let steps: Option<Vec<Step>> = path.split(" > ").map(|step| css_step(step.trim())).collect();
    steps.map_or(0.0, |steps| along(steps.into_iter().rev().collect(), page, at))
}

/// The same for a path expression.
pub fn along_xpath(path: &str, page: &Inventory, at: usize) -> f64 {
    let steps = path.split('/').filter(|step| !step.is_empty());
    let steps: Option<Vec<Step>> = steps.map(xpath_step).collect();
    steps.map_or(0.0, |steps| along(steps.into_iter().rev().collect(), page, at))
}

fn css_step(written: &str) -> Option<Step> {
    if written == "::shadow" {
        return Some(Step::Shadow);
    }
    if let Some((tag, id)) = written.split_once('#') {
        let tag = Some(tag.to_owned()).filter(|tag| !tag.is_empty());
        return Some(Step::Id { tag, id: unescaped(id) });
    }
    let (tag, nth) = match written.split_once(":nth-of-type(") {
        Some((tag, rest)) => (tag, rest.strip_suffix(')')?.parse().ok()?),
        None => (written, 1),
    };
    is_tag(tag).then(|| Step::Place { tag: tag.to_ascii_lowercase(), nth })
}

/// A name as the page has it: `\31 a` is `1a`, and any other character after a backslash is itself.
fn unescaped(written: &str) -> String {
    const LONGEST_CODE: usize = 6;
    let mut name = String::with_capacity(written.len());
    let mut rest = written.chars().peekable();
    while let Some(next) = rest.next() {
        if next != '\\' {
            name.push(next);
            continue;
        }
        let mut code = String::new();
        while let Some(digit) = rest.next_if(|c| c.is_ascii_hexdigit() && code.len() < LONGEST_CODE) {
            code.push(digit);
        }
        if code.is_empty() {
            name.extend(rest.next());
        } else {
            name.extend(u32::from_str_radix(&code, 16).ok().and_then(char::from_u32));
            rest.next_if_eq(&' ');
        }
    }
    name
}

fn xpath_step(written: &str) -> Option<Step> {
    let (tag, rest) = written.split_once('[').map_or((written, ""), |(tag, rest)| (tag, rest));
    let inside = rest.strip_suffix(']');
    if let Some(id) = inside.and_then(|inside| inside.strip_prefix("@id=")) {
        let id = id.trim_matches(['"', '\'']).to_owned();
        return Some(Step::Id { tag: Some(tag.to_ascii_lowercase()).filter(|tag| tag != "*"), id });
    }
    let nth = match inside {
        Some(inside) => inside.parse().ok()?,
        None => 1,
    };
    is_tag(tag).then(|| Step::Place { tag: tag.to_ascii_lowercase(), nth })
}

fn is_tag(written: &str) -> bool {
    !written.is_empty() && written.chars().all(|c| c.is_alphanumeric() || matches!(c, '-' | '_'))
}

/// Follows the steps from the element upwards as far as they hold.
fn along(steps: Vec<Step>, page: &Inventory, at: usize) -> f64 {
    let all = steps.len();
    let mut held = 0;
    let mut now = Some(at);
    let mut below_shadow = false;
    for step in steps {
        if step == Step::Shadow {
            // The step before has moved up from what enters the shadow root.
            if !below_shadow {
                break;
            }
            held += 1;
            continue;
        }
        let Some(item) = now.and_then(|at| page.items.get(at)) else { break };
        let holds = match &step {
            Step::Id { tag, id } => {
                item.attribute("id") == Some(id) && tag.as_ref().is_none_or(|tag| *tag == item.tag)
            }
            Step::Place { tag, nth } => item.tag == *tag && item.among_siblings.0 == *nth,
            Step::Shadow => false,
        };
        if !holds {
            break;
        }
        held += 1;
        below_shadow = item.enters_shadow;
        now = item.parent;
    }
    if all == 0 { 0.0 } else { f64::from(held) / all as f64 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_are_read_as_they_are_written() {
        let place = |tag: &str, nth| Some(Step::Place { tag: tag.to_owned(), nth });
        let id =
            |tag: Option<&str>, id: &str| Some(Step::Id { tag: tag.map(str::to_owned), id: id.to_owned() });
        assert_eq!(css_step("div:nth-of-type(12)"), place("div", 12));
        assert_eq!(css_step("body"), place("body", 1));
        assert_eq!(css_step("x-row#main"), id(Some("x-row"), "main"));
        assert_eq!(css_step("div#\\31 a\\:b"), id(Some("div"), "1a:b"));
        assert_eq!(css_step("::shadow"), Some(Step::Shadow));
        assert_eq!(css_step("div.a[b]"), None);
        assert_eq!(css_step("div:nth-of-type(x)"), None);
        assert_eq!(xpath_step("li[3]"), place("li", 3));
        assert_eq!(xpath_step("body"), place("body", 1));
        assert_eq!(xpath_step("*[@id=\"a b\"]"), id(None, "a b"));
        assert_eq!(xpath_step("li[last()]"), None);
    }

    proptest::proptest! {
        #[test]
        fn no_text_upsets_the_reader(path in "\\PC{0,60}") {
            let page = Inventory { url: String::new(), viewport: umpire_model::Viewport::default(), items: Vec::new(), frames: Vec::new() };
            proptest::prop_assert!((0.0..=1.0).contains(&along_css(&path, &page, 0)));
            proptest::prop_assert!((0.0..=1.0).contains(&along_xpath(&path, &page, 0)));
        }
    }
}
