//! Recorded network traffic: HAR files, Playwright traces, and lists of either in memory, as one kind of [`Event`].
//!
//! Traces are streamed. A reader holds one token at a time and keeps of each request what [`Retention`] asks for, so a
//! recording of a gigabyte needs no more memory than the requests that matter. Entries that are no objects are counted
//! in [`Trace::malformed_entries`]: the reference gives up on such a recording, strict evaluation goes on without them.

mod entry;
mod event;
mod exchange;
mod json_stream;
mod retention;
mod trim;

use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::Path;

pub use self::event::{
    Body, BodyMember, Cookie, Defect, Event, Header, Listed, Scalar, Surroundings, is_evaluation_url,
};
pub use self::exchange::exchange;
pub use self::json_stream::JsonError;
use self::json_stream::{JsonStream, Kind};
pub use self::retention::Retention;
pub use self::trim::{TrimError, TrimReport, trim_har};

/// The file inside a Playwright trace that holds the requests.
const PLAYWRIGHT_MEMBER: &str = "trace.network";
const RESOURCE_SNAPSHOT: &str = "resource-snapshot";

#[derive(Debug, thiserror::Error)]
pub enum TraceError {
    #[error(transparent)]
    Json(#[from] JsonError),
    #[error("cannot read the trace: {0}")]
    Read(#[from] io::Error),
    #[error("cannot read the trace archive: {0}")]
    Archive(#[from] zip::result::ZipError),
    #[error("not a HAR file: log.entries is missing")]
    NoEntries,
    #[error("the trace holds no requests")]
    Empty,
    #[error("unknown trace format: neither HAR entries nor Playwright resource snapshots")]
    UnknownFormat,
}

/// The requests of one attempt, in recorded order.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Trace {
    pub events: Vec<Event>,
    /// Requests for page furniture, counted and not kept.
    pub static_assets: usize,
    /// Entries that are no recorded request at all.
    pub malformed_entries: usize,
}

impl Trace {
    /// Reads a trace file or folder; the format is told by the name, and by the content where the name leaves it open.
    pub fn open(path: &Path, retention: &Retention) -> Result<Self, TraceError> {
        match path.extension().and_then(|extension| extension.to_str()) {
            Some("har" | "json") => match Self::from_har(buffered(path)?, retention) {
                // A folder says that it is none only when it is read: asking first would cost every file a question.
                Err(TraceError::Json(JsonError::Read(error)))
                    if error.kind() == io::ErrorKind::IsADirectory =>
                {
                    Self::from_folder(path, retention)
                }
                Err(
                    not_har @ (TraceError::Json(JsonError::Syntax { .. })
                    | TraceError::NoEntries
                    | TraceError::Empty),
                ) => Self::from_playwright(buffered(path)?, retention).map_err(|_| not_har),
                read => read,
            },
            _ if path.is_dir() => Self::from_folder(path, retention),
            Some("zip") => {
                let mut archive = zip::ZipArchive::new(BufReader::new(File::open(path)?))?;
                let member = archive.by_name(PLAYWRIGHT_MEMBER)?;
                Self::from_playwright(BufReader::new(member), retention)
            }
            _ => Self::from_playwright(buffered(path)?, retention),
        }
    }

    /// Reads a Playwright trace that was unpacked.
    fn from_folder(path: &Path, retention: &Retention) -> Result<Self, TraceError> {
        Self::from_playwright(buffered(&path.join(PLAYWRIGHT_MEMBER))?, retention)
    }

    /// Reads a HAR 1.2 document.
    pub fn from_har(input: impl BufRead, retention: &Retention) -> Result<Self, TraceError> {
        let mut stream = JsonStream::new(input);
        if stream.kind()? != Kind::Object {
            stream.skip()?;
            return Err(TraceError::NoEntries);
        }
        let mut found: Option<(Self, usize)> = None;
        stream.members(|stream, key| {
            if key != "log" {
                return stream.skip();
            }
            found = None;
            if stream.kind()? != Kind::Object {
                return stream.skip();
            }
            stream.members(|stream, key| {
                if key != "entries" {
                    return stream.skip();
                }
                found = None;
                if stream.kind()? != Kind::Array {
                    return stream.skip();
                }
                let mut trace = Self::default();
                let mut entries = 0;
                stream.elements(|stream| {
                    entries += 1;
                    match entry::read_item(stream, retention)? {
                        Ok(item) => trace.add(item.entry, retention),
                        Err(_) => trace.malformed_entries += 1,
                    }
                    Ok(())
                })?;
                found = Some((trace, entries));
                Ok(())
            })
        })?;
        if !stream.at_end()? {
            return Err(stream.syntax("text after the document").into());
        }
        match found {
            None => Err(TraceError::NoEntries),
            Some((_, 0)) => Err(TraceError::Empty),
            Some((trace, _)) => Ok(trace),
        }
    }

    /// Reads the requests of a Playwright trace: one JSON object a line.
    pub fn from_playwright(input: impl BufRead, retention: &Retention) -> Result<Self, TraceError> {
        let mut stream = JsonStream::new(input);
        let mut trace = Self::default();
        while !stream.at_end()? {
            let item = entry::read_item(&mut stream, retention)?.map_err(|_| TraceError::UnknownFormat)?;
            match item.record_type.as_deref() {
                Some(RESOURCE_SNAPSHOT) => match item.snapshot {
                    Some(Ok(event)) => trace.add(event, retention),
                    _ => trace.malformed_entries += 1,
                },
                Some(_) => {}
                None => return Err(TraceError::UnknownFormat),
            }
        }
        Ok(trace)
    }

    /// Reads a JSON array of HAR entries or of Playwright lines; its first element decides which.
    pub fn from_list(input: impl BufRead, retention: &Retention) -> Result<Self, TraceError> {
        #[derive(Clone, Copy, PartialEq)]
        enum Format {
            Har,
            Playwright,
            Unknown,
        }
        let mut stream = JsonStream::new(input);
        let mut trace = Self::default();
        let mut format = None;
        let mut snapshots = 0;
        if stream.kind()? != Kind::Array {
            return Err(TraceError::UnknownFormat);
        }
        stream.elements(|stream| {
            let Ok(item) = entry::read_item(stream, retention)? else {
                format = format.or(Some(Format::Unknown));
                trace.malformed_entries += 1;
                return Ok(());
            };
            let is_snapshot = item.record_type.as_deref() == Some(RESOURCE_SNAPSHOT);
            let format = format.get_or_insert(match item {
                _ if is_snapshot => Format::Playwright,
                _ if item.has_request && item.has_response => Format::Har,
                _ => Format::Unknown,
            });
            match (*format, item.snapshot) {
                (Format::Har, _) => trace.add(item.entry, retention),
                (Format::Playwright, Some(snapshot)) if is_snapshot => {
                    snapshots += 1;
                    match snapshot {
                        Ok(event) => trace.add(event, retention),
                        Err(_) => trace.malformed_entries += 1,
                    }
                }
                _ => {}
            }
            Ok(())
        })?;
        match format {
            None => Err(TraceError::Empty),
            Some(Format::Unknown) => Err(TraceError::UnknownFormat),
            Some(Format::Playwright) if snapshots == 0 => Err(TraceError::Empty),
            Some(_) => Ok(trace),
        }
    }

    fn add(&mut self, event: Event, retention: &Retention) {
        if event.is_evaluation_event() == Ok(false) && !retention.static_assets {
            self.static_assets += 1;
        } else {
            self.events.push(event);
        }
    }
}

/// Long enough that reading a large file is not a matter of system calls, and short enough that the allocator does not
/// tidy up its whole heap when the buffer goes.
const READ_AHEAD: usize = 1 << 15;

fn buffered(path: &Path) -> io::Result<BufReader<File>> {
    Ok(BufReader::with_capacity(READ_AHEAD, File::open(path)?))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use std::fs;
    use std::io::Write;

    use super::*;

    const ENTRY: &str =
        r#"{"request": {"method": "GET", "url": "http://h/a", "headers": []}, "response": {"status": 200}}"#;

    fn har(json: &str) -> Result<Trace, TraceError> {
        Trace::from_har(json.as_bytes(), &Retention::outline())
    }

    fn list(json: &str) -> Result<Trace, TraceError> {
        Trace::from_list(json.as_bytes(), &Retention::outline())
    }

    fn snapshot(entry: &str) -> String {
        format!(r#"{{"type": "resource-snapshot", "snapshot": {entry}}}"#)
    }

    #[test]
    fn a_har_is_the_entries_of_its_log() {
        let trace =
            har(&format!(r#"{{"log": {{"pages": [{{}}], "entries": [{ENTRY}, 5, {ENTRY}]}}, "x": 1}}"#))
                .expect("a HAR");
        assert_eq!((trace.events.len(), trace.malformed_entries), (2, 1));
        assert_eq!(trace.events[0].url(), Ok("http://h/a"));
        let last_wins =
            format!(r#"{{"log": {{"entries": [{ENTRY}]}}, "log": {{"entries": [{ENTRY}, {ENTRY}]}}}}"#);
        assert_eq!(har(&last_wins).expect("a HAR").events.len(), 2);
    }

    #[test]
    fn what_is_no_har_is_told_apart() {
        for json in ["{}", "[]", r#"{"log": {}}"#, r#"{"log": []}"#, r#"{"log": {"entries": {}}}"#] {
            assert!(matches!(har(json), Err(TraceError::NoEntries)), "{json}");
        }
        assert!(matches!(har(r#"{"log": {"entries": []}}"#), Err(TraceError::Empty)));
        for json in ["", "{", "{} {}", "\u{feff}{}", r#"{"log": {"entries": [{}}}"#] {
            assert!(matches!(har(json), Err(TraceError::Json(_))), "{json}");
        }
    }

    #[test]
    fn the_first_element_of_a_list_decides_its_format() {
        let other = r#"{"type": "event"}"#;
        assert_eq!(list(&format!("[{ENTRY}, {{}}]")).expect("entries").events.len(), 2);
        let lines = format!("[{}, {other}, {ENTRY}, {}]", snapshot(ENTRY), snapshot("1"));
        let trace = list(&lines).expect("snapshots");
        assert_eq!((trace.events.len(), trace.malformed_entries), (1, 1));
        assert!(matches!(list("[]"), Err(TraceError::Empty)));
        assert!(matches!(list(r#"[{"type": "resource-snapshot"}]"#), Err(TraceError::Empty)));
        for unknown in [format!("[{other}, {ENTRY}]"), "[1]".to_owned(), "{}".to_owned()] {
            assert!(matches!(list(&unknown), Err(TraceError::UnknownFormat)), "{unknown}");
        }
    }

    #[test]
    fn files_are_read_by_their_names() {
        let folder = tempfile::tempdir().expect("a folder");
        let lines = format!("{}\n{{\"type\": \"event\"}}\n{}\n", snapshot(ENTRY), snapshot(ENTRY));
        let archive = folder.path().join("trace.zip");
        let mut writer = zip::ZipWriter::new(File::create(&archive).expect("a file"));
        writer.start_file(PLAYWRIGHT_MEMBER, zip::write::SimpleFileOptions::default()).expect("a member");
        writer.write_all(lines.as_bytes()).expect("written");
        writer.finish().expect("an archive");
        for (name, content) in [
            ("trace.network", lines.as_str()),
            ("lines.har", &lines),
            ("trace.har", &format!(r#"{{"log": {{"entries": [{ENTRY}, {ENTRY}]}}}}"#)),
        ] {
            fs::write(folder.path().join(name), content).expect("written");
        }
        for name in ["", "trace.zip", "trace.network", "lines.har", "trace.har"] {
            let trace = Trace::open(&folder.path().join(name), &Retention::outline()).expect(name);
            assert_eq!(trace.events.len(), 2, "{name}");
        }
        fs::write(folder.path().join("bad.har"), "not json").expect("written");
        assert!(matches!(
            Trace::open(&folder.path().join("bad.har"), &Retention::outline()),
            Err(TraceError::Json(_))
        ));
        assert!(Trace::open(&folder.path().join("none.zip"), &Retention::outline()).is_err());
    }

    #[test]
    fn broken_parts_are_kept_as_defects() {
        let entry = r#"{"request": {"url": 5, "headers": [{"name": "Accept", "value": "a"}, {"name": "x"}], "postData": "a=1"},
            "response": {"status": null, "cookies": [{"value": "b"}, {"name": "c", "value": "%41"}], "content": {}}}"#;
        let trace =
            Trace::from_list(format!("[{entry}]").as_bytes(), &Retention::everything()).expect("a trace");
        let event = &trace.events[0];
        assert_eq!(event.url(), Err(Defect::WrongType("request.url")));
        assert_eq!(event.method(), Err(Defect::Missing("request.method")));
        assert_eq!(event.headers.all(), Err(Defect::Missing("request.headers.value")));
        assert_eq!(event.header("accept"), Some("a"));
        assert_eq!(event.post_data, Err(Defect::WrongType("request.postData")));
        assert_eq!(event.status, Ok(Scalar::Null));
        assert_eq!(event.cookies.all(), Err(Defect::Missing("response.cookies.name")));
        assert_eq!(event.cookies.well_formed(), [Cookie { name: "c".to_owned(), value: "A".to_owned() }]);
        assert_eq!(event.content, Ok(None));
    }

    proptest! {
        #[test]
        fn no_recording_panics(member in r#"(null|5|"x"|\[\]|\{\}|\[\{"name": 1\}\]|\{"text": 5\})"#, cut in 0usize..200) {
            for part in ["url", "method", "headers", "postData"] {
                let json = format!(r#"[{{"request": {{"{part}": {member}}}, "response": {{"status": {member}, "cookies": {member}}}}}]"#);
                let trace = Trace::from_list(json.as_bytes(), &Retention::everything()).expect("well-formed JSON");
                prop_assert_eq!(trace.events.len(), 1);
                let _ = trace.events[0].is_navigation_event();
                let cut = &json.as_bytes()[..cut.min(json.len() - 1)];
                prop_assert!(Trace::from_list(cut, &Retention::everything()).is_err());
            }
        }
    }
}
