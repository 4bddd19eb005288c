//! What model judges need of a study: its battles, and a place for what they say.

use std::collections::BTreeMap;

use sqlx::Row as _;
use umpire_arena::{Ballot, Battle, BattleId, Verdict, VoterKind};

use super::ballots::read_ballot;
use super::{Database, DatabaseError};

impl Database {
    /// The battles of a study; none if there is no such study.
    pub async fn battles_to_judge(&self, study: &str) -> Result<Option<Vec<Battle>>, DatabaseError> {
        match self.study(study).await? {
            Some(study) => Ok(Some(self.battles_of(&study.id).await?)),
            None => Ok(None),
        }
    }

    /// Ids and titles of all studies, the latest first.
    pub async fn study_titles(&self) -> Result<Vec<(String, String)>, DatabaseError> {
        Ok(self.studies().await?.into_iter().map(|(study, ..)| (study.id, study.title)).collect())
    }

    /// What people and models said of a study's battles.
    pub async fn ballots_of_study(&self, study: &str) -> Result<Vec<Ballot>, DatabaseError> {
        let rows: Vec<String> = sqlx::query_scalar(
            "SELECT ballots.ballot FROM ballots JOIN battles ON battles.id = ballots.battle \
             WHERE battles.study = $1 ORDER BY ballots.cast_at, ballots.battle, ballots.voter",
        )
        .bind(study)
        .fetch_all(&self.pool)
        .await?;
        rows.iter().map(|text| read_ballot(text)).collect()
    }

    /// Stores what a model says of a battle; false if it has said so before. How many people are wanted does not change.
    pub async fn add_model_ballot(&self, ballot: &Ballot) -> Result<bool, DatabaseError> {
        if ballot.by == VoterKind::Person {
            return Err(DatabaseError::Unreadable("a person's ballot in a model's place".to_owned()));
        }
        let text =
            serde_json::to_string(ballot).map_err(|error| DatabaseError::Unreadable(error.to_string()))?;
        let stored = sqlx::query(
            "INSERT INTO ballots (battle, voter, cast_at, ballot) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING",
        )
        .bind(ballot.battle.as_str())
        .bind(ballot.voter.as_str())
        .bind(ballot.at.0.cast_signed())
        .bind(text)
        .execute(&self.pool)
        .await?;
        Ok(stored.rows_affected() > 0)
    }

    /// For whoever asks later who said all that.
    pub async fn note_judging(&self, study: &str, model: &str, ballots: usize) -> Result<(), DatabaseError> {
        self.note("umpire judge", "model voted", &format!("{model} on {study}: {ballots}")).await
    }

    /// Of battles whose attempts met before, at the wish of a visitor: what that visitor said.
    pub(crate) async fn original_verdicts(
        &self,
        study: &str,
    ) -> Result<BTreeMap<BattleId, Verdict>, DatabaseError> {
        let rows = sqlx::query(
            "SELECT mine.battle AS battle, MIN(ballots.ballot) AS ballot FROM battle_attempts AS mine \
             JOIN battles ON battles.id = mine.battle \
             JOIN battle_attempts AS earlier ON earlier.run = mine.run AND earlier.attempt = mine.attempt \
             JOIN contests ON contests.battle = earlier.battle \
             JOIN ballots ON ballots.battle = earlier.battle AND ballots.voter = contests.visitor \
             WHERE battles.study = $1 GROUP BY mine.battle, earlier.battle HAVING COUNT(*) = 2",
        )
        .bind(study)
        .fetch_all(&self.pool)
        .await?;
        rows.iter()
            .map(|row| {
                let (battle, ballot): (String, String) = (row.try_get("battle")?, row.try_get("ballot")?);
                Ok((BattleId(battle), Verdict::of(&read_ballot(&ballot)?)))
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use umpire_arena::{Asked, Choice, Contestant, Seen, Time, VoterId};

    use super::*;
    use crate::database::Study;

    #[tokio::test]
    async fn a_model_says_it_once_and_the_battle_still_wants_its_people() {
        let database = Database::open("sqlite::memory:").await.expect("made");
        let asked = Asked { text: "Buy a lamp".into(), task: "lamp".into(), kind: "mutate".into() };
        let (one, other) = (Contestant::named("oak"), Contestant::named("elm"));
        let battle = Battle::queued(BattleId::new("b1"), asked, one, other, VoterId::new("op"), Time(1), 3)
            .of_finished(1);
        let study = Study::new("all", "", 1, "op");
        database.add_study(&study, std::slice::from_ref(&battle)).await.expect("added");
        let says = |sample| {
            battle.ballot_of_model(("pairwise/tiny", sample), Choice::Left, Seen::default(), Time(5))
        };
        let (first, second) = (says(1).expect("ended"), says(2).expect("ended"));
        assert!(database.add_model_ballot(&first).await.expect("stored"));
        assert!(!database.add_model_ballot(&first).await.expect("asked"), "once");
        assert!(database.add_model_ballot(&second).await.expect("stored"));
        assert_eq!(database.ballots_of_study(&study.id).await.expect("read"), [first, second]);
        let next = database.take_battle(&study.id, &VoterId::new("ann"), None).await.expect("asked");
        assert_eq!(next, Some(BattleId::new("b1")));
        assert_eq!(database.battles_to_judge("none").await.expect("asked"), None);
    }
}
