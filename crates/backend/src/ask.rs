//! From checks to answers.

use std::collections::HashSet;
use std::time::Instant;

use serde_json::Value;
use umpire_model::{BackendAnswer, BackendCheck, BackendQuestion, Body, Deadline, Moment, Redactor, Said};

use crate::connections::{Address, Connections, LARGEST_ANSWER};
use crate::problem::Problem;
use crate::{rest, sql};

/// Puts the questions of checks to the connections they name, each question once, and returns every answer whole.
///
/// Before an attempt only those checks are asked that compare with it. Nothing here fails: a question without an
/// answer is an answer that says why.
pub async fn ask(
    checks: &[BackendCheck],
    connections: &Connections,
    when: Moment,
    deadline: Deadline,
) -> Vec<BackendAnswer> {
    let mut asked = HashSet::new();
    let mut answers = Vec::new();
    for check in checks {
        let is_wanted = when == Moment::After || check.compares_with_before();
        if is_wanted && asked.insert(check.question()) {
            answers.push(answer(check, connections, when, deadline).await);
        }
    }
    answers
}

async fn answer(
    check: &BackendCheck,
    connections: &Connections,
    when: Moment,
    deadline: Deadline,
) -> BackendAnswer {
    let started = Instant::now();
    let said = match reply(check, connections, deadline).await {
        Ok(Some(value)) => json(&value, connections.redactor()),
        Ok(None) => Said::Nothing,
        Err(Problem::Refused(reason)) => Said::Refused(connections.redactor().text(&reason).into_owned()),
        Err(Problem::Unreachable(reason)) => {
            Said::Unreachable(connections.redactor().text(&reason).into_owned())
        }
    };
    BackendAnswer {
        backend: check.backend.clone(),
        question: check.question(),
        asked: connections.redactor().text(&check.ask.to_string()).into_owned(),
        when,
        said,
        took_ms: started.elapsed().as_millis() as u64,
    }
}

fn json(value: &Value, redactor: &Redactor) -> Said {
    let text = value.to_string();
    if text.len() > LARGEST_ANSWER {
        return Said::Refused(too_long().to_string());
    }
    Said::Json(Body::Text(redactor.text(&text).into_owned()))
}

pub(crate) fn too_long() -> Problem {
    Problem::refused(format!("the answer has more than {} MiB; ask for less", LARGEST_ANSWER >> 20))
}

/// `None` is a place where the backend has nothing.
async fn reply(
    check: &BackendCheck,
    connections: &Connections,
    deadline: Deadline,
) -> Result<Option<Value>, Problem> {
    let connection = connections
        .get(&check.backend)
        .ok_or_else(|| Problem::unreachable(format!("no backend `{}` is configured", check.backend)))?;
    let deadline = deadline.within(connection.limit);
    let allowed = deadline.left();
    let asked = async {
        match (&check.ask, &connection.address) {
            (BackendQuestion::Get(path), Address::Rest { base, headers }) => {
                rest::get(base, headers, path).await
            }
            (BackendQuestion::Post(question), Address::Rest { base, headers }) => {
                rest::post(base, headers, question).await
            }
            (BackendQuestion::Sql(question), Address::Sqlite(file)) => {
                sql::sqlite::rows(file, question, deadline).await.map(Some)
            }
            (BackendQuestion::Sql(question), Address::Postgres(url)) => {
                sql::postgres::rows(url, question, deadline).await.map(Some)
            }
            (BackendQuestion::Sql(question), Address::MySql(url)) => {
                sql::mysql::rows(url, question, deadline).await.map(Some)
            }
            (BackendQuestion::Sql(_), Address::Rest { .. }) => {
                Err(Problem::refused("this connection is a REST interface, not a database"))
            }
            (BackendQuestion::Get(_) | BackendQuestion::Post(_), _) => {
                Err(Problem::refused("this connection is a database, not a REST interface"))
            }
        }
    };
    match tokio::time::timeout_at(deadline.at().into(), asked).await {
        Ok(reply) => reply,
        Err(_) => Err(Problem::unreachable(format!("no answer within {:.0} seconds", allowed.as_secs_f64()))),
    }
}
