use std::sync::Arc;

use hyper::HeaderMap;
use umpire_model::Deadline;

use crate::ask::{Ask, Asking};
use crate::call::Wanted;
use crate::caller::Caller;
use crate::exchange::{Question, whole};
use crate::gateway::{Gateway, Model};
use crate::reasoning::without_reasoning;
use crate::spec::{ModelSpec, Structured};
use crate::wire::{Conversation, Shape};
use crate::{AskError, Prompt, Reply};

/// One model, asked on behalf of one caller.
#[derive(Debug)]
pub struct Asker {
    gateway: Arc<Gateway>,
    model: Arc<Model>,
    caller: Caller,
}

impl Asker {
    pub(crate) fn new(gateway: Arc<Gateway>, model: Arc<Model>, caller: Caller) -> Self {
        Self { gateway, model, caller }
    }

    pub(crate) fn parts(&self) -> (&Arc<Gateway>, &Arc<Model>, &Caller) {
        (&self.gateway, &self.model, &self.caller)
    }

    /// What it is asked through, which knows what became of its tapes.
    pub fn gateway(&self) -> &Gateway {
        &self.gateway
    }

    async fn reply(&self, prompt: &Prompt, deadline: Deadline) -> Result<Reply, AskError> {
        let spec = &self.model.spec;
        let conversation = conversation(prompt, spec);
        let format = spec.provider.format();
        let body = format.request(&conversation, spec);
        let wanted = Wanted::Reply { format, streams: spec.stream };
        let question = Question { wanted, body: &body, headers: HeaderMap::new() };
        let told = whole(&self.gateway, &self.model, &self.caller, &question, deadline).await?;
        let answer = told.delivered.answer;
        let text = if spec.strip_reasoning { without_reasoning(&answer.text) } else { answer.text };
        Ok(Reply { text, finish: answer.finish, usage: told.usage, cost: told.cost })
    }
}

impl Ask for Asker {
    fn ask<'a>(&'a self, prompt: &'a Prompt, deadline: Deadline) -> Asking<'a> {
        Box::pin(self.reply(prompt, deadline))
    }

    fn sees_images(&self) -> bool {
        self.model.spec.images
    }
}

/// The prompt with the model's peculiarities seen to.
fn conversation(prompt: &Prompt, spec: &ModelSpec) -> Conversation {
    let mut conversation = Conversation::from(prompt);
    if !spec.images {
        conversation.drop_images();
    }
    if !spec.system_role {
        conversation.fold_system();
    }
    let grammar = prompt.shape.grammar.clone().map(Shape::Grammar);
    conversation.shape = match (spec.structured, conversation.shape) {
        (Structured::Grammar, shape) => grammar.unwrap_or(shape),
        (Structured::Schema, shape) => shape,
        (Structured::Json, Shape::Schema { .. }) => Shape::Json,
        (Structured::Json | Structured::None, _) => Shape::Text,
    };
    conversation.max_tokens = prompt.max_tokens.or(spec.limit_of_reply());
    conversation.temperature = prompt.temperature.or(spec.temperature);
    conversation.reasoning_effort.clone_from(&spec.reasoning_effort);
    conversation.stream = spec.stream;
    conversation
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::spec::Provider;
    use crate::{Message, ReplyShape};

    fn prompt() -> Prompt {
        Prompt {
            system: Some("Rules.".into()),
            messages: vec![Message::user("Go.").with_image(umpire_model::Media::Png, vec![1, 2, 3])],
            shape: ReplyShape {
                schema: Some(("act".into(), json!({"type": "object"}))),
                grammar: Some("root ::= \"x\"".into()),
            },
            ..Prompt::default()
        }
    }

    #[test]
    fn peculiarities_are_configuration() {
        let plain = ModelSpec::new(Provider::OpenAiCompatible, "m");
        let asked = conversation(&prompt(), &plain);
        assert_eq!((asked.images(), asked.system.as_deref()), (1, Some("Rules.")));
        let spec = ModelSpec {
            images: false,
            system_role: false,
            max_tokens: Some(50),
            temperature: Some(0.5),
            ..plain
        };
        let asked = conversation(&prompt(), &spec);
        assert_eq!((asked.images(), asked.system), (0, None));
        assert_eq!((asked.max_tokens, asked.temperature), (Some(50), Some(0.5)));
        let own = Prompt { max_tokens: Some(7), temperature: Some(0.0), ..prompt() };
        let asked = conversation(&own, &spec);
        assert_eq!(
            (asked.max_tokens, asked.temperature),
            (Some(7), Some(0.0)),
            "the prompt's own come first"
        );
    }

    #[test]
    fn the_shape_is_asked_for_as_the_server_understands_it() {
        for (structured, expected) in [
            (Structured::Schema, Shape::Schema { name: "act".into(), schema: json!({"type": "object"}) }),
            (Structured::Json, Shape::Json),
            (Structured::Grammar, Shape::Grammar("root ::= \"x\"".into())),
            (Structured::None, Shape::Text),
        ] {
            let spec = ModelSpec { structured, ..ModelSpec::new(Provider::OpenAiCompatible, "m") };
            assert_eq!(conversation(&prompt(), &spec).shape, expected);
            assert_eq!(conversation(&Prompt::default(), &spec).shape, Shape::Text, "nothing was asked for");
        }
    }
}
