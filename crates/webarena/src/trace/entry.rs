//! Reads one recorded request: a HAR entry, or the line of a Playwright trace that wraps one.

use std::io::BufRead;

use super::event::{Body, BodyMember, Cookie, Defect, Event, Header, Listed, Scalar, Surroundings};
use super::json_stream::{JsonError, JsonStream, Kind};
use super::retention::Retention;
use crate::python::urllib;

/// One element of a recording, before it is known which format the recording has.
#[derive(Debug)]
pub(super) struct Item {
    /// The value of `type`, if it is text.
    pub record_type: Option<String>,
    pub has_request: bool,
    pub has_response: bool,
    /// The item read as a HAR entry.
    pub entry: Event,
    /// The item's `snapshot` read as a HAR entry; an error if there is one that is no object.
    pub snapshot: Option<Result<Event, Defect>>,
}

/// Reads the next value as an item; an error in the inner result if it is no object.
pub(super) fn read_item<R: BufRead>(
    stream: &mut JsonStream<R>,
    retention: &Retention,
) -> Result<Result<Item, Defect>, JsonError> {
    if stream.kind()? != Kind::Object {
        stream.skip()?;
        return Ok(Err(Defect::WrongType("the entry")));
    }
    let mut item = Item {
        record_type: None,
        has_request: false,
        has_response: false,
        entry: empty_event(),
        snapshot: None,
    };
    stream.members(|stream, key| {
        match key {
            "type" => item.record_type = text_or_nothing(stream, retention)?,
            "snapshot" => item.snapshot = Some(read_snapshot(stream, retention)?),
            "request" => {
                item.has_request = true;
                read_request(stream, retention, &mut item.entry)?;
            }
            "response" => {
                item.has_response = true;
                read_response(stream, retention, &mut item.entry)?;
            }
            _ => read_surrounding(stream, retention, key, &mut item.entry)?,
        }
        Ok(())
    })?;
    Ok(Ok(item))
}

fn read_snapshot<R: BufRead>(
    stream: &mut JsonStream<R>,
    retention: &Retention,
) -> Result<Result<Event, Defect>, JsonError> {
    if stream.kind()? != Kind::Object {
        stream.skip()?;
        return Ok(Err(Defect::WrongType("snapshot")));
    }
    let mut event = empty_event();
    stream.members(|stream, key| match key {
        "request" => read_request(stream, retention, &mut event),
        "response" => read_response(stream, retention, &mut event),
        _ => read_surrounding(stream, retention, key, &mut event),
    })?;
    Ok(Ok(event))
}

/// An event of which nothing was recorded.
fn empty_event() -> Event {
    Event {
        url: Err(Defect::Missing("request.url")),
        method: Err(Defect::Missing("request.method")),
        headers: Listed::broken(Defect::Missing("request.headers")),
        post_data: Ok(None),
        status: Err(Defect::Missing("response.status")),
        redirect_url: None,
        cookies: Listed::new(Vec::new(), None),
        content: Ok(None),
        surroundings: None,
    }
}

/// A member of the entry itself.
fn read_surrounding<R: BufRead>(
    stream: &mut JsonStream<R>,
    retention: &Retention,
    key: &str,
    event: &mut Event,
) -> Result<(), JsonError> {
    if !retention.surroundings {
        return stream.skip();
    }
    let kept = event.surroundings.get_or_insert_default();
    match key {
        "startedDateTime" => kept.started = text_or_nothing(stream, retention)?,
        "time" => kept.time = number_or_nothing(stream, retention)?,
        "_monotonicTime" => kept.monotonic = number_or_nothing(stream, retention)?,
        "_resourceType" => kept.resource_type = text_or_nothing(stream, retention)?,
        "_mainFrame" => {
            kept.main_frame = match read_scalar(stream, retention)? {
                Some(Scalar::Bool(is_main)) => Some(is_main),
                _ => None,
            };
        }
        "_frameId" | "_frameref" => kept.frame = text_or_nothing(stream, retention)?,
        "_error" => kept.error = text_or_nothing(stream, retention)?,
        _ => stream.skip()?,
    }
    Ok(())
}

fn read_request<R: BufRead>(
    stream: &mut JsonStream<R>,
    retention: &Retention,
    event: &mut Event,
) -> Result<(), JsonError> {
    let empty = empty_event();
    (event.url, event.method, event.headers, event.post_data) =
        (empty.url, empty.method, empty.headers, empty.post_data);
    if stream.kind()? != Kind::Object {
        event.post_data = Err(Defect::WrongType("request"));
        return stream.skip();
    }
    stream.members(|stream, key| {
        match key {
            "url" => event.url = required_text(stream, retention, "request.url")?,
            "method" => event.method = required_text(stream, retention, "request.method")?,
            "headers" => event.headers = read_headers(stream, retention)?,
            "postData" if retention.request_bodies => {
                event.post_data = read_body(stream, retention, "request.postData")?;
            }
            "httpVersion" if retention.surroundings => {
                surroundings(event).request_version = text_or_nothing(stream, retention)?;
            }
            _ => stream.skip()?,
        }
        Ok(())
    })
}

