//! TLS with the certificates this machine trusts, so that a deployment behind a company's own authority works where
//! the user's other tools do.

use std::sync::{Arc, OnceLock};

use rustls::pki_types::ServerName;
use rustls::{ClientConfig, RootCertStore};
use tokio::net::TcpStream;
use tokio_rustls::TlsConnector;
use tokio_rustls::client::TlsStream;

use crate::problem::Problem;

pub(super) async fn wrap(host: &str, stream: TcpStream) -> Result<TlsStream<TcpStream>, Problem> {
    static CONFIG: OnceLock<Result<Arc<ClientConfig>, String>> = OnceLock::new();
    let config = CONFIG
        .get_or_init(client_config)
        .as_ref()
        .map_err(|problem| Problem::unreachable(problem.as_str()))?;
    // An IPv6 address stands in brackets in a URL only.
    let name = host.trim_start_matches('[').trim_end_matches(']').to_owned();
    let name = ServerName::try_from(name).map_err(|error| Problem::refused(error.to_string()))?;
    TlsConnector::from(Arc::clone(config))
        .connect(name, stream)
        .await
        .map_err(|error| Problem::unreachable(format!("no secure connection: {error}")))
}

fn client_config() -> Result<Arc<ClientConfig>, String> {
    let mut roots = RootCertStore::empty();
    // A store with a few unreadable certificates still has the others.
    roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let versions = ClientConfig::builder_with_provider(provider).with_safe_default_protocol_versions();
    let config = versions.map_err(|error| error.to_string())?.with_root_certificates(roots);
    Ok(Arc::new(config.with_no_client_auth()))
}
