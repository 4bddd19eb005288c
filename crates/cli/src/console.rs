//! The run as a person watches it: one line per attempt, what is running now, failures again at the end.

use std::collections::BTreeMap;
use std::io::{IsTerminal, Write};
use std::time::{Duration, Instant};

use indicatif::{MultiProgress, ProgressBar, ProgressDrawTarget, ProgressStyle};
use umpire_model::{AttemptId, Outcome};
use umpire_runner::{Progress, RunEvent};

use crate::args::Colour;

/// Failures repeated at the end.
const REPEATED: usize = 20;
/// Running attempts shown below the bar.
const SHOWN_RUNNING: usize = 8;

/// Turns run events into lines. On a terminal it also keeps a live bar; to a pipe it writes plain lines only.
pub struct Console {
    style: Style,
    live: Option<Live>,
    running: BTreeMap<AttemptId, Running>,
    failures: Vec<String>,
    tally: Progress,
    total: usize,
    width: usize,
}

struct Running {
    since: Instant,
    step: u32,
    action: String,
}

struct Live {
    bars: MultiProgress,
    overall: ProgressBar,
    running: ProgressBar,
}

/// Whether text may be coloured; the only place that knows escape codes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Style {
    pub colour: bool,
}

impl Style {
    pub fn for_stdout(choice: Colour) -> Self {
        let colour = match choice {
            Colour::Always => true,
            Colour::Never => false,
            Colour::Auto => std::io::stdout().is_terminal() && std::env::var_os("NO_COLOR").is_none(),
        };
        Self { colour }
    }

    pub fn outcome(self, outcome: Outcome, text: &str) -> String {
        let code = match outcome {
            Outcome::Pass => "32;1",
            Outcome::Fail => "31;1",
            Outcome::Timeout | Outcome::Budget | Outcome::Blocked => "33;1",
            Outcome::Invalid | Outcome::Infra => "35;1",
        };
        self.paint(code, text)
    }

    pub fn dim(self, text: &str) -> String {
        self.paint("2", text)
    }

    pub fn bold(self, text: &str) -> String {
        self.paint("1", text)
    }

    fn paint(self, code: &str, text: &str) -> String {
        if self.colour { format!("\u{1b}[{code}m{text}\u{1b}[0m") } else { text.to_owned() }
    }
}

impl Console {
    pub fn new(colour: Colour) -> Self {
        let style = Style::for_stdout(colour);
        let live = (colour != Colour::Never && std::io::stderr().is_terminal()).then(Live::new);
        Self {
            style,
            live,
            running: BTreeMap::new(),
            failures: Vec::new(),
            tally: Progress::default(),
            total: 0,
            width: 0,
        }
    }

    pub fn on(&mut self, event: &RunEvent) {
        match event {
            RunEvent::Planned { run, attempts, already_finished, jobs } => {
                self.total = *attempts;
                let resumed = match already_finished {
                    0 => String::new(),
                    n => format!(", {n} already finished"),
                };
                self.line(&format!(
                    "{} run {}: {attempts} attempts{resumed}, {jobs} at a time",
                    verb("Planned"),
                    self.style.bold(run.as_str())
                ));
                if let Some(live) = &self.live {
                    live.overall.set_length((*attempts - *already_finished) as u64);
                }
            }
            RunEvent::Started { attempt, .. } => {
                self.width = self.width.max(attempt.to_string().len());
                let running = Running { since: Instant::now(), step: 0, action: "starting".to_owned() };
                self.running.insert(attempt.clone(), running);
            }
            RunEvent::Step { attempt, step, action } => {
                if let Some(running) = self.running.get_mut(attempt) {
                    running.step = *step;
                    running.action.clone_from(action);
                }
            }
            RunEvent::Waiting { attempt, reason } => {
                self.line(&format!("{} {attempt}  {reason}", verb("Waiting")));
            }
            RunEvent::Retrying { attempt, r#try, reason } => {
                self.line(&format!("{} {attempt}  try {try} was infra: {reason}", verb("Retry")));
            }
            RunEvent::Finished { attempt, outcome, reason, ms, .. } => {
                self.running.remove(attempt);
                self.tally.add(*outcome);
                let line = self.finished_line(attempt, *outcome, reason, *ms);
                self.line(&line);
                if *outcome != Outcome::Pass {
                    self.failures.push(line);
                }
                if let Some(live) = &self.live {
                    live.overall.inc(1);
                }
            }
            RunEvent::Stopping => {
                self.line(&format!(
                    "{} finishing what can be finished; again to stop at once",
                    verb("Stopping")
                ));
            }
            RunEvent::Done { .. } => self.finish(),
        }
        self.redraw();
    }

