//! Whether an attempt ended in front of a wall: a captcha, a bot check, a refusal for too many requests.
//!
//! Only the page where the agent ended up counts, and only for an attempt that did not pass: a wall that was passed, or
//! that stood elsewhere, excuses nothing. A refusal by itself (403) is no wall, since sites also refuse what a visitor
//! has no right to; it takes a mark of somebody who keeps machines out.

mod marks;

use umpire_model::{BlobSource, Exchange, Trajectory};

use crate::network::{body_text, latest_pages};
use marks::{MARKS, Page};

/// A wall, in words, with the event that shows it.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Wall {
    pub reason: String,
    pub evidence: u64,
}

const TOO_MANY_REQUESTS: u16 = 429;
/// Marks stand near the top of a page; a long one is not a wall.
const LOOKED_AT: usize = 64 * 1024;

/// The wall on the last page the agent was on.
pub(crate) fn at_the_end(trajectory: &Trajectory, blobs: &dyn BlobSource) -> Option<Wall> {
    let (evidence, exchange) = latest_pages(trajectory).into_iter().next()?;
    let who = keeper(exchange, blobs)?;
    let status = exchange.response.as_ref().map_or(0, |response| response.status);
    let url = crate::words::shorten(&exchange.request.url);
    Some(Wall { reason: format!("{who} stood at {url} (status {status})"), evidence })
}

/// Who keeps visitors out of a page, if anybody does.
fn keeper(exchange: &Exchange, blobs: &dyn BlobSource) -> Option<&'static str> {
    let response = exchange.response.as_ref()?;
    let mut text = body_text(response, blobs).unwrap_or_default().to_lowercase();
    text.truncate(text.floor_char_boundary(LOOKED_AT));
    let page =
        Page { status: response.status, url: &exchange.request.url, headers: &response.headers, text: &text };
    let marked = MARKS.iter().find(|mark| mark.is_on(&page)).map(|mark| mark.keeper);
    marked.or((response.status == TOO_MANY_REQUESTS).then_some("a limit on requests"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(status: u16, url: &str, headers: &[(&str, &str)], text: &str) -> Option<&'static str> {
        let headers: Vec<(String, String)> =
            headers.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
        let text = text.to_lowercase();
        let page = Page { status, url, headers: &headers, text: &text };
        MARKS.iter().find(|mark| mark.is_on(&page)).map(|mark| mark.keeper)
    }

    #[test]
    fn every_mark_has_a_page_that_bears_it() {
        for (status, url, headers, text, keeper) in [
            (403, "http://travel.localhost/", &[("X-Bot-Wall", "puzzle")][..], "", "the site's bot wall"),
            (403, "https://a.example/", &[("cf-mitigated", "challenge")], "", "Cloudflare"),
            (
                503,
                "https://a.example/",
                &[],
                "<title>Just a moment...</title> /cdn-cgi/challenge-platform/h",
                "Cloudflare",
            ),
            (403, "https://a.example/", &[("server", "DataDome")], "", "DataDome"),
            (
                403,
                "https://a.example/",
                &[],
                "<script src='https://ct.captcha-delivery.com/c.js'>",
                "DataDome",
            ),
            (403, "https://a.example/", &[], "<div id=\"px-captcha\"></div>", "HUMAN"),
            (405, "https://a.example/", &[("x-amzn-waf-action", "captcha")], "", "AWS WAF"),
            (202, "https://a.example/", &[("x-amzn-waf-action", "challenge")], "", "AWS WAF"),
            (
                200,
                "https://a.example/",
                &[],
                "<iframe src=\"/_Incapsula_Resource?CWUDNSAI=9\"> incident id: 7",
                "Imperva",
            ),
            (
                403,
                "https://a.example/",
                &[],
                "Access Denied You don't have permission … errors.edgesuite.net",
                "Akamai",
            ),
            (429, "https://a.example/", &[("x-kpsdk-ct", "1")], "", "Kasada"),
            (
                429,
                "https://www.google.com/sorry/index?continue=x",
                &[],
                "our systems have detected unusual traffic",
                "Google",
            ),
            (403, "https://a.example/", &[], "<div class=\"g-recaptcha\" data-sitekey=x>", "a captcha"),
            (403, "https://a.example/", &[], "<div class=\"h-captcha\">", "a captcha"),
            (403, "https://a.example/", &[], "<div class=\"cf-turnstile\">", "a captcha"),
            (403, "https://a.example/", &[], "<h1>Please verify you are human</h1>", "a bot check"),
        ] {
            assert_eq!(found(status, url, headers, text), Some(keeper), "{status} {url} {headers:?} {text}");
        }
    }

    #[test]
    fn what_is_no_wall_is_not_taken_for_one() {
        for (status, url, headers, text) in [
            (200, "https://a.example/", &[][..], "<h1>Welcome</h1>"),
            (403, "https://git.example/admin", &[], "You have no permission to see this project."),
            (404, "https://a.example/captcha", &[], "Not found"),
            (200, "https://a.example/contact", &[], "<form><div class=\"g-recaptcha\"></div></form>"),
            (200, "https://a.example/blog", &[], "How to verify you are human in 2026"),
            (200, "https://a.example/", &[("server", "cloudflare")], "just a moment of your time"),
            (500, "https://a.example/", &[], "server error"),
        ] {
            assert_eq!(found(status, url, headers, text), None, "{status} {url} {text}");
        }
    }
}
