//! Records what a person does in a browser.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use serde_json::{Value, json};
use umpire_browser::{Handler, HostPattern, NetworkPolicy};
use umpire_model::{Deadline, Viewport};
use umpire_stage::record::{RecordError, RecordOptions, Recorded, Recorder, from_export};
use umpire_stage::session::Step;
use umpire_worlds::{World, site_hosts, site_names};

use super::remote::until_stopped;
use super::sessions::line;
use crate::args::{Global, RecordArgs};
use crate::exit::Exit;
use crate::failure::Failure;

const START: Duration = Duration::from_mins(1);

pub async fn record(args: &RecordArgs, global: &Global) -> Result<Exit, Failure> {
    if let Some(file) = &args.from {
        return convert(file, args, global);
    }
    global.remote.refuse("a person records in a browser of this machine")?;
    let (Some(address), Some(name)) = (&args.url, &args.name) else {
        return Err(Failure::new("an address and a --name are needed"));
    };
    let address = &with_scheme(address);
    let url = url::Url::parse(address)
        .map_err(|error| Failure::new(format!("`{address}` is not an address: {error}")))?;
    let options = RecordOptions {
        name: name.clone(),
        out: args.out.clone(),
        url: address.clone(),
        chromium: global.chromium.clone(),
        viewport: Viewport::default(),
        window: !args.headless,
        extension: !args.no_extension,
        network: network(&url, args.seed)?,
    };
    let failed = |error: RecordError| Failure::new(error.to_string());
    let recorder = Recorder::start(options, Deadline::after(START)).await.map_err(failed)?;
    if !global.json {
        say!("Recording {name} at {address}. Close the window or press Ctrl-C to stop.\n");
    }
    let stop = async {
        match args.seconds {
            Some(seconds) => {
                let _ = tokio::time::timeout(Duration::from_secs(seconds), until_stopped()).await;
            }
            None => until_stopped().await,
        }
    };
    let mut number = 0;
    let running = recorder.run(stop, |step| {
        number += 1;
        show(number, step, global.json);
    });
    conclude(&running.await.map_err(failed)?, global.json);
    Ok(Exit::Ok)
}

/// What the extension exported, as a session.
fn convert(file: &Path, args: &RecordArgs, global: &Global) -> Result<Exit, Failure> {
    let explain = |problem: String| Failure::new(format!("{}: {problem}", file.display()));
    let text = std::fs::read_to_string(file).map_err(|error| explain(error.to_string()))?;
    let recorded =
        from_export(&text, args.name.as_deref(), &args.out).map_err(|error| explain(error.to_string()))?;
    for (place, step) in recorded.session.steps.iter().enumerate() {
        show(place + 1, step, global.json);
    }
    conclude(&recorded, global.json);
    Ok(Exit::Ok)
}

fn conclude(Recorded { path, session }: &Recorded, as_json: bool) {
    let steps = session.steps.len();
    if as_json {
        say!("{}", json!({ "session": path, "steps": steps }));
    } else {
        say!("\n{steps} steps in {}", path.display());
    }
}

fn show(number: usize, step: &Step, as_json: bool) {
    if as_json {
        say!("{}", json!({ "step": number, "did": step }));
    } else {
        say!("{number:>4}  {}", line(step));
    }
}

/// The built-in sites from this binary; for any other address, that host and the open web.
/// As a browser's address bar takes a host alone.
fn with_scheme(address: &str) -> String {
    if address.contains("://") {
        return address.to_owned();
    }
    let host = address.split(['/', ':']).next().unwrap_or_default();
    let is_local = host.ends_with("localhost") || host.parse::<std::net::IpAddr>().is_ok();
    format!("{}://{address}", if is_local { "http" } else { "https" })
}

pub(super) fn network(url: &url::Url, seed: u64) -> Result<NetworkPolicy, Failure> {
    let host = url.host_str().unwrap_or_default();
    let is_built_in = site_hosts().iter().any(|(known, _)| *known == host);
    if !is_built_in {
        let allowed_hosts = [format!("{host}:*"), "*:*".to_owned()];
        return Ok(NetworkPolicy {
            allowed_hosts: allowed_hosts.iter().map(|host| HostPattern::parse(host)).collect(),
            ..NetworkPolicy::default()
        });
    }
    let sites: Vec<String> = site_names().into_iter().map(str::to_owned).collect();
    let world = World::create(&sites, seed, &Value::Null).map_err(|error| Failure::new(error.to_string()))?;
    let world = Arc::new(world);
    let origins = world.hosts().into_iter().map(|host| {
        let world = Arc::clone(&world);
        let handler: Handler = Arc::new(move |request| world.serve(request));
        (host.to_owned(), handler)
    });
    Ok(NetworkPolicy { origins: origins.collect(), ..NetworkPolicy::default() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_host_alone_is_an_address() {
        for (written, meant) in [
            ("hub.localhost", "http://hub.localhost"),
            ("hub.localhost:8080/ads", "http://hub.localhost:8080/ads"),
            ("127.0.0.1:80", "http://127.0.0.1:80"),
            ("example.org/a", "https://example.org/a"),
            ("https://example.org", "https://example.org"),
        ] {
            assert_eq!(with_scheme(written), meant);
        }
    }
}
