//! Checks what a run needs from this machine, and says how to mend what is missing.

use std::net::TcpListener;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use nix::sys::statvfs::statvfs;
use serde::Serialize;
use umpire_browser::chromium::{Chromium, LaunchOptions, find};
use umpire_browser::{NetworkPolicy, Pool, PoolError, PoolOptions, Remote, SeatOptions};
use umpire_model::{Deadline, Unrecorded};

use crate::args::Global;
use crate::console::Style;
use crate::exit::Exit;
use crate::failure::Failure;

/// A Grid may have to start a browser first.
const REMOTE_LIMIT: Duration = Duration::from_mins(1);

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
enum Level {
    Ok,
    Warn,
    Fail,
}

#[derive(Debug, Serialize)]
struct Finding {
    check: &'static str,
    level: Level,
    found: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    remedy: Option<String>,
}

impl Finding {
    fn ok(check: &'static str, found: impl Into<String>) -> Self {
        Self { check, level: Level::Ok, found: found.into(), remedy: None }
    }

    fn bad(check: &'static str, level: Level, found: impl Into<String>, remedy: &str) -> Self {
        Self { check, level, found: found.into(), remedy: Some(remedy.to_owned()) }
    }
}

pub async fn machine(global: &Global, runs: &Path) -> Result<Exit, Failure> {
    let browser = match global.remote.remote()? {
        Some(remote) => remote_browser(remote).await,
        None => chromium(global).await,
    };
    let mut findings = vec![browser];
    findings.extend([sandbox(), shared_memory(), fonts(), ports(), disk(runs), clock(), confinement()]);
    let style = Style::for_stdout(global.colour);
    if global.json {
        say!("{}", serde_json::to_string(&findings).unwrap_or_default());
    } else {
        for finding in &findings {
            print(finding, style);
        }
    }
    let broken = findings.iter().any(|finding| finding.level == Level::Fail);
    Ok(if broken { Exit::BadInput } else { Exit::Ok })
}

fn print(finding: &Finding, style: Style) {
    let mark = match finding.level {
        Level::Ok => "ok  ",
        Level::Warn => "warn",
        Level::Fail => "FAIL",
    };
    say!("{} {:14} {}", style.bold(mark), finding.check, finding.found);
    if let Some(remedy) = &finding.remedy {
        say!("                    → {remedy}");
    }
}

async fn chromium(global: &Global) -> Finding {
    const CHECK: &str = "Chromium";
    let install = "apt-get install chromium-headless-shell (Debian, Ubuntu), or point UMPIRE_CHROMIUM at a Chromium or Chrome";
    let path = match find(global.chromium.as_deref()) {
        Ok(path) => path,
        Err(error) => return Finding::bad(CHECK, Level::Fail, error.to_string(), install),
    };
    let options = LaunchOptions { chromium: Some(path.clone()), ..LaunchOptions::default() };
    match Chromium::launch(&options, Deadline::after(Duration::from_secs(30))).await {
        Ok(browser) => {
            let version = browser.version().to_owned();
            drop(browser);
            Finding::ok(CHECK, format!("{version} starts ({})", path.display()))
        }
        Err(error) => {
            let found = format!("{} does not start: {error}", path.display());
            Finding::bad(CHECK, Level::Fail, found, "run it by hand with --headless=new and read its output")
        }
    }
}

/// Takes a seat in it, which proves the way there and the way back.
async fn remote_browser(remote: Remote) -> Finding {
    const CHECK: &str = "remote browser";
    let remedy = "docs/remote-browsers.md says what each kind of address and --reach are for";
    let at = remote.address.to_string();
    let options = PoolOptions { remote: Some(remote), spares: 0, ..PoolOptions::default() };
    let looked = async {
        let pool = Pool::start(options, Deadline::after(REMOTE_LIMIT)).await?;
        let options = SeatOptions::new(Arc::new(Unrecorded), NetworkPolicy::default());
        let seat = pool.seat(options, Deadline::after(REMOTE_LIMIT)).await?;
        let (version, remote) = (pool.version().to_owned(), pool.remote().cloned());
        seat.close(Deadline::after(REMOTE_LIMIT)).await;
        Ok::<_, PoolError>((version, remote))
    };
    match looked.await {
        Ok((version, remote)) => {
            let found = format!("{version} at {at} comes through the network gate");
            match remote.map(|remote| remote.without) {
                Some(Some(missing)) if !missing.is_empty() => {
                    let remedy =
                        format!("pages may behave differently there: started without {}", missing.join(" "));
                    Finding::bad(CHECK, Level::Warn, found, &remedy)
                }
                _ => Finding::ok(CHECK, found),
            }
        }
        Err(error) => Finding::bad(CHECK, Level::Fail, error.to_string(), remedy),
    }
}

