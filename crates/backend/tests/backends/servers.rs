//! Private servers on a free port, with their data in a temporary folder, gone when dropped.

use std::io::{BufRead as _, BufReader};
use std::net::TcpListener;
use std::os::unix::fs::chown;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use nix::sys::signal::{Signal, kill};
use nix::unistd::{Pid, User, geteuid};
use tempfile::TempDir;

/// Servers refuse to run as root, so under root they run as nobody.
const SERVER_USER: &str = "nobody";

pub struct Server {
    child: Child,
    port: u16,
    /// What starts it, on the same port and with the same data.
    starts: Box<dyn Fn() -> Command + Send>,
    ready: &'static str,
    folder: TempDir,
}

/// How long a server that was killed may need until it starts again: what it left must go first.
const RESTART_LIMIT: Duration = Duration::from_mins(1);
/// Ports that are tried.
const STARTS: u32 = 5;

impl Server {
    pub fn postgres() -> Option<Self> {
        let Some(programs) = newest_postgres() else {
            return absent("PostgreSQL");
        };
        let folder = data_folder();
        let data = folder.path().join("data");
        run(as_server(&programs.join("initdb"))
            .args(["--auth=trust", "--username=umpire", "--encoding=UTF8", "--locale=C", "--no-sync", "-D"])
            .arg(&data));
        let sockets = format!("unix_socket_directories={}", folder.path().display());
        let starts = move |port: u16| {
            let mut command = as_server(&programs.join("postgres"));
            command.arg("-D").arg(&data).args(["-p", &port.to_string(), "-c", "listen_addresses=127.0.0.1"]);
            command.args(["-c", "fsync=off", "-c"]).arg(&sockets);
            command
        };
        Some(Self::started(starts, folder, "ready to accept connections"))
    }

    /// A NATS server with `JetStream`.
    pub fn nats() -> Option<Self> {
        let Some(server) = find("nats-server") else {
            return absent("nats-server");
        };
        let folder = data_folder();
        let data = folder.path().join("jetstream");
        let starts = move |port: u16| {
            let mut command = as_server(&server);
            command.args(["--addr", "127.0.0.1", "--port", &port.to_string(), "--jetstream", "--store_dir"]);
            command.arg(&data);
            command
        };
        Some(Self::started(starts, folder, "Server is ready"))
    }

    pub fn mariadb() -> Option<Self> {
        let (Some(server), Some(install)) = (find("mariadbd"), find("mariadb-install-db")) else {
            return absent("MariaDB");
        };
        let folder = data_folder();
        let data = folder.path().join("data");
        let data_option = format!("--datadir={}", data.display());
        run(as_server(&install).args([
            "--no-defaults",
            "--auth-root-authentication-method=normal",
            &data_option,
        ]));
        let socket = format!("--socket={}", folder.path().join("socket").display());
        let starts = move |port: u16| {
            let mut command = as_server(&server);
            command.args(["--no-defaults", "--bind-address=127.0.0.1", &data_option]);
            command.args([&format!("--port={port}"), &socket]);
            command
        };
        Some(Self::started(starts, folder, "ready for connections"))
    }

    fn started(
        starts: impl Fn(u16) -> Command + Send + 'static,
        folder: TempDir,
        ready: &'static str,
    ) -> Self {
        let mut last_words = String::new();
        for _ in 0..STARTS {
            // Somebody else may take it before the server does.
            let port = free_port();
            match launched(&mut starts(port), ready) {
                Ok(child) => {
                    let starts = Box::new(move || starts(port));
                    return Self { child, port, starts, ready, folder };
                }
                Err(said) => last_words = said,
            }
        }
        panic!("the server ended: {last_words}");
    }

    /// Ends it as a power cut would.
    pub fn kill(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }

