//! Histories of the people that tasks are for: made or read when somebody first asks, and searched by every attempt after
//! that.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use umpire_agents::{Memory, NoMemory, Recalled, Recalling};
use umpire_model::{EventBody, Evidence as _, HistoryAccess, HistoryHit, HistorySettings, Persona};
use umpire_recall::{Bank, Cut, Entry, Index, Keys, Method};
use umpire_store::JournalWriter;

/// Where the history of a person comes from, by the person's name.
pub type Histories = Arc<dyn Fn(&str) -> Result<Bank, String> + Send + Sync>;

/// What the attempts of a run may ask of histories.
#[derive(Clone)]
pub struct Memories {
    pub settings: HistorySettings,
    histories: Histories,
    keys: Keys,
    method: Method,
    people: Arc<Mutex<BTreeMap<String, Arc<OnceLock<Remembered>>>>>,
}

/// A history that can be searched, or why it cannot.
type Remembered = Result<Arc<Searchable>, String>;

struct Searchable {
    bank: Bank,
    index: Index,
}

impl fmt::Debug for Memories {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Memories").field("settings", &self.settings).finish_non_exhaustive()
    }
}

impl Memories {
    pub fn new(settings: HistorySettings, histories: Histories, keys: Keys, method: Method) -> Self {
        Self { settings, histories, keys, method, people: Arc::default() }
    }

    /// The history of an attempt's person, with as many accesses as an attempt may have.
    pub(crate) fn of(
        &self,
        persona: Option<&Persona>,
        journal: &Arc<JournalWriter>,
    ) -> Option<Arc<dyn Memory>> {
        let persona = persona?;
        Some(Arc::new(AttemptMemory {
            memories: self.clone(),
            persona: persona.clone(),
            journal: Arc::clone(journal),
            asked: AtomicU32::new(0),
        }))
    }

    /// Made at most once, however many attempts ask at the same time.
    fn remembered(&self, person: &str) -> Remembered {
        let place = {
            let mut people = self.people.lock().unwrap_or_else(PoisonError::into_inner);
            Arc::clone(people.entry(person.to_owned()).or_default())
        };
        let make = || {
            let bank = (self.histories)(person)?;
            let index = Index::build(&bank, self.keys, &self.method).map_err(|error| error.to_string())?;
            Ok(Arc::new(Searchable { bank, index }))
        };
        place.get_or_init(make).clone()
    }
}

struct AttemptMemory {
    memories: Memories,
    persona: Persona,
    journal: Arc<JournalWriter>,
    asked: AtomicU32,
}

impl fmt::Debug for AttemptMemory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("AttemptMemory").field(&self.persona.id).finish()
    }
}

impl Memory for AttemptMemory {
    fn recall<'a>(&'a self, query: &'a str) -> Recalling<'a> {
        Box::pin(async move {
            let settings = &self.memories.settings;
            if self.asked.fetch_add(1, Ordering::Relaxed) >= settings.accesses {
                return Err(NoMemory::Spent(settings.accesses));
            }
            let (memories, person, asked) =
                (self.memories.clone(), self.persona.id.clone(), query.to_owned());
            // The first to ask makes the index, which may take seconds.
            let searching = tokio::task::spawn_blocking(move || found(&memories, &person, &asked));
            let hits = searching.await.map_err(|error| NoMemory::Broken(error.to_string()))?;
            Ok(Recalled { method: settings.method.clone(), hits: hits.map_err(NoMemory::Broken)? })
        })
    }

    fn accessed(&self, access: HistoryAccess) {
        self.journal.event(EventBody::HistoryAccessed(Box::new(access)));
    }

    fn profile(&self) -> String {
        let persona = &self.persona;
        let website = ("website", format!("{} ({})", persona.website.name, persona.website.host));
        let preferences = persona.preferences.iter().map(|one| (one.key.as_str(), one.value.clone()));
        let home = persona.location.as_ref().map(|home| ("home", format!("{}, {}", home.address, home.city)));
        let facts = std::iter::once(website).chain(preferences).chain(home);
        facts.map(|(key, value)| format!("- {key}: {value}")).collect::<Vec<_>>().join("\n")
    }
}

fn found(memories: &Memories, person: &str, query: &str) -> Result<Vec<HistoryHit>, String> {
    let known = memories.remembered(person)?;
    let settings = &memories.settings;
    let least = settings.threshold.unwrap_or_else(|| memories.method.threshold());
    // All of the best are written down, and those over the threshold shown.
    let cut = Cut { most: settings.most, least: Some(f32::EPSILON) };
    let hits = known.index.search(query, cut).map_err(|error| error.to_string())?;
    let hit = |hit: &umpire_recall::Hit| HistoryHit {
        id: hit.id,
        score: f64::from(hit.score),
        text: (hit.score >= least).then(|| known.bank.entries().get(hit.id).map(told)).flatten(),
    };
    Ok(hits.iter().map(hit).collect())
}

/// `[2025-03-04 18:20:11] purchase: Oat milk, fennelrye.localhost`.
fn told(entry: &Entry) -> String {
    let Entry { timestamp, kind, object, website } = entry;
    let at = if website.is_empty() { String::new() } else { format!(", {website}") };
    format!("[{timestamp}] {kind}: {object}{at}")
}
