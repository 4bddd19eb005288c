//! A wire to a server of this machine that can be cut: bytes wait on both sides until it is whole again, and nobody is told.

use std::io::{Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

const LOOK: Duration = Duration::from_millis(20);

pub struct Wire {
    pub port: u16,
    is_cut: Arc<AtomicBool>,
}

impl Wire {
    pub fn to(port: u16) -> std::io::Result<Self> {
        let listener = TcpListener::bind("127.0.0.1:0")?;
        let own = listener.local_addr()?.port();
        let is_cut = Arc::new(AtomicBool::new(false));
        let cut = Arc::clone(&is_cut);
        thread::spawn(move || {
            for near in listener.incoming().flatten() {
                let cut = Arc::clone(&cut);
                thread::spawn(move || carry(&near, port, &cut));
            }
        });
        Ok(Self { port: own, is_cut })
    }

    pub fn cut(&self, is_cut: bool) {
        self.is_cut.store(is_cut, Ordering::Relaxed);
    }
}

/// What cannot be reached any more ends the connection, as it would without a wire in between.
fn carry(near: &TcpStream, port: u16, cut: &Arc<AtomicBool>) {
    wait_while(cut);
    let Ok(far) = TcpStream::connect(("127.0.0.1", port)) else { return };
    let _ = (near.set_nodelay(true), far.set_nodelay(true));
    let (Ok(near_copy), Ok(far_copy)) = (near.try_clone(), far.try_clone()) else { return };
    let back = {
        let cut = Arc::clone(cut);
        thread::spawn(move || pump(far_copy, near_copy, &cut))
    };
    if let Ok(near) = near.try_clone() {
        pump(near, far, cut);
    }
    let _ = back.join();
}

fn pump(mut from: TcpStream, mut to: TcpStream, cut: &AtomicBool) {
    let mut bytes = vec![0; 16 * 1024];
    while let Ok(read @ 1..) = from.read(&mut bytes) {
        wait_while(cut);
        if to.write_all(&bytes[..read]).is_err() {
            break;
        }
    }
    for end in [from, to] {
        let _ = end.shutdown(std::net::Shutdown::Both);
    }
}

fn wait_while(cut: &AtomicBool) {
    while cut.load(Ordering::Relaxed) {
        thread::sleep(LOOK);
    }
}
