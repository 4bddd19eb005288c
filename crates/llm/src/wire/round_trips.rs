//! What is written in a format is read back the same, in every format.

use proptest::prelude::*;
use serde_json::{Value, json};
use umpire_model::Usage;

use super::conversation::{
    Answer, Conversation, Image, Piece, Shape, Tool, ToolCall, ToolChoice, ToolResult, Turn,
};
use super::{StreamReader, WireFormat};
use crate::Role;
use crate::reply::Finish;
use crate::spec::{ModelSpec, Provider};
use crate::wire::SseEvent;

fn provider(format: WireFormat) -> Provider {
    match format {
        WireFormat::Chat => Provider::OpenAi,
        WireFormat::Responses => Provider::OpenAiResponses,
        WireFormat::Messages => Provider::Anthropic,
        WireFormat::Gemini => Provider::Gemini,
    }
}

fn text() -> impl Strategy<Value = String> {
    "[a-zA-Z0-9 .,\"\\\\{}é漢\n]{1,40}"
}

fn arguments() -> impl Strategy<Value = Value> {
    prop_oneof![
        Just(json!({})),
        (text(), any::<i32>()).prop_map(|(text, number)| json!({"a": text, "n": [number, null, true]})),
    ]
}

fn image() -> impl Strategy<Value = Image> {
    (prop_oneof![Just("image/png"), Just("image/jpeg")], prop::collection::vec(any::<u8>(), 0..50))
        .prop_map(|(mime, content)| Image { mime: mime.to_owned(), content: content.into() })
}

fn user_turn() -> impl Strategy<Value = Turn> {
    prop::collection::vec(
        prop_oneof![3 => text().prop_map(Piece::Text), 1 => image().prop_map(Piece::Image)],
        1..4,
    )
    .prop_map(|pieces| Turn::new(Role::User, pieces))
}

/// A question, perhaps a round of tool calls, and the assistant's words.
fn round() -> impl Strategy<Value = Vec<Turn>> {
    let calls = prop::collection::vec((arguments(), text()), 0..3);
    (user_turn(), text(), calls, text()).prop_map(|(user, before, calls, after)| {
        let mut turns = vec![user];
        if !calls.is_empty() {
            let ids: Vec<String> = (0..calls.len()).map(|index| format!("call_{index}")).collect();
            let mut pieces = vec![Piece::Text(before)];
            let mut results = Vec::new();
            for (id, (arguments, said)) in ids.into_iter().zip(calls) {
                pieces.push(Piece::ToolCall(ToolCall {
                    id: id.clone(),
                    name: "look".into(),
                    arguments,
                    signature: None,
                }));
                results.push(Piece::ToolResult(ToolResult { id, text: said }));
            }
            turns.extend([Turn::new(Role::Assistant, pieces), Turn::new(Role::User, results)]);
        }
        turns.push(Turn::new(Role::Assistant, vec![Piece::Text(after)]));
        turns
    })
}

fn tool_choice() -> impl Strategy<Value = ToolChoice> {
    prop_oneof![
        Just(ToolChoice::Auto),
        Just(ToolChoice::None),
        Just(ToolChoice::Any),
        Just(ToolChoice::Named("look".into())),
    ]
}

prop_compose! {
    fn conversation()(
        system in prop::option::of(text()),
        rounds in prop::collection::vec(round(), 0..3),
        last in user_turn(),
        described in prop::option::of(text()),
        tool_choice in prop::option::of(tool_choice()),
        has_schema in any::<bool>(),
        max_tokens in prop::option::of(1u32..100_000),
        temperature in prop::option::of((0u8..=20).prop_map(|tenths| f64::from(tenths) / 10.0)),
        top_p in prop::option::of((1u8..=10).prop_map(|tenths| f64::from(tenths) / 10.0)),
        stop in prop::collection::vec("[a-z]{1,5}", 0..3),
        stream in any::<bool>(),
    ) -> Conversation {
        let schema = json!({
            "type": "object",
            "properties": {"look": {"type": "string", "default": null}},
            "required": ["look"],
            "additionalProperties": false,
        });
        let tool = |_: &ToolChoice| Tool { name: "look".into(), description: described.clone(), parameters: schema.clone() };
        Conversation {
            system,
            turns: rounds.into_iter().flatten().chain([last]).collect(),
            tools: tool_choice.iter().map(tool).collect(),
            tool_choice: tool_choice.unwrap_or_default(),
            shape: if has_schema { Shape::Schema { name: "reply".into(), schema: schema.clone() } } else { Shape::Text },
            max_tokens,
            temperature,
            top_p,
            stop,
            reasoning_effort: None,
            stream,
        }
    }
}

