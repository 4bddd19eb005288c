//! Reports of a run, and questions to its tables.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

#[derive(Debug, Args)]
pub struct ReportArgs {
    /// Run id, or a prefix of it [default: the latest]
    pub run: Option<String>,
    /// What to write; may be repeated [default: html]
    #[arg(long = "format", env = "UMPIRE_FORMAT", value_enum, value_delimiter = ',', value_name = "FORMAT")]
    pub formats: Vec<ReportFormat>,
    /// Folder to write to; the file, if one format is asked for and the name has an extension; - for standard output
    #[arg(long, env = "UMPIRE_OUT", default_value = "report", value_name = "PATH")]
    pub out: PathBuf,
    /// Only the console table
    #[arg(long, env = "UMPIRE_NO_HTML")]
    pub no_html: bool,
    /// Condition for exit code 0, as for `umpire run`; 100 if an agent does not meet it
    #[arg(long, env = "UMPIRE_GATE", value_name = "EXPR")]
    pub gate: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ReportFormat {
    /// Folder of pages, one an attempt
    Html,
    /// One page in one file, with plots and the list of attempts
    Page,
    Markdown,
    /// One line an attempt
    Csv,
    /// The same table for data frames
    Parquet,
    /// One testcase an attempt
    Junit,
    /// Annotations on standard output, and the step's summary
    Github,
    /// The summary
    Json,
}

#[derive(Debug, Args)]
pub struct QueryArgs {
    /// Run id, or a prefix of it [default: the latest]
    pub run: Option<String>,
    /// One query, such as 'select agent, avg(passed) from attempts group by agent'
    #[arg(value_name = "SQL")]
    pub sql: Option<String>,
    /// List the tables with their columns, and stop
    #[arg(long, conflicts_with = "sql")]
    pub tables: bool,
    #[arg(long, env = "UMPIRE_QUERY_FORMAT", value_enum, default_value_t = QueryFormat::Table)]
    pub format: QueryFormat,
    /// Seconds the query may take
    #[arg(long, env = "UMPIRE_QUERY_SECONDS", default_value_t = 30, value_name = "SECONDS")]
    pub seconds: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum QueryFormat {
    Table,
    Csv,
    /// One object a line
    Json,
}
