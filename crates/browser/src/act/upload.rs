//! Files for a file input.

use std::path::{Component, Path, PathBuf};

use base64::Engine as _;
use serde_json::{Value, json};
use umpire_model::{Deadline, Rect};

use super::target::{Aim, describe};
use super::{ActError, ActError as E};
use crate::TabHandle;
use crate::isolated::IsolatedWorld;

/// Most that is sent to a remote browser in one action.
const HANDED_OVER: usize = 32 << 20;

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
    let paths: Vec<PathBuf> =
        files.iter().map(|file| path_of(file, uploads_dir)).collect::<Result<Vec<_>, _>>()?;
    let gone = || E::Gone { what: what.clone() };
    let (session, frame_id) = tab.process_of(&element.node.session).ok_or_else(gone)?;
    let world = IsolatedWorld::open(session, frame_id, deadline).await?;
    let input = world.call_on_to_node(element.node.backend_node_id, INPUT, Value::Null, deadline).await?;
    let input = input.ok_or(E::NoFileInput { what })?;
    if session.connection().is_remote() {
        hand_over(&world, input, &paths, deadline).await?;
    } else {
        let params = json!({ "files": paths, "backendNodeId": input });
        session.run("DOM.setFileInputFiles", params, deadline).await?;
    }
    Ok(element.rect)
}

/// Gives the input the files' content: the browser is on another machine, where their paths mean nothing.
async fn hand_over(
    world: &IsolatedWorld,
    input: i64,
    paths: &[PathBuf],
    deadline: Deadline,
) -> Result<(), ActError> {
    const TAKE: &str = "function (files) {
        const held = new DataTransfer();
        for (const { name, type, content } of files) {
            const bytes = Uint8Array.from(atob(content), letter => letter.charCodeAt(0));
            held.items.add(new File([bytes], name, { type }));
        }
        this.files = held.files;
        this.dispatchEvent(new Event('input', { bubbles: true, composed: true }));
        this.dispatchEvent(new Event('change', { bubbles: true }));
        return this.files.length;
    }";
    let mut total = 0;
    let mut contents = Vec::with_capacity(paths.len());
    for path in paths {
        let problem = |problem: String| E::File { path: path.display().to_string(), problem };
        let content = tokio::fs::read(path).await.map_err(|error| problem(error.to_string()))?;
        total += content.len();
        if total > HANDED_OVER {
            return Err(problem(format!(
                "more than {} MiB cannot be sent to a remote browser",
                HANDED_OVER >> 20
            )));
        }
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let content = base64::engine::general_purpose::STANDARD.encode(content);
        contents.push(json!({ "name": name, "type": type_of(path), "content": content }));
    }
    let taken: usize = world.call_on(input, TAKE, &[], Value::Array(contents), deadline).await?;
    if taken != paths.len() {
        let problem = format!("the page took {taken} of {} files", paths.len());
        return Err(E::File {
            path: paths.first().map_or_else(String::new, |path| path.display().to_string()),
            problem,
        });
    }
    Ok(())
}

/// What a browser would say of a file by its name, for what is uploaded as a rule; else nothing.
fn type_of(path: &Path) -> &'static str {
    let extension = path.extension().unwrap_or_default().to_string_lossy().to_ascii_lowercase();
    match extension.as_str() {
        "csv" => "text/csv",
        "gif" => "image/gif",
        "htm" | "html" => "text/html",
        "jpeg" | "jpg" => "image/jpeg",
        "json" => "application/json",
        "mp3" => "audio/mpeg",
        "mp4" => "video/mp4",
        "pdf" => "application/pdf",
        "png" => "image/png",
        "svg" => "image/svg+xml",
        "txt" => "text/plain",
        "webp" => "image/webp",
        "xml" => "text/xml",
        "zip" => "application/zip",
        _ => "",
    }
}

/// The absolute path of a file inside the folder; nothing outside can be named.
fn path_of(file: &str, uploads_dir: &Path) -> Result<PathBuf, ActError> {
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
    if path.to_str().is_none() {
        return Err(refuse("its path is not text"));
    }
    Ok(path)
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
