//! The running server.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use tokio::net::TcpListener;
use tokio::sync::{Semaphore, watch};
use tokio::task::JoinHandle;
use tokio::time::Instant;
use umpire_store::Runs;

use crate::accounts::{Keys, Limits, NewAccount, PasswordError, hashed, is_account_name};
use crate::board::Board;
use crate::connections::serve;
use crate::contests::{ArenaOptions, Contests, Withheld, call_off};
use crate::database::{Claim, Database, DatabaseError};
use crate::films::FilmStudio;
use crate::following::follow;
use crate::index::RunIndex;
use crate::live::Live;
use crate::pages::Thumbnails;
use crate::pages::arena::Curtains;
use crate::router::router;
use crate::security::Hosts;
use crate::state::{App, Shared};

/// Longest that a server takes to stop, whatever a database or a count of votes is still at.
const STOPS_WITHIN: Duration = Duration::from_secs(30);

#[derive(Clone, Debug)]
pub struct ServerOptions {
    /// The folder of all runs.
    pub runs: PathBuf,
    pub listen: SocketAddr,
    /// `sqlite:PATH` or `postgres://…`.
    pub database: String,
    /// Names under which others reach this server; without any, one that listens beyond this machine answers to all.
    pub hosts: Vec<String>,
    /// Pages are for those with an account only.
    pub is_private: bool,
    /// Cookies may go over unencrypted connections beyond this machine.
    pub allows_plain_http: bool,
    /// A proxy in front says who asks, in the last entry of `X-Forwarded-For`; without one anybody could claim anything.
    pub is_behind_proxy: bool,
    /// An account to make, or to give another password, before the first request.
    pub account: Option<NewAccount>,
    /// What visitors' ids are signed with. Without it each start has its own, and visitors of the last are strangers.
    pub secret: Option<String>,
    /// Visitors may ask for battles; who runs them, and within which limits.
    pub arena: Option<ArenaOptions>,
    /// Who encodes WebM films; without one there are GIFs.
    pub films: Option<Arc<dyn FilmStudio>>,
}

