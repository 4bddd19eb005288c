//! Histories of the people that tasks are for: made or read when somebody first asks, and searched by every attempt after
//! that.

use std::collections::BTreeMap;
use std::fmt;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use umpire_agents::{Memory, NoMemory, Recalled, Recalling};
use umpire_llm::Caller;
use umpire_model::{
    EventBody, Evidence as _, HistoryAccess, HistoryHit, HistorySettings, Persona, Unrecorded,
};
use umpire_recall::{Bank, Cut, Index, Keys, Method};
use umpire_store::JournalWriter;

use crate::{Models, Unit};

/// Where the history of a person comes from, by the person's name.
pub type Histories = Arc<dyn Fn(&str) -> Result<Bank, String> + Send + Sync>;

/// How histories are searched on behalf of somebody, who pays for it and keeps the record.
pub type Searching = Arc<dyn Fn(Caller) -> Result<Method, String> + Send + Sync>;

/// What the attempts of a run may ask of histories.
#[derive(Clone)]
pub struct Memories {
    pub settings: HistorySettings,
    histories: Histories,
    keys: Keys,
    searching: Searching,
    /// Where indexes with vectors are kept from run to run.
    kept: Option<PathBuf>,
    people: Arc<Mutex<BTreeMap<String, Place>>>,
}

/// Where a history stands, once somebody has made it searchable. What went wrong is not kept: it may go right later.
type Place = Arc<Mutex<Option<Arc<Searchable>>>>;

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
    pub fn new(settings: HistorySettings, histories: Histories, keys: Keys, searching: Searching) -> Self {
        Self { settings, histories, keys, searching, kept: None, people: Arc::default() }
    }

    /// The same, with the indexes in this folder. Those of these people that are there already are read now, since one
    /// that does not fit would fail every attempt.
    pub fn kept_in<'p>(
        self,
        folder: PathBuf,
        people: impl IntoIterator<Item = &'p str>,
    ) -> Result<Self, String> {
        let kept = Self { kept: Some(folder), ..self };
        // Reading asks nobody anything, so nobody pays.
        let method = (kept.searching)(Caller::new("index", Vec::new(), Arc::new(Unrecorded)))?;
        for person in people {
            if kept.index_file(person).is_some_and(|file| file.exists()) {
                kept.remembered(person, &method)?;
            }
        }
        Ok(kept)
    }

    /// The history of an attempt's person, with as many accesses as an attempt may have.
    pub(crate) fn of(
        &self,
        models: &Models,
        unit: &Unit,
        journal: &Arc<JournalWriter>,
    ) -> Option<Arc<dyn Memory>> {
        let persona = unit.instance.persona.clone()?;
        Some(Arc::new(AttemptMemory {
            memories: self.clone(),
            persona,
            caller: models.caller_of_harness(unit, journal),
            journal: Arc::clone(journal),
            asked: AtomicU32::new(0),
        }))
    }

    /// A person's name becomes a file's only as far as it cannot lead elsewhere.
    fn index_file(&self, person: &str) -> Option<PathBuf> {
        let name = format!("{}.{}.index", person.replace(['/', '\\'], "_"), self.keys.name());
        self.kept.as_ref().map(|folder| folder.join(name))
    }

    fn index(&self, person: &str, bank: &Bank, method: &Method) -> Result<Index, String> {
        let file = self.index_file(person);
        if let Some(file) = file.as_deref().filter(|file| file.exists()) {
            return Index::load(file, bank, self.keys, method).map_err(|error| error.to_string());
        }
        let index = Index::build(bank, self.keys, method).map_err(|error| error.to_string())?;
        if let Some(file) = file {
            let folder = file.parent().map_or(Ok(()), std::fs::create_dir_all);
            folder.map_err(|error| format!("{}: {error}", file.display()))?;
            index.save(&file).map_err(|error| error.to_string())?;
        }
        Ok(index)
    }

    /// Made once, however many attempts ask at the same time; whoever asks first pays for it.
    fn remembered(&self, person: &str, method: &Method) -> Result<Arc<Searchable>, String> {
        let place = {
            let mut people = self.people.lock().unwrap_or_else(PoisonError::into_inner);
            Arc::clone(people.entry(person.to_owned()).or_default())
        };
        let mut known = place.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = &*known {
            return Ok(Arc::clone(known));
        }
        let bank = (self.histories)(person)?;
        let index = self.index(person, &bank, method)?;
        let made = Arc::new(Searchable { bank, index });
        *known = Some(Arc::clone(&made));
        Ok(made)
    }
}

struct AttemptMemory {
    memories: Memories,
    persona: Persona,
    caller: Caller,
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
            let caller = self.caller.clone();
            // The first to ask makes the index, which may take seconds.
            let searching = tokio::task::spawn_blocking(move || found(&memories, &person, &asked, caller));
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

fn found(memories: &Memories, person: &str, query: &str, caller: Caller) -> Result<Vec<HistoryHit>, String> {
    let method = (memories.searching)(caller)?;
    let known = memories.remembered(person, &method)?;
    let settings = &memories.settings;
    let least = settings.threshold.unwrap_or_else(|| method.threshold());
    // All of the best are written down, and those over the threshold shown.
    let cut = Cut { most: settings.most, least: Some(f32::EPSILON) };
    let hits = match method.embed() {
        Some(embed) => known.index.for_queries_by(embed).search(query, cut),
        None => known.index.search(query, cut),
    };
    let hits = hits.map_err(|error| error.to_string())?;
    let hit = |hit: &umpire_recall::Hit| HistoryHit {
        id: hit.id,
        score: f64::from(hit.score),
        text: (hit.score >= least)
            .then(|| known.bank.entries().get(hit.id).map(ToString::to_string))
            .flatten(),
    };
    Ok(hits.iter().map(hit).collect())
}

#[cfg(test)]
mod tests {
    use umpire_recall::Bm25;

    use super::*;

    #[test]
    fn a_history_that_could_not_be_made_is_made_when_it_is_asked_for_again() {
        let asked = Arc::new(AtomicU32::new(0));
        let asking = Arc::clone(&asked);
        let histories: Histories = Arc::new(move |_| match asking.fetch_add(1, Ordering::Relaxed) {
            0 => Err("the disk was busy".to_owned()),
            _ => Ok(Bank::of_texts(["oat milk"])),
        });
        let settings = HistorySettings {
            method: "lexical".to_owned(),
            keys: Keys::Object.name().to_owned(),
            most: 20,
            threshold: None,
            accesses: 3,
            embedder: None,
            histories: None,
        };
        let method = Method::Lexical(Bm25::default());
        let searching: Searching = Arc::new(|_| Ok(Method::Lexical(Bm25::default())));
        let memories = Memories::new(settings, histories, Keys::Object, searching);
        let entries = || memories.remembered("maya", &method).map(|known| known.bank.entries().len());
        assert_eq!(entries(), Err("the disk was busy".to_owned()));
        assert_eq!(entries(), Ok(1));
        assert_eq!(entries(), Ok(1));
        assert_eq!(asked.load(Ordering::Relaxed), 2, "what is there is not made again");
    }
}
