//! The session format, `*.session.json`: one file a recording, versioned, meant to be read and mended by people.
//!
//! The extension and the recorder over CDP write it, importers turn other formats into it, the replayer reads it.
//! `docs/sessions.md` describes every field.

mod element;
mod step;

use serde::{Deserialize, Serialize};
use umpire_model::Viewport;

pub use element::{ControlKind, ControlState, Frame, Locators, Portrait, Position, Words};
pub use step::{Deed, Dialogue, Entry, Purpose, Step};

pub const SESSION_VERSION: u32 = 1;

#[derive(Debug, thiserror::Error)]
pub enum SessionError {
    #[error("line {line}, column {column}: {problem}")]
    Syntax { line: usize, column: usize, problem: String },
    #[error("it is a session of version {found}; this program reads up to {SESSION_VERSION}")]
    Version { found: u64 },
    #[error("step {step}: {problem}")]
    Step { step: usize, problem: String },
}

/// What somebody did in a browser, in order.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Session {
    pub version: u32,
    pub name: String,
    /// RFC 3339, UTC; empty if the source of an import did not say.
    pub recorded_at: String,
    /// What wrote it, with its version: `umpire-extension 0.1.0`, `umpire-cdp 0.1.0`, `import websp`, `import devtools`.
    pub recorder: String,
    pub start_url: String,
    pub viewport: Viewport,
    pub steps: Vec<Step>,
    /// What an importer found and could not carry over, one line each with its place in the source.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub remarks: Vec<String>,
}

impl Session {
    /// Reads a session of this or an earlier version.
    pub fn read(text: &str) -> Result<Self, SessionError> {
        let syntax = |error: serde_json::Error| SessionError::Syntax {
            line: error.line(),
            column: error.column(),
            problem: error.to_string(),
        };
        let version: VersionOnly = serde_json::from_str(text).map_err(syntax)?;
        if version.version == 0 || version.version > u64::from(SESSION_VERSION) {
            return Err(SessionError::Version { found: version.version });
        }
        let session: Self = serde_json::from_str(text).map_err(syntax)?;
        session.check()?;
        Ok(session)
    }

    /// The file's text, a step's fields on lines of their own.
    pub fn write(&self) -> String {
        let mut text = serde_json::to_string_pretty(self).unwrap_or_default();
        text.push('\n');
        text
    }

    fn check(&self) -> Result<(), SessionError> {
        for (index, step) in self.steps.iter().enumerate() {
            if let Some(problem) = step.problem() {
                return Err(SessionError::Step { step: index + 1, problem });
            }
        }
        Ok(())
    }
}

#[derive(Deserialize)]
struct VersionOnly {
    version: u64,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with_steps(steps: &str) -> String {
        format!(
            r#"{{"version": 1, "name": "n", "recorded_at": "2026-11-15T00:00:00Z", "recorder": "hand",
                "start_url": "http://hub.localhost/", "viewport": {{"width": 1280, "height": 720}}, "steps": [{steps}]}}"#
        )
    }

    #[test]
    fn a_short_hand_written_step_is_enough_and_comes_back_as_it_was() {
        let text = with_steps(
            r#"{"at_ms": 0, "tab": 1, "url": "http://hub.localhost/", "deed": {"do": "click"}, "purpose": "way",
                "element": {"tag": "a", "role": "link", "name": "Privacy"}}"#,
        );
        let session = Session::read(&text).expect("a session");
        assert_eq!(session.steps[0].element.as_ref().map(|element| element.name.as_str()), Some("Privacy"));
        assert_eq!(Session::read(&session.write()).expect("its own text"), session);
    }

    #[test]
    fn what_cannot_be_meant_is_refused_with_its_place() {
        let later = with_steps("").replace("\"version\": 1", "\"version\": 9");
        assert_eq!(
            Session::read(&later).expect_err("a later version").to_string(),
            "it is a session of version 9; this program reads up to 1"
        );
        let no_element =
            with_steps(r#"{"at_ms": 0, "tab": 1, "url": "", "deed": {"do": "click"}, "purpose": "way"}"#);
        assert_eq!(
            Session::read(&no_element).expect_err("a click on nothing").to_string(),
            "step 1: `click` needs an element"
        );
        let unknown = with_steps(r#"{"at_ms": 0, "colour": 1}"#);
        let error = Session::read(&unknown).expect_err("an unknown field").to_string();
        assert!(error.starts_with("line 2, column ") && error.contains("colour"), "{error}");
    }
}
