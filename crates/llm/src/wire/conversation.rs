//! What is asked and what came back, in no provider's words.

use bytes::Bytes;
use serde_json::Value;
use umpire_model::{Media, Usage};

use crate::reply::Finish;
use crate::{Part, Prompt, Role};

/// A request to a model.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Conversation {
    pub system: Option<String>,
    pub turns: Vec<Turn>,
    pub tools: Vec<Tool>,
    pub tool_choice: ToolChoice,
    pub shape: Shape,
    pub max_tokens: Option<u32>,
    pub temperature: Option<f64>,
    pub top_p: Option<f64>,
    pub stop: Vec<String>,
    pub reasoning_effort: Option<String>,
    pub stream: bool,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Turn {
    pub role: Role,
    pub pieces: Vec<Piece>,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Piece {
    Text(String),
    Image(Image),
    /// Said by the assistant.
    ToolCall(ToolCall),
    /// Said by the user's side.
    ToolResult(ToolResult),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Image {
    /// Such as `image/png`.
    pub mime: String,
    pub content: Bytes,
}

#[derive(Clone, Debug, PartialEq)]
pub struct ToolCall {
    pub id: String,
    pub name: String,
    pub arguments: Value,
    /// What a provider wants back with the call it made: Gemini's thoughts, encrypted.
    pub signature: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ToolResult {
    pub id: String,
    pub text: String,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Tool {
    pub name: String,
    pub description: Option<String>,
    /// JSON Schema of the arguments.
    pub parameters: Value,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum ToolChoice {
    #[default]
    Auto,
    None,
    Any,
    Named(String),
}

/// What the reply has to be.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Shape {
    #[default]
    Text,
    Json,
    Schema {
        name: String,
        schema: Value,
    },
    /// In llama.cpp's notation.
    Grammar(String),
}

/// A reply of a model.
#[derive(Clone, Debug, PartialEq)]
pub struct Answer {
    /// Without reasoning.
    pub text: String,
    pub tool_calls: Vec<ToolCall>,
    pub finish: Finish,
    /// None if the provider did not say.
    pub usage: Option<Usage>,
}

impl Answer {
    pub fn text(text: impl Into<String>) -> Self {
        Self { text: text.into(), tool_calls: Vec::new(), finish: Finish::Complete, usage: None }
    }
}

impl Turn {
    pub fn new(role: Role, pieces: Vec<Piece>) -> Self {
        Self { role, pieces }
    }
}

impl Conversation {
    pub fn images(&self) -> usize {
        let pieces = self.turns.iter().flat_map(|turn| &turn.pieces);
        pieces.filter(|piece| matches!(piece, Piece::Image(_))).count()
    }

    /// The name of the tool whose call has this id; some formats match results by name.
    pub(super) fn tool_of(&self, id: &str) -> Option<&str> {
        self.turns.iter().flat_map(|turn| &turn.pieces).find_map(|piece| match piece {
            Piece::ToolCall(call) if call.id == id => Some(call.name.as_str()),
            _ => None,
        })
    }

    /// Results of one round of calls are one turn, however many messages they came in.
    pub(super) fn push_result(&mut self, result: Piece) {
        match self.turns.last_mut() {
            Some(Turn { role: Role::User, pieces })
                if pieces.iter().all(|piece| matches!(piece, Piece::ToolResult(_))) =>
            {
                pieces.push(result);
            }
            _ => self.turns.push(Turn::new(Role::User, vec![result])),
        }
    }

    pub(crate) fn tool_calls_mut(&mut self) -> impl Iterator<Item = &mut ToolCall> {
        self.turns.iter_mut().flat_map(|turn| &mut turn.pieces).filter_map(|piece| match piece {
            Piece::ToolCall(call) => Some(call),
            _ => None,
        })
    }

    /// Puts the system's text before the first user message, for servers that know no system role.
    pub(crate) fn fold_system(&mut self) {
        let Some(system) = self.system.take() else { return };
        match self.turns.iter_mut().find(|turn| turn.role == Role::User) {
            Some(turn) => match turn.pieces.first_mut() {
                Some(Piece::Text(text)) => *text = format!("{system}\n\n{text}"),
                _ => turn.pieces.insert(0, Piece::Text(system)),
            },
            None => self.turns.insert(0, Turn::new(Role::User, vec![Piece::Text(system)])),
        }
    }

    pub(crate) fn drop_images(&mut self) {
        for turn in &mut self.turns {
            turn.pieces.retain(|piece| !matches!(piece, Piece::Image(_)));
        }
        self.turns.retain(|turn| !turn.pieces.is_empty());
    }
}

impl From<&Prompt> for Conversation {
    fn from(prompt: &Prompt) -> Self {
        let piece = |part: &Part| match part {
            Part::Text(text) => Piece::Text(text.clone()),
            Part::Image { media, content } => {
                let mime = if media.is_image() { *media } else { Media::Png }.mime();
                Piece::Image(Image { mime: mime.to_owned(), content: content.clone() })
            }
        };
        let turn =
            |message: &crate::Message| Turn::new(message.role, message.parts.iter().map(piece).collect());
        let schema = prompt.shape.schema.clone();
        Self {
            system: prompt.system.clone(),
            turns: prompt.messages.iter().map(turn).collect(),
            shape: schema.map_or(Shape::Text, |(name, schema)| Shape::Schema { name, schema }),
            max_tokens: prompt.max_tokens,
            temperature: prompt.temperature,
            ..Self::default()
        }
    }
}

/// The text of several pieces as one.
pub(super) fn joined(pieces: &[Piece]) -> String {
    let texts = pieces.iter().filter_map(|piece| match piece {
        Piece::Text(text) => Some(text.as_str()),
        _ => None,
    });
    texts.collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Message;

    #[test]
    fn a_system_text_without_a_role_stands_before_the_first_user_message() {
        let prompt = Prompt {
            system: Some("Be brief.".into()),
            messages: vec![Message::user("Hello."), Message::assistant("Hi."), Message::user("Go.")],
            ..Prompt::default()
        };
        let mut conversation = Conversation::from(&prompt);
        conversation.fold_system();
        assert_eq!(conversation.system, None);
        assert_eq!(joined(&conversation.turns[0].pieces), "Be brief.\n\nHello.");
        assert_eq!(joined(&conversation.turns[2].pieces), "Go.");
    }

    #[test]
    fn a_message_of_images_alone_leaves_with_them() {
        let mut only_image = Message::user("");
        only_image.parts = vec![Part::Image { media: Media::Png, content: Bytes::from_static(b"png") }];
        let seen = Message::user("Look.").with_image(Media::Jpeg, Bytes::from_static(b"jpeg"));
        let prompt = Prompt { messages: vec![only_image, seen], ..Prompt::default() };
        let mut conversation = Conversation::from(&prompt);
        assert_eq!(conversation.images(), 2);
        conversation.drop_images();
        assert_eq!(conversation.turns, [Turn::new(Role::User, vec![Piece::Text("Look.".into())])]);
    }
}
