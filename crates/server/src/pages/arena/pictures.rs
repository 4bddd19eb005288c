//! Pictures of a battle, under the battle's own address: neither run nor agent nor digest can be read off it.

use axum::extract::{Path, State};
use axum::response::Response;
use umpire_arena::Phase;

use super::{own_battle, side_named};
use crate::accounts::Who;
use crate::error::PageError;
use crate::pages::files::{FOR_EVER, blocking, open_run, recorded};
use crate::state::App;

pub(crate) async fn picture(
    State(app): State<App>,
    Path((battle, side, step)): Path<(String, String, u32)>,
    who: Who,
) -> Result<Response, PageError> {
    let side = side_named(&side)?;
    let battle = own_battle(&app, &who, &battle).await?;
    let blind = app.curtains.open(&app, &battle).await?;
    let shown = blind.side(side);
    let digest = shown.steps.iter().find(|seen| seen.number == step).and_then(|seen| seen.picture.clone());
    let digest = digest.ok_or(PageError::NotFound)?;
    let run = open_run(&app, shown.run.as_str()).await?;
    let (media, content) =
        blocking(move || run.blobs().image(&digest).map_err(|_| PageError::NotFound)).await?;
    // While it runs, another try may begin: then the same step has another picture.
    let is_running = matches!(battle.phase(), Phase::Running { .. });
    Ok(recorded(media.mime(), if is_running { "no-store" } else { FOR_EVER }, content.into()))
}
