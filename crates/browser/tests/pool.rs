//! Seats are handed out warm, and a browser that dies is replaced. Browsers elsewhere are used like those here.

mod apart;
mod elsewhere;
mod remote;

use std::sync::Arc;
use std::time::{Duration, Instant};

use serde_json::json;
use umpire_browser::{Pool, PoolOptions, Seat, SeatOptions};
use umpire_model::{Evidence, Viewport};

use crate::seats::{Memory, evaluate, html, network, site, soon};

async fn seat(pool: &Pool) -> Seat {
    let evidence: Arc<dyn Evidence> = Arc::new(Memory::default());
    let shop = site(|_| html("<h1>shop</h1>"));
    pool.seat(SeatOptions::new(evidence, network(&[("shop.localhost", shop)])), soon()).await.expect("a seat")
}

async fn works(seat: &Seat) {
    seat.open("http://shop.localhost/", soon()).await.expect("opened");
    assert_eq!(evaluate(seat, "location.host").await, "shop.localhost");
}

/// Waits until a spare is warm, which shows as a seat that is handed out at once.
async fn until_warm(pool: &Pool) -> (Seat, Duration) {
    let deadline = soon();
    loop {
        let begun = Instant::now();
        let seat = seat(pool).await;
        let took = begun.elapsed();
        if took < Duration::from_millis(250) || deadline.passed() {
            return (seat, took);
        }
        seat.close(soon()).await;
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
}

#[tokio::test]
async fn a_warm_seat_is_there_at_once() {
    let pool = Pool::start(PoolOptions::default(), soon()).await.expect("started");
    assert!(pool.version().contains("Chrome/"));
    let (seat, took) = until_warm(&pool).await;
    assert!(took < Duration::from_millis(250), "a warm seat took {took:?}");
    works(&seat).await;
    seat.close(soon()).await;
}

#[tokio::test]
async fn a_dead_browser_is_infra_and_the_next_seat_has_a_new_one() {
    let pool =
        Pool::start(PoolOptions { spares: 1, ..PoolOptions::default() }, soon()).await.expect("started");
    let first = seat(&pool).await;
    works(&first).await;
    let tab = first.active_tab(soon()).await.expect("a tab");
    tab.session.connection().root().post("Browser.crash", json!({}));
    let deadline = soon();
    while !first.is_gone() {
        assert!(!deadline.passed());
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    let error = first.goto("http://shop.localhost/", soon()).await.expect_err("it is dead");
    assert!(error.is_infra(), "{error}");
    assert!(first.close(soon()).await.browser_gone);
    let second = seat(&pool).await;
    works(&second).await;
    second.close(soon()).await;
}

#[tokio::test]
async fn a_worn_browser_is_replaced_under_running_seats() {
    let options = PoolOptions { spares: 0, seats_per_browser: 1, ..PoolOptions::default() };
    let pool = Pool::start(options, soon()).await.expect("started");
    let first = seat(&pool).await;
    works(&first).await;
    let second = seat(&pool).await;
    works(&second).await;
    works(&first).await;
    let closed = |seat: Seat| async move {
        let connection = seat.active_tab(soon()).await.expect("a tab").session.connection().clone();
        seat.close(soon()).await;
        connection
    };
    let first = closed(first).await;
    let deadline = soon();
    while !first.is_closed() {
        assert!(!deadline.passed(), "the worn browser still runs");
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    let second = closed(second).await;
    assert!(!second.is_closed(), "the new browser goes on");
    drop(pool);
    while !second.is_closed() {
        assert!(!deadline.passed(), "the browser outlives its pool");
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}

#[tokio::test]
async fn a_seat_may_have_another_viewport_than_its_spare() {
    let pool =
        Pool::start(PoolOptions { spares: 1, ..PoolOptions::default() }, soon()).await.expect("started");
    let evidence: Arc<dyn Evidence> = Arc::new(Memory::default());
    let mut options = SeatOptions::new(evidence, network(&[]));
    options.viewport = Viewport { width: 800, height: 600 };
    let seat = pool.seat(options, soon()).await.expect("a seat");
    assert_eq!(evaluate(&seat, "[innerWidth, innerHeight]").await, json!([800, 600]));
    seat.open_tab("about:blank", soon()).await.expect("opened");
    assert_eq!(evaluate(&seat, "[innerWidth, innerHeight]").await, json!([800, 600]));
    seat.close(soon()).await;
}
