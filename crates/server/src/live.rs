//! Runs under way, told to whoever watches. One look a second serves all viewers of a run; what they are sent is made
//! once and shared.

use std::collections::HashMap;
use std::convert::Infallible;
use std::fs::File;
use std::io::{Read as _, Seek as _, SeekFrom};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use axum::body::Body;
use axum::response::Response;
use bytes::Bytes;
use futures_util::stream;
use http::header::{CACHE_CONTROL, CONTENT_TYPE};
use tokio::sync::watch;
use umpire_arena::{BattleId, Phase};
use umpire_model::{AttemptId, Event, EventBody, Observed, RunId};

use crate::accounts::Address;
use crate::connections::Places;
use crate::contests::{Contests, Withheld};
use crate::error::PageError;
use crate::index::{IndexedRun, RunIndex};
use crate::pages::arena::battle_part;
use crate::pages::{RunList, live_part};

/// How often a run that is being written is looked at, and one that is not.
const LOOKS: Duration = Duration::from_secs(1);
const IDLE_LOOKS: Duration = Duration::from_secs(5);
/// The list of runs reads every manifest there is.
const LIST_LOOKS: Duration = Duration::from_secs(3);
/// Something is said at least so often, so that a connection that is gone is noticed.
const HEARTBEAT: Duration = Duration::from_secs(20);
/// Streams that one place may have open: an office may share an address.
const STREAMS_IN_A_PLACE: usize = 200;
/// The end of a journal that is searched for what happened last; one line is rarely longer than a few kilobytes.
const TAIL: u64 = 512 * 1024;
/// Running attempts shown at once.
const SHOWN: usize = 12;

pub(crate) struct Live {
    index: Arc<RunIndex>,
    contests: Option<Arc<Contests>>,
    withheld: Arc<Withheld>,
    stopping: watch::Receiver<bool>,
    watched: Arc<Mutex<Watching>>,
    streams: Places,
}

/// What is watched and by what its viewers hear of it.
type Watching = HashMap<Watched, watch::Receiver<Bytes>>;

/// What can be watched.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Watched {
    AllRuns,
    Run(RunId),
    /// One that waits or runs.
    Battle(BattleId),
}

/// An attempt under way and what it was last seen at.
pub(crate) struct Running {
    pub id: AttemptId,
    pub look: Option<Observed>,
    pub action: Option<String>,
}

impl Live {
    pub(crate) fn new(
        index: Arc<RunIndex>,
        contests: Option<Arc<Contests>>,
        withheld: Arc<Withheld>,
        stopping: watch::Receiver<bool>,
    ) -> Self {
        Self {
            index,
            contests,
            withheld,
            stopping,
            watched: Arc::default(),
            streams: Places::new(STREAMS_IN_A_PLACE),
        }
    }

    /// What happens from now on, as server-sent events; so many to a place.
    pub(crate) fn events(&self, what: &Watched, address: Address) -> Result<Response, PageError> {
        let place = self.streams.enter(address).ok_or(PageError::TooMany)?;
        let seen = self.watch(what);
        let state = (seen, self.stopping.clone(), true, place);
        let frames = stream::unfold(state, |(mut seen, mut stopping, is_first, place)| async move {
            if is_first {
                let frame = seen.borrow_and_update().clone();
                return Some((Ok::<_, Infallible>(frame), (seen, stopping, false, place)));
            }
            let frame = tokio::select! {
                _ = stopping.wait_for(|stop| *stop) => return None,
                changed = tokio::time::timeout(HEARTBEAT, seen.changed()) => match changed {
                    Ok(Ok(())) => seen.borrow_and_update().clone(),
                    // Nobody looks any more: the browser asks again.
                    Ok(Err(_)) => return None,
                    Err(_) => Bytes::from_static(b": still here\n\n"),
                },
            };
            Some((Ok(frame), (seen, stopping, false, place)))
        });
        let mut response = Response::new(Body::from_stream(frames));
        let headers = response.headers_mut();
        headers.insert(CONTENT_TYPE, http::HeaderValue::from_static("text/event-stream"));
        headers.insert(CACHE_CONTROL, http::HeaderValue::from_static("no-store"));
        Ok(response)
    }

    fn watch(&self, what: &Watched) -> watch::Receiver<Bytes> {
        let mut watched = self.watched.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(seen) = watched.get(what) {
            return seen.clone();
        }
        let (sender, seen) = watch::channel(Bytes::from_static(b": watching\n\n"));
        watched.insert(what.clone(), seen.clone());
        let looking = look_again_and_again(
            Arc::clone(&self.index),
            self.contests.clone(),
            Arc::clone(&self.withheld),
            what.clone(),
            sender,
            Arc::clone(&self.watched),
            self.stopping.clone(),
        );
        tokio::spawn(looking);
        seen
    }
}

