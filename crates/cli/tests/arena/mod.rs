//! What visitors let agents do and say about it: battles live in a real browser, and failure modes from what was said.

#[path = "../../../server/tests/server/chromium/mod.rs"]
mod chromium;
mod failures;
mod judged;
mod live;
#[path = "../../../server/tests/server/support/visitor.rs"]
mod visitor;
