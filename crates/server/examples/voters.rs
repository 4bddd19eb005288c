//! Many votes, and what pages take meanwhile: `cargo run --release -p umpire-server --example voters [STORED] [SECONDS]`.
//!
//! Stores some votes, then sends a hundred a second and asks for pages beside them; at the end the server is killed with
//! signal 9 and started again. Prints one JSON line: times of pages in milliseconds, how long until the leaderboard
//! counted a vote, and votes acknowledged against votes kept.

#[path = "../tests/large/mod.rs"]
mod large;
#[path = "../tests/server/support/mod.rs"]
mod support;

use std::io::{BufRead as _, BufReader};
use std::net::SocketAddr;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use support::{OPERATOR, PASSWORD, Visitor};
use tokio::sync::Mutex;
use umpire_server::Server;

const RUN: &str = "large-1";
const VOTERS: usize = 400;
const A_SECOND: u64 = 100;

struct Voter {
    visitor: Visitor,
    address: String,
}

impl Voter {
    /// One vote: the next battle, then the ballot.
    async fn vote(&mut self, study: &str, choice: &str) -> bool {
        let token = self.visitor.token.clone();
        let from = [("X-Forwarded-For", self.address.as_str())];
        let next = self.visitor.post_as_given(&format!("{study}/next"), &[("token", &token)], &from).await;
        let Some(battle) = next.header("location").map(str::to_owned) else { return false };
        let fields = [("token", token.as_str()), ("choice", choice)];
        self.visitor.post_as_given(&battle, &fields, &from).await.status == 303
    }
}

/// The server in a process of its own, so that it can be killed.
struct Served {
    process: Child,
    address: SocketAddr,
}

impl Served {
    fn start(folder: &Path) -> Self {
        let mut process = Command::new(std::env::current_exe().expect("itself"))
            .arg("serve")
            .arg(folder)
            .stdout(Stdio::piped())
            .spawn()
            .expect("started");
        let mut line = String::new();
        BufReader::new(process.stdout.take().expect("piped")).read_line(&mut line).expect("a line");
        Self { process, address: line.trim().parse().expect("an address") }
    }

    fn visitor(&self) -> Visitor {
        Visitor::new(self.address)
    }

