//! `umpire persona`: histories of people, what is found in them, and what agents made of that.

mod by_model;
mod check;
mod evidence;
mod generate;
mod left;
mod lookup;
mod score;
mod score_table;

use umpire_llm::GatewayOptions;
use umpire_store::Runs;

use crate::args::{Global, PersonaCommand};
use crate::config::Config;
use crate::exit::Exit;
use crate::failure::Failure;

pub async fn persona(
    command: &PersonaCommand,
    runs: &Runs,
    global: &Global,
    config: &Config,
) -> Result<Exit, Failure> {
    let gateway = || config.gateway(&GatewayOptions::default());
    match command {
        PersonaCommand::Generate(args) => generate::generate(args, global, config).await,
        PersonaCommand::Check(args) => check::check(args, global.json),
        PersonaCommand::Index(args) => lookup::index(args, &gateway()?, global.json),
        PersonaCommand::Retrieve(args) => lookup::retrieve(args, &gateway()?, global.json),
        PersonaCommand::Score(args) => score::score(args, runs, &gateway()?, global.json),
    }
}
