use std::collections::BTreeMap;
use std::path::Path;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use umpire_model::{NotMoney, UsdMicros};

use crate::command::{BadCommand, CommandSpec, Interface, check_command};
use crate::registry::{BuiltIn, UnknownAgent};
use crate::remote::RemoteSpec;
use crate::with_model::{BadPrompts, ModelAgentSpec, ModelKind, ModelOptions};

pub(crate) const COMMAND: &str = "command";
pub(crate) const REMOTE: &str = "remote";
pub(crate) const INTERFACE_SETTING: &str = "interface";
/// How an agent came to know of histories, in what the manifest keeps of it.
pub const HISTORY_SETTING: &str = "history";

/// An agent as `umpire.toml` describes it.
///
/// ```toml
/// [agents.baseline]
/// kind = "heuristic"
///
/// [agents.mine]
/// kind = "command"
/// command = ["node", "my-agent.mjs"]
/// interface = "cdp"             # or "steps", or "mcp"
/// env = { MODEL = "small" }
/// grace_seconds = 5
///
/// [agents.reader]
/// kind = "occam"
/// model = "small"
/// budget = "0.10usd"
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "SpecFields", into = "SpecFields")]
pub enum AgentSpec {
    BuiltIn(BuiltIn),
    Model(ModelAgentSpec),
    Command(CommandSpec),
    Remote(RemoteSpec),
}

impl AgentSpec {
    pub fn kind(&self) -> &'static str {
        match self {
            Self::BuiltIn(built_in) => built_in.name(),
            Self::Model(spec) => spec.kind.name(),
            Self::Command(_) => COMMAND,
            Self::Remote(_) => REMOTE,
        }
    }

    /// True for one that spends money on models through the gateway.
    pub fn asks_models(&self) -> bool {
        match self {
            Self::BuiltIn(_) => false,
            Self::Model(_) => true,
            Self::Command(spec) => !spec.models.is_empty(),
            Self::Remote(spec) => !spec.models.is_empty(),
        }
    }

    /// True for one that may look into the history of the person a task is for.
    pub fn may_ask_history(&self) -> bool {
        match self {
            Self::BuiltIn(kind) => kind.may_ask_history(),
            Self::Model(spec) => spec.options.history.is_some(),
            Self::Command(_) | Self::Remote(_) => true,
        }
    }

    /// An agent by the name of its kind, with everything else as it is by default.
    pub fn built_in(name: &str) -> Result<Self, UnknownAgent> {
        match ModelKind::named(name) {
            Some(kind) => Ok(Self::Model(ModelAgentSpec::new(kind))),
            None => name.parse().map(Self::BuiltIn),
        }
    }

    /// Takes the files a command names as relative to `base`, the folder of the configuration.
    #[must_use]
    pub fn anchored(self, base: &Path) -> Self {
        match self {
            Self::Model(spec) => Self::Model(spec.anchored(base)),
            Self::Command(spec) => Self::Command(spec.anchored(base)),
            Self::BuiltIn(_) | Self::Remote(_) => self,
        }
    }

    /// What can be known to go wrong before anything runs.
    pub fn check(&self) -> Result<(), BadAgent> {
        match self {
            Self::BuiltIn(_) | Self::Remote(_) => Ok(()),
            Self::Model(spec) => spec.prompts().map(drop).map_err(BadAgent::Prompts),
            Self::Command(spec) => check_command(spec).map_err(BadAgent::Command),
        }
    }

    /// What the manifest keeps beside the kind. Values of environment variables may be keys, so of them only the
    /// names are kept.
    pub fn settings(&self) -> BTreeMap<String, String> {
        let interface = |interface: Interface| (INTERFACE_SETTING.to_owned(), interface.as_str().to_owned());
        let asked = |models: &[String], budget: Option<UsdMicros>| {
            let models = (!models.is_empty()).then(|| ("models".to_owned(), models.join(" ")));
            models.into_iter().chain(budget.map(|budget| ("budget".to_owned(), budget.to_string())))
        };
        let spec = match self {
            Self::BuiltIn(_) => return BTreeMap::new(),
            Self::Remote(spec) => {
                return asked(&spec.models, spec.budget).chain([interface(spec.interface)]).collect();
            }
            Self::Model(spec) => return model_settings(spec),
            Self::Command(spec) => spec,
        };
        let names: Vec<&str> = spec.env.keys().map(String::as_str).collect();
        let command = serde_json::to_string(&spec.command).unwrap_or_default();
        let mut settings = BTreeMap::from([
            ("command".to_owned(), command),
            ("digest".to_owned(), spec.digest().to_string()),
            ("grace_seconds".to_owned(), spec.grace_seconds.to_string()),
        ]);
        if !names.is_empty() {
            settings.insert("env".to_owned(), names.join(" "));
        }
        settings.extend(asked(&spec.models, spec.budget));
        settings.extend((spec.interface != Interface::default()).then(|| interface(spec.interface)));
        settings
    }
}

