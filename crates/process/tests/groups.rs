//! Real processes: groups die whole, with their handle and with their runner.

use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use tokio::io::AsyncBufReadExt as _;
use umpire_process::{Group, guard};

/// Tests whose names begin with this are re-run as child processes by other tests.
const ROLE: &str = "UMPIRE_TEST_ROLE";

fn shell(script: &str) -> Command {
    let mut command = Command::new("sh");
    command.args(["-c", script]).stdin(Stdio::null()).stdout(Stdio::piped());
    command
}

fn is_alive(pid: i32) -> bool {
    // A zombie waits for its parent but runs nothing.
    std::fs::read_to_string(format!("/proc/{pid}/stat"))
        .is_ok_and(|stat| !stat.rsplit(')').next().unwrap_or_default().trim_start().starts_with('Z'))
}

fn dies(pid: i32) -> bool {
    let give_up = Instant::now() + Duration::from_secs(10);
    while is_alive(pid) && Instant::now() < give_up {
        std::thread::sleep(Duration::from_millis(5));
    }
    !is_alive(pid)
}

async fn first_number(group: &mut Group) -> i32 {
    let stdout = group.take_stdout().expect("piped");
    let mut lines = tokio::io::BufReader::new(stdout).lines();
    let line = tokio::time::timeout(Duration::from_secs(10), lines.next_line()).await.expect("in time");
    line.expect("readable").expect("a line").trim().parse().expect("a pid")
}

#[tokio::test]
async fn dropping_a_group_kills_grandchildren() {
    let mut group = Group::spawn(shell("sleep 300 & echo $!; wait")).expect("started");
    let (leader, grandchild) = (group.id(), first_number(&mut group).await);
    assert!(is_alive(leader) && is_alive(grandchild));
    drop(group);
    assert!(dies(grandchild) && dies(leader));
}

#[tokio::test]
async fn a_group_that_ignores_the_request_is_killed_after_the_grace() {
    let mut group =
        Group::spawn(shell("trap '' TERM; sleep 300 & echo $!; while :; do wait; done")).expect("started");
    let grandchild = first_number(&mut group).await;
    let status = group.kill_group(Duration::from_millis(100)).await.expect("waited");
    assert!(!status.success());
    assert!(dies(grandchild));
}

#[tokio::test]
async fn a_group_may_end_in_its_own_way_within_the_grace() {
    let mut group = Group::spawn(shell("trap 'exit 7' TERM; sleep 300 & echo $!; while :; do wait; done"))
        .expect("started");
    let grandchild = first_number(&mut group).await;
    let status = group.kill_group(Duration::from_secs(10)).await.expect("waited");
    assert_eq!(status.code(), Some(7));
    assert!(dies(grandchild));
}

#[tokio::test]
async fn what_a_finished_leader_leaves_running_is_killed() {
    let mut group = Group::spawn(shell("sleep 300 >/dev/null & echo $!")).expect("started");
    let grandchild = first_number(&mut group).await;
    assert!(group.wait().await.expect("waited").success());
    assert!(dies(grandchild));
}

#[tokio::test]
async fn a_missing_program_is_named() {
    let error = Group::spawn(Command::new("/no/such/program")).expect_err("there is none");
    assert!(error.to_string().contains("/no/such/program"), "{error}");
}

/// The body of the guard process; only does something when another test starts it.
#[test]
fn role_guard() {
    if std::env::var(ROLE).is_ok_and(|role| role == "guard") {
        guard::run().expect("standard input is readable");
    }
}

/// A runner that starts a group whose grandchild ignores every polite signal, and then hangs.
#[test]
fn role_runner() {
    if !std::env::var(ROLE).is_ok_and(|role| role == "runner") {
        return;
    }
    let folder = std::env::var("UMPIRE_TEST_FOLDER").expect("given");
    let guard = start_guard();
    guard::watch_folder(Path::new(&folder));
    let runtime = tokio::runtime::Runtime::new().expect("runtime");
    runtime.block_on(async {
        let mut group =
            Group::spawn(shell("trap '' TERM HUP INT; sleep 300 & echo $!; wait")).expect("started");
        let grandchild = first_number(&mut group).await;
        println!("pids {} {grandchild} {}", group.id(), guard.id());
        tokio::time::sleep(Duration::from_mins(5)).await;
    });
}

