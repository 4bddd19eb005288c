//! The way out to servers of others: models, stores, collectors, the deployments under test. TLS with the certificates
//! this machine trusts, so that a company's own authority is accepted where the user's other tools accept it, and the
//! proxy that the environment names.

mod dial;

use std::sync::{Arc, OnceLock};
use std::time::Duration;

use hyper::body::Body;
use hyper_rustls::{HttpsConnector, HttpsConnectorBuilder};
use hyper_util::client::legacy::Client;
use hyper_util::client::proxy::matcher::Matcher;
use hyper_util::rt::{TokioExecutor, TokioTimer};
use rustls::crypto::ring;
use rustls::{ClientConfig, RootCertStore};

pub use dial::Dialer;

const IDLE_LIMIT: Duration = Duration::from_secs(30);

/// Connections that are kept for the next request for a while. A deadline for a whole request is its sender's to set.
pub type Pool<B> = Client<HttpsConnector<Dialer>, B>;

pub fn pool<B>() -> Pool<B>
where
    B: Body + Send,
    B::Data: Send,
{
    pool_through(Matcher::from_env())
}

fn pool_through<B>(proxies: Matcher) -> Pool<B>
where
    B: Body + Send,
    B::Data: Send,
{
    let connector = HttpsConnectorBuilder::new()
        .with_tls_config(ClientConfig::clone(&tls()))
        .https_or_http()
        .enable_http1()
        .wrap_connector(Dialer::new(proxies));
    Client::builder(TokioExecutor::new())
        .pool_timer(TokioTimer::new())
        .pool_idle_timeout(IDLE_LIMIT)
        .build(connector)
}

/// Read once: the certificates of a machine are a few hundred files.
pub fn tls() -> Arc<ClientConfig> {
    static CONFIG: OnceLock<Arc<ClientConfig>> = OnceLock::new();
    Arc::clone(CONFIG.get_or_init(|| {
        let mut roots = RootCertStore::empty();
        // A machine without certificates can still reach itself, and one with a few unreadable ones has the others.
        roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
        let config = ClientConfig::builder_with_provider(ring::default_provider().into())
            .with_safe_default_protocol_versions()
            .expect("ring knows the default versions of TLS")
            .with_root_certificates(roots)
            .with_no_client_auth();
        Arc::new(config)
    }))
}
