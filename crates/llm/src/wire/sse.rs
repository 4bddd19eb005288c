//! Server-sent events, as far as model providers use them.

/// Longer events are no pieces of a reply.
const LARGEST_EVENT: usize = 16 << 20;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct SseEvent {
    /// Empty if the stream names none.
    pub(crate) name: String,
    pub(crate) data: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("an event of the stream is longer than {} MiB", LARGEST_EVENT >> 20)]
pub(crate) struct EventTooLong;

/// Takes bytes as they come and gives events when they are whole. What the stream ends in the middle of is no event.
#[derive(Debug, Default)]
pub(crate) struct SseParser {
    line: Vec<u8>,
    /// The last byte was a carriage return: a line feed right after it ends the same line.
    after_return: bool,
    began: bool,
    name: String,
    data: Option<String>,
}

impl SseParser {
    pub(crate) fn push(&mut self, bytes: &[u8]) -> Result<Vec<SseEvent>, EventTooLong> {
        let mut events = Vec::new();
        for &byte in bytes {
            let ends_line = byte == b'\r' || (byte == b'\n' && !self.after_return);
            let is_second_half = byte == b'\n' && self.after_return;
            self.after_return = byte == b'\r';
            if ends_line {
                events.extend(self.end_line());
            } else if !is_second_half {
                self.line.push(byte);
                if self.line.len() + self.data.as_ref().map_or(0, String::len) > LARGEST_EVENT {
                    return Err(EventTooLong);
                }
            }
        }
        Ok(events)
    }

    fn end_line(&mut self) -> Option<SseEvent> {
        let line = std::mem::take(&mut self.line);
        let line = String::from_utf8_lossy(&line);
        let is_first = !std::mem::replace(&mut self.began, true);
        let line = if is_first { line.strip_prefix('\u{feff}').unwrap_or(&line) } else { &line };
        if line.is_empty() {
            let name = std::mem::take(&mut self.name);
            return self.data.take().map(|data| SseEvent { name, data });
        }
        let (field, value) = line.split_once(':').unwrap_or((line, ""));
        let value = value.strip_prefix(' ').unwrap_or(value);
        match field {
            "event" => value.clone_into(&mut self.name),
            "data" => match &mut self.data {
                Some(data) => {
                    data.push('\n');
                    data.push_str(value);
                }
                None => self.data = Some(value.to_owned()),
            },
            // Comments (an empty field), ids and retry times are no business of ours.
            _ => {}
        }
        None
    }
}

impl SseEvent {
    pub(crate) fn new(name: &str, data: &(impl ToString + ?Sized)) -> Self {
        Self { name: name.to_owned(), data: data.to_string() }
    }

    /// As it stands in a stream.
    pub(crate) fn to_text(&self) -> String {
        let name = if self.name.is_empty() { String::new() } else { format!("event: {}\n", self.name) };
        format!("{name}data: {}\n\n", self.data.replace('\n', "\ndata: "))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn parsed(chunks: &[&[u8]]) -> Vec<SseEvent> {
        let mut parser = SseParser::default();
        chunks.iter().flat_map(|chunk| parser.push(chunk).expect("short")).collect()
    }

    /// The examples of the HTML standard's chapter on server-sent events.
    #[test]
    fn events_of_the_standard() {
        let event = |name: &str, data: &str| SseEvent::new(name, data);
        for (stream, expected) in [
            ("data: YHOO\ndata: +2\ndata: 10\n\n", vec![event("", "YHOO\n+2\n10")]),
            (
                ": test stream\n\ndata: first event\nid: 1\n\ndata:second event\nid\n\ndata:  third event\n\n",
                vec![event("", "first event"), event("", "second event"), event("", " third event")],
            ),
            // The last block is not followed by an empty line.
            ("data\n\ndata\ndata\n\ndata:", vec![event("", ""), event("", "\n")]),
            ("data:test\n\ndata: test\n\n", vec![event("", "test"), event("", "test")]),
            (
                "event: add\r\ndata: 73857293\r\n\r\nevent: remove\rdata: 2153\r\r",
                vec![event("add", "73857293"), event("remove", "2153")],
            ),
            (
                "\u{feff}data: bom\n\nevent: lost\n\ndata: unnamed\n\n",
                vec![event("", "bom"), event("", "unnamed")],
            ),
        ] {
            assert_eq!(parsed(&[stream.as_bytes()]), expected, "{stream:?}");
        }
    }

    #[test]
    fn an_endless_event_is_refused() {
        let mut parser = SseParser::default();
        let chunk = vec![b'x'; 1 << 20];
        let refused = (0..20).find_map(|_| parser.push(&chunk).err());
        assert_eq!(refused, Some(EventTooLong));
    }

    proptest! {
        #[test]
        fn any_chunking_gives_the_same_events(text in "(data|event|:|id|[a-z é]|\r|\n|: ){0,60}", cuts in prop::collection::vec(0usize..200, 0..8)) {
            let bytes = text.as_bytes();
            let whole = parsed(&[bytes]);
            let mut cuts: Vec<usize> = cuts.into_iter().map(|cut| cut.min(bytes.len())).collect();
            cuts.sort_unstable();
            let mut chunks = Vec::new();
            let mut start = 0;
            for cut in cuts.into_iter().chain([bytes.len()]) {
                chunks.push(&bytes[start..cut]);
                start = cut;
            }
            prop_assert_eq!(parsed(&chunks), whole);
        }

        #[test]
        fn what_is_written_is_read(events in prop::collection::vec(("[a-z._]{0,9}", "[ -~é\n]{0,40}"), 0..6)) {
            let events: Vec<SseEvent> = events.iter().map(|(name, data)| SseEvent::new(name, data)).collect();
            let written: String = events.iter().map(SseEvent::to_text).collect();
            prop_assert_eq!(parsed(&[written.as_bytes()]), events);
        }

        #[test]
        fn any_bytes_are_taken(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
            let _ = parsed(&[&bytes]);
        }
    }
}