    fn finished_line(&self, attempt: &AttemptId, outcome: Outcome, reason: &str, ms: u64) -> String {
        let name = format!("{:>8}", outcome.as_str().to_uppercase());
        let seconds = Duration::from_millis(ms).as_secs_f64();
        let reason = if outcome == Outcome::Pass { String::new() } else { one_line(reason, 100) };
        format!(
            "{} [{seconds:>7.2}s] {:width$}  {}",
            self.style.outcome(outcome, &name),
            attempt.to_string(),
            self.style.dim(&reason),
            width = self.width
        )
        .trim_end()
        .to_owned()
    }

    /// Failures again, so that nobody has to scroll; capped, because a naive agent fails everything.
    fn finish(&mut self) {
        if let Some(live) = self.live.take() {
            live.overall.finish_and_clear();
            live.running.finish_and_clear();
        }
        if !self.failures.is_empty() && self.failures.len() < self.tally.finished() {
            self.line("");
            self.line(&self.style.bold("Not passed:"));
            for line in self.failures.iter().take(REPEATED) {
                self.line(line);
            }
            if let more @ 1.. = self.failures.len().saturating_sub(REPEATED) {
                self.line(&self.style.dim(&format!("         … and {more} more, all in the report")));
            }
        }
    }

    fn line(&self, text: &str) {
        match &self.live {
            Some(live) => live.bars.suspend(|| print_line(text)),
            None => print_line(text),
        }
    }

    fn redraw(&self) {
        let Some(live) = &self.live else { return };
        live.overall.set_message(counts(&self.tally));
        let mut lines: Vec<String> = self
            .running
            .iter()
            .take(SHOWN_RUNNING)
            .map(|(attempt, running)| {
                let seconds = running.since.elapsed().as_secs();
                format!("  {attempt}  step {}  {}  {seconds}s", running.step, one_line(&running.action, 60))
            })
            .collect();
        if let more @ 1.. = self.running.len().saturating_sub(SHOWN_RUNNING) {
            lines.push(format!("  … and {more} more"));
        }
        live.running.set_message(lines.join("\n"));
    }
}

impl Live {
    fn new() -> Self {
        let bars = MultiProgress::with_draw_target(ProgressDrawTarget::stderr());
        let style = |template: &str| {
            ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar())
        };
        let overall = bars
            .add(ProgressBar::new(0).with_style(style("{bar:24.green/dim} {pos}/{len}  {msg}  eta {eta}")));
        let running = bars.add(ProgressBar::new_spinner().with_style(style("{msg}")));
        Self { bars, overall, running }
    }
}

/// A reader that closed the pipe (`umpire run | head`) is no reason to stop a run.
fn print_line(text: &str) {
    let _ = writeln!(std::io::stdout(), "{text}");
}

fn verb(text: &str) -> String {
    format!("{text:>8}")
}

fn counts(tally: &Progress) -> String {
    Outcome::ALL
        .iter()
        .filter(|outcome| tally.of(**outcome) > 0)
        .map(|outcome| format!("{outcome} {}", tally.of(*outcome)))
        .collect::<Vec<_>>()
        .join("  ")
}

/// Agents and pages choose this text: no line breaks, no escape codes, no novel.
pub fn one_line(text: &str, limit: usize) -> String {
    let clean: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).take(limit + 1).collect();
    if clean.chars().count() > limit { clean.chars().take(limit - 1).chain(['…']).collect() } else { clean }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hostile_text_stays_on_its_line() {
        assert_eq!(one_line("a\n\u{1b}[2Jb", 20), "a  [2Jb");
        assert_eq!(one_line("abcdef", 4), "abc…");
    }

    #[test]
    fn a_finished_line_is_aligned_and_plain_without_colour() {
        let mut console = Console::new(Colour::Never);
        console.width = 20;
        let attempt: AttemptId = "oracle/shop-1/1".parse().expect("id");
        assert_eq!(
            console.finished_line(&attempt, Outcome::Fail, "answer: expected 3, got 4", 1234),
            "    FAIL [   1.23s] oracle/shop-1/1       answer: expected 3, got 4"
        );
        assert_eq!(
            console.finished_line(&attempt, Outcome::Pass, "all checks held", 50),
            "    PASS [   0.05s] oracle/shop-1/1"
        );
    }
}
