//! Messages separated by NUL bytes, over a pipe.

use std::io;
use std::sync::Arc;

use bytes::BytesMut;
use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _};
use tokio::sync::mpsc;

use super::{Shared, ToSend};

pub(super) async fn write<W: AsyncWrite + Unpin>(mut writer: W, mut queue: mpsc::UnboundedReceiver<ToSend>) {
    while let Some(ToSend::Message(mut message)) = queue.recv().await {
        message.push(0);
        if writer.write_all(&message).await.is_err() {
            break;
        }
    }
}

pub(super) async fn read<R: AsyncRead + Unpin>(mut reader: R, shared: Arc<Shared>) {
    let mut buffer = BytesMut::with_capacity(1 << 16);
    let mut scanned = 0;
    loop {
        match read_some(&mut reader, &mut buffer).await {
            Ok(0) | Err(_) => break,
            Ok(_) => {}
        }
        while let Some(length) = memchr::memchr(0, &buffer[scanned..]) {
            let message = buffer.split_to(scanned + length + 1).freeze();
            shared.dispatch(&message.slice(..message.len() - 1));
            scanned = 0;
        }
        scanned = buffer.len();
        // One huge answer must not keep its memory for the rest of the run.
        if buffer.is_empty() && buffer.capacity() > 1 << 22 {
            buffer = BytesMut::with_capacity(1 << 16);
        }
    }
    shared.close();
}

async fn read_some<R: AsyncRead + Unpin>(reader: &mut R, buffer: &mut BytesMut) -> io::Result<usize> {
    if buffer.capacity() - buffer.len() < 1 << 15 {
        buffer.reserve(buffer.len().max(1 << 16));
    }
    reader.read_buf(buffer).await
}
