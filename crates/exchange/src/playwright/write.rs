use std::collections::BTreeSet;
use std::fs::File;
use std::io::{self, Write as _};
use std::path::Path;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use jiff::Timestamp;
use serde_json::{Value, json};
use umpire_model::{BlobSource as _, Digest, Media, NotRecorded};
use zip::write::SimpleFileOptions;

use super::lines::Ours;
use super::{OURS, PAGE, WRITTEN};
use crate::ExportError;
use crate::export::{Did, Outgoing, Refusal, Story, StoryAct, StoryStep};
use crate::picture::Picture;

/// How far apart steps stand whose times nobody knows; a viewer shows nothing of a film without length.
const APART_MS: u64 = 1000;

pub(crate) fn write(outgoing: &Outgoing<'_>, file: &Path) -> Result<(), Refusal> {
    let mut archive = Archive::create(file)?;
    let written = archive.attempt(outgoing).and_then(|()| archive.zip.finish().map_err(io::Error::from));
    written.map_err(ExportError::write(file))?;
    Ok(())
}

struct Archive {
    zip: zip::ZipWriter<File>,
    /// Resources that are in it; many requests bring the same bytes.
    there: BTreeSet<String>,
}

impl Archive {
    fn create(file: &Path) -> Result<Self, ExportError> {
        if let Some(folder) = file.parent() {
            std::fs::create_dir_all(folder).map_err(ExportError::write(folder))?;
        }
        let zip = zip::ZipWriter::new(File::create(file).map_err(ExportError::write(file))?);
        Ok(Self { zip, there: BTreeSet::new() })
    }

    fn attempt(&mut self, outgoing: &Outgoing<'_>) -> io::Result<()> {
        let story = Story::of(outgoing.trajectory);
        let times_recorded = !outgoing.run.manifest().lacks(NotRecorded::Times);
        let mut lines = vec![head(outgoing, &story, times_recorded)];
        lines.push(json!({
            "type": "event", "time": 0, "class": "BrowserContext", "method": "page", "params": {"pageId": PAGE},
        }));
        let mut clock = Clock { times_recorded, now: 0, calls: 0 };
        let mut has_answered = false;
        for step in &story.steps {
            clock.at(step.ms);
            let shown = self.shown(outgoing, step)?;
            lines.extend(shown.as_ref().map(|shown| shown.frame(clock.now)));
            let mut thoughts = step.thoughts.as_slice();
            for act in &step.acts {
                lines.extend(clock.call(act, thoughts, shown.as_ref()));
                thoughts = &[];
                has_answered |= matches!(act.did, Did::Ours(umpire_model::Action::Answer(_)));
            }
            for thought in thoughts {
                lines.push(json!({"type": "stdout", "timestamp": clock.now, "text": thought}));
            }
        }
        clock.at(story.ms);
        match story.answer {
            Some(answer) if !has_answered => {
                let action = umpire_model::Action::Answer(answer.to_owned());
                let act =
                    StoryAct { did: Did::Ours(&action), at: None, error: None, ms: story.ms, took_ms: 0 };
                lines.extend(clock.call(&act, &[], None));
            }
            Some(_) => {}
            None => lines.push(json!({"type": "error", "message": story.why_no_answer()})),
        }
        let requests = self.requests(outgoing, &story)?;
        self.member("trace.trace", &lines)?;
        self.member("trace.network", &requests)
    }

    /// The picture of a step, for the screencast and for the page that viewers show beside an action.
    fn shown(&mut self, outgoing: &Outgoing<'_>, step: &StoryStep<'_>) -> io::Result<Option<Shown>> {
        let Some(observed) = step.observed else { return Ok(None) };
        let Some(shot) = observed.screenshot.as_ref() else { return Ok(None) };
        let extension = if shot.media == Media::Png { "png" } else { "jpeg" };
        let Ok(picture) = Picture::of(outgoing.run.blobs().read(shot)?) else { return Ok(None) };
        let resource = self.resource(&picture.bytes, extension)?;
        Ok(Some(Shown { resource, width: picture.width, height: picture.height, url: observed.url.clone() }))
    }

    /// The requests as HAR entries, their bodies in files of their own, as viewers look for them.
    fn requests(&mut self, outgoing: &Outgoing<'_>, story: &Story<'_>) -> io::Result<Vec<Value>> {
        let mut har = umpire_report::har(outgoing.trajectory, &outgoing.run.blobs());
        let Some(entries) = har.pointer_mut("/log/entries").and_then(Value::as_array_mut) else {
            return Ok(Vec::new());
        };
        let began = epoch_ms(story.started_at);
        let mut lines = Vec::with_capacity(entries.len());
        for mut entry in std::mem::take(entries) {
            let started = entry["startedDateTime"].as_str().and_then(epoch_ms);
            let offset = started.zip(began).map_or(0.0, |(started, began)| (started - began).max(0.0));
            entry["_monotonicTime"] = json!(offset);
            entry["pageref"] = PAGE.into();
            self.detach(&mut entry["response"]["content"])?;
            lines.push(json!({"type": "resource-snapshot", "snapshot": entry}));
        }
        Ok(lines)
    }

