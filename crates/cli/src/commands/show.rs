use umpire_model::{AttemptId, BlobSource, Body, EventBody, ModelCall, Said, Trajectory, Verdict};
use umpire_store::Run;

use crate::args::{Global, ShowArgs};
use crate::console::{Style, one_line};
use crate::exit::Exit;
use crate::failure::Failure;

/// One attempt as text: what was seen, done and decided.
pub fn show(args: &ShowArgs, global: &Global, run: &Run) -> Result<Exit, Failure> {
    let id: AttemptId = args.attempt.parse()?;
    let dir = run.attempt(&id);
    let trajectory = dir.read().map_err(|error| Failure::new(error.to_string()))?;
    if trajectory.events.is_empty() {
        return Err(Failure::new(format!("run {} has no attempt `{id}`", run.manifest().run))
            .help("umpire report lists the attempts of a run"));
    }
    if let Some(path) = &args.har {
        let har = umpire_report::har(&trajectory, &run.blobs());
        std::fs::write(path, har.to_string())?;
        say!("wrote {}", path.display());
    }
    if let (Some(path), Some(step)) = (&args.screenshot, args.step) {
        write_screenshot(run, &trajectory, step, path)?;
    }
    if global.json {
        for event in trajectory.events.iter().filter(|event| in_step(&event.body, args.step)) {
            say!("{}", serde_json::to_string(event).unwrap_or_default());
        }
        return Ok(Exit::Ok);
    }
    let style = Style::for_stdout(global.colour);
    for event in trajectory.events.iter().filter(|event| in_step(&event.body, args.step)) {
        if let Some(line) = describe(&event.body) {
            say!("{} {line}", style.dim(&format!("{:>8.2}s", event.ms as f64 / 1000.0)));
        }
    }
    if trajectory.damaged_lines > 0 {
        say!("{} lines of the journal cannot be read", trajectory.damaged_lines);
    }
    let verdicts = dir.verdicts().map_err(|error| Failure::new(error.to_string()))?;
    for filed in &verdicts {
        print_verdict(&filed.verdict, style);
    }
    Ok(Exit::Ok)
}

fn in_step(body: &EventBody, wanted: Option<u32>) -> bool {
    let Some(wanted) = wanted else { return true };
    match body {
        EventBody::Observed(seen) => seen.step == wanted,
        EventBody::Thought { step, .. }
        | EventBody::TurnLost { step, .. }
        | EventBody::Acted { step, .. }
        | EventBody::ForeignAction { step, .. } => *step == wanted,
        EventBody::ModelCalled(call) => call.step == Some(wanted),
        EventBody::HistoryAccessed(access) => access.step == wanted,
        _ => false,
    }
}

/// The line for an event; what only matters to machines has none.
fn model_call(call: &ModelCall) -> String {
    let tokens = call.usage.map_or("tokens unknown".to_owned(), |usage| {
        format!("{} tokens read, {} written", usage.input, usage.output)
    });
    let cost = call.cost.map_or("cost unknown".to_owned(), |cost| cost.to_string());
    let error = call.error.as_deref().map_or(String::new(), |error| format!(", {}", one_line(error, 120)));
    format!("         asks {}: {tokens}, {cost}, {} ms{error}", call.model, call.took_ms)
}

