//! What a page of `MiniWoB++` is, told from its text.

use super::Folder;

/// The package's own limit where a page sets none.
const DEFAULT_MILLIS: u64 = 10_000;

/// One environment of the package.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Environment {
    /// `click-test`; also the name of its page.
    pub name: String,
    /// The page ends an episode after this time.
    pub seconds: u64,
    pub title: String,
}

/// The environments of a folder, by name.
pub(super) fn environments(folder: &Folder) -> Vec<Environment> {
    folder
        .files()
        .filter_map(|(path, content)| environment(path, &String::from_utf8_lossy(content)))
        .collect()
}

fn environment(path: &str, page: &str) -> Option<Environment> {
    let name = path.strip_prefix("miniwob/")?.strip_suffix(".html")?;
    let is_one = !name.contains('/') && page.contains("core/core.js") && page.contains("genProblem");
    is_one.then(|| Environment {
        name: name.to_owned(),
        seconds: millis(page).unwrap_or(DEFAULT_MILLIS).div_ceil(1000),
        title: title(page).unwrap_or(name).to_owned(),
    })
}

/// The number in `core.EPISODE_MAX_TIME = 20000;`.
fn millis(page: &str) -> Option<u64> {
    let (_, rest) = page.split_once("core.EPISODE_MAX_TIME")?;
    let digits = rest.trim_start().strip_prefix('=')?.trim_start();
    digits[..digits.find(|c: char| !c.is_ascii_digit())?].parse().ok()
}

fn title(page: &str) -> Option<&str> {
    let (_, rest) = page.split_once("<title>")?;
    let title = rest.split_once("</title>")?.0.trim();
    (!title.is_empty()).then_some(title)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_with_a_problem_are_environments() {
        let page = "<title>Click it </title><script src='../core/core.js'></script><script>var genProblem = 1; \
                    core.EPISODE_MAX_TIME = 15500; // ms</script>";
        let found = environment("miniwob/click-it.html", page).expect("an environment");
        assert_eq!(
            found,
            Environment { name: "click-it".to_owned(), seconds: 16, title: "Click it".to_owned() }
        );
        let plain = page.replace("core.EPISODE_MAX_TIME", "x");
        assert_eq!(environment("miniwob/click-it.html", &plain).map(|e| e.seconds), Some(10));
        for (path, page) in [
            ("miniwob/click-it.js", page),
            ("flight/click-it.html", page),
            ("miniwob/deep/click-it.html", page),
            ("miniwob/about.html", "<title>About</title>"),
        ] {
            assert_eq!(environment(path, page), None, "{path}");
        }
    }
}
