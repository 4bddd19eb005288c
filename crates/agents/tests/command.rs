//! Command agents as real processes: honest ones, broken ones and unruly ones.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use umpire_agents::{
    BadCommand, CommandEnd, CommandSpec, CommandTask, Endpoint, Workspace, check_command, run_command,
};
use umpire_model::{BlobRef, Deadline, Digest, EventBody, Evidence, Limits, Media, TaskBrief, TaskKind};

const AMPLE: Duration = Duration::from_mins(1);

#[derive(Default)]
struct Journal(Mutex<Vec<EventBody>>);

impl Evidence for Journal {
    fn event(&self, body: EventBody) -> u64 {
        let mut events = self.0.lock().expect("lock");
        events.push(body);
        events.len() as u64
    }

    fn blob(&self, content: &[u8], media: Media) -> BlobRef {
        BlobRef { digest: Digest::of(content), media, bytes: content.len() as u64 }
    }
}

impl Journal {
    fn output(&self, wanted: &str) -> String {
        let events = self.0.lock().expect("lock");
        let texts = events.iter().filter_map(|event| match event {
            EventBody::AgentOutput { stream, text } if stream == wanted => Some(text.as_str()),
            _ => None,
        });
        texts.collect::<Vec<_>>().join("\n")
    }
}

fn brief() -> TaskBrief {
    TaskBrief {
        id: "shop-1".to_owned(),
        kind: TaskKind::Retrieve,
        intent: "How much is the lamp?".to_owned(),
        sites: vec!["shop".to_owned()],
        start_urls: vec!["http://shop.localhost/".to_owned()],
        limits: Limits::default(),
    }
}

fn shell(script: &str) -> CommandSpec {
    CommandSpec { grace_seconds: 1, ..CommandSpec::new(["sh", "-c", script].map(str::to_owned).to_vec()) }
}

struct Ran {
    end: CommandEnd,
    journal: Arc<Journal>,
    workspace: Workspace,
    took: Duration,
}

async fn run(spec: &CommandSpec, time: Duration) -> Ran {
    let (journal, workspace) = (Arc::new(Journal::default()), Workspace::create().expect("workspace"));
    let endpoint =
        Endpoint::Cdp { http: "http://127.0.0.1:9".to_owned(), ws: "ws://127.0.0.1:9/x".to_owned() };
    let schema = json!({"type": "object"});
    let task = CommandTask {
        brief: &brief(),
        response_schema: &schema,
        endpoint: &endpoint,
        workspace: &workspace,
        launcher: &[],
        services: &[],
    };
    let started = Instant::now();
    let evidence = Arc::clone(&journal) as Arc<dyn Evidence>;
    let end = run_command(spec, task, evidence, Deadline::after(time)).await.expect("the command runs");
    Ran { end, journal, workspace, took: started.elapsed() }
}