    fn kill(&mut self) {
        self.process.kill().expect("killed");
        self.process.wait().expect("gone");
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

async fn serve(folder: &Path) {
    let mut options = support::options(folder);
    options.is_behind_proxy = true;
    let server = Server::bind(options).await.expect("bound");
    println!("{}", server.address());
    std::future::pending::<()>().await;
}

#[tokio::main]
async fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if let [role, folder] = arguments.as_slice()
        && role == "serve"
    {
        return serve(folder.as_ref()).await;
    }
    let number =
        |at: usize, usual: u64| arguments.get(at).map_or(usual, |text| text.parse().expect("a number"));
    let (stored, seconds) = (number(0, 10_000), number(1, 60));
    let folder = tempfile::tempdir().expect("temp");
    large::write(&folder.path().join("runs"), RUN, 4, 250);
    let mut served = Served::start(folder.path());
    let study = studies(&served).await;
    let voters = Arc::new(voters(&served).await);
    let acknowledged = Arc::new(AtomicU64::new(0));

    let began = Instant::now();
    let writers = (0..8).map(|of| {
        let (voters, acknowledged, study) = (Arc::clone(&voters), Arc::clone(&acknowledged), study.clone());
        tokio::spawn(async move {
            for turn in (of..stored).step_by(8) {
                cast(&voters, &study, turn, &acknowledged).await;
            }
        })
    });
    for writer in writers.collect::<Vec<_>>() {
        writer.await.expect("ended");
    }
    let stored_in = began.elapsed();
    let before = acknowledged.load(Ordering::SeqCst);

    let how_long = Duration::from_secs(seconds);
    let pages = tokio::spawn(look(served.visitor(), how_long));
    let fresh = tokio::spawn(freshness(served.visitor(), Arc::clone(&acknowledged), how_long));
    let mut ticks = tokio::time::interval(Duration::from_millis(1000 / A_SECOND));
    let mut under_way = Vec::new();
    for turn in 0..A_SECOND * seconds {
        ticks.tick().await;
        let (voters, acknowledged, study) = (Arc::clone(&voters), Arc::clone(&acknowledged), study.clone());
        under_way.push(tokio::spawn(async move { cast(&voters, &study, turn, &acknowledged).await }));
    }
    for vote in under_way {
        vote.await.expect("ended");
    }
    let (pages, fresh) = (pages.await.expect("ended"), fresh.await.expect("ended"));
    let sent = acknowledged.load(Ordering::SeqCst);
    served.kill();
    let served = Served::start(folder.path());
    let kept = counted(&mut served.visitor()).await;
    let told = json!({
        "stored": before,
        "stored_per_second": before as f64 / stored_in.as_secs_f64(),
        "arrived": sent - before,
        "page_ms": pages,
        "fresh_ms_worst": fresh,
        "acknowledged": sent,
        "kept": kept,
    });
    println!("{told}");
}

async fn studies(served: &Served) -> String {
    let mut operator = served.visitor();
    operator.get("/sign-in").await;
    operator.post("/sign-in", &[("name", OPERATOR), ("password", PASSWORD)]).await;
    operator.get("/arena").await;
    let fields = [("run", RUN), ("title", "Many"), ("most", "1500"), ("voters", "25")];
    let made = operator.post("/arena/studies", &fields).await;
    made.header("location").unwrap_or_else(|| panic!("{}", made.body)).to_owned()
}

async fn voters(served: &Served) -> Vec<Mutex<Voter>> {
    let mut all = Vec::new();
    for number in 0..VOTERS {
        let mut visitor = served.visitor();
        visitor.get("/arena").await;
        all.push(Mutex::new(Voter { visitor, address: format!("198.51.{}.{}", number / 250, number % 250) }));
    }
    all
}

async fn cast(voters: &[Mutex<Voter>], study: &str, turn: u64, acknowledged: &AtomicU64) {
    let choice = ["left", "right", "left", "tie", "both-bad"][(turn % 5) as usize];
    let mut voter = voters[turn as usize % voters.len()].lock().await;
    if voter.vote(study, choice).await {
        acknowledged.fetch_add(1, Ordering::SeqCst);
    }
}

/// Pages as a reader asks for them; the answer is their median, 99th percentile and slowest.
async fn look(mut visitor: Visitor, how_long: Duration) -> Value {
    let began = Instant::now();
    let mut times = Vec::new();
    while began.elapsed() < how_long {
        for path in [
            "/leaderboard",
            "/leaderboard?marked=out",
            "/arena",
            "/api/v1/leaderboard",
            "/leaderboard/drawings/ratings.svg",
            "/",
        ] {
            let asked = Instant::now();
            assert_eq!(visitor.get(path).await.status, 200, "{path}");
            times.push(asked.elapsed().as_secs_f64() * 1000.0);
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }
    times.sort_by(f64::total_cmp);
    let at = |share: f64| times[((times.len() - 1) as f64 * share) as usize];
    json!({ "pages": times.len(), "p50": at(0.5), "p99": at(0.99), "worst": at(1.0) })
}

/// The longest that a vote took from its acknowledgement to the leaderboard, in milliseconds.
async fn freshness(mut visitor: Visitor, acknowledged: Arc<AtomicU64>, how_long: Duration) -> f64 {
    let (began, mut worst) = (Instant::now(), 0.0_f64);
    while began.elapsed() < how_long {
        let (wanted, from) = (acknowledged.load(Ordering::SeqCst), Instant::now());
        while counted(&mut visitor).await < wanted {
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        worst = worst.max(from.elapsed().as_secs_f64() * 1000.0);
        tokio::time::sleep(Duration::from_millis(333)).await;
    }
    worst
}

async fn counted(visitor: &mut Visitor) -> u64 {
    let told: Value = serde_json::from_str(&visitor.get("/api/v1/leaderboard").await.body).expect("JSON");
    told["ballots"].as_u64().expect("a count")
}
