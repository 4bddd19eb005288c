//! What a user types after `umpire serve`.

use std::net::SocketAddr;

use clap::Args;

#[derive(Debug, Args)]
pub struct ServeArgs {
    /// Address to listen on; one that others reach needs a proxy in front that encrypts
    #[arg(long, env = "UMPIRE_LISTEN", default_value = "127.0.0.1:8477", value_name = "ADDR")]
    pub listen: SocketAddr,
    /// sqlite:FILE or postgres://… [default: server.db in the folder of the runs]
    #[arg(long, env = "UMPIRE_DATABASE", value_name = "URL", hide_env_values = true)]
    pub database: Option<String>,
    /// Make this operator, or give them another password, from `UMPIRE_OPERATOR_PASSWORD` or typed in
    #[arg(long, value_name = "NAME")]
    pub operator: Option<String>,
    /// Show pages only to those who have an account
    #[arg(long, env = "UMPIRE_PRIVATE")]
    pub private: bool,
    /// Name under which others reach this server; may be repeated
    #[arg(long = "host", env = "UMPIRE_HOSTS", value_delimiter = ',', value_name = "NAME")]
    pub hosts: Vec<String>,
    /// Agent that visitors may have run in battles, by name as in `umpire run`; two or more open the arena
    #[arg(long = "agent", value_delimiter = ',', value_name = "AGENT")]
    pub agents: Vec<String>,
    /// Suite that tasks of battles are drawn from; may be repeated
    #[arg(long = "suite", value_delimiter = ',', value_name = "NAME|DIR")]
    pub suites: Vec<String>,
    /// Host beyond the built-in sites that visitors may send agents to, such as example.org or *.example.org
    #[arg(long = "allow-host", value_delimiter = ',', value_name = "HOST")]
    pub allowed_hosts: Vec<String>,
    /// A proxy in front names the visitors' addresses (X-Forwarded-For)
    #[arg(long, env = "UMPIRE_BEHIND_PROXY")]
    pub behind_proxy: bool,
    /// Let people sign in over connections that are not encrypted
    #[arg(long, env = "UMPIRE_PLAIN_HTTP")]
    pub plain_http: bool,
}
