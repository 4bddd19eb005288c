//! One message a frame, over a WebSocket.

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use futures_util::stream::SplitSink;
use futures_util::{SinkExt as _, StreamExt as _};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::sync::mpsc;
use tokio::time::timeout;
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::protocol::WebSocketConfig;
use tokio_tungstenite::tungstenite::{Message, Utf8Bytes};

use super::{Shared, ToSend};

/// Largest message: screenshots and page sources travel in one.
const MESSAGE: usize = 256 << 20;
/// Longest one message may take to be handed to the network; the other side has stopped reading long before.
const SEND_LIMIT: Duration = Duration::from_secs(30);
/// Longest the other side may take to say goodbye too.
const CLOSE_LIMIT: Duration = Duration::from_secs(1);

/// For every socket that carries the protocol, whichever side of it we are.
pub(crate) fn socket_config() -> WebSocketConfig {
    WebSocketConfig::default().max_message_size(Some(MESSAGE)).max_frame_size(Some(MESSAGE))
}

/// Carries messages both ways until either side ends it.
pub(super) async fn pump<S>(
    socket: WebSocketStream<S>,
    queue: mpsc::UnboundedReceiver<ToSend>,
    shared: Arc<Shared>,
) where
    S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
{
    let (writer, mut reader) = socket.split();
    // Beside each other: while a large message leaves, events still arrive.
    let mut writing = std::pin::pin!(write(writer, queue));
    let lost = loop {
        tokio::select! {
            ended = &mut writing => {
                if ended.is_none() {
                    // Closed from here: whatever else is on its way is not wanted any more.
                    let _ = timeout(CLOSE_LIMIT, async { while let Some(Ok(_)) = reader.next().await {} }).await;
                }
                break ended;
            }
            message = reader.next() => match message {
                Some(Ok(Message::Text(text))) => shared.dispatch(&Bytes::from(text)),
                Some(Ok(Message::Binary(bytes))) => shared.dispatch(&bytes),
                Some(Ok(Message::Close(Some(frame)))) => {
                    break Some(format!("the other side closed the connection: {} {}", frame.code, frame.reason));
                }
                Some(Ok(Message::Close(None))) | None => {
                    break Some("the other side closed the connection".to_owned());
                }
                Some(Ok(_)) => {}
                Some(Err(error)) => break Some(error.to_string()),
            },
        }
    };
    if let Some(reason) = lost {
        let _ = shared.lost.set(reason);
    }
    shared.close();
}

/// Ends with a reason if the other side cannot be reached any more, and without one if there is nothing more to say.
async fn write<S>(
    mut writer: SplitSink<WebSocketStream<S>, Message>,
    mut queue: mpsc::UnboundedReceiver<ToSend>,
) -> Option<String>
where
    S: AsyncRead + AsyncWrite + Unpin,
{
    while let Some(ToSend::Message(message)) = queue.recv().await {
        let text = Utf8Bytes::try_from(message).unwrap_or_default();
        match timeout(SEND_LIMIT, writer.send(Message::Text(text))).await {
            Ok(Ok(())) => {}
            Ok(Err(error)) => return Some(error.to_string()),
            Err(_) => return Some("the other side stopped reading".to_owned()),
        }
    }
    let _ = timeout(CLOSE_LIMIT, writer.send(Message::Close(None))).await;
    None
}
