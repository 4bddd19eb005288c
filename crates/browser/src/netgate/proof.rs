//! Proof that a remote browser uses the gate, and that whoever uses the gate is that browser.
//!
//! The browser is told, over the protocol, to open an address with a random name. Nobody else knows the name, and nobody
//! but the gate answers for it: if the request arrives, the browser's traffic comes this way, loopback hosts included,
//! and the address it comes from is the browser's. From then on no other address is served. An address that the user
//! would have to name could not be known where a Grid, a container or a translation of addresses lies between.

use std::io;
use std::net::IpAddr;
use std::sync::OnceLock;

use tokio::sync::Notify;
use umpire_process::random_token;

pub(super) struct Proof {
    host: String,
    peer: OnceLock<IpAddr>,
    came: Notify,
}

impl Proof {
    pub fn new() -> io::Result<Self> {
        // A loopback name, because those are what browsers keep from a proxy first.
        let host = format!("{}.umpire.localhost", random_token()?);
        Ok(Self { host, peer: OnceLock::new(), came: Notify::new() })
    }

    pub fn url(&self) -> String {
        format!("http://{}/", self.host)
    }

    /// Whether this request is the proof; then whoever sent it is the only one to be served.
    pub fn is_given_by(&self, host: &str, peer: IpAddr) -> bool {
        let is_proof = host == self.host && *self.peer.get_or_init(|| peer) == peer;
        if is_proof {
            self.came.notify_waiters();
        }
        is_proof
    }

    pub fn admits(&self, peer: IpAddr) -> bool {
        self.peer.get() == Some(&peer)
    }

    pub async fn given(&self) {
        loop {
            let came = self.came.notified();
            if self.peer.get().is_some() {
                return;
            }
            came.await;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn the_first_to_know_the_name_is_the_only_one_served() {
        let (browser, stranger) = (IpAddr::from([10, 0, 0, 2]), IpAddr::from([10, 0, 0, 3]));
        let proof = Proof::new().expect("made");
        let host = proof.url().trim_start_matches("http://").trim_end_matches('/').to_owned();
        assert!(!proof.is_given_by("guess.umpire.localhost", stranger) && !proof.admits(stranger));
        assert!(!proof.admits(browser));
        assert!(proof.is_given_by(&host, browser) && proof.admits(browser));
        assert!(!proof.is_given_by(&host, stranger) && !proof.admits(stranger));
        proof.given().await;
    }
}
