//! The initial state of an attempt, where the world is not simply made that way: orders to the deployment's backend, then
//! recorded sessions, replayed and read back. All of it happens in a seat of its own, before the attempt's clock and
//! evidence begin; a state that is not reached makes the try `infra`.

use std::time::{Duration, Instant};

use serde_json::Value;
use umpire_browser::Seat;
use umpire_model::{
    BackendOrder, Deadline, EventBody, Evidence as _, Instance, Media, ReplayedSession, SetupOrder, Staged,
};
use umpire_stage::Session;
use umpire_stage::replay::{
    Found, NoSecrets, Outcome, ReplayError, ReplayOptions, Replayed, Replayer, Secrets, StepReport, Wanted,
    fill,
};
use umpire_store::JournalWriter;

use crate::attempt::{Closing, Setting};
use crate::entrance::{account_of, get_in};
use crate::ground::Ground;
use crate::scene::SEAT_LIMIT;

/// For all orders of an attempt together.
const ORDERS_LIMIT: Duration = Duration::from_mins(1);
/// For one session.
const REPLAY_LIMIT: Duration = Duration::from_mins(5);
const CLOSE_LIMIT: Duration = Duration::from_secs(10);

/// Brings the instance's initial state about and writes down how.
pub(crate) async fn bring_about(
    setting: &Setting,
    instance: &Instance,
    ground: &Ground,
    journal: &JournalWriter,
) -> Result<(), Closing> {
    if !instance.orders.is_empty() {
        let orders = filled(&instance.orders, secrets_of(setting, instance)?)?;
        carry_out(setting, &orders, journal).await?;
    }
    if instance.replay.is_empty() {
        return Ok(());
    }
    let seat =
        setting.stage.pool.seat(ground.bare_seat_options(setting), Deadline::after(SEAT_LIMIT)).await?;
    let replayed = replay_logged_in(setting, instance, &seat, journal).await;
    seat.close(Deadline::after(CLOSE_LIMIT)).await;
    replayed?;
    match &ground.world {
        Some(world) if !world.agrees_with(&instance.reached) => Err(Closing::infra(
            "the initial state was not reached: after the replay the world differs from what the task expects",
        )),
        _ => Ok(()),
    }
}

fn secrets_of<'s>(setting: &'s Setting, instance: &Instance) -> Result<&'s dyn Secrets, Closing> {
    let secrets: &dyn Secrets = match account_of(setting, instance)? {
        Some(account) => account,
        None => &NoSecrets,
    };
    Ok(secrets)
}

/// The orders with the account's own details in them.
fn filled(orders: &[SetupOrder], secrets: &dyn Secrets) -> Result<Vec<SetupOrder>, Closing> {
    let unknown = |reference: String| {
        Closing::infra(format!(
            "the initial state was not reached: an order needs `{reference}` of the account"
        ))
    };
    let mut orders = orders.to_vec();
    for order in &mut orders {
        if let BackendOrder::Call(call) = &mut order.order {
            call.path = fill(&call.path, secrets).map_err(unknown)?;
            fill_all(&mut call.body, secrets).map_err(unknown)?;
        }
    }
    Ok(orders)
}

fn fill_all(value: &mut Value, secrets: &dyn Secrets) -> Result<(), String> {
    match value {
        Value::String(text) => *text = fill(text, secrets)?,
        Value::Array(items) => items.iter_mut().try_for_each(|item| fill_all(item, secrets))?,
        Value::Object(fields) => fields.values_mut().try_for_each(|field| fill_all(field, secrets))?,
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
    Ok(())
}

async fn carry_out(setting: &Setting, orders: &[SetupOrder], journal: &JournalWriter) -> Result<(), Closing> {
    let backends = &setting.stage.options.backends;
    let carried_out = umpire_backend::carry_out(orders, backends, Deadline::after(ORDERS_LIMIT)).await;
    let mut staged = staged(format!("{} orders to the backend", orders.len()));
    match carried_out {
        Ok(took_ms) => staged.took_ms = took_ms,
        Err(failed) => staged.problem = Some(failed.to_string()),
    }
    write(staged, journal)
}

async fn replay_logged_in(
    setting: &Setting,
    instance: &Instance,
    seat: &Seat,
    journal: &JournalWriter,
) -> Result<(), Closing> {
    if let Some(account) = account_of(setting, instance)? {
        get_in(seat, account).await?;
    }
    replay_all(setting, instance, seat, journal).await
}

async fn replay_all(
    setting: &Setting,
    instance: &Instance,
    seat: &Seat,
    journal: &JournalWriter,
) -> Result<(), Closing> {
    for wanted in &instance.replay {
        let Some(session) = setting.sessions.get(&wanted.session) else {
            return Err(Closing::infra(format!("the suite has no session `{}`", wanted.session)));
        };
        let secrets = secrets_of(setting, instance)?;
        let staged = replay(setting, wanted, session, secrets, seat, journal).await?;
        write(staged, journal)?;
    }
    Ok(())
}

async fn replay(
    setting: &Setting,
    wanted: &ReplayedSession,
    session: &Session,
    secrets: &dyn Secrets,
    seat: &Seat,
    journal: &JournalWriter,
) -> Result<Staged, Closing> {
    let started = Instant::now();
    let options = ReplayOptions {
        uploads: &setting.stage.options.uploads,
        secrets,
        ..ReplayOptions::new(Wanted::named(&wanted.state))
    };
    let replayed = Replayer::new(seat, options).replay(session, Deadline::after(REPLAY_LIMIT)).await;
    let mut staged = staged(format!("session {} for {}", wanted.session, wanted.state));
    match replayed {
        Ok(replayed) => {
            staged.steps = replayed.steps.len() as u32;
            staged.changed =
                replayed.steps.iter().filter(|step| step.outcome == Outcome::Changed).count() as u32;
            staged.healed = healed(&replayed);
        }
        Err(ReplayError::Browser(error)) => return Err(error.into()),
        Err(ReplayError::Failed(failure)) => {
            staged.screenshot = failure.screenshot.as_ref().map(|picture| journal.blob(picture, Media::Jpeg));
            staged.problem = Some(failure.to_string());
        }
    }
    staged.took_ms = started.elapsed().as_millis() as u64;
    Ok(staged)
}

fn healed(replayed: &Replayed) -> Vec<String> {
    let said = |(step, found): (&StepReport, &Found)| {
        let by = found.by.map_or_else(|| "likeness".to_owned(), |locator| locator.to_string());
        let lost: Vec<String> = found.lost.iter().map(ToString::to_string).collect();
        format!("step {}, {}: found by {by}, not by {}", step.step, step.deed, lost.join(" or "))
    };
    replayed.healed().map(said).collect()
}

fn staged(what: String) -> Staged {
    Staged { what, steps: 0, changed: 0, healed: Vec::new(), problem: None, screenshot: None, took_ms: 0 }
}

/// What failed is kept too; the try ends with its reason.
fn write(staged: Staged, journal: &JournalWriter) -> Result<(), Closing> {
    let failed =
        staged.problem.as_ref().map(|problem| format!("the initial state was not reached: {problem}"));
    journal.event(EventBody::Staged(Box::new(staged)));
    failed.map_or(Ok(()), |reason| Err(Closing::infra(reason)))
}
