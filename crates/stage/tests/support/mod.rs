//! What the tests of replay share: a seat on a built-in world, and a recorder that watches reference actions.

pub mod baseline;
pub mod by_hand;
pub mod perturbed;
pub mod recording;

use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde_json::Value;
use umpire_browser::{Handler, NetworkPolicy, Pool, PoolOptions, Seat, SeatOptions};
use umpire_model::{BlobRef, Deadline, Digest, EventBody, Evidence, Instance, Media, Task};
use umpire_worlds::World;

pub fn soon() -> Deadline {
    Deadline::after(Duration::from_mins(2))
}

/// Keeps what pages write to their console.
#[derive(Default)]
pub struct Lines(Mutex<Vec<String>>);

impl Lines {
    pub fn all(&self) -> Vec<String> {
        self.0.lock().expect("not poisoned").clone()
    }
}

impl Evidence for Lines {
    fn event(&self, body: EventBody) -> u64 {
        if let EventBody::Console { text, .. } = body {
            self.0.lock().expect("not poisoned").push(text);
        }
        0
    }

    fn blob(&self, content: &[u8], media: Media) -> BlobRef {
        BlobRef { digest: Digest::of(content), media, bytes: content.len() as u64 }
    }
}

pub async fn pool(spares: usize) -> Pool {
    Pool::start(PoolOptions { spares, ..PoolOptions::default() }, soon()).await.expect("the pool starts")
}

/// A seat whose network is these hosts, all answered by one handler.
pub async fn seat(pool: &Pool, hosts: &[&str], handler: Handler) -> Seat {
    heard_seat(pool, hosts, handler).await.0
}

/// The same, and what its pages write to their console.
pub async fn heard_seat(pool: &Pool, hosts: &[&str], handler: Handler) -> (Seat, Arc<Lines>) {
    let lines = Arc::new(Lines::default());
    let evidence: Arc<dyn Evidence> = Arc::<Lines>::clone(&lines);
    let origins = hosts.iter().map(|host| ((*host).to_owned(), Arc::clone(&handler))).collect();
    let network = NetworkPolicy { origins, ..NetworkPolicy::default() };
    (pool.seat(SeatOptions::new(evidence, network), soon()).await.expect("a seat"), lines)
}

/// A world with the named site, as a task's state wants it.
pub fn world(sites: &[String], patch: &Value) -> Arc<World> {
    Arc::new(World::create(sites, 7, patch).expect("a world"))
}

pub fn serving(world: &Arc<World>) -> Handler {
    let world = Arc::clone(world);
    Arc::new(move |request| world.serve(request))
}

pub async fn seat_in(pool: &Pool, world: &Arc<World>) -> Seat {
    seat(pool, &world.hosts(), serving(world)).await
}

/// Every task of the privacy suite that has twins, as file and id.
pub fn switches() -> Vec<(String, String)> {
    let files = ["social", "video", "learning", "gazette", "games", "models", "hub"];
    let has_twins = |task: &Task| task.states.contains_key("on") && task.states.contains_key("off");
    files
        .iter()
        .flat_map(|file| tasks(file).into_iter().filter(has_twins).map(|task| ((*file).to_owned(), task.id)))
        .collect()
}

fn tasks(file: &str) -> Vec<Task> {
    let path = format!("{}/../../suites/privacy/{file}.jsonl", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(path).expect("the suite");
    text.lines().map(|line| serde_json::from_str(line).expect("a task")).collect()
}

/// The instances of a task of the privacy suite, by task id.
pub fn instances(file: &str, task: &str) -> Vec<Instance> {
    let task = tasks(file).into_iter().find(|known| known.id == task).expect("the task");
    Instance::of(&task).into_iter().filter(|instance| !instance.with_hint).collect()
}
