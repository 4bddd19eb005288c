//! The files of a folder, read once and served from memory: what is asked for is looked up among what was there, so no
//! path leads outside, and nothing changes during a run.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::{fs, io};

use bytes::Bytes;
use http::{Method, Response, StatusCode, header};
use umpire_model::{Digest, ServedFolder};

use crate::Request;

/// The package's folder has 6 MB in 400 files; more than this is some other folder.
const LARGEST: u64 = 128 << 20;
const MOST_FILES: usize = 20_000;

#[derive(Debug, thiserror::Error)]
pub enum FolderError {
    #[error(
        "the folder of MiniWoB++ is not there: {}. It is the folder `html` of the Python package `miniwob`; \
         make the suite again with `umpire suite import miniwob --from DIR`", path.display()
    )]
    Missing { path: PathBuf },
    #[error("{}: {source}", path.display())]
    Unreadable { path: PathBuf, source: io::Error },
    #[error("{} holds more than {} MB or {MOST_FILES} files: it is not the package's folder", path.display(), LARGEST >> 20)]
    TooLarge { path: PathBuf },
    #[error(
        "the files in {} are not those the suite was made of (digest {found}, not {expected}), so its tasks are not the \
         same. Bring the old files back, or make the suite again with `umpire suite import miniwob --from {}`",
        path.display(), path.display()
    )]
    Changed { path: PathBuf, expected: Digest, found: Digest },
}

/// All files of a folder, by their path in it, with `/` between names.
pub struct Folder {
    pub path: PathBuf,
    files: BTreeMap<String, Bytes>,
    pub digest: Digest,
}

impl Folder {
    pub fn read(path: &Path) -> Result<Self, FolderError> {
        if !path.is_dir() {
            return Err(FolderError::Missing { path: path.to_owned() });
        }
        let mut files = BTreeMap::new();
        let mut size = 0;
        let mut folders = vec![(path.to_owned(), String::new())];
        while let Some((folder, prefix)) = folders.pop() {
            let unreadable = |source| FolderError::Unreadable { path: folder.clone(), source };
            for entry in fs::read_dir(&folder).map_err(unreadable)? {
                let entry = entry.map_err(unreadable)?;
                let name = format!("{prefix}{}", entry.file_name().to_string_lossy());
                let kind = entry.file_type().map_err(unreadable)?;
                if kind.is_dir() {
                    folders.push((entry.path(), format!("{name}/")));
                } else if kind.is_file() {
                    // Links are left out: they may lead anywhere.
                    let unreadable = |source| FolderError::Unreadable { path: entry.path(), source };
                    size += entry.metadata().map_err(unreadable)?.len();
                    if size > LARGEST || files.len() == MOST_FILES {
                        return Err(FolderError::TooLarge { path: path.to_owned() });
                    }
                    files.insert(name, Bytes::from(fs::read(entry.path()).map_err(unreadable)?));
                }
            }
        }
        let parts: Vec<(&String, Digest)> =
            files.iter().map(|(name, content)| (name, Digest::of(content))).collect();
        let digest = Digest::of_json(&parts);
        Ok(Self { path: path.to_owned(), files, digest })
    }

    /// The folder of a suite, if it still holds the files the suite was made of.
    pub fn of_suite(served: &ServedFolder) -> Result<Self, FolderError> {
        let folder = Self::read(&served.path)?;
        if folder.digest == served.digest {
            return Ok(folder);
        }
        let (path, expected, found) = (folder.path, served.digest.clone(), folder.digest);
        Err(FolderError::Changed { path, expected, found })
    }

    pub fn files(&self) -> impl Iterator<Item = (&str, &Bytes)> {
        self.files.iter().map(|(name, content)| (name.as_str(), content))
    }

