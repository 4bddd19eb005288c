//! The same calls against a real server, if there is one: `UMPIRE_TEST_MODEL_SERVER` is the base URL of llama.cpp's
//! server with any model, such as `http://127.0.0.1:8081/v1`.

use std::time::Duration;

use serde_json::{Value, json};
use umpire_llm::{Ask as _, AskError, Finish, ModelSpec, Prompt, Provider, Structured};
use umpire_model::Deadline;

use crate::support::{asker, prompt};

fn patient() -> Deadline {
    Deadline::after(Duration::from_mins(3))
}

/// The server as a provider of one of the formats it speaks.
fn model(provider: Provider) -> Option<ModelSpec> {
    let Ok(base) = std::env::var("UMPIRE_TEST_MODEL_SERVER") else {
        println!("skipped: UMPIRE_TEST_MODEL_SERVER names no server");
        return None;
    };
    let base_url = Some(base.parse().expect("a URL"));
    Some(ModelSpec {
        base_url,
        max_tokens: Some(24),
        temperature: Some(0.0),
        ..ModelSpec::new(provider, "any")
    })
}

#[tokio::test]
async fn every_format_it_speaks_is_understood() {
    for provider in [Provider::OpenAiCompatible, Provider::OpenAiResponses, Provider::Anthropic] {
        for stream in [false, true] {
            let Some(spec) = model(provider) else { return };
            let (asker, memory) = asker(ModelSpec { stream, ..spec });
            let question =
                Prompt { system: Some("Answer in one word.".into()), ..prompt("Capital of France?") };
            let reply = asker.ask(&question, patient()).await;
            let reply = reply.unwrap_or_else(|error| panic!("{provider:?} {stream}: {error}"));
            println!("{provider:?}, stream {stream}: {reply:?}");
            assert!(!reply.text.is_empty() && matches!(reply.finish, Finish::Complete | Finish::Length));
            let usage = reply.usage.unwrap_or_else(|| panic!("{provider:?} {stream}: not counted"));
            assert!(usage.input > 5 && usage.output > 0 && usage.output <= 24, "{usage:?}");
            assert_eq!(memory.calls()[0].tries, 1);
        }
    }
}

#[tokio::test]
async fn replies_are_held_to_their_shape() {
    let Some(spec) = model(Provider::OpenAiCompatible) else { return };
    let schema = json!({
        "type": "object", "additionalProperties": false, "required": ["element"],
        "properties": {"element": {"type": "integer", "minimum": 1, "maximum": 3}},
    });
    let mut question = prompt("Elements: [1] Home [2] Search [3] Cart. Open the cart.");
    question.shape.schema = Some(("act".into(), schema));
    question.shape.grammar = Some("root ::= \"Click [\" [1-3] \"]\"".into());
    let (by_schema, _) = asker(spec.clone());
    let reply = by_schema.ask(&question, patient()).await.expect("a reply");
    let chosen: Value =
        serde_json::from_str(&reply.text).unwrap_or_else(|error| panic!("{error}: {}", reply.text));
    assert!(chosen["element"].as_u64().is_some_and(|element| (1..=3).contains(&element)), "{chosen}");
    let (by_grammar, _) = asker(ModelSpec { structured: Structured::Grammar, ..spec });
    let reply = by_grammar.ask(&question, patient()).await.expect("a reply").text;
    assert!(["Click [1]", "Click [2]", "Click [3]"].contains(&reply.as_str()), "{reply}");
}

#[tokio::test]
async fn a_prompt_that_is_too_long_is_told_apart() {
    let Some(spec) = model(Provider::OpenAiCompatible) else { return };
    let (asker, memory) = asker(spec);
    let reply = asker.ask(&prompt(&"word ".repeat(200_000)), patient()).await;
    assert!(matches!(reply, Err(AskError::TooLong(_))), "{reply:?}");
    assert_eq!(memory.calls()[0].tries, 1);
}
