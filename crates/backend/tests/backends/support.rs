//! Asks one question the way the runner does.

use std::collections::BTreeMap;
use std::time::Duration;

use serde_json::{Value, json};
use umpire_backend::{ConnectionSpec, Connections, ask, carry_out};
use umpire_model::{BackendCheck, Body, Deadline, Moment, Said, SetupOrder};

/// More than any answer here takes on a busy machine.
pub const PATIENCE: Duration = Duration::from_mins(2);

/// The one backend of a test, named `it`.
pub struct Backend {
    specs: BTreeMap<String, ConnectionSpec>,
}

impl Backend {
    pub fn at(url: &str) -> Self {
        Self::configured(&json!({"url": url, "seconds": 60}))
    }

    pub fn configured(spec: &Value) -> Self {
        let specs = serde_json::from_value(json!({"it": spec})).expect("a connection");
        Self { specs }
    }

    pub async fn get(&self, path: &str) -> Said {
        self.ask(&json!({"get": path})).await
    }

    pub async fn query(&self, query: &str) -> Said {
        self.ask(&json!({"sql": {"query": query}})).await
    }

    pub async fn query_with(&self, query: &str, parameters: &Value) -> Said {
        self.ask(&json!({"sql": {"query": query, "parameters": parameters}})).await
    }

    /// The rows of a query that works.
    pub async fn rows(&self, query: &str) -> Value {
        json_of(self.query(query).await, query)
    }

    /// The only value of a query that works.
    pub async fn value(&self, expression: &str) -> Value {
        self.rows(&format!("SELECT {expression} AS v")).await[0]["v"].clone()
    }

    pub async fn ask(&self, question: &Value) -> Said {
        let checks = [check(question)];
        let mut answers = ask(&checks, &self.connections(), Moment::After, Deadline::after(PATIENCE)).await;
        assert_eq!(answers.len(), 1);
        answers.remove(0).said
    }

    /// Carries orders out; the error is what the user reads.
    pub async fn carry_out(&self, orders: &[Value]) -> Result<(), String> {
        let orders: Vec<SetupOrder> = orders
            .iter()
            .map(|order| serde_json::from_value(json!({"backend": "it", "order": order})).expect("an order"))
            .collect();
        let carried_out = carry_out(&orders, &self.connections(), Deadline::after(PATIENCE)).await;
        carried_out.map(drop).map_err(|error| error.to_string())
    }

    fn connections(&self) -> Connections {
        let variable = |name: &str| (name == "THE_TOKEN").then(|| "s3cret-token".to_owned());
        Connections::for_names(["it"], &self.specs, variable).expect("good connections")
    }
}

pub fn check(question: &Value) -> BackendCheck {
    serde_json::from_value(json!({"backend": "it", "ask": question, "expect": "absent"})).expect("a check")
}

pub fn json_of(said: Said, asked: &str) -> Value {
    match said {
        Said::Json(Body::Text(text)) => serde_json::from_str(&text).expect("JSON"),
        other => panic!("{asked}: {other:?}"),
    }
}

pub fn assert_refused(said: &Said, reason: &str, asked: &str) {
    assert!(matches!(said, Said::Refused(why) if why.contains(reason)), "{asked}: {said:?}");
}

pub fn assert_unreachable(said: &Said, reason: &str, asked: &str) {
    assert!(matches!(said, Said::Unreachable(why) if why.contains(reason)), "{asked}: {said:?}");
}
