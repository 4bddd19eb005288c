//! Verdicts by model. A judge is a small pipeline over shared parts: what is shown of an attempt ([`case`],
//! [`pictures`]), how it is asked ([`template`]), how the answer is read ([`answer`]), and how several answers become one
//! ruling ([`vote`]).
//!
//! Nothing here drives a browser or knows a provider: evidence comes from a recorded trajectory, models are reached
//! through the gateway of `umpire-llm`. Text of pages and agents is hostile and stays fenced; a ruling is computed from
//! parsed fields, never from free text.

pub mod answer;
pub mod pictures;
