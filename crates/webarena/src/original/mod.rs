//! WebArena's own evaluator, as it was before WebArena Verified.
//!
//! It decides as the released WebArena did, leniencies included: answers are compared after trimming and lower-casing,
//! `must_include` is a substring test, a whole page is searched as HTML source. What it did in a browser is done here on
//! what was recorded. Where the recording lacks something, or the original asked a model and none is given, the finding
//! is [`Finding::Undecided`] with its reason, never a silent 0 or 1.
//!
//! ```
//! use umpire_webarena::original::{Recording, evaluate, parse_tasks};
//!
//! let tasks = parse_tasks(
//!     r#"[{"task_id": 40, "sites": ["map"], "start_url": "__MAP__", "intent": "Is it close?",
//!          "eval": {"eval_types": ["string_match"], "reference_answers": {"must_include": ["Yes"]},
//!                   "reference_url": "", "program_html": []}}]"#,
//! )?;
//! let recording = Recording::answering("Yes, the final answer is No");
//! assert_eq!(evaluate(&tasks[0], &recording, None).value, Some(1.0));
//! # Ok::<(), umpire_webarena::original::TaskFileError>(())
//! ```

mod answer;
mod entities;
mod file;
mod helper_call;
pub mod locator;
mod page_check;
mod recording;
pub mod run;
mod score;
mod string_match;
mod task;
mod url_match;
mod whole_word;

pub use file::{Position, TaskFileError, parse_tasks};
pub(crate) use file::{split_tasks, without_position};
pub use recording::{Evaluated, FormState, Page, Recording};
pub use score::{Check, EvalType, Finding, Part, Score, Undecided};
pub use string_match::FuzzyJudge;
pub use task::{AnswerRule, OriginalEval, OriginalTask, PageCheck, RequiredContents, TaskError};

/// Judges a recorded attempt as the original evaluator would have.
///
/// The parts multiply. A part that made the original raise an exception leaves the attempt without a score, as it did there.
pub fn evaluate(task: &OriginalTask, recording: &Recording, judge: Option<&dyn FuzzyJudge>) -> Score {
    let parts = task
        .eval
        .eval_types
        .iter()
        .map(|name| match EvalType::named(name) {
            EvalType::StringMatch => string_match::judge_answer(task, recording, judge),
            EvalType::UrlMatch => url_match::judge_last_url(&task.eval, recording),
            EvalType::ProgramHtml => page_check::judge_pages(&task.eval, recording),
            EvalType::Unknown => Part::raising(EvalType::Unknown, format!("there is no eval_type {name:?}")),
        })
        .collect();
    Score::of(parts)
}
