//! What is asked of a deployment's own backend (its REST interface or its database), and what it answered.
//!
//! A task names a connection and a question; addresses and credentials are the user's configuration and never part
//! of a task, an answer or a verdict.

use std::fmt;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{Body, Digest, StateExpectation};

/// A condition on what a backend says after the attempt.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BackendCheck {
    /// Name of a connection: `[backends.NAME]` in the configuration.
    pub backend: String,
    pub ask: BackendQuestion,
    /// JSONPath (RFC 9535) into the answer; empty for all of it. The rows of a query are a list of objects.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub select: String,
    pub expect: StateExpectation,
    /// Type of the value, or of one element if it is a list, as in a response check. Without one, values are compared
    /// as JSON, and a number also equals the same number written as text, as databases write exact ones.
    #[serde(default, skip_serializing_if = "Value::is_null")]
    pub schema: Value,
    /// Whether rows or selected values must come in the expected order.
    #[serde(default)]
    pub ordered: bool,
}

impl BackendCheck {
    /// Names the question in the journal, whatever redaction does to its text.
    pub fn question(&self) -> Digest {
        Digest::of_json(&(&self.backend, &self.ask))
    }

    /// True if the answer after the attempt means nothing without the one before it.
    pub fn compares_with_before(&self) -> bool {
        matches!(self.expect, StateExpectation::UnchangedExcept(_))
    }
}

/// A question that changes nothing.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum BackendQuestion {
    /// A path with its query, below the connection's URL.
    Get(String),
    Post(PostQuestion),
    Sql(SqlQuestion),
}

impl fmt::Display for BackendQuestion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Get(path) => write!(f, "GET {path}"),
            Self::Post(question) => write!(f, "POST {} {}", question.path, question.body),
            Self::Sql(question) => {
                f.write_str(&question.query)?;
                match question.parameters.as_slice() {
                    [] => Ok(()),
                    parameters => write!(f, " with {}", Value::from(parameters)),
                }
            }
        }
    }
}

/// A search or a GraphQL query: a question too long for a URL.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PostQuestion {
    pub path: String,
    pub body: Value,
    /// The author's word that this request changes nothing; without it, it is not made.
    #[serde(default)]
    pub read_only: bool,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SqlQuestion {
    /// One query, with the placeholders of its database: `$1` (PostgreSQL) or `?` (MySQL, SQLite).
    pub query: String,
    /// Values of the placeholders: null, booleans, numbers and texts.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub parameters: Vec<Value>,
}

/// One question with its answer, as it stands in the journal.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BackendAnswer {
    pub backend: String,
    /// [`BackendCheck::question`] of the checks that want to know.
    pub question: Digest,
    /// The question, for people.
    pub asked: String,
    pub when: Moment,
    pub said: Said,
    pub took_ms: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Moment {
    /// Before the agent could act.
    Before,
    /// When the attempt had ended.
    After,
}

/// What became of a question.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Said {
    /// The answer as JSON text.
    Json(Body),
    /// The backend works and has nothing at that place (404, 410).
    Nothing,
    /// The backend cannot answer this question in this form: the check is broken.
    Refused(String),
    /// The backend could not be asked, or did not answer in time; says nothing about the agent.
    Unreachable(String),
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::Check;

    #[test]
    fn checks_read_as_the_book_writes_them_and_write_back_the_same() {
        for line in [
            json!({"type": "backend", "backend": "shop", "ask": {"get": "/orders?status=new"}, "select": "$.items[*].sku",
                "expect": {"contains": "A-1"}, "ordered": false}),
            json!({"type": "backend", "backend": "shop",
                "ask": {"post": {"path": "/graphql", "body": {"query": "{me{name}}"}, "read_only": true}},
                "expect": {"equals": {"me": null}}, "ordered": false}),
            json!({"type": "backend", "backend": "db",
                "ask": {"sql": {"query": "SELECT qty FROM cart WHERE id = ?", "parameters": [7]}},
                "expect": "absent", "schema": {"type": "number"}, "ordered": true}),
        ] {
            let check: Check = serde_json::from_value(line.clone()).expect("well-formed");
            assert_eq!(serde_json::to_value(&check).expect("writable"), line);
        }
    }

    #[test]
    fn a_misspelt_field_is_no_check() {
        for line in [
            json!({"type": "backend", "backend": "db", "ask": {"sql": {"query": "SELECT 1", "params": []}}, "expect": "absent"}),
            json!({"type": "backend", "backend": "db", "ask": {"put": "/x"}, "expect": "absent"}),
            json!({"type": "backend", "backend": "db", "ask": {"get": "/x"}, "expect": "absent", "selct": "$"}),
        ] {
            assert!(serde_json::from_value::<Check>(line.clone()).is_err(), "{line}");
        }
    }

    #[test]
    fn a_question_is_the_same_whatever_is_expected_of_its_answer() {
        let check = |backend: &str, path: &str, expect| BackendCheck {
            backend: backend.to_owned(),
            ask: BackendQuestion::Get(path.to_owned()),
            select: String::new(),
            expect,
            schema: Value::Null,
            ordered: false,
        };
        let question = check("a", "/x", StateExpectation::Absent).question();
        assert_eq!(question, check("a", "/x", StateExpectation::Count(3)).question());
        assert_ne!(question, check("b", "/x", StateExpectation::Absent).question());
        assert_ne!(question, check("a", "/y", StateExpectation::Absent).question());
    }
}
