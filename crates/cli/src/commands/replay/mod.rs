//! Replays a recorded session for a wanted state, in a browser of its own.

mod lines;
mod trace;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use umpire_browser::{Pool, PoolOptions, SeatOptions};
use umpire_model::{BlobRef, Deadline, Digest, EventBody, Evidence, Media};
use umpire_stage::Session;
use umpire_stage::replay::{
    Failure as StepFailure, NoSecrets, ReplayError, ReplayOptions, Replayed, Replayer, Secrets, Wanted,
};
use umpire_stage::session::{Deed, Entry};
use umpire_stage::vault::{Keyring, SecretName};

use self::lines::Lines;
use crate::args::{Global, ReplayArgs};
use crate::commands::record::network;
use crate::commands::vault::keyring;
use crate::config::Config;
use crate::console::Style;
use crate::exit::Exit;
use crate::failure::Failure;

const START: Duration = Duration::from_mins(1);
/// For the browser to go.
const LEAVING: Duration = Duration::from_secs(5);

pub async fn replay(args: &ReplayArgs, global: &Global, config: &Config) -> Result<Exit, Failure> {
    let mut session = trace::read(&args.trace)?;
    if let Some(site) = &args.site {
        trace::relocate(&mut session, site)?;
    }
    let wanted = wanted(args)?;
    let secrets = secrets_for(&session, config)?;
    let lines = Lines::new(Style::for_stdout(global.colour), global.json);
    lines.begin(&session, &wanted, args.verify_only);
    let began = Instant::now();
    let result = in_a_seat(args, global, &session, wanted.clone(), secrets.as_ref(), &lines).await?;
    match result {
        Ok(replayed) => {
            let updated = if args.update { update(&args.trace, &replayed)? } else { None };
            lines.reached(&args.trace, &wanted, &replayed, updated.as_deref(), began.elapsed());
            Ok(Exit::Ok)
        }
        Err(ReplayError::Failed(failure)) => {
            let picture = keep_picture(args, &failure)?;
            lines.failed(&args.trace, &wanted, &failure, picture.as_deref());
            Ok(Exit::GateFailed)
        }
        Err(ReplayError::Browser(error)) => {
            eprintln!("{}: {error}", args.trace.display());
            Ok(Exit::TooMuchInfra)
        }
    }
}

/// The vault is opened only for a session that refers to it.
fn secrets_for(session: &Session, config: &Config) -> Result<Box<dyn Secrets>, Failure> {
    let refers = |entry: &Entry| match entry {
        Entry::Secret(_) => true,
        Entry::Text(text) => text.contains("{{"),
    };
    let needed = session.steps.iter().any(|step| match &step.deed {
        Deed::Type { text } => refers(text),
        Deed::Dialog(dialogue) => dialogue.text.as_ref().is_some_and(refers),
        _ => false,
    });
    Ok(if needed { Box::new(Kept(keyring(config)?)) } else { Box::new(NoSecrets) })
}

/// Secrets of the environment and the vault, by name.
struct Kept(Keyring);

impl Secrets for Kept {
    fn secret(&self, reference: &str) -> Option<String> {
        let name: SecretName = reference.parse().ok()?;
        self.0.get(&name).ok().map(|value| value.to_string())
    }
}

/// What is asked for: one state for all controls, and others for some of them.
fn wanted(args: &ReplayArgs) -> Result<Wanted, Failure> {
    let all = Wanted::named(&args.state);
    if args.set.is_empty() {
        return Ok(all);
    }
    let mut apart = BTreeMap::new();
    for written in &args.set {
        let (control, state) = written.rsplit_once('=').filter(|(control, _)| !control.is_empty()).ok_or_else(|| {
            Failure::new(format!("`{written}` names no state"))
                .help("write --set 4=off or --set 'Show my birthday=on': a step's number or a control's name, and its state")
        })?;
        apart.insert(control.to_owned(), Wanted::named(state));
    }
    Ok(Wanted::Mixed(apart, Box::new(all)))
}

async fn in_a_seat(
    args: &ReplayArgs,
    global: &Global,
    session: &Session,
    wanted: Wanted,
    secrets: &dyn Secrets,
    lines: &Lines,
) -> Result<Result<Replayed, ReplayError>, Failure> {
    let failed = |problem: String| Failure::new(problem).help("`umpire doctor` checks this machine");
    let url = url::Url::parse(&session.start_url).map_err(|error| {
        Failure::new(format!("{}: `{}` is not an address: {error}", args.trace.display(), session.start_url))
    })?;
    let network = network(&url, args.seed)?;
    let options = PoolOptions {
        chromium: global.chromium.clone(),
        remote: global.remote.remote()?,
        viewport: session.viewport,
        spares: 1,
        ..PoolOptions::default()
    };
    let pool =
        Pool::start(options, Deadline::after(START)).await.map_err(|error| failed(error.to_string()))?;
    let deadline = Deadline::after(Duration::from_secs(args.seconds));
    let mut options = SeatOptions::new(Arc::new(Unkept), network);
    options.viewport = session.viewport;
    let seat = pool.seat(options, deadline).await.map_err(|error| failed(error.to_string()))?;
    let watcher = |event: umpire_stage::replay::ReplayEvent<'_>| lines.on(&event);
    let options = ReplayOptions {
        verify_only: args.verify_only,
        secrets,
        uploads: args.files.as_deref().unwrap_or(Path::new(".")),
        watcher: &watcher,
        ..ReplayOptions::new(wanted)
    };
    let result = Replayer::new(&seat, options).replay(session, deadline).await;
    seat.close(Deadline::after(LEAVING)).await;
    Ok(result)
}

/// Rewrites the trace with the elements as they are now; the old one is kept beside it.
fn update(path: &Path, replayed: &Replayed) -> Result<Option<PathBuf>, Failure> {
    if replayed.healed().next().is_none() {
        return Ok(None);
    }
    let cannot = |error: std::io::Error| Failure::new(format!("{}: {error}", path.display()));
    // Read again, so that a replay at another address does not move the trace there.
    let session = trace::read(path)?;
    let kept = with_ending(path, "bak");
    fs::copy(path, &kept).map_err(cannot)?;
    let fresh = with_ending(path, "new");
    fs::write(&fresh, replayed.update(&session).write()).map_err(cannot)?;
    fs::rename(&fresh, path).map_err(cannot)?;
    Ok(Some(kept))
}

fn keep_picture(args: &ReplayArgs, failure: &StepFailure) -> Result<Option<PathBuf>, Failure> {
    let Some(picture) = &failure.screenshot else { return Ok(None) };
    let path = args.picture.clone().unwrap_or_else(|| with_ending(&args.trace, "failed.jpg"));
    fs::write(&path, picture).map_err(|error| Failure::new(format!("{}: {error}", path.display())))?;
    Ok(Some(path))
}

fn with_ending(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".");
    name.push(ending);
    PathBuf::from(name)
}

/// A replay by itself is no attempt: what its pages did is not kept.
struct Unkept;

impl Evidence for Unkept {
    fn event(&self, _body: EventBody) -> u64 {
        0
    }

    fn blob(&self, content: &[u8], media: Media) -> BlobRef {
        BlobRef { digest: Digest::of(content), media, bytes: content.len() as u64 }
    }
}

/// The healed steps of a replay, for `--json`.
fn healed(replayed: &Replayed) -> Vec<Value> {
    let steps = replayed.healed();
    steps.map(|(step, found)| json!({ "step": step.step, "by": found.by, "lost": found.lost })).collect()
}
