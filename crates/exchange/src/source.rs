//! Reading files that strangers wrote: only inside the folder they were found in, only up to a size, and every one of
//! them noted, so that an import can say what it rests on.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs::{self, File};
use std::io::{self, Read as _};
use std::path::{Component, Path, PathBuf};

use serde::de::DeserializeOwned;
use sha2::{Digest as _, Sha256};
use umpire_model::Digest;

use crate::{ImportError, Problem};

/// Records of steps; the largest seen in the wild have a few MB.
pub(crate) const LARGEST_JSON: u64 = 256 << 20;
pub(crate) const LARGEST_PICTURE: u64 = 64 << 20;

/// What the user pointed at.
#[derive(Debug)]
pub(crate) struct Source {
    given: PathBuf,
    /// Where files may be read: the folder itself, or the one the given file is in.
    root: PathBuf,
    seen: RefCell<BTreeMap<PathBuf, Digest>>,
}

impl Source {
    pub(crate) fn open(path: &Path) -> Result<Self, ImportError> {
        let failed = |source| ImportError::Unreadable { path: path.to_owned(), source };
        let given = path.canonicalize().map_err(failed)?;
        let root = match given.parent() {
            Some(folder) if given.is_file() => folder.to_owned(),
            _ => given.clone(),
        };
        Ok(Self { given, root, seen: RefCell::default() })
    }

    /// The folder or file the user named.
    pub(crate) fn given(&self) -> &Path {
        &self.given
    }

    /// Folders directly below, by name.
    pub(crate) fn folders(&self, below: &Path) -> Result<Vec<PathBuf>, ImportError> {
        self.entries(below, Path::is_dir)
    }

    /// Files directly below, by name.
    pub(crate) fn files(&self, below: &Path) -> Result<Vec<PathBuf>, ImportError> {
        self.entries(below, Path::is_file)
    }

    /// What the user named if it is a file, else the files in it and in the folders directly below; those that end so.
    pub(crate) fn files_ending(&self, extension: &str) -> Result<Vec<PathBuf>, ImportError> {
        let mut files = Vec::new();
        if self.given.is_file() {
            files.push(self.given.clone());
        } else {
            files.extend(self.files(&self.given)?);
            for folder in self.folders(&self.given)? {
                files.extend(self.files(&folder)?);
            }
        }
        files.retain(|file| file.extension().is_some_and(|own| own == extension));
        Ok(files)
    }

    fn entries(&self, below: &Path, wanted: fn(&Path) -> bool) -> Result<Vec<PathBuf>, ImportError> {
        let failed = |source| ImportError::Unreadable { path: below.to_owned(), source };
        let mut found = Vec::new();
        for entry in fs::read_dir(below).map_err(failed)? {
            let path = entry.map_err(failed)?.path();
            if wanted(&path) && self.is_inside(&path) {
                found.push(path);
            }
        }
        found.sort();
        Ok(found)
    }

    fn is_inside(&self, path: &Path) -> bool {
        path.canonicalize().is_ok_and(|real| real.starts_with(&self.root))
    }

    /// The file a record points to. A path in a record is a stranger's: one that leads out of the folder, or to a
    /// machine that is not this one, is looked for by its name beside the record.
    pub(crate) fn referred(&self, beside: &Path, reference: &str) -> Option<PathBuf> {
        let relative = Path::new(reference);
        let is_plain =
            relative.components().all(|part| matches!(part, Component::Normal(_) | Component::CurDir));
        let name = relative.file_name()?;
        let mut candidates = Vec::new();
        if is_plain {
            // Relative to the record, or to any folder above it as far as the import reaches.
            let above = beside.ancestors().take_while(|folder| folder.starts_with(&self.root));
            candidates.extend(above.map(|folder| folder.join(relative)));
        } else if relative.is_absolute() {
            candidates.push(relative.to_owned());
        }
        candidates.extend([beside.join(name), beside.join("screenshots").join(name)]);
        candidates.into_iter().find(|path| path.is_file() && self.is_inside(path))
    }

    /// The content of a file of at most `limit` bytes.
    pub(crate) fn read(&self, path: &Path, limit: u64) -> Result<Vec<u8>, Problem> {
        let file = self.file(path)?;
        let mut content = Vec::new();
        file.take(limit.saturating_add(1)).read_to_end(&mut content).map_err(unreadable(path))?;
        if content.len() as u64 > limit {
            return Err(Problem::new(
                path,
                format!("it is larger than the {} MB that are read", limit >> 20),
                "leave it out, or split it",
            ));
        }
        self.note(path, Digest::of(&content));
        Ok(content)
    }

