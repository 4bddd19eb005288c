//! Battles, the studies they belong to, and who was shown which.

use sqlx::Row as _;
use sqlx::any::AnyRow;
use umpire_arena::{Ballot, Battle, BattleId, VoterId};

use super::{Database, DatabaseError};
use crate::accounts::random_id;
use crate::clock::{now, now_ms};

/// A battle that was shown and not voted on is given to somebody else after so long.
const LAPSES_AFTER_MS: i64 = 60 * 60 * 1000;

/// Battles that visitors of one place may have before them at once: whoever takes them all without a vote would keep
/// others from voting.
pub(super) const MOST_OPEN_IN_A_PLACE: i64 = 40;

#[derive(Clone, Debug)]
pub(crate) struct Study {
    pub id: String,
    pub title: String,
    /// What its battles were drawn from, in words.
    pub about: String,
    /// How many people vote on each battle.
    pub votes_wanted: i64,
    pub created: i64,
    pub created_by: String,
}

impl Study {
    pub(crate) fn new(title: &str, about: &str, votes_wanted: u32, created_by: &str) -> Self {
        Self {
            id: random_id(),
            title: title.to_owned(),
            about: about.to_owned(),
            votes_wanted: i64::from(votes_wanted),
            created: now(),
            created_by: created_by.to_owned(),
        }
    }
}

/// A battle that is over, with its ballots.
pub(crate) struct ClosedBattle {
    pub closed: i64,
    pub battle: Battle,
    pub ballots: Vec<Ballot>,
}

/// When and how a voter was shown a battle.
pub(crate) struct View {
    pub shown: i64,
    pub names_hidden: i64,
}

impl Database {
    pub(crate) async fn add_study(&self, study: &Study, battles: &[Battle]) -> Result<(), DatabaseError> {
        let mut transaction = self.pool.begin().await?;
        sqlx::query(
            "INSERT INTO studies (id, title, about, votes_wanted, created, created_by) VALUES ($1, $2, $3, $4, $5, $6)",
        )
        .bind(&study.id)
        .bind(&study.title)
        .bind(&study.about)
        .bind(study.votes_wanted)
        .bind(study.created)
        .bind(&study.created_by)
        .execute(&mut *transaction)
        .await?;
        for (place, battle) in (1_i64..).zip(battles) {
            add(&mut transaction, battle, Some(&study.id), place).await?;
        }
        Ok(transaction.commit().await?)
    }

    /// Every study with how many battles it has and how many votes are in.
    pub(crate) async fn studies(&self) -> Result<Vec<(Study, i64, i64)>, DatabaseError> {
        let rows = sqlx::query(
            "SELECT studies.id AS id, title, about, studies.votes_wanted AS votes_wanted, created, created_by, \
             COUNT(battles.id) AS battles, CAST(COALESCE(SUM(battles.votes), 0) AS BIGINT) AS votes \
             FROM studies LEFT JOIN battles ON battles.study = studies.id \
             GROUP BY studies.id, title, about, studies.votes_wanted, created, created_by \
             ORDER BY created DESC, studies.id",
        )
        .fetch_all(&self.pool)
        .await?;
        rows.iter()
            .map(|row| Ok((read_study(row)?, row.try_get("battles")?, row.try_get("votes")?)))
            .collect()
    }

    pub(crate) async fn study(&self, id: &str) -> Result<Option<Study>, DatabaseError> {
        let row = sqlx::query(
            "SELECT id, title, about, votes_wanted, created, created_by FROM studies WHERE id = $1",
        )
        .bind(id)
        .fetch_optional(&self.pool)
        .await?;
        row.as_ref().map(read_study).transpose()
    }

