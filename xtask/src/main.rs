//! Developer chores: `cargo xtask demo | test | clients | bench … | check-suites | gallery | both-ways | persona | miniwob | browsergym | model-e2e | webarena-export | deploy | coverage | kill-test | soak | chaos | simulate | fuzz | deny`.
//!
//! Each does all of its own set-up. `demo` and `test` are the README's two commands.

mod bench;
mod bench_against;
mod bench_agents;
mod bench_judges;
mod bench_ratings;
mod bench_recall;
mod bench_report;
mod bench_rules;
mod bench_server;
mod bench_subset;
mod both_ways;
mod chaos;
mod check_suites;
mod chores;
mod deploy;
mod fleet;
mod gallery;
mod kill_test;
mod miniwob;
mod model_e2e;
mod model_judges;
mod model_outcomes;
mod persona;
mod ports;
mod process_tree;
mod setup;
mod soak;
mod tests;
mod webarena_export;

#[path = "../../crates/fleet/tests/fleet/blows.rs"]
mod blows;
#[path = "../../crates/backend/tests/backends/servers.rs"]
#[allow(dead_code, reason = "of the servers there not all are wanted here")]
mod servers;
#[path = "../../crates/fleet/tests/fleet/wire.rs"]
mod wire;

use std::process::ExitCode;

const USAGE: &str = "\
usage: cargo xtask COMMAND

  demo            build, run the built-in suite with the built-in agents, write the report
  test            all tests, real Chromium included; what CI runs
  clients         fetch every client the tests know, as `test` does
  bench [NAME]    measure: step, world, start, smoke, rules, looks, voyager, crowd, judges, ratings, recall, subset, report, server, fleet, against [REVISION] (an earlier one), or all but the last (release build)
  check-suites [S]  the suites' own checks, with the oracle, the naive agents and near misses of right attempts: suites S, or all;
                  what was found is kept in suites/checked.jsonl
  gallery [WORD]  pictures of every site's main pages, into target/gallery
  both-ways       the suite privacy with its initial states made and with them replayed, by the oracle
  persona         oracle, recaller and stranger on every wish that leaves all unsaid, and both ways of searching histories
  miniwob [N] [E] rewards of MiniWoB++ against those of the package's own environment, N seeds, environments E
  browsergym [N] [E]  an agent made for BrowserGym in its own environment of MiniWoB++ and in ours, N seeds
  model-e2e [M] [FLAGS]  a real model behind a real server over the suite smoke: smol (small, quick) or q15 (larger, slow);
                  flags of `umpire run` choose a part: --filter id=hub-password-age --agent occam --actions 8
  model-e2e ci    the smaller one over four instances, and the gateway's tests of a real server with it
  model-e2e judges  the larger one as a judge of right attempts and near misses, with its report card
  webarena-export what is exported for WebArena Verified, judged by its released evaluator
  deploy          the files under deploy/ against their schemas; part of `test`
  coverage        how often 95 % intervals hold the truth, on simulated data
  kill-test       kill -9 the runner at ten random moments, resume, and count
  soak [N]        N attempts (2000) at eight at a time: memory, files and ports stay flat, browsers are replaced, nothing is left
  chaos [SEEDS]   a fleet of real workers; kill -9 of workers, planner, queue and index, the network cut; then compare with one machine
  simulate [--attempts N] [--workers N] [--deaths A_SECOND]  the fleet's planner, queue and index with attempts that only wait
  fuzz [S] [NAME] arbitrary bytes for every reader, S seconds each
  deny            licences, sources and duplicate versions of dependencies";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let result = match words.as_slice() {
        ["demo", rest @ ..] => chores::demo(rest),
        ["test", rest @ ..] => tests::test(rest),
        ["clients"] => setup::ensure_all_clients(),
        ["bench", rest @ ..] => bench::bench(rest),
        ["check-suites", rest @ ..] => check_suites::check_suites(rest),
        ["gallery", rest @ ..] => gallery::gallery(rest),
        ["both-ways"] => both_ways::both_ways(),
        ["persona"] => persona::persona(),
        ["miniwob", rest @ ..] => miniwob::miniwob(rest),
        ["browsergym", rest @ ..] => miniwob::browsergym(rest),
        ["model-e2e", rest @ ..] => model_e2e::model_e2e(rest),
        ["webarena-export"] => webarena_export::webarena_export(),
        ["deploy"] => deploy::check_deploy(),
        ["coverage"] => chores::coverage(),
        ["kill-test", rest @ ..] => kill_test::kill_test(rest),
        ["soak", rest @ ..] => soak::soak(rest),
        ["chaos", rest @ ..] => chaos::chaos(rest),
        ["simulate", rest @ ..] => fleet::simulate(rest),
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
