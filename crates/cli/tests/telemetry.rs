//! What those who watch are told of a real run: spans and metrics at a collector, metrics for Prometheus, a log of JSON lines.

use std::collections::{BTreeSet, HashMap};
use std::convert::Infallible;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, LazyLock, Mutex};
use std::time::{Duration, Instant};

use bytes::Bytes;
use http_body_util::{BodyExt as _, Empty};
use hyper::body::Incoming;
use hyper::service::service_fn;
use hyper::{Request, Response};
use hyper_util::rt::TokioIo;
use opentelemetry_proto::tonic::collector::metrics::v1::ExportMetricsServiceRequest;
use opentelemetry_proto::tonic::collector::trace::v1::ExportTraceServiceRequest;
use opentelemetry_proto::tonic::trace::v1::Span;
use prost::Message as _;
use serde_json::Value;
use umpire_llm::Provider;
use umpire_llm::scripted::{Act, ScriptedProvider};

use crate::servers::Server;
use crate::support::{Ran, folder, run, umpire};

const KEY: &str = "sk-not-for-anybodys-eyes-1234567890";
const ANSWER: &str = "an answer that belongs into the record alone";
const LIMIT: Duration = Duration::from_mins(2);

/// Collector and provider run here while the command is waited for.
static RUNTIME: LazyLock<tokio::runtime::Runtime> =
    LazyLock::new(|| tokio::runtime::Runtime::new().expect("runtime"));

/// What was sent by OTLP.
#[derive(Clone, Default)]
struct Collector {
    spans: Arc<Mutex<Vec<Span>>>,
    metrics: Arc<Mutex<BTreeSet<String>>>,
}

impl Collector {
    fn start(&self) -> String {
        let bound = RUNTIME.block_on(tokio::net::TcpListener::bind("127.0.0.1:0"));
        let listener = bound.expect("a free port");
        let address = listener.local_addr().expect("bound");
        let collector = self.clone();
        RUNTIME.spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let collector = collector.clone();
                let service = service_fn(move |request| {
                    let collector = collector.clone();
                    async move { Ok::<_, Infallible>(collector.take(request).await) }
                });
                let connection = hyper::server::conn::http1::Builder::new();
                tokio::spawn(connection.serve_connection(TokioIo::new(stream), service));
            }
        });
        format!("http://{address}")
    }

    async fn take(&self, request: Request<Incoming>) -> Response<Empty<Bytes>> {
        let path = request.uri().path().to_owned();
        let body = request.into_body().collect().await.expect("a body").to_bytes();
        if path.ends_with("/traces") {
            let sent = ExportTraceServiceRequest::decode(body).expect("protobuf");
            let scopes = sent.resource_spans.into_iter().flat_map(|one| one.scope_spans);
            self.spans.lock().expect("free").extend(scopes.flat_map(|scope| scope.spans));
        } else {
            let sent = ExportMetricsServiceRequest::decode(body).expect("protobuf");
            let scopes = sent.resource_metrics.into_iter().flat_map(|one| one.scope_metrics);
            let names = scopes.flat_map(|scope| scope.metrics).map(|metric| metric.name);
            self.metrics.lock().expect("free").extend(names);
        }
        Response::new(Empty::new())
    }

    /// For each kind of span, the kinds it was seen within, from the outermost.
    fn chains(&self) -> BTreeSet<String> {
        let spans = self.spans.lock().expect("free");
        let by_id: HashMap<&[u8], &Span> = spans.iter().map(|span| (span.span_id.as_slice(), span)).collect();
        let chain = |span: &Span| {
            let mut names = vec![span.name.clone()];
            let mut parent = by_id.get(span.parent_span_id.as_slice());
            while let Some(span) = parent {
                names.push(span.name.clone());
                parent = by_id.get(span.parent_span_id.as_slice());
            }
            names.reverse();
            names.join(" > ")
        };
        spans.iter().map(chain).collect()
    }
}

/// Metrics in the table of the chapter on watching.
fn documented_metrics() -> Vec<String> {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/watching.md");
    let text = std::fs::read_to_string(file).expect("the chapter");
    let rows = text.lines().filter(|line| line.starts_with("| `umpire_"));
    let names = rows.flat_map(|row| row.split('`').filter(|word| word.starts_with("umpire_")));
    names.map(str::to_owned).collect()
}

