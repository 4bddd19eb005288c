//! Wishes at three levels: level 0 says everything, level 1 leaves the website (and the home) unsaid, level 2 the
//! preferences too. The vaguer ones are made from the clear one, and all are checked for what they say and give away.

mod check;
mod file;
mod masks;
mod normal;
mod write;

use serde::{Deserialize, Serialize};
use umpire_model::{Persona, Preference, Task, Website};

pub use check::{Problem, problems};
pub use file::{BadQueries, QUERIES_VERSION, read_sets, to_json};
pub use masks::{BadWish, Masks};
pub use write::write_queries;

/// The level whose wish leaves everything unsaid.
pub const VAGUEST: usize = 2;

/// One wish at all levels, with what is true of whoever wishes it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct QuerySet {
    pub id: String,
    pub gold: Gold,
    /// By level.
    pub texts: [String; VAGUEST + 1],
}

/// What a wish rests on.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Gold {
    /// Any of them is right.
    pub websites: Vec<Website>,
    pub preferences: Vec<Preference>,
    /// Words that tell where the person lives; none where that does not matter.
    pub home: Vec<String>,
}

impl QuerySet {
    /// The levels of a task that has all of them and is for somebody.
    pub fn of_task(task: &Task) -> Option<Self> {
        let [unnamed, vague] = task.levels.as_slice() else { return None };
        let texts = [task.intent.clone(), unnamed.clone(), vague.clone()];
        Some(Self { id: task.id.clone(), gold: task.persona.as_ref()?.into(), texts })
    }
}

impl From<&Persona> for Gold {
    fn from(persona: &Persona) -> Self {
        let home = persona.location.iter().flat_map(|at| [at.address.clone(), at.city.clone()]);
        Self {
            websites: vec![persona.website.clone()],
            preferences: persona.preferences.clone(),
            home: home.collect(),
        }
    }
}
