//! The pages both sides look at: the built-in sites, and one page with 5,000 elements.

use std::fmt::Write as _;
use std::io::Read as _;
use std::sync::Arc;

use bytes::Bytes;
use serde_json::Value;
use umpire_browser::{NetGate, NetworkPolicy};
use umpire_model::{BlobRef, Digest, EventBody, Evidence, Media};
use umpire_worlds::World;

const ROWS: usize = 1000;

/// Sites of the world that the pages come from.
const SITES: [&str; 5] = ["shop", "forum", "hub", "encyclopedia", "map"];

/// The network of the benchmark: a world, and the large page on a host of its own.
pub fn network() -> Result<NetworkPolicy, String> {
    let world =
        World::create(&SITES.map(str::to_owned), 7, &Value::Null).map_err(|error| error.to_string())?;
    let world = Arc::new(world);
    let large = Bytes::from(large_page());
    let mut network = NetworkPolicy::default();
    for host in world.hosts() {
        let world = Arc::clone(&world);
        network.origins.push((host.to_owned(), Arc::new(move |request| world.serve(request))));
    }
    network.origins.push(("large.localhost".to_owned(), Arc::new(move |_| page(large.clone()))));
    Ok(network)
}

fn page(body: Bytes) -> http::Response<Bytes> {
    let mut response = http::Response::new(body);
    let html = http::HeaderValue::from_static("text/html; charset=utf-8");
    response.headers_mut().insert(http::header::CONTENT_TYPE, html);
    response
}

/// Five elements a row: item, link, button, field and text.
fn large_page() -> String {
    let mut html = String::from("<!doctype html><html lang=en><title>Large</title><body><main><ul>");
    for row in 0..ROWS {
        let _ = write!(
            html,
            "<li><a href='#{row}'>Entry {row}</a> <button>Open {row}</button> \
             <input aria-label='Note {row}' value='{row}'> <span>Some text of row {row}</span></li>"
        );
    }
    html.push_str("</ul></main></body></html>");
    html
}

/// Prints the address of a proxy that serves the pages, and serves until standard input ends.
pub fn serve() -> Result<(), String> {
    let runtime = crate::runtime()?;
    let gate = runtime.block_on(async {
        let gate = NetGate::start().await.map_err(|error| error.to_string())?;
        gate.open(Arc::new(network()?), Arc::new(Unrecorded));
        Ok::<_, String>(gate)
    })?;
    println!("http://{}", gate.address());
    let _ = std::io::stdin().read(&mut [0]);
    Ok(())
}

/// Evidence is counted but not kept: the store's time is not the browser's.
pub struct Unrecorded;

impl Evidence for Unrecorded {
    fn event(&self, _body: EventBody) -> u64 {
        0
    }

    fn blob(&self, content: &[u8], media: Media) -> BlobRef {
        BlobRef { digest: Digest::of(content), media, bytes: content.len() as u64 }
    }
}
