//! What a backend is told to do before an attempt, so that its initial state is there.

use std::time::Instant;

use umpire_model::{BackendOrder, Deadline, SetupOrder};

use crate::connections::{Address, Connections};
use crate::problem::Problem;
use crate::{rest, sql};

/// An order that was not carried out: the initial state was not reached.
#[derive(Debug, thiserror::Error)]
#[error("order {number} to the backend `{backend}`: {problem}")]
pub struct OrderFailed {
    /// Orders count from 1.
    pub number: usize,
    pub backend: String,
    pub problem: String,
}

/// Carries the orders out, one after the other, up to the first that fails. Returns how long it took, in milliseconds.
pub async fn carry_out(
    orders: &[SetupOrder],
    connections: &Connections,
    deadline: Deadline,
) -> Result<u64, OrderFailed> {
    let started = Instant::now();
    for (order, number) in orders.iter().zip(1..) {
        carry_out_one(order, connections, deadline).await.map_err(|problem| OrderFailed {
            number,
            backend: order.backend.clone(),
            problem: connections.redactor().text(&problem.to_string()).into_owned(),
        })?;
    }
    Ok(started.elapsed().as_millis() as u64)
}

async fn carry_out_one(
    order: &SetupOrder,
    connections: &Connections,
    deadline: Deadline,
) -> Result<(), Problem> {
    let connection = connections
        .get(&order.backend)
        .ok_or_else(|| Problem::unreachable("it is not configured".to_owned()))?;
    if !connection.is_writable {
        return Err(Problem::refused(format!(
            "suites may not change it; `writable = true` in [backends.{}] allows them to",
            order.backend
        )));
    }
    let deadline = deadline.within(connection.limit);
    let allowed = deadline.left();
    let carried_out = async {
        match (&order.order, &connection.address) {
            (BackendOrder::Call(call), Address::Rest { base, headers }) => {
                rest::call(base, headers, call).await
            }
            (BackendOrder::Sql(order), Address::Sqlite(file)) => {
                sql::sqlite::carry_out(file, order, deadline).await
            }
            (BackendOrder::Sql(order), Address::Postgres(url)) => {
                sql::postgres::carry_out(url, order, deadline).await
            }
            (BackendOrder::Sql(order), Address::MySql(url)) => {
                sql::mysql::carry_out(url, order, deadline).await
            }
            (BackendOrder::Sql(_), Address::Rest { .. }) => {
                Err(Problem::refused("this connection is a REST interface, not a database"))
            }
            (BackendOrder::Call(_), _) => {
                Err(Problem::refused("this connection is a database, not a REST interface"))
            }
        }
    };
    match tokio::time::timeout_at(deadline.at().into(), carried_out).await {
        Ok(done) => done,
        Err(_) => Err(Problem::unreachable(format!("no answer within {:.0} seconds", allowed.as_secs_f64()))),
    }
}
