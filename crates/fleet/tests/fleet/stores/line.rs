//! A way to a server that can be closed, so that whoever comes is refused and whoever was there is cut off, and opened again
//! under the same address. What the server holds stays.

use std::net::{Ipv4Addr, SocketAddr};

use tokio::net::{TcpListener, TcpSocket, TcpStream};
use tokio::task::{JoinHandle, JoinSet};

pub struct Line {
    near: SocketAddr,
    far: SocketAddr,
    serving: Option<JoinHandle<()>>,
}

impl Line {
    pub async fn to(port: u16) -> Self {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.expect("a free port");
        let near = listener.local_addr().expect("bound");
        let far = SocketAddr::from((Ipv4Addr::LOCALHOST, port));
        Self { near, far, serving: Some(tokio::spawn(serve(listener, far))) }
    }

    pub fn port(&self) -> u16 {
        self.near.port()
    }

    pub async fn down(&mut self) {
        if let Some(serving) = self.serving.take() {
            serving.abort();
            // Its listener is closed when it has ended.
            let _ = serving.await;
        }
    }

    pub async fn up(&mut self) {
        self.down().await;
        let socket = TcpSocket::new_v4().expect("a socket");
        socket.set_reuseaddr(true).expect("set");
        socket.bind(self.near).expect("still free");
        let listener = socket.listen(128).expect("listens");
        self.serving = Some(tokio::spawn(serve(listener, self.far)));
    }
}

async fn serve(listener: TcpListener, far: SocketAddr) {
    let mut carried = JoinSet::new();
    while let Ok((mut near, _)) = listener.accept().await {
        carried.spawn(async move {
            let Ok(mut far) = TcpStream::connect(far).await else { return };
            let _ = (near.set_nodelay(true), far.set_nodelay(true));
            let _ = tokio::io::copy_bidirectional(&mut near, &mut far).await;
        });
        while carried.try_join_next().is_some() {}
    }
}