    pub(crate) fn json<T: DeserializeOwned>(&self, path: &Path) -> Result<T, Problem> {
        serde_json::from_slice(&self.read(path, LARGEST_JSON)?).map_err(|error| Problem::json(path, &error))
    }

    /// Notes a file of any size that somebody else reads as a stream.
    pub(crate) fn streamed(&self, path: &Path) -> Result<(), Problem> {
        let mut file = self.file(path)?;
        let mut hasher = Sha256::new();
        let mut buffer = vec![0; 1 << 16];
        loop {
            match file.read(&mut buffer).map_err(unreadable(path))? {
                0 => break,
                count => hasher.update(&buffer[..count]),
            }
        }
        let mut hex = String::with_capacity(64);
        for byte in hasher.finalize() {
            let _ = write!(hex, "{byte:02x}");
        }
        if let Some(digest) = Digest::parse(&hex) {
            self.note(path, digest);
        }
        Ok(())
    }

    fn file(&self, path: &Path) -> Result<File, Problem> {
        if !self.is_inside(path) {
            let there = path.symlink_metadata().is_ok();
            let what =
                if there { "it leads out of the folder that is imported" } else { "there is no such file" };
            return Err(Problem::new(path, what, "put the file itself there"));
        }
        let file = File::open(path).map_err(unreadable(path))?;
        // A pipe or a device would be read for ever.
        match file.metadata() {
            Ok(found) if found.is_file() => Ok(file),
            _ => Err(Problem::new(path, "it is no file", "put a file there")),
        }
    }

    fn note(&self, path: &Path, digest: Digest) {
        let name = path.strip_prefix(&self.root).unwrap_or(path).to_owned();
        self.seen.borrow_mut().insert(name, digest);
    }

    /// Digest of everything that was read so far, names included.
    pub(crate) fn digest(&self) -> Digest {
        Digest::of_json(&*self.seen.borrow())
    }
}

fn unreadable(path: &Path) -> impl FnOnce(io::Error) -> Problem {
    let path = path.to_owned();
    move |error| Problem::new(&path, format!("it cannot be read: {error}"), "make it readable")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_outside_are_neither_read_nor_found() {
        let place = tempfile::tempdir().expect("a folder");
        let root = place.path().join("attempts");
        fs::create_dir_all(root.join("screenshots")).expect("a folder");
        fs::write(place.path().join("secret.png"), "s").expect("written");
        fs::write(root.join("screenshots/1.png"), "p").expect("written");
        std::os::unix::fs::symlink(place.path().join("secret.png"), root.join("link.png")).expect("linked");
        let source = Source::open(&root).expect("there");
        for out in ["../secret.png", "link.png", "a/../../secret.png", "/etc/passwd", "", "."] {
            assert_eq!(source.referred(&root, out), None, "{out}");
        }
        let wanted = source.given().join("screenshots/1.png");
        for inside in ["screenshots/1.png", "./screenshots/1.png", "/elsewhere/1.png", "../x/1.png"] {
            assert_eq!(source.referred(source.given(), inside), Some(wanted.clone()), "{inside}");
        }
        let problem = source.read(&root.join("link.png"), 10).expect_err("outside");
        assert!(problem.what.contains("leads out"), "{problem}");
        assert!(source.read(&root.join("none"), 10).expect_err("absent").what.contains("no such file"));
    }

    #[test]
    fn a_file_that_is_too_large_is_refused_and_a_folder_is_no_file() {
        let place = tempfile::tempdir().expect("a folder");
        fs::write(place.path().join("a"), "12345").expect("written");
        let source = Source::open(place.path()).expect("there");
        assert_eq!(source.read(&place.path().join("a"), 5).expect("small enough"), b"12345");
        assert!(source.read(&place.path().join("a"), 4).expect_err("too large").what.contains("larger"));
        assert!(source.read(place.path(), 4).is_err());
    }

    #[test]
    fn the_digest_is_that_of_names_and_contents() {
        let place = tempfile::tempdir().expect("a folder");
        let digest = |name: &str, content: &str| {
            let root = place.path().join(name);
            fs::create_dir(&root).expect("a folder");
            fs::write(root.join("a"), content).expect("written");
            let source = Source::open(&root).expect("there");
            source.streamed(&root.join("a")).expect("read");
            let streamed = source.digest();
            source.read(&root.join("a"), 10).expect("read");
            assert_eq!(source.digest(), streamed, "read whole and read as a stream");
            streamed
        };
        assert_eq!(digest("x", "1"), digest("y", "1"), "where the folder is does not matter");
        assert_ne!(digest("z", "2"), digest("w", "1"));
    }
}
