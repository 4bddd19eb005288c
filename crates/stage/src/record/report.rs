//! What the onlooker in a page reports, as `extension/src/page/wire.d.ts` writes it. It comes from a world that the page
//! cannot enter, but what it quotes is the page's: sizes are bounded here once more.

use serde::Deserialize;

use crate::session::{ControlState, Deed, Portrait};

/// Longer reports are not read.
const LONGEST: usize = 256 << 10;

/// A document, by the random name that the onlooker gave it.
pub(super) type DocumentName = String;
/// Places in `window.frames` from the page down to the frame; -1 for one in a shadow tree.
pub(super) type FramePath = Vec<i32>;

#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct PageReport {
    pub(super) document: DocumentName,
    pub(super) path: FramePath,
    #[serde(flatten)]
    pub(super) told: Told,
}

#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub(super) enum Told {
    /// A document began; `how` is the browser's word for the way it came.
    Document {
        at: u64,
        url: String,
        how: Arrival,
        viewport: (u32, u32),
    },
    Loaded,
    /// The frames in the document.
    Frames {
        frames: Vec<FrameSeen>,
    },
    /// The page itself goes elsewhere.
    Leaving {
        at: u64,
    },
    Deed(Box<DeedReport>),
    Settled(Settled),
    /// What was typed into a secret field.
    Secret {
        id: u64,
        value: String,
    },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Arrival {
    Navigate,
    Reload,
    BackForward,
    #[serde(other)]
    Otherwise,
}

#[derive(Clone, Debug, PartialEq, Deserialize)]
pub(super) struct FrameSeen {
    pub place: i32,
    pub url: String,
    pub id: Option<String>,
    pub name: Option<String>,
    pub title: Option<String>,
    pub index: u32,
}

#[derive(Clone, Debug, PartialEq, Deserialize)]
pub(super) struct DeedReport {
    pub id: u64,
    /// Milliseconds since 1970.
    pub at: u64,
    /// Address of the document it was done in.
    pub url: String,
    pub deed: Deed,
    /// Whether it was done to something that is there to be operated.
    pub interactive: bool,
    pub element: Option<Portrait>,
    pub before: Option<ControlState>,
    pub marks: Option<Vec<String>>,
}

#[derive(Clone, Debug, PartialEq, Deserialize)]
pub(super) struct Settled {
    pub id: u64,
    /// Whether anything in the page changed.
    pub effect: bool,
    pub after: Option<ControlState>,
    pub marks: Option<Vec<String>>,
}

impl PageReport {
    /// Nothing if it is not one: a report is never worth failing for.
    pub fn read(text: &str) -> Option<Self> {
        let report: Self =
            if text.len() <= LONGEST { serde_json::from_str(text).ok()? } else { return None };
        (report.document.len() <= 64 && report.path.len() <= 32).then_some(report)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reports_are_read_and_nothing_else() {
        let click = r#"{"kind":"deed","id":1,"at":5,"url":"http://a/","deed":{"do":"click"},"interactive":true,
            "element":{"tag":"input","locators":{"test_ids":[["data-test","x"]]},"position":{"rect":[1,2.5,3,4]},
            "control":"checkbox"},"before":"off","document":"d","path":[]}"#;
        let read = PageReport::read(click).expect("a report");
        let Told::Deed(deed) = read.told else { panic!("a deed") };
        assert_eq!((deed.deed, deed.before), (Deed::Click { double: false }, Some(ControlState::Off)));
        let document = r#"{"kind":"document","at":1794776451131,"url":"http://a/","how":"prerender",
            "viewport":[1000,713],"document":"d","path":[0,-1]}"#;
        let read = PageReport::read(document).expect("a report");
        assert!(matches!(read.told, Told::Document { how: Arrival::Otherwise, viewport: (1000, 713), .. }));
        let long = format!(r#"{{"kind":"loaded","document":"{}","path":[]}}"#, "d".repeat(65));
        let huge = format!("{}{}", " ".repeat(LONGEST), r#"{"kind":"loaded","document":"d","path":[]}"#);
        for wrong in [
            "",
            "{}",
            "[]",
            r#"{"kind":"loaded"}"#,
            r#"{"kind":"odd","document":"d","path":[]}"#,
            &long,
            &huge,
        ] {
            assert_eq!(PageReport::read(wrong), None);
        }
    }
}
