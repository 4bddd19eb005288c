use serde_json::{Value, json};
use sqlx::{Connection as _, MySqlConnection};

use crate::servers::Server;
use crate::support::{Backend, assert_refused, assert_unreachable, json_of};

/// One server for all of it: starting one takes longer than asking everything.
#[tokio::test]
async fn a_real_mariadb() {
    let Some(server) = Server::mariadb() else { return };
    let url = server.url("mysql", "root@127.0.0.1", "mysql");
    let mut connection = MySqlConnection::connect(&url).await.expect("the server listens");
    sqlx::raw_sql(
        "CREATE DATABASE shop;
         USE shop;
         SET SESSION sql_mode = '';
         CREATE TABLE cart (id int PRIMARY KEY, sku varchar(20), qty smallint unsigned, price decimal(10, 2),
             colour enum('red', 'green'), placed datetime, seen timestamp NULL);
         INSERT INTO cart VALUES (1, 'A', 2, 19.90, 'green', '0000-00-00 00:00:00', '2026-01-02 03:04:05'),
             (2, NULL, 0, NULL, NULL, NULL, NULL);
         CREATE TABLE secrets (id int);
         CREATE FUNCTION take_one() RETURNS int MODIFIES SQL DATA BEGIN DELETE FROM cart WHERE id = 1; RETURN 1; END;
         CREATE USER visitor@'127.0.0.1' IDENTIFIED BY 'hush-hush';
         GRANT SELECT ON shop.cart TO visitor@'127.0.0.1';",
    )
    .execute(&mut connection)
    .await
    .expect("a schema");
    let url = server.url("mysql", "root@127.0.0.1", "shop");
    let backend = Backend::at(&url);
    rows_and_parameters(&backend).await;
    values(&backend).await;
    values_read_as_the_server_writes_them(&backend).await;
    nothing_is_ever_written(&backend, &mut connection).await;
    whose_fault(&server, &backend).await;
    slow_queries_end(&url, &mut connection).await;
    orders_are_kept_or_undone(&url).await;
    connection.close().await.expect("closed");
    drop(server);
    assert_unreachable(&backend.query("SELECT 1").await, "no connection", "a server that is gone");
}

async fn rows_and_parameters(backend: &Backend) {
    assert_eq!(
        backend.rows("SELECT id, sku, qty, price, colour, placed FROM cart ORDER BY id").await,
        json!([
            {"id": 1, "sku": "A", "qty": 2, "price": "19.90", "colour": "green", "placed": "0000-00-00T00:00:00"},
            {"id": 2, "sku": null, "qty": 0, "price": null, "colour": null, "placed": null},
        ])
    );
    for (condition, parameters) in [
        ("id = ?", json!([1])),
        ("sku = ? AND qty > ?", json!(["A", 1])),
        ("price = ?", json!(["19.9"])),
        ("price < ?", json!([19.95])),
        ("(id = 1) = ? AND ? IS NULL", json!([true, null])),
        ("colour = ?", json!(["green"])),
    ] {
        let query = format!("SELECT id FROM cart WHERE {condition}");
        let said = backend.query_with(&query, &parameters).await;
        assert_eq!(json_of(said, &query), json!([{"id": 1}]), "{condition} {parameters}");
    }
}

async fn values(backend: &Backend) {
    for (expression, expected) in [
        ("true", json!(1)),
        ("-9223372036854775808", json!(i64::MIN)),
        ("CAST(18446744073709551615 AS UNSIGNED)", json!(u64::MAX)),
        ("CAST(1.1 AS FLOAT)", json!(1.1)),
        ("CAST(1.1 AS DOUBLE)", json!(1.1)),
        ("12345678901234567890123456789.123456789", json!("12345678901234567890123456789.123456789")),
        ("'é' COLLATE utf8mb4_bin", json!("é")),
        ("CAST(x'00ff' AS BINARY)", json!("AP8=")),
        ("b'101000000001'", json!("CgE=")),
        ("DATE '1999-12-31'", json!("1999-12-31")),
        ("TIMESTAMP '2026-02-28 23:59:59.000001'", json!("2026-02-28T23:59:59.000001")),
        ("TIMESTAMP '2026-02-28 00:00:00'", json!("2026-02-28T00:00:00")),
        ("CAST('0000-00-00' AS DATE)", json!("0000-00-00")),
        ("TIME '-838:59:59'", json!("-838:59:59")),
        ("TIME '03:04:05.5'", json!("03:04:05.5")),
        ("TIME '00:00:00'", json!("00:00:00")),
        ("NULL", Value::Null),
        ("'a' || 'b'", json!(0)),
    ] {
        assert_eq!(backend.value(expression).await, expected, "{expression}");
    }
    // A timestamp is a moment, whatever the server's own time zone is.
    let seen = backend.rows("SELECT seen FROM cart WHERE id = 1").await[0]["seen"].clone();
    assert!(seen.as_str().is_some_and(|seen| seen.ends_with('Z')), "{seen}");
}

