//! The last reading: every control that was to be set, after its page was loaded again.

use std::collections::HashSet;
use std::time::Duration;

use super::deeds::is_open;
use super::find::{STILL_TO_COME, Sighting, Wish};
use super::report::Verified;
use super::set::{describe, state_of};
use super::wanted::{Goal, goal_of};
use super::{ReplayEvent, Run, Trouble};
use crate::identify::Identified;
use crate::session::{ControlState, Deed, Entry, Purpose, Step};

/// How long a control is waited for before the menus that led to it are opened again.
const AT_ONCE: Duration = STILL_TO_COME.saturating_add(Duration::from_millis(100));
/// How long a menu is looked for on the way back.
const BRIEFLY: Duration = Duration::from_millis(300);
/// A page may fill its controls in a moment after it drew them.
const FILLING: Duration = Duration::from_secs(3);
const RETRY: Duration = Duration::from_millis(150);

/// What a password field holds can be read by nobody.
fn is_password(step: &Step) -> bool {
    step.element.as_ref().and_then(|element| element.input_type.as_deref()) == Some("password")
}

impl Run<'_> {
    pub(super) async fn verify(&mut self) -> Result<Vec<Verified>, (usize, Trouble)> {
        let mut verified = Vec::new();
        let mut on_page = String::new();
        let mut settled: HashSet<String> = HashSet::new();
        for at in self.last_settings() {
            let step = self.step_at(at);
            let read = async {
                let goal = goal_of(step, at + 1, &self.options.wanted).map_err(Trouble::because)?;
                if is_password(step) || matches!(&goal, Goal::Hold(Entry::Secret(_))) {
                    return Ok(None);
                }
                if on_page != step.url || !settled.contains(&step.url) {
                    self.load(&step.url).await?;
                }
                self.confirm(at, step, &goal).await.map(Some)
            };
            let read = read.await.map_err(|trouble| (at, trouble))?;
            if let Some(read) = &read {
                (self.options.watcher)(ReplayEvent::Verified(read));
            }
            verified.extend(read);
            on_page.clone_from(&self.session.steps[at].url);
            settled.insert(on_page.clone());
        }
        Ok(verified)
    }

    /// State steps, of each control the last one.
    fn last_settings(&self) -> Vec<usize> {
        let steps = &self.session.steps;
        let is_setting = |step: &Step| step.purpose == Purpose::State && step.element.is_some();
        let again = |at: usize| {
            let same = |later: &Step| {
                is_setting(later)
                    && later.url == steps[at].url
                    && later.frames == steps[at].frames
                    && later.element.as_ref().map(|element| (&element.locators, &element.name))
                        == steps[at].element.as_ref().map(|element| (&element.locators, &element.name))
            };
            steps[at + 1..].iter().any(same)
        };
        (0..steps.len()).filter(|&at| is_setting(&steps[at]) && !again(at)).collect()
    }

    /// Loads the page afresh, even if only its fragment differs from the one in front.
    async fn load(&self, url: &str) -> Result<(), Trouble> {
        let url = if url.is_empty() { &self.session.start_url } else { url };
        self.seat.goto(url, self.deadline).await?;
        if url.contains('#') {
            self.seat.reload(self.deadline).await?;
        }
        self.settle().await
    }

    async fn confirm(&self, at: usize, step: &Step, goal: &Goal) -> Result<Verified, Trouble> {
        let Some(wish) = Wish::of(step) else { return Err(Trouble::because("it has no element")) };
        let sighting = self.reach(at, wish).await.map_err(|trouble| match trouble {
            Trouble::Step { problem, candidates } => {
                let problem = format!("it could not be read after the page was loaded again: {problem}");
                Trouble::Step { problem, candidates }
            }
            browser @ Trouble::Browser(_) => browser,
        })?;
        let control = sighting.item().describe();
        let state = self.read_until(goal, step, wish, sighting).await?;
        Ok(Verified { step: at + 1, control, state })
    }

    async fn read_until(
        &self,
        goal: &Goal,
        step: &Step,
        wish: Wish<'_>,
        mut sighting: Sighting,
    ) -> Result<ControlState, Trouble> {
        let limit = self.deadline.within(FILLING);
        loop {
            let state = state_of(&sighting.page, sighting.at, step);
            match (self.holds(goal, &sighting.page, sighting.at, step)?, state) {
                (Some(true), Some(state)) => return Ok(state),
                (_, state) if limit.passed() => {
                    let stands = state.as_ref().map_or("unknown".to_owned(), describe);
                    let when = if self.options.verify_only { "" } else { " after the page was loaded again" };
                    return Err(Trouble::because(format!("it was to be {goal} and is {stands}{when}")));
                }
                _ => {}
            }
            tokio::time::sleep(limit.within(RETRY).left()).await;
            if let (page, Identified::Found(candidate)) = self.look(wish).await? {
                sighting = Sighting { at: candidate.at, page, candidate };
            }
        }
    }

    /// Finds a control again; if it is not shown, opens the menus and tabs that the session opened to get to it, from the
    /// nearest one that is there.
    async fn reach(&self, at: usize, wish: Wish<'_>) -> Result<Sighting, Trouble> {
        let openers = self.openers(at);
        let first = if openers.is_empty() { self.limit() } else { self.deadline.within(AT_ONCE) };
        let missing = match self.find(wish, first).await {
            Ok(sighting) => return Ok(sighting),
            Err(missing) => missing,
        };
        for (nth, &nearest) in openers.iter().enumerate() {
            let Some(way) = Wish::of(self.step_at(nearest)) else { continue };
            if self.find(way, self.deadline.within(BRIEFLY)).await.is_err() {
                continue;
            }
            for &opener in openers[..=nth].iter().rev() {
                self.open(opener).await?;
            }
            return self.find(wish, self.limit()).await;
        }
        Err(missing)
    }

    /// Steps of the way on the control's own page, nearest first.
    fn openers(&self, at: usize) -> Vec<usize> {
        let own = self.step_at(at);
        let on_page = (0..at).rev().take_while(|&before| {
            let step = self.step_at(before);
            step.tab == own.tab && step.url == own.url
        });
        on_page
            .filter(|&before| {
                let step = self.step_at(before);
                step.purpose == Purpose::Way && matches!(step.deed, Deed::Click { .. } | Deed::Hover)
            })
            .collect()
    }

    /// Does a step of the way again, unless it could do more than show something.
    async fn open(&self, at: usize) -> Result<(), Trouble> {
        let step = self.step_at(at);
        let Some(wish) = Wish::of(step) else { return Ok(()) };
        let sighting = self.find(wish, self.limit()).await?;
        let item = sighting.item();
        if is_open(item) {
            return Ok(());
        }
        let only_shows = matches!(item.role.as_str(), "tab" | "link" | "menuitem" | "combobox")
            || item.tag == "summary"
            || ["aria-expanded", "aria-haspopup", "aria-controls"]
                .iter()
                .any(|name| item.attribute(name).is_some());
        let follows_setting =
            at.checked_sub(1).is_some_and(|before| self.step_at(before).purpose == Purpose::State);
        if !only_shows && (follows_setting || item.attribute("type") == Some("submit")) {
            return Err(Trouble::because(format!("{} may do more than show it", item.describe())));
        }
        self.act_on(&step.deed, wish, sighting).await?;
        self.settle().await
    }
}
