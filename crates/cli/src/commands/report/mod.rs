mod written;

use std::path::{Path, PathBuf};

use umpire_report::{console_table, rows, summary};
use umpire_store::Run;

use super::run::say_unmet;
use crate::args::{Global, ReportArgs, ReportFormat};
use crate::console::Style;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::gate::Gate;
use written::{Place, Report};

pub fn report(args: &ReportArgs, global: &Global, run: &Run) -> Result<Exit, Failure> {
    let gate = args.gate.as_deref().map(Gate::parse).transpose()?;
    let formats = formats(args);
    let place = Place::of(&args.out, &formats)?;
    let summary = summary(run)?;
    let rows = rows(run, &summary)?;
    if global.json {
        say!("{}", serde_json::to_string(&summary).unwrap_or_default());
    } else if place != Place::Stdout {
        say!("{}", console_table(&summary, Style::for_stdout(global.colour).colour));
    }
    let report = Report { run, summary: &summary, rows: &rows, quiet: global.json };
    for format in formats {
        report.write(format, &place)?;
    }
    let unmet = gate.map(|gate| gate.unmet(&summary, &rows)).unwrap_or_default();
    say_unmet(&unmet);
    Ok(match (summary.attempts.is_empty(), unmet.is_empty()) {
        (true, _) => Exit::NothingRan,
        (_, false) => Exit::GateFailed,
        _ => Exit::Ok,
    })
}

fn formats(args: &ReportArgs) -> Vec<ReportFormat> {
    let default = if args.no_html { Vec::new() } else { vec![ReportFormat::Html] };
    let mut formats = if args.formats.is_empty() { default } else { args.formats.clone() };
    formats.retain(|format| !(args.no_html && *format == ReportFormat::Html));
    let mut seen = Vec::new();
    formats.retain(|format| {
        let is_new = !seen.contains(format);
        seen.push(*format);
        is_new
    });
    formats
}

/// Writes the HTML report and returns its first page.
pub fn write_html(run: &Run, out: &Path) -> Result<PathBuf, Failure> {
    umpire_report::write_html(run, out).map_err(|error| {
        Failure::new(format!("the report could not be written to {}: {error}", out.display()))
            .help("choose another folder with --out")
    })?;
    Ok(out.join("index.html"))
}
