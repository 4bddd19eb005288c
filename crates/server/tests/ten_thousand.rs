//! A run of ten thousand attempts is read once, kept, and shown page by page; the times it takes are told.

mod large;
#[path = "server/support/mod.rs"]
mod support;

use std::time::{Duration, Instant};

use support::Visitor;
use umpire_server::Server;

const RUN: &str = "large-1";

/// Reading all files for the first time may take longer than a page may, in a build that is not optimized.
const LONGEST: Duration = Duration::from_mins(10);

/// How long a page takes, and the page. One that took too long is asked for again: the reading goes on meanwhile.
async fn timed(visitor: &mut Visitor, path: &str) -> (Duration, String) {
    let began = Instant::now();
    loop {
        let answer = visitor.get(path).await;
        if answer.status == 503 && began.elapsed() < LONGEST {
            continue;
        }
        assert_eq!(answer.status, 200, "{path}");
        return (began.elapsed(), answer.body);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_run_of_ten_thousand_attempts_is_kept_and_paged() {
    // In memory where there is some: making and removing 50,000 folders on a disk takes longer than all that is timed.
    let memory = std::path::Path::new("/dev/shm");
    let folder =
        if memory.is_dir() { tempfile::tempdir_in(memory) } else { tempfile::tempdir() }.expect("temp");
    let began = Instant::now();
    large::write(&folder.path().join("runs"), RUN, 10, 1000);
    eprintln!("written in {:?}", began.elapsed());

    let server = Server::bind(support::options(folder.path())).await.expect("bound");
    let visitor = |server: &Server| Visitor::new(server.address());
    let path = format!("/runs/{RUN}");
    let (first, page) = timed(&mut visitor(&server), &path).await;
    eprintln!("first look, read from the files: {first:?}");
    assert!(page.contains("10000 of 10000") && page.contains("Page 1 of 100"));
    let began = Instant::now();
    server.stop().await;
    eprintln!("stopped in {:?}", began.elapsed());

    // After a restart there is nothing in memory; the index is in the database.
    let server = Server::bind(support::options(folder.path())).await.expect("bound");
    let (restarted, page) = timed(&mut visitor(&server), &path).await;
    eprintln!("after a restart: {restarted:?}, a page of {} kB", page.len() / 1000);
    assert!(page.contains("10000 of 10000"));
    for asked in
        ["", "?page=57", "?filter=site%3Dshop+and+outcome%3Dfail&order=steps", "?filter=tag%3Dmissed-state"]
    {
        tokio::time::sleep(Duration::from_secs(1)).await;
        let (again, page) = timed(&mut visitor(&server), &format!("{path}{asked}")).await;
        eprintln!("{path}{asked}: {again:?}");
        assert_eq!(page.matches("data-row").count(), 100);
    }
    let attempt = format!("{path}/attempts/agent-3/shop-task-500/1");
    let (one, _) = timed(&mut visitor(&server), &attempt).await;
    eprintln!("{attempt}: {one:?}");
    server.stop().await;
}
