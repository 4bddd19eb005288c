//! Patterns that were compiled a moment ago.
//!
//! The tasks of a suite share their patterns, and one task meets its own again for every request it is compared with.
//! Python's `re` remembers for the same reason.

use std::collections::HashMap;
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

use super::{Engine, Extent, InvalidPattern, PatternFlags};

/// As many as Python's `re`. When there are more, all are forgotten.
const MOST_REMEMBERED: usize = 512;
/// In bytes. Longer ones are an agent's invention, not a suite's.
const LONGEST_REMEMBERED: usize = 256;
/// In bytes of memory.
const LARGEST_REMEMBERED: usize = 1 << 16;

/// What makes two compiled patterns the same.
#[derive(Debug, Clone, Copy)]
pub(super) struct Wanted<'a> {
    pub pattern: &'a str,
    pub extent: Extent,
    pub flags: PatternFlags,
}

type Remembered = HashMap<(Extent, PatternFlags), HashMap<String, Arc<Engine>>>;

static RECENT: LazyLock<Mutex<Remembered>> = LazyLock::new(Mutex::default);

/// The compiled pattern, from memory or from `compile`. Only what can be compiled is remembered.
pub(super) fn recently_compiled(
    wanted: Wanted<'_>,
    compile: impl FnOnce() -> Result<Engine, InvalidPattern>,
) -> Result<Arc<Engine>, InvalidPattern> {
    if wanted.pattern.len() > LONGEST_REMEMBERED {
        return compile().map(Arc::new);
    }
    let way = (wanted.extent, wanted.flags);
    // A panic elsewhere cannot leave half an entry behind, so a poisoned lock holds nothing wrong.
    let recent = || RECENT.lock().unwrap_or_else(PoisonError::into_inner);
    let known = recent().get(&way).and_then(|patterns| patterns.get(wanted.pattern)).map(Arc::clone);
    if let Some(known) = known {
        return Ok(known);
    }
    let compiled = Arc::new(compile()?);
    if matches!(compiled.as_ref(), Engine::Linear(linear) if linear.memory_usage() > LARGEST_REMEMBERED) {
        return Ok(compiled);
    }
    let mut recent = recent();
    if recent.values().map(HashMap::len).sum::<usize>() >= MOST_REMEMBERED {
        recent.clear();
    }
    recent.entry(way).or_default().insert(wanted.pattern.to_owned(), Arc::clone(&compiled));
    Ok(compiled)
}
