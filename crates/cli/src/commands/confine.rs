use umpire_process::confine::{Ports, exec_without};

use crate::args::ConfineArgs;
use crate::failure::Failure;

/// Gives up access to the hidden paths and ports, then becomes the command. Returns only if that failed.
pub fn confine(args: &ConfineArgs) -> Failure {
    let ports = Ports { open: args.ports.clone(), closed: args.closed.clone() };
    match exec_without(&args.hidden, &ports, &args.command) {
        Ok(never) => match never {},
        Err(error) => Failure::new(error.to_string()),
    }
}
