//! A recording that the extension made by itself, as its popup exports it, made into a session.

use std::path::Path;

use serde::Deserialize;
use umpire_model::Viewport;

use super::collector::{Collector, Heading, PictureWanted, RawEvent};
use super::live::{Recorded, as_text};
use super::worker::{Meaning, WorkerEvent};
use super::writer::{SessionWriter, WriteError};

const EXPORT_VERSION: u32 = 1;

#[derive(Debug, thiserror::Error)]
pub enum ExportError {
    #[error("it is no recording of the extension: {0}")]
    Syntax(#[from] serde_json::Error),
    #[error("it is a recording of version {0}; this program reads version {EXPORT_VERSION}")]
    Version(u32),
    #[error(transparent)]
    Write(#[from] WriteError),
}

#[derive(Deserialize)]
struct Export {
    version: u32,
    name: String,
    began: u64,
    recorder: String,
    events: Vec<WorkerEvent>,
}

/// Writes the session and its pictures, under the recording's own name unless another is given.
pub fn from_export(text: &str, name: Option<&str>, folder: &Path) -> Result<Recorded, ExportError> {
    let export: Export = serde_json::from_str(text)?;
    if export.version != EXPORT_VERSION {
        return Err(ExportError::Version(export.version));
    }
    let name = name.unwrap_or(&export.name).to_owned();
    let mut writer = SessionWriter::create(folder, &name)?;
    let mut collector = Collector::new(Heading {
        name,
        recorded_at: as_text(export.began),
        began: export.began,
        recorder: export.recorder,
        start_url: String::new(),
        viewport: Viewport::default(),
    });
    let mut waiting: Vec<PictureWanted> = Vec::new();
    for event in export.events {
        match event.meaning() {
            Meaning::Raw(raw) => collector.take_in(raw),
            Meaning::Picture(picture) => {
                for PictureWanted { step, number, .. } in picture.take_shown(&mut waiting) {
                    let file = writer.picture(number, &picture.jpeg)?;
                    collector.take_in(RawEvent::Picture { step, file });
                }
            }
            Meaning::Stopped | Meaning::Nothing => {}
        }
        waiting.extend(collector.take_wanted_pictures());
    }
    let session = collector.session();
    writer.write(&session)?;
    Ok(Recorded { path: writer.path(), session })
}