    fn detach(&mut self, content: &mut Value) -> io::Result<()> {
        let Some(text) = content.get("text").and_then(Value::as_str) else { return Ok(()) };
        let bytes = match content.get("encoding").and_then(Value::as_str) {
            Some("base64") => STANDARD.decode(text).unwrap_or_default(),
            _ => text.as_bytes().to_vec(),
        };
        let mime = content.get("mimeType").and_then(Value::as_str).unwrap_or_default();
        let extension = match mime.split(';').next().unwrap_or_default().trim() {
            "text/html" => "html",
            "application/json" => "json",
            "text/css" => "css",
            "text/javascript" | "application/javascript" => "js",
            "image/png" => "png",
            "image/jpeg" => "jpeg",
            "image/svg+xml" => "svg",
            _ => "dat",
        };
        let name = self.resource(&bytes, extension)?;
        if let Some(content) = content.as_object_mut() {
            content.remove("text");
            content.remove("encoding");
            content.insert("_sha1".to_owned(), name.into());
        }
        Ok(())
    }

    fn resource(&mut self, bytes: &[u8], extension: &str) -> io::Result<String> {
        let name = format!("{}.{extension}", Digest::of(bytes));
        if self.there.insert(name.clone()) {
            self.zip.start_file(format!("resources/{name}"), SimpleFileOptions::default())?;
            self.zip.write_all(bytes)?;
        }
        Ok(name)
    }

    fn member(&mut self, name: &str, lines: &[Value]) -> io::Result<()> {
        self.zip.start_file(name, SimpleFileOptions::default())?;
        for line in lines {
            serde_json::to_writer(&mut self.zip, line)?;
            self.zip.write_all(b"\n")?;
        }
        Ok(())
    }
}

fn head(outgoing: &Outgoing<'_>, story: &Story<'_>, times_recorded: bool) -> Value {
    let ours = Ours {
        task: outgoing.instance.task.clone(),
        intent: outgoing.instance.intent.clone(),
        times_recorded,
    };
    let note = if times_recorded { "" } else { " (when things happened was not recorded)" };
    json!({
        "version": WRITTEN,
        "type": "context-options",
        "origin": "library",
        "browserName": if story.browser.is_empty() { "" } else { "chromium" },
        "options": {"viewport": story.viewport, "deviceScaleFactor": 1, "isMobile": false},
        "platform": "unknown",
        "wallTime": epoch_ms(story.started_at).unwrap_or(0.0),
        "monotonicTime": 0,
        "sdkLanguage": "javascript",
        "contextId": outgoing.id,
        "title": format!("{}: {}{note}", outgoing.id, outgoing.instance.intent),
        "_umpire": ours,
    })
}

/// A picture in the archive, and what it is a picture of.
struct Shown {
    resource: String,
    width: u32,
    height: u32,
    url: String,
}

impl Shown {
    fn frame(&self, ms: u64) -> Value {
        json!({
            "type": "screencast-frame", "pageId": PAGE, "sha1": self.resource, "width": self.width,
            "height": self.height, "timestamp": ms,
        })
    }

    /// A page that is the picture: what the agent saw, where viewers show the page before an action.
    fn page(&self, call: &str, name: &str, ms: u64) -> Value {
        const ADDRESS: &str = "http://umpire.invalid/seen";
        let picture = json!(["IMG", {"src": ADDRESS, "style": "width: 100%", "alt": "What the agent saw"}]);
        let html = json!(["HTML", {}, ["HEAD", {}], ["BODY", {"style": "margin: 0"}, picture]]);
        json!({"type": "frame-snapshot", "snapshot": {
            "callId": call, "snapshotName": name, "pageId": PAGE, "frameId": "frame@1", "frameUrl": self.url,
            "doctype": "html", "html": html, "viewport": {"width": self.width, "height": self.height},
            "timestamp": ms, "collectionTime": 0, "isMainFrame": true,
            "resourceOverrides": [{"url": ADDRESS, "sha1": self.resource}],
        }})
    }
}

/// Where the film is, in milliseconds.
struct Clock {
    times_recorded: bool,
    now: u64,
    calls: u32,
}

impl Clock {
    fn at(&mut self, ms: u64) {
        self.now = if self.times_recorded { ms.max(self.now) } else { self.now + APART_MS };
    }

    /// The lines of one action: what was called, what the agent thought, where it landed, what came of it.
    fn call(&mut self, act: &StoryAct<'_>, thoughts: &[&str], shown: Option<&Shown>) -> Vec<Value> {
        self.calls += 1;
        let id = format!("call@{}", self.calls);
        let text = act.did.text();
        let end = if self.times_recorded { act.ms.max(self.now) } else { self.now };
        let start = end.saturating_sub(act.took_ms).max(self.now.min(end));
        let method = text.split_whitespace().next().unwrap_or("act").to_owned();
        let mut lines = vec![json!({
            "type": "before", "callId": id, "stepId": id, "startTime": start, "class": OURS, "method": method,
            "title": text, "params": {"action": text}, "pageId": PAGE,
        })];
        if let Some(shown) = shown {
            let name = format!("before@{id}");
            lines[0]["beforeSnapshot"] = name.as_str().into();
            lines.push(shown.page(&id, &name, start));
        }
        for thought in thoughts {
            lines.push(json!({"type": "log", "callId": id, "time": start, "message": thought}));
        }
        if let Some(at) = act.at {
            let (x, y) = at.centre();
            let area = json!({"x": at.x, "y": at.y, "width": at.width, "height": at.height});
            lines.push(json!({"type": "input", "callId": id, "point": {"x": x, "y": y}, "box": area}));
        }
        let mut after = json!({"type": "after", "callId": id, "endTime": end});
        if let Some(error) = act.error {
            after["error"] = json!({"name": "Error", "message": error});
        }
        lines.push(after);
        self.now = end;
        lines
    }
}

fn epoch_ms(time: &str) -> Option<f64> {
    time.parse::<Timestamp>().ok().map(|time| time.as_microsecond() as f64 / 1000.0)
}
