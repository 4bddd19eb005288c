use umpire_agents::general_kinds;
use umpire_report::{console_table, summary};
use umpire_runner::{Plan, load_suite};
use umpire_store::Runs;

use crate::args::{DemoArgs, Global};
use crate::commands::conduct::Conduct;
use crate::commands::report::write_html;
use crate::commands::run::{carry_out, request_for};
use crate::config::Config;
use crate::console::Style;
use crate::exit::Exit;
use crate::failure::Failure;

/// Eight instances of the suite, so that a newcomer can watch all agents to the end: every site, every kind, a pair of
/// twins and an impossible one. `umpire run --suite demo` runs them all.
const SAMPLE: [&str; 8] = [
    "shop-trestle-order-date",
    "shop-no-samovar",
    "forum-top-post-1",
    "forum-upvote-newest",
    "hub-password-age",
    "hub-open-text-size",
    "hub-location-history@off",
    "hub-location-history@on",
];

pub async fn demo(args: &DemoArgs, global: &Global, config: &Config, runs: &Runs) -> Result<Exit, Failure> {
    let sample = SAMPLE.map(|id| format!("id={id}")).join(" or ");
    let request = request_for(&general_kinds(), Some(sample))?;
    let plan = Plan::build(load_suite("demo")?, request)?;
    let carried = carry_out(&plan, "demo", &Conduct::with_jobs(args.jobs), global, config, runs).await?;
    let summary = summary(&carried.run).map_err(|error| Failure::new(error.to_string()))?;
    let index = write_html(&carried.run, &args.out)?;
    if !global.json {
        say!("\nA sample of {} of the suite's instances; `umpire run --suite demo` runs all.", SAMPLE.len());
        say!("\n{}", console_table(&summary, Style::for_stdout(global.colour).colour));
        say!("{:>8} {:.1}s", "Took", carried.took.as_secs_f64());
        say!("{:>8} {}", "Report", index.display());
    }
    Ok(if carried.execution.tally.unfinished > 0 { Exit::Incomplete } else { Exit::Ok })
}