    /// Starts it again after [`Server::kill`], with what it had written. It dies with the thread that calls this.
    pub fn restart(&mut self) {
        let began = Instant::now();
        loop {
            match launched(&mut (self.starts)(), self.ready) {
                Ok(child) => {
                    self.child = child;
                    return;
                }
                Err(said) => {
                    assert!(began.elapsed() < RESTART_LIMIT, "the server does not come back: {said}");
                }
            }
            std::thread::sleep(Duration::from_millis(50));
        }
    }

    /// Takes away everything a killed server had written. For one that starts from nothing, as NATS does.
    pub fn lose_disk(&mut self) {
        for entry in std::fs::read_dir(self.folder.path()).expect("its folder") {
            std::fs::remove_dir_all(entry.expect("listed").path()).expect("removed");
        }
    }

    pub fn port(&self) -> u16 {
        self.port
    }

    pub fn url(&self, scheme: &str, user_and_host: &str, database: &str) -> String {
        format!("{scheme}://{user_and_host}:{}/{database}", self.port)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // The fast way out for both: connections are closed, nothing waits for clients.
        let pid = Pid::from_raw(i32::try_from(self.child.id()).expect("a process id"));
        let _ = kill(pid, Signal::SIGINT).and_then(|()| kill(pid, Signal::SIGTERM));
        let _ = self.child.wait();
    }
}

/// Starts a server and waits until it says that it is ready; if it ends before, what it said.
fn launched(command: &mut Command, ready: &str) -> Result<Child, String> {
    let mut child = command.stderr(Stdio::piped()).spawn().expect("the server starts");
    let mut log = BufReader::new(child.stderr.take().expect("its log"));
    let mut said = String::new();
    while !said.contains(ready) {
        if log.read_line(&mut said).expect("readable") == 0 {
            let _ = child.wait();
            return Err(said);
        }
    }
    // Somebody has to read on, or the server blocks once the pipe is full.
    std::thread::spawn(move || std::io::copy(&mut log, &mut std::io::sink()));
    Ok(child)
}

/// Without servers their tests have nothing to say; where they are promised (`cargo xtask test`) that is a failure.
fn absent(server: &str) -> Option<Server> {
    assert!(std::env::var_os("UMPIRE_TEST_DATABASES").is_none(), "{server} is not installed");
    println!("skipped: {server} is not installed");
    None
}

fn newest_postgres() -> Option<PathBuf> {
    let versions = std::fs::read_dir("/usr/lib/postgresql").into_iter().flatten().flatten();
    let installed =
        versions.map(|version| version.path().join("bin")).filter(|bin| bin.join("initdb").exists());
    installed.max().or_else(|| Some(find("initdb")?.canonicalize().ok()?.parent()?.to_owned()))
}

fn find(program: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path)
        .chain(["/usr/sbin".into(), "/usr/local/sbin".into()])
        .map(|folder| folder.join(program))
        .find(|file| file.exists())
}

fn data_folder() -> TempDir {
    let folder = TempDir::new().expect("temp");
    if let Some(user) = server_user() {
        chown(folder.path(), Some(user.uid.as_raw()), Some(user.gid.as_raw())).expect("we are root");
    }
    folder
}

fn server_user() -> Option<User> {
    geteuid().is_root().then(|| User::from_name(SERVER_USER).ok().flatten().expect("every system has nobody"))
}

/// A command that dies with the thread that starts it, and does not run as root.
fn as_server(program: &Path) -> Command {
    let mut command = Command::new("setpriv");
    command.arg("--pdeathsig=KILL");
    if let Some(user) = server_user() {
        command
            .args([format!("--reuid={}", user.uid), format!("--regid={}", user.gid)])
            .arg("--clear-groups");
    }
    command.arg(program).current_dir("/").stdin(Stdio::null()).stdout(Stdio::null());
    command
}

fn run(command: &mut Command) {
    let output = command.output().expect("the command starts");
    assert!(output.status.success(), "{command:?}: {}", String::from_utf8_lossy(&output.stderr));
}

fn free_port() -> u16 {
    TcpListener::bind("127.0.0.1:0").and_then(|listener| listener.local_addr()).expect("a free port").port()
}