async fn look_again_and_again(
    index: Arc<RunIndex>,
    contests: Option<Arc<Contests>>,
    withheld: Arc<Withheld>,
    what: Watched,
    sender: watch::Sender<Bytes>,
    watched: Arc<Mutex<Watching>>,
    mut stopping: watch::Receiver<bool>,
) {
    let mut last = String::new();
    loop {
        let looked = look(&index, contests.as_deref(), &withheld, &what).await;
        let pause = match (&looked, &what) {
            (Some((true, _)), Watched::Run(_) | Watched::Battle(_)) => LOOKS,
            (Some((true, _)), Watched::AllRuns) => LIST_LOOKS,
            _ => IDLE_LOOKS,
        };
        if let Some((_, part)) = looked.filter(|(_, part)| *part != last) {
            last.clone_from(&part);
            let _ = sender.send(frame(&part));
        }
        tokio::select! {
            _ = stopping.wait_for(|stop| *stop) => return,
            () = tokio::time::sleep(pause) => {}
        }
        let mut watched = watched.lock().unwrap_or_else(PoisonError::into_inner);
        // The map itself holds one.
        if sender.receiver_count() <= 1 {
            watched.remove(&what);
            return;
        }
    }
}

/// Whether anything goes on, and the part of the page that shows it. None if it cannot be told just now.
async fn look(
    index: &Arc<RunIndex>,
    contests: Option<&Contests>,
    withheld: &Arc<Withheld>,
    what: &Watched,
) -> Option<(bool, String)> {
    match what {
        Watched::Battle(battle) => {
            let battle = index.database().battle(battle).await.ok()??;
            let is_live = matches!(battle.phase(), Phase::Queued | Phase::Running { .. });
            Some((is_live, battle_part(index.runs(), contests, &battle).await.into_string()))
        }
        Watched::Run(run) => {
            let indexed = index.open(run).await.ok()?;
            tokio::task::spawn_blocking(move || {
                let (is_live, running) = running(&indexed);
                (is_live, live_part(&indexed, is_live, &running).into_string())
            })
            .await
            .ok()
        }
        Watched::AllRuns => {
            let list = RunList::gather(index, withheld).await.ok()?;
            Some((list.is_live(), list.part().into_string()))
        }
    }
}

/// A carriage return ends a line of a stream as well, and what agents and pages say may hold one.
fn frame(part: &str) -> Bytes {
    let mut text = String::with_capacity(part.len() + 64);
    text.push_str("event: part\n");
    for line in part.lines().flat_map(|line| line.split('\r')) {
        text.push_str("data: ");
        text.push_str(line);
        text.push('\n');
    }
    text.push('\n');
    Bytes::from(text)
}

/// Whether somebody writes the run, and the attempts that began and did not end.
pub(crate) fn running(indexed: &IndexedRun) -> (bool, Vec<Running>) {
    if !indexed.run.is_being_written() {
        return (false, Vec::new());
    }
    let under_way = indexed.summary.attempts.iter().filter(|a| a.tries > 0 && a.steps.is_none());
    let running = under_way
        .take(SHOWN)
        .map(|attempt| {
            let (look, action) = last_of(&indexed.run.attempt(&attempt.id).journal_path());
            Running { id: attempt.id.clone(), look, action }
        })
        .collect();
    (true, running)
}

/// The last look and the last action in a journal, from its end: a long one is not read whole every second.
fn last_of(journal: &Path) -> (Option<Observed>, Option<String>) {
    let mut tail = Vec::new();
    let read = File::open(journal).and_then(|mut file| {
        let length = file.metadata()?.len();
        file.seek(SeekFrom::Start(length.saturating_sub(TAIL)))?;
        file.take(TAIL).read_to_end(&mut tail)
    });
    let (mut look, mut action) = (None, None);
    if read.is_err() {
        return (look, action);
    }
    for line in tail.split(|byte| *byte == b'\n').rev() {
        let Ok(event) = serde_json::from_slice::<Event>(line) else { continue };
        match event.body {
            EventBody::Started { .. } => break,
            EventBody::Observed(observed) if look.is_none() => look = Some(observed),
            EventBody::Acted { action: did, .. } if action.is_none() => action = Some(did.to_string()),
            EventBody::ForeignAction { text, .. } if action.is_none() => action = Some(text),
            _ => {}
        }
        if look.is_some() && action.is_some() {
            break;
        }
    }
    (look, action)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_that_is_shown_ends_its_line_of_a_stream() {
        let part = "<p>one\rretry: 1\r\nevent: x\r\rdata: y\n\nlast\r</p>";
        let wanted = "event: part\ndata: <p>one\ndata: retry: 1\ndata: event: x\ndata: \ndata: data: y\n\
                      data: \ndata: last\ndata: </p>\n\n";
        assert_eq!(frame(part), wanted);
    }
}
