//! The tables of a run, and how each is read from its files.

use sqlx::sqlite::SqliteConnection;
use sqlx::{AssertSqlSafe, Connection as _, Executor as _, QueryBuilder, Sqlite};
use umpire_model::{AttemptId, EventBody, Spending};
use umpire_report::{ATTEMPT_COLUMNS, Cell, ColumnType, records, rows, summary};
use umpire_store::{AttemptDir, Run};

use crate::failure::Failure;

/// Values a statement may bind; SQLite knows no more.
const MOST_VALUES: usize = 30_000;

pub struct Table {
    pub name: &'static str,
    pub about: &'static str,
    /// Beside those that say which attempt it is.
    own: &'static [OwnColumn],
    read: fn(&Run) -> Result<Vec<Vec<Datum>>, Failure>,
}

type OwnColumn = (&'static str, &'static str, &'static str);

/// What a table is made of.
#[derive(Clone, Debug, PartialEq)]
enum Datum {
    Text(String),
    Whole(i64),
    Real(f64),
    Unknown,
}

const ATTEMPT: [OwnColumn; 3] = [
    ("agent", "text", "name of the agent"),
    ("instance", "text", "task in one variant and state"),
    ("trial", "integer", "from 1"),
];

pub static TABLES: [Table; 7] = [
    Table { name: "attempts", about: "every planned attempt, as in the CSV", own: &[], read: attempts },
    Table {
        name: "instances",
        about: "what was asked",
        own: &[
            ("instance", "text", "task in one variant and state"),
            ("task", "text", "task id"),
            ("template", "text", "tasks of one differ in their values only"),
            ("kind", "text", "retrieve, navigate or mutate"),
            ("site", "text", "shop, or shop + map"),
            ("category", "text", "of the task"),
            ("state", "text", "initial state"),
            ("intent", "text", "what the agent is asked"),
        ],
        read: instances,
    },
    Table {
        name: "tries",
        about: "every try of every attempt, infra ones too",
        own: &[
            ("try", "integer", "from 1"),
            ("at", "text", "when it began, UTC"),
            ("end", "text", "how it ended, before anybody judged it; unknown if it was interrupted"),
            ("detail", "text", "more about the end"),
            ("steps", "integer", "steps"),
            ("counted", "integer", "steps that used up the budget"),
            ("seconds", "real", "from its start"),
            ("calls", "integer", "of models"),
            ("tokens", "integer", "read and written"),
            ("usd", "real", "unknown unless every price is known"),
        ],
        read: tries,
    },
    Table {
        name: "verdicts",
        about: "every verdict ever filed, on whichever try; the last by rules on the last try counts",
        own: &[
            ("try", "integer", "it speaks of"),
            ("by", "text", "who decided"),
            ("digest", "text", "of the rules that decided"),
            ("outcome", "text", "pass, fail, …"),
            ("reason", "text", "one sentence"),
        ],
        read: verdicts,
    },
    Table {
        name: "checks",
        about: "the checks of every verdict; they hold expected answers",
        own: &[
            ("try", "integer", "the verdict speaks of"),
            ("by", "text", "who decided"),
            ("number", "integer", "of the check, from 1"),
            ("kind", "text", "response, network, state, …"),
            ("expected", "text", "the condition, in words"),
            ("held", "integer", "1 or 0"),
            ("found", "text", "what was found instead, or what satisfied it"),
        ],
        read: checks,
    },
    Table {
        name: "votes",
        about: "what models said, every vote",
        own: &[
            ("try", "integer", "it speaks of"),
            ("judge", "text", "name of the judge"),
            ("model", "text", "model it asked"),
            ("sample", "integer", "from 1"),
            ("ruling", "text", "pass, fail, abstained, error or noted"),
            ("reason", "text", "of the judge's own"),
            ("against", "text", "the other attempt, where two are compared"),
            ("calls", "integer", "of models"),
            ("tokens", "integer", "read and written"),
            ("usd", "real", "unknown unless every price is known"),
        ],
        read: votes,
    },
    Table {
        name: "steps",
        about: "the actions of every attempt's last try",
        own: &[
            ("step", "integer", "from 1"),
            ("action", "text", "as it prints"),
            ("error", "text", "why it had no effect"),
            ("ms", "integer", "since the try began"),
            ("took_ms", "integer", "the action itself"),
        ],
        read: steps,
    },
];

impl Table {
    /// Name, type and meaning.
    pub fn columns(&self) -> Vec<OwnColumn> {
        match self.name {
            "attempts" => ATTEMPT_COLUMNS.iter().map(|c| (c.name, sql_type(c.of), c.about)).collect(),
            "instances" => self.own.to_vec(),
            _ => ATTEMPT.iter().chain(self.own).copied().collect(),
        }
    }

    pub async fn fill(&self, run: &Run, database: &mut SqliteConnection) -> Result<(), Failure> {
        let rows = (self.read)(run)?;
        let filled = self.insert(rows, database).await;
        filled.map_err(|error| Failure::new(format!("the table {} could not be made: {error}", self.name)))
    }

    async fn insert(
        &self,
        rows: Vec<Vec<Datum>>,
        database: &mut SqliteConnection,
    ) -> Result<(), sqlx::Error> {
        let columns = self.columns();
        let named: Vec<String> = columns.iter().map(|(name, of, _)| format!("\"{name}\" {of}")).collect();
        let make = format!("create table {} ({})", self.name, named.join(", "));
        let mut transaction = database.begin().await?;
        transaction.execute(AssertSqlSafe(make)).await?;
        for some in rows.chunks(MOST_VALUES / columns.len()) {
            let mut insert = QueryBuilder::<Sqlite>::new(format!("insert into {} ", self.name));
            insert.push_values(some, |mut values, row| {
                for datum in row {
                    match datum {
                        Datum::Text(text) => values.push_bind(text.clone()),
                        Datum::Whole(number) => values.push_bind(*number),
                        Datum::Real(number) => values.push_bind(*number),
                        Datum::Unknown => values.push_bind(None::<i64>),
                    };
                }
            });
            insert.build().persistent(false).execute(&mut *transaction).await?;
        }
        transaction.commit().await
    }
}

fn sql_type(of: ColumnType) -> &'static str {
    match of {
        ColumnType::Text => "text",
        ColumnType::Whole | ColumnType::Truth => "integer",
        ColumnType::Real => "real",
    }
}

