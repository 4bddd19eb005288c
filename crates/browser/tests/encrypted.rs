//! What a sentry sees of encrypted requests, which no proxy can look into: a server of this machine, with a certificate of
//! its own making.

use std::process::Command;
use std::sync::{Arc, Mutex};

use serde_json::{Value, json};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpListener;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::ServerConfig;
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::pem::PemObject as _;
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer};
use umpire_browser::{HoldingBack, HostPattern, NetworkPolicy, Seat, Sentry};

use crate::seats::{Memory, seat_with, soon};

/// Holds back what is posted to `/order`, and keeps everything it is asked about.
#[derive(Default)]
struct Watcher(Mutex<Vec<String>>);

impl Sentry for Watcher {
    fn hold_back<'a>(&'a self, method: &'a str, url: &'a str) -> HoldingBack<'a> {
        self.0.lock().expect("not poisoned").push(format!("{method} {url}"));
        let is_order = method == "POST" && url.contains("/order");
        Box::pin(async move { is_order.then(|| "Held back: not in this test.".to_owned()) })
    }

    fn encrypted(&self) -> Vec<String> {
        vec!["https://*/order*".to_owned(), "https://*/look*".to_owned()]
    }
}

/// A certificate and its key, in a folder; none where there is no openssl.
fn certificate() -> Option<tempfile::TempDir> {
    let folder = tempfile::tempdir().expect("a folder");
    let made = Command::new("openssl")
        .args(["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost"])
        .args(["-addext", "subjectAltName=DNS:localhost", "-keyout", "key.pem", "-out", "cert.pem"])
        .current_dir(folder.path())
        .output();
    made.is_ok_and(|made| made.status.success()).then_some(folder)
}

/// Answers every request with a page, and keeps the first line of each.
async fn serve(folder: &tempfile::TempDir, asked: Arc<Mutex<Vec<String>>>) -> u16 {
    let certificate = CertificateDer::from_pem_file(folder.path().join("cert.pem")).expect("a certificate");
    let key = PrivateKeyDer::from_pem_file(folder.path().join("key.pem")).expect("a key");
    let config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .expect("versions")
        .with_no_client_auth()
        .with_single_cert(vec![certificate], key)
        .expect("they fit");
    let acceptor = TlsAcceptor::from(Arc::new(config));
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("bound");
    let port = listener.local_addr().expect("bound").port();
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            let (acceptor, asked) = (acceptor.clone(), Arc::clone(&asked));
            tokio::spawn(async move {
                let Ok(mut stream) = acceptor.accept(stream).await else { return };
                let mut head = vec![0; 16 << 10];
                let length = stream.read(&mut head).await.unwrap_or(0);
                let line =
                    String::from_utf8_lossy(&head[..length]).lines().next().unwrap_or_default().to_owned();
                asked.lock().expect("not poisoned").push(line);
                let page = "<form method=post action=/order?id=7><button>Buy</button></form>";
                let answer = format!(
                    "HTTP/1.1 200 OK\r\ncontent-type: text/html\r\nconnection: close\r\ncontent-length: {}\r\n\r\n{page}",
                    page.len()
                );
                let _ = stream.write_all(answer.as_bytes()).await;
                let _ = stream.shutdown().await;
            });
        }
    });
    port
}

async fn fetched(seat: &Seat, script: &str) -> Value {
    let params = json!({ "expression": script, "awaitPromise": true, "returnByValue": true });
    let tab = seat.active_tab(soon()).await.expect("a tab");
    let told: Value = tab.session.call("Runtime.evaluate", params, soon()).await.expect("evaluated");
    told["result"]["value"].clone()
}

#[tokio::test]
async fn a_sentry_sees_and_holds_back_encrypted_requests_it_asked_for() {
    let Some(folder) = certificate() else {
        println!("skipped: there is no openssl to make a certificate with");
        return;
    };
    let asked = Arc::default();
    let port = serve(&folder, Arc::clone(&asked)).await;
    let watcher = Arc::new(Watcher::default());
    let network = NetworkPolicy {
        allowed_hosts: vec![HostPattern::parse("localhost:*")],
        sentry: Some(Arc::<Watcher>::clone(&watcher)),
        ..NetworkPolicy::default()
    };
    let (_pool, seat, memory): (_, _, Arc<Memory>) = seat_with(network).await;
    let trust = json!({ "ignore": true });
    let tab = seat.active_tab(soon()).await.expect("a tab");
    tab.session.run("Security.setIgnoreCertificateErrors", trust, soon()).await.expect("trusted");
    let site = format!("https://localhost:{port}");
    seat.open(&format!("{site}/"), soon()).await.expect("opened");

    let script = "fetch('/look').then(answer => answer.status)";
    assert_eq!(fetched(&seat, script).await, 200, "what is looked at goes on");
    let script =
        "fetch('/order?id=6', {method: 'POST'}).then(async answer => [answer.status, await answer.text()])";
    assert_eq!(fetched(&seat, script).await, json!([403, "Held back: not in this test."]));
    // A form's navigation is a request like any other.
    fetched(&seat, "document.forms[0].submit()").await;
    let order = memory.until_exchange("/order?id=7").await;
    assert_eq!(order.response.expect("answered").status, 403);
    // A host that may not be reached is nothing to ask about.
    fetched(&seat, "fetch('https://elsewhere.test/order', {method: 'POST'}).catch(() => 'failed')").await;
    seat.close(soon()).await;

    let seen = watcher.0.lock().expect("not poisoned").clone();
    let encrypted: Vec<&String> = seen.iter().filter(|request| request.contains("https:")).collect();
    assert_eq!(
        encrypted,
        [&format!("GET {site}/look"), &format!("POST {site}/order?id=6"), &format!("POST {site}/order?id=7")]
    );
    let asked = asked.lock().expect("not poisoned").clone();
    assert!(asked.iter().any(|line| line.starts_with("GET /look ")), "{asked:?}");
    assert!(!asked.iter().any(|line| line.starts_with("POST")), "nothing was posted: {asked:?}");
}
