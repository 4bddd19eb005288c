//! Servers restart and networks break. Whoever asks one of them asks again, for as long as it has time, and a person is told
//! once that it is away and once that it is back.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::time::Duration;

use umpire_model::Deadline;

use crate::FleetError;

/// Who tells a person what happens to the fleet.
#[derive(Clone)]
pub struct Voice(Arc<dyn Fn(&str) + Send + Sync>);

impl Voice {
    pub fn new(say: impl Fn(&str) + Send + Sync + 'static) -> Self {
        Self(Arc::new(say))
    }

    /// For those whose failures are told in another way.
    pub fn silent() -> Self {
        Self::new(|_| {})
    }

    pub fn say(&self, text: &str) {
        (self.0)(text);
    }
}

impl fmt::Debug for Voice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Voice")
    }
}

const FIRST_PAUSE: Duration = Duration::from_millis(50);
const LONGEST_PAUSE: Duration = Duration::from_secs(2);
/// What is over before anybody would notice is not worth a word.
const SILENT_TRIES: u32 = 2;

/// One server, and whether it is known to be away.
#[derive(Clone, Debug)]
pub(crate) struct Service {
    what: &'static str,
    /// For one request. A connection may be dead without anybody having said so.
    limit: Duration,
    is_away: Arc<AtomicBool>,
    /// In a row, of those who ask again by themselves.
    failures: Arc<AtomicU32>,
    voice: Voice,
}

impl Service {
    pub(crate) fn new(what: &'static str, limit: Duration, voice: Voice) -> Self {
        Self { what, limit, is_away: Arc::default(), failures: Arc::default(), voice }
    }

    /// For those who ask again by themselves: tells a person as [`Service::ask`] would.
    pub(crate) fn note(&self, failure: Option<&FleetError>) {
        match failure {
            None if self.failures.swap(0, Ordering::Relaxed) > SILENT_TRIES => self.say_back(),
            Some(error) if self.failures.fetch_add(1, Ordering::Relaxed) == SILENT_TRIES => {
                self.say_away(&error.to_string());
            }
            _ => {}
        }
    }

    fn say_away(&self, problem: &str) {
        if !self.is_away.swap(true, Ordering::Relaxed) {
            self.voice.say(&format!("{} cannot be reached: {problem}; trying again", self.what));
        }
    }

    fn say_back(&self) {
        if self.is_away.swap(false, Ordering::Relaxed) {
            self.voice.say(&format!("{} is back", self.what));
        }
    }

    /// Asks until there is an answer, an error that will not pass, or no time.
    pub(crate) async fn ask<T, F, R>(&self, deadline: Deadline, mut request: F) -> Result<T, FleetError>
    where
        F: FnMut() -> R + Send,
        R: Future<Output = Result<T, FleetError>> + Send,
    {
        let mut pause = FIRST_PAUSE;
        let mut tries = 0;
        loop {
            let limit = deadline.within(self.limit).at();
            let problem = match tokio::time::timeout_at(limit.into(), request()).await {
                Ok(Ok(answer)) => {
                    if tries > SILENT_TRIES {
                        self.say_back();
                    }
                    return Ok(answer);
                }
                Ok(Err(error)) if !error.is_passing() => return Err(error),
                Ok(Err(error)) => error.to_string(),
                Err(_) => "no answer".to_owned(),
            };
            tries += 1;
            if tries > SILENT_TRIES {
                self.say_away(&problem);
            }
            if deadline.left() <= pause {
                return Err(FleetError::OutOfPatience { what: self.what, problem });
            }
            tokio::time::sleep(jittered(pause)).await;
            pause = (pause * 2).min(LONGEST_PAUSE);
        }
    }
}

/// So that a thousand workers do not all come back in the same millisecond.
pub(crate) fn jittered(span: Duration) -> Duration {
    span.mul_f64(0.5 + fastrand::f64() / 2.0)
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use super::*;

    const LONG: Duration = Duration::from_secs(100);

    fn heard() -> (Voice, Arc<Mutex<Vec<String>>>) {
        let said: Arc<Mutex<Vec<String>>> = Arc::default();
        let voice = {
            let said = Arc::clone(&said);
            Voice::new(move |text| said.lock().expect("nobody panics").push(text.to_owned()))
        };
        (voice, said)
    }

    #[tokio::test(start_paused = true)]
    async fn an_outage_is_told_once_and_so_is_its_end() {
        let (voice, said) = heard();
        let service = Service::new("the queue", LONG, voice);
        let tries = AtomicU32::new(0);
        let answer = service
            .ask(Deadline::after(Duration::from_mins(1)), || async {
                match tries.fetch_add(1, Ordering::Relaxed) {
                    0..6 => Err(FleetError::Queue("refused".to_owned())),
                    _ => Ok(7),
                }
            })
            .await;
        assert_eq!(answer.expect("it came back"), 7);
        let said = said.lock().expect("nobody panics").clone();
        assert_eq!(
            said,
            ["the queue cannot be reached: the queue (refused); trying again", "the queue is back"]
        );
    }

    #[tokio::test]
    async fn what_will_not_pass_is_not_asked_again() {
        let service = Service::new("the index", LONG, Voice::silent());
        let tries = AtomicU32::new(0);
        let answer: Result<(), _> = service
            .ask(Deadline::after(Duration::from_mins(1)), || async {
                tries.fetch_add(1, Ordering::Relaxed);
                Err(FleetError::NoSuchRun("x".to_owned()))
            })
            .await;
        assert!(matches!(answer, Err(FleetError::NoSuchRun(_))));
        assert_eq!(tries.load(Ordering::Relaxed), 1);
    }

    #[tokio::test]
    async fn patience_has_an_end_even_if_the_server_says_nothing_at_all() {
        let service = Service::new("the index", LONG, Voice::silent());
        let deadline = Deadline::after(Duration::from_millis(120));
        let answer: Result<(), _> = service.ask(deadline, std::future::pending).await;
        assert!(matches!(answer, Err(FleetError::OutOfPatience { .. })), "{answer:?}");
    }
}
