//! Observe, click, settle on the shop; observe on the page with 5,000 elements. The whole process is measured, the
//! sites and the recorder included.

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use umpire_browser::{Observation, Pool, PoolOptions, Seat, SeatOptions, act};
use umpire_model::{Action, Deadline, Target};

use crate::pages::{Unrecorded, network};
use crate::{cpu_ms, memory_mb};

/// Links of the shop's main navigation; the peer clicks the same.
const SHELVES: [&str; 6] = ["Lighting", "Kitchen", "Furniture", "Garden", "Stationery", "Outdoors"];

pub fn measure(steps: &str) -> Result<(), String> {
    let steps: usize = steps.parse().map_err(|_| format!("`{steps}` is not a number of steps"))?;
    // In a task of its own, as the runner has every attempt.
    crate::runtime()?.block_on(async { tokio::spawn(run(steps)).await.map_err(|error| error.to_string())? })
}

async fn run(steps: usize) -> Result<(), String> {
    let pool = Pool::start(PoolOptions::default(), soon()).await.map_err(|error| error.to_string())?;
    let options = SeatOptions::new(Arc::new(Unrecorded), network()?);
    let seat = pool.seat(options, soon()).await.map_err(|error| error.to_string())?;
    let mut seen = open(&seat, "http://shop.localhost/").await?;
    for shelf in &SHELVES[..3] {
        seen = step(&seat, &seen, shelf).await?;
    }
    let mut shop = Measure::default();
    for i in 0..steps {
        shop.begin();
        seen = step(&seat, &seen, SHELVES[i % SHELVES.len()]).await?;
        shop.end();
    }
    open(&seat, "http://large.localhost/").await?;
    let mut large = Measure::default();
    for _ in 0..steps {
        large.begin();
        look(&seat).await?;
        large.end();
    }
    seat.close(soon()).await;
    println!("{}", json!({"shop": shop.result(), "large": large.result(), "memory_mb": memory_mb("VmHWM")?}));
    Ok(())
}

pub(crate) fn soon() -> Deadline {
    Deadline::after(Duration::from_secs(30))
}

pub(crate) async fn open(seat: &Seat, url: &str) -> Result<Observation, String> {
    seat.goto(url, soon()).await.map_err(|error| error.to_string())?;
    rested(seat).await
}

/// The page at rest, as an attempt sees it.
async fn rested(seat: &Seat) -> Result<Observation, String> {
    match seat.rest(soon()).await.map_err(|error| error.to_string())? {
        Some(seen) => Ok(seen),
        None => look(seat).await,
    }
}

pub(crate) async fn look(seat: &Seat) -> Result<Observation, String> {
    seat.observe(soon()).await.map_err(|error| error.to_string())
}

async fn step(seat: &Seat, seen: &Observation, link: &str) -> Result<Observation, String> {
    let tab = seat.active_tab(soon()).await.map_err(|error| error.to_string())?;
    let click = Action::Click(Target::named("link", link));
    act::perform(&tab, &click, seen, Path::new("/"), soon()).await.map_err(|error| error.to_string())?;
    rested(seat).await
}

#[derive(Default)]
pub(crate) struct Measure {
    wall_ms: Vec<f64>,
    cpu_ms: f64,
    started: Option<(Instant, f64)>,
}

impl Measure {
    pub(crate) fn begin(&mut self) {
        self.started = Some((Instant::now(), cpu_ms()));
    }

    pub(crate) fn end(&mut self) {
        if let Some((wall, cpu)) = self.started.take() {
            self.wall_ms.push(wall.elapsed().as_secs_f64() * 1000.0);
            self.cpu_ms += cpu_ms() - cpu;
        }
    }

    pub(crate) fn result(mut self) -> Value {
        self.wall_ms.sort_by(f64::total_cmp);
        let count = self.wall_ms.len().max(1);
        let median = self.wall_ms.get(count / 2).copied().unwrap_or_default();
        json!({"wall_ms": median, "cpu_ms": self.cpu_ms / count as f64})
    }
}
