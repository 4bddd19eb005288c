//! `umpire labels`: what people say about attempts, out to annotators and back.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::OpenOptions;
use std::io::Write as _;

use serde::Deserialize;
use serde_json::json;
use umpire_model::{AttemptId, EventBody, HumanLabel, LABEL_VERSION, LabelTime, TAXONOMIES, Trajectory};
use umpire_store::{Run, Status};

use crate::args::{LabelsExportArgs, LabelsImportArgs};
use crate::exit::Exit;
use crate::failure::Failure;

pub fn export(args: &LabelsExportArgs, run: &Run, as_json: bool) -> Result<Exit, Failure> {
    let intents = intents(run)?;
    let mut lines = Vec::new();
    let (mut written, mut not_ended) = (0, 0);
    for attempt in run.planned()? {
        // Only what ended can be looked at as a whole.
        let Status::Ended { tries, .. } = run.attempt(&attempt).status()? else {
            not_ended += 1;
            continue;
        };
        let task = intents.get(&attempt.instance).map_or("", String::as_str);
        let label = HumanLabel::empty(attempt, tries, task);
        serde_json::to_writer(&mut lines, &label).map_err(|error| Failure::new(error.to_string()))?;
        lines.push(b'\n');
        written += 1;
    }
    if written == 0 {
        return Err(Failure::new(format!(
            "no attempt of {} has ended: there is nothing to label",
            run.manifest().run
        )));
    }
    let out = args.out.display();
    OpenOptions::new()
        .create_new(true)
        .write(true)
        .open(&args.out)
        .and_then(|mut file| file.write_all(&lines))
        .map_err(|error| {
            let failure = Failure::new(format!("{out}: {error}"));
            match error.kind() {
                std::io::ErrorKind::AlreadyExists => {
                    failure.help("it may hold labels; choose another name with --out")
                }
                _ => failure,
            }
        })?;
    if as_json {
        say!("{}", json!({"written": written, "not_ended": not_ended, "out": args.out}));
    } else {
        say!(
            "{out}: {written} attempts to label{}",
            match not_ended {
                0 => String::new(),
                count => format!("; {count} that have not ended are left out"),
            }
        );
        say!(
            "`umpire labels categories` lists what can stand in `failures`; docs/labels.md says what the fields mean"
        );
    }
    Ok(Exit::Ok)
}

pub fn import(args: &LabelsImportArgs, run: &Run, as_json: bool) -> Result<Exit, Failure> {
    let text = std::fs::read_to_string(&args.file)
        .map_err(|error| Failure::new(format!("{}: {error}", args.file.display())))?;
    let known = run.labels()?;
    let checks = Checks { run, planned: run.planned()?.into_iter().collect(), intents: intents(run)? };
    let now = LabelTime::new(jiff::Timestamp::now());
    let (mut labels, mut empty, mut repeated) = (Vec::new(), 0, 0);
    for (index, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        let at_line =
            |problem: String| Failure::new(format!("{}:{}: {problem}", args.file.display(), index + 1));
        let mut label = parse(line).map_err(at_line)?;
        checks.check(&label).map_err(at_line)?;
        if !label.is_filled_in() {
            empty += 1;
            continue;
        }
        if label.annotator.trim().is_empty() {
            label.annotator = args.annotator.clone().unwrap_or_default();
        }
        if label.annotator.trim().is_empty() {
            return Err(at_line("nobody is named as `annotator`".to_owned())
                .help("--annotator NAME names one for all such lines"));
        }
        // Said without a time, the same again is not news: it gets the time of its first import.
        let said_before =
            known.iter().find(|before| HumanLabel { time: label.time, ..(*before).clone() } == label);
        label.time = label.time.or(said_before.and_then(|before| before.time)).or(Some(now));
        repeated += usize::from(known.contains(&label));
        labels.push(label);
    }
    let added = run.append_labels(&labels)?;
    if as_json {
        say!(
            "{}",
            json!({"added": added, "already_there": repeated, "not_filled_in": empty, "labels": run.labels_path()})
        );
    } else {
        say!(
            "{}: {added} labels added, {repeated} were there already, {empty} lines not filled in",
            run.labels_path().display()
        );
    }
    Ok(Exit::Ok)
}

pub fn categories(as_json: bool) -> Exit {
    for taxonomy in TAXONOMIES {
        for category in taxonomy.categories {
            let name = format!("{}/{}", taxonomy.name, category.name);
            if as_json {
                say!("{}", json!({"category": name, "meaning": category.meaning}));
            } else {
                say!("{name:46}  {}", category.meaning);
            }
        }
    }
    Exit::Ok
}

fn intents(run: &Run) -> Result<BTreeMap<String, String>, Failure> {
    Ok(run.instances()?.into_iter().map(|instance| (instance.id, instance.intent)).collect())
}

fn parse(line: &str) -> Result<HumanLabel, String> {
    /// The part that every version has.
    #[derive(Deserialize)]
    struct Head {
        version: u32,
    }
    if let Ok(Head { version }) = serde_json::from_str(line)
        && version > LABEL_VERSION
    {
        return Err(format!(
            "format version {version}, this Umpire reads up to {LABEL_VERSION}: use a newer Umpire"
        ));
    }
    serde_json::from_str(line).map_err(|error| error.to_string())
}

/// Whether labels are about what the run holds.
struct Checks<'a> {
    run: &'a Run,
    planned: BTreeSet<AttemptId>,
    intents: BTreeMap<String, String>,
}

impl Checks<'_> {
    fn check(&self, label: &HumanLabel) -> Result<(), String> {
        let attempt = &label.attempt;
        if !self.planned.contains(attempt) {
            return Err(format!("there is no attempt {attempt} in run {}", self.run.manifest().run));
        }
        if label.trajectory != HumanLabel::trajectory_of(attempt) {
            return Err(format!("`{}` is not the trajectory of {attempt}", label.trajectory));
        }
        if self.intents.get(&attempt.instance).is_some_and(|intent| *intent != label.task) {
            return Err(format!("{attempt} was asked something else than `{}`", label.task));
        }
        if !label.is_filled_in() {
            return Ok(());
        }
        let folder = self.run.attempt(attempt);
        let told = |error: umpire_store::StoreError| error.to_string();
        let tries = folder.tries().map_err(told)?.len() as u32;
        if label.r#try != tries {
            return Err(format!(
                "try {} of {attempt} is labelled, but the run has {tries}: look at it again",
                label.r#try
            ));
        }
        if label.steps.is_empty() {
            return Ok(());
        }
        let there = steps_of(&folder.read().map_err(told)?);
        let mut labelled = BTreeSet::new();
        for step in &label.steps {
            if !there.contains(&step.step) {
                let last =
                    there.last().map_or_else(|| "none".to_owned(), |last| format!("the last is {last}"));
                return Err(format!("{attempt} has no step {}: {last}", step.step));
            }
            if !labelled.insert(step.step) {
                return Err(format!("step {} is labelled twice", step.step));
            }
        }
        Ok(())
    }
}

fn steps_of(trajectory: &Trajectory) -> BTreeSet<u32> {
    let step = |body: &EventBody| match body {
        EventBody::Observed(seen) => Some(seen.step),
        EventBody::Acted { step, .. }
        | EventBody::ForeignAction { step, .. }
        | EventBody::TurnLost { step, .. } => Some(*step),
        _ => None,
    };
    trajectory.events.iter().filter_map(|event| step(&event.body)).collect()
}
