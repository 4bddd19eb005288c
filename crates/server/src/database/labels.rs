//! Queues of attempts to label, and who has which.
//!
//! The labels themselves are in the run's own file; here is only who was given what, and whether they are done.

use sqlx::any::AnyRow;
use sqlx::{AnyConnection, Row as _};

use super::{Database, DatabaseError};
use crate::accounts::random_id;
use crate::clock::now;

/// An attempt that was taken and not labelled goes to somebody else as well after so long. It stays theirs who took it: a
/// label that comes late is a label, and nobody reads what others say of an attempt that they have in hand.
const LAPSES_AFTER: i64 = 2 * 60 * 60;

#[derive(Clone, Debug)]
pub(crate) struct Queue {
    pub id: String,
    pub run: String,
    pub title: String,
    /// The filter its attempts were chosen by.
    pub chosen: String,
    /// How many people label each attempt.
    pub overlap: i64,
    pub created: i64,
    pub created_by: String,
}

#[derive(Clone, Debug)]
pub(crate) struct Assignment {
    pub annotator: String,
    pub is_saved: bool,
}

impl Database {
    pub(crate) async fn add_queue(&self, queue: &Queue, attempts: &[String]) -> Result<(), DatabaseError> {
        let mut transaction = self.pool.begin().await?;
        sqlx::query(
            "INSERT INTO label_queues (id, run, title, chosen, overlap, created, created_by) \
             VALUES ($1, $2, $3, $4, $5, $6, $7)",
        )
        .bind(&queue.id)
        .bind(&queue.run)
        .bind(&queue.title)
        .bind(&queue.chosen)
        .bind(queue.overlap)
        .bind(queue.created)
        .bind(&queue.created_by)
        .execute(&mut *transaction)
        .await?;
        for (place, attempt) in (1_i64..).zip(attempts) {
            sqlx::query("INSERT INTO label_items (queue, place, attempt) VALUES ($1, $2, $3)")
                .bind(&queue.id)
                .bind(place)
                .bind(attempt)
                .execute(&mut *transaction)
                .await?;
        }
        Ok(transaction.commit().await?)
    }

    pub(crate) async fn queues(&self) -> Result<Vec<Queue>, DatabaseError> {
        let rows = sqlx::query(
            "SELECT id, run, title, chosen, overlap, created, created_by FROM label_queues ORDER BY created DESC, id",
        )
        .fetch_all(&self.pool)
        .await?;
        rows.iter().map(read_queue).collect()
    }

    pub(crate) async fn queue(&self, id: &str) -> Result<Option<Queue>, DatabaseError> {
        let row = sqlx::query(
            "SELECT id, run, title, chosen, overlap, created, created_by FROM label_queues WHERE id = $1",
        )
        .bind(id)
        .fetch_optional(&self.pool)
        .await?;
        row.as_ref().map(read_queue).transpose()
    }

    /// Attempts of a queue with their places.
    pub(crate) async fn items(&self, queue: &str) -> Result<Vec<(i64, String)>, DatabaseError> {
        let rows = sqlx::query("SELECT place, attempt FROM label_items WHERE queue = $1 ORDER BY place")
            .bind(queue)
            .fetch_all(&self.pool)
            .await?;
        rows.iter().map(|row| Ok((row.try_get("place")?, row.try_get("attempt")?))).collect()
    }

    /// The attempt at one place of a queue.
    pub(crate) async fn item(&self, queue: &str, place: i64) -> Result<Option<String>, DatabaseError> {
        let attempt: Option<String> =
            sqlx::query_scalar("SELECT attempt FROM label_items WHERE queue = $1 AND place = $2")
                .bind(queue)
                .bind(place)
                .fetch_optional(&self.pool)
                .await?;
        Ok(attempt)
    }

    pub(crate) async fn assignments(&self, queue: &str) -> Result<Vec<Assignment>, DatabaseError> {
        let rows = sqlx::query(
            "SELECT annotator, saved FROM label_assignments WHERE queue = $1 ORDER BY place, annotator",
        )
        .bind(queue)
        .fetch_all(&self.pool)
        .await?;
        rows.iter().map(read_assignment).collect()
    }

    /// Whether the attempt at this place was given to this person, and whether they are done with it.
    pub(crate) async fn assignment(
        &self,
        queue: &str,
        place: i64,
        annotator: &str,
    ) -> Result<Option<Assignment>, DatabaseError> {
        let row = sqlx::query(
            "SELECT annotator, saved FROM label_assignments \
             WHERE queue = $1 AND place = $2 AND annotator = $3",
        )
        .bind(queue)
        .bind(place)
        .bind(annotator)
        .fetch_optional(&self.pool)
        .await?;
        row.as_ref().map(read_assignment).transpose()
    }

