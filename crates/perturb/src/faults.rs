//! Documents that fail once. Nothing that changes anything fails: only documents asked for with GET do, before the site
//! hears of them, so that asking again is safe and helps.

use bytes::Bytes;
use http::StatusCode;
use maud::{DOCTYPE, html};
use umpire_model::Random;

/// What happens instead of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    Status(StatusCode),
    Dropped,
}

impl Fault {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Status(status) => match status {
                StatusCode::INTERNAL_SERVER_ERROR => "500",
                StatusCode::BAD_GATEWAY => "502",
                _ => "503",
            },
            Self::Dropped => "dropped",
        }
    }
}

const FAULTS: [Fault; 4] = [
    Fault::Status(StatusCode::SERVICE_UNAVAILABLE),
    Fault::Dropped,
    Fault::Status(StatusCode::BAD_GATEWAY),
    Fault::Status(StatusCode::INTERNAL_SERVER_ERROR),
];

/// Which documents of an attempt fail, by their number; the retry of one is the next.
#[derive(Debug)]
pub struct Faults {
    due: [(u32, Fault); 2],
}

impl Faults {
    /// The harness opens the first `start_pages` documents; an agent begins after them.
    pub fn new(seed: u64, start_pages: u32) -> Self {
        let mut random = Random::stream(seed, "faults");
        let first = start_pages + 1 + random.below(2) as u32;
        let second = first + 2 + random.below(2) as u32;
        let mut kinds = FAULTS;
        random.shuffle(&mut kinds);
        Self { due: [(first, kinds[0]), (second, kinds[1])] }
    }

    pub fn at(&self, document: u32) -> Option<Fault> {
        self.due.iter().find(|(number, _)| *number == document).map(|(_, fault)| *fault)
    }
}

/// The title of every error page, by which one is known.
pub const TITLE: &str = "Something went wrong on our side";

pub fn error_page(status: StatusCode) -> http::Response<Bytes> {
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head { meta charset="utf-8"; title { (TITLE) } }
            body style="font: 16px/1.5 system-ui, sans-serif; max-width: 560px; margin: 12vh auto; padding: 0 24px" {
                h1 style="font-size: 26px" { (TITLE) }
                p { "The server answered with " (status) ". This is usually over in a moment; please load the page again." }
            }
        }
    };
    let mut response = http::Response::new(Bytes::from(page.into_string()));
    *response.status_mut() = status;
    let headers = response.headers_mut();
    headers.insert("content-type", http::HeaderValue::from_static("text/html; charset=utf-8"));
    headers.insert("retry-after", http::HeaderValue::from_static("1"));
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn start_pages_and_retries_are_spared() {
        for seed in 0..200 {
            for start_pages in 1..3 {
                let faults = Faults::new(seed, start_pages);
                let failing: Vec<u32> = (1..20).filter(|number| faults.at(*number).is_some()).collect();
                assert_eq!(failing.len(), 2, "{seed}");
                assert!(failing[0] > start_pages && failing[1] > failing[0] + 1, "{seed}: {failing:?}");
                assert_ne!(faults.at(failing[0]), faults.at(failing[1]), "{seed}");
            }
        }
    }
}
