//! `umpire sessions`: recordings of other recorders become sessions; a session as a listing.

use std::path::{Path, PathBuf};

use serde_json::json;
use umpire_stage::import::{self, RecordingFormat};
use umpire_stage::session::{ControlState, Deed, Entry, Portrait, Purpose, Step};
use umpire_stage::{Session, SessionError};

use super::sessions_make;
use crate::args::{Global, SessionsCommand, SessionsImportArgs};
use crate::console::{Style, one_line};
use crate::exit::Exit;
use crate::failure::Failure;

pub async fn sessions(command: &SessionsCommand, global: &Global) -> Result<Exit, Failure> {
    match command {
        SessionsCommand::Make(args) => sessions_make::make(args, global).await,
        SessionsCommand::Import(args) => import_all(args, global),
        SessionsCommand::Show { file } => show(file, global),
    }
}

fn import_all(args: &SessionsImportArgs, global: &Global) -> Result<Exit, Failure> {
    std::fs::create_dir_all(&args.out)
        .map_err(|error| Failure::new(format!("{} cannot be made: {error}", args.out.display())))?;
    let mut failed = 0;
    for file in &args.files {
        match import_one(file, args) {
            Ok((session, written)) if global.json => {
                say!(
                    "{}",
                    json!({"file": file, "session": written, "steps": session.steps.len(), "remarks": session.remarks})
                );
            }
            Ok((session, written)) => {
                say!("{}: {} steps in {}", file.display(), session.steps.len(), written.display());
                for remark in &session.remarks {
                    say!("    {remark}");
                }
            }
            Err(failure) => {
                failed += 1;
                eprintln!("{failure}");
            }
        }
    }
    if failed > 0 {
        return Err(Failure::new(format!("{failed} of {} recordings were not imported", args.files.len())));
    }
    Ok(Exit::Ok)
}

fn import_one(file: &Path, args: &SessionsImportArgs) -> Result<(Session, PathBuf), Failure> {
    let session = imported(file, &text_of(file)?, args.format)?;
    let written = args.out.join(format!("{}.session.json", file_name(&session.name)));
    let text = session.write();
    match std::fs::read_to_string(&written) {
        Ok(there) if there != text => {
            let problem = format!("{}: {} is there already and differs", file.display(), written.display());
            return Err(Failure::new(problem));
        }
        _ => std::fs::write(&written, text)
            .map_err(|error| Failure::new(format!("{} cannot be written: {error}", written.display())))?,
    }
    Ok((session, written))
}

fn imported(file: &Path, text: &str, format: Option<RecordingFormat>) -> Result<Session, Failure> {
    import::import(text, file, format).map_err(|error| {
        let line = error.line().map(|line| format!(":{line}")).unwrap_or_default();
        Failure::new(format!("{}{line}: {error}", file.display()))
    })
}

fn text_of(file: &Path) -> Result<String, Failure> {
    let explain = |error: std::io::Error| Failure::new(format!("{}: {error}", file.display()));
    let bytes = std::fs::metadata(file).map_err(explain)?.len();
    if bytes > import::MAX_BYTES as u64 {
        return Err(Failure::new(format!("{}: {bytes} bytes are too many for a recording", file.display())));
    }
    std::fs::read_to_string(file).map_err(explain)
}

/// A name that is a file name everywhere.
fn file_name(name: &str) -> String {
    let safe = |letter: char| if letter.is_alphanumeric() || "-_.".contains(letter) { letter } else { '-' };
    let name: String = name.trim().chars().take(100).map(safe).collect();
    let name = name.trim_matches(['.', '-']);
    if name.is_empty() { "unnamed".to_owned() } else { name.to_owned() }
}