    /// The next battle of a study for this voter: the one they have not voted on yet, or one that others began, or one
    /// that nobody saw. Never one they voted on, never one that as many are looking at as it needs. Visitors without an
    /// account have an `origin`, and those of one origin only so many open at a time.
    pub(crate) async fn take_battle(
        &self,
        study: &str,
        voter: &VoterId,
        origin: Option<&str>,
    ) -> Result<Option<BattleId>, DatabaseError> {
        let mut transaction = self.pool.begin().await?;
        // Writing first takes the lock: of two who ask at once, one waits and sees what the other was given.
        sqlx::query("UPDATE studies SET created = created WHERE id = $1")
            .bind(study)
            .execute(&mut *transaction)
            .await?;
        let open: Option<String> = sqlx::query_scalar(
            "SELECT battles.id FROM battles JOIN battle_views AS mine ON mine.battle = battles.id \
             WHERE battles.study = $1 AND battles.phase = 'to-vote' AND mine.voter = $2 AND mine.voted IS NULL \
             ORDER BY battles.place LIMIT 1",
        )
        .bind(study)
        .bind(voter.as_str())
        .fetch_optional(&mut *transaction)
        .await?;
        if let Some(open) = open {
            transaction.commit().await?;
            return Ok(Some(BattleId(open)));
        }
        let now = now_ms().cast_signed();
        if let Some(origin) = origin {
            let open: i64 = sqlx::query_scalar(
                "SELECT COUNT(*) FROM battle_views WHERE origin = $1 AND voted IS NULL AND shown > $2",
            )
            .bind(origin)
            .bind(now - LAPSES_AFTER_MS)
            .fetch_one(&mut *transaction)
            .await?;
            if open >= MOST_OPEN_IN_A_PLACE {
                transaction.commit().await?;
                return Ok(None);
            }
        }
        let next: Option<String> = sqlx::query_scalar(
            "SELECT battles.id FROM battles \
             WHERE battles.study = $1 AND battles.phase = 'to-vote' AND NOT EXISTS (SELECT 1 FROM battle_views AS mine \
               WHERE mine.battle = battles.id AND mine.voter = $2) \
             AND battles.votes + (SELECT COUNT(*) FROM battle_views AS others WHERE others.battle = battles.id \
               AND others.voted IS NULL AND others.shown > $3) < battles.votes_wanted \
             ORDER BY battles.votes DESC, battles.place LIMIT 1",
        )
        .bind(study)
        .bind(voter.as_str())
        .bind(now - LAPSES_AFTER_MS)
        .fetch_optional(&mut *transaction)
        .await?;
        if let Some(battle) = &next {
            sqlx::query(
                "INSERT INTO battle_views (battle, voter, shown, names_hidden, origin) VALUES ($1, $2, $3, 0, $4)",
            )
            .bind(battle)
            .bind(voter.as_str())
            .bind(now)
            .bind(origin)
            .execute(&mut *transaction)
            .await?;
        }
        transaction.commit().await?;
        Ok(next.map(BattleId))
    }

    pub(crate) async fn battle(&self, id: &BattleId) -> Result<Option<Battle>, DatabaseError> {
        let text: Option<String> = sqlx::query_scalar("SELECT document FROM battles WHERE id = $1")
            .bind(id.as_str())
            .fetch_optional(&self.pool)
            .await?;
        text.as_deref().map(read_battle).transpose()
    }

    pub(crate) async fn study_of(&self, battle: &BattleId) -> Result<Option<String>, DatabaseError> {
        let study: Option<Option<String>> = sqlx::query_scalar("SELECT study FROM battles WHERE id = $1")
            .bind(battle.as_str())
            .fetch_optional(&self.pool)
            .await?;
        Ok(study.flatten())
    }

    pub(crate) async fn battles_of(&self, study: &str) -> Result<Vec<Battle>, DatabaseError> {
        let rows: Vec<String> =
            sqlx::query_scalar("SELECT document FROM battles WHERE study = $1 ORDER BY place")
                .bind(study)
                .fetch_all(&self.pool)
                .await?;
        rows.iter().map(|text| read_battle(text)).collect()
    }

    /// None for somebody who was not shown the battle.
    pub(crate) async fn view(
        &self,
        battle: &BattleId,
        voter: &VoterId,
    ) -> Result<Option<View>, DatabaseError> {
        let row =
            sqlx::query("SELECT shown, names_hidden FROM battle_views WHERE battle = $1 AND voter = $2")
                .bind(battle.as_str())
                .bind(voter.as_str())
                .fetch_optional(&self.pool)
                .await?;
        row.map(|row| Ok(View { shown: row.try_get("shown")?, names_hidden: row.try_get("names_hidden")? }))
            .transpose()
    }

    pub(crate) async fn note_hidden(
        &self,
        battle: &BattleId,
        voter: &VoterId,
        names: i64,
    ) -> Result<(), DatabaseError> {
        sqlx::query(
            "UPDATE battle_views SET names_hidden = $3 WHERE battle = $1 AND voter = $2 AND voted IS NULL",
        )
        .bind(battle.as_str())
        .bind(voter.as_str())
        .bind(names)
        .execute(&self.pool)
        .await?;
        Ok(())
    }

