//! What a user types after `umpire labels`.

use std::path::PathBuf;

use clap::{Args, Subcommand};

#[derive(Debug, Subcommand)]
pub enum LabelsCommand {
    /// Write a file for an annotator to fill in, one line an attempt
    Export(LabelsExportArgs),
    /// Check a file that annotators filled in, and add it to the labels of a run
    Import(LabelsImportArgs),
    /// The categories of failures, by taxonomy
    Categories,
}

#[derive(Debug, Args)]
pub struct LabelsExportArgs {
    /// Run id, or a prefix of it [default: the latest]
    pub run: Option<String>,
    /// File to write; one that is there is left alone
    #[arg(long, value_name = "FILE")]
    pub out: PathBuf,
}

#[derive(Debug, Args)]
pub struct LabelsImportArgs {
    /// The file, one JSON object a line
    pub file: PathBuf,
    /// Run id, or a prefix of it [default: the latest]
    #[arg(long, env = "UMPIRE_RUN")]
    pub run: Option<String>,
    /// Who filled it in, for lines that do not say
    #[arg(long, value_name = "NAME")]
    pub annotator: Option<String>,
}