fn describe(body: &EventBody) -> Option<String> {
    Some(match body {
        EventBody::Started { attempt, r#try, browser, remote, .. } => {
            let at = remote.as_ref().map_or_else(String::new, |remote| format!(" at {}", remote.at));
            format!("started {attempt}, try {try}, {browser}{at}")
        }
        EventBody::Observed(seen) => {
            format!(
                "step {:>2}  {}  “{}”, {} elements",
                seen.step,
                seen.url,
                one_line(&seen.title, 60),
                seen.elements
            )
        }
        EventBody::Thought { text, .. } => format!("         thinks {}", one_line(text, 120)),
        EventBody::TurnLost { reason, .. } => format!("         no action: {}", one_line(reason, 120)),
        EventBody::ModelCalled(call) => model_call(call),
        EventBody::HistoryAccessed(access) => {
            let found = access.error.as_ref().or(access.answer.as_ref()).map(|text| one_line(text, 120));
            let found = found.map(|text| format!(": {text}")).unwrap_or_default();
            let query = one_line(&access.query, 100);
            format!("         asks the history “{query}”, {} entries{found}", access.kept().count())
        }
        EventBody::Acted { action, error, .. } => {
            let error = error.as_ref().map(|e| format!("  ✗ {}", one_line(e, 120))).unwrap_or_default();
            format!("         {}{error}", one_line(&action.to_string(), 160))
        }
        EventBody::ForeignAction { text, error, .. } => {
            let error = error.as_ref().map(|e| format!("  ✗ {}", one_line(e, 120))).unwrap_or_default();
            format!("         {}{error}", one_line(text, 160))
        }
        EventBody::Exchange(exchange) => {
            let status = match (&exchange.response, &exchange.error) {
                (Some(response), _) => response.status.to_string(),
                (None, error) => error.clone().unwrap_or_else(|| "no answer".to_owned()),
            };
            let url = one_line(&exchange.request.url, 120);
            format!("         net {} {} {url}", exchange.request.method, one_line(&status, 40))
        }
        EventBody::Dialog(dialog) => format!("         {}: {}", dialog.kind, one_line(&dialog.message, 120)),
        EventBody::Download { name, state, .. } => {
            format!("         download {} {state}", one_line(name, 80))
        }
        EventBody::TabOpened { url, .. } => format!("         new tab {}", one_line(url, 120)),
        EventBody::TabCrashed { .. } => "         the tab crashed".to_owned(),
        EventBody::Gate { request, decision, reason, suspicious } => {
            let flag = if *suspicious { "  ⚑ suspicious" } else { "" };
            format!("         gate {decision} {}: {}{flag}", one_line(request, 80), one_line(reason, 80))
        }
        EventBody::Guarded(guarded) => {
            format!("guard    {} {}: {}", guarded.kind, guarded.decision, one_line(&guarded.request, 120))
        }
        EventBody::AgentOutput { stream, text } => format!("         {stream}: {}", one_line(text, 160)),
        EventBody::BackendAnswer(answer) => {
            let said = match &answer.said {
                Said::Json(Body::Text(text)) => text.as_str(),
                Said::Json(_) => "a long answer",
                Said::Nothing => "nothing there",
                Said::Refused(reason) | Said::Unreachable(reason) => reason,
            };
            format!("         {} {}: {}", answer.backend, one_line(&answer.asked, 80), one_line(said, 160))
        }
        EventBody::EpisodeBegan(began) => {
            format!("         episode with seed {}: {}", began.seed, one_line(&began.utterance, 160))
        }
        EventBody::Rewarded(rewarded) => {
            let objection = rewarded.objection().map(|why| format!("  ⚑ {}", one_line(&why, 120)));
            format!("         reward {}{}", rewarded.raw, objection.unwrap_or_default())
        }
        EventBody::Staged(staged) => {
            format!("         initial state: {}", one_line(&staged.to_string(), 300))
        }
        EventBody::Perturbed(record) => {
            format!("         perturbed by {}: {}", record.by, one_line(&record.to_string(), 200))
        }
        EventBody::Answered { response } => format!("answered {}", one_line(response, 300)),
        EventBody::Ended { end, detail, steps, counted } => {
            format!("ended: {end:?} {} ({steps} steps, {counted} counted)", one_line(detail, 120))
        }
        _ => return None,
    })
}

fn print_verdict(verdict: &Verdict, style: Style) {
    let title = format!("{} by {}", verdict.outcome.as_str().to_uppercase(), verdict.by);
    say!("\n{}  {}", style.outcome(verdict.outcome, &title), one_line(&verdict.reason, 160));
    for check in &verdict.checks {
        let mark = if check.held { "✓" } else { "✗" };
        say!("  {mark} {:8} {}", check.kind, one_line(&check.expected, 160));
        say!("             found {}", one_line(&check.found, 160));
    }
}

fn write_screenshot(
    run: &Run,
    trajectory: &Trajectory,
    step: u32,
    path: &std::path::Path,
) -> Result<(), Failure> {
    let seen = trajectory.events.iter().find_map(|event| match &event.body {
        EventBody::Observed(seen) if seen.step == step => Some(seen),
        _ => None,
    });
    let seen = seen.ok_or_else(|| Failure::new(format!("there is no step {step}")))?;
    let picture = seen
        .screenshot
        .as_ref()
        .ok_or_else(|| Failure::new(format!("no picture was taken in step {step}")))?;
    std::fs::write(path, run.blobs().read(picture)?)?;
    say!("wrote {}", path.display());
    Ok(())
}