fn sandbox() -> Finding {
    const CHECK: &str = "sandbox";
    if nix::unistd::geteuid().is_root() {
        let remedy = "run as an ordinary user if pages are not to be trusted";
        return Finding::bad(
            CHECK,
            Level::Warn,
            "you are root, so Chromium runs without its sandbox",
            remedy,
        );
    }
    let limit = std::fs::read_to_string("/proc/sys/user/max_user_namespaces").unwrap_or_default();
    if limit.trim() == "0" {
        let remedy = "sysctl -w user.max_user_namespaces=10000";
        return Finding::bad(CHECK, Level::Fail, "user namespaces are switched off", remedy);
    }
    Finding::ok(CHECK, "user namespaces are there")
}

fn shared_memory() -> Finding {
    const CHECK: &str = "/dev/shm";
    const NEEDED: u64 = 256 << 20;
    match free_bytes(Path::new("/dev/shm")) {
        Some(free) if free >= NEEDED => Finding::ok(CHECK, format!("{} free", megabytes(free))),
        Some(free) => {
            let remedy = "mount -o remount,size=1G /dev/shm (in a container: --shm-size=1g); until then Chromium uses /tmp";
            Finding::bad(CHECK, Level::Warn, format!("only {} free", megabytes(free)), remedy)
        }
        None => Finding::bad(CHECK, Level::Warn, "not there", "mount a tmpfs on /dev/shm"),
    }
}

fn fonts() -> Finding {
    const CHECK: &str = "fonts";
    let folders = ["/usr/share/fonts", "/usr/local/share/fonts", "/System/Library/Fonts"];
    let found = folders.iter().any(|folder| has_font(Path::new(folder), 4));
    if found {
        Finding::ok(CHECK, "there are some")
    } else {
        let remedy = "apt-get install fonts-liberation fonts-noto-color-emoji";
        Finding::bad(CHECK, Level::Warn, "none found: screenshots will show boxes for letters", remedy)
    }
}

fn has_font(folder: &Path, depth: u32) -> bool {
    let Ok(entries) = std::fs::read_dir(folder) else {
        return false;
    };
    entries.flatten().any(|entry| {
        let path = entry.path();
        let is_font = path.extension().is_some_and(|e| e == "ttf" || e == "otf" || e == "ttc" || e == "pfb");
        is_font || (depth > 0 && path.is_dir() && has_font(&path, depth - 1))
    })
}

fn ports() -> Finding {
    match TcpListener::bind(("127.0.0.1", 0)) {
        Ok(_) => Finding::ok("ports", "loopback accepts listeners"),
        Err(error) => {
            let remedy = "bring the loopback interface up: ip link set lo up";
            Finding::bad("ports", Level::Fail, format!("cannot listen on 127.0.0.1: {error}"), remedy)
        }
    }
}

fn disk(runs: &Path) -> Finding {
    const CHECK: &str = "disk";
    const NEEDED: u64 = 2 << 30;
    let existing = runs.ancestors().find(|folder| folder.exists() && !folder.as_os_str().is_empty());
    match free_bytes(existing.unwrap_or(Path::new("."))) {
        Some(free) if free >= NEEDED => {
            Finding::ok(CHECK, format!("{} free for {}", megabytes(free), runs.display()))
        }
        Some(free) => {
            let found = format!("only {} free for {}", megabytes(free), runs.display());
            Finding::bad(CHECK, Level::Warn, found, "free some space, or put the runs elsewhere with --runs")
        }
        None => Finding::bad(
            CHECK,
            Level::Fail,
            format!("{} cannot be examined", runs.display()),
            "check its path",
        ),
    }
}

/// A clock that is off by years breaks certificates and every date in a manifest.
fn clock() -> Finding {
    let since_1970 = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    let year = 1970 + since_1970.as_secs() / 31_556_952;
    if (2025..2100).contains(&year) {
        Finding::ok("clock", format!("the year is {year}"))
    } else {
        Finding::bad(
            "clock",
            Level::Fail,
            format!("the year seems to be {year}"),
            "set the clock, e.g. by NTP",
        )
    }
}

fn confinement() -> Finding {
    const CHECK: &str = "confinement";
    if umpire_process::confine::is_available() {
        Finding::ok(CHECK, "command agents cannot open suites and runs (Landlock)")
    } else {
        let remedy = "use a kernel with Landlock (5.13 or later), or run agents as another user";
        Finding::bad(
            CHECK,
            Level::Warn,
            "command agents can read files of this user, expected answers included",
            remedy,
        )
    }
}

fn free_bytes(path: &Path) -> Option<u64> {
    statvfs(path).ok().map(|stat| stat.blocks_available() * stat.fragment_size())
}

fn megabytes(bytes: u64) -> String {
    if bytes >= 10 << 30 { format!("{} GiB", bytes >> 30) } else { format!("{} MiB", bytes >> 20) }
}
