//! What an attempt recorded, on its way to the depot and from there to whoever follows the run.
//!
//! ```text
//! <run>/blobs/<aa>/<digest>                content, each piece once for the whole run
//! <run>/attempts/<ticket>/<path>           everything else of one attempt, as it lay in its folder
//! <run>/attempts/<ticket>/contents.json    the list of both; written last, so what has one is whole
//! ```

use std::collections::HashSet;
use std::fs;
use std::path::{Component, Path};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use bytes::Bytes;
use futures_util::{StreamExt as _, TryStreamExt as _, stream};
use serde::{Deserialize, Serialize};
use umpire_model::Deadline;

use crate::{Depot, FleetError};

const CONTENTS_VERSION: u32 = 1;
/// Where a run keeps what is not whole yet; whoever takes the run for writing clears it away.
const HALVES: &str = "blobs/unfinished";
/// Files on their way at a time.
const AT_ONCE: usize = 8;
/// Digests that are remembered as shipped; beyond that they are shipped again.
const REMEMBERED: usize = 200_000;

#[derive(Debug, Serialize, Deserialize)]
struct Contents {
    version: u32,
    /// Relative paths, with what the others belong to last.
    files: Vec<String>,
}

/// Content that a worker has shipped already, for any attempt of a run.
#[derive(Debug, Default)]
pub struct Shipped(Mutex<HashSet<String>>);

impl Shipped {
    fn has(&self, place: &str) -> bool {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).contains(place)
    }

    fn add(&self, place: String) {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if known.len() < REMEMBERED {
            known.insert(place);
        }
    }
}

/// Ships a folder. False if there is nothing in it.
pub async fn ship(
    depot: &Depot,
    run: &str,
    ticket: i64,
    folder: &Path,
    shipped: &Shipped,
    deadline: Deadline,
) -> Result<bool, FleetError> {
    let files = files_below(folder)?;
    if files.is_empty() {
        return Ok(false);
    }
    stream::iter(files.iter().map(Ok::<_, FleetError>))
        .try_for_each_concurrent(AT_ONCE, |file| async move {
            let place = place_of(run, ticket, file);
            let is_content = is_content(file);
            if is_content && shipped.has(&place) {
                return Ok(());
            }
            let path = folder.join(file);
            let content = tokio::fs::read(&path).await.map_err(|source| FleetError::File { path, source })?;
            depot.put(&place, Bytes::from(content), deadline).await?;
            if is_content {
                shipped.add(place);
            }
            Ok(())
        })
        .await?;
    let contents = Contents { version: CONTENTS_VERSION, files };
    let text = serde_json::to_vec(&contents).map_err(|error| FleetError::Malformed {
        place: "contents".to_owned(),
        problem: error.to_string(),
    })?;
    depot.put(&format!("{}/contents.json", attempt_place(run, ticket)), text.into(), deadline).await?;
    Ok(true)
}

/// Brings what was shipped under a ticket into a folder. What the others belong to comes last, so an attempt that was
/// fetched half-way does not look like a whole one.
pub async fn fetch(
    depot: &Depot,
    run: &str,
    ticket: i64,
    folder: &Path,
    deadline: Deadline,
) -> Result<(), FleetError> {
    let place = format!("{}/contents.json", attempt_place(run, ticket));
    let text = depot.get(&place, deadline).await?;
    let malformed = |problem: String| FleetError::Malformed { place: place.clone(), problem };
    let contents: Contents = serde_json::from_slice(&text).map_err(|error| malformed(error.to_string()))?;
    if contents.version > CONTENTS_VERSION {
        return Err(malformed(format!("it has version {}: use a newer Umpire", contents.version)));
    }
    if let Some(file) = contents.files.iter().find(|file| !is_of_an_attempt(file)) {
        return Err(malformed(format!("`{file}` is no path of an attempt")));
    }
    let (blobs, others): (Vec<&String>, Vec<&String>) =
        contents.files.iter().partition(|file| is_content(file));
    let fetched = |file: &'_ String| {
        let (place, path) = (place_of(run, ticket, file), folder.join(file));
        let is_there = is_content(file) && path.exists();
        async move {
            if is_there {
                return Ok(());
            }
            let content = depot.get(&place, deadline).await?;
            let halves = folder.join(HALVES);
            let writing = tokio::task::spawn_blocking(move || write_whole(&path, &content, &halves));
            writing.await.map_err(|_| FleetError::Closing)?
        }
    };
    stream::iter(blobs.into_iter().map(fetched)).buffer_unordered(AT_ONCE).try_collect::<()>().await?;
    for file in others {
        fetched(file).await?;
    }
    Ok(())
}

