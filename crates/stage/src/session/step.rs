use serde::{Deserialize, Serialize};

use super::{ControlState, Frame, Portrait};

/// One thing that was done.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Step {
    /// Milliseconds since the recording began.
    pub at_ms: u64,
    /// Tabs count from 1 in the order they opened during the recording.
    pub tab: u32,
    /// Address of the tab's page, without secrets.
    pub url: String,
    /// Frames from the page down to the element's own, outermost first; empty in the page itself.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub frames: Vec<Frame>,
    pub deed: Deed,
    pub purpose: Purpose,
    /// The element it was done to; absent for what is done to a tab.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub element: Option<Portrait>,
    /// How the control stood just before and, settled, after. Absent if the element is no control, or an importer could
    /// not tell which of the two it had.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub before: Option<ControlState>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub after: Option<ControlState>,
    /// File name of the picture taken after the step, beside the session.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub screenshot: Option<String>,
}

/// What a step is for. Replaying for a state changes what `state` steps do and leaves the way there alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Purpose {
    /// Leads somewhere: links, tabs, menus, save buttons, dialogs.
    Way,
    /// Sets a control; what it is to be set to is decided at replay.
    State,
}

/// What was done.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "do", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Deed {
    Click {
        #[serde(default, skip_serializing_if = "is_false")]
        double: bool,
    },
    Hover,
    /// The field holds this afterwards; empty text clears it.
    Type {
        text: Entry,
    },
    /// Chosen options of a select by their labels, in order.
    Select {
        options: Vec<String>,
    },
    /// A key or chord that does something by itself: `Enter`, `Escape`, `Control+k`.
    Press {
        key: String,
    },
    /// Where the element, or the window if there is none, was scrolled to.
    Scroll {
        x: f64,
        y: f64,
    },
    Upload {
        files: Vec<String>,
    },
    /// Drag from the element to this one.
    Drag {
        to: Box<Portrait>,
    },
    /// Went to an address by itself: typed, reloaded, a bookmark. What a click brought about is not recorded again.
    Goto {
        url: String,
    },
    Back,
    Forward,
    Reload,
    /// A tab that the person opened; `url` where it went.
    OpenTab {
        url: String,
    },
    /// A tab or window that the page opened; later steps name it by its number.
    TabOpened {
        by: u32,
        url: String,
    },
    SwitchTab,
    CloseTab,
    /// A dialog of the page and what was answered.
    Dialog(Dialogue),
    /// Waits until the element is shown, or has gone.
    WaitFor {
        #[serde(default, skip_serializing_if = "is_false")]
        gone: bool,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        millis: Option<u64>,
    },
}

impl Deed {
    pub fn name(&self) -> &'static str {
        match self {
            Self::Click { .. } => "click",
            Self::Hover => "hover",
            Self::Type { .. } => "type",
            Self::Select { .. } => "select",
            Self::Press { .. } => "press",
            Self::Scroll { .. } => "scroll",
            Self::Upload { .. } => "upload",
            Self::Drag { .. } => "drag",
            Self::Goto { .. } => "goto",
            Self::Back => "back",
            Self::Forward => "forward",
            Self::Reload => "reload",
            Self::OpenTab { .. } => "open-tab",
            Self::TabOpened { .. } => "tab-opened",
            Self::SwitchTab => "switch-tab",
            Self::CloseTab => "close-tab",
            Self::Dialog(_) => "dialog",
            Self::WaitFor { .. } => "wait-for",
        }
    }

    /// Whether it is done to an element and to nothing else.
    pub fn needs_element(&self) -> bool {
        matches!(
            self,
            Self::Click { .. }
                | Self::Hover
                | Self::Type { .. }
                | Self::Select { .. }
                | Self::Upload { .. }
                | Self::Drag { .. }
                | Self::WaitFor { .. }
        )
    }
}

/// What goes into a field.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Entry {
    /// May hold references of the form `{{account.email}}`, filled in from the account at replay.
    Text(String),
    /// A reference into the vault: `accounts/shop/password`. The value itself is never in a session.
    Secret(String),
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Dialogue {
    /// `alert`, `confirm`, `prompt` or `beforeunload`.
    pub kind: String,
    pub message: String,
    pub accepted: bool,
    /// What was written into a prompt.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<Entry>,
}

impl Step {
    /// Why the step cannot be meant, if it cannot.
    pub(super) fn problem(&self) -> Option<String> {
        if self.tab == 0 {
            return Some("tabs count from 1".to_owned());
        }
        if self.deed.needs_element() && self.element.is_none() {
            return Some(format!("`{}` needs an element", self.deed.name()));
        }
        None
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "the shape serde wants")]
fn is_false(value: &bool) -> bool {
    !value
}