    pub fn serve(&self, request: http::Request<Bytes>) -> Response<Bytes> {
        let request = Request::parse(request);
        if !matches!(request.method, Method::GET | Method::HEAD) {
            return plain(StatusCode::METHOD_NOT_ALLOWED, "These files can only be read.");
        }
        let name = request.path.join("/");
        match self.files.get(&name) {
            Some(content) => {
                let mut response = Response::new(content.clone());
                let kind = header::HeaderValue::from_static(content_type(&name));
                response.headers_mut().insert(header::CONTENT_TYPE, kind);
                response
            }
            None => plain(StatusCode::NOT_FOUND, "There is no such file."),
        }
    }
}

fn plain(status: StatusCode, text: &'static str) -> Response<Bytes> {
    let mut response = Response::new(Bytes::from_static(text.as_bytes()));
    *response.status_mut() = status;
    response
}

fn content_type(name: &str) -> &'static str {
    match name.rsplit_once('.').map_or("", |(_, end)| end) {
        "html" => "text/html; charset=utf-8",
        "js" => "text/javascript; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "json" => "application/json",
        "png" => "image/png",
        "gif" => "image/gif",
        "jpg" | "jpeg" => "image/jpeg",
        "svg" => "image/svg+xml",
        "ico" => "image/x-icon",
        "woff" => "font/woff",
        "woff2" => "font/woff2",
        "ttf" => "font/ttf",
        _ => "application/octet-stream",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pages() -> tempfile::TempDir {
        let dir = tempfile::tempdir().expect("temp dir");
        fs::create_dir(dir.path().join("core")).expect("folder");
        fs::write(dir.path().join("core/core.js"), "var core = {};").expect("file");
        fs::write(dir.path().join("a b.html"), "<p>hi</p>").expect("file");
        dir
    }

    fn ask(folder: &Folder, method: &str, url: &str) -> (u16, String) {
        let request = http::Request::builder().method(method).uri(url).body(Bytes::new()).expect("request");
        let response = folder.serve(request);
        (response.status().as_u16(), String::from_utf8_lossy(response.body()).into_owned())
    }

    #[test]
    fn only_what_is_in_the_folder_is_served_and_only_to_readers() {
        let dir = pages();
        std::os::unix::fs::symlink("/etc/hosts", dir.path().join("core/hosts")).expect("link");
        let folder = Folder::read(&dir.path().join("core")).expect("readable");
        for (method, path, status) in [
            ("GET", "/core.js", 200),
            ("HEAD", "/core.js?v=1", 200),
            ("GET", "/", 404),
            ("GET", "/../a%20b.html", 404),
            ("GET", "/%2e%2e/a%20b.html", 404),
            ("GET", "/..%2fa b.html".replace(' ', "%20").as_str(), 404),
            ("GET", "//etc/hosts", 404),
            ("GET", "/hosts", 404),
            ("POST", "/core.js", 405),
            ("DELETE", "/core.js", 405),
        ] {
            assert_eq!(
                ask(&folder, method, &format!("http://{}{path}", crate::miniwob::HOST)).0,
                status,
                "{path}"
            );
        }
        let whole = Folder::read(dir.path()).expect("readable");
        assert_eq!(ask(&whole, "GET", "http://miniwob.localhost/a%20b.html"), (200, "<p>hi</p>".to_owned()));
    }

    #[test]
    fn a_changed_or_missing_folder_says_what_to_do() {
        let dir = pages();
        let path = dir.path().to_owned();
        let served = ServedFolder { digest: Folder::read(&path).expect("readable").digest, path };
        assert!(Folder::of_suite(&served).is_ok());
        fs::write(dir.path().join("core/core.js"), "var core = {easy: true};").expect("file");
        let changed = Folder::of_suite(&served).err().expect("changed").to_string();
        assert!(changed.contains("make the suite again"), "{changed}");
        drop(dir);
        let missing = Folder::of_suite(&served).err().expect("missing").to_string();
        assert!(missing.contains("Python package `miniwob`"), "{missing}");
    }
}
