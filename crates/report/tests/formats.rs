//! The formats of a report, over a made-up run with every outcome and hostile reasons.

use std::io::Write as _;
use std::process::{Command, Stdio};

use umpire_model::Outcome::{self, Blocked, Budget, Fail, Infra, Invalid, Timeout};
use umpire_report::{Summary, csv, github_annotations, junit, markdown, page, parquet, rows, summary};
use umpire_stats::AttemptRow;

use crate::synthetic;

fn counted() -> (Summary, Vec<AttemptRow>) {
    let root = tempfile::tempdir().expect("temp");
    let run = synthetic::write(root.path());
    let mut summary = summary(&run).expect("readable");
    let rows = rows(&run, &summary).expect("readable");
    // What a page or an agent may have put into a verdict's sentence.
    summary.attempts[13].reason = format!("{}\n::error::no\r|`]]>\u{0}\u{ffff}</script>", synthetic::HOSTILE);
    "=HYPERLINK(\"http://evil.example\")".clone_into(&mut summary.attempts[14].reason);
    (summary, rows)
}

#[test]
fn a_row_tells_what_its_instance_and_attempt_are() {
    let (summary, rows) = counted();
    assert_eq!(rows.len(), 48);
    let found = |agent: &str, instance: &str| {
        rows.iter().find(|row| row.agent == agent && row.instance == instance).expect("planned").clone()
    };
    let nav = found("oracle", "shop-cart-two@nav");
    assert_eq!((nav.task.as_str(), nav.with_hint, nav.site.as_str()), ("shop-cart-two", true, "shop"));
    assert_eq!((nav.kind.as_str(), nav.category.as_str()), ("mutate", "cart"));
    let off = found("oracle", "hub-ads@off");
    assert_eq!((off.state.as_deref(), off.reference_steps, off.impossible), (Some("off"), None, false));
    // No model was asked, so nothing is known of money.
    assert_eq!((off.usd, off.tokens), (None, None));
    assert_ne!(off.digest, found("oracle", "hub-ads@on").digest);
    assert_eq!(off.digest, found("my-bot", "hub-ads@off").digest);
    assert_eq!(found("my-bot", "hub-sessions").outcome, None);
    assert!(rows.iter().zip(&summary.attempts).all(|(row, attempt)| row.instance == attempt.id.instance));
}

#[test]
fn counters_read_the_csv() {
    let (summary, rows) = counted();
    let text = csv(&summary, &rows).expect("written");
    let mut reader = ::csv::Reader::from_reader(text.as_bytes());
    let back: Vec<AttemptRow> = reader.deserialize().collect::<Result<_, _>>().expect("rows");
    assert_eq!(back, rows);
    let mut reader = ::csv::Reader::from_reader(text.as_bytes());
    let reason =
        reader.headers().expect("a header").iter().position(|name| name == "reason").expect("a column");
    let records: Vec<::csv::StringRecord> = reader.records().collect::<Result<_, _>>().expect("records");
    assert_eq!(&records[14][reason], "'=HYPERLINK(\"http://evil.example\")");
    assert_eq!(records[13][reason], summary.attempts[13].reason);
}

/// Runs a script of Python on a file; none where Python or a module is missing.
fn python(script: &str, modules: &str, input: &[u8]) -> Option<serde_json::Value> {
    let python = std::env::var("UMPIRE_TEST_PYTHON").unwrap_or_else(|_| "python3".to_owned());
    let there =
        Command::new(&python).args(["-c", &format!("import {modules}")]).stderr(Stdio::null()).status();
    if !there.is_ok_and(|status| status.success()) {
        eprintln!("skipped: {python} has no {modules}");
        return None;
    }
    let mut child = Command::new(&python)
        .args(["-c", script])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("starts");
    child.stdin.take().expect("piped").write_all(input).expect("read");
    let output = child.wait_with_output().expect("ends");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
    Some(serde_json::from_slice(&output.stdout).expect("JSON"))
}

#[test]
fn pyarrow_reads_the_parquet_file() {
    let (summary, rows) = counted();
    let file = parquet(&summary, &rows).expect("written");
    let script = "import sys, json, io, pyarrow.parquet as pq\n\
        t = pq.read_table(io.BytesIO(sys.stdin.buffer.read()))\n\
        json.dump({'types': {f.name: str(f.type) for f in t.schema}, 'rows': t.to_pylist()}, sys.stdout)";
    let Some(found) = python(script, "pyarrow.parquet", &file) else { return };
    assert_eq!(found["types"]["steps"], "int64");
    assert_eq!(found["types"]["reason"], "string");
    assert_eq!(found["types"]["usd"], "double");
    assert_eq!(found["types"]["passed"], "bool");
    let read = found["rows"].as_array().expect("rows");
    assert_eq!(read.len(), rows.len());
    for ((read, row), attempt) in read.iter().zip(&rows).zip(&summary.attempts) {
        assert_eq!(read["instance"], row.instance.as_str());
        assert_eq!(read["outcome"].as_str(), row.outcome.map(Outcome::as_str));
        assert_eq!(read["passed"], row.passed());
        assert_eq!(read["with_hint"], row.with_hint);
        assert_eq!(read["steps"].as_u64(), row.steps.map(u64::from));
        assert_eq!(read["seconds"].as_f64(), row.seconds);
        assert_eq!(read["state"].as_str(), row.state.as_deref());
        assert_eq!(read["reason"], attempt.reason.as_str());
        assert!(read["usd"].is_null());
    }
}

