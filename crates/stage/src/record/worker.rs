//! What the extension's worker tells, as `extension/src/worker/recording.ts` writes it, while it records or afterwards in
//! an exported file.

use base64::Engine as _;
use serde::Deserialize;

use super::collector::{PictureWanted, RawEvent};
use super::noted::StepKey;
use super::report::PageReport;

/// Larger pictures are not of a page at rest.
const LARGEST_PICTURE: usize = 20 << 20;

#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub(super) enum WorkerEvent {
    TabOpened {
        tab: String,
        opener: Option<String>,
        url: String,
        at: u64,
    },
    TabClosed {
        tab: String,
        at: u64,
    },
    Page {
        tab: String,
        report: String,
    },
    /// After the deed `id` of the document, or after the document had loaded.
    Picture {
        tab: String,
        document: String,
        id: Option<u64>,
        jpeg: String,
    },
    Stopped,
}

/// What is to be done about an event of the worker.
pub(super) enum Meaning {
    Raw(RawEvent),
    Picture(WorkerPicture),
    Stopped,
    Nothing,
}

pub(super) struct WorkerPicture {
    tab: String,
    document: String,
    id: Option<u64>,
    pub jpeg: Vec<u8>,
}

impl WorkerEvent {
    pub fn meaning(self) -> Meaning {
        match self {
            Self::TabOpened { tab, opener, url, at } => {
                Meaning::Raw(RawEvent::TabOpened { tab, opener, url, at })
            }
            Self::TabClosed { tab, at } => Meaning::Raw(RawEvent::TabClosed { tab, at }),
            Self::Page { tab, report } => PageReport::read(&report)
                .map_or(Meaning::Nothing, |report| Meaning::Raw(RawEvent::Page { tab, report })),
            Self::Picture { jpeg, .. } if jpeg.len() > LARGEST_PICTURE => Meaning::Nothing,
            Self::Picture { tab, document, id, jpeg } => {
                match base64::engine::general_purpose::STANDARD.decode(jpeg) {
                    Ok(jpeg) if jpeg.starts_with(&[0xff, 0xd8]) => {
                        Meaning::Picture(WorkerPicture { tab, document, id, jpeg })
                    }
                    _ => Meaning::Nothing,
                }
            }
            Self::Stopped => Meaning::Stopped,
        }
    }
}

impl WorkerPicture {
    /// Takes out the steps that this is the picture of.
    pub fn take_shown(&self, waiting: &mut Vec<PictureWanted>) -> Vec<PictureWanted> {
        waiting.extract_if(.., |wanted| self.shows(wanted)).collect()
    }

    fn shows(&self, wanted: &PictureWanted) -> bool {
        match (&wanted.step, self.id) {
            (StepKey::Page(document, id), Some(shown)) => *document == self.document && *id == shown,
            // What was done in the page before is seen once the next one has loaded.
            (StepKey::Page(document, _), None) => wanted.tab == self.tab && *document != self.document,
            (StepKey::Browser(_), _) => wanted.tab == self.tab,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_picture_finds_its_steps() {
        let wanted = |tab: &str, step: StepKey, number| PictureWanted {
            tab: tab.to_owned(),
            url: String::new(),
            step,
            number,
        };
        let page = |document: &str, id| StepKey::Page(document.to_owned(), id);
        let all = vec![
            wanted("1", page("old", 1), 1),
            wanted("1", page("new", 1), 2),
            wanted("1", StepKey::Browser(1), 3),
            wanted("2", page("other", 1), 4),
        ];
        for (id, numbers) in [(Some(1), vec![2, 3]), (None, vec![1, 3]), (Some(9), vec![3])] {
            let picture =
                WorkerPicture { tab: "1".to_owned(), document: "new".to_owned(), id, jpeg: Vec::new() };
            let mut waiting = all.clone();
            let shown: Vec<u32> = picture.take_shown(&mut waiting).iter().map(|found| found.number).collect();
            assert_eq!(shown, numbers, "{id:?}");
            assert_eq!(waiting.len(), all.len() - numbers.len());
        }
    }

    #[test]
    fn what_is_no_event_means_nothing() {
        let means = |text: &str| serde_json::from_str::<WorkerEvent>(text).map(WorkerEvent::meaning);
        assert!(matches!(means(r#"{"kind":"stopped"}"#), Ok(Meaning::Stopped)));
        assert!(matches!(means(r#"{"kind":"page","tab":"1","report":"{}"}"#), Ok(Meaning::Nothing)));
        for jpeg in ["?", "aGVsbG8="] {
            let text = format!(r#"{{"kind":"picture","tab":"1","document":"d","jpeg":"{jpeg}"}}"#);
            assert!(matches!(means(&text), Ok(Meaning::Nothing)), "{jpeg}");
        }
        assert!(means(r#"{"kind":"odd"}"#).is_err());
    }
}
