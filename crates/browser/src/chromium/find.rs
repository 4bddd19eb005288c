use std::env;
use std::ffi::OsStr;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

/// The same engine without the windows nobody sees: a context of it costs a third of the time and the memory of one with
/// a window (`docs/decisions.md`).
const WITHOUT_WINDOW: [&str; 3] = ["chromium-headless-shell", "chrome-headless-shell", "headless_shell"];

/// Names under which distributions install the whole browser, the free build first.
const WITH_WINDOW: [&str; 5] =
    ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome"];

#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub enum NoChromium {
    #[error(
        "Chromium was not found (looked for {} in PATH). Install it (Debian, Ubuntu: `apt install {}`) \
         or set UMPIRE_CHROMIUM to its path",
        .looked_for.join(", "), .looked_for.first().copied().unwrap_or_default()
    )]
    NotInstalled { looked_for: Vec<&'static str> },
    #[error("`{}`, given by {given_by}, is not an executable file", path.display())]
    NotExecutable { path: PathBuf, given_by: &'static str },
}

/// The Chromium to use: the one asked for, else `UMPIRE_CHROMIUM`, else the first known name in `PATH`, those without
/// a window first.
pub fn find(explicit: Option<&Path>) -> Result<PathBuf, NoChromium> {
    find_among(&[&WITHOUT_WINDOW[..], &WITH_WINDOW].concat(), explicit)
}

/// A Chromium that can show itself and load extensions.
pub fn find_with_window(explicit: Option<&Path>) -> Result<PathBuf, NoChromium> {
    find_among(&WITH_WINDOW, explicit)
}

fn find_among(known: &[&'static str], explicit: Option<&Path>) -> Result<PathBuf, NoChromium> {
    choose(known, explicit, env::var_os("UMPIRE_CHROMIUM").as_deref(), env::var_os("PATH").as_deref())
}

fn choose(
    known: &[&'static str],
    explicit: Option<&Path>,
    variable: Option<&OsStr>,
    path: Option<&OsStr>,
) -> Result<PathBuf, NoChromium> {
    let named = explicit
        .map(|path| (path.to_owned(), "the configuration"))
        .or_else(|| variable.filter(|text| !text.is_empty()).map(|text| (text.into(), "UMPIRE_CHROMIUM")));
    if let Some((path, given_by)) = named {
        return if is_executable(&path) {
            Ok(path)
        } else {
            Err(NoChromium::NotExecutable { path, given_by })
        };
    }
    let folders: Vec<PathBuf> = path.map(|path| env::split_paths(path).collect()).unwrap_or_default();
    known
        .iter()
        .flat_map(|name| folders.iter().map(move |folder| folder.join(name)))
        .find(|candidate| is_executable(candidate))
        .ok_or_else(|| NoChromium::NotInstalled { looked_for: known.to_vec() })
}

fn is_executable(path: &Path) -> bool {
    path.metadata().is_ok_and(|meta| meta.is_file() && meta.permissions().mode() & 0o111 != 0)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    fn all() -> Vec<&'static str> {
        [&WITHOUT_WINDOW[..], &WITH_WINDOW].concat()
    }

    fn put(folder: &Path, name: &str, mode: u32) -> PathBuf {
        let path = folder.join(name);
        fs::write(&path, "#!/bin/sh\n").expect("written");
        fs::set_permissions(&path, fs::Permissions::from_mode(mode)).expect("permissions set");
        path
    }

    #[test]
    fn what_is_asked_for_wins_and_one_without_a_window_comes_first() {
        let temp = tempfile::tempdir().expect("temp dir");
        let asked = put(temp.path(), "mine", 0o755);
        let chrome = put(temp.path(), "google-chrome", 0o755);
        let path = Some(temp.path().as_os_str());
        assert_eq!(choose(&all(), None, None, path), Ok(chrome.clone()));
        put(temp.path(), "chromium", 0o644);
        assert_eq!(choose(&all(), None, None, path), Ok(chrome), "a file that cannot run is passed over");
        let chromium = put(temp.path(), "chromium", 0o755);
        assert_eq!(choose(&all(), None, None, path), Ok(chromium.clone()));
        let shell = put(temp.path(), "chromium-headless-shell", 0o755);
        assert_eq!(choose(&all(), None, None, path), Ok(shell));
        assert_eq!(choose(&WITH_WINDOW, None, None, path), Ok(chromium));
        assert_eq!(choose(&all(), None, Some(asked.as_os_str()), path), Ok(asked.clone()));
        assert_eq!(choose(&all(), Some(&asked), Some(OsStr::new("/nowhere")), path), Ok(asked));
    }

    #[test]
    fn a_missing_browser_is_an_error_with_a_remedy() {
        let missing = choose(&all(), None, None, Some(OsStr::new("/nowhere"))).expect_err("nothing there");
        assert!(missing.to_string().contains("apt install chromium-headless-shell"));
        let wrong = choose(&all(), None, Some(OsStr::new("/nowhere/c")), None).expect_err("nothing there");
        assert!(wrong.to_string().contains("UMPIRE_CHROMIUM") && wrong.to_string().contains("/nowhere/c"));
    }
}
