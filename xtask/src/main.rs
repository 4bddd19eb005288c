//! Developer chores: `cargo xtask demo | test | clients | bench … | check-suites | both-ways | miniwob | browsergym | model-e2e | webarena-export | coverage | kill-test | fuzz | deny`.
//!
//! Each does all of its own set-up. `demo` and `test` are the README's two commands.

mod bench;
mod bench_agents;
mod bench_judges;
mod bench_ratings;
mod bench_recall;
mod bench_report;
mod bench_rules;
mod bench_subset;
mod both_ways;
mod chores;
mod kill_test;
mod miniwob;
mod model_e2e;
mod model_judges;
mod setup;
mod webarena_export;

use std::process::ExitCode;

const USAGE: &str = "\
usage: cargo xtask COMMAND

  demo            build, run the built-in suite with the built-in agents, write the report
  test            all tests, real Chromium included; what CI runs
  clients         fetch every client the tests know, browser-use included, which `test` leaves out for its size
  bench [NAME]    measure: step, world, start, smoke, rules, looks, voyager, crowd, judges, ratings, recall, subset, report, or all (release build)
  check-suites    the suites' own checks, with the oracle, the naive agents and near misses of right attempts
  both-ways       the suite privacy with its initial states made and with them replayed, by the oracle
  miniwob [N] [E] rewards of MiniWoB++ against those of the package's own environment, N seeds, environments E
  browsergym [N] [E]  an agent made for BrowserGym in its own environment of MiniWoB++ and in ours, N seeds
  model-e2e [M] [FLAGS]  a real model behind a real server over the suite smoke: smol (small, quick) or q15 (larger, slow);
                  flags of `umpire run` choose a part: --filter id=hub-password-age --agent occam --actions 8
  model-e2e judges  the larger one as a judge of right attempts and near misses, with its report card
  webarena-export what is exported for WebArena Verified, judged by its released evaluator
  coverage        how often 95 % intervals hold the truth, on simulated data
  kill-test       kill -9 the runner at ten random moments, resume, and count
  fuzz [S] [NAME] arbitrary bytes for every reader, S seconds each
  deny            licences, sources and duplicate versions of dependencies";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let result = match words.as_slice() {
        ["demo", rest @ ..] => chores::demo(rest),
        ["test", rest @ ..] => chores::test(rest),
        ["clients"] => setup::ensure_all_clients(),
        ["bench", rest @ ..] => bench::bench(rest),
        ["check-suites"] => chores::check_suites(),
        ["both-ways"] => both_ways::both_ways(),
        ["miniwob", rest @ ..] => miniwob::miniwob(rest),
        ["browsergym", rest @ ..] => miniwob::browsergym(rest),
        ["model-e2e", rest @ ..] => model_e2e::model_e2e(rest),
        ["webarena-export"] => webarena_export::webarena_export(),
        ["coverage"] => chores::coverage(),
        ["kill-test", rest @ ..] => kill_test::kill_test(rest),
        ["fuzz", rest @ ..] => chores::fuzz(rest),
        ["deny"] => chores::deny(),
        _ => Err(USAGE.to_owned()),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(problem) => {
            eprintln!("{problem}");
            ExitCode::FAILURE
        }
    }
}
