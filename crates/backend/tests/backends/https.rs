//! TLS: with an authority this machine trusts, and with one it does not.

use std::path::Path;
use std::process::Command;
use std::sync::Arc;

use rustls::ServerConfig;
use rustls::pki_types::pem::PemObject as _;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use serde_json::json;
use tempfile::TempDir;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpListener;
use tokio_rustls::TlsAcceptor;

use crate::support::{Backend, assert_unreachable, json_of};

/// Names the folder with the certificates in the second process.
const CERTIFICATES: &str = "UMPIRE_TEST_CERTIFICATES";

/// Trust is read from the environment when the first connection is made, so the test runs in a process of its own.
#[test]
fn a_trusted_authority_is_enough_and_needed() {
    let folder = TempDir::new().expect("temp");
    let made = Command::new("openssl")
        .args([
            "req",
            "-x509",
            "-newkey",
            "ec",
            "-pkeyopt",
            "ec_paramgen_curve:prime256v1",
            "-nodes",
            "-days",
            "2",
        ])
        .args(["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1"])
        // An authority would not be taken for a server; a trusted certificate that is none may be one.
        .args(["-addext", "basicConstraints=critical,CA:FALSE"])
        .args(["-keyout", "key.pem", "-out", "certificate.pem"])
        .current_dir(folder.path())
        .output();
    if !made.is_ok_and(|made| made.status.success()) {
        println!("skipped: openssl cannot make a certificate");
        return;
    }
    for (trusted, test) in [("certificate.pem", "trusted"), ("none.pem", "a_stranger")] {
        let output = Command::new(std::env::current_exe().expect("this test"))
            .args(["--exact", &format!("https::{test}"), "--ignored"])
            .env(CERTIFICATES, folder.path())
            .env("SSL_CERT_FILE", folder.path().join(trusted))
            .env_remove("SSL_CERT_DIR")
            .output()
            .expect("a second process");
        let said = String::from_utf8_lossy(&output.stdout);
        assert!(output.status.success() && said.contains("1 passed"), "{test}: {said}");
    }
}

#[tokio::test]
#[ignore = "run by a_trusted_authority_is_enough_and_needed"]
async fn trusted() {
    let Some(port) = serve().await else { return };
    for host in ["localhost", "127.0.0.1"] {
        let answer = Backend::at(&format!("https://{host}:{port}")).get("/").await;
        assert_eq!(json_of(answer, host), json!({"secure": true}));
    }
}

#[tokio::test]
#[ignore = "run by a_trusted_authority_is_enough_and_needed"]
async fn a_stranger() {
    let Some(port) = serve().await else { return };
    let answer = Backend::at(&format!("https://localhost:{port}")).get("/").await;
    assert_unreachable(&answer, "no secure connection", "an authority nobody trusts");
}

async fn serve() -> Option<u16> {
    let folder = std::env::var_os(CERTIFICATES)?;
    let folder = Path::new(&folder);
    let certificate = CertificateDer::from_pem_file(folder.join("certificate.pem")).expect("a certificate");
    let key = PrivateKeyDer::from_pem_file(folder.join("key.pem")).expect("a key");
    let config = ServerConfig::builder_with_provider(Arc::new(rustls::crypto::ring::default_provider()))
        .with_safe_default_protocol_versions()
        .expect("versions")
        .with_no_client_auth()
        .with_single_cert(vec![certificate], key)
        .expect("a key that fits");
    let acceptor = TlsAcceptor::from(Arc::new(config));
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
    let port = listener.local_addr().expect("an address").port();
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            let Ok(mut stream) = acceptor.accept(stream).await else { continue };
            let mut request = [0; 4096];
            let _ = stream.read(&mut request).await;
            let _ =
                stream.write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 16\r\n\r\n{\"secure\": true}").await;
            let _ = stream.shutdown().await;
        }
    });
    Some(port)
}
