//! Taking connections, and letting go of them: each has a deadline for its headers, and all of them an end.

use std::collections::HashMap;
use std::convert::Infallible;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use http::Request;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, watch};
use tokio::task::JoinSet;
use tower::ServiceExt as _;

use crate::accounts::Address;

/// Viewers of a live run each hold one.
const MOST: usize = 8192;
/// Connections that one place may have; behind a proxy all come from one, and the proxy counts.
const IN_A_PLACE: usize = 500;
/// A client that dribbles its headers holds a connection no longer than this.
const HEADERS: Duration = Duration::from_secs(10);
/// Requests under way when the server stops are given so long.
const GRACE: Duration = Duration::from_secs(5);
/// Pause after the system refused a connection, which it does when descriptors run out.
const AFTER_REFUSAL: Duration = Duration::from_millis(100);

/// Serves until `stopping` turns true and every request under way is answered, or had its time.
pub(crate) async fn serve(
    listener: TcpListener,
    router: Router,
    is_behind_proxy: bool,
    mut stopping: watch::Receiver<bool>,
) {
    let room = Arc::new(Semaphore::new(MOST));
    let places = Places::new(if is_behind_proxy { MOST } else { IN_A_PLACE });
    let mut connections = JoinSet::new();
    loop {
        let accepted = tokio::select! {
            _ = stopping.wait_for(|stop| *stop) => break,
            accepted = next(&listener, &room) => accepted,
        };
        while connections.try_join_next().is_some() {}
        match accepted {
            Some((stream, address, room)) => {
                // One too many of a place is closed at once: an answer would cost more than it is worth.
                let Some(place) = places.enter(address) else { continue };
                let (router, stopping) = (router.clone(), stopping.clone());
                connections.spawn(async move {
                    attend(stream, address, router, stopping).await;
                    drop((place, room));
                });
            }
            None => tokio::time::sleep(AFTER_REFUSAL).await,
        }
    }
    drop(listener);
    let all_answered = async { while connections.join_next().await.is_some() {} };
    let _ = tokio::time::timeout(GRACE, all_answered).await;
}

async fn next(
    listener: &TcpListener,
    room: &Arc<Semaphore>,
) -> Option<(TcpStream, Address, OwnedSemaphorePermit)> {
    let place = Arc::clone(room).acquire_owned().await.ok()?;
    let (stream, peer) = listener.accept().await.ok()?;
    Some((stream, Address::new(peer.ip()), place))
}

/// How many of something each place has.
pub(crate) struct Places {
    most: usize,
    taken: Arc<Mutex<HashMap<String, usize>>>,
}

/// One of them, until it is dropped.
pub(crate) struct Place {
    name: Option<String>,
    taken: Arc<Mutex<HashMap<String, usize>>>,
}

impl Places {
    pub(crate) fn new(most: usize) -> Self {
        Self { most, taken: Arc::default() }
    }

    /// None if the place has as many as it may. Whoever is on this machine may have all there are.
    pub(crate) fn enter(&self, address: Address) -> Option<Place> {
        let taken = Arc::clone(&self.taken);
        if address.is_this_machine() {
            return Some(Place { name: None, taken });
        }
        let name = address.place();
        let mut counts = self.taken.lock().unwrap_or_else(PoisonError::into_inner);
        let count = counts.entry(name.clone()).or_default();
        if *count >= self.most {
            return None;
        }
        *count += 1;
        drop(counts);
        Some(Place { name: Some(name), taken })
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let Some(name) = &self.name else { return };
        let mut counts = self.taken.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(count) = counts.get_mut(name) {
            *count -= 1;
            if *count == 0 {
                counts.remove(name);
            }
        }
    }
}

async fn attend(stream: TcpStream, address: Address, router: Router, mut stopping: watch::Receiver<bool>) {
    let _ = stream.set_nodelay(true);
    let service = service_fn(move |request: Request<hyper::body::Incoming>| {
        let mut request = request.map(Body::new);
        request.extensions_mut().insert(address);
        let answered = router.clone().oneshot(request);
        async move { answered.await.map_err(|never: Infallible| never) }
    });
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(HEADERS)
        .max_buf_size(64 * 1024)
        .serve_connection(TokioIo::new(stream), service);
    let mut connection = std::pin::pin!(connection);
    // What goes wrong on a connection is its client's affair; the server has nobody to tell.
    tokio::select! {
        _ = connection.as_mut() => return,
        _ = stopping.wait_for(|stop| *stop) => connection.as_mut().graceful_shutdown(),
    }
    let _ = connection.await;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_has_so_many_and_gets_back_what_it_gives_up() {
        let places = Places::new(2);
        let at = |text: &str| Address::new(text.parse().expect("an address"));
        let (here, there) = (at("203.0.113.9"), at("203.0.113.10"));
        let first = places.enter(here).expect("room");
        let _second = places.enter(here).expect("room");
        assert!(places.enter(here).is_none() && places.enter(there).is_some());
        drop(first);
        assert!(places.enter(here).is_some());
        let of_this_machine: Vec<Place> = (0..9).filter_map(|_| places.enter(at("127.0.0.1"))).collect();
        assert_eq!(of_this_machine.len(), 9);
    }
}