/// The server's own text is the second opinion.
async fn values_read_as_the_server_writes_them(backend: &Backend) {
    for expression in [
        "CAST(n AS INT)",
        "n * 71777214294589695",
        "CAST(n AS DECIMAL(30, 10)) / 7",
        "SEC_TO_TIME(n * 20011)",
        "DATE '2000-01-01' + INTERVAL n * 1000 DAY",
    ] {
        let query = format!(
            "SELECT {expression} AS v, CAST({expression} AS CHAR) AS t
             FROM (SELECT CAST(seq AS SIGNED) - 128 AS n FROM seq_0_to_255) numbers"
        );
        let rows = backend.rows(&query).await;
        let rows = rows.as_array().expect("rows");
        assert_eq!(rows.len(), 256, "{expression}");
        for row in rows {
            let value = row["v"].as_str().map_or_else(|| row["v"].to_string(), str::to_owned);
            assert_eq!(row["t"], value, "{expression}");
        }
    }
}

async fn nothing_is_ever_written(backend: &Backend, connection: &mut MySqlConnection) {
    for (query, reason) in [
        ("DELETE FROM cart", "no query"),
        ("DROP TABLE cart", "no query"),
        ("SELECT 1 INTO OUTFILE '/tmp/umpire-cart'", "writes"),
        ("SELECT take_one()", "READ ONLY transaction"),
        ("SELECT 1; DELETE FROM cart", "syntax"),
        ("SELECT 1; COMMIT; DELETE FROM cart", "syntax"),
    ] {
        assert_refused(&backend.query(query).await, reason, query);
    }
    let left: i64 =
        sqlx::query_scalar("SELECT count(*) FROM shop.cart").fetch_one(connection).await.expect("a count");
    assert_eq!(left, 2);
}

async fn whose_fault(server: &Server, backend: &Backend) {
    for (query, reason) in [
        ("SELECT nope FROM cart", "Unknown column"),
        ("SELECT 1 FROM nowhere", "doesn't exist"),
        ("SELECT FROM WHERE", "syntax"),
        ("SELECT ?", "1 placeholders"),
        ("SELECT repeat('x', 2000000) AS large", "more than 1 MiB"),
        ("SELECT seq FROM seq_1_to_10001", "more than 10000 rows"),
    ] {
        assert_refused(&backend.query(query).await, reason, query);
    }
    let nowhere = Backend::at(&server.url("mysql", "root@127.0.0.1", "nowhere"));
    assert_unreachable(&nowhere.query("SELECT 1").await, "Unknown database", "an unknown database");
    let wrong = Backend::at(&server.url("mysql", "visitor:wrong-word@127.0.0.1", "shop"));
    let said = wrong.query("SELECT 1").await;
    assert_unreachable(&said, "Access denied", "a wrong password");
    assert!(!format!("{said:?}").contains("wrong-word"), "{said:?}");
    let visitor = Backend::at(&server.url("mariadb", "visitor:hush-hush@127.0.0.1", "shop"));
    assert_eq!(visitor.rows("SELECT count(*) AS n FROM cart").await, json!([{"n": 2}]));
    assert_unreachable(&visitor.query("SELECT * FROM secrets").await, "denied", "no right to look");
    let said = visitor.query("SELECT 'hush-hush' AS told").await;
    assert!(!format!("{said:?}").contains("hush-hush"), "{said:?}");
}

async fn slow_queries_end(url: &str, connection: &mut MySqlConnection) {
    let hasty = Backend::configured(&json!({"url": url, "seconds": 1}));
    let said =
        hasty.query("SELECT count(*) FROM seq_1_to_1000000 a, seq_1_to_1000000 b, seq_1_to_1000000 c").await;
    assert!(matches!(&said, umpire_model::Said::Unreachable(_)), "{said:?}");
    let running = "SELECT count(*) FROM information_schema.processlist WHERE command <> 'Sleep' AND info LIKE 'SELECT count(*) FROM seq_1_to%'";
    let patience = umpire_model::Deadline::after(crate::support::PATIENCE);
    loop {
        let count: i64 = sqlx::query_scalar(running).fetch_one(&mut *connection).await.expect("a count");
        if count == 0 {
            break;
        }
        assert!(!patience.passed(), "the query still runs");
        tokio::time::sleep(std::time::Duration::from_millis(100)).await;
    }
}

async fn orders_are_kept_or_undone(url: &str) {
    let writable = Backend::configured(&json!({"url": url, "seconds": 60, "writable": true}));
    let order = |rows: u64| json!({"sql": {"statement": "UPDATE cart SET qty = ? WHERE id = ?", "parameters": [41, 1], "rows": rows}});
    let quantity = "(SELECT qty FROM cart WHERE id = 1)";
    let before = writable.value(quantity).await;
    let undone = writable.carry_out(&[order(2)]).await;
    assert!(undone.is_err_and(|error| error.ends_with("it touched 1 rows, and should have touched 2")));
    assert_eq!(writable.value(quantity).await, before);
    writable.carry_out(&[order(1)]).await.expect("carried out");
    assert_eq!(writable.value(quantity).await, json!(41));
}
