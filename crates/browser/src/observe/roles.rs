//! ARIA roles: what an element says it is, or what its tag makes it.

use super::dom::{Dom, Kind, Node, NodeId};

/// The role by which agents, outlines and reference actions know an element. `generic` says nothing, `none` means that
/// the author took the element's own meaning away.
pub(super) fn role_of<'s>(dom: &Dom<'s>, id: NodeId) -> &'s str {
    let node = dom.node(id);
    if node.kind != Kind::Element {
        return "generic";
    }
    if let Some(written) = written_role(node) {
        // An element that takes the focus or names itself cannot be made meaningless.
        if !matches!(written, "none" | "presentation") {
            return written;
        }
        if !is_focusable(node) && !node.has("aria-label") && !node.has("aria-labelledby") {
            return "none";
        }
    }
    native_role(dom, id)
}

/// The first role of the attribute that exists.
fn written_role<'s>(node: &Node<'s>) -> Option<&'s str> {
    let role = node.attribute("role")?;
    let known = role.split_ascii_whitespace().find_map(|token| {
        let token = KNOWN.iter().find(|known| known.eq_ignore_ascii_case(token))?;
        Some(match *token {
            "image" => "img",
            "presentation" => "none",
            other => other,
        })
    })?;
    Some(known)
}

pub(super) fn native_role<'s>(dom: &Dom<'s>, id: NodeId) -> &'s str {
    let node = dom.node(id);
    match node.tag {
        "A" | "AREA" if node.has("href") => "link",
        "BUTTON" | "SUMMARY" => "button",
        "INPUT" => input_role(node),
        "TEXTAREA" => "textbox",
        "SELECT" if is_list_box(node) => "listbox",
        "SELECT" => "combobox",
        "OPTION" => "option",
        "OPTGROUP" | "FIELDSET" | "DETAILS" | "ADDRESS" | "HGROUP" => "group",
        "H1" | "H2" | "H3" | "H4" | "H5" | "H6" => "heading",
        "NAV" => "navigation",
        "MAIN" => "main",
        "SEARCH" => "search",
        "ASIDE" => "complementary",
        "ARTICLE" => "article",
        "HEADER" if is_page_level(dom, id) => "banner",
        "FOOTER" if is_page_level(dom, id) => "contentinfo",
        "SECTION" if has_own_name(node) => "region",
        "FORM" if has_own_name(node) => "form",
        "UL" | "OL" | "MENU" => "list",
        "LI" => "listitem",
        "DT" => "term",
        "DD" => "definition",
        "TABLE" => "table",
        "CAPTION" => "caption",
        "THEAD" | "TBODY" | "TFOOT" => "rowgroup",
        "TR" => "row",
        "TD" => cell_role(dom, id),
        "TH" => header_role(dom, id),
        // An empty alternative text says that the picture is decoration.
        "IMG" if node.attribute("alt") == Some("") && !node.has("title") && !has_own_name(node) => "none",
        "IMG" | "svg" => "img",
        "FIGURE" => "figure",
        "HR" => "separator",
        "P" => "paragraph",
        "BLOCKQUOTE" => "blockquote",
        "DIALOG" => "dialog",
        "PROGRESS" => "progressbar",
        "METER" => "meter",
        "OUTPUT" => "status",
        "IFRAME" => "iframe",
        _ if is_editing_host(node) => "textbox",
        _ => "generic",
    }
}

