//! Going the recorded way: links, menus, fields, dialogs, windows.

use std::time::Duration;

use umpire_browser::act::{self, ActError};
use umpire_browser::observe::inventory::Item;
use umpire_model::{Action, Deadline, Target};

use super::find::{STILL_TO_COME, Sighting, Wish};
use super::report::{Outcome, StepReport};
use super::secrets::fill;
use super::{Run, Trouble};
use crate::session::{Deed, Entry, Purpose, Step};

/// An element may be drawn anew between look and click; then the click was not made and is tried again.
const TRIES: u32 = 3;
/// How long a missing element of the way is waited for if what comes after it is there already.
const OVERDUE: Duration = STILL_TO_COME.saturating_add(Duration::from_millis(100));
const RETRY: Duration = Duration::from_millis(100);
/// How long a menu may take to open.
const OPENING: Duration = Duration::from_secs(2);

/// The one element an observation made for an action marks.
const IT: Target = Target::Mark(1);

impl Run<'_> {
    /// Does a step of the way.
    pub(super) async fn go(
        &mut self,
        at: usize,
        step: &Step,
        mut report: StepReport,
    ) -> Result<StepReport, Trouble> {
        match &step.deed {
            Deed::Goto { url } => self.seat.goto(url, self.deadline).await?,
            Deed::Back => self.seat.back(self.deadline).await?,
            Deed::Forward => self.seat.forward(self.deadline).await?,
            Deed::Reload => self.seat.reload(self.deadline).await?,
            Deed::CloseTab => self.seat.close_tab(self.deadline).await?,
            // Brought to the front already.
            Deed::SwitchTab => {}
            Deed::WaitFor { gone, millis } => self.wait_for(step, *gone, *millis).await?,
            Deed::Press { key } if step.element.is_none() => {
                let tab = self.seat.active_tab(self.deadline).await?;
                let nothing = self.seat.inventory(self.deadline).await?.marking(&[]);
                let press = Action::Press(key.clone());
                let pressed = act::perform(&tab, &press, &nothing, self.options.uploads, self.deadline).await;
                pressed.map_err(|error| Trouble::because(error.to_string()))?;
            }
            Deed::Scroll { x, y } if step.element.is_none() => {
                let tab = self.seat.active_tab(self.deadline).await?;
                let scrolled = act::scroll_to(&tab, None, (*x, *y), self.deadline).await;
                scrolled.map_err(|error| Trouble::because(error.to_string()))?;
            }
            _ => return self.do_to_element(at, step, report).await,
        }
        report.outcome = Outcome::Done;
        Ok(report)
    }

    async fn do_to_element(
        &mut self,
        at: usize,
        step: &Step,
        mut report: StepReport,
    ) -> Result<StepReport, Trouble> {
        let Some(wish) = Wish::of(step) else { return Err(Trouble::because("it has no element")) };
        let sighting = match self.find_on_the_way(at, wish).await? {
            Ok(sighting) => sighting,
            Err(why) => return Ok(StepReport { outcome: Outcome::Skipped(why), ..report }),
        };
        self.tell_found(at, &sighting);
        report.found = Some(sighting.found());
        let is_click = matches!(step.deed, Deed::Click { .. });
        if is_click && is_open(sighting.item()) && self.next_is_there(at).await {
            return Ok(StepReport { outcome: Outcome::Already, ..report });
        }
        if is_click && sighting.item().state.disabled {
            if self.nothing_changed_before(at) {
                let why = "there is nothing to save".to_owned();
                return Ok(StepReport { outcome: Outcome::Skipped(why), ..report });
            }
            return Err(Trouble::because("it is disabled"));
        }
        let was_closed = is_click && sighting.item().state.expanded == Some(false);
        self.act_on(&step.deed, wish, sighting).await?;
        if was_closed && self.stayed_closed(at, wish).await? {
            // The page was drawn before its script was there to hear the first click.
            let sighting = self.find(wish, self.limit()).await?;
            self.act_on(&step.deed, wish, sighting).await?;
        }
        Ok(report)
    }

    /// Whether what was to open has not, a while after it was clicked.
    async fn stayed_closed(&self, at: usize, wish: Wish<'_>) -> Result<bool, Trouble> {
        let limit = self.deadline.within(OPENING);
        loop {
            self.settle().await?;
            // A page that is on its way to the next one has heard the click.
            let Ok((page, identified)) = self.look(wish).await else { return Ok(false) };
            let is_closed =
                identified.found().is_some_and(|it| page.items[it.at].state.expanded == Some(false));
            if !is_closed || self.next_is_there(at).await {
                return Ok(false);
            }
            if limit.passed() {
                return Ok(true);
            }
            tokio::time::sleep(limit.within(RETRY).left()).await;
        }
    }

    /// Waits for an element of the way. The inner error says why it is not needed this time.
    async fn find_on_the_way(&self, at: usize, wish: Wish<'_>) -> Result<Result<Sighting, String>, Trouble> {
        let overdue = self.deadline.within(OVERDUE.min(self.options.patience));
        let is_missing = |trouble: &Trouble| matches!(trouble, Trouble::Step { .. });
        match self.find_usable(wish, overdue).await {
            Ok(sighting) if !sighting.item().state.disabled || self.nothing_changed_before(at) => {
                return Ok(Ok(sighting));
            }
            Err(missing)
                if is_missing(&missing)
                    && may_be_left_out(&self.session.steps[at].deed)
                    && !self.changed_since_the_way(at)
                    && self.next_is_there(at).await =>
            {
                return Ok(Err("it is not shown this time, and what comes after it is there".to_owned()));
            }
            _ => {}
        }
        match self.find_usable(wish, self.limit()).await {
            Ok(sighting) => Ok(Ok(sighting)),
            Err(missing) if is_missing(&missing) && self.nothing_changed_before(at) => {
                Ok(Err("there is nothing to save".to_owned()))
            }
            Err(missing) => Err(missing),
        }
    }

    /// Found, and enabled if it gets so in time.
    async fn find_usable(&self, wish: Wish<'_>, limit: Deadline) -> Result<Sighting, Trouble> {
        loop {
            let sighting = self.find(wish, limit).await?;
            if !sighting.item().state.disabled || limit.passed() {
                return Ok(sighting);
            }
            tokio::time::sleep(limit.within(RETRY).left()).await;
        }
    }

    /// Whether the next step with an element in this tab could be done right away.
    async fn next_is_there(&self, at: usize) -> bool {
        let tab = self.step_at(at).tab;
        let next = self.session.steps[at + 1..].iter().find(|step| step.element.is_some() && step.tab == tab);
        let Some(wish) = next.and_then(Wish::of) else { return false };
        self.look(wish).await.is_ok_and(|(_, identified)| identified.found().is_some())
    }

    /// Whether a control was changed right before this step: then the step is what saves it.
    fn changed_since_the_way(&self, at: usize) -> bool {
        let before = self.reports[..at.min(self.reports.len())].iter().rev();
        before
            .take_while(|report| self.step_at(report.step - 1).purpose == Purpose::State)
            .any(|report| report.outcome == Outcome::Changed)
    }

    /// Whether this step follows controls that all stood as wanted, so that it would save nothing; also if it only confirms
    /// what was not saved.
    fn nothing_changed_before(&self, at: usize) -> bool {
        let mut before = self.reports[..at.min(self.reports.len())].iter().rev().peekable();
        while before.next_if(|report| matches!(report.outcome, Outcome::Skipped(_))).is_some() {}
        let controls: Vec<&StepReport> =
            before.take_while(|report| self.step_at(report.step - 1).purpose == Purpose::State).collect();
        !controls.is_empty() && controls.iter().all(|report| report.outcome == Outcome::Already)
    }

    /// Carries a deed out on an element that was found; looks again if the page drew it anew meanwhile.
    pub(super) async fn act_on(
        &self,
        deed: &Deed,
        wish: Wish<'_>,
        mut sighting: Sighting,
    ) -> Result<(), Trouble> {
        for _ in 1..TRIES {
            match self.try_on(deed, &sighting).await? {
                Ok(()) => return Ok(()),
                Err(ActError::Gone { .. } | ActError::NotShown { .. } | ActError::Unstable { .. }) => {
                    sighting = self.find(wish, self.limit()).await?;
                }
                Err(ActError::Covered { what, by }) => return self.by_key(deed, &sighting, &what, &by).await,
                Err(error) => return Err(Trouble::because(error.to_string())),
            }
        }
        self.try_on(deed, &sighting).await?.map_err(|error| Trouble::because(error.to_string()))
    }

    pub(super) async fn try_on(
        &self,
        deed: &Deed,
        sighting: &Sighting,
    ) -> Result<Result<(), ActError>, Trouble> {
        let tab = self.seat.active_tab(self.deadline).await?;
        let seen = sighting.page.marking(&[sighting.at]);
        let perform = |action: Action| {
            let (tab, seen) = (&tab, &seen);
            async move { act::perform(tab, &action, seen, self.options.uploads, self.deadline).await.map(drop) }
        };
        Ok(match deed {
            Deed::Click { double: true } => act::double_click(&tab, 1, &seen, self.deadline).await.map(drop),
            Deed::Click { double: false } => perform(Action::Click(IT)).await,
            Deed::Hover => perform(Action::Hover(IT)).await,
            Deed::Type { text } => perform(Action::Type(IT, self.entry(text)?)).await,
            Deed::Select { options } => {
                for option in options {
                    if let Err(error) = perform(Action::Select(IT, option.clone())).await {
                        return Ok(Err(error));
                    }
                }
                Ok(())
            }
            Deed::Upload { files } => perform(Action::Upload(IT, files.clone())).await,
            Deed::Press { key } => act::press_on(&tab, &sighting.node(), key, self.deadline).await,
            Deed::Scroll { x, y } => {
                act::scroll_to(&tab, Some(&sighting.node()), (*x, *y), self.deadline).await
            }
            Deed::Drag { to } => {
                let wish = Wish { portrait: to, frames: &[], url: "" };
                let goal = self.find(wish, self.limit()).await?;
                let from = goal.page.position_of(&sighting.node());
                let Some(from) = from else { return Err(Trouble::because("it went away while dragging")) };
                let both = goal.page.marking(&[from, goal.at]);
                let drag = Action::Drag(Target::Mark(1), Target::Mark(2));
                act::perform(&tab, &drag, &both, self.options.uploads, self.deadline).await.map(drop)
            }
            other => return Err(Trouble::because(format!("`{}` is not done to an element", other.name()))),
        })
    }

    /// What something lies over can still be reached by the keyboard, if it takes the focus.
    async fn by_key(&self, deed: &Deed, sighting: &Sighting, what: &str, by: &str) -> Result<(), Trouble> {
        let covered = || Trouble::because(format!("{what} is covered by {by}"));
        let item = sighting.item();
        let key = match item.role.as_str() {
            "link" => "Enter",
            "button" | "checkbox" | "switch" | "radio" | "tab" | "menuitem" => "Space",
            _ => return Err(covered()),
        };
        if !matches!(deed, Deed::Click { double: false }) || item.focus_index.is_none() {
            return Err(covered());
        }
        let tab = self.seat.active_tab(self.deadline).await?;
        act::press_on(&tab, &sighting.node(), key, self.deadline).await.map_err(|_| covered())
    }

    async fn wait_for(&self, step: &Step, gone: bool, millis: Option<u64>) -> Result<(), Trouble> {
        let Some(wish) = Wish::of(step) else { return Ok(()) };
        let limit =
            millis.map_or_else(|| self.limit(), |span| self.deadline.within(Duration::from_millis(span)));
        if !gone {
            return self.find(wish, limit).await.map(drop);
        }
        loop {
            if self.look(wish).await?.1.found().is_none() {
                return Ok(());
            }
            if limit.passed() {
                return Err(Trouble::because("it did not go away"));
            }
            tokio::time::sleep(limit.within(RETRY).left()).await;
        }
    }

    /// What goes into a field, with its references filled in.
    pub(super) fn entry(&self, entry: &Entry) -> Result<String, Trouble> {
        let unknown =
            |reference: &str| Trouble::because(format!("nothing is known of the secret `{reference}`"));
        match entry {
            Entry::Text(text) => fill(text, self.options.secrets).map_err(|reference| unknown(&reference)),
            Entry::Secret(reference) => {
                self.options.secrets.secret(reference).ok_or_else(|| unknown(reference))
            }
        }
    }
}

/// An element that shows something, and shows it already.
pub(super) fn is_open(item: &Item) -> bool {
    item.state.expanded == Some(true) || item.role == "tab" && item.state.selected == Some(true)
}

/// A banner or a menu may be missing for a good reason. What was to be written somewhere is not written elsewhere.
fn may_be_left_out(deed: &Deed) -> bool {
    !matches!(deed, Deed::Type { .. } | Deed::Select { .. } | Deed::Upload { .. })
}
