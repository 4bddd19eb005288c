//! An attempt that needs an account begins logged in, or not at all.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use umpire_browser::{Seat, SeatOptions};
use umpire_model::{Deadline, Instance};
use umpire_stage::account::{Account, AccountTurn, Entered, EntryError, captured, enter, log_in_anew};
use umpire_store::JournalWriter;

use crate::attempt::{Closing, Setting, is_staged, write_before};
use crate::curtain::Curtain;
use crate::ground::Ground;
use crate::scene::SEAT_LIMIT;
use crate::{RunEvent, Unit};

/// The accounts of a run, by name.
pub type Accounts = BTreeMap<String, Arc<Account>>;

/// Longest that an attempt waits for its account while other processes use it.
const TURN_LIMIT: Duration = Duration::from_mins(30);
/// Longest logging in may take, with the look whether it worked.
const ENTRY_LIMIT: Duration = Duration::from_mins(2);
const CLOSE_LIMIT: Duration = Duration::from_secs(10);

/// The seat of an attempt before the attempt: options whose evidence is still hidden where an account is needed.
pub(crate) struct Entrance<'a> {
    setting: &'a Setting,
    unit: &'a Unit,
    ground: &'a Ground,
    journal: &'a Arc<JournalWriter>,
    curtain: Option<Arc<Curtain>>,
}

impl<'a> Entrance<'a> {
    pub fn new(
        setting: &'a Setting,
        unit: &'a Unit,
        ground: &'a Ground,
        journal: &'a Arc<JournalWriter>,
    ) -> Self {
        let curtain = is_staged(unit).then(|| Curtain::down(journal));
        Self { setting, unit, ground, journal, curtain }
    }

    pub fn seat_options(&self) -> SeatOptions {
        let mut options = self.ground.seat_options(self.setting, self.journal);
        if let Some(curtain) = &self.curtain {
            options.evidence = Arc::clone(curtain) as _;
        }
        options
    }

    /// Logs the seat in, and as many other browsers as the task wants. From then on the seat's evidence is the attempt's.
    pub async fn enter(&self, seat: &Seat) -> Result<(), Closing> {
        let Some(curtain) = &self.curtain else { return Ok(()) };
        let Some(account) = account_of(self.setting, &self.unit.instance)? else { return Ok(()) };
        // The attempt's own browser first: what it remembers must not pass for a session of the others.
        get_in(seat, account).await?;
        for number in 1..=self.unit.instance.extra_sessions {
            let elsewhere = self.log_in_elsewhere(account).await;
            elsewhere
                .map_err(|closing| Closing::infra(format!("extra session {number}: {}", closing.detail)))?;
        }
        seat.blank(Deadline::after(SEAT_LIMIT)).await?;
        curtain.raise();
        write_before(self.setting, self.unit, self.ground, self.journal).await
    }

    /// The session stays on the site when the browser is gone.
    async fn log_in_elsewhere(&self, account: &Account) -> Result<(), Closing> {
        let options = self.ground.bare_seat_options(self.setting);
        let seat = self.setting.stage.pool.seat(options, Deadline::after(SEAT_LIMIT)).await?;
        let entered = log_in_anew(&seat, account, Deadline::after(ENTRY_LIMIT)).await;
        seat.close(Deadline::after(CLOSE_LIMIT)).await;
        entered.map_err(closing)
    }
}

/// The account that an instance needs, if it needs one.
pub(crate) fn account_of<'s>(
    setting: &'s Setting,
    instance: &Instance,
) -> Result<Option<&'s Account>, Closing> {
    let Some(name) = &instance.account else { return Ok(None) };
    match setting.stage.options.accounts.get(name) {
        Some(account) => Ok(Some(account)),
        None => Err(Closing::infra(format!("there is no account `{name}`"))),
    }
}

/// The account of an attempt for its use alone, where others could meet it there: not where each has a world of its own.
pub(crate) async fn take_turn(setting: &Setting, unit: &Unit) -> Result<Option<AccountTurn>, Closing> {
    if setting.world_seed.is_some() {
        return Ok(None);
    }
    let Some(account) = account_of(setting, &unit.instance)? else { return Ok(None) };
    let turn = account.take_turn(Deadline::after(TURN_LIMIT), |user| {
        let waiting = RunEvent::Waiting { attempt: unit.id.clone(), reason: user.to_string() };
        let _ = setting.events.send(waiting);
    });
    turn.await.map_err(|error| Closing::infra(error.to_string()))
}

/// Logs a seat in. The next one need not log in again, unless its site forgets.
pub(crate) async fn get_in(seat: &Seat, account: &Account) -> Result<(), Closing> {
    let deadline = Deadline::after(ENTRY_LIMIT);
    if enter(seat, account, deadline).await.map_err(closing)? == Entered::LoggedIn {
        account.remember(captured(seat, account, deadline).await?);
    }
    Ok(())
}

#[expect(clippy::needless_pass_by_value, reason = "the shape `map_err` wants")]
fn closing(error: EntryError) -> Closing {
    Closing::infra(error.to_string())
}
