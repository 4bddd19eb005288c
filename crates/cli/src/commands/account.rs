//! `umpire account`: what a browser remembers of being logged in, captured once, kept encrypted, given to attempts.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use serde_json::json;
use umpire_browser::{NetworkPolicy, Pool, PoolOptions, Seat, SeatOptions, StorageState};
use umpire_model::{AccountSpec, BlobRef, Deadline, Digest, EventBody, Evidence, Media};
use umpire_runner::{Accounts, Plan};
use umpire_stage::account::{Account, AccountTurn, Entered, captured, enter, log_in_anew, parse_state};
use umpire_stage::vault::Keyring;
use umpire_worlds::{World, site_hosts};

use super::vault;
use crate::args::{AccountArgs, AccountCommand, Global};
use crate::config::Config;
use crate::exit::Exit;
use crate::failure::Failure;

const LAUNCH_LIMIT: Duration = Duration::from_mins(1);
const ENTRY_LIMIT: Duration = Duration::from_mins(3);
/// A run that uses the account gives it back after each attempt.
const TURN_LIMIT: Duration = Duration::from_mins(15);
const CLOSE_LIMIT: Duration = Duration::from_secs(10);

pub async fn account(command: &AccountCommand, global: &Global, config: &Config) -> Result<Exit, Failure> {
    match command {
        AccountCommand::Capture(args) => capture(args, global, config).await,
        AccountCommand::Check(args) => check(args, global, config).await,
        AccountCommand::Import { name, file } => {
            let content =
                std::fs::read(file).map_err(|error| Failure::new(format!("{}: {error}", file.display())))?;
            let state = parse_state(&content)
                .map_err(|problem| Failure::new(format!("{}: {problem}", file.display())))?;
            spec(name, config)?;
            keep(name, &state, config)?;
            say!("{name}: {}", contents(&state));
            say_left_out(&state);
            Ok(Exit::Ok)
        }
        AccountCommand::Export { name, out } => {
            let account = resolve(name, &spec(name, config)?, &vault::keyring(config)?, config)?;
            let state = account.state().ok_or_else(|| {
                Failure::new(format!("nothing is remembered of `{name}`"))
                    .help(format!("umpire account capture {name}"))
            })?;
            let text =
                serde_json::to_string_pretty(&*state).map_err(|error| Failure::new(error.to_string()))?;
            write_for_owner(out, text.as_bytes())?;
            say!("{}: {} — whoever has this file is logged in", out.display(), contents(&state));
            Ok(Exit::Ok)
        }
    }
}

async fn capture(args: &AccountArgs, global: &Global, config: &Config) -> Result<Exit, Failure> {
    let name = &args.name;
    let account = resolve(name, &spec(name, config)?, &vault::keyring(config)?, config)?;
    let _turn = take_turn(&account).await?;
    let (_pool, seat) = seat(&account, args, global).await?;
    let deadline = Deadline::after(ENTRY_LIMIT);
    let captured = match log_in_anew(&seat, &account, deadline).await {
        Ok(()) => captured(&seat, &account, deadline).await.map_err(|error| Failure::new(error.to_string())),
        Err(error) => Err(Failure::new(error.to_string())),
    };
    seat.close(Deadline::after(CLOSE_LIMIT)).await;
    let state = captured?;
    let file = keep(name, &state, config)?;
    if global.json {
        say!(
            "{}",
            json!({"account": name, "cookies": state.cookies.len(), "origins": state.origins.len(), "file": file})
        );
    } else {
        say!("{name}: logged in, {} in {}", contents(&state), file.display());
        say_left_out(&state);
    }
    Ok(Exit::Ok)
}

async fn check(args: &AccountArgs, global: &Global, config: &Config) -> Result<Exit, Failure> {
    let name = &args.name;
    let account = resolve(name, &spec(name, config)?, &vault::keyring(config)?, config)?;
    account.check_way_in().map_err(|error| Failure::new(error.to_string()))?;
    let _turn = take_turn(&account).await?;
    let (_pool, seat) = seat(&account, args, global).await?;
    let entered = enter(&seat, &account, Deadline::after(ENTRY_LIMIT)).await;
    seat.close(Deadline::after(CLOSE_LIMIT)).await;
    let how = match entered.map_err(|error| Failure::new(error.to_string()))? {
        Entered::Remembered => "remembered",
        Entered::LoggedIn => "logged in anew",
    };
    if global.json {
        say!("{}", json!({"account": name, "entered": how}));
    } else {
        say!("{name}: {how}");
    }
    Ok(Exit::Ok)
}

/// The accounts that a plan's instances name, ready to be used.
pub fn of_plan(plan: &Plan, config: &Config) -> Result<Accounts, Failure> {
    let mut accounts = Accounts::new();
    let mut keyring = None;
    for name in plan.instances.iter().filter_map(|instance| instance.account.as_ref()) {
        if accounts.contains_key(name) {
            continue;
        }
        let suite = plan.suite.file.accounts.get(name).cloned().unwrap_or_default();
        let spec = config.account(name).cloned().unwrap_or_default().over(&suite);
        if keyring.is_none() {
            keyring = Some(vault::keyring(config)?);
        }
        let Some(keyring) = &keyring else { continue };
        let account = resolve(name, &spec, keyring, config)?;
        account.check_way_in().map_err(|error| Failure::new(error.to_string()))?;
        accounts.insert(name.clone(), Arc::new(account));
    }
    Ok(accounts)
}

