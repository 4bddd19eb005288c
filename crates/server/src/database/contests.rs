//! Battles that visitors asked for, from the queue to the vote.

use sqlx::Row as _;
use umpire_arena::{Battle, BattleId, IllegalMove, Time, VoterId};
use umpire_model::RunId;

use super::ballots::VoteError;
use super::battles::{add, put_attempts, read_battle, written};
use super::{Database, DatabaseError};
use crate::clock::now_ms;
use crate::contests::Wish;

impl Database {
    /// The battle, its wish, and that its visitor has it before them: all or nothing.
    pub(crate) async fn add_contest(&self, battle: &Battle, wish: &Wish) -> Result<(), DatabaseError> {
        let wish =
            serde_json::to_string(wish).map_err(|error| DatabaseError::Unreadable(error.to_string()))?;
        let asked = battle.at.0.cast_signed();
        let mut transaction = self.pool.begin().await?;
        add(&mut transaction, battle, None, 0).await?;
        sqlx::query("INSERT INTO contests (battle, visitor, asked, wish, note) VALUES ($1, $2, $3, $4, '')")
            .bind(battle.id.as_str())
            .bind(battle.visitor.as_str())
            .bind(asked)
            .bind(wish)
            .execute(&mut *transaction)
            .await?;
        sqlx::query("INSERT INTO battle_views (battle, voter, shown, names_hidden) VALUES ($1, $2, $3, 0)")
            .bind(battle.id.as_str())
            .bind(battle.visitor.as_str())
            .bind(asked)
            .execute(&mut *transaction)
            .await?;
        Ok(transaction.commit().await?)
    }

    /// Changes a battle by a legal move, with a word on why if it ends without a vote. Looking at it counts from the
    /// moment both sides have ended.
    pub(crate) async fn change_contest(
        &self,
        id: &BattleId,
        note: &str,
        change: impl FnOnce(&mut Battle) -> Result<(), IllegalMove> + Send,
    ) -> Result<Battle, VoteError> {
        let mut transaction = self.pool.begin().await?;
        // Writing first takes the lock, as for a ballot.
        sqlx::query("UPDATE battles SET votes = votes WHERE id = $1")
            .bind(id.as_str())
            .execute(&mut *transaction)
            .await?;
        let document: Option<String> = sqlx::query_scalar(
            "SELECT document FROM battles JOIN contests ON contests.battle = battles.id WHERE battles.id = $1",
        )
        .bind(id.as_str())
        .fetch_optional(&mut *transaction)
        .await?;
        let mut battle = read_battle(&document.ok_or(VoteError::NoSuchBattle)?)?;
        change(&mut battle)?;
        let now = now_ms().cast_signed();
        let (phase, is_over) = (battle.phase().name(), battle.phase().is_over());
        sqlx::query("UPDATE battles SET document = $2, phase = $3, closed = $4 WHERE id = $1")
            .bind(id.as_str())
            .bind(written(&battle)?)
            .bind(phase)
            .bind(is_over.then_some(now))
            .execute(&mut *transaction)
            .await?;
        put_attempts(&mut transaction, &battle).await?;
        if phase == "to-vote" {
            sqlx::query("UPDATE contests SET ended = $2 WHERE battle = $1")
                .bind(id.as_str())
                .bind(now)
                .execute(&mut *transaction)
                .await?;
            sqlx::query("UPDATE battle_views SET shown = $2 WHERE battle = $1 AND voted IS NULL")
                .bind(id.as_str())
                .bind(now)
                .execute(&mut *transaction)
                .await?;
        }
        if !note.is_empty() {
            sqlx::query("UPDATE contests SET note = $2 WHERE battle = $1")
                .bind(id.as_str())
                .bind(note)
                .execute(&mut *transaction)
                .await?;
        }
        transaction.commit().await?;
        Ok(battle)
    }

    /// Cancels a battle, unless it is over.
    pub(crate) async fn call_off(&self, id: &BattleId, why: &str) -> Result<(), DatabaseError> {
        match self.change_contest(id, why, |battle| battle.cancel(Time(now_ms()))).await {
            Ok(_) | Err(VoteError::Illegal(_) | VoteError::NoSuchBattle | VoteError::Overtaken) => Ok(()),
            Err(VoteError::Database(error)) => Err(error),
        }
    }

