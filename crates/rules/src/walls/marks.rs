//! What walls are known by: one line a mark, the surest ones first.

/// A page, as a mark looks at it.
pub(super) struct Page<'a> {
    pub status: u16,
    pub url: &'a str,
    pub headers: &'a [(String, String)],
    /// In lower case.
    pub text: &'a str,
}

/// Where a mark is found.
pub(super) enum Place {
    /// A header of this name, whose value holds this text.
    Header(&'static str, &'static str),
    /// All of these, in the page's source.
    Text(&'static [&'static str]),
    Url(&'static str),
}

pub(super) struct Mark {
    /// Who keeps machines out, for the reason of a verdict.
    pub keeper: &'static str,
    place: Place,
    /// Statuses the mark counts with; any, if there are none. What a page in use may carry counts with a refusal only.
    statuses: &'static [u16],
}

const REFUSED: &[u16] = &[401, 403, 405, 406, 418, 429, 503];

impl Mark {
    pub fn is_on(&self, page: &Page<'_>) -> bool {
        let fits_status = self.statuses.is_empty() || self.statuses.contains(&page.status);
        fits_status
            && match self.place {
                Place::Header(name, text) => page.headers.iter().any(|(key, value)| {
                    key.eq_ignore_ascii_case(name) && value.to_lowercase().contains(text)
                }),
                Place::Text(parts) => parts.iter().all(|part| page.text.contains(part)),
                Place::Url(part) => page.url.contains(part),
            }
    }
}

const fn mark(keeper: &'static str, place: Place, statuses: &'static [u16]) -> Mark {
    Mark { keeper, place, statuses }
}

pub(super) const MARKS: &[Mark] = &[
    mark("the site's bot wall", Place::Header("x-bot-wall", ""), &[]),
    mark("Cloudflare", Place::Header("cf-mitigated", "challenge"), &[]),
    mark("Cloudflare", Place::Text(&["/cdn-cgi/challenge-platform/", "just a moment"]), &[]),
    mark("DataDome", Place::Header("server", "datadome"), REFUSED),
    mark("DataDome", Place::Text(&["captcha-delivery.com"]), REFUSED),
    mark("HUMAN", Place::Text(&["px-captcha"]), REFUSED),
    mark("AWS WAF", Place::Header("x-amzn-waf-action", ""), &[]),
    mark("Imperva", Place::Text(&["_incapsula_resource", "incident id"]), &[]),
    mark("Akamai", Place::Text(&["access denied", "errors.edgesuite.net"]), REFUSED),
    mark("Kasada", Place::Header("x-kpsdk-ct", ""), REFUSED),
    mark("Google", Place::Url("google.com/sorry/"), &[]),
    mark("a captcha", Place::Text(&["g-recaptcha"]), REFUSED),
    mark("a captcha", Place::Text(&["h-captcha"]), REFUSED),
    mark("a captcha", Place::Text(&["cf-turnstile"]), REFUSED),
    mark("a captcha", Place::Text(&["captcha", "human"]), REFUSED),
    mark("a bot check", Place::Text(&["verify you are human"]), REFUSED),
    mark("a bot check", Place::Text(&["are you a robot"]), REFUSED),
    mark("a bot check", Place::Text(&["unusual traffic"]), REFUSED),
];
