//! Files for a file input.

use std::path::{Component, Path};

use serde_json::{Value, json};
use umpire_model::{Deadline, Rect};

use super::target::{Aim, describe};
use super::{ActError, ActError as E};
use crate::TabHandle;
use crate::isolated::IsolatedWorld;

/// Gives files to the input meant: the element itself, the one its label is for, or the one a button stands before.
pub(super) async fn upload(
    tab: &TabHandle,
    aim: &Aim<'_>,
    files: &[String],
    uploads_dir: &Path,
    deadline: Deadline,
) -> Result<Rect, ActError> {
    const INPUT: &str = "function () {
        const kind = 'input[type=file]';
        if (this.matches(kind)) return this;
        if (this.control?.matches(kind)) return this.control;
        for (let around = this; around && around.localName !== 'body'; around = around.parentElement) {
            const found = around.querySelectorAll(kind);
            if (found.length) return found.length === 1 || around === this ? found[0] : null;
        }
        return null;
    }";
    let Aim::Element(element) = aim else {
        return Err(E::NoFileInput { what: "a point".to_owned() });
    };
    let what = describe(element);
    let paths = files.iter().map(|file| path_of(file, uploads_dir)).collect::<Result<Vec<_>, _>>()?;
    let gone = || E::Gone { what: what.clone() };
    let (session, frame_id) = tab.process_of(&element.node.session).ok_or_else(gone)?;
    let world = IsolatedWorld::open(session, frame_id, deadline).await?;
    let input = world.call_on_to_node(element.node.backend_node_id, INPUT, Value::Null, deadline).await?;
    let input = input.ok_or(E::NoFileInput { what })?;
    let params = json!({ "files": paths, "backendNodeId": input });
    session.run("DOM.setFileInputFiles", params, deadline).await?;
    Ok(element.rect)
}

/// The absolute path of a file inside the folder; nothing outside can be named.
fn path_of(file: &str, uploads_dir: &Path) -> Result<String, ActError> {
    let refuse = |problem: &str| E::File { path: file.to_owned(), problem: problem.to_owned() };
    let relative = Path::new(file);
    if !relative.components().all(|part| matches!(part, Component::Normal(_) | Component::CurDir)) {
        return Err(refuse("it must lie in the suite's files/ folder"));
    }
    let folder = uploads_dir.canonicalize().map_err(|error| refuse(&error.to_string()))?;
    let path = folder.join(relative).canonicalize().map_err(|error| refuse(&error.to_string()))?;
    if !path.starts_with(&folder) || !path.is_file() {
        return Err(refuse("it must be a file in the suite's files/ folder"));
    }
    path.to_str().map(str::to_owned).ok_or_else(|| refuse("its path is not text"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_files_of_the_folder_can_be_named() {
        let folder = tempfile::tempdir().expect("a folder");
        std::fs::write(folder.path().join("cv.pdf"), b"cv").expect("written");
        std::os::unix::fs::symlink("/etc/passwd", folder.path().join("link")).expect("linked");
        assert!(path_of("cv.pdf", folder.path()).is_ok());
        for outside in ["../cv.pdf", "/etc/passwd", "link", "missing.txt", "."] {
            assert!(matches!(path_of(outside, folder.path()), Err(E::File { .. })), "{outside}");
        }
    }
}
