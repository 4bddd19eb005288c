//! Playwright's trace archive: `trace.trace` and `trace.network`, a JSON object a line, and `resources/`.
//!
//! Versions 3 to 10 are read; a newer one is refused by name, as Playwright's own viewer does. Version 8 is written:
//! every viewer released since early 2025 opens it. Our own traces carry what the format has no place for in a member
//! that viewers pass over, so that they come back whole.

mod lines;
mod read;
mod write;

pub(crate) use self::read::{find, read};
pub(crate) use self::write::write;

const OLDEST_READ: u32 = 3;
const NEWEST_READ: u32 = 10;
const WRITTEN: u32 = 8;

const PAGE: &str = "page@1";
/// The class our own actions go by.
const OURS: &str = "Umpire";