/// A runner that holds its guard twice and lets go of one: the other still guards.
#[test]
fn role_two_holders() {
    if !std::env::var(ROLE).is_ok_and(|role| role == "two holders") {
        return;
    }
    let (first, second) = (shared_guard(), shared_guard());
    assert_eq!(first.id(), second.id(), "one process has one guard");
    let runtime = tokio::runtime::Runtime::new().expect("runtime");
    runtime.block_on(async {
        let mut group = Group::spawn(shell("echo $$; sleep 300")).expect("started");
        first_number(&mut group).await;
        drop(first);
        std::thread::sleep(Duration::from_millis(300));
        assert!(is_alive(group.id()), "what is guarded lives on");
        let guard_id = i32::try_from(second.id()).expect("a pid");
        drop(second);
        assert!(dies(group.id()) && dies(guard_id), "with the last holder the guard cleans up and goes");
        assert_ne!(i32::try_from(shared_guard().id()).expect("a pid"), guard_id, "and can be had anew");
    });
}

#[test]
fn a_guard_lasts_as_long_as_its_last_holder() {
    let ran = Command::new(std::env::current_exe().expect("this test"))
        .args(["--exact", "role_two_holders", "--nocapture"])
        .env(ROLE, "two holders")
        .output()
        .expect("runner starts");
    assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
}

fn shared_guard() -> std::sync::Arc<guard::Guard> {
    guard::Guard::shared(Path::new("sh"), &["-c", &guard_script()]).expect("guard starts")
}

fn start_guard() -> guard::Guard {
    guard::Guard::start(Path::new("sh"), &["-c", &guard_script()]).expect("guard starts")
}

/// The test harness prints its own lines first, so a shell strips everything up to the greeting.
fn guard_script() -> String {
    let exe = std::env::current_exe().expect("this test");
    format!(
        "{ROLE}=guard exec '{}' --exact role_guard --nocapture | grep --line-buffered -o 'guarding'",
        exe.display()
    )
}

#[test]
fn a_program_that_is_no_guard_is_not_trusted() {
    for program in ["true", "/no/such/program"] {
        let error = guard::Guard::start(Path::new(program), &[]).expect_err("no guard");
        assert!(error.to_string().contains(program), "{error}");
    }
}

#[test]
fn kill_nine_of_the_runner_leaves_nothing() {
    let temp = tempfile::tempdir().expect("temp dir");
    let folder = temp.path().join("umpire-leftover");
    std::fs::create_dir_all(folder.join("inner")).expect("created");
    let mut runner = Command::new(std::env::current_exe().expect("this test"))
        .args(["--exact", "role_runner", "--nocapture"])
        .env(ROLE, "runner")
        .env("UMPIRE_TEST_FOLDER", &folder)
        .stdout(Stdio::piped())
        .spawn()
        .expect("runner starts");
    let lines = BufReader::new(runner.stdout.take().expect("piped")).lines();
    let pids: Vec<i32> = lines
        .map_while(Result::ok)
        .find_map(|line| line.split_once("pids ").map(|(_, rest)| rest.to_owned()))
        .expect("the runner reports")
        .split_whitespace()
        .map(|pid| pid.parse().expect("a pid"))
        .collect();
    assert!(pids.iter().all(|&pid| is_alive(pid)), "{pids:?}");
    runner.kill().expect("killed");
    runner.wait().expect("reaped");
    assert!(pids.into_iter().all(dies));
    let give_up = Instant::now() + Duration::from_secs(10);
    while folder.exists() && Instant::now() < give_up {
        std::thread::sleep(Duration::from_millis(5));
    }
    assert!(!folder.exists());
}