/// What Prometheus is shown, asked for until the process that shows it is gone; names of metrics.
fn scraped(address: &str, child: &mut Child) -> String {
    let mut shown = String::new();
    let began = Instant::now();
    while child.try_wait().expect("asked").is_none() {
        assert!(began.elapsed() < LIMIT, "the command does not end");
        if let Ok(mut stream) = TcpStream::connect(address) {
            stream.set_read_timeout(Some(LIMIT)).expect("a limit");
            let _ = stream.write_all(b"GET /metrics HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n");
            let mut page = String::new();
            // One that is cut short by the end of the process is no page, and neither is a refusal.
            let is_read = stream.read_to_string(&mut page).is_ok() && page.starts_with("HTTP/1.1 200");
            if is_read && page.len() > shown.len() {
                shown = page;
            }
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    shown
}

fn log_lines(stderr: &str) -> Vec<Value> {
    let parsed = stderr.lines().map(|line| {
        let value = serde_json::from_str::<Value>(line);
        value.unwrap_or_else(|_| panic!("no JSON: {line}\nin\n{stderr}"))
    });
    parsed.collect()
}

fn has(lines: &[Value], message: &str) -> bool {
    lines.iter().any(|line| line["message"].as_str().is_some_and(|text| text.starts_with(message)))
}

#[test]
fn a_run_tells_all_that_the_chapter_on_watching_says() {
    let folder = folder();
    let collector = Collector::default();
    // The first call fails once, so that one is tried again. Then each attempt acts before it answers: a step whose page
    // was seen on its way to rest calls no browser.
    let calls = Mutex::new(0_u32);
    let provider = RUNTIME.block_on(ScriptedProvider::start(umpire_llm::scripted::Script::new(move |_| {
        let mut calls = calls.lock().expect("nobody panics");
        *calls += 1;
        match *calls {
            1 => Act::status(503),
            call if call.is_multiple_of(2) => Act::say("Thought: t\nAction: Scroll [WINDOW]; [down]"),
            _ => Act::say(format!("Thought: t\nAction: ANSWER; {ANSWER}")),
        }
    })));
    let provider = provider.expect("a provider");
    let config = format!(
        "[models.small]\nprovider = \"openai-compatible\"\nmodel = \"tiny-1\"\nbase_url = \"{}\"\nkey = \"TINY_KEY\"\nimages = false\ntries = 3\n\
         [agents.voyager]\nkind = \"voyager\"\nmodel = \"small\"\n",
        provider.base_url(Provider::OpenAiCompatible)
    );
    std::fs::write(folder.path().join("umpire.toml"), config).expect("configuration");
    let mut command = umpire(folder.path());
    command.env("TINY_KEY", KEY).args([
        "--otlp",
        &collector.start(),
        "--metrics",
        "127.0.0.1:0",
        "--log-json",
    ]);
    // One after the other: while the second is made, what is counted of the first can be seen.
    command.args(["run", "--suite", "smoke", "--agent", "voyager", "--filter", "id=hub-password-age"]);
    command.args(["--trials", "2", "--jobs", "1", "--json"]).stdout(Stdio::null()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("umpire starts");
    let mut log = BufReader::new(child.stderr.take().expect("its log"));
    let mut said = String::new();
    log.read_line(&mut said).expect("a line");
    let first: Value = serde_json::from_str(&said).expect("JSON");
    let page = first["message"].as_str().and_then(|text| text.strip_prefix("metrics at http://"));
    let address = page.and_then(|rest| rest.strip_suffix("/metrics")).expect("where metrics are").to_owned();
    let reading = std::thread::spawn(move || {
        log.read_to_string(&mut said).expect("readable");
        said
    });
    let shown = scraped(&address, &mut child);
    let log = reading.join().expect("read");
    // The answer is wrong, and no gate asks for another.
    assert_eq!(child.wait().expect("ended").code(), Some(0), "{log}");

    let chains = collector.chains();
    for wanted in ["run > attempt > step > cdp", "run > attempt > step > model"] {
        assert!(chains.contains(wanted), "no `{wanted}` among {chains:#?}\n{log}");
    }
    let told = format!("{:?}", collector.spans.lock().expect("free"));
    let told = format!("{told}\n{shown}\n{log}");
    assert!(!told.contains(KEY) && !told.contains(ANSWER), "neither keys nor answers leave by this way");
    let sent = collector.metrics.lock().expect("free").clone();
    let documented = documented_metrics();
    assert!(documented.len() >= 10, "{documented:?}");
    for name in documented {
        assert!(sent.contains(&name), "{name} was not sent: {sent:?}\n{log}");
        let is_shown = ["", "_total"].iter().any(|end| shown.contains(&format!("# TYPE {name}{end} ")));
        assert!(is_shown, "{name} is not shown:\n{shown}\n{log}");
    }
    let lines = log_lines(&log);
    for message in ["run begun", "attempt begun", "model call tried again", "attempt ended", "run ended"] {
        assert!(has(&lines, message), "no `{message}` in\n{log}");
    }
}

#[test]
fn a_command_that_fails_says_so_in_its_log() {
    let folder = folder();
    let ran = run(folder.path(), &["run", "--suite", "nowhere", "--agent", "oracle", "--log-json"]);
    assert_eq!(ran.code, Some(1), "{}", ran.stderr);
    let lines = log_lines(&ran.stderr);
    let is_told = |line: &Value| {
        line["level"] == "ERROR" && line["message"].as_str().is_some_and(|text| text.contains("nowhere"))
    };
    assert!(lines.iter().any(is_told), "{}", ran.stderr);
}

#[test]
fn a_worker_logs_its_part_in_json_and_its_attempts_lie_within_a_run() {
    let (Some(nats), Some(postgres)) = (Server::nats(), Server::postgres()) else { return };
    let folder = folder();
    let collector = Collector::default();
    let otlp = collector.start();
    let on_fleet = |runs: &str| -> Command {
        let mut command = umpire(folder.path());
        command
            .env("UMPIRE_FLEET", format!("nats://127.0.0.1:{}", nats.port()))
            .env("UMPIRE_INDEX", postgres.url("postgres", "umpire@127.0.0.1", "postgres"))
            .env("UMPIRE_STORE", format!("file://{}", folder.path().join("store").display()))
            .args(["--runs", runs, "--log-json"])
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        command
    };
    let worker = on_fleet("runs-of-worker").args(["--otlp", &otlp, "worker", "--jobs", "1"]).spawn();
    let worker = Dismissed(worker.expect("umpire starts"));
    let plan = ["run", "--suite", "smoke", "--agent", "oracle", "--filter", "id=hub-password-age"];
    let ran = Ran::of(&on_fleet("runs").args(plan).output().expect("umpire starts"));
    assert_eq!(ran.code, Some(0), "{}\n{}", ran.stdout, ran.stderr);
    log_lines(&ran.stderr);
    let left = worker.leave();
    let lines = log_lines(&left.stderr);
    for message in
        ["joined the fleet", "takes part in a run", "attempt ended", "takes nothing new", "left the fleet"]
    {
        assert!(has(&lines, message), "no `{message}` in\n{}", left.stderr);
    }
    let chains = collector.chains();
    assert!(chains.contains("run > attempt > step > cdp"), "{chains:#?}\n{}", left.stderr);
}

/// A worker; killed when dropped.
struct Dismissed(Child);

impl Dismissed {
    /// Lets it end what it has in hand.
    fn leave(mut self) -> Ran {
        let pid = nix::unistd::Pid::from_raw(i32::try_from(self.0.id()).expect("a process id"));
        nix::sys::signal::kill(pid, nix::sys::signal::Signal::SIGTERM).expect("signalled");
        let (mut stdout, mut stderr) = (String::new(), String::new());
        self.0.stderr.take().expect("piped").read_to_string(&mut stderr).expect("readable");
        self.0.stdout.take().expect("piped").read_to_string(&mut stdout).expect("readable");
        Ran { code: self.0.wait().expect("ended").code(), stdout, stderr }
    }
}

impl Drop for Dismissed {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}
