//! The lines of `trace.trace`, as far as they are read. Members differ by version; those of all versions are here.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

#[derive(Deserialize)]
#[serde(tag = "type", rename_all = "kebab-case")]
pub(super) enum Line {
    ContextOptions(Box<ContextOptions>),
    Before(Box<Call>),
    /// A whole call in one line, before version 4 under `metadata`.
    Action(Box<WholeCall>),
    Input(Input),
    After(After),
    Log(Log),
    ScreencastFrame(Frame),
    FrameSnapshot {
        snapshot: Snapshot,
    },
    Stdout(Stdout),
    Error(Failure),
    #[serde(other)]
    Other,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ContextOptions {
    pub version: u32,
    #[serde(default)]
    pub browser_name: String,
    /// Milliseconds since the Unix epoch.
    #[serde(default)]
    pub wall_time: Option<f64>,
    #[serde(default)]
    pub monotonic_time: Option<f64>,
    #[serde(default)]
    pub options: Options,
    #[serde(default, rename = "_umpire")]
    pub ours: Option<Ours>,
}

#[derive(Deserialize, Default)]
pub(super) struct Options {
    #[serde(default)]
    pub viewport: Option<Size>,
}

#[derive(Deserialize)]
pub(super) struct Size {
    pub width: u32,
    pub height: u32,
}

/// What a trace of ours says besides.
#[derive(Serialize, Deserialize)]
pub(super) struct Ours {
    pub task: String,
    pub intent: String,
    /// False if the steps are a second apart because nobody knows when they were.
    pub times_recorded: bool,
}

#[derive(Deserialize, Default)]
#[serde(rename_all = "camelCase")]
#[expect(clippy::struct_field_names, reason = "the format's own names")]
pub(super) struct Call {
    #[serde(default)]
    pub call_id: String,
    #[serde(default)]
    pub start_time: f64,
    #[serde(default)]
    pub title: Option<String>,
    #[serde(default)]
    pub api_name: Option<String>,
    #[serde(default)]
    pub class: String,
    #[serde(default)]
    pub method: String,
    #[serde(default)]
    pub params: Map<String, Value>,
    #[serde(default)]
    pub parent_id: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct WholeCall {
    #[serde(flatten)]
    pub call: Call,
    #[serde(default)]
    pub end_time: Option<f64>,
    #[serde(default)]
    pub error: Option<Value>,
    #[serde(default)]
    pub point: Option<Point>,
    #[serde(default)]
    pub metadata: Option<OldCall>,
}

/// A call of version 3.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct OldCall {
    pub id: String,
    #[serde(rename = "type")]
    pub class: String,
    pub method: String,
    #[serde(default)]
    pub api_name: Option<String>,
    #[serde(default)]
    pub params: Map<String, Value>,
    #[serde(default)]
    pub start_time: f64,
    #[serde(default)]
    pub end_time: f64,
    #[serde(default)]
    pub error: Option<Value>,
    #[serde(default)]
    pub point: Option<Point>,
    #[serde(default)]
    pub internal: Option<bool>,
}

#[derive(Clone, Copy, Deserialize)]
pub(super) struct Point {
    pub x: f64,
    pub y: f64,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Input {
    pub call_id: String,
    #[serde(default)]
    pub point: Option<Point>,
    #[serde(default, rename = "box")]
    pub area: Option<Area>,
}

#[derive(Clone, Copy, Deserialize)]
pub(super) struct Area {
    pub x: f64,
    pub y: f64,
    pub width: f64,
    pub height: f64,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct After {
    pub call_id: String,
    #[serde(default)]
    pub end_time: f64,
    #[serde(default)]
    pub error: Option<Value>,
    #[serde(default)]
    pub point: Option<Point>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Log {
    pub call_id: String,
    pub message: String,
}

#[derive(Deserialize)]
pub(super) struct Frame {
    #[serde(default)]
    pub sha1: Option<String>,
    #[serde(default)]
    pub file: Option<String>,
    #[serde(default)]
    pub timestamp: f64,
}

impl Frame {
    /// The member of the archive that holds the picture.
    pub(super) fn member(&self) -> Option<String> {
        self.file.clone().or_else(|| self.sha1.as_ref().map(|sha1| format!("resources/{sha1}")))
    }
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Snapshot {
    #[serde(default)]
    pub call_id: String,
    #[serde(default)]
    pub frame_url: String,
    /// In a trace of ours, the picture alone.
    #[serde(default)]
    pub resource_overrides: Vec<Resource>,
    #[serde(default)]
    pub is_main_frame: bool,
    #[serde(default)]
    pub timestamp: f64,
}

#[derive(Deserialize)]
pub(super) struct Resource {
    #[serde(default)]
    pub sha1: Option<String>,
}

#[derive(Deserialize)]
pub(super) struct Stdout {
    #[serde(default)]
    pub timestamp: f64,
    #[serde(default)]
    pub text: Option<String>,
}

#[derive(Deserialize)]
pub(super) struct Failure {
    #[serde(default)]
    pub message: String,
}
