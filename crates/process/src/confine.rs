//! Runs a command that cannot open certain paths, by Landlock: expected answers stay out of an agent's reach even
//! where it runs as the same user.
//!
//! Landlock grants, it does not deny, so everything is granted except the hidden paths: whatever stands beside them
//! and beside each of their parents. Names of files stay listable; contents do not. Processes outside the
//! confinement cannot be inspected from inside it.
//!
//! The same for the network: the ports that programs get when they ask for any (Umpire's own proxies among them) are out
//! of reach, except those that are named. Otherwise an agent could speak to its world past the browser and the recorder.

use std::collections::BTreeSet;
use std::convert::Infallible;
use std::io;
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use landlock::{
    ABI, Access as _, AccessFs, AccessNet, CompatLevel, Compatible as _, NetPort, PathBeneath, PathFd,
    Ruleset, RulesetAttr as _, RulesetCreatedAttr as _, RulesetError, RulesetStatus,
};

/// Rights up to this version are taken away where the kernel knows them; an older kernel takes away what it knows.
const RIGHTS: ABI = ABI::V5;

#[derive(Debug, thiserror::Error)]
pub enum ConfineError {
    #[error("the agent cannot be confined: {0}")]
    Ruleset(#[from] RulesetError),
    #[error("the agent cannot be confined: this kernel does not enforce Landlock")]
    NotEnforced,
    #[error("{}: {source}", path.display())]
    Path { path: PathBuf, source: io::Error },
    #[error("no command was given")]
    NoCommand,
    #[error("cannot start `{program}`: {source}")]
    Start { program: String, source: io::Error },
}

/// Whether this kernel can confine at all.
pub fn is_available() -> bool {
    Ruleset::default()
        .set_compatibility(CompatLevel::HardRequirement)
        .handle_access(AccessFs::from_all(ABI::V1))
        .and_then(Ruleset::create)
        .is_ok()
}

/// Ports beside those that are handed out by chance.
#[derive(Clone, Debug, Default)]
pub struct Ports {
    /// Stay reachable although they were handed out by chance.
    pub open: Vec<u16>,
    /// Out of reach although they were not.
    pub closed: Vec<u16>,
}

/// Gives up the hidden paths, and all ports that are handed out by chance or closed but for those that stay open, for
/// this process and all it will start; then becomes `command`.
pub fn exec_without(
    hidden: &[PathBuf],
    ports: &Ports,
    command: &[String],
) -> Result<Infallible, ConfineError> {
    let (program, arguments) = command.split_first().ok_or(ConfineError::NoCommand)?;
    restrict(hidden, ports)?;
    let source = Command::new(program).args(arguments).exec();
    Err(ConfineError::Start { program: program.clone(), source })
}

fn restrict(hidden: &[PathBuf], ports: &Ports) -> Result<(), ConfineError> {
    let all = AccessFs::from_all(RIGHTS);
    // A kernel that cannot fence ports yet (before 6.7) fences paths only.
    let mut ruleset =
        Ruleset::default().handle_access(all)?.handle_access(AccessNet::ConnectTcp)?.create()?;
    let by_chance = chance_ports();
    let is_closed = |port: &u16| by_chance.contains(port) || ports.closed.contains(port);
    let open = (1..=u16::MAX).filter(|port| !is_closed(port) || ports.open.contains(port));
    for port in open {
        ruleset = ruleset.add_rule(NetPort::new(port, AccessNet::ConnectTcp))?;
    }
    if let Ok(root) = PathFd::new("/") {
        ruleset = ruleset.add_rule(PathBeneath::new(root, AccessFs::ReadDir))?;
    }
    for path in granted(hidden)? {
        // An entry may vanish between listing and opening, and some (sockets, dangling links) cannot be opened.
        let Ok(handle) = PathFd::new(&path) else { continue };
        let rights = if path.is_dir() { all } else { AccessFs::from_file(RIGHTS) };
        ruleset = ruleset.add_rule(PathBeneath::new(handle, rights))?;
    }
    match ruleset.restrict_self()?.ruleset {
        RulesetStatus::NotEnforced => Err(ConfineError::NotEnforced),
        RulesetStatus::FullyEnforced | RulesetStatus::PartiallyEnforced => Ok(()),
    }
}

/// The ports this system gives to whoever asks for any.
fn chance_ports() -> std::ops::RangeInclusive<u16> {
    let range = std::fs::read_to_string("/proc/sys/net/ipv4/ip_local_port_range").unwrap_or_default();
    let mut ends = range.split_whitespace().filter_map(|end| end.parse().ok());
    ends.next().unwrap_or(32_768)..=ends.next().unwrap_or(60_999)
}

/// The largest paths that together hold everything but the hidden ones.
fn granted(hidden: &[PathBuf]) -> Result<BTreeSet<PathBuf>, ConfineError> {
    let hidden: BTreeSet<PathBuf> = hidden.iter().filter_map(|path| path.canonicalize().ok()).collect();
    let parents: BTreeSet<&Path> = hidden.iter().flat_map(|path| path.ancestors().skip(1)).collect();
    if parents.is_empty() {
        return Ok(BTreeSet::from([PathBuf::from("/")]));
    }
    let mut granted = BTreeSet::new();
    for parent in parents.iter().filter(|parent| !parent.ancestors().any(|p| hidden.contains(p))) {
        let explain = |source| ConfineError::Path { path: parent.to_path_buf(), source };
        for entry in std::fs::read_dir(parent).map_err(explain)?.flatten() {
            let path = entry.path();
            // A link is followed when it is opened: one that leads to a hidden path grants nothing.
            let real = path.canonicalize().unwrap_or_else(|_| path.clone());
            let covers_hidden = hidden.iter().any(|h| h.starts_with(&real) || real.starts_with(h));
            if !covers_hidden && !parents.contains(path.as_path()) {
                granted.insert(path);
            }
        }
    }
    Ok(granted)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everything_but_the_hidden_paths_is_granted() {
        let root = tempfile::tempdir().expect("temp dir");
        let base = root.path().canonicalize().expect("real path");
        for folder in ["open", "suite/gold", "runs"] {
            std::fs::create_dir_all(base.join(folder)).expect("folder");
        }
        std::os::unix::fs::symlink(base.join("suite"), base.join("link")).expect("link");
        let granted = granted(&[base.join("suite"), base.join("runs")]).expect("listing");
        assert!(granted.contains(&base.join("open")));
        for path in ["suite", "runs", "link", "suite/gold", ""] {
            assert!(!granted.contains(&base.join(path)), "{path} was granted");
        }
        assert!(granted.contains(Path::new("/usr")));
        assert!(!granted.contains(Path::new("/")));
    }
}