impl From<Cell<'_>> for Datum {
    fn from(cell: Cell<'_>) -> Self {
        match cell {
            Cell::Text(text) => Self::Text(text.to_owned()),
            Cell::Whole(number) => Self::Whole(number),
            Cell::Real(number) => Self::Real(number),
            Cell::Truth(truth) => Self::Whole(i64::from(truth)),
            Cell::Unknown => Self::Unknown,
        }
    }
}

fn text(text: impl Into<String>) -> Datum {
    Datum::Text(text.into())
}

fn whole(number: impl TryInto<i64>) -> Datum {
    number.try_into().map_or(Datum::Unknown, Datum::Whole)
}

fn known<T>(value: Option<T>, datum: impl FnOnce(T) -> Datum) -> Datum {
    value.map_or(Datum::Unknown, datum)
}

/// Calls, tokens and money, none of it zero where it is unknown.
fn spent(spending: &Spending) -> [Datum; 3] {
    let tokens = spending.usage.input + spending.usage.output;
    let is_known = !spending.is_nothing() && spending.unknown == 0;
    [
        whole(spending.calls),
        if tokens > 0 { whole(tokens) } else { Datum::Unknown },
        if is_known { Datum::Real(spending.cost.0 as f64 / 1e6) } else { Datum::Unknown },
    ]
}

fn attempts(run: &Run) -> Result<Vec<Vec<Datum>>, Failure> {
    let summary = summary(run)?;
    let rows = rows(run, &summary)?;
    let records = records(summary.manifest.run.as_str(), &rows, &summary.attempts);
    Ok(records.map(|record| ATTEMPT_COLUMNS.iter().map(|c| c.value(&record).into()).collect()).collect())
}

