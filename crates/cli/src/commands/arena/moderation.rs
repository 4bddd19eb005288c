//! The operator's own moderation: a command that reads the task, or an address that it is posted to.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use umpire_process::Group;
use umpire_server::{Answering, Moderator};
use url::Url;

use crate::arena_config::ModerationConfig;
use crate::failure::Failure;

/// An answer is one object; what is longer is something else.
const LONGEST_ANSWER: u64 = 64 * 1024;

#[derive(Debug)]
pub enum Hook {
    Command { words: Vec<String>, folder: PathBuf },
    Post(Url),
}

impl Hook {
    pub fn new(config: &ModerationConfig, folder: &Path) -> Result<Self, Failure> {
        let wrong = |problem: &str| Failure::new(format!("[arena.moderation]: {problem}"));
        if config.seconds == 0 {
            return Err(wrong("`seconds` is at least 1"));
        }
        match (&config.url, config.command.is_empty()) {
            (None, false) => {
                let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
                Ok(Self::Command { words: config.command.clone(), folder: folder.to_owned() })
            }
            (Some(url), true) => {
                let url = Url::parse(url).map_err(|error| wrong(&format!("`{url}`: {error}")))?;
                if !matches!(url.scheme(), "http" | "https") {
                    return Err(wrong("`url` begins with http or https"));
                }
                Ok(Self::Post(url))
            }
            _ => Err(wrong("say either `command` or `url`")),
        }
    }
}

impl Moderator for Hook {
    fn ask(&self, request: Value) -> Answering<'_> {
        Box::pin(async move {
            match self {
                Self::Command { words, folder } => run(words, folder, &format!("{request}\n")).await,
                Self::Post(url) => umpire_backend::post_json(url, &request).await,
            }
        })
    }
}

/// The command reads the request from its standard input. It ends with whoever asked, and all it started with it.
async fn run(words: &[String], folder: &Path, request: &str) -> Result<String, String> {
    let Some((program, arguments)) = words.split_first() else { return Err("no command".to_owned()) };
    let mut command = Command::new(program);
    command
        .args(arguments)
        .current_dir(folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::inherit());
    let mut group = Group::spawn(command).map_err(|error| error.to_string())?;
    if let Some(mut stdin) = group.take_stdin() {
        // One that answers without reading has answered all the same.
        let _ = stdin.write_all(request.as_bytes()).await;
    }
    let mut output = String::new();
    if let Some(stdout) = group.take_stdout() {
        stdout.take(LONGEST_ANSWER).read_to_string(&mut output).await.map_err(|error| error.to_string())?;
    }
    let status = group.wait().await.map_err(|error| error.to_string())?;
    if status.success() { Ok(output) } else { Err(format!("the command ended with {status}")) }
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use serde_json::json;

    use super::*;

    fn hook(script: &str) -> Hook {
        let command = ["sh", "-c", script].map(str::to_owned).to_vec();
        Hook::new(&ModerationConfig { command, url: None, seconds: 1 }, Path::new("")).expect("a hook")
    }

    #[tokio::test]
    async fn a_command_reads_the_task_and_its_output_is_the_answer() {
        let said = hook("read line; echo \"loading\"; echo \"got $line\"").ask(json!({"task": 1})).await;
        assert_eq!(said.expect("an answer"), "loading\ngot {\"task\":1}\n");
        let deaf = hook("echo '{\"allow\": true}'").ask(json!("x".repeat(500_000))).await;
        assert_eq!(deaf.expect("an answer"), "{\"allow\": true}\n");
        assert!(hook("echo '{\"allow\": true}'; exit 3").ask(Value::Null).await.is_err());
    }

    #[tokio::test]
    async fn a_command_that_is_given_up_is_gone_with_all_it_started() {
        let folder = tempfile::tempdir().expect("temp");
        let told = folder.path().join("pid");
        let hanging = hook(&format!("sleep 600 & echo $! > {0}.new; mv {0}.new {0}; wait", told.display()));
        let begun = async {
            while !told.exists() {
                tokio::time::sleep(Duration::from_millis(10)).await;
            }
        };
        tokio::select! {
            said = hanging.ask(Value::Null) => panic!("it said {said:?}"),
            () = begun => {}
        }
        let started = std::fs::read_to_string(&told).expect("a process");
        let process = Path::new("/proc").join(started.trim()).join("stat");
        let begun = Instant::now();
        // A dead one that nobody has asked after yet is a `Z`.
        while std::fs::read_to_string(&process)
            .is_ok_and(|told| told.contains("(sleep)") && !told.contains("(sleep) Z"))
        {
            assert!(begun.elapsed() < Duration::from_mins(1), "{started} goes on behind our back");
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    }

    #[tokio::test]
    async fn a_server_is_sent_the_task_and_its_body_is_the_answer() {
        let ask = |answer: &'static str| async move {
            let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("bound");
            let url = format!("http://{}/look", listener.local_addr().expect("an address"));
            let config = ModerationConfig { command: Vec::new(), url: Some(url), seconds: 1 };
            let hook = Hook::new(&config, Path::new("")).expect("a hook");
            let answering = async {
                let (mut stream, _) = listener.accept().await.expect("asked");
                let mut read = Vec::new();
                while !read.ends_with(b"}") {
                    read.push(stream.read_u8().await.expect("a request"));
                }
                stream.write_all(answer.as_bytes()).await.expect("answered");
                String::from_utf8(read).expect("text")
            };
            tokio::join!(hook.ask(json!({"task": "buy a lamp"})), answering)
        };
        let (said, heard) = ask("HTTP/1.1 200 OK\r\ncontent-length: 15\r\n\r\n{\"allow\": true}").await;
        assert_eq!(said.expect("an answer"), "{\"allow\": true}");
        assert!(heard.starts_with("POST /look ") && heard.ends_with("{\"task\":\"buy a lamp\"}"), "{heard}");
        let (said, _) = ask("HTTP/1.1 503 Busy\r\ncontent-length: 15\r\n\r\n{\"allow\": true}").await;
        assert!(said.is_err_and(|problem| problem.contains("503")), "a server in trouble allows nothing");
    }

    #[test]
    fn a_hook_is_one_thing_or_the_other() {
        let config = |command: &[&str], url: Option<&str>| ModerationConfig {
            command: command.iter().map(|word| (*word).to_owned()).collect(),
            url: url.map(str::to_owned),
            seconds: 5,
        };
        for wrong in [
            config(&[], None),
            config(&["x"], Some("http://x/")),
            config(&[], Some("file:///etc/passwd")),
            config(&[], Some("nonsense")),
        ] {
            assert!(Hook::new(&wrong, Path::new("")).is_err(), "{wrong:?}");
        }
    }
}
