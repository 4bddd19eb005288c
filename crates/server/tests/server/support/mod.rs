//! A server over a made-up run, and visitors to it.
#![allow(dead_code, unused_imports, reason = "each test file uses its own part of it")]

#[path = "../../../../report/tests/synthetic/mod.rs"]
pub mod synthetic;

pub mod visitor;

use std::net::{Ipv4Addr, SocketAddr};
use std::path::Path;

use umpire_server::{NewAccount, Role, ServeError, Server, ServerOptions};

pub use visitor::{Answer, LONGEST, Visitor};

pub const OPERATOR: &str = "op";
pub const PASSWORD: &str = "correct horse battery";
pub const RUN: &str = "core-7f3a91c2";
/// A failed attempt whose texts are hostile.
pub const ATTEMPT: &str = "/runs/core-7f3a91c2/attempts/say-yes/shop-cheapest-lamp/1";

pub struct Served {
    pub server: Server,
    pub folder: tempfile::TempDir,
}

pub fn options(folder: &Path) -> ServerOptions {
    ServerOptions {
        runs: folder.join("runs"),
        listen: SocketAddr::from((Ipv4Addr::LOCALHOST, 0)),
        database: format!("sqlite:{}", folder.join("server.db").display()),
        hosts: Vec::new(),
        is_private: false,
        is_behind_proxy: false,
        allows_plain_http: false,
        account: Some(NewAccount {
            name: OPERATOR.to_owned(),
            role: Role::Operator,
            password: PASSWORD.to_owned().into(),
        }),
        secret: None,
        arena: None,
        films: None,
    }
}

impl Served {
    pub async fn start() -> Self {
        Self::start_with(|_| {}).await
    }

    pub async fn start_with(change: impl FnOnce(&mut ServerOptions)) -> Self {
        Self::try_start(change).await.expect("bound")
    }

    pub async fn try_start(change: impl FnOnce(&mut ServerOptions)) -> Result<Self, ServeError> {
        let folder = tempfile::tempdir().expect("temp");
        synthetic::write(&folder.path().join("runs"));
        let mut options = options(folder.path());
        change(&mut options);
        Ok(Self { server: Server::bind(options).await?, folder })
    }

    pub fn database(&self) -> String {
        options(self.folder.path()).database
    }

    /// Stops, and starts again over the same files and, unless told otherwise, the same database.
    pub async fn restarted(self, change: impl FnOnce(&mut ServerOptions)) -> Self {
        let Self { server, folder } = self;
        server.stop().await;
        let mut options = options(folder.path());
        change(&mut options);
        Self { server: Server::bind(options).await.expect("bound again"), folder }
    }

    pub fn visitor(&self) -> Visitor {
        Visitor::new(self.server.address())
    }

    /// Somebody who signed in.
    pub async fn signed_in(&self, name: &str, password: &str) -> Visitor {
        let mut visitor = self.visitor();
        visitor.sign_in(name, password).await;
        visitor
    }

    pub async fn operator(&self) -> Visitor {
        self.signed_in(OPERATOR, PASSWORD).await
    }

    /// An annotator with an account of their own.
    pub async fn annotator(&self, operator: &mut Visitor, name: &str) -> Visitor {
        let fields = [("name", name), ("password", "a long enough one"), ("role", "annotator")];
        assert_eq!(operator.post("/accounts", &fields).await.status, 303);
        self.signed_in(name, "a long enough one").await
    }
}
