//! Recordings of other recorders, turned into sessions.
//!
//! Each field of a source is carried into the session or named in its remarks: the fields of an object are taken one
//! by one, and what nobody took is remarked. Markup, scripts, tokens and passwords are never carried over.

mod addresses;
mod devtools;
mod markup;
mod portray;
mod remarks;
mod source;
mod websp;

use std::collections::BTreeSet;
use std::fmt;
use std::path::Path;
use std::str::FromStr;

use serde_json::value::RawValue;

use crate::Session;
use crate::session::{Deed, Entry, Purpose, Step};
use remarks::Remarks;
use source::Source;

/// Files beyond this are no recordings of clicks.
pub const MAX_BYTES: usize = 64 << 20;
const MAX_STEPS: usize = 10_000;

#[derive(Debug, thiserror::Error)]
pub enum ImportError {
    #[error("{problem}")]
    Syntax { line: usize, problem: String },
    #[error("{problem}")]
    Shape { line: usize, problem: String },
    #[error("it has {bytes} bytes; recordings have at most {MAX_BYTES}")]
    Size { bytes: usize },
    #[error(
        "it is neither a trace of WebSP-Eval (`events`, `startUrl`) nor a DevTools recording (`title`, `steps`)"
    )]
    UnknownFormat,
    #[error("it is already a session of Umpire")]
    AlreadyASession,
}

impl ImportError {
    /// Where in the file, if it is about a place.
    pub fn line(&self) -> Option<usize> {
        match self {
            Self::Syntax { line, .. } | Self::Shape { line, .. } => Some(*line),
            Self::Size { .. } | Self::UnknownFormat | Self::AlreadyASession => None,
        }
    }
}

/// Whose recording a file is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RecordingFormat {
    /// Session traces of WebSP-Eval's recorder, of any generation.
    Websp,
    /// The JSON that the recorder panel of Chrome `DevTools` exports.
    DevTools,
}

#[derive(Debug, thiserror::Error)]
#[error("there are websp and devtools")]
pub struct UnknownRecordingFormat;

impl FromStr for RecordingFormat {
    type Err = UnknownRecordingFormat;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text {
            "websp" => Ok(Self::Websp),
            "devtools" => Ok(Self::DevTools),
            _ => Err(UnknownRecordingFormat),
        }
    }
}

impl fmt::Display for RecordingFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Websp => "websp",
            Self::DevTools => "devtools",
        })
    }
}

/// Turns a recording into a session. `path` is where the text came from: traces of WebSP-Eval repeat facts in their
/// folder names, and contradictions are remarked. Without a format, the fields tell whose it is.
pub fn import(text: &str, path: &Path, format: Option<RecordingFormat>) -> Result<Session, ImportError> {
    if text.len() > MAX_BYTES {
        return Err(ImportError::Size { bytes: text.len() });
    }
    let text = text.trim_start_matches('\u{feff}');
    let text = addresses::with_our_placeholders(text);
    let source = Source::new(&text);
    let top: &RawValue = serde_json::from_str(&text)
        .map_err(|error| ImportError::Syntax { line: error.line(), problem: error.to_string() })?;
    let mut fields = source.object(top, "the file")?;
    if fields.has("version") && fields.has("recorder") {
        return Err(ImportError::AlreadyASession);
    }
    let format = format.or_else(|| recognized(&fields)).ok_or(ImportError::UnknownFormat)?;
    let mut remarks = Remarks::default();
    let mut session = match format {
        RecordingFormat::Websp => websp::session(&source, &mut fields, path, &mut remarks)?,
        RecordingFormat::DevTools => devtools::session(&source, &mut fields, &mut remarks)?,
    };
    fields.remark_the_rest(None, &mut remarks);
    make_logging_in_a_way(&mut session.steps);
    session.remarks = remarks.lines();
    Ok(session)
}

/// What is typed beside a password is part of logging in: it leads somewhere, and is not there to be read back.
fn make_logging_in_a_way(steps: &mut [Step]) {
    let asks = |step: &Step| matches!(step.deed, Deed::Type { text: Entry::Secret(_) });
    let pages: BTreeSet<String> =
        steps.iter().filter(|step| asks(step)).map(|step| step.url.clone()).collect();
    for step in steps.iter_mut().filter(|step| pages.contains(&step.url)) {
        if matches!(step.deed, Deed::Type { .. }) {
            step.purpose = Purpose::Way;
        }
    }
}

fn recognized(fields: &source::RawFields<'_>) -> Option<RecordingFormat> {
    if fields.has("events") && fields.has("startUrl") {
        Some(RecordingFormat::Websp)
    } else if fields.has("title") && fields.has("steps") {
        Some(RecordingFormat::DevTools)
    } else {
        None
    }
}
