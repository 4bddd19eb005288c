//! Addresses and who answers them.

use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::middleware::from_fn_with_state;
use axum::routing::{get, post};

use crate::accounts::identify;
use crate::assets::asset;
use crate::error::PageError;
use crate::pages::{accounts, arena, attempt, compare, failures, files, label, leaderboard, run, runs};
use crate::security::{guard, withhold};
use crate::state::App;

/// A label with marks on hundreds of steps stays below this.
const LARGEST_FORM: usize = 256 * 1024;

const ATTEMPT: &str = "/runs/{run}/attempts/{agent}/{instance}/{trial}";

pub(crate) fn router(app: App) -> Router {
    let of_attempt = |rest: &str| format!("{ATTEMPT}{rest}");
    Router::new()
        .route("/", get(runs::runs))
        .route("/events", get(runs::events))
        .route("/runs/{run}", get(run::run))
        .route("/runs/{run}/events", get(run::events))
        .route("/runs/{run}/rows", get(run::rows))
        .route("/runs/{run}/shots/{digest}", get(files::shot))
        .route("/runs/{run}/thumbs/{digest}", get(files::thumb))
        .route(ATTEMPT, get(attempt::attempt))
        .route(&of_attempt("/outline/{step}"), get(files::outline))
        .route(&of_attempt("/calls/{seq}/{part}"), get(files::model_call))
        .route(&of_attempt("/download/{format}"), get(files::download))
        .route("/compare", get(compare::runs))
        .route("/compare/attempts", get(compare::attempts))
        .route("/label", get(label::queues).post(label::add_queue))
        .route("/label/{queue}", get(label::queue))
        .route("/label/{queue}/next", post(label::next))
        .route("/label/{queue}/export", get(label::export))
        .route("/label/{queue}/adjudicate/{place}", get(label::adjudicate).post(label::settle))
        .route("/label/{queue}/{place}", get(label::item).post(label::save))
        .route("/arena", get(arena::arena))
        .route("/arena/studies", post(arena::add_study))
        .route("/arena/studies/{study}", get(arena::study))
        .route("/arena/studies/{study}/next", post(arena::next))
        .route("/arena/battles", post(arena::ask))
        .route("/arena/battles/{battle}/events", get(arena::events))
        .route("/arena/battles/{battle}/cancel", post(arena::cancel))
        .route("/arena/battles/{battle}", get(arena::battle).post(arena::vote))
        .route("/arena/battles/{battle}/{side}/{step}", get(arena::picture))
        .route("/leaderboard", get(leaderboard::leaderboard))
        .route("/leaderboard/drawings/{name}", get(leaderboard::drawing))
        .route("/leaderboard/files/{file}", get(leaderboard::download))
        .route("/leaderboard/voters", get(leaderboard::voters))
        .route("/leaderboard/voters/leave-out", post(leaderboard::leave_out))
        .route("/leaderboard/voters/count", post(leaderboard::count_again))
        .route("/api/v1/leaderboard", get(leaderboard::standings))
        .route("/api/v1/battles", get(leaderboard::battles))
        .route("/api/v1/openapi.json", get(leaderboard::description))
        .route("/failures", get(failures::failures))
        .route("/accounts", get(accounts::accounts).post(accounts::add_account))
        .route("/sign-in", get(accounts::sign_in_page).post(accounts::sign_in))
        .route("/sign-out", post(accounts::sign_out))
        .route("/assets/{name}", get(asset))
        .fallback(|| async { PageError::NotFound })
        .method_not_allowed_fallback(|| async { PageError::NotFound })
        .layer(from_fn_with_state(app.clone(), withhold))
        .layer(from_fn_with_state(app.clone(), identify))
        .layer(DefaultBodyLimit::max(LARGEST_FORM))
        .layer(from_fn_with_state(app.clone(), guard))
        .with_state(app)
}