    /// What this person labels next: what they have and did not finish, else the attempt that most need somebody.
    pub(crate) async fn take_next(
        &self,
        queue: &Queue,
        annotator: &str,
    ) -> Result<Option<i64>, DatabaseError> {
        let mut transaction = self.pool.begin().await?;
        // Writing first takes the lock, at whichever server: two who ask at once must not both become the last one.
        sqlx::query("UPDATE label_queues SET created = created WHERE id = $1")
            .bind(&queue.id)
            .execute(&mut *transaction)
            .await?;
        let own: Option<i64> = sqlx::query_scalar(
            "SELECT place FROM label_assignments WHERE queue = $1 AND annotator = $2 AND saved IS NULL \
             ORDER BY place LIMIT 1",
        )
        .bind(&queue.id)
        .bind(annotator)
        .fetch_optional(&mut *transaction)
        .await?;
        let next = match own {
            Some(_) => own,
            None => most_wanted(queue, annotator, &mut transaction).await?,
        };
        if let Some(place) = next {
            sqlx::query(
                "INSERT INTO label_assignments (queue, place, annotator, assigned) VALUES ($1, $2, $3, $4) \
                 ON CONFLICT (queue, place, annotator) DO UPDATE SET assigned = EXCLUDED.assigned",
            )
            .bind(&queue.id)
            .bind(place)
            .bind(annotator)
            .bind(now())
            .execute(&mut *transaction)
            .await?;
        }
        transaction.commit().await?;
        Ok(next)
    }

    pub(crate) async fn mark_saved(
        &self,
        queue: &str,
        place: i64,
        annotator: &str,
    ) -> Result<(), DatabaseError> {
        sqlx::query(
            "UPDATE label_assignments SET saved = $4 WHERE queue = $1 AND place = $2 AND annotator = $3",
        )
        .bind(queue)
        .bind(place)
        .bind(annotator)
        .bind(now())
        .execute(&self.pool)
        .await?;
        Ok(())
    }

    /// Whether this person is labelling this attempt, or any of the run, just now: then they may not see what others say.
    pub(crate) async fn is_labelling(
        &self,
        run: &str,
        attempt: Option<&str>,
        annotator: &str,
    ) -> Result<bool, DatabaseError> {
        let open: i64 = sqlx::query_scalar(
            "SELECT COUNT(*) FROM label_assignments AS given \
             JOIN label_items AS items ON items.queue = given.queue AND items.place = given.place \
             JOIN label_queues AS queues ON queues.id = given.queue \
             WHERE queues.run = $1 AND (items.attempt = $2 OR $2 = '') AND given.annotator = $3 AND given.saved IS NULL",
        )
        .bind(run)
        .bind(attempt.unwrap_or_default())
        .bind(annotator)
        .fetch_one(&self.pool)
        .await?;
        Ok(open > 0)
    }
}

impl Queue {
    pub(crate) fn new(run: &str, title: &str, chosen: &str, overlap: i64, created_by: &str) -> Self {
        Self {
            id: random_id(),
            run: run.to_owned(),
            title: title.to_owned(),
            chosen: chosen.to_owned(),
            overlap,
            created: now(),
            created_by: created_by.to_owned(),
        }
    }
}

fn read_queue(row: &AnyRow) -> Result<Queue, DatabaseError> {
    Ok(Queue {
        id: row.try_get("id")?,
        run: row.try_get("run")?,
        title: row.try_get("title")?,
        chosen: row.try_get("chosen")?,
        overlap: row.try_get("overlap")?,
        created: row.try_get("created")?,
        created_by: row.try_get("created_by")?,
    })
}

fn read_assignment(row: &AnyRow) -> Result<Assignment, DatabaseError> {
    Ok(Assignment {
        annotator: row.try_get("annotator")?,
        is_saved: row.try_get::<Option<i64>, _>("saved")?.is_some(),
    })
}

