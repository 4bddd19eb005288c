//! A telephone's window. The built-in sites are drawn for wide ones, so their columns are stacked, as a site with a style
//! for small screens would do; the browser makes the window narrow.

use super::page::{Kind, pieces};

/// Adds the style for small screens to a document.
pub fn stack_columns(page: &str) -> String {
    let head = pieces(page).into_iter().find(|piece| piece.kind == Kind::Close && piece.name() == "head");
    let Some(head) = head else { return page.to_owned() };
    let style = include_str!("assets/mobile.css");
    format!("{}<style>{style}</style>{}", &page[..head.at], &page[head.at..])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_style_comes_last_in_the_head() {
        let page = "<head><title></head></title><link></head><body>x</body>";
        let changed = stack_columns(page);
        assert!(changed.starts_with("<head><title></head></title><link><style>"), "{changed}");
        assert!(changed.ends_with("</style></head><body>x</body>"), "{changed}");
        assert_eq!(stack_columns("<p>a part</p>"), "<p>a part</p>");
    }
}
