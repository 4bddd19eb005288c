//! A stagehand without browsers: it writes what agents would have done, and ends when the test says so.

use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use serde_json::Value;
use tokio::sync::{oneshot, watch};
use umpire_arena::{Pairing, QueueLimits, TaskRules};
use umpire_model::{AgentEntry, AttemptId, Instance, Outcome};
use umpire_server::{
    Answering, ArenaOptions, Begun, Contest, Moderator, OfferedSite, OfferedSuite, OfferedTask, Offers,
    Playing, ServerOptions, Stagehand, Unplayed, Wish,
};
use umpire_store::Runs;

use crate::support::{LONGEST, synthetic};

/// Agents whose names nobody would write by chance.
pub const AGENTS: [&str; 2] = ["quillfish", "bramblecat"];
pub const RUN: &str = "arena-feed";

/// A task whose text has this in it runs until the test lets go.
pub const HANGS: &str = "hang";
/// And one with this breaks the harness.
pub const BREAKS: &str = "break";

pub struct Scripted {
    runs: PathBuf,
    offers: Offers,
    played: AtomicUsize,
    /// How many are on stage now.
    pub on_stage: Arc<AtomicUsize>,
    go_on: watch::Receiver<bool>,
}

impl fmt::Debug for Scripted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Scripted")
    }
}

/// The test's end of it.
pub struct Strings {
    pub on_stage: Arc<AtomicUsize>,
    go_on: watch::Sender<bool>,
}

impl Strings {
    pub fn let_go(&self) {
        let _ = self.go_on.send(true);
    }

    /// What is given up leaves the stage a moment after the page says so.
    pub async fn until_on_stage(&self, wanted: usize) {
        let begun = Instant::now();
        while self.on_stage.load(Ordering::SeqCst) != wanted {
            assert!(begun.elapsed() < LONGEST, "not {wanted} on stage");
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }
}

/// Opens an arena in a server's options.
pub fn open(options: &mut ServerOptions, change: impl FnOnce(&mut ArenaOptions)) -> Strings {
    let (go_on, waits) = watch::channel(false);
    let on_stage = Arc::new(AtomicUsize::new(0));
    let task =
        |id: &str| OfferedTask { id: id.to_owned(), intent: format!("Do {id}."), kind: "mutate".to_owned() };
    let offers = Offers {
        sites: vec![OfferedSite { name: "shop".to_owned(), url: "http://shop.localhost/".to_owned() }],
        suites: vec![OfferedSuite {
            name: "demo".to_owned(),
            description: "Small.".to_owned(),
            tasks: vec![task("lamp"), task("mug")],
        }],
        own_tasks: true,
        elsewhere: true,
    };
    let stagehand = Scripted {
        runs: options.runs.clone(),
        offers,
        played: AtomicUsize::new(earlier_runs(&options.runs)),
        on_stage: Arc::clone(&on_stage),
        go_on: waits,
    };
    let mut arena = ArenaOptions {
        stagehand: Arc::new(stagehand),
        pairing: Pairing::Uniform { agents: AGENTS.map(str::to_owned).to_vec() },
        limits: QueueLimits::default(),
        rules: TaskRules { hosts: vec!["shop.localhost".parse().expect("a rule")], ..TaskRules::default() },
        moderator: None,
        vote_within: Duration::from_hours(24),
    };
    change(&mut arena);
    options.arena = Some(arena);
    Strings { on_stage, go_on }
}

/// After a restart the names of runs go on.
fn earlier_runs(runs: &std::path::Path) -> usize {
    let entries = std::fs::read_dir(runs).into_iter().flatten().flatten();
    entries.filter(|entry| entry.file_name().to_string_lossy().starts_with(RUN)).count()
}

/// Counts those on stage, however they leave it.
struct OnStage(Arc<AtomicUsize>);

impl Drop for OnStage {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::SeqCst);
    }
}

impl Stagehand for Scripted {
    fn offers(&self) -> &Offers {
        &self.offers
    }

    fn play(&self, contest: Contest, begun: oneshot::Sender<Begun>) -> Playing {
        let number = self.played.fetch_add(1, Ordering::SeqCst);
        let runs = self.runs.clone();
        let mut go_on = self.go_on.clone();
        self.on_stage.fetch_add(1, Ordering::SeqCst);
        let on_stage = OnStage(Arc::clone(&self.on_stage));
        Box::pin(async move {
            let _on_stage = on_stage;
            let text = match &contest.wish {
                Wish::Own { text, .. } => text.clone(),
                Wish::Drawn { instance, .. } => instance.clone(),
            };
            let instance = Instance { intent: text.clone(), ..synthetic::instances().remove(0) };
            let attempts =
                contest.agents.clone().map(|agent| AttemptId::new(&agent, &instance.id, 1).expect("names"));
            let name = format!("{RUN}{number:04x}");
            let run = name.parse().expect("a name");
            let _ = begun.send(Begun { run, attempts: attempts.clone() });
            if text.contains(BREAKS) {
                return Err(Unplayed("/secret/place: the browser broke".to_owned()));
            }
            let entry = |name: &String| AgentEntry {
                name: name.clone(),
                kind: "command".to_owned(),
                settings: [("model".to_owned(), "gpt-4o".to_owned())].into(),
            };
            let instances = [instance];
            let agents = contest.agents.iter().map(entry).collect();
            let manifest = synthetic::manifest(&name, agents, &instances);
            let run = Runs::new(&runs).create(&manifest, &instances).expect("a new run");
            for attempt in &attempts {
                synthetic::write_attempt(&run, attempt, &instances[0], Some(Outcome::Pass), 0);
            }
            if text.contains(HANGS) && go_on.wait_for(|go_on| *go_on).await.is_err() {
                // Nobody is left to let go.
                std::future::pending::<()>().await;
            }
            Ok(())
        })
    }
}

/// A moderator that answers as it was told to, or never.
#[derive(Debug)]
pub struct Says(pub Option<Result<&'static str, &'static str>>);

impl Moderator for Says {
    fn ask(&self, request: Value) -> Answering<'_> {
        Box::pin(async move {
            assert_eq!(request["version"], 1, "{request}");
            assert!(request["task"].is_string() && request["start_url"].is_string(), "{request}");
            match self.0 {
                Some(said) => said.map(str::to_owned).map_err(str::to_owned),
                None => std::future::pending().await,
            }
        })
    }
}
