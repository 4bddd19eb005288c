//! Many attempts begin and end in the same millisecond. What is asked while the database answers goes with the next
//! statement, so a lone request waits for nobody and a thousand cost little more than one.

use std::sync::Arc;

use sqlx::PgPool;
use tokio::sync::{mpsc, oneshot};
use umpire_model::Deadline;

use super::begin::{Beginning, Begun, begin_all};
use super::results::{Committed, NewResult, commit_all};
use crate::patience::Service;
use crate::{FleetError, Timing};

const MOST_AT_ONCE: usize = 1000;

type Asked<I, O> = (I, oneshot::Sender<Result<O, FleetError>>);

/// Requests of one kind, answered in batches.
#[derive(Debug)]
pub(super) struct Batch<I, O>(mpsc::UnboundedSender<Asked<I, O>>);

impl<I, O> Clone for Batch<I, O> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

#[derive(Clone, Debug)]
pub(super) struct Batches {
    pub(super) begin: Batch<Beginning, Begun>,
    pub(super) commit: Batch<NewResult, Committed>,
}

impl Batches {
    pub(super) fn start(pool: &PgPool, timing: Timing, service: &Service) -> Self {
        let begin = {
            let (pool, service) = (pool.clone(), service.clone());
            Batch::start(timing, service, move |asked: Arc<Vec<Beginning>>| {
                let pool = pool.clone();
                async move { begin_all(&pool, &asked, timing).await }
            })
        };
        let commit = {
            let (pool, service) = (pool.clone(), service.clone());
            Batch::start(timing, service, move |asked: Arc<Vec<NewResult>>| {
                let pool = pool.clone();
                async move { commit_all(&pool, &asked).await }
            })
        };
        Self { begin, commit }
    }
}

impl<I: Send + Sync + 'static, O: Send + 'static> Batch<I, O> {
    fn start<F, R>(timing: Timing, service: Service, answer: F) -> Self
    where
        F: Fn(Arc<Vec<I>>) -> R + Send + Sync + 'static,
        R: Future<Output = Result<Vec<O>, FleetError>> + Send,
    {
        let (send, mut receive) = mpsc::unbounded_channel::<Asked<I, O>>();
        // Ends when the last asker is gone.
        tokio::spawn(async move {
            let mut asked = Vec::new();
            while receive.recv_many(&mut asked, MOST_AT_ONCE).await > 0 {
                let (questions, askers): (Vec<I>, Vec<_>) = asked.drain(..).unzip();
                let questions = Arc::new(questions);
                let deadline = Deadline::after(timing.outage);
                let answers = {
                    let asking = || answer(Arc::clone(&questions));
                    service.ask(deadline, asking).await
                };
                match answers {
                    Ok(answers) => {
                        for (asker, one) in askers.into_iter().zip(answers) {
                            let _ = asker.send(Ok(one));
                        }
                    }
                    Err(error) => {
                        for asker in askers {
                            let _ = asker.send(Err(for_each(&error)));
                        }
                    }
                }
            }
        });
        Self(send)
    }

    pub(super) async fn ask(&self, question: I) -> Result<O, FleetError> {
        let (asker, answer) = oneshot::channel();
        self.0.send((question, asker)).map_err(|_| FleetError::Closing)?;
        answer.await.map_err(|_| FleetError::Closing)?
    }
}

/// What went wrong for all, for one of them. An outage stays one: what is refused is not waited for.
fn for_each(error: &FleetError) -> FleetError {
    match error {
        FleetError::OutOfPatience { what, problem } => {
            FleetError::OutOfPatience { what, problem: problem.clone() }
        }
        refusal => FleetError::Refused(refusal.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::patience::Voice;

    #[tokio::test]
    async fn all_who_asked_together_are_told_a_refusal_from_an_outage() {
        let timing = Timing { outage: Duration::from_millis(20), ..Timing::default() };
        let service = Service::new("the index", Duration::from_secs(1), Voice::silent());
        let batch: Batch<bool, ()> = Batch::start(timing, service, |are_away: Arc<Vec<bool>>| async move {
            Err(if are_away[0] {
                FleetError::Index(sqlx::Error::PoolTimedOut)
            } else {
                FleetError::NoSuchRun("x".to_owned())
            })
        });
        for is_away in [true, false] {
            let (one, other) = tokio::join!(batch.ask(is_away), batch.ask(is_away));
            for told in [one, other] {
                let told = told.expect_err("nothing went well");
                assert_eq!(matches!(told, FleetError::OutOfPatience { .. }), is_away, "{told}");
                assert_eq!(matches!(told, FleetError::Refused(_)), !is_away, "{told}");
                assert!(!told.is_passing(), "nobody asks again at once: {told}");
            }
        }
    }
}
