//! The trace on disk, and moved to another address.

use std::fs;
use std::path::Path;

use umpire_stage::Session;
use umpire_stage::session::Deed;
use url::Url;

use crate::failure::Failure;

/// Longer files are not recordings.
const LARGEST: u64 = 64 << 20;

pub fn read(path: &Path) -> Result<Session, Failure> {
    let explain = |problem: String| {
        Failure::new(format!("{}: {problem}", path.display()))
            .help("`umpire record` makes sessions; `umpire sessions import` reads those of other recorders")
    };
    let size = fs::metadata(path).map_err(|error| explain(error.to_string()))?.len();
    if size > LARGEST {
        return Err(explain(format!("it is larger than {} MiB", LARGEST >> 20)));
    }
    let text = fs::read_to_string(path).map_err(|error| explain(error.to_string()))?;
    Session::read(&text).map_err(|error| explain(error.to_string()))
}

/// Moves everything of the session's own site to another address: a staging host, another port.
pub fn relocate(session: &mut Session, site: &str) -> Result<(), Failure> {
    let bad = |written: &str, error: url::ParseError| {
        Failure::new(format!("`{written}` is not an address: {error}"))
    };
    let from = Url::parse(&session.start_url).map_err(|error| bad(&session.start_url, error))?;
    let to = Url::parse(site).map_err(|error| bad(site, error))?;
    let moved = |written: &mut String| {
        let Ok(mut url) = Url::parse(written) else { return };
        let fits = url.origin() == from.origin() && url.set_scheme(to.scheme()).is_ok();
        if fits && url.set_host(to.host_str()).is_ok() && url.set_port(to.port()).is_ok() {
            *written = url.into();
        }
    };
    moved(&mut session.start_url);
    for step in &mut session.steps {
        moved(&mut step.url);
        step.frames.iter_mut().for_each(|frame| moved(&mut frame.url));
        match &mut step.deed {
            Deed::Goto { url } | Deed::OpenTab { url } | Deed::TabOpened { url, .. } => moved(url),
            _ => {}
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_sessions_own_site_moves() {
        let text = r#"{"version": 1, "name": "n", "recorded_at": "2026-11-15T00:00:00Z", "recorder": "hand",
            "start_url": "http://hub.localhost/", "viewport": {"width": 1280, "height": 720}, "steps": [
            {"at_ms": 0, "tab": 1, "url": "http://hub.localhost/privacy?a=1", "purpose": "way",
             "deed": {"do": "goto", "url": "http://consent.localhost/x"}}]}"#;
        let mut session = Session::read(text).expect("a session");
        relocate(&mut session, "https://staging.example:8443/ignored").expect("moved");
        assert_eq!(session.start_url, "https://staging.example:8443/");
        assert_eq!(session.steps[0].url, "https://staging.example:8443/privacy?a=1");
        assert_eq!(session.steps[0].deed, Deed::Goto { url: "http://consent.localhost/x".to_owned() });
        assert!(relocate(&mut session, "staging").is_err());
    }
}
