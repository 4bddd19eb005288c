use std::collections::BTreeMap;
use std::env;
use std::ffi::OsString;

use super::{CommandSpec, Workspace};

/// Where a foreign client finds its browser, behind the gate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Endpoint {
    /// `http://127.0.0.1:PORT`, for clients that ask `/json/version` first.
    pub http: String,
    /// `ws://127.0.0.1:PORT/devtools/browser/TOKEN`.
    pub ws: String,
}

/// Names other tools know for the same endpoint, so that they run unchanged.
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
        ("UMPIRE_CDP_URL".into(), endpoint.http.clone().into()),
        ("UMPIRE_CDP_WS".into(), endpoint.ws.clone().into()),
        ("UMPIRE_TASK_FILE".into(), workspace.task_file().into()),
        ("UMPIRE_OUT_DIR".into(), workspace.out_dir().into()),
    ]);
    variables.extend(ALIASES.map(|alias| (alias.into(), endpoint.http.clone().into())));
    let of_the_user = spec.env.iter().filter(|(name, _)| !is_reserved(name));
    variables.extend(of_the_user.map(|(name, value)| (name.into(), value.into())));
    variables
}
