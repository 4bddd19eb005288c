//! The one-file report of a very large run: how long it takes to write, and to open.

use std::process::{Command, Stdio};
use std::time::Instant;

use crate::bench::{chromium, json_of, number, ours};
use crate::setup::{Done, build_release, run, target_dir};

const ATTEMPTS: &str = "100000";
/// Seconds.
const WRITTEN_WITHIN: f64 = 10.0;
const OPENED_WITHIN: f64 = 2.0;
/// Windows of a browser that starts anew; the quickest counts, for the rest of the machine is not the page's.
const TURNS: usize = 3;

pub fn report() -> Done {
    build_release()?;
    let folder = target_dir().join("bench-report");
    std::fs::create_dir_all(&folder).map_err(|error| error.to_string())?;
    let found = json_of(ours().args(["report", ATTEMPTS]).arg(&folder))?;
    let page = format!("file://{}", folder.join("report.html").display());
    let blank = folder.join("blank.html");
    std::fs::write(&blank, "<!doctype html><title>blank</title><p>blank")
        .map_err(|error| error.to_string())?;
    let blank = format!("file://{}", blank.display());
    let (mut shown_ms, mut opened, mut empty) = (f64::INFINITY, f64::INFINITY, f64::INFINITY);
    for _ in 0..TURNS {
        shown_ms = shown_ms.min(first_window_ms(&page)?);
        opened = opened.min(seconds_to_picture(&page)?);
        empty = empty.min(seconds_to_picture(&blank)?);
    }
    let (rendered, from_disk) =
        (number(&found, "/render_ms")? / 1000.0, number(&found, "/disk_ms")? / 1000.0);
    // By the clock from start to picture, less a browser that shows next to nothing.
    let painted = opened - empty;
    println!("\nreport: {ATTEMPTS} attempts, a page of {:.1} MB", number(&found, "/page_bytes")? / 1e6);
    for (name, value, wanted) in [
        ("counted and rendered, in memory", rendered, Some(WRITTEN_WITHIN)),
        ("read from a run's folder, counted and rendered", from_disk, Some(WRITTEN_WITHIN)),
        ("opened: the first window of the list, by the page's clock", shown_ms / 1000.0, Some(OPENED_WITHIN)),
        ("opened: painted, beside a blank page", painted, Some(OPENED_WITHIN)),
        ("as CSV", number(&found, "/csv_ms")? / 1000.0, None),
        ("as Parquet", number(&found, "/parquet_ms")? / 1000.0, None),
    ] {
        let wanted = wanted.map_or_else(String::new, |limit| format!("≤ {limit:.0}"));
        println!("{name:58} {value:>8.2} s    {wanted}");
    }
    let missed = rendered > WRITTEN_WITHIN
        || from_disk > WRITTEN_WITHIN
        || shown_ms / 1000.0 > OPENED_WITHIN
        || painted > OPENED_WITHIN;
    if missed { Err("missed: report".to_owned()) } else { Ok(()) }
}

/// Milliseconds from the navigation to the first rows, which the page notes itself.
fn first_window_ms(page: &str) -> Result<f64, String> {
    let output = browser()?.args(["--dump-dom", page]).output().map_err(|error| error.to_string())?;
    let text = String::from_utf8_lossy(&output.stdout);
    let ready = text.split("data-ready=\"").nth(1).and_then(|rest| rest.split('"').next());
    let rows = text.matches("aria-rowindex=").count();
    match ready.and_then(|ready| ready.parse().ok()) {
        Some(ready) if rows > 10 => Ok(ready),
        _ => Err(format!("the list was not shown: {rows} rows")),
    }
}

fn seconds_to_picture(page: &str) -> Result<f64, String> {
    let picture = target_dir().join("bench-report/picture.png");
    let _ = std::fs::remove_file(&picture);
    let started = Instant::now();
    let mut command = browser()?;
    command.arg(format!("--screenshot={}", picture.display())).args(["--window-size=1280,1024", page]);
    run(command.stdout(Stdio::null()))?;
    let took = started.elapsed().as_secs_f64();
    if picture.exists() { Ok(took) } else { Err("the page was not painted".to_owned()) }
}

fn browser() -> Result<Command, String> {
    let mut command = Command::new(chromium()?);
    command
        .args([
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-background-networking",
            "--no-first-run",
        ])
        .stderr(Stdio::null());
    Ok(command)
}
