use crate::args::ConfineArgs;
use crate::failure::Failure;

/// Gives up access to the hidden paths and ports, then becomes the command. Returns only if that failed.
pub fn confine(args: &ConfineArgs) -> Failure {
    match umpire_process::confine::exec_without(&args.hidden, &args.ports, &args.command) {
        Ok(never) => match never {},
        Err(error) => Failure::new(error.to_string()),
    }
}
