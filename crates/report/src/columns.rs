//! The columns of a table of attempts: the one place that says what CSV, Parquet and SQL call them.

use umpire_model::Outcome;
use umpire_stats::AttemptRow;

use crate::AttemptSummary;

/// One attempt with all that a table says of it.
#[derive(Clone, Copy, Debug)]
pub struct Record<'a> {
    pub run: &'a str,
    pub row: &'a AttemptRow,
    pub attempt: &'a AttemptSummary,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Cell<'a> {
    Text(&'a str),
    Whole(i64),
    Real(f64),
    Truth(bool),
    /// Not known, or not there: never the same as nothing or zero.
    Unknown,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ColumnType {
    Text,
    Whole,
    Real,
    Truth,
}

#[derive(Clone, Copy, Debug)]
pub struct Column {
    pub name: &'static str,
    pub of: ColumnType,
    pub about: &'static str,
    value: for<'a> fn(&Record<'a>) -> Cell<'a>,
}

impl Column {
    pub fn value<'a>(&self, record: &Record<'a>) -> Cell<'a> {
        (self.value)(record)
    }
}

const fn column(
    name: &'static str,
    of: ColumnType,
    about: &'static str,
    value: for<'a> fn(&Record<'a>) -> Cell<'a>,
) -> Column {
    Column { name, of, about, value }
}

fn text(text: Option<&str>) -> Cell<'_> {
    text.map_or(Cell::Unknown, Cell::Text)
}

fn whole<N: TryInto<i64>>(number: Option<N>) -> Cell<'static> {
    number.and_then(|number| number.try_into().ok()).map_or(Cell::Unknown, Cell::Whole)
}

fn real(number: Option<f64>) -> Cell<'static> {
    number.map_or(Cell::Unknown, Cell::Real)
}

use ColumnType::{Real, Text, Truth, Whole};

/// Names and meanings are those of [`AttemptRow`] where it has them, so that counters read what is written here.
pub const ATTEMPT_COLUMNS: [Column; 25] = [
    column("run", Text, "run id", |r| Cell::Text(r.run)),
    column("agent", Text, "name of the agent", |r| Cell::Text(&r.row.agent)),
    column("task", Text, "task id", |r| Cell::Text(&r.row.task)),
    column("instance", Text, "task in one variant and state", |r| Cell::Text(&r.row.instance)),
    column("trial", Whole, "from 1", |r| Cell::Whole(i64::from(r.row.trial))),
    column("template", Text, "tasks of one differ in their values only", |r| Cell::Text(r.row.template())),
    column("site", Text, "shop, or shop + map", |r| Cell::Text(&r.row.site)),
    column("category", Text, "of the task", |r| Cell::Text(&r.row.category)),
    column("kind", Text, "retrieve, navigate or mutate", |r| Cell::Text(&r.row.kind)),
    column("state", Text, "initial state, where there are several", |r| text(r.row.state.as_deref())),
    column("level", Whole, "ambiguity, 0 to 2", |r| whole(r.row.level)),
    column("with_hint", Truth, "told where to go", |r| Cell::Truth(r.row.with_hint)),
    column("perturbation", Text, "what the attempt ran under", |r| text(r.row.perturbation.as_deref())),
    column("digest", Text, "of the instance as the agent met it", |r| text(r.row.digest.as_deref())),
    column("outcome", Text, "unknown while it has not run or is not judged", |r| {
        text(r.row.outcome.map(Outcome::as_str))
    }),
    column("passed", Truth, "every planned attempt that is no pass is false", |r| {
        Cell::Truth(r.row.passed())
    }),
    column("impossible", Truth, "saying that it cannot be done is right", |r| Cell::Truth(r.row.impossible)),
    column("tries", Whole, "infra ones included", |r| Cell::Whole(i64::from(r.attempt.tries))),
    column("steps", Whole, "of the last try", |r| whole(r.row.steps)),
    column("counted", Whole, "steps that used up the budget", |r| whole(r.attempt.counted)),
    column("reference_steps", Whole, "of somebody who did it right", |r| whole(r.row.reference_steps)),
    column("seconds", Real, "of the last try", |r| real(r.row.seconds)),
    column("tokens", Whole, "read and written, all tries", |r| whole(r.row.tokens)),
    column("usd", Real, "all tries; unknown unless every price is known", |r| real(r.row.usd)),
    column("reason", Text, "the verdict's sentence, or why there is none", |r| Cell::Text(&r.attempt.reason)),
];

/// Attempts with their rows; both are in the same order.
pub fn records<'a>(
    run: &'a str,
    rows: &'a [AttemptRow],
    attempts: &'a [AttemptSummary],
) -> impl Iterator<Item = Record<'a>> {
    rows.iter().zip(attempts).map(move |(row, attempt)| Record { run, row, attempt })
}
