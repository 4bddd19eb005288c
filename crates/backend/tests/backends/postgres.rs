use serde_json::{Value, json};
use sqlx::{Connection as _, PgConnection};

use crate::servers::Server;
use crate::support::{Backend, assert_refused, assert_unreachable, json_of};

/// One server for all of it: starting one takes longer than asking everything.
#[tokio::test]
async fn a_real_postgresql() {
    let Some(server) = Server::postgres() else { return };
    let url = server.url("postgres", "umpire@127.0.0.1", "postgres");
    let mut connection = PgConnection::connect(&url).await.expect("the server listens");
    sqlx::raw_sql(
        "ALTER ROLE umpire SET intervalstyle = 'iso_8601';
         CREATE TYPE colour AS ENUM ('red', 'green');
         CREATE DOMAIN quantity AS int CHECK (value >= 0);
         CREATE TABLE cart (id int PRIMARY KEY, sku text, qty quantity, price numeric(10, 2), colour colour);
         INSERT INTO cart VALUES (1, 'A', 2, 19.90, 'green'), (2, NULL, 0, NULL, NULL);
         CREATE SEQUENCE numbers;
         CREATE FUNCTION take_one() RETURNS int LANGUAGE sql AS 'DELETE FROM cart WHERE id = 1 RETURNING id';
         CREATE TABLE secrets (id int);
         CREATE ROLE visitor LOGIN;
         GRANT SELECT ON cart TO visitor;",
    )
    .execute(&mut connection)
    .await
    .expect("a schema");
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
        backend.rows("SELECT * FROM cart ORDER BY id").await,
        json!([
            {"id": 1, "sku": "A", "qty": 2, "price": "19.90", "colour": "green"},
            {"id": 2, "sku": null, "qty": 0, "price": null, "colour": null},
        ])
    );
    for (condition, parameters) in [
        ("id = $1", json!([1])),
        ("sku = $1 AND qty > $2", json!(["A", 1])),
        ("price = $1::numeric", json!(["19.9"])),
        ("price < $1", json!([19.95])),
        ("(id = 1) = $1 AND $2::int IS NULL", json!([true, null])),
        ("colour = $1::colour", json!(["green"])),
    ] {
        let query = format!("SELECT id FROM cart WHERE {condition}");
        let said = backend.query_with(&query, &parameters).await;
        assert_eq!(json_of(said, &query), json!([{"id": 1}]), "{condition} {parameters}");
    }
}

async fn values(backend: &Backend) {
    for (expression, expected) in [
        ("true", json!(true)),
        ("(-32768)::int2", json!(-32768)),
        ("9223372036854775807", json!(i64::MAX)),
        ("4294967295::oid", json!(u32::MAX)),
        ("1.1::float4", json!(1.1)),
        ("1.1::float8", json!(1.1)),
        ("'NaN'::float8", json!("NaN")),
        ("'-Infinity'::float4", json!("-Infinity")),
        ("'é'::varchar(3)", json!("é")),
        ("'ab'::char(4)", json!("ab  ")),
        ("'x'::\"char\"", json!("x")),
        ("'abc'::name", json!("abc")),
        ("'\\x00ff'::bytea", json!("AP8=")),
        ("'{\"a\": [1, 2.50, null]}'::json", json!({"a": [1, 2.5, null]})),
        ("'{\"b\": \"c\"}'::jsonb", json!({"b": "c"})),
        ("'null'::jsonb", Value::Null),
        ("'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11'::uuid", json!("a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11")),
        ("date '1999-12-31'", json!("1999-12-31")),
        ("date 'infinity'", json!("infinity")),
        ("time '03:04:05.5'", json!("03:04:05.5")),
        ("time '24:00:00'", json!("24:00:00")),
        ("timetz '03:04:05+05:30'", json!("03:04:05+05:30")),
        ("timetz '03:04:05-08'", json!("03:04:05-08:00")),
        ("timestamp '2026-02-28 23:59:59.000001'", json!("2026-02-28T23:59:59.000001")),
        ("timestamptz '2026-01-01 00:00:00+02'", json!("2025-12-31T22:00:00Z")),
        ("timestamptz '-infinity'", json!("-infinity")),
        ("ARRAY[1, NULL, 3]", json!([1, null, 3])),
        ("ARRAY[['a', 'b'], ['c', NULL]]", json!([["a", "b"], ["c", null]])),
        ("'{}'::text[]", json!([])),
        ("ARRAY['red']::colour[]", json!(["red"])),
        ("ARRAY[1.50, 2]::numeric[]", json!(["1.50", "2"])),
        ("pg_sleep(0)", Value::Null),
    ] {
        assert_eq!(backend.value(expression).await, expected, "{expression}");
    }
    for expression in ["'10.0.0.1'::inet", "point(1, 2)", "date '9999-12-31' + 1", "ROW(1, 2)"] {
        let said = backend.query(&format!("SELECT {expression} AS v")).await;
        assert_refused(&said, "cast it to text", expression);
    }
}

