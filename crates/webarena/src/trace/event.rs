//! One recorded request with its response: the parts evaluators look at, and what was wrong with them.
//!
//! Evaluators disagree about broken recordings. The reference fails the moment it touches a missing member; strict
//! evaluation passes over it. So every part is kept either as recorded or as the defect found in its place.

use crate::python::urllib;

/// What is wrong with a member of a recorded request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Defect {
    #[error("{0} is missing")]
    Missing(&'static str),
    #[error("{0} has the wrong type")]
    WrongType(&'static str),
    #[error("{0} cannot be taken apart as a URL")]
    NotAUrl(&'static str),
    #[error("{0} is longer than this evaluation keeps")]
    TooLong(&'static str),
}

/// A value that is neither object nor array.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Scalar {
    Null,
    Bool(bool),
    /// As written, including Python's `NaN` and infinities.
    Number(String),
    Text(String),
}

/// A request header; the name is in lower case.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Header {
    pub name: String,
    pub value: String,
}

/// A cookie set by the response; the value is percent-decoded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cookie {
    pub name: String,
    pub value: String,
}

/// The well-formed items of a recorded list, and the first defect among the others.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Listed<T> {
    items: Vec<T>,
    defect: Option<Defect>,
}

impl<T> Listed<T> {
    pub(super) fn new(items: Vec<T>, defect: Option<Defect>) -> Self {
        Self { items, defect }
    }

    pub(super) fn broken(defect: Defect) -> Self {
        Self { items: Vec::new(), defect: Some(defect) }
    }

    /// The items that are what they should be.
    pub fn well_formed(&self) -> &[T] {
        &self.items
    }

    /// All items, or the reason there are not all.
    pub fn all(&self) -> Result<&[T], Defect> {
        self.defect.map_or(Ok(&self.items), Err)
    }
}

/// A string member of a recorded body, or what was there instead.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum BodyMember {
    #[default]
    Absent,
    Text(String),
    /// A longer string than the reader was told to keep.
    TooLong,
    /// Something else. How the reference goes on depends on Python's truth of it, and on whether one can look
    /// something up in it, as in an array or object.
    Other {
        truthy: bool,
        container: bool,
    },
}

/// A recorded request or response body.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Body {
    pub mime_type: BodyMember,
    pub text: BodyMember,
    /// `base64` if the text is not the body itself. The reference never looks here.
    pub encoding: Option<String>,
    /// Form fields listed one by one. The reference never looks here.
    pub parameters: Vec<(String, String)>,
    /// The file of a Playwright trace that holds the body instead. The reference never looks here.
    pub resource: Option<String>,
}

/// What no evaluator looks at and a whole record of the request has: times, versions, the answer's headers.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Surroundings {
    pub started: Option<String>,
    /// Milliseconds, as written.
    pub time: Option<String>,
    /// Milliseconds on the clock of a Playwright trace, as written.
    pub monotonic: Option<String>,
    pub resource_type: Option<String>,
    pub main_frame: Option<bool>,
    pub frame: Option<String>,
    pub error: Option<String>,
    pub request_version: Option<String>,
    pub response_version: Option<String>,
    pub status_text: Option<String>,
    /// Names as written.
    pub response_headers: Vec<Header>,
    /// Bytes on the wire, as written.
    pub body_size: Option<String>,
}

/// One request with its response.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Event {
    pub url: Result<String, Defect>,
    pub method: Result<String, Defect>,
    pub headers: Listed<Header>,
    /// `None` without a body, or if the reader was told not to keep request bodies.
    pub post_data: Result<Option<Body>, Defect>,
    pub status: Result<Scalar, Defect>,
    /// Where a redirect leads. The reference never looks here.
    pub redirect_url: Option<String>,
    pub cookies: Listed<Cookie>,
    /// `None` without a body, or if the reader was told not to keep response bodies.
    pub content: Result<Option<Body>, Defect>,
    /// `None` unless the reader was told to keep them.
    pub surroundings: Option<Box<Surroundings>>,
}

/// Endings of paths that are page furniture. Compared case-sensitively.
const STATIC_ENDINGS: [&str; 12] =
    [".css", ".js", ".png", ".jpg", ".jpeg", ".gif", ".svg", ".woff", ".woff2", ".ttf", ".ico", ".webp"];

/// Whether a URL is more than a stylesheet, script, picture or font.
pub fn is_evaluation_url(url: &str) -> Result<bool, urllib::UrlError> {
    let url = urllib::split(url)?;
    let (path, _) = url.path_and_parameters();
    Ok(!STATIC_ENDINGS.iter().any(|ending| path.ends_with(ending)))
}

impl Event {
    /// Whether the network checks look at this event at all.
    pub fn is_evaluation_event(&self) -> Result<bool, Defect> {
        is_evaluation_url(self.url()?).map_err(|_| Defect::NotAUrl("request.url"))
    }

    pub fn url(&self) -> Result<&str, Defect> {
        self.url.as_deref().map_err(|&defect| defect)
    }

    pub fn method(&self) -> Result<&str, Defect> {
        self.method.as_deref().map_err(|&defect| defect)
    }

    /// The status as a number, if it is one.
    pub fn status_code(&self) -> Option<u16> {
        match self.status.as_ref().ok()? {
            Scalar::Number(number) | Scalar::Text(number) => number.parse().ok(),
            Scalar::Null | Scalar::Bool(_) => None,
        }
    }

    /// The value of a request header (name in lower case); of several with the same name, the last.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers
            .well_formed()
            .iter()
            .rev()
            .find(|header| header.name == name)
            .map(|header| header.value.as_str())
    }

    /// Whether the reference takes this request for the loading of a page.
    ///
    /// Without `sec-fetch-user` a wish for HTML is enough for it, so a frame inside a page passes.
    pub fn is_navigation_event(&self) -> Result<bool, Defect> {
        match self.method() {
            Ok("GET") => {}
            Ok(_) | Err(Defect::WrongType(_)) => return Ok(false),
            Err(defect) => return Err(defect),
        }
        self.headers.all()?;
        let lowered = |name| self.header(name).map(str::to_lowercase);
        let accept = lowered("accept").unwrap_or_default();
        Ok(match lowered("sec-fetch-user") {
            Some(user) => {
                user == "?1"
                    && lowered("sec-fetch-dest").as_deref() == Some("document")
                    && lowered("sec-fetch-mode").as_deref() == Some("navigate")
                    && accept.contains("text/html")
            }
            None => accept.starts_with("text/html"),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn page_furniture_is_told_by_the_end_of_the_path() {
        for (url, expected) in [
            ("http://h/a.css", false),
            ("http://h/a.css?v=1", false),
            ("http://h/a.css;v=1", false),
            ("http://h/a.CSS", true),
            ("http://h/a?f=.css", true),
            ("http://h.css", true),
            ("data:image/png", true),
        ] {
            assert_eq!(is_evaluation_url(url), Ok(expected), "{url}");
        }
        assert!(is_evaluation_url("http://[bad").is_err());
    }
}
