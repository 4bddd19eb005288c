//! A trace may be larger than memory: what is read must not pile up.
//!
//! The recordings are made up while they are read, so nothing large lies on disk either.

use std::io::{self, BufReader, Read};

use umpire_webarena::trace::{BodyMember, Event, Retention, Trace};

const MEGABYTE: usize = 1 << 20;

/// Reads pieces one after the other, each made when its turn comes, and counts the bytes.
struct Pieces<I> {
    coming: I,
    current: io::Cursor<String>,
    read: usize,
}

impl<I: Iterator<Item = String>> Pieces<I> {
    fn new(pieces: I) -> Self {
        Self { coming: pieces, current: io::Cursor::default(), read: 0 }
    }
}

impl<I: Iterator<Item = String>> Read for &mut Pieces<I> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            let read = self.current.read(buffer)?;
            self.read += read;
            if read > 0 || buffer.is_empty() {
                return Ok(read);
            }
            match self.coming.next() {
                Some(piece) => self.current = io::Cursor::new(piece),
                None => return Ok(0),
            }
        }
    }
}

fn har(entries: impl Iterator<Item = String>) -> impl Iterator<Item = String> {
    let separated =
        entries.enumerate().map(|(index, entry)| if index == 0 { entry } else { format!(",{entry}") });
    std::iter::once(r#"{"log":{"version":"1.2","entries":["#.to_owned())
        .chain(separated)
        .chain(std::iter::once("]}}".to_owned()))
}

fn entry(url: &str, post_data: &str, body: &str) -> String {
    format!(
        r#"{{"time":1.5,"request":{{"method":"POST","url":"{url}","headers":[{{"name":"Accept","value":"text/html"}},
        {{"name":"X-Padding","value":"{}"}}],"postData":{{"mimeType":"text/plain","text":"{post_data}"}}}},
        "response":{{"status":200,"content":{{"mimeType":"text/html","text":"{body}"}},"cookies":[]}}}}"#,
        "p".repeat(500),
    )
}

/// The bytes an event holds on to.
fn retained(event: &Event) -> usize {
    let body = |body: &Result<Option<umpire_webarena::trace::Body>, _>| match body {
        Ok(Some(body)) => match &body.text {
            BodyMember::Text(text) => text.capacity(),
            _ => 0,
        },
        _ => 0,
    };
    let headers =
        event.headers.well_formed().iter().map(|header| header.name.capacity() + header.value.capacity());
    event.url.as_ref().map_or(0, String::capacity)
        + headers.sum::<usize>()
        + body(&event.post_data)
        + body(&event.content)
}

/// The most memory this process ever had, in bytes.
#[cfg(target_os = "linux")]
fn peak_memory() -> usize {
    let status = std::fs::read_to_string("/proc/self/status").expect("a process has a status");
    let line = status.lines().find(|line| line.starts_with("VmHWM:")).expect("a peak");
    let kilobytes: usize =
        line.split_whitespace().nth(1).and_then(|number| number.parse().ok()).expect("a number");
    kilobytes * 1024
}

#[cfg(not(target_os = "linux"))]
fn peak_memory() -> usize {
    0
}

#[test]
fn recordings_larger_than_the_memory_allowed_are_read() {
    let before = peak_memory();

    // Many entries with bodies of 100 kB, most of them page furniture.
    let body = "x\\n\\u00e9".repeat(100_000 / 9);
    let entries = (0..2_400).map(|index| {
        let ending = if index % 8 == 0 { "" } else { ".png" };
        entry(&format!("http://shop/item/{index}{ending}"), "a=1", &body)
    });
    let mut pieces = Pieces::new(har(entries));
    let trace = Trace::from_har(BufReader::new(&mut pieces), &Retention::outline()).expect("a HAR");
    assert!(pieces.read > 200 * MEGABYTE, "only {} bytes", pieces.read);
    assert_eq!((trace.events.len(), trace.static_assets, trace.malformed_entries), (300, 2_100, 0));
    let kept: usize = trace.events.iter().map(retained).sum();
    assert!(kept < 100_000, "{kept} bytes kept");

    // One response of 250 MB, asked for: it is cut off, and what comes after it is read.
    let piece = "y".repeat(MEGABYTE);
    let head = entry("http://shop/", "", "@");
    let (head, tail) = head.split_once('@').expect("a place for the body");
    let one = std::iter::once(head.to_owned()).chain((0..250).map(|_| piece.clone()));
    let last = format!("{tail},{}", entry("http://shop/last", "a=1", "small"));
    let opening = r#"{"log":{"entries":["#.to_owned();
    let whole = std::iter::once(opening).chain(one).chain([last, "]}}".to_owned()]);
    let mut pieces = Pieces::new(whole);
    let trace = Trace::from_har(BufReader::new(&mut pieces), &Retention::everything()).expect("a HAR");
    assert!(pieces.read > 250 * MEGABYTE, "only {} bytes", pieces.read);
    let text = |event: &Event| event.content.as_ref().expect("read").as_ref().expect("a body").text.clone();
    assert_eq!(text(&trace.events[0]), BodyMember::TooLong);
    assert_eq!(text(&trace.events[1]), BodyMember::Text("small".to_owned()));

    let grown = peak_memory().saturating_sub(before);
    assert!(grown < 64 * MEGABYTE, "memory grew by {} MB", grown / MEGABYTE);
}
