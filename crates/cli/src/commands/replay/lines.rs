//! A replay as a person watches it, or as one JSON object a line.

use std::path::Path;
use std::time::Duration;

use serde_json::json;
use umpire_model::Outcome as Colour;
use umpire_stage::Session;
use umpire_stage::replay::{
    Failure, Found, Outcome, ReplayEvent, Replayed, StepReport, Verified, Wanted, describe_state,
};

use super::healed;
use crate::console::Style;

pub struct Lines {
    style: Style,
    as_json: bool,
}

impl Lines {
    pub fn new(style: Style, as_json: bool) -> Self {
        Self { style, as_json }
    }

    pub fn begin(&self, session: &Session, wanted: &Wanted, verify_only: bool) {
        if !self.as_json {
            let verb = if verify_only { "Verify" } else { "Replay" };
            let (name, steps) = (self.style.bold(&session.name), session.steps.len());
            say!("{verb:>8} {name} for {wanted}, {steps} steps");
        }
    }

    pub fn on(&self, event: &ReplayEvent<'_>) {
        match event {
            ReplayEvent::Found { .. } => {}
            ReplayEvent::Ended(report) if self.as_json => {
                say!("{}", json!({ "event": "step", "step": report }));
            }
            ReplayEvent::Verified(state) if self.as_json => {
                say!("{}", json!({ "event": "verified", "state": state }));
            }
            ReplayEvent::Ended(report) => print_step(report),
            ReplayEvent::Verified(state) => print_state(state),
        }
    }

    pub fn reached(
        &self,
        trace: &Path,
        wanted: &Wanted,
        replayed: &Replayed,
        updated: Option<&Path>,
        took: Duration,
    ) {
        if self.as_json {
            let healed = healed(replayed);
            let wanted = wanted.to_string();
            say!(
                "{}",
                json!({ "event": "reached", "trace": trace, "wanted": wanted, "healed": healed, "kept": updated })
            );
            return;
        }
        let mut any = false;
        for (step, found) in replayed.healed() {
            any = true;
            say!("{:>8} {:>3}  {}", "healed", step.step, told(found));
        }
        match updated {
            Some(kept) => say!("{:>8} {}; the old one is {}", "Updated", trace.display(), kept.display()),
            None if any => say!("{:>8} `--update` writes these into {}", "", trace.display()),
            None => {}
        }
        let verb = self.style.outcome(Colour::Pass, &format!("{:>8}", "Reached"));
        say!("{verb} {wanted} in {:.1}s", took.as_secs_f64());
    }

    pub fn failed(&self, trace: &Path, wanted: &Wanted, failure: &Failure, picture: Option<&Path>) {
        if self.as_json {
            let wanted = wanted.to_string();
            say!(
                "{}",
                json!({ "event": "failed", "trace": trace, "wanted": wanted, "failure": failure, "screenshot": picture })
            );
            return;
        }
        let verb = self.style.outcome(Colour::Fail, &format!("{:>8}", "Failed"));
        say!("{verb} {}, step {}, {}", trace.display(), failure.step, failure.deed);
        say!("{:>8} {}", "", failure.problem);
        for candidate in &failure.candidates {
            let by = candidate.by.map(|by| format!(", by {by}")).unwrap_or_default();
            say!("{:>8} {:.2} {}{by}", "", candidate.score, candidate.element);
        }
        if let Some(picture) = picture {
            say!("{:>8} {}", "Picture", picture.display());
        }
    }
}

/// `found by role and name; the id leads nowhere now`.
fn told(found: &Found) -> String {
    let by = found.by.map_or("its likeness alone".to_owned(), |by| by.to_string());
    let lost: Vec<String> = found.lost.iter().map(ToString::to_string).collect();
    let verb = if lost.len() == 1 { "leads" } else { "lead" };
    format!("found by {by}; the {} {verb} elsewhere or nowhere now", lost.join(", the "))
}

fn print_step(report: &StepReport) {
    let StepReport { step, deed, outcome, before, after, .. } = report;
    let more = match (outcome, before, after) {
        (Outcome::Skipped(why), ..) => format!(": {why}"),
        (Outcome::Changed, Some(before), Some(after)) => {
            format!(": {} → {}", describe_state(before), describe_state(after))
        }
        (Outcome::Already, Some(before), _) => format!(": {}", describe_state(before)),
        _ => String::new(),
    };
    say!("{outcome:>8} {step:>3}  {deed}{more}", outcome = outcome.to_string());
}

fn print_state(Verified { step, control, state }: &Verified) {
    say!("{:>8} {step:>3}  {control}: {}, after a reload", "reads", describe_state(state));
}
