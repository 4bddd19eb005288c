//! Pictures of every site's main pages at 1280 px, as a person's browser shows them, for people to look at.

use std::fmt::Write as _;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::bench::chromium;
use crate::setup::{Done, cargo, ensure_chromium, root, run, target_dir};

/// One page a line: host, path and query, as they are in the world of [`SEED`].
const PAGES: &str = include_str!("../gallery/pages.txt");
const SEED: &str = "7";
/// What stands in front of pages on purpose is out of the way.
const OPEN: &str =
    r#"{"state": {"travel": {"wall": {"kind": "none"}}, "news": {"obstacles": {"consent": "none"}}}}"#;
const WIDTH: u32 = 1280;
const HEIGHT: u32 = 1400;
const LIMIT: Duration = Duration::from_mins(1);

/// Takes the pages whose address has one of these words in it, or all of them.
pub fn gallery(words: &[&str]) -> Done {
    ensure_chromium()?;
    run(cargo().args(["build", "--quiet", "--package", "umpire"]))?;
    let out = target_dir().join("gallery");
    std::fs::create_dir_all(&out).map_err(|error| format!("{}: {error}", out.display()))?;
    let world = Served::start()?;
    world.ask("POST", "localhost", "/reset", OPEN)?;
    let chosen = |page: &&str| words.is_empty() || words.iter().any(|word| page.contains(word));
    for page in PAGES.lines().filter(chosen) {
        let (host, path) = page.split_once('/').ok_or_else(|| format!("`{page}` has no path"))?;
        world.ask("GET", host, &format!("/{path}"), "")?;
        take(&format!("http://{host}:{}/{path}", world.port), &out.join(file_name(page)))?;
        println!("{page}");
    }
    let index = out.join("index.html");
    std::fs::write(&index, index_of(&out)).map_err(|error| format!("{}: {error}", index.display()))?;
    println!("look at {}", index.display());
    Ok(())
}

fn file_name(page: &str) -> String {
    let plain = |c: char| if c.is_ascii_alphanumeric() { c } else { '-' };
    let name: String = page.replacen(".localhost", "", 1).chars().map(plain).collect();
    format!("{}.png", name.trim_end_matches('-'))
}

/// One page with all pictures there are, by site.
fn index_of(out: &Path) -> String {
    let mut page = String::from(
        "<!doctype html><meta charset=\"utf-8\"><title>Gallery</title><style>body{font:15px sans-serif;margin:24px}\
         h2{margin:32px 0 8px}figure{display:inline-block;margin:0 16px 16px 0}img{width:400px;border:1px solid #ccc}\
         figcaption{color:#555}</style><h1>The built-in sites</h1>\n",
    );
    let mut site = "";
    for address in PAGES.lines().filter(|address| out.join(file_name(address)).is_file()) {
        let host = address.split('/').next().unwrap_or_default();
        if host != site {
            let _ = writeln!(page, "<h2>{}</h2>", host.trim_end_matches(".localhost"));
            site = host;
        }
        let (file, shown) = (file_name(address), address.replace('&', "&amp;"));
        let _ = writeln!(
            page,
            "<figure><a href=\"{file}\"><img src=\"{file}\" alt=\"\" loading=\"lazy\"></a><figcaption>{shown}</figcaption></figure>"
        );
    }
    page
}

/// The sites on a port of this machine, until dropped.
struct Served {
    process: Child,
    port: u16,
}

impl Served {
    fn start() -> Result<Self, String> {
        let mut process = Command::new(target_dir().join("debug/umpire"))
            .current_dir(root())
            .args(["--json", "worlds", "serve", "--seed", SEED, "--port", "0"])
            .stdout(Stdio::piped())
            .spawn()
            .map_err(|error| format!("the sites could not be served: {error}"))?;
        let mut line = String::new();
        let read = process.stdout.take().map(|stdout| BufReader::new(stdout).read_line(&mut line));
        let mut served = Self { process, port: 0 };
        let told: Option<Value> = read.and_then(Result::ok).and_then(|_| serde_json::from_str(&line).ok());
        let address = told.as_ref().and_then(|told| told["sites"]["hub"][0].as_str());
        let port = address.and_then(|url| url.trim_end_matches('/').rsplit(':').next()?.parse().ok());
        served.port = port.ok_or_else(|| format!("the sites have no address: {line}"))?;
        Ok(served)
    }

    /// Asks for something that must be there.
    fn ask(&self, method: &str, host: &str, path: &str, body: &str) -> Done {
        let told = |error: std::io::Error| format!("{host}{path}: {error}");
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).map_err(told)?;
        stream.set_read_timeout(Some(LIMIT)).map_err(told)?;
        let length = body.len();
        write!(
            stream,
            "{method} {path} HTTP/1.1\r\nhost: {host}:{}\r\nconnection: close\r\ncontent-length: {length}\r\n\r\n{body}",
            self.port
        )
        .map_err(told)?;
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).map_err(told)?;
        let status = String::from_utf8_lossy(answer.split(|byte| *byte == b'\r').next().unwrap_or_default())
            .into_owned();
        if status.contains(" 200") { Ok(()) } else { Err(format!("{host}{path} is answered with {status}")) }
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// Takes a picture of a page once it has come to rest.
fn take(url: &str, file: &Path) -> Done {
    let profile = tempfile::tempdir().map_err(|error| error.to_string())?;
    let mut browser = Command::new(chromium()?)
        .args([
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--hide-scrollbars",
            "--virtual-time-budget=3000",
        ])
        .arg(format!("--window-size={WIDTH},{HEIGHT}"))
        .arg(format!("--user-data-dir={}", profile.path().display()))
        .arg(format!("--screenshot={}", file.display()))
        .arg(url)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .map_err(|error| format!("Chromium could not be started: {error}"))?;
    let began = Instant::now();
    while browser.try_wait().map_err(|error| error.to_string())?.is_none() {
        if began.elapsed() > LIMIT {
            let _ = browser.kill();
            let _ = browser.wait();
            return Err(format!("{url}: no picture after {} s", LIMIT.as_secs()));
        }
        sleep(Duration::from_millis(50));
    }
    if file.is_file() { Ok(()) } else { Err(format!("{url}: Chromium left no picture")) }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    #[test]
    fn every_site_has_pictures_with_names_of_their_own() {
        let mut files = BTreeMap::new();
        for page in PAGES.lines() {
            assert!(page.contains(".localhost/"), "{page}");
            assert_eq!(files.insert(file_name(page), page), None, "{page}");
        }
        assert_eq!(files.get("shop-admin-reports-sales.png"), Some(&"shop-admin.localhost/reports/sales"));
        // Sixteen sites with a host each, and the marketplaces with their directory.
        let hosts: std::collections::BTreeSet<&str> =
            PAGES.lines().filter_map(|page| page.split('/').next()).collect();
        assert_eq!(hosts.len(), 37, "{hosts:?}");
    }

    #[test]
    fn the_index_shows_what_was_taken() {
        let out = tempfile::tempdir().expect("a folder");
        std::fs::write(out.path().join("shop.png"), "").expect("written");
        let index = index_of(out.path());
        assert!(index.contains("<h2>shop</h2>") && index.contains("src=\"shop.png\""), "{index}");
        assert!(!index.contains("forum"), "{index}");
    }
}
