//! MCP over a pipe: one message a line.

use std::io;
use std::sync::Arc;

use tokio::io::{AsyncBufRead, AsyncBufReadExt as _, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _};

use super::{About, Conversation};
use crate::{Reception, Wish};

/// Longest message of a client's.
const LONGEST: u64 = 4 << 20;

/// Answers until the input ends, which ends the attempt too.
pub async fn serve_lines(
    reception: Arc<dyn Reception>,
    wish: Wish,
    about: About,
    mut input: impl AsyncBufRead + Unpin,
    mut output: impl AsyncWrite + Unpin,
) -> io::Result<()> {
    let mut conversation = Conversation::new(reception, wish, about);
    let mut line = Vec::new();
    loop {
        line.clear();
        let read = (&mut input).take(LONGEST).read_until(b'\n', &mut line).await?;
        if read == 0 {
            return Ok(());
        }
        if read as u64 == LONGEST {
            return Err(io::Error::new(io::ErrorKind::InvalidData, "a message is too long"));
        }
        if line.trim_ascii().is_empty() {
            continue;
        }
        if let Some(answer) = conversation.hear(&line).await {
            let mut text = answer.to_string();
            text.push('\n');
            output.write_all(text.as_bytes()).await?;
            output.flush().await?;
        }
    }
}
