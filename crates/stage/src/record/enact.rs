//! A session made by carrying actions out: how the author of a suite turns reference actions into a recording.

use std::path::Path;
use std::time::Duration;

use umpire_browser::act::{self, ActError, Aim};
use umpire_browser::observe::inventory::{Inventory, Item};
use umpire_browser::{Element, NodeRef, Observation, Seat, SeatError, settle};
use umpire_model::{Action, Deadline};

use crate::identify::{frames_of, portrait_of};
use crate::session::{
    ControlKind, ControlState, Deed, Entry, Portrait, Purpose, SESSION_VERSION, Session, Step,
};
use crate::states;

/// An element that is not there yet is waited for.
const PATIENCE: Duration = Duration::from_secs(8);
const RETRY: Duration = Duration::from_millis(100);

#[derive(Debug, thiserror::Error)]
pub enum EnactError {
    #[error(transparent)]
    Browser(#[from] SeatError),
    #[error("action {number}, `{action}`: {problem}")]
    Action { number: usize, action: Action, problem: String },
}

/// Opens the start page, carries the actions out up to the answer, and writes down what was done to which element.
pub async fn enact(
    seat: &Seat,
    heading: Session,
    actions: &[Action],
    uploads: &Path,
    deadline: Deadline,
) -> Result<Session, EnactError> {
    enact_watched(seat, heading, actions, uploads, deadline, async |_| ()).await
}

/// The same; before each action, `watch` is shown what it is done to.
pub async fn enact_watched(
    seat: &Seat,
    heading: Session,
    actions: &[Action],
    uploads: &Path,
    deadline: Deadline,
    mut watch: impl AsyncFnMut(Option<&NodeRef>),
) -> Result<Session, EnactError> {
    seat.open(&heading.start_url, deadline).await?;
    let mut session = Session { version: SESSION_VERSION, steps: Vec::new(), ..heading };
    for (action, number) in actions.iter().zip(1..) {
        if matches!(action, Action::Answer(_)) {
            break;
        }
        let step =
            step(seat, action, uploads, deadline, &mut watch).await.map_err(|trouble| match trouble {
                Trouble::Browser(error) => EnactError::Browser(error),
                Trouble::Action(problem) => EnactError::Action { number, action: action.clone(), problem },
            })?;
        session.steps.push(step);
    }
    Ok(session)
}

enum Trouble {
    Browser(SeatError),
    Action(String),
}

impl From<SeatError> for Trouble {
    fn from(error: SeatError) -> Self {
        Self::Browser(error)
    }
}

async fn step(
    seat: &Seat,
    action: &Action,
    uploads: &Path,
    deadline: Deadline,
    watch: &mut impl AsyncFnMut(Option<&NodeRef>),
) -> Result<Step, Trouble> {
    let (deed, purpose) = deed_of(action).ok_or_else(|| Trouble::Action("it is not recorded".to_owned()))?;
    let (seen, element) = find(seat, action, deadline).await?;
    let page = seat.inventory(deadline).await?;
    let at = element.as_ref().map(|element| place_of(&page, element)).transpose().map_err(Trouble::Action)?;
    watch(at.map(|at| &page.items[at].node)).await;
    let mut done = Step {
        at_ms: 0,
        tab: 1,
        url: page.url.clone(),
        frames: at.map(|at| frames_of(&page, at)).unwrap_or_default(),
        deed,
        purpose,
        element: at.and_then(|at| portrait_of(&page, at)),
        before: at.and_then(|at| states::read(&page, at, None)),
        after: None,
        screenshot: None,
    };
    let tab = seat.active_tab(deadline).await?;
    let performed = act::perform(&tab, action, &seen, uploads, deadline).await;
    performed.map_err(|error: ActError| Trouble::Action(error.to_string()))?;
    settle::settle(&tab, deadline).await;
    if let (Deed::Click { .. }, Some(at), Some(portrait)) = (&done.deed, at, done.element.take()) {
        let later = seat.inventory(deadline).await?;
        judge_click(&mut done, portrait, &page.items[at], &later);
    }
    Ok(done)
}

fn deed_of(action: &Action) -> Option<(Deed, Purpose)> {
    Some(match action {
        Action::Click(_) => (Deed::Click { double: false }, Purpose::Way),
        Action::Hover(_) => (Deed::Hover, Purpose::Way),
        Action::Type(_, text) => (Deed::Type { text: Entry::Text(text.clone()) }, Purpose::Way),
        Action::Select(_, option) => (Deed::Select { options: vec![option.clone()] }, Purpose::State),
        Action::Press(key) => (Deed::Press { key: key.clone() }, Purpose::Way),
        Action::GoTo(url) => (Deed::Goto { url: url.clone() }, Purpose::Way),
        _ => return None,
    })
}

/// The page at rest, and the action's element in it.
async fn find(
    seat: &Seat,
    action: &Action,
    deadline: Deadline,
) -> Result<(Observation, Option<Element>), Trouble> {
    let limit = deadline.within(PATIENCE);
    loop {
        let tab = seat.active_tab(deadline).await?;
        settle::settle(&tab, deadline).await;
        let seen = seat.observe(deadline).await?;
        let found = action.target().map(|target| act::resolve(target, &seen)).transpose();
        let problem = match found {
            Ok(None) => return Ok((seen, None)),
            Ok(Some(Aim::Element(element))) => {
                let element = element.clone();
                return Ok((seen, Some(element)));
            }
            Ok(Some(Aim::Point { .. })) => "a place in a picture is no element".to_owned(),
            Err(error) => error.to_string(),
        };
        if limit.passed() {
            return Err(Trouble::Action(problem));
        }
        tokio::time::sleep(RETRY).await;
    }
}

/// The item that an element of the observation is; a hidden box is known by its label.
fn place_of(page: &Inventory, element: &Element) -> Result<usize, String> {
    let is_it = |item: &Item| {
        item.handle.as_ref() == Some(&element.node)
            && (item.role == element.role || item.role.is_empty())
            && item.tag == element.tag
    };
    page.items.iter().position(is_it).ok_or_else(|| format!("{element} has gone"))
}

/// A click that turned a control sets a state; any other leads somewhere.
fn judge_click(done: &mut Step, mut portrait: Portrait, clicked: &Item, later: &Inventory) {
    let still = later.position_of(&clicked.node);
    let marks = states::marks_of(clicked);
    let later_marks = still.map(|at| states::marks_of(&later.items[at]));
    match portrait.control {
        Some(ControlKind::Text) => {
            portrait.control = None;
            done.before = None;
        }
        Some(_) => {
            done.purpose = Purpose::State;
            done.after = still.and_then(|at| states::read(later, at, None));
        }
        // A box without a role whose marks change when it is clicked.
        None if portrait.role.is_empty() && later_marks.as_ref().is_some_and(|later| *later != marks) => {
            done.purpose = Purpose::State;
            portrait.control = Some(ControlKind::Inferred);
            done.before = Some(ControlState::Marks(marks));
            done.after = later_marks.map(ControlState::Marks);
        }
        None => done.before = None,
    }
    done.element = Some(portrait);
}