/// Removes what was shipped under a ticket. Content stays: others may have it too.
pub(crate) async fn discard(
    depot: &Depot,
    run: &str,
    ticket: i64,
    deadline: Deadline,
) -> Result<(), FleetError> {
    depot.remove(&attempt_place(run, ticket), deadline).await
}

fn attempt_place(run: &str, ticket: i64) -> String {
    format!("{run}/attempts/{ticket:016x}")
}

fn place_of(run: &str, ticket: i64, file: &str) -> String {
    if is_content(file) { format!("{run}/{file}") } else { format!("{}/{file}", attempt_place(run, ticket)) }
}

fn is_content(file: &str) -> bool {
    file.starts_with("blobs/")
}

/// A list from the depot is outside data: only what belongs to an attempt may be written to, and not the run's manifest.
fn is_of_an_attempt(file: &str) -> bool {
    (is_content(file) || file.starts_with("attempts/"))
        && Path::new(file).components().all(|part| matches!(part, Component::Normal(_)))
}

/// All files of a folder, relative; journals last, because a journal says that an attempt is there.
fn files_below(folder: &Path) -> Result<Vec<String>, FleetError> {
    let mut files = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        let failed = |source| FleetError::File { path: next.clone(), source };
        let entries = match fs::read_dir(&next) {
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => continue,
            entries => entries.map_err(failed)?,
        };
        for entry in entries {
            let path = entry.map_err(failed)?.path();
            if path.is_dir() {
                // Left there by a writer that was interrupted; nobody refers to it.
                if !path.ends_with(HALVES) {
                    folders.push(path);
                }
            } else if let Some(relative) = path.strip_prefix(folder).ok().and_then(Path::to_str) {
                files.push(relative.to_owned());
            }
        }
    }
    files.sort_by_key(|file| (file.ends_with("journal.jsonl"), file.clone()));
    Ok(files)
}

