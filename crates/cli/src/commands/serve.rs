//! `umpire serve`: the pages, until somebody stops it.

use std::env;
use std::sync::Arc;

use serde_json::json;
use umpire_server::{NewAccount, Role, Server, ServerOptions};
use umpire_store::Runs;
use zeroize::Zeroizing;

use super::arena::arena;
use super::film_encoder::ChromiumFilms;
use super::remote::until_stopped;
use crate::args::{Global, ServeArgs};
use crate::config::Config;
use crate::exit::Exit;
use crate::failure::Failure;

/// The server's database, in the folder of the runs, where nobody names another.
pub const DATABASE: &str = "server.db";
/// A secret is never an argument: arguments are seen by everybody on the machine.
const PASSWORD: &str = "UMPIRE_OPERATOR_PASSWORD";
const SECRET: &str = "UMPIRE_SERVER_SECRET";

pub async fn serve(
    args: &ServeArgs,
    global: &Global,
    config: &Config,
    folder: &Runs,
) -> Result<Exit, Failure> {
    let runs = folder.root();
    std::fs::create_dir_all(runs).map_err(|error| Failure::new(format!("{}: {error}", runs.display())))?;
    let database =
        args.database.clone().unwrap_or_else(|| format!("sqlite:{}", runs.join(DATABASE).display()));
    let account = args.operator.as_deref().map(operator).transpose()?;
    let options = ServerOptions {
        runs: runs.to_owned(),
        listen: args.listen,
        database,
        hosts: args.hosts.clone(),
        is_private: args.private,
        is_behind_proxy: args.behind_proxy,
        allows_plain_http: args.plain_http,
        account,
        secret: env::var(SECRET).ok(),
        arena: arena(args, global, config, folder)?,
        films: Some(Arc::new(ChromiumFilms(global.clone()))),
    };
    let is_arena_open = options.arena.is_some();
    let server = Server::bind(options).await.map_err(|error| Failure::new(error.to_string()))?;
    let url = format!("http://{}/", server.address());
    if global.json {
        say!("{}", json!({"url": url, "runs": runs, "arena": is_arena_open}));
    } else {
        say!("{url} shows the runs in {}; Ctrl-C stops it", runs.display());
        if is_arena_open {
            say!("{url}arena lets visitors have agents meet");
        }
    }
    until_stopped().await;
    server.stop().await;
    Ok(Exit::Ok)
}

fn operator(name: &str) -> Result<NewAccount, Failure> {
    let password = match env::var(PASSWORD) {
        Ok(password) => password,
        Err(_) => rpassword::prompt_password(format!("Password of {name}: "))
            .map_err(|error| Failure::new(format!("no password: {error}")).help(format!("set {PASSWORD}")))?,
    };
    Ok(NewAccount { name: name.to_owned(), role: Role::Operator, password: Zeroizing::new(password) })
}