#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    #[error("cannot listen on {address}: {source}")]
    Listen { address: SocketAddr, source: std::io::Error },
    #[error(transparent)]
    Database(#[from] DatabaseError),
    #[error("`{0}` is no name for an account: use letters, digits, `.`, `_`, `-` and `@`")]
    Name(String),
    #[error(transparent)]
    Password(#[from] PasswordError),
    #[error("no randomness is to be had: {0}")]
    Random(getrandom::Error),
}

/// Serves from [`Server::bind`] until [`Server::stop`].
pub struct Server {
    address: SocketAddr,
    stopping: watch::Sender<bool>,
    serving: JoinHandle<()>,
    indexing: JoinHandle<()>,
    counting: JoinHandle<()>,
    following: JoinHandle<()>,
    conducting: Option<JoinHandle<()>>,
    /// Where there is an arena.
    claim: Option<Claim>,
    database: Database,
}

impl Server {
    pub async fn bind(options: ServerOptions) -> Result<Self, ServeError> {
        let database = Database::open(&options.database).await?;
        if let Some(NewAccount { name, role, password }) = &options.account {
            if !is_account_name(name) {
                return Err(ServeError::Name(name.clone()));
            }
            let hash = hashed(password)?;
            database.put_account(name, *role, &hash).await?;
            database.note("server", "account set", name).await?;
        }
        let listener = TcpListener::bind(options.listen)
            .await
            .map_err(|source| ServeError::Listen { address: options.listen, source })?;
        let address = listener.local_addr().unwrap_or(options.listen);
        let runs = Runs::new(&options.runs);
        let index = Arc::new(RunIndex::new(runs.clone(), database.clone()));
        let left_out = database.left_out_voters().await?.into_iter().map(|one| one.voter).collect();
        let board = Arc::new(Board::new(database.ballots().await?, left_out));
        let withheld = database.contest_runs().await?.into_iter().filter(|(_, is_voted)| !is_voted);
        let withheld = Arc::new(Withheld::new(withheld.map(|(run, _)| run)));
        let mut claim = database.claim_battles().await?;
        let contests = if let Some(arena) = options.arena {
            if claim.is_none() {
                return Err(DatabaseError::Claimed.into());
            }
            let (board, withheld) = (Arc::clone(&board), Arc::clone(&withheld));
            let knows_visitors = options.secret.is_some();
            let resumed = Contests::resume(arena, database.clone(), board, withheld, knows_visitors);
            Some(Arc::new(resumed.await?))
        } else {
            if claim.is_some() {
                // Nobody is going to run what an earlier server left.
                for battle in call_off(&database, true).await? {
                    database.call_off(&battle.id, "The arena was closed.").await?;
                }
            }
            // Whoever opens the arena later may have them.
            if let Some(claim) = claim.take() {
                claim.release().await;
            }
            None
        };
        let (stopping, stop) = watch::channel(false);
        let app = App::new(Shared {
            live: Live::new(Arc::clone(&index), contests.clone(), Arc::clone(&withheld), stop.clone()),
            index: Arc::clone(&index),
            runs,
            database: database.clone(),
            keys: Keys::new(options.secret.as_deref()).map_err(ServeError::Random)?,
            limits: Limits::default(),
            hosts: Hosts::new(address.ip().is_loopback(), &options.hosts),
            thumbnails: Thumbnails::default(),
            is_private: options.is_private,
            is_behind_proxy: options.is_behind_proxy,
            secure_cookies: !options.allows_plain_http,
            exports: Arc::new(Semaphore::new(1)),
            groupings: Arc::new(Semaphore::new(1)),
            password_checks: Arc::new(Semaphore::new(2)),
            label_writer: tokio::sync::Mutex::new(()),
            vote_writer: tokio::sync::Mutex::new(()),
            curtains: Curtains::default(),
            board: Arc::clone(&board),
            contests: contests.clone(),
            withheld: Arc::clone(&withheld),
            films: options.films,
        });
        let following = follow(database.clone(), Arc::clone(&board), withheld, stop.clone());
        let following = tokio::spawn(following);
        let counting = tokio::spawn(board.keep_fresh(stop.clone()));
        let conducting = contests.map(|contests| tokio::spawn(contests.conduct(stop.clone())));
        let serving = tokio::spawn(serve(listener, router(app), options.is_behind_proxy, stop));
        // Runs that nobody opened yet are counted beforehand, the newest first.
        let indexing = tokio::spawn(async move { index.catch_up().await });
        Ok(Self { address, stopping, serving, indexing, counting, following, conducting, claim, database })
    }

    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Answers what is under way, ends streams, and returns once the database is closed, or when it takes too long.
    pub async fn stop(self) {
        let until = Instant::now() + STOPS_WITHIN;
        let _ = self.stopping.send(true);
        self.indexing.abort();
        let tasks = [
            ("requests", Some(self.serving)),
            ("the count of votes", Some(self.counting)),
            ("the look for votes cast elsewhere", Some(self.following)),
            ("battles under way", self.conducting),
        ];
        for (what, task) in tasks {
            let Some(mut task) = task else { continue };
            if !ends_by(until, what, &mut task).await {
                task.abort();
            }
        }
        if let Some(claim) = self.claim {
            ends_by(until, "the claim on battles", claim.release()).await;
        }
        ends_by(until, "the database", self.database.close()).await;
    }
}

/// False if it was not waited for any longer, which whoever stopped the server is told.
async fn ends_by(until: Instant, what: &str, ending: impl Future) -> bool {
    let is_over = tokio::time::timeout_at(until, ending).await.is_ok();
    if !is_over {
        eprintln!("umpire serve: stopped without waiting longer for {what}");
    }
    is_over
}