fn read_response<R: BufRead>(
    stream: &mut JsonStream<R>,
    retention: &Retention,
    event: &mut Event,
) -> Result<(), JsonError> {
    let empty = empty_event();
    (event.status, event.cookies, event.content) = (empty.status, empty.cookies, empty.content);
    event.redirect_url = None;
    if stream.kind()? != Kind::Object {
        event.cookies = Listed::broken(Defect::WrongType("response"));
        event.content = Err(Defect::WrongType("response"));
        return stream.skip();
    }
    stream.members(|stream, key| {
        match key {
            "status" => {
                event.status = read_scalar(stream, retention)?.ok_or(Defect::WrongType("response.status"));
            }
            "redirectURL" => event.redirect_url = text_or_nothing(stream, retention)?,
            "cookies" => event.cookies = read_cookies(stream, retention)?,
            "content" if retention.response_bodies => {
                event.content = read_body(stream, retention, "response.content")?;
            }
            "httpVersion" if retention.surroundings => {
                surroundings(event).response_version = text_or_nothing(stream, retention)?;
            }
            "statusText" if retention.surroundings => {
                surroundings(event).status_text = text_or_nothing(stream, retention)?;
            }
            "bodySize" if retention.surroundings => {
                surroundings(event).body_size = number_or_nothing(stream, retention)?;
            }
            "_failureText" if retention.surroundings => {
                surroundings(event).error = text_or_nothing(stream, retention)?;
            }
            "headers" if retention.surroundings => {
                let kept = &mut surroundings(event).response_headers;
                kept.clear();
                read_pairs(stream, retention, "response.headers", |name, value| {
                    if let (Some(Ok(name)), Some(Ok(value))) = (name, value) {
                        kept.push(Header { name, value });
                    }
                    Ok(())
                })?;
            }
            _ => stream.skip()?,
        }
        Ok(())
    })
}

fn surroundings(event: &mut Event) -> &mut Surroundings {
    event.surroundings.get_or_insert_default()
}

fn read_headers<R: BufRead>(
    stream: &mut JsonStream<R>,
    retention: &Retention,
) -> Result<Listed<Header>, JsonError> {
    const NAME: &str = "request.headers.name";
    const VALUE: &str = "request.headers.value";
    let mut headers = Vec::new();
    let defect = read_pairs(stream, retention, "request.headers", |name, value| {
        let name = name.unwrap_or(Err(Defect::Missing(NAME)))?;
        let value = value.unwrap_or(Err(Defect::Missing(VALUE)))?;
        let name = name.to_lowercase();
        if retention.keeps_header(&name) {
            headers.push(Header { name, value });
        }
        Ok(())
    })?;
    Ok(Listed::new(headers, defect))
}

fn read_cookies<R: BufRead>(
    stream: &mut JsonStream<R>,
    retention: &Retention,
) -> Result<Listed<Cookie>, JsonError> {
    let mut cookies = Vec::new();
    let defect = read_pairs(stream, retention, "response.cookies", |name, value| {
        let name = name.unwrap_or(Err(Defect::Missing("response.cookies.name")))?;
        let value = urllib::unquote(&value.unwrap_or(Ok(String::new()))?);
        cookies.push(Cookie { name, value });
        Ok(())
    })?;
    Ok(Listed::new(cookies, defect))
}

/// A member that may be absent, and may be something else than text.
type OptionalText = Option<Result<String, Defect>>;

/// Visits `name` and `value` of every element of a list; returns the first defect.
fn read_pairs<R: BufRead>(
    stream: &mut JsonStream<R>,
    retention: &Retention,
    list: &'static str,
    mut visit: impl FnMut(OptionalText, OptionalText) -> Result<(), Defect>,
) -> Result<Option<Defect>, JsonError> {
    if stream.kind()? != Kind::Array {
        stream.skip()?;
        return Ok(Some(Defect::WrongType(list)));
    }
    let mut defect = None;
    stream.elements(|stream| {
        let (mut name, mut value) = (None, None);
        let pair = if stream.kind()? == Kind::Object {
            stream.members(|stream, key| {
                match key {
                    "name" => name = Some(required_text(stream, retention, list)?),
                    "value" => value = Some(required_text(stream, retention, list)?),
                    _ => stream.skip()?,
                }
                Ok(())
            })?;
            visit(name, value)
        } else {
            stream.skip()?;
            Err(Defect::WrongType(list))
        };
        defect = defect.or(pair.err());
        Ok(())
    })?;
    Ok(defect)
}

