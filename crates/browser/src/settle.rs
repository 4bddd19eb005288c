//! When a page is ready: its network, its structure and its layout are quiet, or the deadline came.
//!
//! Chromium counts layouts, style recalculations and nodes for each process; two equal counts around animation frames
//! mean that nothing moved in between, in whatever frame or shadow root. An animation that never ends keeps the layout
//! busy but not the structure, and is not waited for.

use std::pin::pin;
use std::time::{Duration, Instant};

use futures_util::future::{Either, join, join_all, join3, select};
use serde::Deserialize;
use serde_json::json;
use umpire_model::Deadline;

use crate::TabHandle;
use crate::cdp::Session;
use crate::isolated::IsolatedWorld;

/// Scripts that answer a response or a click do so within this, as a rule. A look lasts as long, up to the next frame.
const QUIET: Duration = Duration::from_millis(24);
/// A page whose boxes keep moving, but that gains and loses nothing for so long, is animated, not loading.
const QUIET_IF_ANIMATED: Duration = Duration::from_millis(300);
/// A page that changes without end while its network rests has a clock or a ticker in it.
const LONGEST_CHURN: Duration = Duration::from_secs(1);
/// A request open for so long while no other starts or ends is a poll that waits for news.
const LONG_POLL: Duration = Duration::from_secs(3);
/// How long the network is waited for before the page is looked at all the same.
const NETWORK_PATIENCE: Duration = Duration::from_millis(500);
const ANSWER_LIMIT: Duration = Duration::from_secs(1);
const RETRY: Duration = Duration::from_millis(10);
/// A page that was not quiet so often is likely to stay busy: the caller's own look is not tried again meanwhile.
const HOPEFUL_LOOKS: u32 = 2;
/// A page that takes longer to draw a frame shares its cores with many others. There a look in vain costs them more than
/// a look that waits costs this page, so the caller's own is not taken before rest is certain.
const PROMPT: Duration = Duration::from_millis(60);

/// Longest a frame is waited for, in milliseconds. In the background a page draws nothing; in front it draws when the
/// machine has time for it, and what is taken for rest before that is a page that has not begun.
const FRAME_WAIT: &str = "document.hidden ? 100 : 600";

/// Resolves after the page has drawn its next frame, layout included, or could have.
fn next_frame_script() -> String {
    format!(
        "new Promise(drawn => {{ requestAnimationFrame(() => setTimeout(drawn)); setTimeout(drawn, {FRAME_WAIT}) }}).then(() => 0)"
    )
}

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

/// What happened in the page while it drew a few frames.
struct Look {
    before: Vec<Counted>,
    after: Vec<Counted>,
    loading: bool,
}

pub async fn settle(tab: &TabHandle, deadline: Deadline) -> Settled {
    settle_while(tab, deadline, || std::future::ready(())).await.0
}

/// Settles, and meanwhile does what the caller wants done on the page at rest, as if it were at rest already. What came of
/// that is given back if the page did not move from before it until after it; else it was done in vain.
pub async fn settle_while<T, F: Future<Output = T>>(
    tab: &TabHandle,
    deadline: Deadline,
    meanwhile: impl Fn() -> F,
) -> (Settled, Option<T>) {
    for (session, _) in tab.processes() {
        session.post("Performance.enable", json!({}));
    }
    let began = Instant::now();
    let mut grew = began;
    let mut last = None;
    let mut world = None;
    let mut looks = 0;
    let mut is_prompt = true;
    loop {
        if world.is_none() {
            // Opened while there is nothing else to do; a document that is replaced meanwhile takes it along.
            let opening = IsolatedWorld::open(&tab.session, &tab.id, deadline.within(ANSWER_LIMIT));
            world = join(opening, until_network_rests(tab, deadline)).await.0.ok();
        } else {
            until_network_rests(tab, deadline).await;
        }
        let counts = tab.activity.counts();
        if counts.is_gone() {
            return (Settled::Gone, None);
        }
        if deadline.passed() {
            return (Settled::Deadline, None);
        }
        if last.is_none() {
            // What has just arrived is laid out by the next frame; a count from before that would always be outdated.
            let Some(took) = drew(&mut world, deadline).await else {
                between_documents(&mut grew, deadline).await;
                continue;
            };
            is_prompt = took <= PROMPT;
        }
        looks += 1;
        let hopeful = async {
            if looks > HOPEFUL_LOOKS || !is_prompt {
                return None;
            }
            // A page that moves on may never answer.
            match select(pin!(meanwhile()), pin!(until_busy(tab))).await {
                Either::Left((done, _)) => Some(done),
                Either::Right(_) => None,
            }
        };
        let Some((look, done)) = look(tab, last.take(), &mut world, hopeful, deadline).await else {
            between_documents(&mut grew, deadline).await;
            continue;
        };
        let now = Instant::now();
        if !look.kept_its_content() {
            grew = now;
        }
        let counts = tab.activity.counts();
        let network_rests = counts.since.map_or(Duration::MAX, |since| now.saturating_duration_since(since));
        if counts.loading == 0 && !look.loading {
            if counts.in_flight == 0 && network_rests >= QUIET {
                if look.before == look.after {
                    return (Settled::Quiet, done);
                }
                let churned = network_rests.min(now - began) >= LONGEST_CHURN;
                if now - grew >= QUIET_IF_ANIMATED || churned {
                    return (Settled::Restless, None);
                }
            }
            if network_rests >= LONG_POLL {
                return (Settled::Restless, None);
            }
        }
        last = Some(look.after);
    }
}