/// What a format cannot say, or says elsewhere.
fn as_said_in(format: WireFormat, conversation: &Conversation) -> Conversation {
    let mut said = conversation.clone();
    match format {
        WireFormat::Chat => {}
        WireFormat::Responses => said.stop.clear(),
        WireFormat::Messages => said.max_tokens = said.max_tokens.or(Some(8192)),
        // Streaming is asked for by the address.
        WireFormat::Gemini => said.stream = false,
    }
    said
}

prop_compose! {
    fn answer()(
        text in text(),
        calls in prop::collection::vec(arguments(), 0..3),
        finish in prop_oneof![Just(Finish::Complete), Just(Finish::Length), Just(Finish::Refused)],
        input in 0u64..1_000_000, cached in 0u64..1_000_000, output in 0u64..1_000_000,
        reasoning in 0u64..1_000_000,
    ) -> Answer {
        let call = |(index, arguments): (usize, Value)| ToolCall { id: format!("c{index}"), name: "look".into(), arguments, signature: None };
        let is_complete = finish == Finish::Complete;
        Answer {
            text,
            tool_calls: if is_complete { calls.into_iter().enumerate().map(call).collect() } else { Vec::new() },
            finish,
            usage: Some(Usage { input, cached_input: cached.min(input), output, reasoning: reasoning.min(output) }),
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn requests_survive_every_format(conversation in conversation()) {
        for format in WireFormat::ALL {
            let spec = ModelSpec::new(provider(format), "m");
            let body = format.request(&conversation, &spec);
            let text = body.to_string();
            let read = format.read_request(&serde_json::from_str(&text).expect("JSON"));
            prop_assert_eq!(read, Ok(as_said_in(format, &conversation)), "{:?}: {}", format, text);
        }
    }

    #[test]
    fn answers_survive_every_format_whole_and_in_pieces(answer in answer(), cut in 1usize..50) {
        for format in WireFormat::ALL {
            let whole = format.answer(&answer, "m", "id-1").to_string();
            prop_assert_eq!(format.read_answer(&serde_json::from_str(&whole).expect("JSON")), Ok(answer.clone()), "{:?}", format);
            let stream: String = format.stream(&answer, "m", "id-1").iter().map(SseEvent::to_text).collect();
            let mut reader = StreamReader::new(format);
            for chunk in stream.as_bytes().chunks(cut) {
                reader.push(chunk).expect("a good stream");
            }
            prop_assert_eq!(reader.finish(), Ok(answer.clone()), "{:?}: {}", format, stream);
        }
    }

    #[test]
    fn any_json_is_read_or_refused(text in "[\\[\\]{}\",:a-z0-9 ]{0,60}", field in 0usize..8) {
        let names = ["messages", "input", "contents", "choices", "output", "content", "candidates", "tools"];
        let value: Value = serde_json::from_str(&text).unwrap_or(Value::String(text));
        let body = json!({names[field]: value});
        for format in WireFormat::ALL {
            let _ = format.read_request(&body);
            let _ = format.read_answer(&body);
            let _ = StreamReader::new(format).push(format!("data: {body}\n\n").as_bytes());
        }
    }
}

#[test]
fn a_stream_that_breaks_off_anywhere_is_not_taken_for_an_answer() {
    let usage = Usage { input: 5, output: 7, ..Usage::default() };
    let answer = Answer { usage: Some(usage), ..Answer::text("Thought: go on. Action: Click [3]") };
    for format in WireFormat::ALL {
        let events = format.stream(&answer, "m", "id");
        // The words are said in the first half of the events at the latest; the rest says that this was all.
        let spoken = events.iter().position(|event| event.data.contains("Click [3]")).expect("spoken");
        let cut: String = events[..=spoken].iter().map(SseEvent::to_text).collect();
        let mut reader = StreamReader::new(format);
        reader.push(cut.as_bytes()).expect("good so far");
        assert!(reader.finish().is_err(), "{format:?}");
    }
}

#[test]
fn an_error_inside_a_stream_is_one() {
    for (format, event) in [
        (WireFormat::Chat, r#"data: {"error":{"message":"Overloaded"}}"#),
        (WireFormat::Responses, "event: error\ndata: {\"type\":\"error\",\"message\":\"Overloaded\"}"),
        (
            WireFormat::Messages,
            "event: error\ndata: {\"type\":\"error\",\"error\":{\"type\":\"overloaded_error\",\"message\":\"Overloaded\"}}",
        ),
        (WireFormat::Gemini, r#"data: {"error":{"code":503,"message":"Overloaded"}}"#),
    ] {
        let problem =
            StreamReader::new(format).push(format!("{event}\n\n").as_bytes()).expect_err("an error");
        assert!(problem.to_string().ends_with("Overloaded"), "{format:?}: {problem}");
    }
}

/// Requests of foreign agents that say more than another format can.
#[test]
fn what_cannot_be_translated_is_named() {
    for (format, body, part) in [
        (WireFormat::Chat, json!({"messages": [], "logit_bias": {"5": 1}}), "`logit_bias`"),
        (WireFormat::Chat, json!({"messages": [], "n": 2}), "`n`"),
        (
            WireFormat::Chat,
            json!({"messages": [{"role": "user", "content": [{"type": "input_audio"}]}]}),
            "messages[0].content[0]: a part of type `input_audio`",
        ),
        (
            WireFormat::Chat,
            json!({"messages": [{"role": "user", "content": [{"type": "image_url", "image_url": {"url": "https://x.example/a.png"}}]}]}),
            "an image by address",
        ),
        (
            WireFormat::Chat,
            json!({"messages": [{"role": "user", "content": "a"}, {"role": "system", "content": "b"}]}),
            "messages[1]: a system message after others",
        ),
        (WireFormat::Chat, json!({"messages": "hello"}), "`messages` is not a list"),
        (
            WireFormat::Responses,
            json!({"input": "a", "previous_response_id": "r1"}),
            "`previous_response_id`",
        ),
        (
            WireFormat::Responses,
            json!({"input": "a", "tools": [{"type": "web_search"}]}),
            "a tool of type \"web_search\"",
        ),
        (
            WireFormat::Responses,
            json!({"input": [{"type": "reasoning", "id": "x"}]}),
            "input[0]: an item of type `reasoning`",
        ),
        (
            WireFormat::Messages,
            json!({"messages": [], "thinking": {"type": "enabled", "budget_tokens": 1024}}),
            "`thinking`",
        ),
        (
            WireFormat::Messages,
            json!({"messages": [{"role": "user", "content": [{"type": "document"}]}]}),
            "a block of type `document`",
        ),
        (WireFormat::Messages, json!({"messages": [], "top_k": 5}), "`top_k`"),
        (WireFormat::Gemini, json!({"contents": [], "cachedContent": "c"}), "`cachedContent`"),
        (WireFormat::Gemini, json!({"contents": [{"parts": [{"fileData": {}}]}]}), "a part with `fileData`"),
        (WireFormat::Gemini, json!({"contents": [], "generationConfig": {"top_k": 3}}), "`topK`"),
        (
            WireFormat::Gemini,
            json!({"contents": [], "tools": [{"googleSearch": {"a": 1}}]}),
            "`googleSearch`",
        ),
    ] {
        let problem = format.read_request(&body).expect_err(part).to_string();
        assert!(problem.contains(part), "{body}: {problem}");
    }
}
