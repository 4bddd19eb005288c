//! Questions and orders to SQL databases.
//!
//! For a question, read-only is enforced by three parties that do not know of each other: [`statement`] lets only queries through,
//! the session is set to read-only, and the query runs in a read-only transaction that is rolled back. One file a
//! database says how its session is set and how its values become JSON; the rest is shared.
//!
//! Values are decoded here rather than by the drivers' optional types: those lose what a backend may well hold, such as
//! MySQL's zero dates, PostgreSQL's infinities and numbers beyond 28 digits.

pub(crate) mod mysql;
mod mysql_values;
pub(crate) mod postgres;
mod postgres_values;
mod query;
pub(crate) mod sqlite;
mod statement;
mod table;

use base64::Engine as _;
use serde_json::Value;

/// Why this is not one query that only reads; none if it is. For others who ask a database in a user's words.
pub fn why_no_query(query: &str) -> Option<String> {
    statement::check(query)
        .and_then(|()| statement::check_single(query))
        .err()
        .map(|problem| problem.to_string())
}

/// A float as its shortest text reads; JSON has no word for the others.
fn float(number: f64) -> Value {
    serde_json::Number::from_f64(number).map_or_else(
        || match number {
            f64::INFINITY => "Infinity".into(),
            f64::NEG_INFINITY => "-Infinity".into(),
            _ => "NaN".into(),
        },
        Value::Number,
    )
}

/// Widening bit by bit would show digits that nobody stored: 1.1 became 1.10000002384.
fn single_float(number: f32) -> Value {
    number.to_string().parse().map_or_else(|_| float(f64::from(number)), float)
}

fn bytes(content: &[u8]) -> Value {
    base64::engine::general_purpose::STANDARD.encode(content).into()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn floats_keep_the_digits_they_were_stored_with() {
        assert_eq!(single_float(1.1), json!(1.1));
        assert_eq!(single_float(f32::MAX), json!(3.402_823_5e38));
        assert_eq!(single_float(f32::NAN), json!("NaN"));
        assert_eq!(float(f64::NEG_INFINITY), json!("-Infinity"));
        assert_eq!(float(-0.5), json!(-0.5));
    }
}