/// The server's own text is the second opinion.
async fn values_read_as_the_server_writes_them(backend: &Backend) {
    for (values, least) in [
        ("SELECT 1234567890123456789 * 10::numeric ^ i / 7 AS v FROM generate_series(-24, 24) i", 49),
        ("SELECT -10::numeric ^ i AS v FROM generate_series(-9, 9) i", 19),
        ("SELECT round(1::numeric / 3, i) AS v FROM generate_series(0, 30) i", 31),
        (
            "SELECT v::numeric FROM (VALUES ('0'), ('0.00'), ('-0.5'), ('NaN'), ('Infinity'), ('-Infinity'), ('10000'), ('0.0001'), ('0.00010000'), ('100000000')) t(v)",
            10,
        ),
        (
            "SELECT i * interval '1 month 2 days 3 hours 4 minutes 5.5 seconds' AS v FROM generate_series(-20, 20) i",
            41,
        ),
        (
            "SELECT v::interval FROM (VALUES ('1 year -1 day'), ('-0.000001 seconds'), ('-1 hour 30 minutes'), ('1 month'), ('0')) t(v)",
            5,
        ),
        ("SELECT date '2000-01-01' + i * 1000 AS v FROM generate_series(-300, 300) i", 601),
    ] {
        let rows = backend.rows(&format!("SELECT v, v::text AS t FROM ({values}) x")).await;
        let rows = rows.as_array().expect("rows");
        assert_eq!(rows.len(), least, "{values}");
        for row in rows {
            assert_eq!(row["v"], row["t"], "{values}");
        }
    }
}

async fn nothing_is_ever_written(backend: &Backend, connection: &mut PgConnection) {
    for (query, reason) in [
        ("DELETE FROM cart", "no query"),
        ("COPY cart TO '/tmp/cart'", "no query"),
        ("SELECT * INTO copy FROM cart", "writes"),
        ("SELECT take_one()", "read-only transaction"),
        ("SELECT nextval('numbers')", "read-only transaction"),
        ("WITH gone AS (DELETE FROM cart RETURNING *) SELECT * FROM gone", "read-only transaction"),
        (
            "WITH free AS (SELECT set_config('transaction_read_only', 'off', false)) SELECT take_one() FROM free",
            "",
        ),
        ("SELECT * FROM cart FOR UPDATE", "read-only transaction"),
        ("SELECT 1; DELETE FROM cart", "multiple commands"),
        ("SELECT 1; COMMIT; DELETE FROM cart", "multiple commands"),
    ] {
        assert_refused(&backend.query(query).await, reason, query);
    }
    let left: i64 =
        sqlx::query_scalar("SELECT count(*) FROM cart").fetch_one(connection).await.expect("a count");
    assert_eq!(left, 2);
}

async fn whose_fault(server: &Server, backend: &Backend) {
    for (query, reason) in [
        ("SELECT nope FROM cart", "\"nope\" does not exist"),
        ("SELECT 1 FROM nowhere", "\"nowhere\" does not exist"),
        ("SELECT FROM WHERE", "syntax error"),
        ("SELECT 1 / 0", "division by zero"),
        ("SELECT 'x'::int", "invalid input syntax"),
        ("SELECT $1::int", "requires 1"),
        ("SELECT repeat('x', 2000000) AS large", "more than 1 MiB"),
        ("SELECT * FROM generate_series(1, 10001)", "more than 10000 rows"),
        ("SELECT repeat('x', 1000) AS v FROM generate_series(1, 9000)", "more than 4 MiB"),
    ] {
        assert_refused(&backend.query(query).await, reason, query);
    }
    let nowhere = Backend::at(&server.url("postgres", "umpire@127.0.0.1", "nowhere"));
    assert_unreachable(&nowhere.query("SELECT 1").await, "does not exist", "an unknown database");
    let stranger = Backend::at(&server.url("postgres", "stranger:hush-hush@127.0.0.1", "postgres"));
    let said = stranger.query("SELECT 1").await;
    assert_unreachable(&said, "does not exist", "an unknown role");
    assert!(!format!("{said:?}").contains("hush-hush"), "{said:?}");
    let visitor = Backend::at(&server.url("postgres", "visitor@127.0.0.1", "postgres"));
    assert_eq!(visitor.rows("SELECT count(*) AS n FROM cart").await, json!([{"n": 2}]));
    assert_unreachable(
        &visitor.query("SELECT * FROM secrets").await,
        "permission denied",
        "no right to look",
    );
}

async fn slow_queries_end(url: &str, connection: &mut PgConnection) {
    let hasty = Backend::configured(&json!({"url": url, "seconds": 1}));
    let said = hasty.query("SELECT pg_sleep(600)").await;
    assert!(matches!(&said, umpire_model::Said::Unreachable(_)), "{said:?}");
    // The server gives the query up too; how soon is its business.
    let running =
        "SELECT count(*) FROM pg_stat_activity WHERE state = 'active' AND query = 'SELECT pg_sleep(600)'";
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
    let order = |rows: u64| json!({"sql": {"statement": "UPDATE cart SET qty = $1 WHERE id = $2", "parameters": [41, 1], "rows": rows}});
    let quantity = "(SELECT qty FROM cart WHERE id = 1)";
    let before = writable.value(quantity).await;
    let undone = writable.carry_out(&[order(2)]).await;
    assert!(undone.is_err_and(|error| error.ends_with("it touched 1 rows, and should have touched 2")));
    assert_eq!(writable.value(quantity).await, before);
    writable.carry_out(&[order(1)]).await.expect("carried out");
    assert_eq!(writable.value(quantity).await, json!(41));
}
