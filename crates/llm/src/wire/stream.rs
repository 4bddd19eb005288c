//! A stream of any format put together again.

use umpire_model::Usage;

use super::delta::Delta;
use super::format::BadAnswer;
use super::sse::{SseEvent, SseParser};
use super::{Answer, WireFormat, chat_answer, gemini_answer, messages_answer, responses_answer};

/// Reads a streamed answer as it comes: for our own calls the reply, for calls passed through what they cost.
#[derive(Debug)]
pub(crate) struct StreamReader {
    parser: SseParser,
    pieces: Pieces,
}

#[derive(Debug)]
enum Pieces {
    Chat(chat_answer::Pieces),
    Responses(responses_answer::Pieces),
    Messages(messages_answer::Pieces),
    Gemini(gemini_answer::Pieces),
}

impl StreamReader {
    pub(crate) fn new(format: WireFormat) -> Self {
        let pieces = match format {
            WireFormat::Chat => Pieces::Chat(chat_answer::Pieces::default()),
            WireFormat::Responses => Pieces::Responses(responses_answer::Pieces::default()),
            WireFormat::Messages => Pieces::Messages(messages_answer::Pieces::default()),
            WireFormat::Gemini => Pieces::Gemini(gemini_answer::Pieces::default()),
        };
        Self { parser: SseParser::default(), pieces }
    }

    /// What the reply gained; `Err` if the stream says what is no answer: an error of the provider, or no JSON.
    pub(crate) fn push(&mut self, bytes: &[u8]) -> Result<Vec<Delta>, BadAnswer> {
        let events = self.parser.push(bytes).map_err(|error| BadAnswer(error.to_string()))?;
        let mut deltas = Vec::new();
        for event in &events {
            deltas.extend(self.push_event(event)?);
        }
        Ok(deltas)
    }

    fn push_event(&mut self, event: &SseEvent) -> Result<Vec<Delta>, BadAnswer> {
        match &mut self.pieces {
            Pieces::Chat(pieces) => pieces.push(event),
            Pieces::Responses(pieces) => pieces.push(event),
            Pieces::Messages(pieces) => pieces.push(event),
            Pieces::Gemini(pieces) => pieces.push(event),
        }
    }

    /// The whole answer; `Err` if the stream ended before it did.
    pub(crate) fn finish(&self) -> Result<Answer, BadAnswer> {
        let (is_complete, answer) = match &self.pieces {
            Pieces::Chat(pieces) => (pieces.is_complete(), Some(pieces.answer())),
            Pieces::Responses(pieces) => (pieces.is_complete(), pieces.answer()),
            Pieces::Messages(pieces) => (pieces.is_complete(), Some(pieces.answer())),
            Pieces::Gemini(pieces) => (pieces.is_complete(), Some(pieces.answer())),
        };
        answer
            .filter(|_| is_complete)
            .ok_or_else(|| BadAnswer("the stream ended before the answer did".into()))
    }

    /// What is known of the cost so far, also of a stream that broke off.
    pub(crate) fn usage(&self) -> Option<Usage> {
        match &self.pieces {
            Pieces::Chat(pieces) => pieces.answer().usage,
            Pieces::Responses(pieces) => pieces.answer()?.usage,
            Pieces::Messages(pieces) => pieces.answer().usage.filter(|_| pieces.is_complete()),
            Pieces::Gemini(pieces) => pieces.answer().usage.filter(|_| pieces.is_complete()),
        }
    }
}