fn read_body<R: BufRead>(
    stream: &mut JsonStream<R>,
    retention: &Retention,
    name: &'static str,
) -> Result<Result<Option<Body>, Defect>, JsonError> {
    if stream.kind()? != Kind::Object {
        return Ok(if read_truth(stream)? { Err(Defect::WrongType(name)) } else { Ok(None) });
    }
    let mut body = Body::default();
    let mut has_members = false;
    stream.members(|stream, key| {
        has_members = true;
        match key {
            "mimeType" => body.mime_type = read_body_member(stream, retention)?,
            "text" => body.text = read_body_member(stream, retention)?,
            "encoding" | "_encoding" => body.encoding = text_or_nothing(stream, retention)?,
            "_sha1" | "_file" => body.resource = text_or_nothing(stream, retention)?,
            "params" => {
                // Only lenient evaluations look at these, so a broken one is simply not there.
                read_pairs(stream, retention, name, |name, value| {
                    let value = value.unwrap_or(Ok(String::new()))?;
                    if let Some(Ok(name)) = name {
                        body.parameters.push((name, value));
                    }
                    Ok(())
                })?;
            }
            _ => stream.skip()?,
        }
        Ok(())
    })?;
    Ok(Ok(has_members.then_some(body)))
}

fn read_body_member<R: BufRead>(
    stream: &mut JsonStream<R>,
    retention: &Retention,
) -> Result<BodyMember, JsonError> {
    let kind = stream.kind()?;
    if kind != Kind::Text {
        return Ok(BodyMember::Other { truthy: read_truth(stream)?, container: kind != Kind::Bare });
    }
    let limited = stream.text(retention.longest_text)?;
    Ok(if limited.truncated { BodyMember::TooLong } else { BodyMember::Text(limited.text) })
}

fn required_text<R: BufRead>(
    stream: &mut JsonStream<R>,
    retention: &Retention,
    name: &'static str,
) -> Result<Result<String, Defect>, JsonError> {
    if stream.kind()? != Kind::Text {
        stream.skip()?;
        return Ok(Err(Defect::WrongType(name)));
    }
    let limited = stream.text(retention.longest_text)?;
    Ok(if limited.truncated { Err(Defect::TooLong(name)) } else { Ok(limited.text) })
}

fn text_or_nothing<R: BufRead>(
    stream: &mut JsonStream<R>,
    retention: &Retention,
) -> Result<Option<String>, JsonError> {
    Ok(required_text(stream, retention, "")?.ok())
}

/// The next value as written, if it is a number.
fn number_or_nothing<R: BufRead>(
    stream: &mut JsonStream<R>,
    retention: &Retention,
) -> Result<Option<String>, JsonError> {
    Ok(match read_scalar(stream, retention)? {
        Some(Scalar::Number(number)) => Some(number),
        _ => None,
    })
}

/// The next value if it is a scalar.
fn read_scalar<R: BufRead>(
    stream: &mut JsonStream<R>,
    retention: &Retention,
) -> Result<Option<Scalar>, JsonError> {
    Ok(match stream.kind()? {
        Kind::Object | Kind::Array => {
            stream.skip()?;
            None
        }
        Kind::Text => Some(Scalar::Text(stream.text(retention.longest_text)?.text)),
        Kind::Bare => Some(match stream.bare()?.as_str() {
            "null" => Scalar::Null,
            "true" => Scalar::Bool(true),
            "false" => Scalar::Bool(false),
            number => Scalar::Number(number.to_owned()),
        }),
    })
}

/// Reads over the next value and tells whether Python takes it for true.
fn read_truth<R: BufRead>(stream: &mut JsonStream<R>) -> Result<bool, JsonError> {
    match stream.kind()? {
        Kind::Text => Ok(!stream.text(1)?.text.is_empty()),
        Kind::Bare => {
            let token = stream.bare()?;
            let is_zero = || token.parse::<f64>().is_ok_and(|number| number == 0.0);
            Ok(!matches!(token.as_str(), "null" | "false") && !is_zero())
        }
        Kind::Array => {
            let mut truthy = false;
            stream.elements(|stream| {
                truthy = true;
                stream.skip()
            })?;
            Ok(truthy)
        }
        Kind::Object => {
            let mut truthy = false;
            stream.members(|stream, _| {
                truthy = true;
                stream.skip()
            })?;
            Ok(truthy)
        }
    }
}
