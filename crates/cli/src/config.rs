//! `umpire.toml`: agents, defaults and profiles. A flag or variable beats the profile, which beats the defaults.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::Deserialize;
use umpire_agents::AgentSpec;
use umpire_backend::{ConnectionSpec, Connections};
use umpire_judges::definition::{Definition, Written as WrittenJudge};
use umpire_llm::{Gateway, GatewayOptions, ModelSpec};
use umpire_model::{AccountSpec, Digest, GuardRule, UsdMicros};
use umpire_webarena::config::Environments;
use umpire_webarena::import::sites_from_toml;

use crate::arena_config::ArenaConfig;
use crate::failure::Failure;

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Config {
    #[serde(default)]
    defaults: Settings,
    #[serde(default)]
    profiles: BTreeMap<String, Settings>,
    #[serde(default)]
    agents: BTreeMap<String, AgentSpec>,
    /// What agents may ask, by the name they use.
    #[serde(default)]
    models: BTreeMap<String, ModelSpec>,
    /// Judges beside the built-in ones, by name.
    #[serde(default)]
    judges: BTreeMap<String, WrittenJudge>,
    /// Where visitors of `umpire serve` let agents meet.
    arena: Option<ArenaConfig>,
    /// Folder of the file, which what it names is relative to.
    #[serde(skip)]
    folder: PathBuf,
    /// Requests that cannot be undone, beside those of the built-in sites.
    #[serde(default)]
    guard: Vec<GuardRule>,
    /// What backend checks may ask, by the name they use.
    #[serde(default)]
    backends: BTreeMap<String, ConnectionSpec>,
    #[serde(default)]
    vault: VaultConfig,
    /// Accounts on websites, by the name that tasks use.
    #[serde(default)]
    accounts: BTreeMap<String, AccountSpec>,
    /// Names of environment variables whose values must never be written.
    #[serde(default)]
    secrets: Vec<String>,
    /// Addresses of the sites that imported tasks name; read by the room that knows those sites.
    #[serde(default, rename = "sites")]
    _sites_table: toml::Table,
    #[serde(skip)]
    sites: Environments,
}

/// Where secrets are kept.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct VaultConfig {
    pub file: Option<PathBuf>,
    /// File with the age identity that opens it, instead of a passphrase.
    pub identity: Option<PathBuf>,
}

/// What a run needs to know; every field may come from a flag, a profile or the defaults.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Settings {
    pub suite: Option<String>,
    #[serde(default)]
    pub agents: Vec<String>,
    pub trials: Option<u32>,
    pub jobs: Option<usize>,
    pub seed: Option<u64>,
    pub actions: Option<u32>,
    pub seconds: Option<u64>,
    pub retries: Option<u32>,
    pub gate: Option<String>,
    pub max_infra: Option<f64>,
    pub runs: Option<PathBuf>,
    /// For agents that name none.
    pub model: Option<String>,
    /// What models may cost in the whole run.
    pub budget: Option<String>,
    pub guard: Option<String>,
    /// Prices that go before the built-in ones.
    pub prices: Option<PathBuf>,
}

impl Settings {
    fn over(self, below: &Self) -> Self {
        Self {
            suite: self.suite.or_else(|| below.suite.clone()),
            agents: if self.agents.is_empty() { below.agents.clone() } else { self.agents },
            trials: self.trials.or(below.trials),
            jobs: self.jobs.or(below.jobs),
            seed: self.seed.or(below.seed),
            actions: self.actions.or(below.actions),
            seconds: self.seconds.or(below.seconds),
            retries: self.retries.or(below.retries),
            gate: self.gate.or_else(|| below.gate.clone()),
            max_infra: self.max_infra.or(below.max_infra),
            runs: self.runs.or_else(|| below.runs.clone()),
            model: self.model.or_else(|| below.model.clone()),
            budget: self.budget.or_else(|| below.budget.clone()),
            guard: self.guard.or_else(|| below.guard.clone()),
            prices: self.prices.or_else(|| below.prices.clone()),
        }
    }
}