/// A file is there whole or not at all. Attempts that are fetched beside each other may bring the same content: each writes
/// a half of its own.
fn write_whole(path: &Path, content: &[u8], halves: &Path) -> Result<(), FleetError> {
    static WRITTEN: AtomicU64 = AtomicU64::new(0);
    let failed = |path: &Path| {
        let path = path.to_owned();
        move |source| FleetError::File { path, source }
    };
    for folder in [halves, path.parent().unwrap_or(Path::new("."))] {
        fs::create_dir_all(folder).map_err(failed(folder))?;
    }
    let number = WRITTEN.fetch_add(1, Ordering::Relaxed);
    let half = halves.join(format!("fetched-{}-{number}", std::process::id()));
    fs::write(&half, content).map_err(failed(&half))?;
    fs::rename(&half, path).map_err(failed(path))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{StoreSettings, Voice};
    use std::time::Duration;

    fn depot(folder: &Path) -> Depot {
        let address = format!("file://{}", folder.display());
        Depot::open(&address, &StoreSettings::default(), Voice::silent()).expect("a folder")
    }

    #[test]
    fn only_what_belongs_to_an_attempt_is_written() {
        for (file, is_taken) in [
            ("attempts/oak/buy-1/1/journal.jsonl", true),
            ("blobs/aa/aabb", true),
            ("manifest.json", false),
            ("attempts/../manifest.json", false),
            ("blobs/../../outside", false),
            ("/etc/passwd", false),
            ("../attempts/a", false),
            ("", false),
        ] {
            assert_eq!(is_of_an_attempt(file), is_taken, "{file}");
        }
    }

    #[test]
    fn the_same_content_arrives_from_many_sides_at_once() {
        let folder = tempfile::tempdir().expect("temp");
        let (path, halves) = (folder.path().join("blobs/aa/aabb"), folder.path().join(HALVES));
        std::thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| {
                    for _ in 0..50 {
                        write_whole(&path, b"the same", &halves).expect("written");
                    }
                });
            }
        });
        assert_eq!(fs::read(&path).expect("there"), b"the same");
        assert_eq!(fs::read_dir(&halves).expect("there").count(), 0, "nothing is left half-way");
    }

    #[tokio::test]
    async fn what_is_shipped_arrives_and_the_journal_last() {
        let temporary = tempfile::tempdir().expect("temp");
        let (from, to) = (temporary.path().join("from"), temporary.path().join("to"));
        for (file, text) in [
            ("attempts/oracle/shop-1/1/journal.jsonl", "{}"),
            ("attempts/oracle/shop-1/1/verdicts.jsonl", "[]"),
            ("blobs/ab/abcd.zst", "pixels"),
            ("blobs/unfinished/x", "half"),
        ] {
            fs::create_dir_all(from.join(file).parent().expect("below")).expect("made");
            fs::write(from.join(file), text).expect("written");
        }
        assert_eq!(
            files_below(&from).expect("listed"),
            [
                "attempts/oracle/shop-1/1/verdicts.jsonl",
                "blobs/ab/abcd.zst",
                "attempts/oracle/shop-1/1/journal.jsonl"
            ]
        );
        let depot = depot(&temporary.path().join("depot"));
        let soon = Deadline::after(Duration::from_secs(10));
        let shipped = Shipped::default();
        assert!(ship(&depot, "demo-1", 77, &from, &shipped, soon).await.expect("shipped"));
        fetch(&depot, "demo-1", 77, &to, soon).await.expect("fetched");
        let read = |file: &str| fs::read_to_string(to.join(file)).ok();
        assert_eq!(read("blobs/ab/abcd.zst").as_deref(), Some("pixels"));
        assert_eq!(read("attempts/oracle/shop-1/1/journal.jsonl").as_deref(), Some("{}"));
        assert_eq!(read("blobs/unfinished/x"), None);

        discard(&depot, "demo-1", 77, soon).await.expect("gone");
        assert!(fetch(&depot, "demo-1", 77, &to, soon).await.is_err(), "what is discarded is not there");
        assert_eq!(depot.list("demo-1", soon).await.expect("listed"), ["blobs/ab/abcd.zst"]);
    }

    #[tokio::test]
    async fn a_list_cannot_write_outside_the_run() {
        let temporary = tempfile::tempdir().expect("temp");
        let depot = depot(temporary.path());
        let soon = Deadline::after(Duration::from_secs(10));
        for evil in ["../../etc/passwd", "/etc/passwd", "a/../../b", ""] {
            let contents = format!(r#"{{"version":1,"files":["{evil}"]}}"#);
            depot
                .put("demo-1/attempts/0000000000000001/contents.json", contents.into(), soon)
                .await
                .expect("put");
            let refused = fetch(&depot, "demo-1", 1, &temporary.path().join("to"), soon).await;
            assert!(matches!(refused, Err(FleetError::Malformed { .. })), "{evil}: {refused:?}");
        }
    }

    #[test]
    fn nothing_recorded_is_nothing_to_ship() {
        assert!(files_below(Path::new("/nonexistent/folder")).expect("none").is_empty());
    }
}
