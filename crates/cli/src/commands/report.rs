use std::path::{Path, PathBuf};

use umpire_report::{console_table, summary};
use umpire_store::Run;

use crate::args::{Global, ReportArgs};
use crate::console::Style;
use crate::exit::Exit;
use crate::failure::Failure;

pub fn report(args: &ReportArgs, global: &Global, run: &Run) -> Result<Exit, Failure> {
    let summary = summary(run).map_err(|error| Failure::new(error.to_string()))?;
    if global.json {
        say!("{}", serde_json::to_string(&summary).unwrap_or_default());
    } else {
        say!("{}", console_table(&summary, Style::for_stdout(global.colour).colour));
    }
    if !args.no_html {
        let index = write_html(run, &args.out)?;
        if !global.json {
            say!("  Report {}", index.display());
        }
    }
    Ok(if summary.attempts.is_empty() { Exit::NothingRan } else { Exit::Ok })
}

/// Writes the HTML report and returns its first page.
pub fn write_html(run: &Run, out: &Path) -> Result<PathBuf, Failure> {
    umpire_report::write_html(run, out).map_err(|error| {
        Failure::new(format!("the report could not be written to {}: {error}", out.display()))
            .help("choose another folder with --out")
    })?;
    Ok(out.join("index.html"))
}
