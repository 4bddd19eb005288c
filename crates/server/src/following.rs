//! What others put into the same database: votes at another server, what model judges say, an operator's decisions there.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::watch;

use crate::board::Board;
use crate::contests::Withheld;
use crate::database::{Database, DatabaseError};

/// What happens elsewhere is known here after this.
const EVERY: Duration = Duration::from_secs(1);
/// Clocks of several machines differ, and a ballot is stored a moment after it was cast.
const OVERLAP_MS: u64 = 2 * 60 * 1000;
/// A vote that is stored here is counted within this.
const SETTLES: Duration = Duration::from_millis(200);

/// Looks again and again until the server stops.
pub(crate) async fn follow(
    database: Database,
    board: Arc<Board>,
    withheld: Arc<Withheld>,
    mut stopping: watch::Receiver<bool>,
) {
    let mut contests = (0, 0);
    let mut is_told = false;
    loop {
        tokio::select! {
            _ = stopping.wait_for(|stop| *stop) => return,
            () = tokio::time::sleep(EVERY) => {}
        }
        match look(&database, &board, &withheld, &mut contests).await {
            Ok(()) => is_told = false,
            Err(error) if !is_told => {
                eprintln!("umpire serve: {error}");
                is_told = true;
            }
            Err(_) => {}
        }
    }
}

async fn look(
    database: &Database,
    board: &Board,
    withheld: &Withheld,
    contests: &mut (i64, i64),
) -> Result<(), DatabaseError> {
    let marks = database.contest_marks().await?;
    if marks != *contests {
        withheld.bring_up_to_date(database.contest_runs().await?);
        *contests = marks;
    }
    if lacks_some(database, board).await? {
        tokio::time::sleep(SETTLES).await;
        if lacks_some(database, board).await? {
            take_in(database, board).await?;
        }
    }
    let left_out = database.left_out_voters().await?.into_iter().map(|one| one.voter).collect();
    board.set_left_out(left_out);
    Ok(())
}

/// Whether there are ballots that are not counted here.
async fn lacks_some(database: &Database, board: &Board) -> Result<bool, DatabaseError> {
    let stored = database.ballots_stored().await?;
    Ok(stored > board.counted_ballots())
}

async fn take_in(database: &Database, board: &Board) -> Result<(), DatabaseError> {
    let since = board.latest().0.saturating_sub(OVERLAP_MS);
    board.take_in(database.ballots_since(since.cast_signed()).await?);
    if lacks_some(database, board).await? {
        board.take_in(database.ballots().await?);
    }
    Ok(())
}
