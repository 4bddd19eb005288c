//! Arguments of commands that set the stage: recordings, accounts, secrets.

use std::path::PathBuf;

use clap::{Args, Subcommand};
use umpire_stage::import::RecordingFormat;

#[derive(Debug, Subcommand)]
pub enum SessionsCommand {
    /// Make sessions of recordings from elsewhere
    Import(SessionsImportArgs),
    /// List the steps of a session, or of what a recording would become
    Show {
        /// A session, or a recording that can be imported
        file: PathBuf,
    },
    /// Make sessions of a suite's reference actions, one for all the states of a task, and try each state
    Make(SessionsMakeArgs),
}

#[derive(Debug, Args)]
pub struct SessionsMakeArgs {
    /// Built-in suite or folder of a suite whose sites are built in
    #[arg(long, env = "UMPIRE_SUITE", value_name = "NAME|DIR")]
    pub suite: String,
    /// Only tasks with an instance that matches
    #[arg(long, env = "UMPIRE_FILTER", value_name = "EXPR")]
    pub filter: Option<String>,
    /// File for the sessions, one a line
    #[arg(long, env = "UMPIRE_OUT", default_value = "sessions.jsonl", value_name = "FILE")]
    pub out: PathBuf,
}

#[derive(Debug, Args)]
pub struct SessionsImportArgs {
    /// Traces of WebSP-Eval, or JSON from the recorder panel of Chrome `DevTools`
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// websp or devtools [default: what the file looks like]
    #[arg(long, value_name = "FORMAT")]
    pub format: Option<RecordingFormat>,
    /// Folder for the sessions
    #[arg(long, env = "UMPIRE_OUT", default_value = "sessions", value_name = "DIR")]
    pub out: PathBuf,
}

#[derive(Debug, Subcommand)]
pub enum AccountCommand {
    /// Log in by the account's recorded session, and keep what the browser remembers, encrypted
    Capture(AccountArgs),
    /// Say whether an attempt would begin logged in, and how
    Check(AccountArgs),
    /// Keep a storage state that was made elsewhere, in Playwright's format
    Import {
        /// Name of the account in umpire.toml
        name: String,
        file: PathBuf,
    },
    /// Write what is remembered as a storage state for Playwright; whoever has the file is logged in
    Export {
        /// Name of the account in umpire.toml
        name: String,
        #[arg(long, value_name = "FILE")]
        out: PathBuf,
    },
}

#[derive(Debug, Args)]
pub struct AccountArgs {
    /// Name of the account in umpire.toml
    pub name: String,
    /// Seed of the world, if the site is a built-in one
    #[arg(long, env = "UMPIRE_SEED", default_value_t = 7)]
    pub seed: u64,
    /// Merge patch on the state of a built-in site, as JSON
    #[arg(long, value_name = "JSON")]
    pub world: Option<String>,
}

#[derive(Debug, Subcommand)]
pub enum VaultCommand {
    /// Make an empty vault
    Init(VaultArgs),
    /// Keep a secret; its value is asked for, or read from standard input
    Set {
        /// Such as accounts/shop/password
        name: String,
        #[command(flatten)]
        place: VaultArgs,
    },
    /// Say if a secret is there
    Get {
        name: String,
        /// Print it
        #[arg(long)]
        reveal: bool,
        #[command(flatten)]
        place: VaultArgs,
    },
    /// Names of the secrets
    List(VaultArgs),
    /// Forget a secret
    Remove {
        name: String,
        #[command(flatten)]
        place: VaultArgs,
    },
}

/// Which vault. A passphrase is taken from `UMPIRE_VAULT_PASSPHRASE` or asked for.
#[derive(Debug, Default, Args)]
pub struct VaultArgs {
    /// The vault's file [env: `UMPIRE_VAULT`] [default: umpire.vault, or what umpire.toml says]
    #[arg(long, value_name = "FILE")]
    pub vault: Option<PathBuf>,
    /// File with the age identity that opens it, instead of a passphrase [env: `UMPIRE_VAULT_IDENTITY`]
    #[arg(long, value_name = "FILE")]
    pub identity: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub struct RecordArgs {
    /// Where to begin; a built-in site, such as hub.localhost, is served from this binary
    #[arg(required_unless_present = "from")]
    pub url: Option<String>,
    /// Name of the session: NAME.session.json, and pictures in NAME/
    #[arg(long, env = "UMPIRE_NAME", required_unless_present = "from")]
    pub name: Option<String>,
    /// Make a session of what the extension recorded by itself and exported
    #[arg(long, value_name = "FILE", conflicts_with = "url")]
    pub from: Option<PathBuf>,
    /// Folder for them
    #[arg(long, env = "UMPIRE_OUT", default_value = ".", value_name = "DIR")]
    pub out: PathBuf,
    /// Record over the protocol alone, without the extension and its popup
    #[arg(long, env = "UMPIRE_NO_EXTENSION")]
    pub no_extension: bool,
    /// Without a window, to see whether it works
    #[arg(long, env = "UMPIRE_HEADLESS")]
    pub headless: bool,
    /// Stop after so many seconds
    #[arg(long, env = "UMPIRE_SECONDS")]
    pub seconds: Option<u64>,
    /// Seed of the built-in sites
    #[arg(long, env = "UMPIRE_SEED", default_value_t = 7)]
    pub seed: u64,
}

#[derive(Debug, Args)]
pub struct ReplayArgs {
    /// The session: NAME.session.json
    pub trace: PathBuf,
    /// How its controls are to stand: `on`, `off`, `recorded`, or the label of an option
    #[arg(long, env = "UMPIRE_STATE", default_value = "recorded", value_name = "on|off|recorded|OPTION")]
    pub state: String,
    /// Another state for one control, by the number of its step or by its name; may be repeated
    #[arg(long, value_name = "CONTROL=STATE")]
    pub set: Vec<String>,
    /// Only read the controls; change nothing
    #[arg(long)]
    pub verify_only: bool,
    /// Rewrite the trace where elements had to be found by other means; the old one is kept as TRACE.bak
    #[arg(long, conflicts_with = "verify_only")]
    pub update: bool,
    /// Replay at this address instead of the recorded one
    #[arg(long, env = "UMPIRE_SITE", value_name = "URL")]
    pub site: Option<String>,
    /// Seed of the built-in sites
    #[arg(long, env = "UMPIRE_SEED", default_value_t = 7)]
    pub seed: u64,
    /// Folder of the files it uploads [default: the current one]
    #[arg(long, value_name = "DIR")]
    pub files: Option<PathBuf>,
    /// Where to write the picture of a failure [default: TRACE.failed.jpg]
    #[arg(long, value_name = "FILE")]
    pub picture: Option<PathBuf>,
    /// Longest the whole replay may take
    #[arg(long, env = "UMPIRE_SECONDS", default_value_t = 180)]
    pub seconds: u64,
}
