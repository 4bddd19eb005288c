//! Many viewers of one live run, and what they cost: `cargo run --release -p umpire-server --example viewers [VIEWERS]`.
//!
//! The viewers are in a process of their own, so that the memory told is the server's. Prints one JSON line.

#[path = "../tests/large/mod.rs"]
mod large;
#[path = "../tests/server/support/mod.rs"]
mod support;

use std::net::{Ipv4Addr, SocketAddr};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use tokio::io::{AsyncBufReadExt as _, AsyncReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::net::TcpStream;
use umpire_server::{Server, ServerOptions};

const RUN: &str = "large-1";

#[tokio::main]
async fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.as_slice() {
        [role, address, viewers] if role == "watch" => {
            watch(address.parse().expect("an address"), viewers.parse().expect("a number")).await;
        }
        _ => serve(arguments.first().and_then(|viewers| viewers.parse().ok()).unwrap_or(1000)).await,
    }
}

async fn serve(viewers: usize) {
    let folder = tempfile::tempdir().expect("temp");
    let run = large::write(&folder.path().join("runs"), RUN, 2, 500);
    let lock = run.lock().expect("free");
    let options = ServerOptions {
        runs: folder.path().join("runs"),
        listen: SocketAddr::from((Ipv4Addr::LOCALHOST, 0)),
        database: format!("sqlite:{}", folder.path().join("server.db").display()),
        hosts: Vec::new(),
        is_private: false,
        is_behind_proxy: false,
        allows_plain_http: false,
        account: None,
        secret: None,
        arena: None,
        films: None,
    };
    let server = Server::bind(options).await.expect("bound");
    tokio::time::sleep(Duration::from_secs(1)).await;
    let before = resident_kb();
    let mut crowd = tokio::process::Command::from(Command::new(std::env::current_exe().expect("itself")))
        .args(["watch", &server.address().to_string(), &viewers.to_string()])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .kill_on_drop(true)
        .spawn()
        .expect("started");
    let mut told = BufReader::new(crowd.stdout.take().expect("piped")).lines();
    let watching = told.next_line().await.expect("told").expect("a line");
    // Something happens: an attempt loses its verdict's line and gets it again, so every viewer is sent a new part.
    let attempt = run.attempt(&"agent-0/shop-task-0/1".parse().expect("an attempt"));
    let began = Instant::now();
    std::fs::write(attempt.journal_path().with_file_name("verdicts.jsonl"), "").expect("written");
    let seen = told.next_line().await.expect("told").expect("a line");
    let all_told_ms = began.elapsed().as_millis();
    let after = resident_kb();
    println!(
        "{{\"viewers\":{viewers},\"watching\":{watching},\"told\":{seen},\"all_told_ms\":{all_told_ms},\"resident_before_kb\":{before},\"resident_kb\":{after}}}"
    );
    drop(crowd.stdin.take());
    let _ = crowd.wait().await;
    drop(lock);
    server.stop().await;
}

/// Opens that many streams, says how many began, then how many were told of the change.
async fn watch(address: SocketAddr, viewers: usize) {
    let mut streams = Vec::new();
    for _ in 0..viewers {
        let mut stream = TcpStream::connect(address).await.expect("connected");
        let request = format!("GET /runs/{RUN}/events HTTP/1.1\r\nHost: localhost\r\n\r\n");
        stream.write_all(request.as_bytes()).await.expect("sent");
        streams.push(stream);
    }
    let mut begun = 0;
    for stream in &mut streams {
        begun += usize::from(reads(stream, "<b>1000</b> of 1000").await);
    }
    println!("{begun}");
    let mut told = 0;
    for stream in &mut streams {
        told += usize::from(reads(stream, "<b>999</b> of 1000").await);
    }
    println!("{told}");
    // Until the other side has looked at its memory.
    let _ = tokio::task::spawn_blocking(|| std::io::Read::read(&mut std::io::stdin(), &mut [0])).await;
}

async fn reads(stream: &mut TcpStream, wanted: &str) -> bool {
    let mut seen = String::new();
    let mut buffer = vec![0; 8192];
    let reading = async {
        while !seen.contains(wanted) {
            match stream.read(&mut buffer).await {
                Ok(0) | Err(_) => return false,
                Ok(count) => seen.push_str(&String::from_utf8_lossy(&buffer[..count])),
            }
        }
        true
    };
    tokio::time::timeout(Duration::from_secs(30), reading).await.unwrap_or(false)
}

fn resident_kb() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find(|line| line.starts_with("VmRSS:"));
    line.and_then(|line| line.split_whitespace().nth(1)).and_then(|kb| kb.parse().ok()).unwrap_or(0)
}
