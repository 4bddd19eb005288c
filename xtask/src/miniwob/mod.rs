//! `MiniWoB++` under Umpire against the package's own Python environment: the same seeds, the same actions, the same rewards?
//!
//! The package is fetched into a virtual environment below the target folder. Umpire imports its pages, our scripted agent
//! acts on them, and what it did is done again in the package's environment, which drives a Chromium of its own through
//! `ChromeDriver`.

mod browsergym;
mod episodes;
mod table;

use std::io::{BufRead as _, BufReader, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::setup::{
    Done, cargo, ensure_chromedriver, ensure_chromium, fetch_package, is_there, root, run, target_dir,
};
pub use browsergym::browsergym;
use episodes::{Episode, Replayed, recorded};

/// Environments that our scripted agent is meant for, one a line; the tests use the same list.
const ENVIRONMENTS: &str = include_str!("../../miniwob/environments.txt");

/// Time for one episode, on both sides: a busy machine is not what is compared.
const SECONDS: &str = "120";

const PACKAGE: &str = "miniwob==1.*";

/// Fewer solved environments than this are too few.
const WANTED: usize = 40;

pub fn miniwob(arguments: &[&str]) -> Done {
    let seeds = arguments.first().copied().unwrap_or("20");
    seeds.parse::<u32>().map_err(|_| format!("`{seeds}` is not a number of seeds"))?;
    let environments: Vec<&str> = match arguments.get(1..) {
        Some(named) if !named.is_empty() => named.to_vec(),
        _ => ENVIRONMENTS.lines().collect(),
    };
    ensure_chromium()?;
    ensure_chromedriver()?;
    let folder = target_dir().join("miniwob");
    let python = ensure_package(&folder)?;
    run(cargo().args(["build", "--quiet", "--package", "umpire"]))?;
    act(&folder, &python, seeds, &environments)?;
    let episodes = recorded(&folder.join("runs"))?;
    let replayed = replay(&python, &episodes)?;
    table::print(&episodes, &replayed);
    let differing = table::differing(&episodes, &replayed);
    let solved = table::solved(&episodes).len();
    if differing > 0 {
        return Err(format!("{differing} episodes got another reward in the package's own environment"));
    }
    if environments.len() >= WANTED && solved < WANTED {
        return Err(format!("only {solved} environments were solved on every seed, {WANTED} are wanted"));
    }
    Ok(())
}

/// Finds the package, or fetches it from the package index that pip is set up with. Returns the Python that has it.
fn ensure_package(folder: &Path) -> Result<PathBuf, String> {
    let venv = folder.join("venv");
    let python = venv.join("bin/python3");
    let has_it = Command::new(&python)
        .args(["-c", "import miniwob"])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .is_ok_and(|status| status.success());
    if !has_it {
        println!("fetching the Python package {PACKAGE}");
        run(Command::new("python3").args(["-m", "venv"]).arg(&venv))?;
        let mut pip = Command::new(venv.join("bin/pip"));
        run(pip.args(["install", "--quiet", "--disable-pip-version-check", PACKAGE]))?;
    }
    Ok(python)
}

/// The package's pages, which need nothing of what its environment needs; `None` where there is no Python to fetch them.
pub fn ensure_pages() -> Result<Option<PathBuf>, String> {
    let folder = target_dir().join("miniwob");
    let packages = folder.join("packages");
    let pages = packages.join("miniwob/html");
    if let Some(fetched) =
        pages_of(&folder.join("venv/bin/python3")).or(pages.is_dir().then_some(pages.clone()))
    {
        return Ok(Some(fetched));
    }
    if !is_there("python3") {
        println!("left out: there is no Python to fetch the pages of MiniWoB++ with");
        return Ok(None);
    }
    println!("fetching {PACKAGE}, the pages of MiniWoB++ (2 MB)");
    fetch_package(PACKAGE, &packages)?;
    if pages.is_dir() { Ok(Some(pages)) } else { Err(format!("{PACKAGE} has no pages")) }
}

fn pages_of(python: &Path) -> Option<PathBuf> {
    let asked = "import miniwob, pathlib; print(pathlib.Path(miniwob.__file__).parent / 'html')";
    let said = Command::new(python).args(["-c", asked]).output().ok()?;
    let pages = PathBuf::from(String::from_utf8_lossy(&said.stdout).trim());
    pages.is_dir().then_some(pages)
}

/// Lets the scripted agent act on every environment and seed.
fn act(folder: &Path, python: &Path, seeds: &str, environments: &[&str]) -> Done {
    let pages = pages_of(python).ok_or("the package says nothing about its pages")?;
    let suite = folder.join("suite");
    import_pages(&pages, &suite, seeds)?;
    let runs = folder.join("runs");
    let _ = std::fs::remove_dir_all(&runs);
    let filter: Vec<String> = environments.iter().map(|name| format!("template={name}")).collect();
    let mut act = Command::new(target_dir().join("debug/umpire"));
    act.arg("--runs").arg(&runs).args(["run", "--agent", "miniwob", "--suite"]).arg(&suite);
    run(act.args(["--filter", &filter.join(" or ")]))
}

/// Makes a suite of the pages, with this many seeds.
fn import_pages(pages: &Path, suite: &Path, seeds: &str) -> Done {
    let mut import = Command::new(target_dir().join("debug/umpire"));
    let seeds = format!("0..{seeds}");
    import.args(["suite", "import", "miniwob", "--seeds", &seeds, "--episode-seconds", SECONDS, "--from"]);
    run(import.arg(pages).arg("--out").arg(suite))
}

/// Does every episode's actions again in the package's own environment.
fn replay(python: &Path, episodes: &[Episode]) -> Result<Vec<Replayed>, String> {
    println!("doing the same in the package's own environment");
    let mut child = Command::new(python)
        .arg(root().join("xtask/miniwob/replay.py"))
        .arg(SECONDS)
        .env("MINIWOB_CHROME_BINARY", program("UMPIRE_CHROMIUM", "/usr/bin/chromium"))
        .env("MINIWOB_CHROMEDRIVER", program("UMPIRE_CHROMEDRIVER", "/usr/bin/chromedriver"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .map_err(|error| format!("python could not be started: {error}"))?;
    let (stdin, stdout) = (child.stdin.take(), child.stdout.take());
    let lines: Vec<String> = episodes.iter().map(Episode::as_line).collect();
    let writing = std::thread::spawn(move || {
        // A reader that ends early is noticed by the lines that are missing.
        stdin.map(|mut stdin| lines.iter().try_for_each(|line| writeln!(stdin, "{line}")))
    });
    let read = BufReader::new(stdout.ok_or("python has no output")?).lines();
    let replayed = read.map_while(Result::ok).filter_map(|line| serde_json::from_str(&line).ok()).collect();
    let _ = writing.join();
    child.wait().map_err(|error| error.to_string())?;
    Ok(replayed)
}

fn program(variable: &str, otherwise: &str) -> PathBuf {
    std::env::var_os(variable).map_or_else(|| PathBuf::from(otherwise), PathBuf::from)
}
