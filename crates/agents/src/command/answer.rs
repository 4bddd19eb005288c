use std::fs::OpenOptions;
use std::io::{self, Read as _};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::Path;

use nix::libc::{ELOOP, O_NOFOLLOW, O_NONBLOCK};

pub(super) const MAX_ANSWER: u64 = 1024 * 1024;
const FILE_NAME: &str = "answer.json";

/// Why a file that is there is not taken as the answer.
#[derive(Debug, thiserror::Error)]
pub(super) enum RefusedAnswer {
    #[error("answer.json is a link or no regular file")]
    NotAFile,
    #[error("answer.json is larger than {MAX_ANSWER} bytes")]
    TooLarge,
    #[error("answer.json is not UTF-8 text")]
    NotText,
    #[error("answer.json cannot be read: {0}")]
    Unreadable(io::Error),
}

/// What the agent left in its folder. A link is never followed: it would let an agent hand in a file it was not
/// given as its own words.
pub(super) fn read_answer(out_dir: &Path) -> Result<Option<String>, RefusedAnswer> {
    if out_dir.symlink_metadata().is_ok_and(|data| data.is_symlink()) {
        return Err(RefusedAnswer::NotAFile);
    }
    // Not blocking, because opening a named pipe would otherwise wait for a writer.
    let opened =
        OpenOptions::new().read(true).custom_flags(O_NOFOLLOW | O_NONBLOCK).open(out_dir.join(FILE_NAME));
    let file = match opened {
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) if error.raw_os_error() == Some(ELOOP) => return Err(RefusedAnswer::NotAFile),
        Err(error) => return Err(RefusedAnswer::Unreadable(error)),
    };
    let about = file.metadata().map_err(RefusedAnswer::Unreadable)?;
    if !about.is_file() {
        return Err(RefusedAnswer::NotAFile);
    }
    let mut content = Vec::new();
    file.take(MAX_ANSWER + 1).read_to_end(&mut content).map_err(RefusedAnswer::Unreadable)?;
    if content.len() as u64 > MAX_ANSWER {
        return Err(RefusedAnswer::TooLarge);
    }
    let text = String::from_utf8(content).map_err(|_| RefusedAnswer::NotText)?;
    Ok(Some(text.trim().to_owned()))
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn only_a_small_regular_text_file_is_an_answer() {
        let folder = tempfile::tempdir().expect("temp folder");
        let file = folder.path().join(FILE_NAME);
        let refresh = || fs::remove_file(&file).or_else(|_| fs::remove_dir(&file));

        assert!(matches!(read_answer(folder.path()), Ok(None)));
        fs::write(&file, " {\"a\":1}\n").expect("write");
        assert_eq!(read_answer(folder.path()).expect("read").as_deref(), Some("{\"a\":1}"));

        refresh().expect("remove");
        let elsewhere = folder.path().join("gold.json");
        fs::write(&elsewhere, "{}").expect("write");
        symlink(&elsewhere, &file).expect("link");
        assert!(matches!(read_answer(folder.path()), Err(RefusedAnswer::NotAFile)));

        refresh().expect("remove");
        fs::create_dir(&file).expect("folder");
        assert!(matches!(read_answer(folder.path()), Err(RefusedAnswer::NotAFile)));

        refresh().expect("remove");
        nix::unistd::mkfifo(&file, nix::sys::stat::Mode::S_IRWXU).expect("pipe");
        assert!(matches!(read_answer(folder.path()), Err(RefusedAnswer::NotAFile)));

        refresh().expect("remove");
        fs::write(&file, vec![b' '; MAX_ANSWER as usize + 1]).expect("write");
        assert!(matches!(read_answer(folder.path()), Err(RefusedAnswer::TooLarge)));

        fs::write(&file, [0xff, 0xfe]).expect("write");
        assert!(matches!(read_answer(folder.path()), Err(RefusedAnswer::NotText)));
    }
}
