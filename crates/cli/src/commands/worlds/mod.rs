//! A world for people and for other people's harnesses: the built-in sites on one port, by host name.

mod addresses;
mod server;

use std::net::SocketAddr;

use tokio::net::TcpListener;
use umpire_worlds::{Clock, site_names};

use self::server::Served;
use crate::args::{Global, WorldsCommand, WorldsServeArgs};
use crate::exit::Exit;
use crate::failure::Failure;

pub async fn worlds(command: &WorldsCommand, global: &Global) -> Result<Exit, Failure> {
    match command {
        WorldsCommand::Serve(args) => serve(args, global).await,
    }
}

async fn serve(args: &WorldsServeArgs, global: &Global) -> Result<Exit, Failure> {
    let sites = if args.sites.is_empty() {
        site_names().into_iter().map(str::to_owned).collect()
    } else {
        args.sites.clone()
    };
    let listener = TcpListener::bind(SocketAddr::new(args.listen, args.port)).await.map_err(|error| {
        Failure::new(format!("{}:{} cannot be listened on: {error}", args.listen, args.port))
            .help("name another --port; 0 takes a free one")
    })?;
    let address = listener.local_addr().map_err(|error| Failure::new(error.to_string()))?;
    let served =
        Served::new(sites, args.seed, address.port()).map_err(|error| Failure::new(error.to_string()))?;
    if global.json {
        say!("{}", served.status());
    } else {
        say!("World of seed {}, as of {}. Stop with Ctrl-C.\n", args.seed, Clock::TODAY);
        for (site, urls) in served.addresses() {
            say!("  {site:12} {}", urls.join(&format!("\n  {:12} ", "")));
        }
        say!("\nFor harnesses, at http://localhost:{}:", address.port());
        say!(
            "  GET /status    GET /state    POST /reset    (a body may say {{\"seed\": 8, \"state\": {{…}}}})"
        );
    }
    tokio::select! {
        () = served.run(listener) => {}
        _ = tokio::signal::ctrl_c() => {}
    }
    Ok(Exit::Ok)
}
