//! Reading forms: the one way in for anything that changes something.

use std::collections::HashMap;

use axum::body::Bytes;
use axum::extract::{FromRequest, Request};
use http::HeaderMap;
use http::header::{CONTENT_TYPE, HOST, ORIGIN};

use super::{Limit, Who};
use crate::error::PageError;
use crate::state::App;

/// The fields of a form whose token was right, sent from one of our own pages, within the limits of whoever sent it.
pub(crate) struct Checked {
    pub who: Who,
    pub fields: Fields,
}

/// Values by name; a name may come several times.
#[derive(Default)]
pub(crate) struct Fields(HashMap<String, Vec<String>>);

impl Fields {
    fn parse(body: &[u8]) -> Self {
        let mut fields: HashMap<String, Vec<String>> = HashMap::new();
        for (name, value) in url::form_urlencoded::parse(body) {
            fields.entry(name.into_owned()).or_default().push(value.into_owned());
        }
        Self(fields)
    }

    pub(crate) fn get(&self, name: &str) -> &str {
        self.0.get(name).and_then(|values| values.first()).map_or("", String::as_str)
    }

    pub(crate) fn all(&self, name: &str) -> &[String] {
        self.0.get(name).map_or(&[], Vec::as_slice)
    }

    /// A text of at most so many characters, without the spaces around it.
    pub(crate) fn text(&self, name: &str, most: usize) -> Result<String, PageError> {
        let text = self.get(name).trim();
        if text.chars().count() > most {
            return Err(PageError::BadRequest(format!("`{name}` is longer than {most} characters.")));
        }
        Ok(text.to_owned())
    }
}

impl FromRequest<App> for Checked {
    type Rejection = PageError;

    async fn from_request(request: Request, app: &App) -> Result<Self, PageError> {
        let who = request.extensions().get::<Who>().cloned().ok_or(PageError::SignIn)?;
        app.limits.take(Limit::FORMS_VISITOR, &who.visitor)?;
        app.limits.take_for(Limit::FORMS_ADDRESS, who.address)?;
        let headers = request.headers();
        if !is_from_us(headers) {
            return Err(PageError::Forbidden("This form was sent from another site.".to_owned()));
        }
        if !is_form(headers) {
            return Err(PageError::BadRequest("This is not a form.".to_owned()));
        }
        let body = Bytes::from_request(request, app)
            .await
            .map_err(|_| PageError::BadRequest("The form is too large or was cut off.".to_owned()))?;
        let fields = Fields::parse(&body);
        if !who.gave(fields.get("token"), &app.keys) {
            let told = "This form is not, or no longer, yours to send. Load the page again.";
            return Err(PageError::Forbidden(told.to_owned()));
        }
        Ok(Self { who, fields })
    }
}

/// Browsers say which site a form comes from; where one says nothing, the token decides alone.
fn is_from_us(headers: &HeaderMap) -> bool {
    let text = |name| headers.get(name).and_then(|value: &http::HeaderValue| value.to_str().ok());
    match (headers.get(ORIGIN), text(HOST)) {
        (None, _) => true,
        (Some(origin), Some(host)) => origin
            .to_str()
            .ok()
            .and_then(|origin| origin.strip_prefix("http://").or_else(|| origin.strip_prefix("https://")))
            .is_some_and(|origin| origin.eq_ignore_ascii_case(host)),
        (Some(_), None) => false,
    }
}

fn is_form(headers: &HeaderMap) -> bool {
    let given = headers.get(CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    given.split(';').next().is_some_and(|kind| kind.trim() == "application/x-www-form-urlencoded")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_of_other_sites_are_told_by_their_origin() {
        for (origin, ours) in [
            (None, true),
            (Some("http://localhost:8080"), true),
            (Some("https://localhost:8080"), true),
            (Some("http://localhost"), false),
            (Some("http://evil.example"), false),
            (Some("null"), false),
        ] {
            let mut headers = HeaderMap::new();
            headers.insert(HOST, "localhost:8080".parse().expect("a host"));
            if let Some(origin) = origin {
                headers.insert(ORIGIN, origin.parse().expect("an origin"));
            }
            assert_eq!(is_from_us(&headers), ours, "{origin:?}");
        }
    }

    #[test]
    fn fields_may_come_several_times() {
        let fields = Fields::parse(b"a=1&b=x+y&a=%3Cb%3E");
        assert_eq!(fields.all("a"), ["1", "<b>"]);
        assert_eq!(fields.get("b"), "x y");
        assert!(fields.text("b", 2).is_err());
        assert_eq!(fields.get("none"), "");
    }
}
