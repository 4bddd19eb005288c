//! What `voyager` is shown of five pages: elements, outline, screenshot with marks.

use std::sync::Arc;

use serde_json::{Map, json};
use umpire_browser::{Pool, PoolOptions, SeatOptions, marks};

use crate::pages::{Unrecorded, network};
use crate::step::{Measure, look, open, soon};

/// The peer opens the same.
const PAGES: [&str; 5] = [
    "http://shop.localhost/",
    "http://forum.localhost/",
    "http://hub.localhost/",
    "http://encyclopedia.localhost/",
    "http://map.localhost/",
];

pub fn measure(times: &str) -> Result<(), String> {
    let times: usize = times.parse().map_err(|_| format!("`{times}` is not a number of times"))?;
    crate::runtime()?.block_on(async { tokio::spawn(run(times)).await.map_err(|error| error.to_string())? })
}

async fn run(times: usize) -> Result<(), String> {
    let pool = Pool::start(PoolOptions::default(), soon()).await.map_err(|error| error.to_string())?;
    let options = SeatOptions::new(Arc::new(Unrecorded), network()?);
    let seat = pool.seat(options, soon()).await.map_err(|error| error.to_string())?;
    let mut found = Map::new();
    for page in PAGES {
        open(&seat, page).await?;
        let mut measured = Measure::default();
        for _ in 0..times {
            measured.begin();
            let seen = look(&seat).await?;
            let shown = (marks::draw(&seen).len(), seen.element_list().len());
            measured.end();
            if shown.0 == 0 || shown.1 == 0 {
                return Err(format!("{page} shows nothing"));
            }
        }
        found.insert(page.to_owned(), measured.result());
    }
    seat.close(soon()).await;
    println!("{}", json!(found));
    Ok(())
}
