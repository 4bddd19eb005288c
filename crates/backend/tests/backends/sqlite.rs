use std::collections::BTreeMap;
use std::time::Duration;

use serde_json::json;
use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{ConnectOptions as _, Connection as _};
use tempfile::TempDir;
use umpire_backend::{Connections, ask};
use umpire_model::{Deadline, Moment};

use crate::support::{Backend, assert_refused, assert_unreachable, check};

struct Shop {
    _folder: TempDir,
    file: String,
    backend: Backend,
}

async fn shop() -> Shop {
    let folder = TempDir::new().expect("temp");
    let file = folder.path().join("shop.db").display().to_string();
    let options = SqliteConnectOptions::new().filename(&file).create_if_missing(true);
    let mut connection = options.connect().await.expect("a new file");
    sqlx::raw_sql(
        "CREATE TABLE cart (id INTEGER PRIMARY KEY, sku TEXT, qty INTEGER, price REAL, note TEXT, photo BLOB);
         INSERT INTO cart VALUES (1, 'A', 2, 19.5, NULL, x'00ff'), (2, 'it''s', 9223372036854775807, -0.25, '', NULL);",
    )
    .execute(&mut connection)
    .await
    .expect("a table");
    connection.close().await.expect("closed");
    let backend = Backend::at(&format!("sqlite:{file}"));
    Shop { _folder: folder, file, backend }
}

#[tokio::test]
async fn values_become_json() {
    let shop = shop().await;
    assert_eq!(
        shop.backend.rows("SELECT * FROM cart ORDER BY id").await,
        json!([
            {"id": 1, "sku": "A", "qty": 2, "price": 19.5, "note": null, "photo": "AP8="},
            {"id": 2, "sku": "it's", "qty": i64::MAX, "price": -0.25, "note": "", "photo": null},
        ])
    );
    assert_eq!(shop.backend.rows("SELECT id FROM cart WHERE id > 99").await, json!([]));
    assert_eq!(shop.backend.value("9e999").await, json!("Infinity"));
    assert_eq!(shop.backend.value("CAST(x'ff41' AS TEXT)").await, json!("/0E="), "text that is no UTF-8");
}

#[tokio::test]
async fn parameters_keep_their_type() {
    let shop = shop().await;
    for (condition, parameters, ids) in [
        ("sku = ?", json!(["it's"]), json!([{"id": 2}])),
        ("sku = ?", json!(["x' OR 1=1 --"]), json!([])),
        ("qty = ? AND price > ?", json!([2, 19.25]), json!([{"id": 1}])),
        ("note IS ?", json!([null]), json!([{"id": 1}])),
        ("(id = 1) = ?", json!([true]), json!([{"id": 1}])),
    ] {
        let query = format!("SELECT id FROM cart WHERE {condition}");
        let said = shop.backend.query_with(&query, &parameters).await;
        assert_eq!(crate::support::json_of(said, &query), ids, "{condition} {parameters}");
    }
    for parameters in [json!([[1]]), json!([{"a": 1}]), json!([u64::MAX])] {
        let said = shop.backend.query_with("SELECT ?", &parameters).await;
        assert_refused(&said, "the parameter", &parameters.to_string());
    }
}

#[tokio::test]
async fn nothing_is_ever_written() {
    let shop = shop().await;
    let before = std::fs::read(&shop.file).expect("the file");
    for (query, reason) in [
        ("DELETE FROM cart", "no query"),
        ("SELECT 1; DELETE FROM cart", "more than one statement"),
        ("WITH x AS (SELECT 1) DELETE FROM cart", "readonly"),
        ("WITH x AS (SELECT 1) INSERT INTO cart (id) SELECT 7", "writes"),
        ("WITH x AS (SELECT 1) UPDATE cart SET qty = 0", "readonly"),
        ("PRAGMA user_version = 5", "no query"),
    ] {
        assert_refused(&shop.backend.query(query).await, reason, query);
    }
    assert_eq!(std::fs::read(&shop.file).expect("the file"), before);
}

#[tokio::test]
async fn a_broken_question_is_told_from_a_broken_deployment() {
    let shop = shop().await;
    for (query, reason) in [
        ("SELECT nope FROM cart", "no such column"),
        ("SELECT 1 FROM nowhere", "no such table"),
        ("SELECT FROM WHERE", "syntax error"),
        ("SELECT ?", "1 placeholders"),
        ("SELECT 1 AS a, 2 AS a", "two columns are named `a`"),
        ("SELECT zeroblob(2000000) AS large", "more than 1 MiB"),
        (
            "WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < 20000) SELECT n FROM c",
            "more than 10000 rows",
        ),
    ] {
        assert_refused(&shop.backend.query(query).await, reason, query);
    }
    assert_refused(&shop.backend.get("/cart").await, "a database, not a REST interface", "GET");
    let missing = Backend::at(&format!("sqlite:{}.none", shop.file)).query("SELECT 1").await;
    assert_unreachable(&missing, "no connection", "a missing file");
    std::fs::write(&shop.file, "this is no database, however long one makes it ".repeat(100))
        .expect("written");
    assert_unreachable(&shop.backend.query("SELECT * FROM cart").await, "not a database", "a damaged file");
}

