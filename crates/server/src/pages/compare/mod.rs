//! Two runs, what changed first; two attempts, step beside step.

pub(super) mod align;
pub(super) mod attempts;
mod runs;

pub(crate) use self::attempts::attempts;
pub(crate) use self::runs::runs;