/// What most needs this person, of what they have not labelled. One that somebody began is preferred to one nobody looked
/// at: only what has all its labels can be compared.
async fn most_wanted(
    queue: &Queue,
    annotator: &str,
    connection: &mut AnyConnection,
) -> Result<Option<i64>, sqlx::Error> {
    sqlx::query_scalar(
        "SELECT items.place FROM label_items AS items \
         LEFT JOIN label_assignments AS given ON given.queue = items.queue AND given.place = items.place \
            AND (given.saved IS NOT NULL OR given.assigned >= $4) \
         WHERE items.queue = $1 AND NOT EXISTS (SELECT 1 FROM label_assignments AS mine \
            WHERE mine.queue = items.queue AND mine.place = items.place AND mine.annotator = $2) \
         GROUP BY items.place HAVING COUNT(given.annotator) < $3 \
         ORDER BY COUNT(given.annotator) DESC, items.place LIMIT 1",
    )
    .bind(&queue.id)
    .bind(annotator)
    .bind(queue.overlap)
    .bind(now() - LAPSES_AFTER)
    .fetch_optional(connection)
    .await
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn each_attempt_goes_to_as_many_people_as_it_needs_and_to_nobody_twice() {
        let database = Database::open("sqlite::memory:").await.expect("made");
        let queue = Queue::new("core-1", "all", "", 2, "op");
        let attempts = ["a/t1/1", "a/t2/1"].map(str::to_owned);
        database.add_queue(&queue, &attempts).await.expect("added");
        let mut given = Vec::new();
        for annotator in ["ann", "ben", "cem", "ann", "ben", "cem", "ann"] {
            let next = database.take_next(&queue, annotator).await.expect("taken");
            if let Some(place) = next {
                database.mark_saved(&queue.id, place, annotator).await.expect("saved");
            }
            given.push((annotator, next));
        }
        let wanted = [
            ("ann", Some(1)),
            ("ben", Some(1)),
            ("cem", Some(2)),
            ("ann", Some(2)),
            ("ben", None),
            ("cem", None),
            ("ann", None),
        ];
        assert_eq!(given, wanted);
    }

    #[tokio::test]
    async fn what_was_taken_and_not_finished_is_given_again_to_the_same_person() {
        let database = Database::open("sqlite::memory:").await.expect("made");
        let queue = Queue::new("core-1", "all", "", 1, "op");
        database.add_queue(&queue, &["a/t1/1", "a/t2/1"].map(str::to_owned)).await.expect("added");
        for _ in 0..2 {
            assert_eq!(database.take_next(&queue, "ann").await.expect("taken"), Some(1));
        }
        assert_eq!(database.take_next(&queue, "ben").await.expect("taken"), Some(2));
        assert!(database.is_labelling("core-1", Some("a/t1/1"), "ann").await.expect("asked"));
        assert!(!database.is_labelling("core-1", Some("a/t1/1"), "ben").await.expect("asked"));
        assert!(database.is_labelling("core-1", None, "ben").await.expect("asked"));
        assert!(!database.is_labelling("core-2", None, "ben").await.expect("asked"));
    }

    #[tokio::test]
    async fn what_was_left_for_hours_goes_to_somebody_else_and_is_still_theirs_who_took_it() {
        let database = Database::open("sqlite::memory:").await.expect("made");
        let queue = Queue::new("core-1", "all", "", 1, "op");
        database.add_queue(&queue, &["a/t1/1", "a/t2/1"].map(str::to_owned)).await.expect("added");
        assert_eq!(database.take_next(&queue, "ann").await.expect("taken"), Some(1));
        sqlx::query("UPDATE label_assignments SET assigned = assigned - $1")
            .bind(LAPSES_AFTER + 1)
            .execute(&database.pool)
            .await
            .expect("hours pass");
        assert_eq!(database.take_next(&queue, "ben").await.expect("taken"), Some(1));
        assert!(database.is_labelling("core-1", Some("a/t1/1"), "ann").await.expect("asked"), "still blind");
        database.mark_saved(&queue.id, 1, "ann").await.expect("saved");
        let late = database.assignment(&queue.id, 1, "ann").await.expect("asked");
        assert!(late.is_some_and(|given| given.is_saved), "what was typed is not lost");
        assert_eq!(database.take_next(&queue, "ann").await.expect("taken"), Some(2));
        assert_eq!(database.take_next(&queue, "cem").await.expect("taken"), None);
    }

    #[tokio::test]
    async fn whoever_takes_up_again_what_they_left_has_it_for_themselves() {
        let database = Database::open("sqlite::memory:").await.expect("made");
        let queue = Queue::new("core-1", "all", "", 1, "op");
        database.add_queue(&queue, &["a/t1/1"].map(str::to_owned)).await.expect("added");
        for _ in 0..2 {
            assert_eq!(database.take_next(&queue, "ann").await.expect("taken"), Some(1));
            sqlx::query("UPDATE label_assignments SET assigned = 0")
                .execute(&database.pool)
                .await
                .expect("hours pass");
        }
        assert_eq!(database.take_next(&queue, "ann").await.expect("taken"), Some(1));
        assert_eq!(database.take_next(&queue, "ben").await.expect("taken"), None);
    }
}