#[tokio::test]
async fn a_query_without_end_is_stopped_and_its_thread_ends() {
    let shop = shop().await;
    let backend = Backend::configured(&json!({"url": format!("sqlite:{}", shop.file), "seconds": 1}));
    let endless = "WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c) SELECT max(n) FROM c";
    let said = backend.query(endless).await;
    assert!(matches!(&said, umpire_model::Said::Unreachable(_)), "{said:?}");
    let threads = || {
        let tasks = std::fs::read_dir("/proc/self/task").expect("threads").flatten();
        tasks
            .filter(|task| {
                std::fs::read_to_string(task.path().join("comm"))
                    .is_ok_and(|name| name.starts_with("sqlx-sqlite"))
            })
            .filter(|task| {
                std::fs::read_to_string(task.path().join("stat")).is_ok_and(|stat| stat.contains(") R "))
            })
            .count()
    };
    let patience = Deadline::after(crate::support::PATIENCE);
    while threads() > 0 {
        assert!(!patience.passed(), "the query still runs");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

#[tokio::test]
async fn each_question_is_asked_once_and_before_only_what_is_compared() {
    let shop = shop().await;
    let specs =
        serde_json::from_value::<BTreeMap<_, _>>(json!({"it": {"url": format!("sqlite:{}", shop.file)}}))
            .expect("a connection");
    let question = json!({"sql": {"query": "SELECT qty FROM cart"}});
    let other = json!({"sql": {"query": "SELECT sku FROM cart"}});
    let mut unchanged = check(&question);
    unchanged.expect = serde_json::from_value(json!({"unchanged_except": []})).expect("an expectation");
    let checks = [check(&question), unchanged, check(&other)];
    let connections = Connections::for_names(["it"], &specs, |_| None).expect("good connections");
    let deadline = Deadline::after(crate::support::PATIENCE);
    let before = ask(&checks, &connections, Moment::Before, deadline).await;
    let after = ask(&checks, &connections, Moment::After, deadline).await;
    assert_eq!((before.len(), after.len()), (1, 2));
    assert_eq!(before[0].question, after[0].question);
    assert_eq!(before[0].question, checks[0].question());
    assert_eq!(after[1].asked, "SELECT sku FROM cart");
    let answers: Vec<_> = before.into_iter().chain(after).collect();
    let judgement = umpire_rules::evaluate_backend(&checks[1..2], &answers);
    assert_eq!(judgement.outcome, umpire_model::Outcome::Pass, "{}", judgement.reason);
}

#[tokio::test]
async fn an_unknown_backend_is_no_verdict_on_the_agent() {
    let checks = [check(&json!({"get": "/"}))];
    let deadline = Deadline::after(crate::support::PATIENCE);
    let answers = ask(&checks, &Connections::default(), Moment::After, deadline).await;
    assert_unreachable(&answers[0].said, "no backend `it` is configured", "an unknown backend");
}

#[tokio::test]
async fn orders_are_carried_out_whole_or_not_at_all_and_only_where_the_user_allows() {
    let shop = shop().await;
    let order = |statement: &str, rows: u64| json!({"sql": {"statement": statement, "parameters": [5], "rows": rows}});
    let refused = shop.backend.carry_out(&[order("UPDATE cart SET qty = ?", 2)]).await;
    assert_eq!(
        refused,
        Err("order 1 to the backend `it`: suites may not change it; `writable = true` in [backends.it] allows them to".to_owned())
    );
    let writable = Backend::configured(
        &json!({"url": format!("sqlite:{}", shop.file), "seconds": 60, "writable": true}),
    );
    let wrong = writable
        .carry_out(&[order("UPDATE cart SET qty = ? WHERE id = 1", 1), order("UPDATE cart SET qty = ?", 1)])
        .await;
    assert_eq!(
        wrong,
        Err("order 2 to the backend `it`: it touched 2 rows, and should have touched 1".to_owned())
    );
    let quantities = json!([{"qty": 5}, {"qty": i64::MAX}]);
    assert_eq!(writable.rows("SELECT qty FROM cart ORDER BY id").await, quantities, "the second did nothing");
    let two = writable.carry_out(&[order("DELETE FROM cart WHERE id = ?; DELETE FROM cart", 0)]).await;
    assert!(two.is_err_and(|error| error.contains("more than one statement")));
    assert_eq!(writable.rows("SELECT qty FROM cart ORDER BY id").await, quantities);
}
