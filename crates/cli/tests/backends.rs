//! Attempts that are verified in the deployment's own database or REST interface.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};
use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{ConnectOptions as _, Connection as _};

use crate::support;
use crate::support::{folder, umpire};

const TOKEN: &str = "t0ken-of-the-shop";

fn database(file: &Path) {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    runtime.block_on(async {
        let options = SqliteConnectOptions::new().filename(file).create_if_missing(true);
        let mut connection = options.connect().await.expect("a new file");
        let statements = format!(
            "CREATE TABLE cart (sku TEXT, qty INTEGER, note TEXT);
             INSERT INTO cart VALUES ('A', 2, 'written with {TOKEN}');"
        );
        sqlx::raw_sql(sqlx::AssertSqlSafe(statements)).execute(&mut connection).await.expect("a table");
        connection.close().await.expect("closed");
    });
}

fn task(id: &str, check: &Value) -> String {
    let answer = json!({"action": "mutate", "status": "SUCCESS", "results": null, "error_details": null});
    let answer = format!("answer {}", Value::from(answer.to_string()));
    json!({
        "id": id, "template": id, "kind": "mutate", "intent": "Do it.", "sites": ["hub"],
        "start_urls": ["http://hub.localhost/"], "category": "c", "difficulty": "easy",
        "reference": [answer], "checks": [check],
    })
    .to_string()
}

fn write_suite(dir: &Path, tasks: &[String]) {
    let toml = "version = 1\nname = \"mine\"\ndescription = \"d\"\nworld = \"built-in\"\nseed = 7\ntasks = [\"tasks.jsonl\"]\n";
    fs::create_dir_all(dir.join("suite")).expect("folder");
    fs::write(dir.join("suite/suite.toml"), toml).expect("suite.toml");
    fs::write(dir.join("suite/tasks.jsonl"), tasks.join("\n")).expect("tasks");
}

fn sql(query: &str, expect: &Value) -> Value {
    json!({"type": "backend", "backend": "db", "ask": {"sql": {"query": query}}, "expect": expect})
}

#[test]
fn a_deployment_is_verified_in_its_database() {
    let dir = folder();
    database(&dir.path().join("shop.db"));
    let dead = json!({"type": "backend", "backend": "api", "ask": {"get": "/orders"}, "expect": "absent"});
    write_suite(
        dir.path(),
        &[
            task("holds", &sql("SELECT sku, qty FROM cart", &json!({"equals": [{"sku": "A", "qty": 2}]}))),
            task("unchanged", &sql("SELECT * FROM cart", &json!({"unchanged_except": []}))),
            task("missing", &sql("SELECT * FROM cart WHERE sku = 'B'", &json!({"count": 1}))),
            task("broken", &sql("SELECT * FROM basket", &json!({"count": 1}))),
            task("writing", &sql("DELETE FROM cart", &json!({"count": 0}))),
            task("dead", &dead),
        ],
    );
    // Port 1 needs rights that nobody here has taken.
    let config = "[backends.db]\nurl = \"sqlite:shop.db\"\n[backends.api]\nurl = \"http://127.0.0.1:1/rest\"\n\
                  headers = { Authorization = \"Bearer env:SHOP_TOKEN\" }\n";
    fs::write(dir.path().join("umpire.toml"), config).expect("umpire.toml");
    let run = |arguments: &[&str]| {
        let mut command = umpire(dir.path());
        let output = command.args(arguments).env("SHOP_TOKEN", TOKEN).output().expect("umpire starts");
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        (output.status.code(), text(&output.stdout), text(&output.stderr))
    };
    let (_, stdout, stderr) = run(&[
        "run",
        "--suite",
        "suite",
        "--agent",
        "oracle",
        "--retries",
        "0",
        "--max-infra",
        "1",
        "--json",
    ]);
    let finished: Vec<Value> = stdout
        .lines()
        .filter_map(|line| serde_json::from_str::<Value>(line).ok())
        .filter(|event| event["event"] == "finished")
        .collect();
    let found = |task: &str| {
        let attempt = format!("oracle/{task}/1");
        let event = finished.iter().find(|event| event["attempt"] == attempt.as_str());
        event.map(|event| (event["outcome"].clone(), event["reason"].to_string())).expect(&stderr)
    };
    for (task, outcome, reason) in [
        ("holds", "pass", "held"),
        ("unchanged", "pass", "held"),
        ("missing", "fail", "0 entries, expected 1"),
        ("broken", "invalid", "no such table: basket"),
        ("writing", "invalid", "no query"),
        ("dead", "infra", "no connection to 127.0.0.1:1"),
    ] {
        let (was, why) = found(task);
        assert_eq!(was, outcome, "{task}: {why}");
        assert!(why.contains(reason), "{task}: {why}");
    }

    let shown = run(&["show", "oracle/unchanged/1"]).1;
    assert_eq!(shown.matches("db SELECT * FROM cart").count(), 2, "asked before and after: {shown}");
    assert!(shown.contains("written with «redacted»"), "{shown}");
    let again = run(&["evaluate"]).1;
    assert!(again.contains("no outcome changed"), "{again}");
    no_file_holds_the_token(&dir.path().join("runs"));
}

fn no_file_holds_the_token(folder: &Path) {
    for entry in fs::read_dir(folder).expect("folder").flatten() {
        if entry.path().is_dir() {
            no_file_holds_the_token(&entry.path());
        } else {
            let content = fs::read(entry.path()).expect("readable");
            let found = content.windows(TOKEN.len()).any(|window| window == TOKEN.as_bytes());
            assert!(!found, "{}", entry.path().display());
        }
    }
}

#[test]
fn a_backend_that_is_not_configured_is_said_before_anything_runs() {
    for (config, expected) in [
        ("", "which the configuration does not have"),
        ("[backends.db]\nurl = \"env:SHOP_DATABASE\"\n", "the variable SHOP_DATABASE is not set"),
        ("[backends.db]\nurl = \"oracle://x\"\n", "its scheme is unknown"),
        ("[backends.db]\nuri = \"sqlite:x\"\n", "umpire.toml:2: unknown field `uri`"),
    ] {
        let dir = folder();
        write_suite(dir.path(), &[task("a", &sql("SELECT 1", &json!({"count": 1})))]);
        fs::write(dir.path().join("umpire.toml"), config).expect("umpire.toml");
        let ran = support::run(dir.path(), &["run", "--suite", "suite", "--agent", "oracle"]);
        assert_eq!(ran.code, Some(1), "{config}: {}", ran.stderr);
        let flat = ran.stderr.replace("\n  │ ", " ").replace('\n', " ");
        assert!(flat.contains(expected), "{config}: {}", ran.stderr);
    }
}