fn input_role(node: &Node<'_>) -> &'static str {
    match input_type(node).as_str() {
        "button" | "submit" | "reset" | "image" | "file" => "button",
        "checkbox" if node.has("switch") => "switch",
        "checkbox" => "checkbox",
        "radio" => "radio",
        "range" => "slider",
        "number" => "spinbutton",
        "search" if !node.has("list") => "searchbox",
        "hidden" => "none",
        "" | "text" | "search" | "email" | "tel" | "url" if node.has("list") => "combobox",
        _ => "textbox",
    }
}

pub(super) fn input_type(node: &Node<'_>) -> String {
    node.attribute("type").unwrap_or_default().trim().to_ascii_lowercase()
}

pub(super) fn is_password(node: &Node<'_>) -> bool {
    node.tag == "INPUT" && input_type(node) == "password"
}

fn is_list_box(node: &Node<'_>) -> bool {
    node.has("multiple") || node.attribute("size").and_then(|size| size.parse::<u32>().ok()).unwrap_or(0) > 1
}

pub(super) fn is_editing_host(node: &Node<'_>) -> bool {
    matches!(
        node.attribute("contenteditable").map(str::to_ascii_lowercase).as_deref(),
        Some("" | "true" | "plaintext-only")
    )
}

pub(super) fn is_focusable(node: &Node<'_>) -> bool {
    let has_tab_index = node.attribute("tabindex").is_some_and(|index| index.trim().parse::<i32>().is_ok());
    has_tab_index
        || is_editing_host(node)
        || match node.tag {
            "A" | "AREA" => node.has("href"),
            "BUTTON" | "SELECT" | "TEXTAREA" => !node.has("disabled"),
            "INPUT" => !node.has("disabled") && input_type(node) != "hidden",
            "SUMMARY" | "IFRAME" => true,
            _ => false,
        }
}

fn has_own_name(node: &Node<'_>) -> bool {
    ["aria-label", "aria-labelledby", "title"]
        .iter()
        .any(|name| node.attribute(name).is_some_and(|value| !value.trim().is_empty()))
}

/// A header or footer of the page, not of a section of it.
fn is_page_level(dom: &Dom<'_>, id: NodeId) -> bool {
    !dom.ancestors(id).any(|above| {
        let node = dom.node(above);
        node.is(&["ARTICLE", "ASIDE", "MAIN", "NAV", "SECTION"])
            || matches!(
                written_role(node),
                Some("article" | "complementary" | "main" | "navigation" | "region")
            )
    })
}

fn table_of(dom: &Dom<'_>, id: NodeId) -> Option<&'static str> {
    let table = dom.ancestors(id).find(|&above| dom.node(above).tag == "TABLE")?;
    match written_role(dom.node(table)) {
        Some("grid") => Some("grid"),
        Some("treegrid") => Some("treegrid"),
        Some("none") => None,
        _ => Some("table"),
    }
}

fn cell_role(dom: &Dom<'_>, id: NodeId) -> &'static str {
    match table_of(dom, id) {
        Some("table") => "cell",
        Some(_) => "gridcell",
        None => "generic",
    }
}

fn header_role(dom: &Dom<'_>, id: NodeId) -> &'static str {
    if table_of(dom, id).is_none() {
        return "generic";
    }
    match dom.node(id).attribute("scope").unwrap_or_default() {
        "row" | "rowgroup" => "rowheader",
        "col" | "colgroup" => "columnheader",
        // Without a scope, a header heads the row if data stands beside it, else the column.
        _ => {
            let beside = dom.node(id).parent.into_iter().flat_map(|row| dom.children(row));
            if beside.into_iter().any(|cell| dom.node(cell).tag == "TD") {
                "rowheader"
            } else {
                "columnheader"
            }
        }
    }
}

/// Roles of things one operates rather than reads.
pub(super) fn is_widget(role: &str) -> bool {
    matches!(
        role,
        "button"
            | "link"
            | "checkbox"
            | "radio"
            | "switch"
            | "tab"
            | "menuitem"
            | "menuitemcheckbox"
            | "menuitemradio"
            | "option"
            | "combobox"
            | "textbox"
            | "searchbox"
            | "slider"
            | "spinbutton"
            | "treeitem"
    )
}

/// Roles of areas that take the focus only so that the keyboard can reach what is in them.
pub(super) fn is_structure(role: &str) -> bool {
    matches!(
        role,
        "alertdialog"
            | "application"
            | "article"
            | "dialog"
            | "document"
            | "feed"
            | "form"
            | "group"
            | "heading"
            | "list"
            | "listitem"
            | "main"
            | "menu"
            | "menubar"
            | "navigation"
            | "radiogroup"
            | "region"
            | "rowgroup"
            | "status"
            | "table"
            | "tablist"
            | "tabpanel"
            | "toolbar"
            | "iframe"
    )
}

const KNOWN: &[&str] = &[
    "alert",
    "alertdialog",
    "application",
    "article",
    "banner",
    "blockquote",
    "button",
    "caption",
    "cell",
    "checkbox",
    "code",
    "columnheader",
    "combobox",
    "complementary",
    "contentinfo",
    "definition",
    "deletion",
    "dialog",
    "directory",
    "document",
    "emphasis",
    "feed",
    "figure",
    "form",
    "generic",
    "grid",
    "gridcell",
    "group",
    "heading",
    "image",
    "img",
    "insertion",
    "link",
    "list",
    "listbox",
    "listitem",
    "log",
    "main",
    "marquee",
    "math",
    "menu",
    "menubar",
    "menuitem",
    "menuitemcheckbox",
    "menuitemradio",
    "meter",
    "navigation",
    "none",
    "note",
    "option",
    "paragraph",
    "presentation",
    "progressbar",
    "radio",
    "radiogroup",
    "region",
    "row",
    "rowgroup",
    "rowheader",
    "scrollbar",
    "search",
    "searchbox",
    "separator",
    "slider",
    "spinbutton",
    "status",
    "strong",
    "subscript",
    "superscript",
    "switch",
    "tab",
    "table",
    "tablist",
    "tabpanel",
    "term",
    "textbox",
    "time",
    "timer",
    "toolbar",
    "tooltip",
    "tree",
    "treegrid",
    "treeitem",
];
