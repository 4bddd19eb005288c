//! The parts of Chromium's events the recorder reads.

use serde::Deserialize;
use serde_json::{Map, Value};

/// Header names and values; several values of one name come joined by line breaks.
pub(super) type Headers = Map<String, Value>;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct TargetInfo {
    pub target_id: String,
    pub r#type: String,
    #[serde(default)]
    pub url: String,
    pub opener_id: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct AttachedToTarget {
    pub session_id: String,
    pub target_info: TargetInfo,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct DetachedFromTarget {
    pub session_id: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct RequestWillBeSent {
    pub request_id: String,
    #[serde(default)]
    pub loader_id: String,
    pub request: Request,
    pub timestamp: f64,
    pub wall_time: f64,
    #[serde(default)]
    pub redirect_has_extra_info: bool,
    pub redirect_response: Option<Response>,
    pub r#type: Option<String>,
    pub frame_id: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Request {
    pub url: String,
    pub method: String,
    #[serde(default)]
    pub headers: Headers,
    #[serde(default)]
    pub has_post_data: bool,
    #[serde(default)]
    pub post_data_entries: Vec<PostDataEntry>,
}

#[derive(Deserialize)]
pub(super) struct PostDataEntry {
    /// Base64; absent for a file.
    pub bytes: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Response {
    pub status: u16,
    #[serde(default)]
    pub status_text: String,
    #[serde(default)]
    pub headers: Headers,
    #[serde(default)]
    pub mime_type: String,
    #[serde(default)]
    pub protocol: String,
    #[serde(default)]
    pub encoded_data_length: f64,
    #[serde(default)]
    pub from_disk_cache: bool,
    #[serde(default)]
    pub from_prefetch_cache: bool,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ResponseReceived {
    pub request_id: String,
    pub response: Response,
    #[serde(default)]
    pub has_extra_info: bool,
    pub r#type: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct RequestExtraInfo {
    pub request_id: String,
    pub headers: Headers,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ResponseExtraInfo {
    pub request_id: String,
    pub headers: Headers,
    pub status_code: u16,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct DataReceived {
    pub request_id: String,
    pub data_length: u64,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct LoadingFinished {
    pub request_id: String,
    pub timestamp: f64,
    #[serde(default)]
    pub encoded_data_length: f64,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct LoadingFailed {
    pub request_id: String,
    pub timestamp: f64,
    #[serde(default)]
    pub error_text: String,
    pub blocked_reason: Option<String>,
    pub cors_error_status: Option<CorsErrorStatus>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct CorsErrorStatus {
    pub cors_error: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct RequestId {
    pub request_id: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct WebSocketCreated {
    pub request_id: String,
    pub url: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct WebSocketHandshakeRequest {
    pub request_id: String,
    pub timestamp: f64,
    pub wall_time: f64,
    pub request: WebSocketHeaders,
}

#[derive(Deserialize)]
pub(super) struct WebSocketHeaders {
    #[serde(default)]
    pub headers: Headers,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct WebSocketHandshakeResponse {
    pub request_id: String,
    pub response: Response,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct WebSocketClosed {
    pub request_id: String,
    pub timestamp: f64,
}

#[derive(Deserialize)]
pub(super) struct FrameNavigated {
    pub frame: Frame,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Frame {
    pub id: String,
    pub parent_id: Option<String>,
    #[serde(default)]
    pub loader_id: String,
    pub url: String,
    #[serde(default)]
    pub url_fragment: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct NavigatedWithinDocument {
    pub frame_id: String,
    pub url: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct FrameId {
    pub frame_id: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct FrameDetached {
    pub frame_id: String,
    #[serde(default)]
    pub reason: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct DialogOpening {
    pub message: String,
    pub r#type: String,
    #[serde(default)]
    pub default_prompt: String,
}

#[derive(Deserialize)]
pub(super) struct DialogClosed {
    pub result: bool,
}

#[derive(Deserialize)]
pub(super) struct ConsoleApiCalled {
    pub r#type: String,
    #[serde(default)]
    pub args: Vec<RemoteObject>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct RemoteObject {
    pub r#type: String,
    pub value: Option<Value>,
    pub unserializable_value: Option<String>,
    pub description: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ExceptionThrown {
    pub exception_details: ExceptionDetails,
}

#[derive(Deserialize)]
pub(super) struct ExceptionDetails {
    pub text: String,
    pub exception: Option<RemoteObject>,
}

#[derive(Deserialize)]
pub(super) struct LogEntryAdded {
    pub entry: LogEntry,
}

#[derive(Deserialize)]
pub(super) struct LogEntry {
    pub level: String,
    pub text: String,
    pub url: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct DownloadWillBegin {
    pub guid: String,
    pub url: String,
    pub suggested_filename: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct DownloadProgress {
    pub guid: String,
    #[serde(default)]
    pub total_bytes: f64,
    #[serde(default)]
    pub received_bytes: f64,
    pub state: String,
}
