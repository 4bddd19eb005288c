//! Records what a person does in a browser.

use std::sync::Arc;
use std::time::Duration;

use serde_json::{Value, json};
use umpire_browser::{Handler, HostPattern, NetworkPolicy};
use umpire_model::{Deadline, Viewport};
use umpire_stage::record::{RecordError, RecordOptions, Recorded, Recorder, line};
use umpire_stage::session::Step;
use umpire_worlds::{World, site_hosts, site_names};

use super::remote::until_stopped;
use crate::args::{Global, RecordArgs};
use crate::exit::Exit;
use crate::failure::Failure;

const START: Duration = Duration::from_mins(1);

pub async fn record(args: &RecordArgs, global: &Global) -> Result<Exit, Failure> {
    let url = url::Url::parse(&args.url)
        .map_err(|error| Failure::new(format!("`{}` is not an address: {error}", args.url)))?;
    let options = RecordOptions {
        name: args.name.clone(),
        out: args.out.clone(),
        url: args.url.clone(),
        chromium: global.chromium.clone(),
        viewport: Viewport::default(),
        window: !args.headless,
        network: network(&url, args.seed)?,
    };
    let failed = |error: RecordError| Failure::new(error.to_string());
    let recorder = Recorder::start(options, Deadline::after(START)).await.map_err(failed)?;
    if !global.json {
        say!("Recording {} at {}. Close the window or press Ctrl-C to stop.\n", args.name, args.url);
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
    let Recorded { path, session } = running.await.map_err(failed)?;
    let steps = session.steps.len();
    if global.json {
        say!("{}", json!({ "session": path, "steps": steps }));
    } else {
        say!("\n{steps} steps in {}", path.display());
    }
    Ok(Exit::Ok)
}

fn show(number: usize, step: &Step, as_json: bool) {
    if as_json {
        say!("{}", json!({ "step": number, "did": step }));
    } else {
        say!("{number:3}  {}", line(step));
    }
}

/// The built-in sites from this binary; for any other address, that host and the open web.
fn network(url: &url::Url, seed: u64) -> Result<NetworkPolicy, Failure> {
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
