//! `umpire persona`: histories of people, what is found in them, and what agents made of that.

mod evidence;
mod generate;
mod lookup;
mod score;

use umpire_store::Runs;

use crate::args::PersonaCommand;
use crate::exit::Exit;
use crate::failure::Failure;

pub fn persona(command: &PersonaCommand, runs: &Runs, as_json: bool) -> Result<Exit, Failure> {
    match command {
        PersonaCommand::Generate(args) => generate::generate(args, as_json),
        PersonaCommand::Index(args) => lookup::index(args, as_json),
        PersonaCommand::Retrieve(args) => lookup::retrieve(args, as_json),
        PersonaCommand::Score(args) => score::score(args, runs, as_json),
    }
}
