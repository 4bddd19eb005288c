//! Which names recorded attempts could be told by.

use std::net::IpAddr;
use std::path::Path;

use umpire_model::{AgentEntry, EventBody, Manifest, Trajectory};
use url::Url;

use super::Scrubber;

/// What runs a program and says nothing about whose it is.
const INTERPRETERS: &[&str] =
    &["python", "node", "deno", "ruby", "java", "bash", "cargo", "docker", "poetry"];
/// Shorter words of a command are options and the like.
const SHORTEST: usize = 4;

impl Scrubber {
    /// For what is shown of attempts: every agent of their runs, whether it takes part or not, for agents know of each
    /// other, with what it is and runs; and the models that were asked.
    pub fn for_attempts(manifests: &[&Manifest], trajectories: &[&Trajectory]) -> Self {
        let agents = || manifests.iter().flat_map(|manifest| &manifest.agents);
        let mut names: Vec<String> = agents().map(|agent| agent.name.clone()).collect();
        for agent in agents() {
            let models = agent.settings.iter().filter(|(key, _)| key.contains("model"));
            names.extend(models.flat_map(|(_, value)| value.split(' ').map(str::to_owned)));
        }
        names.extend(trajectories.iter().flat_map(|trajectory| models_of(trajectory)));
        let mut scrubber = Self::new(&names);
        for agent in agents() {
            // Kinds of one word (`yes`, `random`) are words that pages are full of.
            if agent.kind.contains('-') {
                scrubber.know(&agent.kind);
            }
            for word in told_by_command(agent) {
                scrubber.know(&word);
            }
        }
        scrubber
    }
}

fn models_of(trajectory: &Trajectory) -> impl Iterator<Item = String> {
    trajectory.events.iter().filter_map(|event| match &event.body {
        EventBody::ModelCalled(call) => Some(call.model.clone()),
        _ => None,
    })
}

/// The programs and hosts in a command; each only as a whole, for its parts are words that pages are full of.
fn told_by_command(agent: &AgentEntry) -> Vec<String> {
    let command = agent.settings.get("command").map_or("", String::as_str);
    let words: Vec<String> = serde_json::from_str(command).unwrap_or_default();
    words.iter().filter_map(|word| told_by_word(word)).collect()
}

fn told_by_word(word: &str) -> Option<String> {
    if let Some(host) = Url::parse(word).ok().and_then(|url| url.host_str().map(str::to_owned)) {
        let is_local = host.parse::<IpAddr>().is_ok() || host == "localhost" || host.ends_with(".localhost");
        return (!is_local).then_some(host);
    }
    let stem = Path::new(word).file_stem()?.to_str()?;
    let is_interpreter =
        INTERPRETERS.contains(&stem.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.'));
    (!word.starts_with('-') && stem.len() >= SHORTEST && !is_interpreter).then(|| stem.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_and_hosts_of_a_command_are_names_and_interpreters_and_options_are_not() {
        for (word, told) in [
            ("/opt/agents/quillfish.py", Some("quillfish")),
            ("quillfish", Some("quillfish")),
            ("https://api.quillfish.example/v1", Some("api.quillfish.example")),
            ("http://localhost:8080/", None),
            ("http://127.0.0.1:8080/", None),
            ("python3.12", None),
            ("--verbose", None),
            ("-m", None),
        ] {
            assert_eq!(told_by_word(word).as_deref(), told, "{word}");
        }
    }
}
