//! Work that outlives whoever asked for it: a client that goes away neither frees a place that is still taken, nor leaves a
//! change half made.

use std::sync::Arc;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::error::PageError;

/// Waits for a turn, and works within it.
pub(crate) async fn in_turn<T: Send + 'static>(
    turns: &Arc<Semaphore>,
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, PageError> {
    let turn = take_turn(turns).await?;
    work_within(turn, work).await
}

/// Waits for a turn, for what has to be made ready within it.
pub(crate) async fn take_turn(turns: &Arc<Semaphore>) -> Result<OwnedSemaphorePermit, PageError> {
    Arc::clone(turns).acquire_owned().await.map_err(|_| PageError::TooSlow)
}

/// Works on a thread of its own. The turn is over when the work is, whether or not anybody waits.
pub(crate) async fn work_within<T: Send + 'static>(
    turn: OwnedSemaphorePermit,
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, PageError> {
    let working = move || {
        let _turn = turn;
        work()
    };
    Ok(tokio::task::spawn_blocking(working).await?)
}

/// Carries a change through: what is stored is also known here, even if its client left in between.
pub(crate) async fn to_the_end<T: Send + 'static>(
    change: impl Future<Output = T> + Send + 'static,
) -> Result<T, PageError> {
    Ok(tokio::spawn(change).await?)
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use tokio::sync::oneshot;

    use super::*;

    #[tokio::test]
    async fn a_turn_is_taken_for_as_long_as_the_work_goes_on() {
        let turns = Arc::new(Semaphore::new(1));
        let (begun, has_begun) = oneshot::channel();
        let (go_on, waits) = mpsc::channel::<()>();
        let asked = {
            let turns = Arc::clone(&turns);
            tokio::spawn(async move {
                let work = move || {
                    let _ = begun.send(());
                    let _ = waits.recv();
                };
                in_turn(&turns, work).await
            })
        };
        has_begun.await.expect("it works");
        asked.abort();
        assert!(asked.await.is_err_and(|left| left.is_cancelled()), "the client is gone");
        assert_eq!(turns.available_permits(), 0, "the work is not");
        drop(go_on);
        in_turn(&turns, || ()).await.expect("the next has its turn");
    }

    #[tokio::test]
    async fn a_change_goes_on_without_whoever_asked_for_it() {
        let (begun, has_begun) = oneshot::channel();
        let (go_on, waits) = oneshot::channel::<()>();
        let (done, is_done) = oneshot::channel();
        let asked = tokio::spawn(to_the_end(async move {
            let _ = begun.send(());
            let _ = waits.await;
            let _ = done.send(());
        }));
        has_begun.await.expect("it began");
        asked.abort();
        assert!(asked.await.is_err(), "the client is gone");
        go_on.send(()).expect("somebody waits");
        is_done.await.expect("it was carried through");
    }
}
