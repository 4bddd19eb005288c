//! What one observation of a page costs: `cargo run --release --example observe_cost -- URL [TIMES [PICTURE]]`.
//!
//! Prints, for each of several observations, wall time, CPU time of this process, and its peak memory. `PICTURE` gets
//! the last screenshot with its marks.

use std::sync::Arc;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use umpire_browser::chromium::{Chromium, LaunchOptions};
use umpire_browser::{Activity, TabHandle, marks, observe, settle};
use umpire_model::{Deadline, Viewport};

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let url = arguments.next().ok_or("which URL?")?;
    let times: u32 = arguments.next().map_or(Ok(8), |times| times.parse())?;
    let picture = arguments.next();
    let deadline = Deadline::after(Duration::from_mins(2));
    let viewport = Viewport { width: 1280, height: 1024 };
    let chromium =
        Chromium::launch(&LaunchOptions { viewport, ..LaunchOptions::default() }, deadline).await?;
    let root = chromium.connection().root();
    let created: Value = root.call("Target.createTarget", json!({ "url": "about:blank" }), deadline).await?;
    let id = created["targetId"].as_str().ok_or("no target")?.to_owned();
    let params = json!({ "targetId": id, "flatten": true });
    let attached: Value = root.call("Target.attachToTarget", params, deadline).await?;
    let session = chromium.connection().session(attached["sessionId"].as_str().ok_or("no session")?.into());
    let tab = TabHandle { id, session, frames: Vec::new(), activity: Arc::new(Activity::default()) };
    let size = json!({ "width": 1280, "height": 1024, "deviceScaleFactor": 1, "mobile": false });
    tab.session.run("Emulation.setDeviceMetricsOverride", size, deadline).await?;
    tab.session.run("Page.navigate", json!({ "url": url }), deadline).await?;
    settle::settle(&tab, deadline.within(Duration::from_secs(10))).await;
    for _ in 0..times {
        let (start, cpu) = (Instant::now(), cpu_ms()?);
        let seen = observe::capture(&tab, viewport, deadline).await?;
        println!(
            "wall {:.0} ms, cpu {} ms, {} elements, outline {} bytes, peak memory {} kB",
            start.elapsed().as_secs_f64() * 1000.0,
            cpu_ms()? - cpu,
            seen.elements.len(),
            seen.outline.len(),
            status("VmHWM:")?,
        );
        if let Some(picture) = &picture {
            std::fs::write(picture, marks::draw(&seen))?;
        }
    }
    chromium.close().await;
    Ok(())
}

/// User and system time of this process, in steps of the kernel's clock.
fn cpu_ms() -> Result<u64, Box<dyn std::error::Error>> {
    let nanoseconds = std::fs::read_to_string("/proc/self/schedstat")?;
    let on_cpu: u64 = nanoseconds.split_whitespace().next().ok_or("no time")?.parse()?;
    Ok(on_cpu / 1_000_000)
}

fn status(field: &str) -> Result<u64, Box<dyn std::error::Error>> {
    let status = std::fs::read_to_string("/proc/self/status")?;
    let line = status.lines().find_map(|line| line.strip_prefix(field)).ok_or("no such field")?;
    Ok(line.trim().trim_end_matches(" kB").trim().parse()?)
}