/// Lists a session; a recording of another recorder is listed as what it would become.
fn show(file: &Path, global: &Global) -> Result<Exit, Failure> {
    let text = text_of(file)?;
    let session = match Session::read(&text) {
        Ok(session) => session,
        Err(problem) => match import::import(&text, file, None) {
            Ok(session) => session,
            Err(import::ImportError::AlreadyASession) => return Err(in_file(file, &problem)),
            Err(_) => imported(file, &text, None)?,
        },
    };
    if global.json {
        say!("{}", serde_json::to_string(&session).unwrap_or_default());
        return Ok(Exit::Ok);
    }
    let style = Style::for_stdout(global.colour);
    let when =
        if session.recorded_at.is_empty() { String::new() } else { format!(", {}", session.recorded_at) };
    say!("{}: {} steps, {}{when}", session.name, session.steps.len(), session.recorder);
    say!(
        "{}",
        style.dim(&format!(
            "{} × {} at {}",
            session.viewport.width, session.viewport.height, session.start_url
        ))
    );
    let mut page = session.start_url.as_str();
    for (index, step) in session.steps.iter().enumerate() {
        if step.url != page {
            page = &step.url;
            say!("{}", style.dim(&format!("      on {}", one_line(page, 120))));
        }
        say!("{:>4}  {}", index + 1, line(step));
    }
    for remark in &session.remarks {
        say!("{}", style.dim(remark));
    }
    Ok(Exit::Ok)
}

fn in_file(file: &Path, problem: &SessionError) -> Failure {
    Failure::new(format!("{}: {problem}", file.display()))
}

/// `state  click   checkbox “Ads”  on → off`
pub(super) fn line(step: &Step) -> String {
    let purpose = match step.purpose {
        Purpose::Way => "way  ",
        Purpose::State => "state",
    };
    let tab = if step.tab == 1 { String::new() } else { format!("  in tab {}", step.tab) };
    let frames =
        if step.frames.is_empty() { String::new() } else { format!("  in {} frames", step.frames.len()) };
    let element = step.element.as_ref().map(element).unwrap_or_default();
    let state = match (&step.before, &step.after) {
        (None, None) => String::new(),
        (before, after) => format!("  {} → {}", state(before.as_ref()), state(after.as_ref())),
    };
    format!("{purpose}  {:10} {}{element}{frames}{tab}{state}", step.deed.name(), detail(&step.deed))
}

fn element(portrait: &Portrait) -> String {
    let kind = if portrait.role.is_empty() { &portrait.tag } else { &portrait.role };
    let by = if portrait.name.is_empty() {
        let locators = &portrait.locators;
        let known = locators.id.as_ref().or(locators.css.as_ref()).or(locators.selectors.first());
        known.map(|known| format!("at {}", one_line(known, 60))).unwrap_or_default()
    } else {
        format!("“{}”", one_line(&portrait.name, 60))
    };
    format!("{kind} {by}")
}

fn detail(deed: &Deed) -> String {
    match deed {
        Deed::Click { double: true } => "twice on ".to_owned(),
        Deed::Type { text } => format!("{} into ", entry(text)),
        Deed::Select { options } => format!("“{}” in ", one_line(&options.join("”, “"), 60)),
        Deed::Press { key } => one_line(key, 30),
        Deed::Scroll { x, y } => format!("to {x}, {y} "),
        Deed::Upload { files } => format!("{} to ", one_line(&files.join(", "), 60)),
        Deed::Goto { url } | Deed::OpenTab { url } | Deed::TabOpened { url, .. } => one_line(url, 100),
        Deed::Dialog(dialogue) => {
            let answer = if dialogue.accepted { "accepted" } else { "dismissed" };
            format!("{} “{}” {answer}", one_line(&dialogue.kind, 20), one_line(&dialogue.message, 60))
        }
        Deed::WaitFor { gone: true, .. } => "until gone: ".to_owned(),
        _ => String::new(),
    }
}

fn entry(entry: &Entry) -> String {
    match entry {
        Entry::Text(text) if text.is_empty() => "nothing".to_owned(),
        Entry::Text(text) => format!("“{}”", one_line(text, 60)),
        Entry::Secret(reference) => format!("the secret {}", one_line(reference, 60)),
    }
}

fn state(state: Option<&ControlState>) -> String {
    match state {
        None => "?".to_owned(),
        Some(ControlState::On) => "on".to_owned(),
        Some(ControlState::Off) => "off".to_owned(),
        Some(ControlState::Mixed) => "mixed".to_owned(),
        Some(ControlState::Chosen(options)) => format!("“{}”", one_line(&options.join("”, “"), 60)),
        Some(ControlState::Text(text)) => format!("“{}”", one_line(text, 40)),
        Some(ControlState::Marks(marks)) => one_line(&marks.join(" "), 40),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_become_file_names() {
        assert_eq!(file_name("Save settings/../x"), "Save-settings-..-x");
        assert_eq!(file_name(" ../"), "unnamed");
        assert_eq!(file_name("Docker_task-1"), "Docker_task-1");
    }
}