impl Config {
    /// Reads the named file, or `umpire.toml` here if there is one.
    pub fn load(named: Option<&Path>) -> Result<Self, Failure> {
        let path = named.unwrap_or(Path::new("umpire.toml"));
        let text = match std::fs::read_to_string(path) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound && named.is_none() => {
                return Ok(Self::default());
            }
            Err(error) => return Err(Failure::new(format!("{}: {error}", path.display()))),
        };
        Self::parse(path, &text)
    }

    fn parse(path: &Path, text: &str) -> Result<Self, Failure> {
        let mut config: Self = toml::from_str(text).map_err(|error| {
            let line =
                error.span().map_or(1, |span| text[..span.start.min(text.len())].matches('\n').count() + 1);
            Failure::new(format!("{}:{line}: {}", path.display(), error.message()))
        })?;
        config.sites =
            sites_from_toml(text).map_err(|error| Failure::new(format!("{}: {error}", path.display())))?;
        // Agents run in folders of their own; their files are meant relative to this one.
        let folder = path.parent().unwrap_or(Path::new("."));
        folder.clone_into(&mut config.folder);
        config.agents = config.agents.into_iter().map(|(name, spec)| (name, spec.anchored(folder))).collect();
        config.accounts =
            config.accounts.into_iter().map(|(name, spec)| (name, spec.anchored(folder))).collect();
        for file in [&mut config.vault.file, &mut config.vault.identity].into_iter().flatten() {
            *file = folder.join(&file);
        }
        config.backends =
            config.backends.into_iter().map(|(name, spec)| (name, spec.anchored(folder))).collect();
        Ok(config)
    }

    /// The settings of a profile over the defaults.
    pub fn settings(&self, profile: Option<&str>) -> Result<Settings, Failure> {
        let Some(name) = profile else {
            return Ok(self.defaults.clone());
        };
        self.profiles.get(name).map(|settings| settings.clone().over(&self.defaults)).ok_or_else(|| {
            let known: Vec<&str> = self.profiles.keys().map(String::as_str).collect();
            Failure::new(format!("there is no profile `{name}` in the configuration"))
                .help(format!("profiles: {}", known.join(", ")))
        })
    }

    pub fn agent(&self, name: &str) -> Option<&AgentSpec> {
        self.agents.get(name)
    }

    pub fn agent_names(&self) -> impl Iterator<Item = &str> {
        self.agents.keys().map(String::as_str)
    }

    /// All configured models behind one gateway.
    pub fn gateway(&self, options: &GatewayOptions) -> Result<Arc<Gateway>, Failure> {
        Gateway::new(self.models.clone(), options, &|name| std::env::var(name).ok())
            .map_err(|error| Failure::new(error.to_string()))
    }

    /// What the provider calls a model, and a digest of all that is configured for it: two models of one name are two.
    pub fn model_identity(&self, name: &str) -> Option<String> {
        let spec = self.models.get(name)?;
        let digest = Digest::of(format!("{spec:?}").as_bytes());
        Some(format!("{} {} {}", spec.provider.name(), spec.model, &digest.as_str()[..12]))
    }

    /// A judge of the user's, or one of ours.
    pub fn judge(&self, name: &str) -> Result<Definition, Failure> {
        Definition::find(name, &self.judges, &self.folder).map_err(|error| Failure::new(error.to_string()))
    }

    pub fn judge_names(&self) -> impl Iterator<Item = &str> {
        let own = self.judges.keys().map(String::as_str);
        Definition::built_in_names().into_iter().filter(|name| !self.judges.contains_key(*name)).chain(own)
    }

    pub fn account(&self, name: &str) -> Option<&AccountSpec> {
        self.accounts.get(name)
    }

    pub fn arena(&self) -> Option<&ArenaConfig> {
        self.arena.as_ref()
    }

    /// What the file names is relative to it.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    pub fn vault(&self) -> &VaultConfig {
        &self.vault
    }

    pub fn guard_rules(&self) -> &[GuardRule] {
        &self.guard
    }

    /// The connections of these names, with their variables read.
    pub fn connections<'c>(&self, names: impl IntoIterator<Item = &'c str>) -> Result<Connections, Failure> {
        Connections::for_names(names, &self.backends, |name| std::env::var(name).ok())
            .map_err(|error| Failure::new(error.to_string()))
    }

    /// Where the sites of imported tasks are.
    pub fn sites(&self) -> &Environments {
        &self.sites
    }

    /// Values of the variables that are named as secrets and set.
    pub fn secret_values(&self) -> Vec<String> {
        self.secrets.iter().filter_map(|name| std::env::var(name).ok()).collect()
    }
}

impl Settings {
    /// What models may cost in the whole run.
    pub fn money(&self) -> Result<Option<UsdMicros>, Failure> {
        let parsed = self.budget.as_deref().map(str::parse).transpose();
        parsed.map_err(|error: umpire_model::NotMoney| Failure::new(error.to_string()))
    }
}

/// Flags over the configuration's settings.
pub fn merged(flags: Settings, config: &Config, profile: Option<&str>) -> Result<Settings, Failure> {
    Ok(flags.over(&config.settings(profile)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = r#"
secrets = ["SHOP_PASSWORD"]
[defaults]
suite = "demo"
trials = 2
jobs = 4
[profiles.ci]
trials = 5
[agents.mine]
kind = "command"
command = ["python3", "agent.py"]
"#;

    #[test]
    fn flags_beat_profile_beats_defaults() {
        let config = Config::parse(Path::new("umpire.toml"), TEXT).expect("well-formed");
        let flags = Settings { jobs: Some(1), ..Settings::default() };
        let settings = merged(flags, &config, Some("ci")).expect("profile exists");
        assert_eq!(
            (settings.jobs, settings.trials, settings.suite.as_deref()),
            (Some(1), Some(5), Some("demo"))
        );
        assert!(config.agent("mine").is_some());
        assert!(config.settings(Some("nope")).is_err());
    }

    #[test]
    fn errors_name_file_and_line() {
        let error =
            Config::parse(Path::new("umpire.toml"), "[defaults]\nsuit = \"demo\"\n").expect_err("typo");
        assert!(error.to_string().starts_with("umpire.toml:2: "), "{error}");
        let site =
            Config::parse(Path::new("umpire.toml"), "[sites]\nshoping = \"http://x\"\n").expect_err("typo");
        assert!(site.to_string().starts_with("umpire.toml: "), "{site}");
    }
}
