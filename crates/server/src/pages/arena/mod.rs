//! The arena: two attempts at one task, side by side, and a vote on which did better before the names are told.

mod ask;
mod ballot_form;
mod battle;
mod blind;
mod live_battle;
mod pictures;
mod studies;
mod study;

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use umpire_arena::{Battle, BattleId, Phase, Side, Voters};

pub(crate) use self::ask::ask;
pub(crate) use self::battle::{battle, vote};
use self::blind::Blind;
pub(crate) use self::live_battle::{battle_part, cancel, events};
pub(crate) use self::pictures::picture;
pub(crate) use self::studies::{add_study, arena, next};
pub(crate) use self::study::study;
use crate::accounts::Who;
use crate::error::PageError;
use crate::state::App;

/// Battles kept ready to be shown. Each takes as much as the texts of its steps.
const READY: usize = 128;

/// Battles that were read, so that every picture and every voter does not read both journals again.
#[derive(Default)]
pub(crate) struct Curtains {
    ready: Mutex<HashMap<BattleId, Arc<Blind>>>,
}

impl Curtains {
    async fn open(&self, app: &App, battle: &Battle) -> Result<Arc<Blind>, PageError> {
        if matches!(battle.phase(), Phase::Running { .. }) {
            // It changes with every step.
            return Ok(Arc::new(Blind::load(&app.runs, battle).await?));
        }
        let known = self.ready.lock().unwrap_or_else(PoisonError::into_inner).get(&battle.id).cloned();
        if let Some(known) = known {
            return Ok(known);
        }
        let read = Arc::new(Blind::load(&app.runs, battle).await?);
        let mut ready = self.ready.lock().unwrap_or_else(PoisonError::into_inner);
        if ready.len() >= READY {
            ready.clear();
        }
        ready.insert(battle.id.clone(), Arc::clone(&read));
        Ok(read)
    }
}

/// A battle for somebody it was shown to. To others it is as if it were not there.
async fn own_battle(app: &App, who: &Who, id: &str) -> Result<Battle, PageError> {
    let id = BattleId::new(id);
    let voter = who.voter();
    let battle = app.database.battle(&id).await?.ok_or(PageError::NoSuchBattle)?;
    let is_asker = battle.votes_from == Voters::Asker && battle.visitor == voter;
    if is_asker || app.database.view(&id, &voter).await?.is_some() {
        Ok(battle)
    } else {
        Err(PageError::NoSuchBattle)
    }
}

const SIDES: [(Side, &str); 2] = [(Side::Left, "left"), (Side::Right, "right")];

fn side_named(name: &str) -> Result<Side, PageError> {
    SIDES.iter().find(|(_, word)| *word == name).map(|(side, _)| *side).ok_or(PageError::NotFound)
}