fn stopped(ran: &Ran) -> &str {
    match &ran.end {
        CommandEnd::Stopped { reason } => reason,
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn the_answer_file_is_the_answer() {
    let script = "echo '{\"from\":\"stdout\"}'; echo '{\"from\":\"file\"}' > $UMPIRE_OUT_DIR/answer.json";
    let ran = run(&shell(script), AMPLE).await;
    assert_eq!(ran.end, CommandEnd::Answered("{\"from\":\"file\"}".to_owned()));
    assert_eq!(ran.journal.output("stdout"), "{\"from\":\"stdout\"}");
}

#[tokio::test]
async fn without_a_file_the_last_json_object_on_stdout_is_the_answer_whatever_the_exit_code() {
    let ran = run(&shell("echo '{\"n\":1}'; echo '{\"n\":2}'; echo '{bad}'; echo bye; exit 3"), AMPLE).await;
    assert_eq!(ran.end, CommandEnd::Answered("{\"n\":2}".to_owned()));
}

#[tokio::test]
async fn exit_without_an_answer_tells_the_last_words() {
    let ran = run(&shell("echo first >&2; echo 'no such element' >&2; exit 1"), AMPLE).await;
    let reason = stopped(&ran);
    assert!(reason.contains("exit status: 1") && reason.contains("no such element"), "{reason}");
    assert_eq!(ran.journal.output("stderr"), "first\nno such element");
    let ran = run(&shell("kill -9 $$"), AMPLE).await;
    assert!(stopped(&ran).contains("signal: 9"), "{}", stopped(&ran));
}

#[tokio::test]
async fn a_linked_answer_is_refused() {
    let ran = run(&shell("ln -s /etc/hostname $UMPIRE_OUT_DIR/answer.json"), AMPLE).await;
    assert!(stopped(&ran).contains("link"), "{}", stopped(&ran));
    let swap = "rmdir $UMPIRE_OUT_DIR; mkdir x; echo {} > x/answer.json; ln -s $PWD/x $UMPIRE_OUT_DIR";
    let ran = run(&shell(swap), AMPLE).await;
    assert!(stopped(&ran).contains("link"), "{}", stopped(&ran));
}

#[tokio::test]
async fn the_task_file_holds_the_brief_and_the_schema() {
    let ran = run(&shell("cp $UMPIRE_TASK_FILE $UMPIRE_OUT_DIR/answer.json"), AMPLE).await;
    let CommandEnd::Answered(text) = &ran.end else { panic!("{:?}", ran.end) };
    let task: Value = serde_json::from_str(text).expect("JSON");
    let mut expected = serde_json::to_value(brief()).expect("JSON");
    expected["version"] = json!(1);
    expected["response_schema"] = json!({"type": "object"});
    assert_eq!(task, expected);
}

#[tokio::test]
async fn the_environment_is_clean() {
    // Cargo sets this one for tests; it stands for anything that the runner's own environment holds.
    assert!(std::env::var_os("CARGO_MANIFEST_DIR").is_some());
    let mut spec = shell("env; pwd; stat -c %a . ..; echo \"stdin: $(cat)\"");
    spec.env = BTreeMap::from([("MODEL".to_owned(), "small".to_owned())]);
    let ran = run(&spec, AMPLE).await;
    let output = ran.journal.output("stdout");
    let lines: Vec<&str> = output.lines().collect();
    let names: Vec<&str> =
        lines.iter().filter_map(|line| line.split_once('=')).map(|(name, _)| name).collect();
    let given = "BU_CDP_URL HOME LANG MODEL PATH PLAYWRIGHT_MCP_CDP_ENDPOINT TMPDIR UMPIRE_CDP_URL UMPIRE_CDP_WS \
                 UMPIRE_OUT_DIR UMPIRE_TASK_FILE";
    let set_by_the_shell = "PWD OLDPWD SHLVL _";
    for name in &names {
        let known = given.split(' ').chain(set_by_the_shell.split(' ')).any(|known| known == *name);
        assert!(known, "{name} reached the agent");
    }
    let folder = ran.workspace.out_dir().parent().expect("parent").to_owned();
    assert!(lines.contains(&format!("HOME={}", folder.join("home").display()).as_str()), "{output}");
    assert!(lines.contains(&folder.join("work").display().to_string().as_str()), "{output}");
    assert!(
        lines.contains(&"MODEL=small") && lines.contains(&"UMPIRE_CDP_WS=ws://127.0.0.1:9/x"),
        "{output}"
    );
    assert!(lines.contains(&"BU_CDP_URL=http://127.0.0.1:9"), "{output}");
    assert_eq!(lines.iter().filter(|line| **line == "700").count(), 2, "{output}");
    assert_eq!(lines.last(), Some(&"stdin: "));
    drop(ran);
    assert!(!folder.exists(), "the folder is removed with its handle");
}

#[tokio::test]
async fn a_flood_is_cut_counted_and_does_not_hide_the_answer() {
    let script =
        "head -c 20000000 /dev/zero | tr '\\0' x; yes 'a tiny line' | head -n 400000; echo; echo '{\"n\":7}'";
    let ran = run(&shell(script), AMPLE).await;
    assert_eq!(ran.end, CommandEnd::Answered("{\"n\":7}".to_owned()));
    let kept = ran.journal.output("stdout").len();
    assert!(kept <= 1024 * 1024, "{kept} bytes were kept");
    let note = ran.journal.output("umpire");
    let dropped: u64 = note.split(' ').next().and_then(|count| count.parse().ok()).expect("a count");
    let written = 20_000_000 + 400_000 * 12 + 1 + 8;
    // Cutting an over-long line adds a line break for each piece.
    assert!(dropped + kept as u64 >= written - 64 && dropped < written + 64, "{dropped} of {written}");
    assert!(ran.journal.0.lock().expect("lock").len() < 20_000);
}

#[tokio::test]
async fn a_hanging_command_dies_at_the_deadline_with_its_children() {
    // Neither the shell nor its child heeds SIGTERM.
    let script = "trap '' TERM; (trap '' TERM; echo child $(sh -c 'echo $PPID'); while :; do sleep 1; done) & \
                  while :; do sleep 1; done";
    let ran = run(&shell(script), Duration::from_secs(4)).await;
    assert_eq!(ran.end, CommandEnd::Time);
    assert!(ran.took < Duration::from_secs(20), "took {:?}", ran.took);
    let output = ran.journal.output("stdout");
    let child = output.strip_prefix("child ").expect("the child said its id").trim().to_owned();
    await_death(&child).await;
}

#[tokio::test]
async fn a_command_that_heeds_the_signal_ends_within_its_grace() {
    let mut spec = shell("trap 'echo tidied; exit 0' TERM; while :; do sleep 0.05; done");
    spec.grace_seconds = 30;
    let ran = run(&spec, Duration::from_secs(3)).await;
    assert_eq!((ran.end, ran.journal.output("stdout").as_str()), (CommandEnd::Time, "tidied"));
    assert!(ran.took < Duration::from_secs(25), "took {:?}", ran.took);
}

#[tokio::test]
async fn children_left_behind_by_a_finished_command_die_too() {
    let ran = run(&shell("sleep 600 & echo $! >&2; echo '{}'"), AMPLE).await;
    assert_eq!(ran.end, CommandEnd::Answered("{}".to_owned()));
    await_death(ran.journal.output("stderr").trim()).await;
}

#[tokio::test]
async fn a_launcher_is_put_before_the_command() {
    let (journal, workspace) = (Arc::new(Journal::default()), Workspace::create().expect("workspace"));
    let endpoint = Endpoint::Cdp { http: String::new(), ws: String::new() };
    let launcher = ["/usr/bin/env".into(), "CONFINED=yes".into()];
    let task = CommandTask {
        brief: &brief(),
        response_schema: &Value::Null,
        endpoint: &endpoint,
        workspace: &workspace,
        launcher: &launcher,
        services: &[],
    };
    let spec = shell("echo \"{\\\"confined\\\":\\\"$CONFINED\\\"}\"");
    let end = run_command(&spec, task, journal, Deadline::after(AMPLE)).await.expect("runs");
    assert_eq!(end, CommandEnd::Answered("{\"confined\":\"yes\"}".to_owned()));
}

#[test]
fn commands_that_cannot_start_are_found_before_the_run() {
    let folder = tempfile::tempdir().expect("temp folder");
    let script = folder.path().join("agent.sh");
    fs::write(&script, "#!/bin/sh\n").expect("write");
    let command = |program: &str| CommandSpec::new(vec![program.to_owned()]);
    let script_name = script.display().to_string();
    assert_eq!(check_command(&command("sh")), Ok(()));
    assert_eq!(check_command(&CommandSpec::new(Vec::new())), Err(BadCommand::Empty));
    assert_eq!(
        check_command(&command("no-such-agent")),
        Err(BadCommand::NotOnPath("no-such-agent".to_owned()))
    );
    assert_eq!(check_command(&command("/no/such")), Err(BadCommand::NoFile("/no/such".into())));
    assert_eq!(check_command(&command(&script_name)), Err(BadCommand::NotExecutable(script.clone())));
    fs::set_permissions(&script, fs::Permissions::from_mode(0o755)).expect("chmod");
    assert_eq!(check_command(&command(&script_name)), Ok(()));
    for (name, error) in [
        ("UMPIRE_OUT_DIR", BadCommand::ReservedVariable("UMPIRE_OUT_DIR".to_owned())),
        ("A=B", BadCommand::BadVariable("A=B".to_owned())),
    ] {
        let env = BTreeMap::from([(name.to_owned(), "x".to_owned())]);
        assert_eq!(check_command(&CommandSpec { env, ..command("sh") }), Err(error));
    }
}

#[test]
fn files_of_the_command_are_found_from_any_folder() {
    let folder = tempfile::tempdir().expect("temp folder");
    fs::write(folder.path().join("agent.mjs"), "").expect("write");
    let words = ["node", "agent.mjs", "--model", "small.v1"].map(str::to_owned).to_vec();
    let anchored = CommandSpec::new(words).anchored(folder.path()).command;
    let script = folder.path().join("agent.mjs").display().to_string();
    assert_eq!(anchored, ["node", &script, "--model", "small.v1"]);
}

/// A killed process may need a moment to leave the table, and a zombie counts as dead.
async fn await_death(id: &str) {
    assert!(id.parse::<u32>().is_ok(), "{id:?} is not a process id");
    let give_up = Deadline::after(Duration::from_secs(10));
    loop {
        let status = fs::read_to_string(Path::new("/proc").join(id).join("status")).unwrap_or_default();
        if status.is_empty() || status.contains("State:\tZ") {
            return;
        }
        assert!(!give_up.passed(), "process {id} is still alive");
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}
