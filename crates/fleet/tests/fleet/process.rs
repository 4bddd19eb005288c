//! Workers and planners as processes of their own, so that they can be killed as the kernel kills.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::time::Duration;

use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::watch;
use umpire_fleet::{Addresses, Leave, Steward, Timing, Worker, follow};

use crate::ground::{QUICK, Told, announce, connect_with, options};
use crate::simulated::{SimCrew, SimPlan};

const ROLE: &str = "UMPIRE_FLEET_TEST_ROLE";

#[derive(serde::Serialize, serde::Deserialize)]
struct Role {
    queue: String,
    index: String,
    store: String,
    scratch: PathBuf,
    lease_ms: u64,
    part: Part,
}

#[derive(serde::Serialize, serde::Deserialize)]
enum Part {
    Planner(SimPlan),
    Worker { name: String, slots: usize },
}

/// Starts this very program again in another role. It is killed when dropped.
pub struct Actor(Child);

impl Actor {
    pub fn worker(addresses: &Addresses, scratch: &Path, name: &str, slots: usize, lease: Duration) -> Self {
        Self::start(addresses, scratch, lease, Part::Worker { name: name.to_owned(), slots })
    }

    pub fn planner(addresses: &Addresses, scratch: &Path, plan: &SimPlan) -> Self {
        Self::start(addresses, scratch, QUICK.lease, Part::Planner(plan.clone()))
    }

    fn start(addresses: &Addresses, scratch: &Path, lease: Duration, part: Part) -> Self {
        let Addresses { queue, index, store } = addresses.clone();
        let lease_ms = lease.as_millis() as u64;
        let role = Role { queue, index, store, scratch: scratch.to_owned(), lease_ms, part };
        let child = Command::new(std::env::current_exe().expect("this program"))
            .args(["--exact", "process::play_the_role", "--ignored", "--nocapture"])
            .env(ROLE, serde_json::to_string(&role).expect("json"))
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("started");
        Self(child)
    }

    pub fn is_alive(&mut self) -> bool {
        matches!(self.0.try_wait(), Ok(None))
    }

    /// SIGKILL: nothing is said, nothing is given back.
    pub fn kill(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }

    /// Tells a worker to leave when it is done; whether it left in order within `limit`.
    pub async fn dismissed(mut self, limit: Duration) -> bool {
        let id = nix::unistd::Pid::from_raw(i32::try_from(self.0.id()).expect("a process id"));
        nix::sys::signal::kill(id, nix::sys::signal::Signal::SIGTERM).expect("told");
        let leaving = async {
            loop {
                match self.0.try_wait() {
                    Ok(None) => tokio::time::sleep(Duration::from_millis(20)).await,
                    ended => return ended.is_ok_and(|status| status.is_some_and(|status| status.success())),
                }
            }
        };
        tokio::time::timeout(limit, leaving).await.unwrap_or(false)
    }
}

impl Drop for Actor {
    fn drop(&mut self) {
        self.kill();
    }
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "a role that other tests start"]
async fn play_the_role() {
    let Ok(text) = std::env::var(ROLE) else { return };
    let Role { queue, index, store, scratch, lease_ms, part } = serde_json::from_str(&text).expect("ours");
    let timing = Timing { lease: Duration::from_millis(lease_ms), ..QUICK };
    let fleet = connect_with(&Addresses { queue, index, store }, timing).await;
    match part {
        Part::Worker { name, slots } => {
            let options = options(&scratch, &name, slots);
            let (leave, left) = watch::channel(Leave::Stay);
            let mut told = signal(SignalKind::terminate()).expect("heard");
            tokio::spawn(async move {
                told.recv().await;
                leave.send_replace(Leave::WhenDone);
                std::future::pending::<()>().await;
            });
            let kept = Worker::new(fleet, Arc::new(SimCrew), options).work(left).await;
            assert_eq!(kept.expect("works until it is told to leave"), []);
        }
        Part::Planner(plan) => {
            announce(&fleet, &plan).await;
            let (steward, roster) = (
                Steward::new(fleet.clone(), &plan.run, &format!("planner-{}", std::process::id())),
                plan.roster(),
            );
            let (_stop, stopped) = watch::channel(false);
            let mut told = Told::default();
            let (tended, followed) =
                tokio::join!(steward.tend(&roster), follow(&fleet, &plan.run, stopped, &mut told));
            tended.expect("looked after");
            followed.expect("followed");
        }
    }
}