/// What tells two model agents apart: the model, the wording, and what is not left to the kind.
fn model_settings(spec: &ModelAgentSpec) -> BTreeMap<String, String> {
    let mut settings: BTreeMap<String, String> = spec
        .prompts()
        .map(|prompts| ("prompts".to_owned(), prompts.digest().to_string()))
        .into_iter()
        .chain(spec.model.clone().map(|model| ("model".to_owned(), model)))
        .chain(spec.identity.clone().map(|identity| ("model_identity".to_owned(), identity)))
        .collect();
    // The folder is where the wording comes from, which the digest already says.
    let options = ModelOptions { prompts: None, ..spec.options.clone() };
    if let Ok(Value::Object(options)) = serde_json::to_value(options) {
        let text = |value: Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        settings.extend(options.into_iter().map(|(name, value)| (name, text(value))));
    }
    settings
}

/// An agent that could not even be started. Found before the run, so that no attempt is spent on it.
#[derive(Debug, thiserror::Error)]
pub enum BadAgent {
    #[error(transparent)]
    Command(BadCommand),
    #[error(transparent)]
    Prompts(BadPrompts),
}

/// The keys as they are written; which of them go together is checked on the way to [`AgentSpec`].
#[derive(Serialize, Deserialize)]
#[serde(transparent)]
struct SpecFields(BTreeMap<String, Value>);

#[derive(Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct CommandFields {
    #[serde(default)]
    command: Vec<String>,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    env: BTreeMap<String, String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    grace_seconds: Option<u64>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    models: Vec<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    budget: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    interface: Option<Interface>,
}

