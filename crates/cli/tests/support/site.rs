//! A site of a test's own, on a port of this machine, until the tests end.

use std::io::Write as _;
use std::net::{TcpListener, TcpStream};

/// Answers every connection on a thread of its own, since browsers open several and some answers take long.
pub fn open(answer: impl Fn(TcpStream) + Clone + Send + 'static) -> u16 {
    let listener = TcpListener::bind(("127.0.0.1", 0)).expect("a port");
    let port = listener.local_addr().expect("an address").port();
    std::thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let answer = answer.clone();
            std::thread::spawn(move || answer(stream));
        }
    });
    port
}

/// A page, and nothing after it. Whoever asked may be gone by then.
pub fn page(mut stream: &TcpStream, status: &str, body: &str) {
    let length = body.len();
    let _ = write!(
        stream,
        "HTTP/1.1 {status}\r\ncontent-type: text/html\r\ncontent-length: {length}\r\nconnection: close\r\n\r\n{body}"
    );
}
