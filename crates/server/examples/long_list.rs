//! A run of very many attempts, opened: `cargo run --release -p umpire-server --example long_list [AGENTS] [INSTANCES]`.
//!
//! Prints one JSON line with milliseconds: the first look, which reads all files; the first after a restart, from the
//! index; the slowest of pages, filters and parts of the list after that.

#[path = "../tests/large/mod.rs"]
mod large;
#[path = "../tests/server/support/mod.rs"]
mod support;

use std::time::{Duration, Instant};

use serde_json::json;
use support::Visitor;
use umpire_server::Server;

const RUN: &str = "large-1";

async fn timed(server: &Server, path: &str) -> f64 {
    let mut visitor = Visitor::new(server.address());
    let began = Instant::now();
    let answer = visitor.get(path).await;
    assert_eq!(answer.status, 200, "{path}");
    began.elapsed().as_secs_f64() * 1000.0
}

#[tokio::main]
async fn main() {
    let mut arguments = std::env::args().skip(1).map(|number| number.parse::<usize>().expect("a number"));
    let (agents, instances) = (arguments.next().unwrap_or(10), arguments.next().unwrap_or(1000));
    // In memory where there is some: making and removing 50,000 folders on a disk takes longer than all that is timed.
    let memory = std::path::Path::new("/dev/shm");
    let folder =
        if memory.is_dir() { tempfile::tempdir_in(memory) } else { tempfile::tempdir() }.expect("temp");
    large::write(&folder.path().join("runs"), RUN, agents, instances);
    let path = format!("/runs/{RUN}");
    let server = Server::bind(support::options(folder.path())).await.expect("bound");
    let first = timed(&server, &path).await;
    server.stop().await;
    let server = Server::bind(support::options(folder.path())).await.expect("bound");
    let restarted = timed(&server, &path).await;
    let mut slowest = 0.0_f64;
    for asked in [
        "",
        "?page=57",
        "?filter=site%3Dshop+and+outcome%3Dfail&order=steps",
        "?filter=tag%3Dmissed-state",
        "/rows?from=5000&count=100",
    ] {
        // Past the moment for which a look at the files is good for everybody.
        tokio::time::sleep(Duration::from_secs(1)).await;
        slowest = slowest.max(timed(&server, &format!("{path}{asked}")).await);
    }
    server.stop().await;
    println!(
        "{}",
        json!({ "attempts": agents * instances, "first_ms": first, "restarted_ms": restarted, "slowest_ms": slowest })
    );
}
