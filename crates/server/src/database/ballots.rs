//! Ballots: added, never changed. One that was acknowledged is on the disk.

use sqlx::Row as _;
use umpire_arena::{Ballot, Battle, BattleId, IllegalMove, VoterId};

use super::battles::{read_battle, written};
use super::{Database, DatabaseError};
use crate::clock::now;

#[derive(Debug, thiserror::Error)]
pub(crate) enum VoteError {
    #[error(transparent)]
    Illegal(#[from] IllegalMove),
    #[error("There is no such battle.")]
    NoSuchBattle,
    /// Somebody else voted at the same moment, from another server; asking again helps.
    #[error("The battle changed while you voted; try again.")]
    Overtaken,
    #[error(transparent)]
    Database(#[from] DatabaseError),
}

impl From<sqlx::Error> for VoteError {
    fn from(error: sqlx::Error) -> Self {
        Self::Database(error.into())
    }
}

/// A voter whose ballots are not counted.
pub(crate) struct LeftOut {
    pub voter: VoterId,
    pub why: String,
    pub decided_by: String,
}

impl Database {
    /// Stores a ballot that `cast` makes of the battle as it is now, and the battle with it: both or neither. When this
    /// returns, both are on the disk.
    pub(crate) async fn store_ballot(
        &self,
        id: &BattleId,
        cast: impl FnOnce(&Battle) -> Result<Ballot, IllegalMove> + Send,
    ) -> Result<(Ballot, Battle), VoteError> {
        let mut transaction = self.pool.begin().await?;
        // Writing first takes the lock: a transaction that reads and then finds itself overtaken could only fail.
        sqlx::query("UPDATE battles SET votes = votes WHERE id = $1")
            .bind(id.as_str())
            .execute(&mut *transaction)
            .await?;
        let row = sqlx::query("SELECT document, votes FROM battles WHERE id = $1")
            .bind(id.as_str())
            .fetch_optional(&mut *transaction)
            .await?
            .ok_or(VoteError::NoSuchBattle)?;
        let (document, votes): (String, i64) = (row.try_get("document")?, row.try_get("votes")?);
        let mut battle = read_battle(&document)?;
        let ballot = cast(&battle)?;
        battle.stored(&ballot)?;
        let cast_at = ballot.at.0.cast_signed();
        let text =
            serde_json::to_string(&ballot).map_err(|error| DatabaseError::Unreadable(error.to_string()))?;
        sqlx::query("INSERT INTO ballots (battle, voter, cast_at, ballot) VALUES ($1, $2, $3, $4)")
            .bind(id.as_str())
            .bind(ballot.voter.as_str())
            .bind(cast_at)
            .bind(text)
            .execute(&mut *transaction)
            .await?;
        let closed = battle.phase().is_over().then_some(cast_at);
        let changed = sqlx::query(
            "UPDATE battles SET document = $3, phase = $4, votes = votes + 1, closed = $5 WHERE id = $1 AND votes = $2",
        )
        .bind(id.as_str())
        .bind(votes)
        .bind(written(&battle)?)
        .bind(battle.phase().name())
        .bind(closed)
        .execute(&mut *transaction)
        .await?;
        if changed.rows_affected() == 0 {
            return Err(VoteError::Overtaken);
        }
        sqlx::query("UPDATE battle_views SET voted = $3 WHERE battle = $1 AND voter = $2")
            .bind(id.as_str())
            .bind(ballot.voter.as_str())
            .bind(cast_at)
            .execute(&mut *transaction)
            .await?;
        transaction.commit().await?;
        Ok((ballot, battle))
    }

    /// Every ballot there is, in the order in which they were cast.
    pub(crate) async fn ballots(&self) -> Result<Vec<Ballot>, DatabaseError> {
        let rows: Vec<String> =
            sqlx::query_scalar("SELECT ballot FROM ballots ORDER BY cast_at, battle, voter")
                .fetch_all(&self.pool)
                .await?;
        rows.iter().map(|text| read_ballot(text)).collect()
    }

    /// Those cast at or after a time.
    pub(crate) async fn ballots_since(&self, cast_at: i64) -> Result<Vec<Ballot>, DatabaseError> {
        let rows: Vec<String> = sqlx::query_scalar(
            "SELECT ballot FROM ballots WHERE cast_at >= $1 ORDER BY cast_at, battle, voter",
        )
        .bind(cast_at)
        .fetch_all(&self.pool)
        .await?;
        rows.iter().map(|text| read_ballot(text)).collect()
    }

    pub(crate) async fn ballots_stored(&self) -> Result<usize, DatabaseError> {
        let stored: i64 = sqlx::query_scalar("SELECT COUNT(*) FROM ballots").fetch_one(&self.pool).await?;
        Ok(usize::try_from(stored).unwrap_or_default())
    }

    pub(super) async fn ballots_on(&self, battle: &BattleId) -> Result<Vec<Ballot>, DatabaseError> {
        let rows: Vec<String> =
            sqlx::query_scalar("SELECT ballot FROM ballots WHERE battle = $1 ORDER BY cast_at, voter")
                .bind(battle.as_str())
                .fetch_all(&self.pool)
                .await?;
        rows.iter().map(|text| read_ballot(text)).collect()
    }

    pub(crate) async fn left_out_voters(&self) -> Result<Vec<LeftOut>, DatabaseError> {
        let rows =
            sqlx::query("SELECT voter, why, left_out_by FROM left_out_voters ORDER BY since DESC, voter")
                .fetch_all(&self.pool)
                .await?;
        rows.into_iter()
            .map(|row| {
                Ok(LeftOut {
                    voter: VoterId(row.try_get("voter")?),
                    why: row.try_get("why")?,
                    decided_by: row.try_get("left_out_by")?,
                })
            })
            .collect()
    }

    pub(crate) async fn leave_out(&self, voter: &str, why: &str, by: &str) -> Result<(), DatabaseError> {
        sqlx::query(
            "INSERT INTO left_out_voters (voter, why, since, left_out_by) VALUES ($1, $2, $3, $4) \
             ON CONFLICT (voter) DO UPDATE SET why = excluded.why, since = excluded.since, left_out_by = excluded.left_out_by",
        )
        .bind(voter)
        .bind(why)
        .bind(now())
        .bind(by)
        .execute(&self.pool)
        .await?;
        Ok(())
    }

    pub(crate) async fn count_again(&self, voter: &str) -> Result<(), DatabaseError> {
        sqlx::query("DELETE FROM left_out_voters WHERE voter = $1").bind(voter).execute(&self.pool).await?;
        Ok(())
    }
}

pub(super) fn read_ballot(text: &str) -> Result<Ballot, DatabaseError> {
    serde_json::from_str(text).map_err(|error| DatabaseError::Unreadable(format!("a ballot: {error}")))
}

#[cfg(test)]
mod tests {
    use umpire_arena::{Asked, Choice, Contestant, Seen, Time, VoterKind};

    use super::*;
    use crate::database::Study;
    use crate::database::battles::MOST_OPEN_IN_A_PLACE;

    fn battle(id: &str, voters: u32) -> Battle {
        let asked = Asked { text: "Buy a lamp".into(), task: "lamp".into(), kind: "mutate".into() };
        let (one, other) = (Contestant::named("oak"), Contestant::named("elm"));
        Battle::queued(BattleId::new(id), asked, one, other, VoterId::new("op"), Time(1), 3)
            .of_finished(voters)
    }

    async fn with_study(battles: &[Battle], voters: u32) -> (Database, Study) {
        let database = Database::open("sqlite::memory:").await.expect("made");
        let study = Study::new("all", "", voters, "op");
        database.add_study(&study, battles).await.expect("added");
        (database, study)
    }

    async fn vote(database: &Database, battle: &BattleId, voter: &str) -> Result<(), VoteError> {
        let voter = VoterId::new(voter);
        let cast = |battle: &Battle| {
            battle.ballot(&voter, VoterKind::Person, Choice::Left, Vec::new(), Seen::default(), Time(9))
        };
        database.store_ballot(battle, cast).await.map(|_| ())
    }

    #[tokio::test]
    async fn a_voter_has_one_ballot_a_battle_and_a_battle_as_many_as_it_wants() {
        let (database, _) = with_study(&[battle("b1", 2)], 2).await;
        let id = BattleId::new("b1");
        vote(&database, &id, "ann").await.expect("the first");
        let again = vote(&database, &id, "ann").await.expect_err("twice");
        assert!(matches!(again, VoteError::Illegal(IllegalMove::VotedAlready(_))), "{again}");
        vote(&database, &id, "ben").await.expect("the second");
        assert!(vote(&database, &id, "cem").await.is_err(), "two were wanted");
        assert_eq!(database.ballots().await.expect("read").len(), 2);
        let closed = database.closed_battles((0, ""), 10).await.expect("read");
        assert_eq!((closed.len(), closed[0].ballots.len()), (1, 2));
        assert!(database.closed_battles((9, "b1"), 10).await.expect("read").is_empty(), "after the last");
    }

    #[tokio::test]
    async fn whoever_may_still_vote_may_not_look_it_up_however_long_ago_it_was_shown() {
        let mut shown = battle("b1", 1);
        shown.left.run = Some("core-1".parse().expect("a run"));
        shown.left.attempt = Some("oak/lamp/1".parse().expect("an attempt"));
        let (database, study) = with_study(&[shown], 1).await;
        let ann = VoterId::new("ann");
        let given = database.take_battle(&study.id, &ann, None).await.expect("asked").expect("one");
        sqlx::query("UPDATE battle_views SET shown = 0").execute(&database.pool).await.expect("long ago");
        assert!(database.has_to_vote("core-1", None, &ann).await.expect("asked"));
        assert!(!database.has_to_vote("core-1", None, &VoterId::new("ben")).await.expect("asked"));
        vote(&database, &given, "ann").await.expect("it is still taken");
        assert!(!database.has_to_vote("core-1", None, &ann).await.expect("asked"));
    }

    #[tokio::test]
    async fn one_place_has_only_so_many_battles_before_it() {
        let all = MOST_OPEN_IN_A_PLACE + 2;
        let battles: Vec<Battle> = (0..all).map(|number| battle(&format!("b{number:02}"), 1)).collect();
        let (database, study) = with_study(&battles, 1).await;
        let mut given = Vec::new();
        for voter in 0..all {
            let voter = VoterId::new(format!("v{voter}"));
            given.extend(database.take_battle(&study.id, &voter, Some("farm")).await.expect("asked"));
        }
        assert_eq!(i64::try_from(given.len()), Ok(MOST_OPEN_IN_A_PLACE));
        let ann = VoterId::new("ann");
        assert!(database.take_battle(&study.id, &ann, Some("home")).await.expect("asked").is_some());
        vote(&database, &given[0], "v0").await.expect("stored");
        let next = database.take_battle(&study.id, &VoterId::new("v0"), Some("farm")).await.expect("asked");
        assert!(next.is_some(), "whoever votes may have another");
    }

    #[tokio::test]
    async fn battles_go_to_as_many_as_they_need_and_back_to_whoever_has_one() {
        let (database, study) = with_study(&[battle("b1", 2), battle("b2", 2)], 2).await;
        let mut given = Vec::new();
        for (voter, votes) in
            [("ann", false), ("ann", true), ("ben", false), ("cem", true), ("ann", true), ("ann", true)]
        {
            let next = database.take_battle(&study.id, &VoterId::new(voter), None).await.expect("taken");
            if let Some(battle) = next.as_ref().filter(|_| votes) {
                vote(&database, battle, voter).await.expect("stored");
            }
            given.push((voter, next.map(|id| id.0)));
        }
        let wanted = [
            ("ann", Some("b1")),
            ("ann", Some("b1")),
            // Ann has voted on it, Ben has it: nobody else is needed.
            ("ben", Some("b1")),
            ("cem", Some("b2")),
            ("ann", Some("b2")),
            ("ann", None),
        ];
        let wanted = wanted.map(|(voter, battle)| (voter, battle.map(str::to_owned)));
        assert_eq!(given, wanted);
    }
}
