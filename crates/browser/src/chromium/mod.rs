//! One Chromium process: found, started, watched and cleaned up after.

mod find;
mod flags;
mod launch;
mod sweep;

pub(crate) use flags::{remote_switches, wanted_switches};

pub use find::{NoChromium, find, find_with_window};
pub use launch::{Chromium, LaunchError, LaunchOptions};
pub use sweep::{Swept, sweep};
