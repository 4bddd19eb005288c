//! A browser under our hands: started here, or reached elsewhere.

use std::path::Path;

use umpire_model::{Deadline, RemoteBrowser as Note, Viewport};

use crate::cdp::Connection;
use crate::chromium::{Chromium, LaunchOptions};
use crate::netgate::NetGate;
use crate::pool::PoolError;
use crate::remote::{Remote, RemoteBrowser, Wanted};
use crate::seat::SeatError;

pub(crate) enum Running {
    Local(Box<Chromium>),
    Remote(Box<RemoteBrowser>),
}

/// Where browsers come from.
#[derive(Clone, Debug)]
pub(crate) enum Source {
    Local(LaunchOptions),
    Remote(Remote),
}

impl Source {
    /// A browser to be shared by seats, each with a context and a network gate of its own.
    pub async fn shared(&self, viewport: Viewport, deadline: Deadline) -> Result<Running, PoolError> {
        match self {
            Self::Local(options) => {
                let options = LaunchOptions { viewport, ..options.clone() };
                Ok(Running::Local(Box::new(Chromium::launch(&options, deadline).await?)))
            }
            Self::Remote(remote) => {
                let wanted = Wanted { viewport, proxy: None };
                Ok(Running::Remote(Box::new(RemoteBrowser::connect(remote, wanted, deadline).await?)))
            }
        }
    }

    /// A browser for one seat alone, if there is such a thing; else a connection of its own to one that others may use.
    pub async fn own(
        &self,
        viewport: Viewport,
        netgate: &NetGate,
        deadline: Deadline,
    ) -> Result<Running, PoolError> {
        match self {
            Self::Local(options) => {
                let options = LaunchOptions { viewport, proxy: Some(netgate.address()), ..options.clone() };
                Ok(Running::Local(Box::new(Chromium::launch(&options, deadline).await?)))
            }
            Self::Remote(remote) => {
                let wanted = Wanted { viewport, proxy: Some(netgate.authority()) };
                Ok(Running::Remote(Box::new(RemoteBrowser::connect(remote, wanted, deadline).await?)))
            }
        }
    }

    /// A network gate that its browsers reach.
    pub async fn netgate(&self) -> Result<NetGate, SeatError> {
        let started = match self {
            Self::Local(_) => NetGate::start().await,
            Self::Remote(remote) => NetGate::start_for(&remote.reach).await,
        };
        started.map_err(SeatError::NetGate)
    }
}

impl Running {
    pub fn connection(&self) -> &Connection {
        match self {
            Self::Local(chromium) => chromium.connection(),
            Self::Remote(remote) => remote.connection(),
        }
    }

    /// Product and build.
    pub fn version(&self) -> &str {
        match self {
            Self::Local(chromium) => chromium.version(),
            Self::Remote(remote) => remote.version(),
        }
    }

    /// A folder on this machine that goes when the browser does.
    pub fn folder(&self) -> &Path {
        match self {
            Self::Local(chromium) => chromium.profile(),
            Self::Remote(remote) => remote.folder(),
        }
    }

    /// Where it is, if not here.
    pub fn remote(&self) -> Option<&Note> {
        match self {
            Self::Local(_) => None,
            Self::Remote(remote) => Some(remote.note()),
        }
    }

    /// Whether others may be in it, whom a client must not meet.
    pub fn may_be_shared(&self) -> bool {
        match self {
            Self::Local(_) => false,
            Self::Remote(remote) => !remote.is_own(),
        }
    }

    /// What can be said about its death.
    pub fn last_words(&self) -> String {
        match self {
            Self::Local(chromium) => match chromium.last_words() {
                words if words.is_empty() => words,
                words => format!("it said:\n{words}"),
            },
            Self::Remote(remote) => remote.last_words(),
        }
    }

    pub async fn close(self) {
        match self {
            Self::Local(chromium) => chromium.close().await,
            Self::Remote(remote) => remote.close().await,
        }
    }
}
