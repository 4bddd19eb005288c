//! `umpire failures`: what goes wrong, groups of it, tasks that provoke it, and who it happens to.

mod asking;
mod groups;
mod table;
mod tasks;

use umpire_store::Runs;

use crate::args::{FailuresCommand, Global};
use crate::config::Config;
use crate::exit::Exit;
use crate::failure::Failure;

pub async fn failures(
    command: &FailuresCommand,
    global: &Global,
    config: &Config,
    runs: &Runs,
) -> Result<Exit, Failure> {
    match command {
        FailuresCommand::Cluster(args) => groups::cluster(args, global, config, runs).await,
        FailuresCommand::Tasks(args) => tasks::tasks(args, global, config).await,
        FailuresCommand::Table(args) => {
            table::table(args, &crate::open(runs, args.run.as_deref())?, global.json)
        }
    }
}
