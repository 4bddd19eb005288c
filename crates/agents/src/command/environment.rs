use std::collections::BTreeMap;
use std::env;
use std::ffi::OsString;

use super::{CommandSpec, Workspace};

/// Where a foreign client finds its browser, or who shows it one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Endpoint {
    /// The gate.
    Cdp {
        /// `http://127.0.0.1:PORT`, for clients that ask `/json/version` first.
        http: String,
        /// `ws://127.0.0.1:PORT/devtools/browser/TOKEN`.
        ws: String,
    },
    /// The address of the step API.
    Steps(String),
    /// The address of an MCP server.
    Mcp(String),
}

impl Endpoint {
    fn variables(&self) -> Vec<(&'static str, &str)> {
        match self {
            Self::Cdp { http, ws } => {
                let ours = [("UMPIRE_CDP_URL", http.as_str()), ("UMPIRE_CDP_WS", ws.as_str())];
                ours.into_iter().chain(ALIASES.map(|alias| (alias, http.as_str()))).collect()
            }
            Self::Steps(url) => vec![("UMPIRE_STEP_URL", url)],
            Self::Mcp(url) => vec![("UMPIRE_MCP_URL", url)],
        }
    }
}

/// The address where the history of the person a task is for can be asked.
pub const HISTORY_URL: &str = "UMPIRE_HISTORY_URL";

/// Names other tools know for the gate, so that they run unchanged.
const ALIASES: [&str; 2] = ["BU_CDP_URL", "PLAYWRIGHT_MCP_CDP_ENDPOINT"];
const OUR_PREFIX: &str = "UMPIRE_";

/// True for variables whose meaning is Umpire's.
pub(super) fn is_reserved(name: &str) -> bool {
    name.starts_with(OUR_PREFIX) || ALIASES.contains(&name)
}

/// The whole environment of the command. It starts from nothing: a variable of the runner's may hold a key, or say
/// where the suite lies.
pub(super) fn environment(
    spec: &CommandSpec,
    workspace: &Workspace,
    endpoint: &Endpoint,
) -> BTreeMap<OsString, OsString> {
    let inherited = |name: &str, otherwise: &str| env::var_os(name).unwrap_or_else(|| otherwise.into());
    let mut variables: BTreeMap<OsString, OsString> = BTreeMap::from([
        ("PATH".into(), inherited("PATH", "/usr/local/bin:/usr/bin:/bin")),
        ("LANG".into(), inherited("LANG", "C.UTF-8")),
        ("HOME".into(), workspace.home().into()),
        ("TMPDIR".into(), workspace.temporary().into()),
        ("UMPIRE_TASK_FILE".into(), workspace.task_file().into()),
        ("UMPIRE_OUT_DIR".into(), workspace.out_dir().into()),
    ]);
    variables.extend(endpoint.variables().into_iter().map(|(name, value)| (name.into(), value.into())));
    let of_the_user = spec.env.iter().filter(|(name, _)| !is_reserved(name));
    variables.extend(of_the_user.map(|(name, value)| (name.into(), value.into())));
    variables
}
