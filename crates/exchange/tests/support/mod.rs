//! Folders with pictures, and imports of them.

use std::fs;
use std::io::Cursor;
use std::path::{Path, PathBuf};

use image::{ImageFormat, Rgb, RgbImage};
use umpire_exchange::{
    Export, ExportFormat, Exported, Import, ImportError, ImportFormat, ImportReport, export, import,
};
use umpire_model::{AttemptId, Digest, EventBody, Trajectory};
use umpire_store::{Run, Runs};

/// A folder of the shared files, or `None` with a notice if this machine has none.
pub fn shared(path: &str) -> Option<PathBuf> {
    let workspace = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..");
    let shared = std::env::var_os("UMPIRE_SHARED").map_or_else(|| workspace.join("../shared"), PathBuf::from);
    let found = shared.join(path);
    if found.exists() {
        return Some(found);
    }
    println!("skipped: {} does not exist", found.display());
    None
}

/// Says that what a test needs is not here. Where all was fetched for the tests, that is a failure.
pub fn skipped(why: &str) {
    assert!(std::env::var_os("UMPIRE_TEST_NO_SKIP").is_none(), "all should be here, but {why}");
    println!("skipped: {why}");
}

/// A picture that tells itself apart from others by its colour.
pub fn picture(number: u8) -> Vec<u8> {
    let mut out = Cursor::new(Vec::new());
    RgbImage::from_pixel(64, 48, Rgb([number, 40, 90])).write_to(&mut out, ImageFormat::Png).expect("drawn");
    out.into_inner()
}

pub fn write(path: &Path, content: impl AsRef<[u8]>) {
    fs::create_dir_all(path.parent().expect("a folder")).expect("made");
    fs::write(path, content).expect("written");
}

pub fn request(format: ImportFormat, path: &Path) -> Import<'_> {
    Import {
        format,
        path,
        agent: None,
        suite: None,
        strict: false,
        now: "2026-11-15T12:00:00Z".to_owned(),
        rules_digest: Digest::of(b"rules"),
    }
}

pub fn imported(format: ImportFormat, path: &Path, runs: &Path) -> Result<ImportReport, ImportError> {
    import(&request(format, path), &Runs::new(runs))
}

pub fn exported(format: ExportFormat, run: &Run, attempt: Option<&AttemptId>, out: &Path) -> Exported {
    export(&Export { format, run, attempt, out, encoder: None }).expect("exported")
}

pub fn read(run: &Run, id: &AttemptId) -> Trajectory {
    run.attempt(id).read().expect("readable")
}

/// The events' names with what tells them apart, in order.
pub fn outline(trajectory: &Trajectory) -> Vec<String> {
    trajectory
        .events
        .iter()
        .map(|event| match &event.body {
            EventBody::Started { .. } => "started".to_owned(),
            EventBody::Observed(seen) => {
                format!(
                    "seen {} {} {}",
                    seen.step,
                    seen.url,
                    if seen.screenshot.is_some() { "+" } else { "-" }
                )
            }
            EventBody::Thought { step, text } => format!("thought {step} {text}"),
            EventBody::Acted { step, action, error, .. } => {
                format!("acted {step} {action}{}", if error.is_some() { " !" } else { "" })
            }
            EventBody::ForeignAction { step, text, error, .. } => {
                format!("foreign {step} {text}{}", if error.is_some() { " !" } else { "" })
            }
            EventBody::Exchange(exchange) => {
                format!("net {} {}", exchange.request.method, exchange.request.url)
            }
            EventBody::Answered { response } => format!("answered {response}"),
            EventBody::AgentOutput { text, .. } => format!("output {text}"),
            EventBody::Ended { end, steps, counted, .. } => format!("ended {end:?} {steps} {counted}"),
            other => format!("{other:?}"),
        })
        .collect()
}
