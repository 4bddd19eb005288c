//! What all pages share.

use std::sync::Arc;

use tokio::sync::Semaphore;
use umpire_store::Runs;

use crate::accounts::{Keys, Limits};
use crate::board::Board;
use crate::contests::{Contests, Withheld};
use crate::database::Database;
use crate::films::FilmStudio;
use crate::index::RunIndex;
use crate::live::Live;
use crate::pages::Thumbnails;
use crate::pages::arena::Curtains;
use crate::security::Hosts;

/// Cheap to clone: every handler has one.
#[derive(Clone)]
pub(crate) struct App(Arc<Shared>);

pub(crate) struct Shared {
    pub runs: Runs,
    pub database: Database,
    pub index: Arc<RunIndex>,
    pub live: Live,
    pub keys: Keys,
    pub limits: Limits,
    pub hosts: Hosts,
    pub thumbnails: Thumbnails,
    /// Only those with an account may read.
    pub is_private: bool,
    /// Addresses are those the proxy names.
    pub is_behind_proxy: bool,
    /// Cookies go over encrypted connections, and over those that never leave the machine.
    pub secure_cookies: bool,
    /// Films and archives are made one at a time: each takes a core and some memory.
    pub exports: Arc<Semaphore>,
    /// Grouping what went wrong takes a core, and does not wait for films.
    pub groupings: Arc<Semaphore>,
    /// Checking a password takes 19 MB for a moment.
    pub password_checks: Arc<Semaphore>,
    /// Labels of a run are appended to a file; one writer at a time.
    pub label_writer: tokio::sync::Mutex<()>,
    /// Who gets which battle, and which vote is the last one it needs, is decided one at a time.
    pub vote_writer: tokio::sync::Mutex<()>,
    pub curtains: Curtains,
    pub board: Arc<Board>,
    /// None where visitors cannot ask for battles.
    pub contests: Option<Arc<Contests>>,
    pub withheld: Arc<Withheld>,
    /// None where nobody encodes films.
    pub films: Option<Arc<dyn FilmStudio>>,
}

impl App {
    pub(crate) fn new(shared: Shared) -> Self {
        Self(Arc::new(shared))
    }
}

impl std::ops::Deref for App {
    type Target = Shared;
    fn deref(&self) -> &Shared {
        &self.0
    }
}