fn spec(name: &str, config: &Config) -> Result<AccountSpec, Failure> {
    config.account(name).cloned().ok_or_else(|| {
        Failure::new(format!("there is no account `{name}` in umpire.toml"))
            .help(format!("write [accounts.{name}] there"))
    })
}

fn resolve(name: &str, spec: &AccountSpec, keyring: &Keyring, config: &Config) -> Result<Account, Failure> {
    Account::resolve(name, spec, keyring, Some(&kept_at(name, config)))
        .map_err(|error| Failure::new(error.to_string()))
}

/// Captured accounts lie beside the vault that opens them.
fn kept_at(name: &str, config: &Config) -> PathBuf {
    let folder = vault::file(config).with_added_extension("accounts");
    folder.join(format!("{name}.state.age"))
}

fn keep(name: &str, state: &StorageState, config: &Config) -> Result<PathBuf, Failure> {
    let keyring = vault::keyring(config)?;
    let vault = keyring
        .vault()
        .ok_or_else(|| Failure::new("there is no vault to keep it in").help("umpire vault init makes one"))?;
    let file = kept_at(name, config);
    let content = serde_json::to_vec(state).map_err(|error| Failure::new(error.to_string()))?;
    vault.seal_file(&file, &content).map_err(|error| Failure::new(error.to_string()))?;
    Ok(file)
}

fn contents(state: &StorageState) -> String {
    let items: usize = state.origins.iter().map(|origin| origin.local_storage.len()).sum();
    let databases: usize = state.origins.iter().map(|origin| origin.databases.len()).sum();
    format!("{} cookies, {items} items of local storage, {databases} databases", state.cookies.len())
}

fn say_left_out(state: &StorageState) {
    for left_out in state.left_out() {
        say!("    not given to attempts: {left_out}");
    }
}

/// Logging in while a run uses the account could end the run's session. Built-in sites have a world of their own each time.
async fn take_turn(account: &Account) -> Result<Option<AccountTurn>, Failure> {
    if built_in_site(account).is_some() {
        return Ok(None);
    }
    let turn = account.take_turn(Deadline::after(TURN_LIMIT), |user| eprintln!("waiting: {user}"));
    turn.await.map_err(|error| Failure::new(error.to_string()))
}

fn built_in_site(account: &Account) -> Option<&'static str> {
    let host = account.site().host_str().unwrap_or_default();
    site_hosts().iter().find(|(known, _)| *known == host).map(|(_, site)| *site)
}

/// A seat that reaches what logging in needs: built-in sites in-process, others where they are.
async fn seat(account: &Account, args: &AccountArgs, global: &Global) -> Result<(Pool, Seat), Failure> {
    let mut network = NetworkPolicy { allowed_hosts: account.hosts(), ..NetworkPolicy::default() };
    if let Some(site) = built_in_site(account) {
        let patch = args.world.as_deref().map(serde_json::from_str).transpose();
        let patch = patch.map_err(|error| Failure::new(format!("--world: {error}")))?.unwrap_or_default();
        let world = World::create(&[site.to_owned()], args.seed, &patch);
        let world = Arc::new(world.map_err(|error| Failure::new(error.to_string()))?);
        for host in world.hosts() {
            let world = Arc::clone(&world);
            network.origins.push((host.to_owned(), Arc::new(move |request| world.serve(request))));
        }
    }
    let explain = |error: umpire_browser::PoolError| Failure::new(error.to_string());
    let (chromium, remote) = (global.chromium.clone(), global.remote.remote()?);
    let options = PoolOptions { chromium, remote, spares: 1, ..PoolOptions::default() };
    let pool = Pool::start(options, Deadline::after(LAUNCH_LIMIT)).await.map_err(explain)?;
    let options = SeatOptions::new(Arc::new(Unrecorded), network);
    let seat = pool.seat(options, Deadline::after(LAUNCH_LIMIT)).await.map_err(explain)?;
    Ok((pool, seat))
}

/// Logging in is no attempt: nothing of it is kept but what the browser remembers.
struct Unrecorded;

impl Evidence for Unrecorded {
    fn event(&self, _body: EventBody) -> u64 {
        0
    }

    fn blob(&self, content: &[u8], media: Media) -> BlobRef {
        BlobRef { digest: Digest::of(content), media, bytes: content.len() as u64 }
    }
}

fn write_for_owner(path: &Path, content: &[u8]) -> Result<(), Failure> {
    use std::io::Write as _;
    use std::os::unix::fs::OpenOptionsExt as _;
    let explain =
        |error: std::io::Error| Failure::new(format!("{} cannot be written: {error}", path.display()));
    let mut options = std::fs::OpenOptions::new();
    let mut file = options.write(true).create(true).truncate(true).mode(0o600).open(path).map_err(explain)?;
    file.write_all(content).map_err(explain)
}
