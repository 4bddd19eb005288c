//! A run under way, as it is told to those who watch.

use crate::support::{LONGEST, RUN, Served};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use umpire_model::{
    Action, AttemptId, Digest, EventBody, Evidence as _, Media, Observed, Redactor, Viewport,
};

/// What the server sends until `wanted` is in it, or a minute has passed.
pub async fn read_until(stream: &mut TcpStream, wanted: &str) -> String {
    let mut seen = String::new();
    let reading = async {
        let mut buffer = vec![0; 16 * 1024];
        while !seen.contains(wanted) {
            match stream.read(&mut buffer).await {
                Ok(0) | Err(_) => break,
                Ok(count) => seen.push_str(&String::from_utf8_lossy(&buffer[..count])),
            }
        }
    };
    let _ = tokio::time::timeout(LONGEST, reading).await;
    seen
}

/// The first whole frame that is as wanted; what comes before it is gone.
async fn frame_until(stream: &mut TcpStream, is_wanted: impl Fn(&str) -> bool) -> String {
    let mut seen = Vec::new();
    let reading = async {
        loop {
            if let Some(end) = seen.windows(2).position(|two| two == b"\n\n") {
                let frame: Vec<u8> = seen.drain(..end + 2).collect();
                let frame = String::from_utf8_lossy(&frame).into_owned();
                if is_wanted(&frame) {
                    return frame;
                }
                continue;
            }
            assert_ne!(stream.read_buf(&mut seen).await.expect("read"), 0, "the stream ended");
        }
    };
    tokio::time::timeout(LONGEST, reading).await.expect("a frame in time")
}

pub async fn watch(served: &Served) -> TcpStream {
    let mut stream = TcpStream::connect(served.server.address()).await.expect("connected");
    let request = format!("GET /runs/{RUN}/events HTTP/1.1\r\nHost: localhost\r\n\r\n");
    stream.write_all(request.as_bytes()).await.expect("sent");
    stream
}

#[tokio::test]
async fn viewers_see_attempts_begin_and_what_they_look_at() {
    let served = Served::start().await;
    let run = umpire_store::Runs::new(served.folder.path().join("runs")).open(RUN).expect("a run");
    let mut stream = watch(&served).await;
    let first = read_until(&mut stream, "</div>").await;
    assert!(first.contains("text/event-stream") && first.contains("event: part"), "{first}");
    assert!(first.contains("<b>45</b> of 48 attempts have an outcome"), "{first}");

    let lock = run.lock().expect("free");
    let id: AttemptId = "my-bot/hub-sessions/1".parse().expect("an attempt");
    let writer = run.attempt(&id).writer(Redactor::default()).expect("a writer");
    writer.event(EventBody::Started {
        attempt: id.clone(),
        r#try: 1,
        instance: Digest::of(b"instance"),
        at: "2026-01-01T00:00:03Z".to_owned(),
        browser: String::new(),
        remote: None,
        viewport: Viewport::default(),
    });
    let shot = writer.blob(b"\xff\xd8 not much of a picture", Media::Jpeg);
    let name = shot.digest.to_string();
    writer.event(EventBody::Observed(Observed {
        step: 1,
        url: "http://hub.localhost/".to_owned(),
        title: String::new(),
        tabs: Vec::new(),
        screenshot: Some(shot),
        outline: None,
        elements: 1,
        took_ms: 1,
    }));
    writer.event(EventBody::Acted {
        step: 1,
        action: Action::Press("<b>Enter".to_owned()),
        at: None,
        error: None,
        took_ms: 1,
    });
    // The picture and what is done may come one after the other.
    let seen = frame_until(&mut stream, |frame| frame.contains(&name) && frame.contains("Enter")).await;
    assert!(seen.contains(&format!("/thumbs/{name}")), "the current picture is shown: {seen}");
    assert!(seen.contains("running") && seen.contains("my-bot"), "{seen}");
    assert!(seen.contains("&lt;b&gt;Enter") && !seen.contains("<b>Enter"), "what is hostile stays text");
    drop(lock);
}

/// The list of runs shows what goes on in each.
#[tokio::test]
async fn the_list_of_runs_is_live_as_well() {
    let served = Served::start().await;
    let run = umpire_store::Runs::new(served.folder.path().join("runs")).open(RUN).expect("a run");
    let lock = run.lock().expect("free");
    let mut stream = TcpStream::connect(served.server.address()).await.expect("connected");
    stream.write_all(b"GET /events HTTP/1.1\r\nHost: localhost\r\n\r\n").await.expect("sent");
    let is_part = |frame: &str| frame.contains("event: part");
    let live = frame_until(&mut stream, |frame| is_part(frame) && frame.contains("<b>45</b> of 48")).await;
    assert!(live.contains("my-bot") && live.contains("class=\"live\""), "{live}");
    drop(lock);
    // Nothing goes on any more.
    frame_until(&mut stream, |frame| is_part(frame) && !frame.contains("class=\"live\"")).await;
}

#[tokio::test]
async fn a_server_that_stops_ends_its_streams_and_answers_what_is_under_way() {
    let served = Served::start().await;
    let mut stream = watch(&served).await;
    read_until(&mut stream, "event: part").await;
    let Served { server, folder: _folder } = served;
    server.stop().await;
    let mut rest = Vec::new();
    tokio::time::timeout(LONGEST, stream.read_to_end(&mut rest)).await.expect("the stream ends").ok();
}
