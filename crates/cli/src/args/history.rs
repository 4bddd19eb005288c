//! How the histories of people may be asked.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

const METHOD: MethodArg = MethodArg::Lexical;
const KEYS: &str = "type-object";
const ACCESSES: u32 = 5;
const MOST: usize = 20;

#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Histories")]
pub struct HistoryArgs {
    /// How entries of a history are found
    #[arg(long, env = "UMPIRE_HISTORY_METHOD", value_enum, default_value_t = METHOD, value_name = "METHOD")]
    pub history_method: MethodArg,
    /// What of an entry is searched: type-object, bracketed-type-object, all or object
    #[arg(long, env = "UMPIRE_HISTORY_KEYS", default_value = KEYS, value_name = "KEYS")]
    pub history_keys: String,
    /// How often an attempt may ask
    #[arg(long, env = "UMPIRE_HISTORY_ACCESSES", default_value_t = ACCESSES, value_name = "N")]
    pub history_accesses: u32,
    /// Entries a query brings up at most
    #[arg(long, env = "UMPIRE_HISTORY_MOST", default_value_t = MOST, value_name = "N")]
    pub history_most: usize,
    /// Least score of an entry that is shown [default: the method's]
    #[arg(long, env = "UMPIRE_HISTORY_THRESHOLD", value_name = "SCORE")]
    pub history_threshold: Option<f32>,
    /// Folder with one history a person, PERSON.json [default: made as the suite says]
    #[arg(long, env = "UMPIRE_HISTORIES", value_name = "DIR")]
    pub histories: Option<PathBuf>,
    /// The embedding model that dense and hybrid need: a folder with model.safetensors and tokenizer.json or vocab.txt, or
    /// one of `[models]` in umpire.toml that has embeddings
    #[arg(long, env = "UMPIRE_EMBEDDER", value_name = "DIR|MODEL")]
    pub embedder: Option<String>,
    /// Folder where dense and hybrid keep what they embedded, one file a person, and find it in the next run
    #[arg(long, env = "UMPIRE_HISTORY_INDEX", value_name = "DIR")]
    pub history_index: Option<PathBuf>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum MethodArg {
    /// By words (BM25); needs no model
    Lexical,
    /// By meaning: cosines of embeddings
    Dense,
    /// By both
    Hybrid,
}

impl MethodArg {
    pub fn name(self) -> &'static str {
        match self {
            Self::Lexical => "lexical",
            Self::Dense => "dense",
            Self::Hybrid => "hybrid",
        }
    }
}

/// As clap gives them where nothing is said.
impl Default for HistoryArgs {
    fn default() -> Self {
        Self {
            history_method: METHOD,
            history_keys: KEYS.to_owned(),
            history_accesses: ACCESSES,
            history_most: MOST,
            history_threshold: None,
            histories: None,
            embedder: None,
            history_index: None,
        }
    }
}
