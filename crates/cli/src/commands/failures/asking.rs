//! One question to a model, where the user named one.

use std::sync::Arc;
use std::time::Duration;

use umpire_llm::{Ask as _, Asker, Budget, Caller, Limits, Message, Prompt};
use umpire_model::{Deadline, Unrecorded};

use crate::args::{FailuresModelArgs, Global};
use crate::commands::conduct::options_beside_runs;
use crate::config::Config;
use crate::failure::Failure;

const LONGEST_ANSWER: Duration = Duration::from_mins(3);

/// The model to ask, if one was named.
pub fn asker(
    args: &FailuresModelArgs,
    global: &Global,
    config: &Config,
    about: &str,
) -> Result<Option<Asker>, Failure> {
    let Some(model) = &args.model else { return Ok(None) };
    let money = args.spending.money()?;
    let gateway = config.gateway(&options_beside_runs(&args.spending, global, config)?)?;
    gateway.check(model, money.is_some()).map_err(|error| Failure::new(error.to_string()))?;
    let budget = Budget::new("failures", Limits { money, ..Limits::default() });
    let caller = Caller::new(about.to_owned(), vec![budget], Arc::new(Unrecorded));
    gateway.asker(model, caller).map(Some).map_err(|error| Failure::new(error.to_string()))
}

pub async fn ask(asker: &Asker, (system, user): (String, String)) -> Result<String, String> {
    let prompt = Prompt { system: Some(system), messages: vec![Message::user(user)], ..Prompt::default() };
    let reply = asker.ask(&prompt, Deadline::after(LONGEST_ANSWER)).await;
    reply.map(|reply| reply.text).map_err(|error| error.to_string())
}