#[test]
fn the_parquet_file_is_framed_as_the_format_says() {
    let (summary, rows) = counted();
    let file = parquet(&summary, &rows).expect("written");
    assert!(file.starts_with(b"PAR1") && file.ends_with(b"PAR1"));
    let length = u32::from_le_bytes(file[file.len() - 8..file.len() - 4].try_into().expect("four")) as usize;
    assert!(length > 100 && length < file.len() - 12, "{length}");
}

#[test]
fn only_the_agents_own_failures_are_failures_in_junit() {
    let (summary, _) = counted();
    let xml = junit(&summary);
    let script = "import sys, json, xml.etree.ElementTree as E\n\
        r = E.fromstring(sys.stdin.buffer.read())\n\
        kids = [(c.get('classname'), c.get('name'), [(k.tag, k.get('type'), k.get('message')) for k in c]) for c in r.iter('testcase')]\n\
        json.dump({'root': dict(r.attrib), 'cases': kids}, sys.stdout)";
    let Some(found) = python(script, "xml.etree.ElementTree", xml.as_bytes()) else { return };
    let count = |wanted: &[Option<Outcome>]| {
        summary.attempts.iter().filter(|attempt| wanted.contains(&attempt.outcome)).count().to_string()
    };
    let failures = [Fail, Timeout, Budget, Blocked].map(Some);
    assert_eq!(found["root"]["failures"], count(&failures));
    assert_eq!(found["root"]["errors"], count(&[Some(Infra), Some(Invalid)]));
    assert_eq!(found["root"]["skipped"], count(&[None]));
    assert_eq!(found["root"]["tests"], "48");
    let cases = found["cases"].as_array().expect("cases");
    assert_eq!(cases.len(), 48);
    for (case, attempt) in cases.iter().zip(&summary.attempts) {
        let tag = case[2][0][0].as_str();
        let wanted = match attempt.outcome {
            Some(Outcome::Pass) => None,
            Some(Infra | Invalid) => Some("error"),
            Some(_) => Some("failure"),
            None => Some("skipped"),
        };
        assert_eq!(tag, wanted, "{}", attempt.id);
    }
    assert!(cases[13][2][0][2].as_str().expect("a message").contains("<script>alert('x')</script>"));
}

#[test]
fn no_text_begins_an_annotation_of_its_own() {
    let (summary, _) = counted();
    let lines = github_annotations(&summary);
    for line in lines.lines() {
        let begins = ["::error title=", "::warning title=", "::notice title="];
        assert!(begins.iter().any(|begin| line.starts_with(begin)), "{line}");
    }
    let count = |command: &str| lines.lines().filter(|line| line.starts_with(command)).count();
    let failed = summary.attempts.iter().filter(|attempt| {
        matches!(attempt.outcome, Some(Outcome::Fail | Outcome::Timeout | Outcome::Budget | Outcome::Blocked))
    });
    assert!(failed.count() > 10, "the cap is to be seen");
    assert_eq!((count("::error"), count("::notice")), (10, 1));
    assert_eq!(count("::warning"), 2, "one lost, one that cannot be scored");
}

#[test]
fn markdown_shows_hostile_words_as_words() {
    let (summary, _) = counted();
    let text = markdown(&summary);
    assert!(text.contains("| agent | passed % |"));
    let line = text.lines().find(|line| line.contains("alert('x')")).expect("the hostile reason");
    // In one line, inside a code span whose fence is longer than any in it, with bars escaped.
    assert!(line.contains("`` <script>") && line.trim_end().ends_with("`` |"), "{line}");
    assert!(line.contains("\\|") && !line.contains('\u{0}'), "{line}");
    assert!(!text.lines().any(|line| line.starts_with("::error")));
}

#[test]
fn the_page_holds_hostile_words_as_data_and_runs_only_its_own_script() {
    let (summary, rows) = counted();
    let text = page(&summary, &rows).expect("rendered");
    assert_eq!(text.matches("<script").count(), 2, "the data and the list");
    assert_eq!(text.matches("</script>").count(), 2);
    let policy = text.split("Content-Security-Policy\" content=\"").nth(1).expect("a policy");
    assert!(
        policy.starts_with("default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-"),
        "{}",
        &policy[..90]
    );
    for outside in ["src=\"", "@import", "url("] {
        assert!(!text.contains(outside), "{outside}");
    }
    let data = text
        .split("type=\"application/json\">")
        .nth(1)
        .expect("data")
        .split("</script>")
        .next()
        .expect("its end");
    let data: serde_json::Value = serde_json::from_str(data).expect("JSON");
    assert_eq!(data["agent"].as_array().map(Vec::len), Some(48));
    let reason = data["reason"][13].as_u64().expect("an index") as usize;
    assert!(data["reasons"][reason].as_str().expect("text").contains("<script>alert('x')"));
    // Without a script the results are still there.
    assert!(text.contains("<h2>Results</h2>") && text.contains("<noscript>"));
    assert!(page(&summary, &rows[1..]).is_err(), "rows of other attempts");
}