#[derive(Debug, thiserror::Error)]
enum BadSpec {
    #[error(transparent)]
    Unknown(#[from] UnknownAgent),
    #[error("an agent needs a `kind`, such as `kind = \"command\"`")]
    NoKind,
    #[error("an agent of kind `command` needs `command = [\"program\", \"argument\", …]`")]
    NoCommand,
    #[error("`{key}` does not belong to agents of kind `{kind}`")]
    NotForKind { key: String, kind: String },
    #[error("agents of kind `remote` come by themselves, to `umpire steps` or `umpire mcp`")]
    Remote,
    #[error(transparent)]
    Money(#[from] NotMoney),
    #[error(transparent)]
    Field(#[from] serde_json::Error),
}

impl TryFrom<SpecFields> for AgentSpec {
    type Error = BadSpec;

    fn try_from(SpecFields(mut fields): SpecFields) -> Result<Self, BadSpec> {
        let Some(Value::String(kind)) = fields.remove("kind") else { return Err(BadSpec::NoKind) };
        if kind == COMMAND {
            let CommandFields { command, env, grace_seconds, models, budget, interface } = read(fields)?;
            if command.is_empty() {
                return Err(BadSpec::NoCommand);
            }
            let default = CommandSpec::new(command);
            let grace_seconds = grace_seconds.unwrap_or(default.grace_seconds);
            let budget = budget.map(|budget| budget.parse()).transpose()?;
            let interface = interface.unwrap_or_default();
            return Ok(Self::Command(CommandSpec {
                env,
                grace_seconds,
                models,
                budget,
                interface,
                ..default
            }));
        }
        if kind == REMOTE {
            return Err(BadSpec::Remote);
        }
        if let Some(kind) = ModelKind::named(&kind) {
            let model = fields.remove("model").map(serde_json::from_value).transpose()?;
            return Ok(Self::Model(ModelAgentSpec { kind, model, identity: None, options: read(fields)? }));
        }
        let built_in = kind.parse()?;
        match fields.into_keys().next() {
            Some(key) => Err(BadSpec::NotForKind { key, kind }),
            None => Ok(Self::BuiltIn(built_in)),
        }
    }
}

fn read<T: DeserializeOwned>(fields: BTreeMap<String, Value>) -> Result<T, serde_json::Error> {
    serde_json::from_value(fields.into_iter().collect())
}

impl From<AgentSpec> for SpecFields {
    fn from(spec: AgentSpec) -> Self {
        let kind = Value::from(spec.kind());
        let fields = match spec {
            AgentSpec::BuiltIn(_) => Ok(Value::Null),
            AgentSpec::Model(ModelAgentSpec { kind: _, model, identity: _, options }) => {
                serde_json::to_value(options).map(|mut fields| {
                    if let Some(model) = model {
                        fields["model"] = model.into();
                    }
                    fields
                })
            }
            AgentSpec::Remote(spec) => Ok(serde_json::json!({ "interface": spec.interface })),
            AgentSpec::Command(CommandSpec { command, env, grace_seconds, models, budget, interface }) => {
                let (grace_seconds, budget) = (Some(grace_seconds), budget.map(|budget| budget.to_string()));
                let interface = (interface != Interface::default()).then_some(interface);
                serde_json::to_value(CommandFields { command, env, grace_seconds, models, budget, interface })
            }
        };
        let fields = match fields {
            Ok(Value::Object(fields)) => fields,
            _ => serde_json::Map::new(),
        };
        Self(fields.into_iter().chain([("kind".to_owned(), kind)]).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(toml: &str) -> Result<AgentSpec, String> {
        toml::from_str(toml).map_err(|error| error.to_string())
    }

    #[test]
    fn specs_read_from_toml() {
        assert_eq!(parse("kind = \"echo\"").map(|spec| spec.kind()), Ok("echo"));
        let spec = parse("kind = \"command\"\ncommand = [\"node\", \"a.mjs\"]\nenv = { KEY = \"s3cret\" }")
            .expect("spec");
        let AgentSpec::Command(command) = &spec else { panic!("{spec:?}") };
        assert_eq!(command.command, ["node", "a.mjs"]);
        assert_eq!(spec.settings()["env"], "KEY");
        assert!(!format!("{:?}", spec.settings()).contains("s3cret"));
        assert!(!spec.settings().contains_key("interface"), "plain CDP is what it always was");
        let mcp = parse("kind = \"command\"\ncommand = [\"x\"]\ninterface = \"mcp\"").expect("spec");
        assert_eq!(mcp.settings()["interface"], "mcp");
        for spec in [spec, mcp] {
            let again: AgentSpec = toml::from_str(&toml::to_string(&spec).expect("prints")).expect("parses");
            assert_eq!(again, spec);
        }
    }

    #[test]
    fn a_model_agent_keeps_what_tells_it_apart_in_its_settings() {
        let spec = parse("kind = \"voyager\"\nmodel = \"small\"\nkeep_pages = 1\nbudget = \"0.10usd\"")
            .expect("spec");
        let settings = spec.settings();
        assert_eq!((settings["model"].as_str(), settings["budget"].as_str()), ("small", "$0.10"));
        assert_eq!(settings["keep_pages"], "1");
        assert!(settings.contains_key("prompts"));
        let again: AgentSpec = toml::from_str(&toml::to_string(&spec).expect("prints")).expect("parses");
        assert_eq!(again, spec);
    }

    #[test]
    fn specs_that_do_not_fit_say_why() {
        for (toml, reason) in [
            ("kind = \"command\"", "needs `command"),
            ("kind = \"command\"\ncommand = []", "needs `command"),
            ("kind = \"command\"\ncommand = [\"x\"]\ninterface = \"telepathy\"", "expected one of `cdp`"),
            ("kind = \"remote\"", "`umpire steps` or `umpire mcp`"),
            ("kind = \"yes\"\ninterface = \"mcp\"", "`interface` does not belong to agents of kind `yes`"),
            ("kind = \"yes\"\nenv = {}", "`env` does not belong to agents of kind `yes`"),
            ("command = [\"x\"]", "needs a `kind`"),
            ("kind = \"command\"\ncommand = [\"x\"]\nmodel = \"m\"", "unknown field `model`"),
            ("kind = \"occam\"\nmodel = \"m\"\nbudget = \"lots\"", "`lots` is not an amount of money"),
            ("kind = \"occam\"\nmodle = \"m\"", "unknown field `modle`"),
            ("kind = \"heuristc\"", "did you mean heuristic"),
            ("kind = \"command\"\ncomand = [\"x\"]", "unknown field `comand`"),
        ] {
            let error = parse(toml).expect_err(toml);
            assert!(error.contains(reason), "{toml}: {error}");
        }
    }
}