    /// Whether this voter has still to vote on a battle of this attempt, or of any of the run: until then they may not
    /// look up who it was, however long ago it was shown to them, for their vote would still be taken.
    pub(crate) async fn has_to_vote(
        &self,
        run: &str,
        attempt: Option<&str>,
        voter: &VoterId,
    ) -> Result<bool, DatabaseError> {
        let open: i64 = sqlx::query_scalar(
            "SELECT COUNT(*) FROM battle_views AS mine \
             JOIN battle_attempts AS about ON about.battle = mine.battle \
             JOIN battles ON battles.id = mine.battle \
             WHERE mine.voter = $3 AND mine.voted IS NULL \
               AND battles.phase IN ('queued', 'running', 'to-vote') \
               AND about.run = $1 AND (about.attempt = $2 OR $2 = '')",
        )
        .bind(run)
        .bind(attempt.unwrap_or_default())
        .bind(voter.as_str())
        .fetch_one(&self.pool)
        .await?;
        Ok(open > 0)
    }

    /// Battles that are over, in the order in which they were closed, after a place that an earlier answer named.
    pub(crate) async fn closed_battles(
        &self,
        after: (i64, &str),
        most: i64,
    ) -> Result<Vec<ClosedBattle>, DatabaseError> {
        let rows = sqlx::query(
            "SELECT id, closed, document FROM battles WHERE phase = 'voted' AND closed IS NOT NULL \
             AND (closed > $1 OR (closed = $1 AND id > $2)) ORDER BY closed, id LIMIT $3",
        )
        .bind(after.0)
        .bind(after.1)
        .bind(most)
        .fetch_all(&self.pool)
        .await?;
        let mut all = Vec::with_capacity(rows.len());
        for row in rows {
            let (id, document): (String, String) = (row.try_get("id")?, row.try_get("document")?);
            let ballots = self.ballots_on(&BattleId(id)).await?;
            all.push(ClosedBattle {
                closed: row.try_get("closed")?,
                battle: read_battle(&document)?,
                ballots,
            });
        }
        Ok(all)
    }
}

pub(super) async fn add(
    transaction: &mut sqlx::Transaction<'_, sqlx::Any>,
    battle: &Battle,
    study: Option<&str>,
    place: i64,
) -> Result<(), DatabaseError> {
    sqlx::query(
        "INSERT INTO battles (id, study, place, phase, votes, votes_wanted, document) \
         VALUES ($1, $2, $3, $4, 0, $5, $6)",
    )
    .bind(battle.id.as_str())
    .bind(study)
    .bind(place)
    .bind(battle.phase().name())
    .bind(i64::from(battle.votes_wanted))
    .bind(written(battle)?)
    .execute(&mut **transaction)
    .await?;
    put_attempts(transaction, battle).await
}

/// What the battle is about, as far as it is known.
pub(super) async fn put_attempts(
    transaction: &mut sqlx::Transaction<'_, sqlx::Any>,
    battle: &Battle,
) -> Result<(), DatabaseError> {
    for contestant in [&battle.left, &battle.right] {
        let (Some(run), Some(attempt)) = (&contestant.run, &contestant.attempt) else { continue };
        sqlx::query(
            "INSERT INTO battle_attempts (battle, run, attempt) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING",
        )
        .bind(battle.id.as_str())
        .bind(run.as_str())
        .bind(attempt.to_string())
        .execute(&mut **transaction)
        .await?;
    }
    Ok(())
}

pub(super) fn written(battle: &Battle) -> Result<String, DatabaseError> {
    serde_json::to_string(battle).map_err(|error| DatabaseError::Unreadable(error.to_string()))
}

pub(super) fn read_battle(text: &str) -> Result<Battle, DatabaseError> {
    serde_json::from_str(text).map_err(|error| DatabaseError::Unreadable(format!("a battle: {error}")))
}

fn read_study(row: &AnyRow) -> Result<Study, DatabaseError> {
    Ok(Study {
        id: row.try_get("id")?,
        title: row.try_get("title")?,
        about: row.try_get("about")?,
        votes_wanted: row.try_get("votes_wanted")?,
        created: row.try_get("created")?,
        created_by: row.try_get("created_by")?,
    })
}
