use std::path::Path;

use crate::args::InitArgs;
use crate::exit::Exit;
use crate::failure::Failure;

const FILES: &[(&str, &str)] = &[
    ("umpire.toml", include_str!("../../templates/init/umpire.toml")),
    ("agent.py", include_str!("../../templates/init/agent.py")),
    ("suite/suite.toml", include_str!("../../templates/init/suite.toml")),
    ("suite/tasks.jsonl", include_str!("../../templates/init/tasks.jsonl")),
];

/// Writes a suite of two tasks and an agent that run at once. Never overwrites anything.
pub fn init(args: &InitArgs) -> Result<Exit, Failure> {
    if let Some((name, _)) = FILES.iter().find(|(name, _)| args.dir.join(name).exists()) {
        return Err(Failure::new(format!("{} is already there", args.dir.join(name).display()))
            .help("choose an empty folder: umpire init my-suite"));
    }
    for (name, text) in FILES {
        write_new(&args.dir.join(name), text)?;
        say!("  wrote {}", args.dir.join(name).display());
    }
    if args.dir == Path::new(".") {
        say!("\nnext: umpire run");
    } else {
        say!("\nnext: cd {} && umpire run", args.dir.display());
    }
    Ok(Exit::Ok)
}

fn write_new(path: &Path, text: &str) -> Result<(), Failure> {
    let explain = |error: std::io::Error| Failure::new(format!("{}: {error}", path.display()));
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder).map_err(explain)?;
    }
    std::fs::write(path, text).map_err(explain)
}
