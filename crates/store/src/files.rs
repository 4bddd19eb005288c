//! The two ways a file comes into being here: whole or not at all, and line by line at its end.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::Path;

use serde::Serialize;
use serde::de::DeserializeOwned;
use tempfile::NamedTempFile;

use crate::StoreError;
use crate::seals::seal;

/// Opens a file for appending and ends a line that a killed writer left torn, so that what follows starts afresh.
pub(crate) fn open_for_append(path: &Path) -> io::Result<File> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    let mut file = OpenOptions::new().create(true).append(true).read(true).open(path)?;
    if file.metadata()?.len() > 0 {
        let mut last = [0];
        file.seek(SeekFrom::End(-1))?;
        file.read_exact(&mut last)?;
        if last != *b"\n" {
            file.write_all(b"\n")?;
        }
    }
    Ok(file)
}

/// Makes sure that the name of a new file survives a power cut, not only its content.
pub(crate) fn sync_folder_of(path: &Path) -> io::Result<()> {
    match path.parent() {
        Some(folder) => File::open(folder)?.sync_all(),
        None => Ok(()),
    }
}

/// Writes JSON to a new file, whole or not at all, and seals it; an existing file is left alone and reported as such.
pub(crate) fn write_new_json<T: Serialize>(path: &Path, value: &T) -> io::Result<()> {
    let folder = path.parent().unwrap_or(Path::new("."));
    let mut file = new_temporary_in(folder)?;
    serde_json::to_writer_pretty(&mut file, value)?;
    file.write_all(b"\n")?;
    file.as_file().sync_all()?;
    file.persist_noclobber(path).map_err(|failed| failed.error)?;
    sync_folder_of(path)?;
    seal(path)
}

/// A temporary file that, renamed, has the permissions an ordinary new file would have.
pub(crate) fn new_temporary_in(folder: &Path) -> io::Result<NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        builder.permissions(fs::Permissions::from_mode(0o666));
    }
    builder.prefix(".new-").tempfile_in(folder)
}

pub(crate) fn read_json<T: DeserializeOwned>(path: &Path) -> Result<T, StoreError> {
    let text = fs::read(path).map_err(StoreError::io("read", path))?;
    serde_json::from_slice(&text).map_err(|error| StoreError::Malformed {
        path: path.to_owned(),
        line: Some(error.line()),
        problem: error.to_string(),
    })
}

/// The whole content of a file, or nothing if there is none: an attempt that did not start has no files.
pub(crate) fn read_if_there(path: &Path) -> Result<Vec<u8>, StoreError> {
    match fs::read(path) {
        Ok(content) => Ok(content),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Vec::new()),
        Err(error) => Err(StoreError::io("read", path)(error)),
    }
}