    pub(crate) async fn wish(&self, id: &BattleId) -> Result<Option<Wish>, DatabaseError> {
        let wish: Option<String> = sqlx::query_scalar("SELECT wish FROM contests WHERE battle = $1")
            .bind(id.as_str())
            .fetch_optional(&self.pool)
            .await?;
        let read = |text: String| {
            serde_json::from_str(&text).map_err(|error| DatabaseError::Unreadable(format!("a wish: {error}")))
        };
        wish.map(read).transpose()
    }

    /// Why a battle that a visitor asked for ended without a vote. None for one that nobody asked for.
    pub(crate) async fn contest_note(&self, id: &BattleId) -> Result<Option<String>, DatabaseError> {
        Ok(sqlx::query_scalar("SELECT note FROM contests WHERE battle = $1")
            .bind(id.as_str())
            .fetch_optional(&self.pool)
            .await?)
    }

    /// The latest first.
    pub(crate) async fn contests_of(
        &self,
        visitor: &VoterId,
        most: i64,
    ) -> Result<Vec<Battle>, DatabaseError> {
        let rows: Vec<String> = sqlx::query_scalar(
            "SELECT document FROM battles JOIN contests ON contests.battle = battles.id \
             WHERE contests.visitor = $1 ORDER BY contests.asked DESC, battles.id LIMIT $2",
        )
        .bind(visitor.as_str())
        .bind(most)
        .fetch_all(&self.pool)
        .await?;
        rows.iter().map(|text| read_battle(text)).collect()
    }

    /// Battles that wait or run, in the order in which they were asked for.
    pub(crate) async fn unfinished_contests(&self) -> Result<Vec<Battle>, DatabaseError> {
        let rows: Vec<String> = sqlx::query_scalar(
            "SELECT document FROM battles JOIN contests ON contests.battle = battles.id \
             WHERE battles.phase IN ('queued', 'running') ORDER BY contests.asked, battles.id",
        )
        .fetch_all(&self.pool)
        .await?;
        rows.iter().map(|text| read_battle(text)).collect()
    }

    /// Battles asked for since a time, but for those that were called off before they began.
    pub(crate) async fn asked_since(&self, time: u64) -> Result<Vec<Battle>, DatabaseError> {
        let rows: Vec<String> = sqlx::query_scalar(
            "SELECT document FROM battles JOIN contests ON contests.battle = battles.id \
             WHERE contests.asked > $1 ORDER BY contests.asked, battles.id",
        )
        .bind(time.cast_signed())
        .fetch_all(&self.pool)
        .await?;
        let mut battles = rows.iter().map(|text| read_battle(text)).collect::<Result<Vec<_>, _>>()?;
        battles.retain(|battle| battle.phase().name() != "cancelled" || battle.left.run.is_some());
        Ok(battles)
    }

    /// Battles that ended before a time and have no vote.
    pub(crate) async fn unvoted_contests(&self, before: u64) -> Result<Vec<BattleId>, DatabaseError> {
        let ids: Vec<String> = sqlx::query_scalar(
            "SELECT battles.id FROM battles JOIN contests ON contests.battle = battles.id \
             WHERE battles.phase = 'to-vote' AND contests.ended < $1",
        )
        .bind(before.cast_signed())
        .fetch_all(&self.pool)
        .await?;
        Ok(ids.into_iter().map(BattleId).collect())
    }

    /// Numbers that change with [`Database::contest_runs`], at a small part of its cost.
    pub(crate) async fn contest_marks(&self) -> Result<(i64, i64), DatabaseError> {
        let row = sqlx::query(
            "SELECT (SELECT COUNT(*) FROM battle_attempts) AS recorded, \
             (SELECT COUNT(*) FROM battles WHERE phase = 'voted') AS voted",
        )
        .fetch_one(&self.pool)
        .await?;
        Ok((row.try_get("recorded")?, row.try_get("voted")?))
    }

    /// Runs of battles that visitors asked for, and whether the vote is in.
    pub(crate) async fn contest_runs(&self) -> Result<Vec<(RunId, bool)>, DatabaseError> {
        let rows = sqlx::query(
            "SELECT DISTINCT about.run AS run, battles.phase AS phase FROM battle_attempts AS about \
             JOIN battles ON battles.id = about.battle JOIN contests ON contests.battle = battles.id",
        )
        .fetch_all(&self.pool)
        .await?;
        rows.iter()
            .map(|row| {
                let (run, phase): (String, String) = (row.try_get("run")?, row.try_get("phase")?);
                let run = run.parse().map_err(|_| DatabaseError::Unreadable(format!("the run `{run}`")))?;
                Ok((run, phase == "voted"))
            })
            .collect()
    }
}