fn instances(run: &Run) -> Result<Vec<Vec<Datum>>, Failure> {
    let rows = run.instances()?.into_iter().map(|facts| {
        vec![
            text(facts.id),
            text(facts.task),
            text(facts.template),
            text(facts.kind.as_str()),
            text(facts.sites.join(" + ")),
            text(facts.category),
            known(facts.state, text),
            text(facts.intent),
        ]
    });
    Ok(rows.collect())
}

/// Rows of every planned attempt, each with the attempt in front.
fn of_attempts<I>(
    run: &Run,
    read: impl Fn(&AttemptDir) -> Result<I, Failure>,
) -> Result<Vec<Vec<Datum>>, Failure>
where
    I: IntoIterator<Item = Vec<Datum>>,
{
    let mut all = Vec::new();
    for id in run.planned()? {
        let AttemptId { agent, instance, trial } = &id;
        for own in read(&run.attempt(&id))? {
            all.push([text(agent), text(instance), whole(*trial)].into_iter().chain(own).collect());
        }
    }
    Ok(all)
}

fn tries(run: &Run) -> Result<Vec<Vec<Datum>>, Failure> {
    of_attempts(run, |attempt| {
        Ok(attempt.tries()?.into_iter().map(|one| {
            let end = one.end.as_ref();
            let mut row = vec![
                whole(one.number),
                text(one.at.clone()),
                known(end, |end| text(word(&end.end))),
                known(end, |end| text(end.detail.clone())),
                known(end, |end| whole(end.steps)),
                known(end, |end| whole(end.counted)),
                known(end, |end| Datum::Real(end.ms as f64 / 1000.0)),
            ];
            row.extend(spent(&one.spending));
            row
        }))
    })
}

/// A word of a file format as it is written there.
fn word(value: &impl serde::Serialize) -> String {
    serde_json::to_value(value).ok().and_then(|value| value.as_str().map(str::to_owned)).unwrap_or_default()
}

fn verdicts(run: &Run) -> Result<Vec<Vec<Datum>>, Failure> {
    of_attempts(run, |attempt| {
        Ok(attempt.verdicts()?.into_iter().map(|filed| {
            let verdict = filed.verdict;
            vec![
                whole(filed.r#try),
                text(verdict.by),
                text(verdict.digest.as_str()),
                text(verdict.outcome.as_str()),
                text(verdict.reason),
            ]
        }))
    })
}

fn checks(run: &Run) -> Result<Vec<Vec<Datum>>, Failure> {
    of_attempts(run, |attempt| {
        Ok(attempt.verdicts()?.into_iter().flat_map(|filed| {
            let by = filed.verdict.by;
            filed.verdict.checks.into_iter().zip(1..).map(move |(check, number)| {
                vec![
                    whole(filed.r#try),
                    text(by.clone()),
                    Datum::Whole(number),
                    text(check.kind),
                    text(check.expected),
                    Datum::Whole(i64::from(check.held)),
                    text(check.found),
                ]
            })
        }))
    })
}

fn votes(run: &Run) -> Result<Vec<Vec<Datum>>, Failure> {
    of_attempts(run, |attempt| {
        Ok(attempt.votes()?.into_iter().map(|vote| {
            let spent = spent(&vote.spending());
            let mut row = vec![
                whole(vote.r#try),
                text(vote.judge),
                text(vote.model),
                whole(vote.sample),
                text(vote.ruling.as_str()),
                text(vote.reason),
                known(vote.against, |other| text(other.to_string())),
            ];
            row.extend(spent);
            row
        }))
    })
}

fn steps(run: &Run) -> Result<Vec<Vec<Datum>>, Failure> {
    of_attempts(run, |attempt| {
        Ok(attempt
            .read()?
            .events
            .into_iter()
            .filter_map(|event| match event.body {
                EventBody::Acted { step, action, error, took_ms, .. } => {
                    Some((step, action.to_string(), error, event.ms, Some(took_ms)))
                }
                EventBody::ForeignAction { step, text, error, .. } => {
                    Some((step, text, error, event.ms, None))
                }
                _ => None,
            })
            .map(|(step, action, error, ms, took)| {
                vec![whole(step), text(action), known(error, text), whole(ms), known(took, whole)]
            }))
    })
}
