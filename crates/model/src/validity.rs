//! When and where a task can be asked.

use serde::{Deserialize, Serialize};

use crate::Day;

/// When and where a task can be asked: sites on the open web change. Attempts outside of it are `invalid`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Validity {
    /// The first day.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<Day>,
    /// The last day.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub until: Option<Day>,
    /// What the first start page must show, or else the site is not the one the task was written for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub canary: Option<Canary>,
}

impl Validity {
    /// Why the task cannot be asked on this day, if it cannot.
    pub fn excludes(&self, today: Day) -> Option<String> {
        match (self.from, self.until) {
            (Some(from), _) if today < from => {
                Some(format!("the task is valid from {from} on, and today is {today}"))
            }
            (_, Some(until)) if today > until => {
                Some(format!("the task was valid until {until}, and today is {today}"))
            }
            _ => None,
        }
    }
}

/// Signs by which a start page is known. Each one that is given must be there.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Canary {
    /// Beginning of the address where the browser ends up.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
    /// Part of the page's title.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// Texts on the page, each anywhere.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub text: Vec<String>,
}

impl Canary {
    /// Which sign is missing on a page, if one is.
    pub fn missing(&self, url: &str, title: &str, text: &str) -> Option<String> {
        if let Some(wanted) = self.url.as_deref().filter(|wanted| !url.starts_with(wanted)) {
            return Some(format!("it is at {url}, not at {wanted}"));
        }
        if let Some(wanted) = self.title.as_deref().filter(|wanted| !title.contains(wanted)) {
            return Some(format!("its title is `{title}`, without `{wanted}`"));
        }
        let wanted = self.text.iter().find(|wanted| !text.contains(wanted.as_str()))?;
        Some(format!("it does not show `{wanted}`"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn day(text: &str) -> Day {
        text.parse().expect("a day")
    }

    #[test]
    fn both_ends_of_the_window_belong_to_it() {
        let window = Validity { from: Some(day("2026-03-01")), until: Some(day("2026-03-31")), canary: None };
        for (today, excluded) in [
            ("2026-02-28", Some("the task is valid from 2026-03-01 on, and today is 2026-02-28")),
            ("2026-03-01", None),
            ("2026-03-31", None),
            ("2026-04-01", Some("the task was valid until 2026-03-31, and today is 2026-04-01")),
        ] {
            assert_eq!(window.excludes(day(today)).as_deref(), excluded, "{today}");
        }
        assert_eq!(Validity::default().excludes(day("1999-01-01")), None);
    }

    #[test]
    fn every_sign_of_a_canary_must_be_there() {
        let canary: Canary =
            serde_json::from_str(r#"{"url":"https://a.example/x","title":"Shop","text":["Cart","Sale"]}"#)
                .expect("a canary");
        for (url, title, text, missing) in [
            ("https://a.example/x?y", "The Shop", "Sale\nCart", None),
            (
                "https://b.example/",
                "The Shop",
                "Sale Cart",
                Some("it is at https://b.example/, not at https://a.example/x"),
            ),
            ("https://a.example/x", "Parked", "Sale Cart", Some("its title is `Parked`, without `Shop`")),
            ("https://a.example/x", "Shop", "Cart", Some("it does not show `Sale`")),
        ] {
            assert_eq!(canary.missing(url, title, text).as_deref(), missing);
        }
    }
}
