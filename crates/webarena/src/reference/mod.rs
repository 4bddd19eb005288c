//! WebArena Verified as released, case by case.
//!
//! A verdict here is the one the released evaluator gives, its quirks included, so that published scores can be
//! reproduced; `strict` judges the same evidence as the tasks mean it. [`values`] reads one value of one type and knows
//! when two are equal, [`normalise`] walks a schema to turn JSON into typed values, [`mod@compare`] sets two such trees
//! side by side and says what differs. [`response`] puts them together for an agent's answer, [`network`] for recorded
//! requests. [`evaluate`] takes one task from its evidence to its verdict, [`run`] a whole folder of attempts; the
//! verdicts and their files are in [`results`].

pub mod body;
pub mod compare;
mod error;
pub mod evaluate;
pub mod host;
pub mod json_path;
pub mod network;
pub mod normalise;
pub mod query;
pub mod response;
pub mod results;
pub mod run;
mod schema;
mod sides;
pub mod text;
mod transliterate;
mod trial;
pub mod url;
pub mod url_normalise;
pub mod values;

pub use error::EvaluatorError;
pub use schema::Schema;
pub use sides::Sides;
pub use trial::try_value;
