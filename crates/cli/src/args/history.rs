//! How the histories of people may be asked.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Histories")]
pub struct HistoryArgs {
    /// How entries of a history are found
    #[arg(long, env = "UMPIRE_HISTORY_METHOD", value_enum, default_value_t = MethodArg::Lexical, value_name = "METHOD")]
    pub history_method: MethodArg,
    /// What of an entry is searched: type-object, bracketed-type-object, all or object
    #[arg(long, env = "UMPIRE_HISTORY_KEYS", default_value = "type-object", value_name = "KEYS")]
    pub history_keys: String,
    /// How often an attempt may ask
    #[arg(long, env = "UMPIRE_HISTORY_ACCESSES", default_value_t = 5, value_name = "N")]
    pub history_accesses: u32,
    /// Entries a query brings up at most
    #[arg(long, env = "UMPIRE_HISTORY_MOST", default_value_t = 20, value_name = "N")]
    pub history_most: usize,
    /// Least score of an entry that is shown [default: the method's]
    #[arg(long, env = "UMPIRE_HISTORY_THRESHOLD", value_name = "SCORE")]
    pub history_threshold: Option<f32>,
    /// Folder with one history a person, PERSON.json [default: made as the suite says]
    #[arg(long, env = "UMPIRE_HISTORIES", value_name = "DIR")]
    pub histories: Option<PathBuf>,
    /// Folder of the embedding model that dense and hybrid need: model.safetensors with tokenizer.json or vocab.txt
    #[arg(long, env = "UMPIRE_MINILM", value_name = "DIR")]
    pub embedder: Option<PathBuf>,
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
            history_method: MethodArg::Lexical,
            history_keys: "type-object".to_owned(),
            history_accesses: 5,
            history_most: 20,
            history_threshold: None,
            histories: None,
            embedder: None,
        }
    }
}
