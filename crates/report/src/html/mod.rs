//! The report as a folder of pages that opens from the disk: no server, no script, nothing fetched from elsewhere.
//!
//! Its parts are public: pages of a server show the same things in the same words.

mod attempt_page;
mod attempt_parts;
mod backend_table;
mod frame;
mod images;
mod index_page;
mod model_calls;
mod plot;
mod record_tables;
mod recording;
mod robustness_table;
mod steps;
mod verdicts;

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use maud::Markup;
use umpire_model::AttemptId;
use umpire_store::{InstanceFacts, Run};

use crate::{AttemptSummary, ReportError, Summary, summary};
use attempt_page::AttemptPage;
pub use attempt_parts::{answer, attempt_head, crumbs, earlier_tries, flags, same_instance};
pub use backend_table::backend;
pub use frame::{STYLE, badge, letter, outcome_word};
use images::Images;
pub use images::thumbnail;
pub use index_page::{manifest_block, not_complete, results, slices};
pub use model_calls::model_calls;
pub use plot::outcome_bar;
pub use record_tables::{CheckNumbers, agent_output, console, gate, network};
pub use recording::{Act, ConsoleLine, GateNote, Happening, Recording, Request, Step, What};
pub use robustness_table::robustness;
pub use steps::{one_act, overlay, told_step};
pub use verdicts::{check_numbers, current_verdicts, ending, verdict_section};

/// Writes the report of a run and returns the path of its first page.
///
/// Writing again into the same folder reuses the images that are already there.
pub fn write_html(run: &Run, out_dir: &Path) -> Result<PathBuf, ReportError> {
    let summary = summary(run)?;
    let facts: HashMap<String, InstanceFacts> =
        run.instances()?.into_iter().map(|instance| (instance.id.clone(), instance)).collect();
    let images = Images::new(run.blobs(), out_dir)?;
    let book = Book { run, summary: &summary, facts: &facts, images: &images, out_dir };
    let suspicious = book.write_attempts()?;
    let index = out_dir.join("index.html");
    write_page(&index, &index_page::render(&summary, &facts, &suspicious))?;
    Ok(index)
}

/// Where an attempt's page lies, seen from the index. Names of agents and instances are safe in paths and URLs.
fn page_path(id: &AttemptId) -> String {
    format!("attempts/{}/{}/{}.html", id.agent, id.instance, id.trial)
}

/// From an attempt's page back to the folder of the index.
const TO_ROOT: &str = "../../../";

/// What the pages are made from.
struct Book<'a> {
    run: &'a Run,
    summary: &'a Summary,
    facts: &'a HashMap<String, InstanceFacts>,
    images: &'a Images,
    out_dir: &'a Path,
}

impl Book<'_> {
    /// Writes all attempt pages, on all cores, and returns the attempts whose client did something suspicious.
    fn write_attempts(&self) -> Result<HashMap<AttemptId, usize>, ReportError> {
        let next = AtomicUsize::new(0);
        let work = || {
            let mut suspicious = Vec::new();
            while let Some(attempt) = self.summary.attempts.get(next.fetch_add(1, Ordering::Relaxed)) {
                if attempt.tries > 0 {
                    let count = self.write_attempt(attempt)?;
                    if count > 0 {
                        suspicious.push((attempt.id.clone(), count));
                    }
                }
            }
            Ok::<_, ReportError>(suspicious)
        };
        let cores = thread::available_parallelism().map_or(1, usize::from);
        thread::scope(|scope| {
            let workers: Vec<_> = (0..cores).map(|_| scope.spawn(work)).collect();
            let mut all = HashMap::new();
            for worker in workers {
                all.extend(worker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))?);
            }
            Ok(all)
        })
    }

    fn write_attempt(&self, attempt: &AttemptSummary) -> Result<usize, ReportError> {
        let folder = self.run.attempt(&attempt.id);
        let journal = folder.journal()?;
        let verdicts = folder.verdicts()?;
        let page = AttemptPage {
            summary: self.summary,
            attempt,
            facts: self.facts.get(&attempt.id.instance),
            journal: &journal,
            verdicts: &verdicts,
            images: self.images,
        };
        write_page(&self.out_dir.join(page_path(&attempt.id)), &page.render())?;
        Ok(recording::suspicious(&journal.trajectory).count())
    }
}

fn write_page(path: &Path, page: &Markup) -> Result<(), ReportError> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).map_err(ReportError::write(folder))?;
    }
    fs::write(path, page.0.as_bytes()).map_err(ReportError::write(path))
}
