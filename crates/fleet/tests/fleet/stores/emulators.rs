//! Public emulators of clouds, where `cargo xtask test` has fetched them, each with a bucket to begin with.

use std::net::TcpListener;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU16, Ordering};
use std::time::{Duration, Instant};

use http::{Method, Request};
use object_store::azure::{AzureAccessKey, AzureAuthorizer, AzureCredential};
use object_store::client::HttpRequestBody;
use tokio::net::TcpStream;

const START_LIMIT: Duration = Duration::from_mins(1);

/// Moto, of Python's packages.
pub struct S3 {
    pub port: u16,
    _process: Process,
}

impl S3 {
    pub async fn start() -> Option<Self> {
        let python = client("venv-stores/bin/python3")?;
        let port = free_port();
        let mut moto = Command::new(python);
        moto.args(["-m", "moto.server", "-H", "127.0.0.1", "-p", &port.to_string()]);
        let process = Process::start(&mut moto, port).await;
        let bucket = format!("http://127.0.0.1:{port}/umpire");
        carry_out(Request::builder().method(Method::PUT).uri(bucket)).await;
        Some(Self { port, _process: process })
    }
}

/// Azurite, of npm's.
pub struct Azure {
    pub port: u16,
    _process: Process,
}

impl Azure {
    pub const ACCOUNT: &str = "account";
    /// Any number of bytes, so long as both sides know them.
    pub const KEY: &str = "dW1waXJlIHRlc3RzIGl0cyBzdG9yZXM=";

    pub async fn start() -> Option<Self> {
        let azurite = client("node_modules/azurite/dist/src/blob/main.js")?;
        let port = free_port();
        let mut node = Command::new("node");
        node.arg(azurite).args(["--inMemoryPersistence", "--skipApiVersionCheck", "--disableTelemetry"]);
        node.args(["--silent", "--blobHost", "127.0.0.1", "--blobPort", &port.to_string()]);
        node.env("AZURITE_ACCOUNTS", format!("{}:{}", Self::ACCOUNT, Self::KEY));
        let process = Process::start(&mut node, port).await;
        let container = format!("http://127.0.0.1:{port}/{}/umpire?restype=container", Self::ACCOUNT);
        let request = Request::builder().method(Method::PUT).uri(container).header("content-length", "0");
        let mut request = request.body(HttpRequestBody::empty()).expect("a request");
        let key = AzureCredential::AccessKey(AzureAccessKey::try_new(Self::KEY).expect("a key"));
        AzureAuthorizer::new(&key, Self::ACCOUNT).try_authorize(&mut request).expect("signed");
        send(request).await;
        Some(Self { port, _process: process })
    }
}

async fn carry_out(request: http::request::Builder) {
    send(request.body(HttpRequestBody::empty()).expect("a request")).await;
}

async fn send(request: Request<HttpRequestBody>) {
    let shown = format!("{} {}", request.method(), request.uri());
    let sent = tokio::time::timeout(START_LIMIT, umpire_https::pool().request(request)).await;
    let status = sent.expect("in time").expect("answered").status();
    assert!(status.is_success(), "{shown}: {status}");
}

/// A file among the clients that were fetched.
fn client(path: &str) -> Option<PathBuf> {
    let found = std::env::var_os("UMPIRE_TEST_CLIENTS").map(|folder| PathBuf::from(folder).join(path));
    let found = found.filter(|file| file.exists());
    if found.is_none() {
        println!("skipped: there is no {path} among the clients; `cargo xtask test` fetches it");
    }
    found
}

/// Killed when dropped.
struct Process(Child);

impl Process {
    async fn start(command: &mut Command, port: u16) -> Self {
        let output = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        let mut process = Self(output.spawn().expect("the emulator starts"));
        let began = Instant::now();
        while TcpStream::connect(("127.0.0.1", port)).await.is_err() {
            let ended = process.0.try_wait().expect("asked");
            assert!(ended.is_none(), "{command:?} ended with {ended:?}");
            assert!(began.elapsed() < START_LIMIT, "{command:?} does not listen");
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        process
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Below those that are handed out by chance, and another one each time: an emulator needs seconds until it listens.
fn free_port() -> u16 {
    static NEXT: AtomicU16 = AtomicU16::new(25_000);
    std::iter::repeat_with(|| NEXT.fetch_add(1, Ordering::Relaxed))
        .take(5_000)
        .find(|port| TcpListener::bind(("127.0.0.1", *port)).is_ok())
        .expect("a free port")
}
