//! The files under `deploy/`, each against the schema or the checker of what reads it. No cluster is needed.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::setup::{Done, ensure_deploy_checkers, root, run};

/// Debian's packages have no version that stays: the image is built from what is current.
const UNPINNED_PACKAGES: &str = "DL3008";

pub fn check_deploy() -> Done {
    let folder = root().join("deploy");
    let checkers = ensure_deploy_checkers()?.join("bin");
    let mut checked = 0;
    for manifest in manifests(&folder.join("kubernetes"))? {
        run(Command::new(checkers.join("kubernetes-validate")).args(["--quiet", "--strict"]).arg(manifest))?;
        checked += 1;
    }
    let mut compose = Command::new(checkers.join("check-jsonschema"));
    run(compose
        .args(["--quiet", "--builtin-schema", "vendor.compose-spec"])
        .arg(folder.join("compose.yaml")))?;
    let mut image = Command::new(checkers.join("hadolint"));
    run(image.args(["--ignore", UNPINNED_PACKAGES]).arg(folder.join("Containerfile")))?;
    check_unit(&folder.join("systemd/umpire-worker.service"))?;
    check_agreement(&folder)?;
    println!("deploy: {checked} manifests, compose file, image recipe and unit are well-formed");
    Ok(())
}

/// Everything but the list for kustomize, whose kind is no part of a cluster; what it lists must be there.
fn manifests(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let explain = |error: std::io::Error| format!("{}: {error}", folder.display());
    let list = std::fs::read_to_string(folder.join("kustomization.yaml")).map_err(explain)?;
    let listed: Vec<&str> = list.lines().filter_map(|line| line.trim().strip_prefix("- ")).collect();
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(explain)?.flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        match name.as_str() {
            "kustomization.yaml" => {}
            name if listed.contains(&name) => found.push(entry.path()),
            name => return Err(format!("{}: kustomization.yaml does not list {name}", folder.display())),
        }
    }
    if found.len() != listed.len() {
        return Err(format!(
            "{}: kustomization.yaml lists {} files, {} are there",
            folder.display(),
            listed.len(),
            found.len()
        ));
    }
    Ok(found)
}

/// Connections to the index that one worker may hold.
const CONNECTIONS_OF_A_WORKER: u64 = 2;

/// What no schema knows: that the files fit each other.
fn check_agreement(folder: &Path) -> Done {
    let read = |name: &str| {
        let path = folder.join(name);
        std::fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))
    };
    let autoscaler = read("kubernetes/autoscaler.yaml")?;
    let workers = number_after(&autoscaler, "maxReplicas: ").ok_or("autoscaler.yaml: no maxReplicas")?;
    for name in ["kubernetes/index.yaml", "compose.yaml"] {
        let connections = number_after(&read(name)?, "max_connections=");
        let connections = connections.ok_or_else(|| format!("{name}: no max_connections"))?;
        if workers * CONNECTIONS_OF_A_WORKER >= connections {
            return Err(format!("{name}: {workers} workers take more than {connections} connections"));
        }
    }
    let metric = "umpire_queue_waiting";
    if !autoscaler.contains(&format!("name: {metric}"))
        || !read("kubernetes/metrics.yaml")?.contains(&format!("as: {metric}"))
    {
        return Err(format!("autoscaler.yaml and metrics.yaml do not both name {metric}"));
    }
    Ok(())
}

fn number_after(text: &str, label: &str) -> Option<u64> {
    let rest = text.split_once(label)?.1;
    let digits = rest.find(|letter: char| !letter.is_ascii_digit()).unwrap_or(rest.len());
    rest[..digits].parse().ok()
}

/// By systemd itself, where there is one. The command it starts need not be installed here.
fn check_unit(unit: &Path) -> Done {
    let Ok(verified) = Command::new("systemd-analyze").arg("verify").arg(unit).output() else {
        println!("deploy: there is no systemd-analyze here; {} was not checked", unit.display());
        return Ok(());
    };
    let said = String::from_utf8_lossy(&verified.stderr).into_owned();
    let is_about_unit = |line: &&str| line.contains("umpire-worker") && !line.contains("is not executable");
    match said.lines().find(is_about_unit) {
        Some(problem) => Err(problem.to_owned()),
        None => Ok(()),
    }
}
