//! What was recorded, handed out: pictures, texts, and whole attempts in formats that others open.
//!
//! Nothing recorded is ever a page of ours: images are checked to be images, everything else is plain text or a download,
//! and all of it is sandboxed.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use axum::extract::{Path, State};
use axum::response::{IntoResponse as _, Response};
use bytes::Bytes;
use http::HeaderValue;
use http::header::{CACHE_CONTROL, CONTENT_DISPOSITION, CONTENT_SECURITY_POLICY, CONTENT_TYPE};
use tokio::sync::Semaphore;
use umpire_exchange::{Export, ExportFormat, export};
use umpire_model::{BlobRef, BlobSource as _, Digest, EventBody, Media, Trajectory};
use umpire_report::html::thumbnail;
use umpire_store::Run;

use super::{attempt_id, run_id, stay_blind};
use crate::accounts::{Limit, Who};
use crate::error::PageError;
use crate::security::SANDBOX;
use crate::state::App;
use crate::turns::{in_turn, take_turn, work_within};

/// Content under its own digest never changes.
pub(super) const FOR_EVER: &str = "private, max-age=31536000, immutable";
/// Small pictures kept in memory, all together.
const THUMBNAIL_BYTES: usize = 32 << 20;
/// Longest a browser may take to start that encodes a film.
const ENCODER_START: Duration = Duration::from_secs(20);
/// A text longer than this is cut; the journal has it whole.
const TEXT_SHOWN: usize = 2 << 20;

/// Small pictures that were made, so that a film strip is drawn once.
pub(crate) struct Thumbnails {
    made: Mutex<Made>,
    /// Decoding a screenshot takes a core and some megabytes.
    makers: Arc<Semaphore>,
}

#[derive(Default)]
struct Made {
    by_digest: HashMap<(String, Digest), Bytes>,
    bytes: usize,
}

impl Default for Thumbnails {
    fn default() -> Self {
        Self { made: Mutex::default(), makers: Arc::new(Semaphore::new(2)) }
    }
}

impl Thumbnails {
    fn known(&self, key: &(String, Digest)) -> Option<Bytes> {
        self.made.lock().unwrap_or_else(PoisonError::into_inner).by_digest.get(key).cloned()
    }

    fn keep(&self, key: (String, Digest), picture: &Bytes) {
        let mut made = self.made.lock().unwrap_or_else(PoisonError::into_inner);
        if made.bytes + picture.len() > THUMBNAIL_BYTES {
            *made = Made::default();
        }
        let Made { by_digest, bytes } = &mut *made;
        if let Entry::Vacant(place) = by_digest.entry(key) {
            *bytes += picture.len();
            place.insert(picture.clone());
        }
    }
}

pub(crate) async fn shot(
    State(app): State<App>,
    Path((run, digest)): Path<(String, String)>,
) -> Result<Response, PageError> {
    let (run, digest) = (open_run(&app, &run).await?, Digest::parse(&digest).ok_or(PageError::NotFound)?);
    let (media, content) =
        blocking(move || run.blobs().image(&digest).map_err(|_| PageError::NotFound)).await?;
    Ok(recorded(media.mime(), FOR_EVER, content.into()))
}

pub(crate) async fn thumb(
    State(app): State<App>,
    Path((run_name, digest)): Path<(String, String)>,
) -> Result<Response, PageError> {
    let digest = Digest::parse(&digest).ok_or(PageError::NotFound)?;
    let key = (run_name.clone(), digest.clone());
    if let Some(picture) = app.thumbnails.known(&key) {
        return Ok(recorded("image/jpeg", FOR_EVER, picture));
    }
    let run = open_run(&app, &run_name).await?;
    let picture = in_turn(&app.thumbnails.makers, move || {
        let (_, content) = run.blobs().image(&digest).map_err(|_| PageError::NotFound)?;
        thumbnail(&content).map(Bytes::from).map_err(|_| PageError::NotFound)
    })
    .await??;
    app.thumbnails.keep(key, &picture);
    Ok(recorded("image/jpeg", FOR_EVER, picture))
}

type AttemptPath<T> = Path<(String, String, String, u32, T)>;

/// What an attempt saw of a page, as text.
pub(crate) async fn outline(
    State(app): State<App>,
    Path((run, agent, instance, trial, step)): AttemptPath<u32>,
    who: Who,
) -> Result<Response, PageError> {
    text_of(&app, &who, &run, (&agent, &instance, trial), move |trajectory| {
        trajectory.events.iter().find_map(|event| match &event.body {
            EventBody::Observed(seen) if seen.step == step => seen.outline.clone(),
            _ => None,
        })
    })
    .await
}

