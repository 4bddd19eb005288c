//! A model for benchmarks: answers after a while, and sends `voyager` from link to link.

use std::io::Read as _;
use std::time::Duration;

use umpire_llm::Provider;
use umpire_llm::scripted::{Act, Answer, Asked, Script, ScriptedProvider};
use umpire_model::Usage;

/// Clicks of one attempt before it answers.
const CLICKS: usize = 8;
/// Links at the top of the page that are gone through.
const LINKS: usize = 6;

/// Prints the address of the model, and answers until standard input ends.
pub fn serve(delay: &str) -> Result<(), String> {
    let delay = delay.parse().map_err(|_| format!("`{delay}` is not a number of milliseconds"))?;
    let delay = Duration::from_millis(delay);
    let runtime = crate::runtime()?;
    let script = Script::new(move |asked: &Asked| answer(&asked.text()).after(delay));
    let provider = ScriptedProvider::start_forgetful(script);
    let provider = runtime.block_on(provider).map_err(|error| error.to_string())?;
    println!("{}", provider.base_url(Provider::OpenAiCompatible));
    let _ = std::io::stdin().read(&mut [0]);
    Ok(())
}

/// Counted here: read a second time for that, a request with its pictures would take the cores that are measured.
fn answer(said: &str) -> Act {
    let reply = next(said);
    let usage = Usage { input: said.len() as u64 / 4, output: reply.len() as u64 / 4, ..Usage::default() };
    Act::Answer(Answer { usage: Some(usage), ..Answer::text(reply) })
}

fn next(said: &str) -> String {
    let turns = said.matches("Thought: on").count();
    let page = said.rfind("Elements:").map_or("", |at| &said[at..]);
    let links: Vec<&str> = page
        .lines()
        .filter_map(|line| line.strip_prefix('[')?.split_once("] link ").map(|(mark, _)| mark))
        .take(LINKS)
        .collect();
    match links.get(turns % LINKS.min(links.len().max(1))) {
        Some(mark) if turns < CLICKS => format!("Thought: on\nAction: Click [{mark}]"),
        _ => "Thought: enough\nAction: ANSWER; [seen]".to_owned(),
    }
}
