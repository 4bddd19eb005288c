//! The helper functions a page check may call: `func:reddit_get_post_url('__last_url__')` and its kin.

use crate::python::urllib::{self, UrlError};

/// A call as written in a task: a name and its quoted arguments.
pub(super) struct HelperCall<'a> {
    pub name: &'a str,
    arguments: &'a str,
}

impl<'a> HelperCall<'a> {
    /// Reads the call that follows `func:`.
    pub(super) fn parse(text: &'a str) -> Option<Self> {
        let (name, arguments) = text.strip_suffix(')')?.split_once('(')?;
        Some(Self { name, arguments })
    }

    /// The last argument, without its quotes.
    pub(super) fn last_argument(&self) -> &'a str {
        let last = self.arguments.rsplit(',').next().unwrap_or_default().trim();
        last.trim_matches(['\'', '"'])
    }
}

/// The address of the post that a forum URL lies under; other URLs are given back as they are.
pub(super) fn post_url(url: &str) -> Result<String, UrlError> {
    let parts = urllib::split(url)?;
    let segments: Vec<&str> = parts.path_and_parameters().0.split('/').collect();
    Ok(match segments[..] {
        [_, "f", forum, post, ..] => format!("{}://{}/f/{forum}/{post}/", parts.scheme, parts.authority),
        _ => url.to_owned(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn post_urls_lose_what_follows_the_post() {
        for (url, expected) in [
            ("http://r:9999/f/books/81371/some-title", "http://r:9999/f/books/81371/"),
            ("http://r:9999/f/books/81371/-/comment/5?x=1", "http://r:9999/f/books/81371/"),
            ("http://r:9999/f/books", "http://r:9999/f/books"),
            ("http://r:9999/user/a/b", "http://r:9999/user/a/b"),
            ("http://r:9999/f/books/", "http://r:9999/f/books//"),
        ] {
            assert_eq!(post_url(url), Ok(expected.to_owned()), "{url}");
        }
    }

    #[test]
    fn calls_are_read() {
        let call = HelperCall::parse("gitlab_get_project_memeber_role(__page__, 'yjlou')").expect("a call");
        assert_eq!((call.name, call.last_argument()), ("gitlab_get_project_memeber_role", "yjlou"));
        assert!(HelperCall::parse("no call").is_none());
    }
}