/// The document is being replaced; ask again when the next may be there.
async fn between_documents(grew: &mut Instant, deadline: Deadline) {
    *grew = Instant::now();
    tokio::time::sleep(deadline.within(RETRY).left()).await;
}

/// How long the page took to draw a frame; `None` if its document goes.
async fn drew(world: &mut Option<IsolatedWorld>, deadline: Deadline) -> Option<Duration> {
    let asked = Instant::now();
    let drawn = world.as_ref()?.evaluate::<u8>(&next_frame_script(), deadline.within(ANSWER_LIMIT)).await;
    if drawn.is_err() {
        *world = None;
        return None;
    }
    Some(asked.elapsed())
}

/// While something is on its way there is nothing to see yet, and looking would cost the page time. A request that stays
/// open is left to the looks, which know when to stop waiting for it.
async fn until_network_rests(tab: &TabHandle, deadline: Deadline) {
    let rests = async {
        loop {
            let changed = tab.activity.changed();
            let counts = tab.activity.counts();
            if counts.is_gone() || (counts.loading == 0 && counts.in_flight == 0) {
                return;
            }
            changed.await;
        }
    };
    let _ = tokio::time::timeout_at(deadline.within(NETWORK_PATIENCE).at().into(), rests).await;
}

/// Waits until something is on its way again, or the page blocks or goes.
async fn until_busy(tab: &TabHandle) {
    loop {
        let changed = tab.activity.changed();
        let counts = tab.activity.counts();
        if counts.is_gone() || counts.loading > 0 || counts.in_flight > 0 {
            return;
        }
        changed.await;
    }
}

impl Look {
    /// Nothing came or went, whatever moved.
    fn kept_its_content(&self) -> bool {
        let nodes = |counted: &[Counted]| counted.iter().map(|counted| counted.nodes).collect::<Vec<_>>();
        nodes(&self.before) == nodes(&self.after)
    }
}

/// Counts, waits for a few frames and for `meanwhile`, and counts again; `None` while a document is being replaced.
/// `before` is what was counted last, if there was a look before this one.
async fn look<T>(
    tab: &TabHandle,
    before: Option<Vec<Counted>>,
    world: &mut Option<IsolatedWorld>,
    meanwhile: impl Future<Output = T>,
    deadline: Deadline,
) -> Option<(Look, T)> {
    // The document is still being read, or the page says of itself that it is busy.
    let script = format!(
        "new Promise(drawn => {{
            const until = performance.now() + {};
            const frame = () => performance.now() < until ? requestAnimationFrame(frame) : drawn();
            requestAnimationFrame(frame);
            setTimeout(drawn, {FRAME_WAIT});
        }}).then(() => document.readyState !== 'complete' || !!document.querySelector('[aria-busy=true]'))",
        QUIET.as_millis()
    );
    let limit = deadline.within(ANSWER_LIMIT);
    let first = async {
        match before {
            Some(before) => Some(before),
            None => count(tab, limit).await,
        }
    };
    // Asked for together: a process answers in order, so the first count is from before the frames.
    let (before, loading, done) = join3(first, world.as_ref()?.evaluate(&script, limit), meanwhile).await;
    if loading.is_err() {
        *world = None;
    }
    let look = Look { before: before?, after: count(tab, limit).await?, loading: loading.ok()? };
    Some((look, done))
}

/// What every process of the tab counted; the main one must answer.
async fn count(tab: &TabHandle, deadline: Deadline) -> Option<Vec<Counted>> {
    let counted = join_all(tab.processes().map(|(session, _)| counted(session, deadline))).await;
    counted.first().copied().flatten()?;
    // A frame that went away leaves its place empty.
    Some(counted.into_iter().map(Option::unwrap_or_default).collect())
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

/// Waits until the tab has drawn.
pub(crate) async fn next_frame(tab: &TabHandle, deadline: Deadline) {
    let limit = deadline.within(ANSWER_LIMIT);
    let drawn = async {
        let world = IsolatedWorld::open(&tab.session, &tab.id, limit).await.ok()?;
        world.evaluate::<u8>(&next_frame_script(), limit).await.ok()
    };
    if drawn.await.is_none() {
        // The document is being replaced.
        tokio::time::sleep(deadline.within(RETRY).left()).await;
    }
}
