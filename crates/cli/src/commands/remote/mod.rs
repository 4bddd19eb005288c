//! Runs whose attempts begin when agents come for them: `umpire steps` and `umpire mcp`.

mod desk;

use std::fs::File;
use std::io;
use std::os::fd::AsFd;
use std::sync::Arc;
use std::time::Duration;

use serde_json::json;
use tokio::io::BufReader;
use tokio::signal::unix::{SignalKind, signal};
use umpire_agents::Interface;
use umpire_door::{About, Mcp, Reception, Server, Steps, Visit, Wish, serve_lines};
use umpire_model::Deadline;
use umpire_store::Runs;

use self::desk::Open;
use crate::args::{Global, McpArgs, StepsArgs};
use crate::config::Config;
use crate::exit::Exit;
use crate::failure::Failure;

/// For the last attempt to be written and judged when its client has gone.
const FAREWELL: Duration = Duration::from_mins(1);

pub async fn steps(args: &StepsArgs, global: &Global, config: &Config, runs: &Runs) -> Result<Exit, Failure> {
    let filter = args.filter.clone();
    let open = Open::run(&args.remote, Interface::Steps, filter, global, config, runs).await?;
    let visit = Arc::new(Steps::new(Arc::clone(&open.reception) as Arc<dyn Reception>));
    let server = listen(args.remote.port, visit).await?;
    let invitation = "Agents begin an attempt with POST /reset and go on with POST /step, at this address:";
    announce(&open, &server.url(), invitation, global);
    until_stopped().await;
    open.say_problems();
    Ok(Exit::Ok)
}

pub async fn mcp(args: &McpArgs, global: &Global, config: &Config, runs: &Runs) -> Result<Exit, Failure> {
    let filter = args.instance.as_ref().map(|id| format!("id={id}"));
    let open = Open::run(&args.remote, Interface::Mcp, filter, global, config, runs).await?;
    let reception = Arc::clone(&open.reception) as Arc<dyn Reception>;
    let wish = Wish { instance: args.instance.clone(), ..Wish::default() };
    let about = open.about();
    if args.http {
        let server = listen(args.remote.port, Arc::new(Mcp::new(reception, wish, about))).await?;
        announce(&open, &format!("{}/mcp", server.url()), "MCP clients connect to this address:", global);
        until_stopped().await;
        open.say_problems();
        return Ok(Exit::Ok);
    }
    let served = tokio::select! {
        served = over_the_pipe(reception, wish, about) => served,
        () = until_stopped() => Ok(()),
    };
    open.reception.settle(Deadline::after(FAREWELL)).await;
    open.say_problems();
    served.map(|()| Exit::Ok).map_err(|error| Failure::new(format!("the client's messages: {error}")))
}

/// Speaks over standard input and output.
async fn over_the_pipe(reception: Arc<dyn Reception>, wish: Wish, about: About) -> io::Result<()> {
    let input = BufReader::new(as_file(&io::stdin())?);
    serve_lines(reception, wish, about, input, as_file(&io::stdout())?).await
}

fn as_file(stream: &impl AsFd) -> io::Result<tokio::fs::File> {
    Ok(tokio::fs::File::from_std(File::from(stream.as_fd().try_clone_to_owned()?)))
}

async fn listen(port: u16, visit: Arc<dyn Visit>) -> Result<Server, Failure> {
    Server::start(port, visit).await.map_err(|error| {
        Failure::new(format!("port {port} cannot be listened on: {error}"))
            .help("name another --port; 0 takes a free one")
    })
}

fn announce(open: &Open, url: &str, invitation: &str, global: &Global) {
    if global.json {
        say!("{}", json!({ "url": url, "run": open.run, "instances": open.instances }));
    } else {
        say!("{invitation}\n\n  {url}\n");
        say!(
            "Run {} has {} instances. Stop with Ctrl-C; the same command goes on.",
            open.run,
            open.instances.len()
        );
    }
}

/// The user's Ctrl-C, or the wish of whoever started this that it should end.
pub(super) async fn until_stopped() {
    let Ok(mut terminated) = signal(SignalKind::terminate()) else {
        let _ = tokio::signal::ctrl_c().await;
        return;
    };
    tokio::select! {
        _ = tokio::signal::ctrl_c() => {}
        _ = terminated.recv() => {}
    }
}
