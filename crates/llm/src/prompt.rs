use bytes::Bytes;
use serde_json::Value;
use umpire_model::Media;

/// What a model is asked, whichever provider it is behind.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Prompt {
    pub system: Option<String>,
    pub messages: Vec<Message>,
    pub shape: ReplyShape,
    /// Overrides what the model's configuration says.
    pub max_tokens: Option<u32>,
    pub temperature: Option<f64>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    User,
    Assistant,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Message {
    pub role: Role,
    pub parts: Vec<Part>,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Part {
    Text(String),
    /// JPEG or PNG. Left out for a model that cannot see.
    Image {
        media: Media,
        content: Bytes,
    },
}

/// What the reply has to look like. A provider that cannot be held to it is only asked for it: replies are parsed as if
/// nothing had been promised.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ReplyShape {
    /// Name and JSON Schema of the only object the reply may be.
    pub schema: Option<(String, Value)>,
    /// The same for free text, as a grammar in the notation of llama.cpp; used where the model's configuration says
    /// that the server takes one.
    pub grammar: Option<String>,
}

impl Message {
    pub fn user(text: impl Into<String>) -> Self {
        Self { role: Role::User, parts: vec![Part::Text(text.into())] }
    }

    pub fn assistant(text: impl Into<String>) -> Self {
        Self { role: Role::Assistant, parts: vec![Part::Text(text.into())] }
    }

    #[must_use]
    pub fn with_image(mut self, media: Media, content: impl Into<Bytes>) -> Self {
        self.parts.push(Part::Image { media, content: content.into() });
        self
    }

    /// The text parts, one after the other.
    pub fn text(&self) -> String {
        let texts = self.parts.iter().filter_map(|part| match part {
            Part::Text(text) => Some(text.as_str()),
            Part::Image { .. } => None,
        });
        texts.collect::<Vec<_>>().join("\n")
    }
}
