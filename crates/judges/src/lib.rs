//! Verdicts by model. A judge is a small pipeline over shared parts: what is shown of an attempt ([`case`],
//! [`evidence`], [`pictures`]), how it is asked ([`definition`], [`asking`]), how the answer is read ([`answer`]), and how
//! several answers become one ruling ([`vote`]). A [`panel`] lets judges look at all attempts of a run.
//!
//! Nothing here drives a browser or knows a provider: evidence comes from a recorded trajectory, models are reached
//! through the gateway of `umpire-llm`. Text of pages and agents is hostile and stays fenced; a ruling is computed from
//! parsed fields, never from free text.

pub mod answer;
pub mod asking;
pub mod case;
pub mod definition;
pub mod evidence;
pub mod fence;
pub mod frames;
pub mod judge;
pub mod panel;
pub mod pictures;
pub mod pipelines;
pub mod vote;
