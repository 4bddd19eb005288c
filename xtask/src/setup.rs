//! Makes sure of what a chore needs, and says what to do where it cannot.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

pub type Done = Result<(), String>;

/// Runs a command to its end, showing what it prints.
pub fn run(command: &mut Command) -> Done {
    let shown = format!("{command:?}");
    match command.status() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!("{shown} ended with {status}")),
        Err(error) => Err(format!("{shown} could not be started: {error}")),
    }
}

pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap_or(Path::new(".")).to_owned()
}

pub fn cargo() -> Command {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.current_dir(root());
    command
}

/// The folder cargo builds into.
pub fn target_dir() -> PathBuf {
    std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), PathBuf::from)
}

fn is_there(program: &str) -> bool {
    let asked = Command::new(program).arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status();
    asked.is_ok_and(|status| status.success())
}

/// Finds Chromium, or installs it where apt can.
pub fn ensure_chromium() -> Done {
    if std::env::var_os("UMPIRE_CHROMIUM").is_some() {
        return Ok(());
    }
    if ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"]
        .iter()
        .any(|name| is_there(name))
    {
        return Ok(());
    }
    if !is_there("apt-get") {
        return Err("Chromium is missing. Install Chromium or Chrome and put it on the PATH, \
                    or point UMPIRE_CHROMIUM at it."
            .to_owned());
    }
    apt_install(&["chromium", "fonts-liberation"])
}

/// Finds `ChromeDriver`, which the package of `MiniWoB++` drives its browser with, or installs it where apt can.
pub fn ensure_chromedriver() -> Done {
    if std::env::var_os("UMPIRE_CHROMEDRIVER").is_some() || is_there("chromedriver") {
        return Ok(());
    }
    if !is_there("apt-get") {
        return Err(
            "ChromeDriver is missing. Install the one for your Chromium, or point UMPIRE_CHROMEDRIVER at it."
                .to_owned(),
        );
    }
    apt_install(&["chromium-driver"])
}

/// Finds the database servers that backend checks are tested against, or installs them where apt can. They are not
/// started here: the tests start private ones.
pub fn ensure_databases() -> Done {
    let has_postgres = Path::new("/usr/lib/postgresql").exists() || is_there("initdb");
    let has_mariadb = is_there("mariadbd") || is_there("/usr/sbin/mariadbd");
    let mut missing = Vec::new();
    if !has_postgres {
        missing.push("postgresql");
    }
    // The client's core has a program that the server's set-up script calls.
    if !has_mariadb || !is_there("my_print_defaults") {
        missing.extend(["mariadb-server-core", "mariadb-client-core"]);
    }
    match (missing.as_slice(), is_there("apt-get")) {
        ([], _) => Ok(()),
        (_, true) => apt_install(&missing),
        (_, false) => Err(format!("The tests of backend checks need {}.", missing.join(", "))),
    }
}

fn apt_install(packages: &[&str]) -> Done {
    println!("installing {} with apt-get", packages.join(", "));
    let is_root = Command::new("id").arg("-u").output().is_ok_and(|out| out.stdout.trim_ascii() == b"0");
    let apt = |arguments: &[&str]| {
        let mut command = if is_root { Command::new("apt-get") } else { Command::new("sudo") };
        if !is_root {
            command.arg("apt-get");
        }
        run(command.env("DEBIAN_FRONTEND", "noninteractive").args(arguments))
    };
    apt(&["update", "-qq"])?;
    apt(&[&["install", "-y", "-qq", "--no-install-recommends"], packages].concat())
}

/// Clients that tests and benchmarks use: against the gate playwright-core for Node and playwright for Python, against
/// the gateway the model vendors' own. They live under the target folder, so a clean clone fetches them once. Returns
/// that folder.
pub fn ensure_clients() -> Result<PathBuf, String> {
    let folder = target_dir().join("clients");
    std::fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    if is_there("npm") && !folder.join("node_modules/playwright-core").exists() {
        println!("fetching playwright-core for the client tests");
        let mut npm = Command::new("npm");
        npm.args(["install", "--silent", "--no-audit", "--no-fund", "--prefix"]).arg(&folder);
        run(npm.arg("playwright-core@1.65"))?;
    }
    let venv = folder.join("venv");
    let is_installed = run(Command::new(venv.join("bin/python3"))
        .args(["-c", "import playwright, openai, anthropic, google.genai"])
        .stdout(Stdio::null())
        .stderr(Stdio::null()))
    .is_ok();
    if is_there("python3") && !is_installed {
        println!("fetching playwright and the model vendors' clients for Python, for the client tests");
        run(Command::new("python3").args(["-m", "venv"]).arg(&venv))?;
        let mut pip = Command::new(venv.join("bin/pip"));
        pip.args(["install", "--quiet", "--disable-pip-version-check", "playwright"]);
        run(pip.args(["openai==3.49.0", "anthropic==2.8.0", "google-genai==3.1.0"]))?;
    }
    let readers = folder.join("readers");
    let can_read = run(Command::new(readers.join("bin/python3"))
        .args(["-c", "import inspect_ai.log"])
        .stdout(Stdio::null())
        .stderr(Stdio::null()))
    .is_ok();
    if is_there("python3") && !can_read {
        println!("fetching the readers of formats that are exported");
        run(Command::new("python3").args(["-m", "venv"]).arg(&readers))?;
        let mut pip = Command::new(readers.join("bin/pip"));
        run(pip.args(["install", "--quiet", "--disable-pip-version-check", "inspect_ai"]))?;
    }
    Ok(folder)
}

/// The journals of all attempts below a folder of runs.
pub fn journals(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = std::fs::read_dir(folder) else { return Vec::new() };
    entries
        .flatten()
        .flat_map(|entry| {
            let path = entry.path();
            if path.is_dir() {
                journals(&path)
            } else if path.file_name().is_some_and(|name| name == "journal.jsonl") {
                vec![path]
            } else {
                Vec::new()
            }
        })
        .collect()
}
