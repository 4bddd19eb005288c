//! Models behind one gateway. Agents and judges, built in or foreign, reach a model only through here, so that every
//! call is metered, bound by a budget before it is made, and evidence afterwards.
//!
//! Nothing here knows what is asked or what the reply means; that is the business of agents and judges.
//!
//! [`spec`] is what a user writes about a model, [`wire`] the formats of the providers, [`call`] one call with its
//! retries, [`exchange`] the same with budgets, tapes and evidence around it. [`Gateway`] hands out the right to ask.

mod ask;
mod asker;
mod budget;
mod call;
mod caller;
mod embedding;
mod exchange;
mod gateway;
mod price;
mod prompt;
mod reasoning;
mod reply;
#[cfg(feature = "scripted")]
pub mod scripted;
mod secret;
mod serve;
mod server;
mod sheet;
mod spec;
mod tape;
mod wire;

pub use ask::{Ask, AskError, Asking};
pub use asker::Asker;
pub use budget::{Budget, Limits, Spent};
pub use caller::Caller;
pub use gateway::{Gateway, GatewayError, GatewayOptions};
pub use price::{BadPrices, Price, PriceSpec, PriceWord, Prices};
pub use prompt::{Message, Part, Prompt, ReplyShape, Role};
pub use reply::{Finish, Reply};
pub use server::{GatewayServer, NotAdmitted, Pass};
pub use spec::{BadModel, MaxTokensField, ModelSpec, Provider, Structured};
pub use tape::{CacheOptions, CassetteMode, TapeError, TapeOptions, UnknownMode};
pub use wire::WireFormat;
