//! One call of a provider: where it goes, what its failures mean, how often and when it is tried again.

mod backoff;
mod breaker;
mod endpoint;
mod fault;
mod http;
mod line;

pub(crate) use endpoint::Endpoint;
pub(crate) use fault::{CallError, Rejection};
pub(crate) use http::{HttpClient, Live, content_type};
pub(crate) use line::{Delivered, Line, Tried, Wanted, read_answer};
