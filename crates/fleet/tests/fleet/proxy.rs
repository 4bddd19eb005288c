//! A wire that can be cut: bytes wait on both sides until it is whole again, and nobody is told.

use std::net::SocketAddr;
use std::sync::Arc;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;

pub struct Wire {
    pub port: u16,
    cut: Arc<watch::Sender<bool>>,
}

impl Wire {
    pub async fn to(port: u16) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let own = listener.local_addr().expect("bound").port();
        let cut = Arc::new(watch::Sender::new(false));
        let is_cut = cut.subscribe();
        tokio::spawn(async move {
            while let Ok((near, _)) = listener.accept().await {
                tokio::spawn(carry(near, port, is_cut.clone()));
            }
        });
        Self { port: own, cut }
    }

    pub fn cut(&self, is_cut: bool) {
        self.cut.send_replace(is_cut);
    }
}

async fn carry(near: TcpStream, port: u16, mut is_cut: watch::Receiver<bool>) {
    if is_cut.wait_for(|cut| !cut).await.is_err() {
        return;
    }
    let Ok(far) = TcpStream::connect(SocketAddr::from(([127, 0, 0, 1], port))).await else { return };
    let _ = (near.set_nodelay(true), far.set_nodelay(true));
    let (mut near_read, mut near_write) = near.into_split();
    let (mut far_read, mut far_write) = far.into_split();
    tokio::select! {
        () = pump(&mut near_read, &mut far_write, is_cut.clone()) => {}
        () = pump(&mut far_read, &mut near_write, is_cut) => {}
    }
}

async fn pump(
    from: &mut (impl AsyncReadExt + Unpin),
    to: &mut (impl AsyncWriteExt + Unpin),
    mut is_cut: watch::Receiver<bool>,
) {
    let mut bytes = vec![0; 16 * 1024];
    while let Ok(read @ 1..) = from.read(&mut bytes).await {
        if is_cut.wait_for(|cut| !cut).await.is_err() || to.write_all(&bytes[..read]).await.is_err() {
            return;
        }
    }
}