/// What a model was asked, or what it replied.
pub(crate) async fn model_call(
    State(app): State<App>,
    Path((run, agent, instance, trial, seq, part)): Path<(String, String, String, u32, u64, String)>,
    who: Who,
) -> Result<Response, PageError> {
    text_of(&app, &who, &run, (&agent, &instance, trial), move |trajectory| {
        trajectory.events.iter().find_map(|event| match (&event.body, part.as_str()) {
            (EventBody::ModelCalled(call), "request") if event.seq == seq => Some(call.request.clone()),
            (EventBody::ModelCalled(call), "reply") if event.seq == seq => call.reply.clone(),
            _ => None,
        })
    })
    .await
}

async fn text_of(
    app: &App,
    who: &Who,
    run: &str,
    (agent, instance, trial): (&str, &str, u32),
    find: impl FnOnce(&Trajectory) -> Option<BlobRef> + Send + 'static,
) -> Result<Response, PageError> {
    let id = attempt_id(agent, instance, trial)?;
    stay_blind(app, who, &run_id(run)?, Some(&id)).await?;
    let run = open_run(app, run).await?;
    let content = blocking(move || {
        let blob = find(&run.attempt(&id).read()?).filter(|blob| !blob.media.is_image());
        let mut content =
            run.blobs().read(&blob.ok_or(PageError::NotFound)?).map_err(|_| PageError::NotFound)?;
        content.truncate(TEXT_SHOWN);
        Ok(content)
    })
    .await?;
    // Whatever it was, it is shown as text.
    Ok(recorded(Media::Text.mime(), "no-store", content.into()))
}

pub(crate) async fn download(
    State(app): State<App>,
    Path((run, agent, instance, trial, format)): AttemptPath<String>,
    who: Who,
) -> Result<Response, PageError> {
    let (format, media, ending) = match format.as_str() {
        "har" => (ExportFormat::Har, "application/json", "har"),
        "trace" => (ExportFormat::PlaywrightTrace, "application/zip", "zip"),
        "film" => (ExportFormat::Gif, "image/gif", "gif"),
        "webm" if app.films.is_some() => (ExportFormat::Webm, "video/webm", "webm"),
        _ => return Err(PageError::NotFound),
    };
    app.limits.take_for(Limit::EXPORTS, who.address)?;
    let id = attempt_id(&agent, &instance, trial)?;
    stay_blind(&app, &who, &run_id(&run)?, Some(&id)).await?;
    let run = open_run(&app, &run).await?;
    // Names are made of letters, digits and a few signs: nothing in them can end the quotes.
    let name = format!("{}-{}-{}.{ending}", id.agent, id.instance, id.trial);
    // Taken before the encoder is started, which is a browser: those who wait must not each have one.
    let turn = take_turn(&app.exports).await?;
    let encoder = match (&app.films, format) {
        (Some(films), ExportFormat::Webm) => {
            let started = tokio::time::timeout(ENCODER_START, films.start()).await;
            Some(started.map_err(|_| PageError::TooSlow)?.map_err(PageError::Broken)?)
        }
        _ => None,
    };
    let content = work_within(turn, move || {
        let folder = tempfile::tempdir().map_err(|error| PageError::Broken(error.to_string()))?;
        let out = folder.path().join("attempt").with_extension(ending);
        let request = Export {
            format,
            run: &run,
            attempt: Some(&id),
            out: &out,
            encoder: encoder.as_deref().map(|encoder| encoder as _),
        };
        let exported = export(&request).map_err(|error| PageError::BadRequest(error.to_string()))?;
        if let Some((_, why)) = exported.left_out.first() {
            return Err(PageError::BadRequest(format!("This attempt cannot be written so: {why}.")));
        }
        std::fs::read(&out).map_err(|error| PageError::Broken(error.to_string()))
    })
    .await??;
    let mut response = recorded(media, "no-store", content.into());
    let disposition = HeaderValue::from_str(&format!("attachment; filename=\"{name}\""))
        .map_err(|error| PageError::Broken(error.to_string()))?;
    response.headers_mut().insert(CONTENT_DISPOSITION, disposition);
    Ok(response)
}

pub(super) fn recorded(media: &'static str, cache: &'static str, content: Bytes) -> Response {
    let headers = [(CONTENT_TYPE, media), (CACHE_CONTROL, cache), (CONTENT_SECURITY_POLICY, SANDBOX)];
    (headers, content).into_response()
}

pub(super) async fn open_run(app: &App, name: &str) -> Result<Arc<Run>, PageError> {
    let (runs, id) = (app.runs.clone(), run_id(name)?);
    let run = blocking(move || Ok(runs.find(&id)?)).await?;
    run.map(Arc::new).ok_or(PageError::NotFound)
}

pub(super) async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, PageError> + Send + 'static,
) -> Result<T, PageError> {
    tokio::task::spawn_blocking(work).await?
}
