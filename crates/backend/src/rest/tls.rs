//! TLS on a connection of one's own.

use rustls::pki_types::ServerName;
use tokio::net::TcpStream;
use tokio_rustls::TlsConnector;
use tokio_rustls::client::TlsStream;

use crate::problem::Problem;

pub(super) async fn wrap(host: &str, stream: TcpStream) -> Result<TlsStream<TcpStream>, Problem> {
    // An IPv6 address stands in brackets in a URL only.
    let name = host.trim_start_matches('[').trim_end_matches(']').to_owned();
    let name = ServerName::try_from(name).map_err(|error| Problem::refused(error.to_string()))?;
    TlsConnector::from(umpire_https::tls())
        .connect(name, stream)
        .await
        .map_err(|error| Problem::unreachable(format!("no secure connection: {error}")))
}
