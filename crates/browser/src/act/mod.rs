//! What an agent does in a page, by the input events a person's hand would cause.
//!
//! An element is scrolled into view, waited for until it stands still, and tried at several points before it is called
//! covered; whatever fails says what was found instead, because the agent reads it. Scripts run only in an isolated
//! world, to look; the exceptions (a date field, a select whose list does not open) say so where they are.

mod direct;
mod keyboard;
mod locate;
mod pointer;
mod scroll;
mod select;
mod target;
mod upload;

use std::path::Path;
use std::time::Duration;

use umpire_model::{Action, Deadline, Rect, Target};

use crate::cdp::CdpError;
use crate::observe::ObserveError;
use crate::{Observation, TabHandle};

pub use direct::{PageSelector, double_click, locate_by_selector, press_on, scroll_to};
pub use target::{Aim, resolve};

#[derive(Debug, thiserror::Error)]
pub enum ActError {
    #[error("there is no {wanted} on the page{found}")]
    NotFound { wanted: String, found: String },
    #[error("{what} is no longer on the page")]
    Gone { what: String },
    #[error("{what} is not shown")]
    NotShown { what: String },
    #[error("{what} keeps moving")]
    Unstable { what: String },
    #[error("{what} is covered by {by}")]
    Covered { what: String, by: String },
    #[error("{what} is disabled")]
    Disabled { what: String },
    #[error("{what} does not take text")]
    NotEditable { what: String },
    #[error("{what} does not accept {value:?}")]
    NotAccepted { what: String, value: String },
    #[error("{what} has no option {wanted:?}{found}")]
    NoOption { what: String, wanted: String, found: String },
    #[error("`{0}` is not a key; write `Enter`, `Control+a`, `ArrowDown`, `x`, …")]
    NotAKey(String),
    #[error("nothing scrolled {direction} {area}: it is at its end already, or does not scroll")]
    NothingScrolled { area: String, direction: String },
    #[error("no pop-up is open")]
    NoPopup,
    #[error("`{path}` is not a file of the suite: {problem}")]
    File { path: String, problem: String },
    #[error("{what} takes no files")]
    NoFileInput { what: String },
    #[error("`{0}` is not done inside a page")]
    NotInPage(Action),
    #[error(transparent)]
    Cdp(#[from] CdpError),
    #[error(transparent)]
    Observe(#[from] ObserveError),
}

/// An action that was carried out, and where it landed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Performed {
    pub at: Option<Rect>,
}

/// Carries out an action inside the page; those on tabs and history are the seat's.
pub async fn perform(
    tab: &TabHandle,
    action: &Action,
    seen: &Observation,
    uploads_dir: &Path,
    deadline: Deadline,
) -> Result<Performed, ActError> {
    let located;
    let action = match action.target() {
        Some(target @ (Target::Css(_) | Target::XPath(_))) if !matches!(action, Action::WaitFor { .. }) => {
            located = action.aimed_at(locate::locate(tab, target, seen, deadline).await?);
            &located
        }
        _ => action,
    };
    let at = match action {
        Action::Click(target) => {
            let spot = pointer::reach(pointer::To::Use, tab, &resolve(target, seen)?, seen, deadline).await?;
            pointer::click(tab, &spot, deadline).await?;
            Some(spot.rect)
        }
        Action::Hover(target) => {
            let spot =
                pointer::reach(pointer::To::Look, tab, &resolve(target, seen)?, seen, deadline).await?;
            pointer::hover(tab, &spot, deadline).await?;
            Some(spot.rect)
        }
        Action::Type(target, text) => {
            Some(keyboard::type_into(tab, &resolve(target, seen)?, text, seen, deadline).await?)
        }
        Action::Press(chord) => {
            keyboard::press(tab, chord, deadline).await?;
            None
        }
        Action::Select(target, option) => {
            Some(select::select(tab, &resolve(target, seen)?, option, seen, deadline).await?)
        }
        Action::Upload(target, files) => {
            Some(upload::upload(tab, &resolve(target, seen)?, files, uploads_dir, deadline).await?)
        }
        Action::Drag(from, to) => {
            Some(pointer::drag(tab, &resolve(from, seen)?, &resolve(to, seen)?, seen, deadline).await?)
        }
        Action::Scroll(area, direction) => scroll::scroll(tab, area, *direction, seen, deadline).await?,
        Action::ScrollBy { x, y } => {
            scroll::by(tab, *x, *y, seen, deadline).await?;
            None
        }
        Action::ScrollToText(text) => {
            locate::reveal(tab, text, deadline).await?;
            None
        }
        Action::WaitFor { target, millis } => {
            let limit = Deadline::after(Duration::from_millis(*millis));
            locate::wait_for(tab, target, seen, limit, deadline).await?;
            None
        }
        Action::ScrollToEnd => {
            scroll::to_end(tab, seen, deadline).await?;
            None
        }
        Action::SwitchTab(_)
        | Action::OpenTab(_)
        | Action::CloseTab
        | Action::GoTo(_)
        | Action::Back
        | Action::Forward
        | Action::Wait { .. }
        | Action::Save(_)
        | Action::Answer(_) => return Err(ActError::NotInPage(action.clone())),
    };
    Ok(Performed { at })
}
