//! When a page is ready: its network, its structure and its layout are quiet, or the deadline came.
//!
//! Chromium counts layouts, style recalculations and nodes for each process; two equal counts around animation frames
//! mean that nothing moved in between, in whatever frame or shadow root. An animation that never ends keeps the layout
//! busy but not the structure, and is not waited for.

use std::time::{Duration, Instant};

use futures_util::future::join_all;
use serde::Deserialize;
use serde_json::json;
use umpire_model::Deadline;

use crate::TabHandle;
use crate::cdp::Session;
use crate::isolated::IsolatedWorld;

/// Scripts that answer a response or a click do so within this, as a rule.
const QUIET: Duration = Duration::from_millis(40);
/// A page whose boxes keep moving, but that gains and loses nothing for so long, is animated, not loading.
const QUIET_IF_ANIMATED: Duration = Duration::from_millis(300);
/// A page that changes without end while its network rests has a clock or a ticker in it.
const LONGEST_CHURN: Duration = Duration::from_millis(1_000);
/// A request open for so long while no other starts or ends is a poll that waits for news.
const LONG_POLL: Duration = Duration::from_secs(3);
/// A tab in the background draws no frames.
const LONGEST_FRAME: Duration = Duration::from_millis(100);

/// How the wait for a page ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Settled {
    /// Nothing moves any more.
    Quiet,
    /// Something keeps moving that will not stop: an animation, a clock, a long poll.
    Restless,
    /// The deadline came first.
    Deadline,
    /// The tab crashed or closed, or a dialog blocks it: there is nothing to wait for.
    Gone,
}

/// What a process counted so far.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Counted {
    nodes: f64,
    layouts: f64,
    styles: f64,
}

#[derive(Deserialize)]
struct Metrics {
    metrics: Vec<Metric>,
}

#[derive(Deserialize)]
struct Metric {
    name: String,
    value: f64,
}

/// What the page looked like at one frame.
#[derive(Clone, Debug, PartialEq)]
struct Look {
    counted: Vec<Counted>,
    loading: bool,
}

pub async fn settle(tab: &TabHandle, deadline: Deadline) -> Settled {
    for (session, _) in tab.processes() {
        session.post("Performance.enable", json!({}));
    }
    let mut last: Option<Look> = None;
    let began = Instant::now();
    let (mut moved, mut grew) = (began, began);
    loop {
        let counts = tab.activity.counts();
        if counts.crashed || counts.closed || counts.dialog_open {
            return Settled::Gone;
        }
        if deadline.passed() {
            return Settled::Deadline;
        }
        let look = look(tab, deadline).await;
        let now = Instant::now();
        match (&last, &look) {
            (Some(before), Some(after)) if before == after => {}
            (Some(before), Some(after))
                if nodes(before) == nodes(after) && before.loading == after.loading =>
            {
                moved = now
            }
            _ => {
                moved = now;
                grew = now;
            }
        }
        let counts = tab.activity.counts();
        let network_quiet = counts.since.map_or(Duration::MAX, |since| now.saturating_duration_since(since));
        let idle =
            counts.in_flight == 0 && counts.loading == 0 && look.as_ref().is_some_and(|look| !look.loading);
        if idle && network_quiet >= QUIET {
            if now - moved >= QUIET {
                return Settled::Quiet;
            }
            let waited = now.saturating_duration_since(began).min(network_quiet);
            if now - grew >= QUIET_IF_ANIMATED || waited >= LONGEST_CHURN {
                return Settled::Restless;
            }
        }
        let only_polls = counts.loading == 0 && network_quiet >= LONG_POLL;
        if only_polls && look.as_ref().is_some_and(|look| !look.loading) {
            return Settled::Restless;
        }
        last = look;
        next_frame(tab, deadline).await;
    }
}

fn nodes(look: &Look) -> impl PartialEq {
    look.counted.iter().map(|counted| counted.nodes).collect::<Vec<_>>()
}

/// `None` while a document is being replaced.
async fn look(tab: &TabHandle, deadline: Deadline) -> Option<Look> {
    let deadline = deadline.within(Duration::from_secs(1));
    let counted = join_all(tab.processes().map(|(session, _)| counted(session, deadline)));
    let loading = is_loading(tab, deadline);
    let (counted, loading) = futures_util::future::join(counted, loading).await;
    // A frame that went away leaves its place empty; the main one must answer.
    counted.first().copied().flatten()?;
    Some(Look { counted: counted.into_iter().map(Option::unwrap_or_default).collect(), loading: loading? })
}

async fn counted(session: &Session, deadline: Deadline) -> Option<Counted> {
    let answer: Metrics = session.call("Performance.getMetrics", json!({}), deadline).await.ok()?;
    let mut counted = Counted::default();
    for metric in answer.metrics {
        match metric.name.as_str() {
            "Nodes" => counted.nodes = metric.value,
            "LayoutCount" => counted.layouts = metric.value,
            "RecalcStyleCount" => counted.styles = metric.value,
            _ => {}
        }
    }
    Some(counted)
}

/// The document is still being read, or the page says of itself that it is busy.
async fn is_loading(tab: &TabHandle, deadline: Deadline) -> Option<bool> {
    const SCRIPT: &str = "document.readyState !== 'complete' || !!document.querySelector('[aria-busy=true]')";
    let world = IsolatedWorld::open(&tab.session, &tab.id, deadline).await.ok()?;
    world.evaluate(SCRIPT, deadline).await.ok()
}

/// Waits until the tab has drawn, or could have.
pub(crate) async fn next_frame(tab: &TabHandle, deadline: Deadline) {
    const SCRIPT: &str = "new Promise(drawn => requestAnimationFrame(() => drawn(0)))";
    let limit = deadline.within(LONGEST_FRAME);
    let drawn = async {
        let world = IsolatedWorld::open(&tab.session, &tab.id, limit).await.ok()?;
        world.evaluate::<u8>(SCRIPT, limit).await.ok()
    };
    if drawn.await.is_none() {
        // The document is being replaced; ask again when it may be there.
        tokio::time::sleep(deadline.within(Duration::from_millis(10)).left()).await;
    }
}
