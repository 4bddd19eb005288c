//! The pages: runs, attempts, comparisons, labels, the arena and its leaderboard.
//!
//! One process serves everything: pages rendered here, assets compiled in, a database for what the files of runs do not
//! hold. The files stay the truth: the [`index`] in the database is derived from them and can be thrown away, labels
//! are appended to the run they are about, and only accounts, sessions, queues, battles with their ballots and the audit
//! log live in the database.
//!
//! What pages show was written by hostile pages and agents. It is shown as escaped text and as images, never as
//! markup; the policy of every response allows no inline script and no foreign host; and what is handed out for
//! download is sandboxed. Forms are read through [`accounts::Checked`] alone, which refuses one without its token.
//!
//! Each family of pages is a module under `pages`, each family of tables one under `database`.

mod accounts;
mod assets;
mod board;
mod clock;
mod connections;
mod contests;
mod database;
mod error;
mod films;
mod following;
mod frame;
mod index;
mod live;
mod pages;
mod router;
mod security;
mod server;
mod state;
mod turns;

pub use accounts::{NewAccount, Role};
pub use contests::{
    Answering, ArenaOptions, Begun, Contest, Moderator, OfferedSite, OfferedSuite, OfferedTask, Offers,
    Playing, Stagehand, Unplayed, Wish,
};
pub use database::{Database, DatabaseError};
pub use films::{Encoder, FilmStudio, Starting};
pub use index::{IndexError, IndexedRun, RunIndex};
pub use server::{ServeError, Server, ServerOptions};
