//! A recording's files, whole at every moment: `NAME.session.json` is replaced at once, pictures are there before they are
//! named in it.

use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use crate::session::Session;

#[derive(Debug, thiserror::Error)]
pub enum WriteError {
    #[error("`{0}` cannot be the name of a session: use letters, digits, `.`, `_` and `-`")]
    Name(String),
    #[error("{} is already there; choose another name, or move it away", .0.display())]
    Exists(PathBuf),
    #[error("cannot write {}: {source}", path.display())]
    Io { path: PathBuf, source: io::Error },
}

pub struct SessionWriter {
    folder: PathBuf,
    name: String,
    /// What the file holds: most reports change nothing.
    written: String,
}

impl SessionWriter {
    /// Makes sure that the session can be written, and that nothing is overwritten.
    pub fn create(folder: &Path, name: &str) -> Result<Self, WriteError> {
        let is_plain = |c: char| c.is_alphanumeric() || matches!(c, '.' | '_' | '-');
        if name.is_empty() || name.starts_with('.') || name.len() > 100 || !name.chars().all(is_plain) {
            return Err(WriteError::Name(name.to_owned()));
        }
        let writer = Self { folder: folder.to_owned(), name: name.to_owned(), written: String::new() };
        for taken in [writer.path(), writer.pictures()] {
            if taken.exists() {
                return Err(WriteError::Exists(taken));
            }
        }
        let pictures = writer.pictures();
        fs::create_dir_all(&pictures).map_err(|source| WriteError::Io { path: pictures, source })?;
        Ok(writer)
    }

    pub fn path(&self) -> PathBuf {
        self.folder.join(format!("{}.session.json", self.name))
    }

    fn pictures(&self) -> PathBuf {
        self.folder.join(&self.name)
    }

    pub fn write(&mut self, session: &Session) -> Result<(), WriteError> {
        let text = session.write();
        if text != self.written {
            replace(&self.path(), text.as_bytes())?;
            self.written = text;
        }
        Ok(())
    }

    /// Removes pictures of what turned out to be no step.
    pub fn tidy(&self, session: &Session) -> Result<(), WriteError> {
        let folder = self.pictures();
        let explain = |source| WriteError::Io { path: folder.clone(), source };
        for entry in fs::read_dir(&folder).map_err(explain)?.flatten() {
            let file = format!("{}/{}", self.name, entry.file_name().to_string_lossy());
            if !session.steps.iter().any(|step| step.screenshot.as_ref() == Some(&file)) {
                fs::remove_file(entry.path()).map_err(explain)?;
            }
        }
        Ok(())
    }

    /// Stores a picture; returns its name as a session names it.
    pub fn picture(&self, number: u32, jpeg: &[u8]) -> Result<String, WriteError> {
        let file = format!("step-{number:03}.jpg");
        replace(&self.pictures().join(&file), jpeg)?;
        Ok(format!("{}/{file}", self.name))
    }
}

fn replace(path: &Path, content: &[u8]) -> Result<(), WriteError> {
    let explain = |source| WriteError::Io { path: path.to_owned(), source };
    let folder = path.parent().unwrap_or(Path::new("."));
    let mut file = tempfile::Builder::new().prefix(".unfinished-").tempfile_in(folder).map_err(explain)?;
    file.write_all(content).and_then(|()| file.as_file().sync_data()).map_err(explain)?;
    file.persist(path).map_err(|failed| explain(failed.error))?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_are_no_file_names_and_files_that_are_there_are_refused() {
        let folder = tempfile::tempdir().expect("a folder");
        for name in ["", "../x", "a/b", ".hidden", "a b", &"x".repeat(101)] {
            assert!(matches!(SessionWriter::create(folder.path(), name), Err(WriteError::Name(_))), "{name}");
        }
        let writer = SessionWriter::create(folder.path(), "ads-off.1").expect("a writer");
        assert_eq!(writer.picture(7, b"jpeg").expect("stored"), "ads-off.1/step-007.jpg");
        let again = SessionWriter::create(folder.path(), "ads-off.1");
        assert!(matches!(again, Err(WriteError::Exists(_))), "the pictures of another recording are there");
        let files: Vec<_> = walk(folder.path());
        assert_eq!(files, ["ads-off.1/step-007.jpg"], "nothing unfinished stays behind");
    }

    fn walk(folder: &Path) -> Vec<String> {
        let pictures = fs::read_dir(folder.join("ads-off.1")).expect("folder");
        pictures
            .map(|file| format!("ads-off.1/{}", file.expect("file").file_name().to_string_lossy()))
            .collect()
    }
}
