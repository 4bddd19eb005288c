//! Lists in pages: which part of one a request asks for, links to the other parts, and numbers in words.

use maud::{Markup, html};

use crate::Request;

/// One page of a list.
pub struct Page<'a, T> {
    pub items: &'a [T],
    /// From 1.
    pub number: usize,
    pub pages: usize,
}

/// The part of `items` that the request's `page` asks for, within what there is.
pub fn page_of<'a, T>(request: &Request, items: &'a [T], size: usize) -> Page<'a, T> {
    let pages = items.len().div_ceil(size).max(1);
    let asked: usize = request.query("page").and_then(|page| page.parse().ok()).unwrap_or(1);
    let number = asked.clamp(1, pages);
    let start = (number - 1) * size;
    let end = (start + size).min(items.len());
    Page { items: items.get(start..end).unwrap_or_default(), number, pages }
}

/// The request's own address with one parameter set, or removed if `value` is empty. Any other change than of the
/// page goes back to the first page.
pub fn link_with(request: &Request, name: &str, value: &str) -> String {
    let path = request.target.split('?').next().unwrap_or("/");
    let mut query = url::form_urlencoded::Serializer::new(String::new());
    for (key, old) in
        request.query.iter().filter(|(key, old)| key != name && key != "page" && !old.is_empty())
    {
        query.append_pair(key, old);
    }
    if !value.is_empty() {
        query.append_pair(name, value);
    }
    let query = query.finish();
    if query.is_empty() { path.to_owned() } else { format!("{path}?{query}") }
}

/// Links to the neighbouring pages; nothing for a list that fits on one.
pub fn pager<T>(request: &Request, page: &Page<'_, T>) -> Markup {
    let to = |number: usize| link_with(request, "page", &number.to_string());
    html! {
        @if page.pages > 1 {
            nav.pager aria-label="Pages" {
                @if page.number > 1 { a rel="prev" href=(to(page.number - 1)) { "Previous" } }
                span { "Page " (page.number) " of " (page.pages) }
                @if page.number < page.pages { a rel="next" href=(to(page.number + 1)) { "Next" } }
            }
        }
    }
}

/// `1 commit`, `2 commits`.
pub fn counted(number: usize, noun: &str) -> String {
    format!("{} {noun}{}", grouped(number), if number == 1 { "" } else { "s" })
}

/// `12,345`.
pub fn grouped(number: usize) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use bytes::Bytes;

    use super::*;

    fn request(target: &str) -> Request {
        let request = http::Request::get(format!("http://x.localhost{target}")).body(Bytes::new());
        Request::parse(request.expect("a well-formed request"))
    }

    #[test]
    fn pages_stay_within_the_list() {
        let items: Vec<u32> = (0..45).collect();
        for (target, first, last, number) in
            [("/", 0, 19, 1), ("/?page=3", 40, 44, 3), ("/?page=99", 40, 44, 3), ("/?page=-1", 0, 19, 1)]
        {
            let page = page_of(&request(target), &items, 20);
            assert_eq!((page.items[0], page.items[page.items.len() - 1], page.number), (first, last, number));
            assert_eq!(page.pages, 3);
        }
        assert!(page_of(&request("/"), &[] as &[u32], 20).items.is_empty());
    }

    #[test]
    fn links_keep_the_other_parameters() {
        let here = request("/a%20b/issues?state=open&label=bug&page=3&q=");
        assert_eq!(link_with(&here, "page", "2"), "/a%20b/issues?state=open&label=bug&page=2");
        assert_eq!(link_with(&here, "state", "closed"), "/a%20b/issues?label=bug&state=closed");
        assert_eq!(link_with(&request("/x?label=bug"), "label", ""), "/x");
    }

    #[test]
    fn numbers_are_written_for_people() {
        assert_eq!((counted(1, "star"), counted(1_204, "star")), ("1 star".into(), "1,204 stars".into()));
    }
}
