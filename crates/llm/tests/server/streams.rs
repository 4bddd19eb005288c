//! Streams told in another format than they come in: piece by piece, with calls and counts, as each vendor's own
//! documentation prints them.

use std::io::{Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::Duration;

use serde_json::{Value, json};
use umpire_llm::{GatewayOptions, GatewayServer, Limits, ModelSpec, Provider};
use umpire_model::{ModelCall, Usage};

use super::{caller, dollar_a_token, gateway, soon};

const PATIENCE: Duration = Duration::from_secs(20);

/// What is said before the provider pauses, and after.
type Halves = (String, String);

fn sse(events: &[Value]) -> String {
    let named = events.iter().map(|event| {
        let name = event["type"].as_str().map(|name| format!("event: {name}\n")).unwrap_or_default();
        format!("{name}data: {event}\n\n")
    });
    named.collect()
}

/// "Sesame", a pause, " street", and a call of `add` with a and b, for 11 tokens in and 7 out.
fn halves(provider: Provider) -> Halves {
    match provider {
        Provider::Anthropic => (
            sse(&[
                json!({"type": "message_start", "message": {"id": "msg_1", "type": "message", "role": "assistant", "content": [],
                    "model": "m", "stop_reason": null, "stop_sequence": null, "usage": {"input_tokens": 11, "output_tokens": 1}}}),
                json!({"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}}),
                json!({"type": "ping"}),
                json!({"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": "Sesame"}}),
            ]),
            sse(&[
                json!({"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": " street"}}),
                json!({"type": "content_block_stop", "index": 0}),
                json!({"type": "content_block_start", "index": 1, "content_block": {"type": "tool_use", "id": "call_1", "name": "add", "input": {}}}),
                json!({"type": "content_block_delta", "index": 1, "delta": {"type": "input_json_delta", "partial_json": ""}}),
                json!({"type": "content_block_delta", "index": 1, "delta": {"type": "input_json_delta", "partial_json": "{\"a\": 1,"}}),
                json!({"type": "content_block_delta", "index": 1, "delta": {"type": "input_json_delta", "partial_json": " \"b\": 2}"}}),
                json!({"type": "content_block_stop", "index": 1}),
                json!({"type": "message_delta", "delta": {"stop_reason": "tool_use", "stop_sequence": null}, "usage": {"output_tokens": 7}}),
                json!({"type": "message_stop"}),
            ]),
        ),
        Provider::Gemini => {
            let piece = |part: Value| json!({"candidates": [{"content": {"parts": [part], "role": "model"}, "index": 0}], "modelVersion": "m"});
            let mut last =
                piece(json!({"functionCall": {"id": "call_1", "name": "add", "args": {"a": 1, "b": 2}}}));
            last["candidates"][0]["finishReason"] = json!("STOP");
            last["usageMetadata"] =
                json!({"promptTokenCount": 11, "candidatesTokenCount": 7, "totalTokenCount": 18});
            (sse(&[piece(json!({"text": "Sesame"}))]), sse(&[piece(json!({"text": " street"})), last]))
        }
        Provider::OpenAiResponses => {
            let item = |status: &str, arguments: &str| json!({"id": "fc_1", "type": "function_call", "status": status, "call_id": "call_1", "name": "add", "arguments": arguments});
            let said = json!({"id": "msg_1", "type": "message", "status": "completed", "role": "assistant",
                "content": [{"type": "output_text", "text": "Sesame street", "annotations": []}]});
            let whole = json!({"id": "resp_1", "object": "response", "status": "completed", "model": "m",
                "output": [said, item("completed", "{\"a\": 1, \"b\": 2}")],
                "usage": {"input_tokens": 11, "output_tokens": 7, "total_tokens": 18}});
            let text = |text: &str| json!({"type": "response.output_text.delta", "item_id": "msg_1", "output_index": 0, "content_index": 0, "delta": text});
            let arguments = |text: &str| json!({"type": "response.function_call_arguments.delta", "item_id": "fc_1", "output_index": 1, "delta": text});
            (
                sse(&[
                    json!({"type": "response.created", "response": {"id": "resp_1", "status": "in_progress", "output": []}}),
                    json!({"type": "response.output_item.added", "output_index": 0, "item": {"id": "msg_1", "type": "message", "content": []}}),
                    text("Sesame"),
                ]),
                sse(&[
                    text(" street"),
                    json!({"type": "response.output_item.added", "output_index": 1, "item": item("in_progress", "")}),
                    arguments("{\"a\": 1,"),
                    arguments(" \"b\": 2}"),
                    json!({"type": "response.completed", "response": whole}),
                ]),
            )
        }
        Provider::OpenAi | Provider::OpenAiCompatible => {
            let chunk = |delta: Value, finish: Value| {
                json!({"id": "c", "object": "chat.completion.chunk", "created": 1, "model": "m",
                "choices": [{"index": 0, "delta": delta, "finish_reason": finish}]})
            };
            let call = |call: Value| chunk(json!({"tool_calls": [call]}), Value::Null);
            let count = json!({"id": "c", "object": "chat.completion.chunk", "created": 1, "model": "m", "choices": [],
                "usage": {"prompt_tokens": 11, "completion_tokens": 7, "total_tokens": 18}});
            let rest = sse(&[
                chunk(json!({"content": " street"}), Value::Null),
                call(
                    json!({"index": 0, "id": "call_1", "type": "function", "function": {"name": "add", "arguments": ""}}),
                ),
                call(json!({"index": 0, "function": {"arguments": "{\"a\": 1,"}})),
                call(json!({"index": 0, "function": {"arguments": " \"b\": 2}"}})),
                chunk(json!({}), json!("tool_calls")),
                count,
            ]);
            (
                sse(&[
                    chunk(json!({"role": "assistant", "content": ""}), Value::Null),
                    chunk(json!({"content": "Sesame"}), Value::Null),
                ]),
                format!("{rest}data: [DONE]\n\n"),
            )
        }
    }
}

/// Answers one request with the first half, and with the second when it is told to go on.
fn provider((first, second): Halves) -> (String, Sender<()>) {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = format!("http://{}", listener.local_addr().expect("an address"));
    let (go_on, told): (Sender<()>, Receiver<()>) = channel();
    std::thread::spawn(move || {
        let (mut stream, _) = listener.accept().expect("a request");
        stream.set_read_timeout(Some(PATIENCE)).expect("set");
        let mut request = Vec::new();
        while !is_whole(&request) {
            let mut chunk = [0; 4096];
            match stream.read(&mut chunk) {
                Ok(read @ 1..) => request.extend_from_slice(&chunk[..read]),
                _ => return,
            }
        }
        let head = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n";
        stream.write_all(format!("{head}{first}").as_bytes()).expect("written");
        if !second.is_empty() && told.recv_timeout(PATIENCE).is_ok() {
            stream.write_all(second.as_bytes()).expect("written");
        }
    });
    (address, go_on)
}

fn is_whole(request: &[u8]) -> bool {
    let text = String::from_utf8_lossy(request).to_ascii_lowercase();
    let Some((head, body)) = text.split_once("\r\n\r\n") else { return false };
    let length = head.lines().find_map(|line| line.strip_prefix("content-length: ")?.trim().parse().ok());
    body.len() >= length.unwrap_or(0)
}

/// The path and body of a request that wants a stream.
fn request(client: Provider) -> (&'static str, Value) {
    match client {
        Provider::Anthropic => (
            "/v1/messages",
            json!({"model": "mine", "max_tokens": 99, "stream": true, "messages": [{"role": "user", "content": "Go."}]}),
        ),
        Provider::Gemini => (
            "/v1beta/models/mine:streamGenerateContent?alt=sse",
            json!({"contents": [{"role": "user", "parts": [{"text": "Go."}]}]}),
        ),
        Provider::OpenAiResponses => {
            ("/v1/responses", json!({"model": "mine", "stream": true, "input": "Go."}))
        }
        Provider::OpenAi | Provider::OpenAiCompatible => (
            "/v1/chat/completions",
            json!({"model": "mine", "stream": true, "stream_options": {"include_usage": true},
                "messages": [{"role": "user", "content": "Go."}]}),
        ),
    }
}

/// What a client makes of a stream.
#[derive(Debug, Default, PartialEq)]
struct Heard {
    text: String,
    call: String,
    arguments: String,
    input: u64,
    output: u64,
    ended: bool,
}

fn heard(client: Provider, stream: &str) -> Heard {
    let mut heard = Heard::default();
    for data in stream.lines().filter_map(|line| line.strip_prefix("data: ")) {
        if data == "[DONE]" {
            heard.ended = true;
            continue;
        }
        let event: Value = serde_json::from_str(data).unwrap_or_else(|error| panic!("{error}: {data}"));
        heard.hear(client, &event);
    }
    heard
}

impl Heard {
    fn hear(&mut self, client: Provider, event: &Value) {
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        let mut count = |usage: &Value, input: &str, output: &str| {
            if let (Some(input), Some(output)) = (usage[input].as_u64(), usage[output].as_u64()) {
                (self.input, self.output) = (input, output);
            }
        };
        match client {
            Provider::Anthropic => {
                count(&event["usage"], "input_tokens", "output_tokens");
                self.text += &text(&event["delta"]["text"]);
                self.call += &text(&event["content_block"]["name"]);
                self.arguments += &text(&event["delta"]["partial_json"]);
                self.ended |= event["type"] == "message_stop";
            }
            Provider::Gemini => {
                count(&event["usageMetadata"], "promptTokenCount", "candidatesTokenCount");
                for part in event["candidates"][0]["content"]["parts"].as_array().expect("parts") {
                    self.text += &text(&part["text"]);
                    self.call += &text(&part["functionCall"]["name"]);
                    if part["functionCall"].is_object() {
                        self.arguments += &part["functionCall"]["args"].to_string();
                    }
                }
                self.ended |= event["candidates"][0]["finishReason"] == "STOP";
            }
            Provider::OpenAiResponses => {
                count(&event["response"]["usage"], "input_tokens", "output_tokens");
                match event["type"].as_str().unwrap_or_default() {
                    "response.output_text.delta" => self.text += &text(&event["delta"]),
                    "response.function_call_arguments.delta" => self.arguments += &text(&event["delta"]),
                    "response.output_item.added" => self.call += &text(&event["item"]["name"]),
                    "response.completed" => {
                        self.ended = true;
                        let output = &event["response"]["output"];
                        assert_eq!(output[0]["content"][0]["text"], self.text.as_str(), "the end repeats it");
                        assert_eq!(output[1]["arguments"], self.arguments.as_str(), "the end repeats it");
                    }
                    _ => {}
                }
            }
            Provider::OpenAi | Provider::OpenAiCompatible => {
                count(&event["usage"], "prompt_tokens", "completion_tokens");
                let delta = &event["choices"][0]["delta"];
                self.text += &text(&delta["content"]);
                for call in delta["tool_calls"].as_array().into_iter().flatten() {
                    assert_eq!(call["index"], 0);
                    self.call += &text(&call["function"]["name"]);
                    self.arguments += &text(&call["function"]["arguments"]);
                }
            }
        }
    }
}

/// Reads what there is until it holds `wanted`, or to the end.
fn read_until(stream: &mut TcpStream, read: &mut String, wanted: Option<&str>) {
    let mut chunk = [0; 4096];
    while wanted.is_none_or(|wanted| !read.contains(wanted)) {
        match stream.read(&mut chunk) {
            Ok(bytes @ 1..) => read.push_str(&String::from_utf8_lossy(&chunk[..bytes])),
            _ => return,
        }
    }
}

/// The stream as a client sees it: what came while the provider paused, and all of it.
fn exchange(address: &str, path: &str, key: &str, body: &Value, go_on: &Sender<()>) -> (String, String) {
    let host = address.trim_start_matches("http://").trim_end_matches('/');
    let mut stream = TcpStream::connect(host).expect("connected");
    stream.set_read_timeout(Some(PATIENCE)).expect("set");
    let body = body.to_string();
    // HTTP/1.0: without chunks in between, what arrives can be looked at as it is.
    let request = format!(
        "POST {path} HTTP/1.0\r\nhost: {host}\r\nauthorization: Bearer {key}\r\ncontent-length: {}\r\n\r\n{body}",
        body.len()
    );
    stream.write_all(request.as_bytes()).expect("written");
    let mut read = String::new();
    read_until(&mut stream, &mut read, Some("Sesame"));
    let early = read.clone();
    // A provider without a second half is gone already.
    let _ = go_on.send(());
    read_until(&mut stream, &mut read, None);
    (early, read)
}

/// What a client got, and what was recorded of it.
struct Asked {
    early: String,
    stream: String,
    calls: Vec<ModelCall>,
}

/// A client of one vendor asks, through the gateway, a provider that answers in two halves.
async fn ask(client: Provider, upstream: Provider, halves: Halves) -> Asked {
    let (address, go_on) = provider(halves);
    let spec = ModelSpec {
        base_url: Some(address.parse().expect("a URL")),
        tries: Some(1),
        timeout_seconds: Some(20),
        price: Some(dollar_a_token()),
        ..ModelSpec::new(upstream, "upstream-name")
    };
    let gateway = gateway([("mine", spec)], &GatewayOptions::default());
    let server = GatewayServer::start(Arc::clone(&gateway)).await.expect("started");
    let (caller, memory) = caller(Limits::default());
    let pass = server.admit(caller, vec!["mine".into()], soon()).expect("admitted");
    let (path, body) = request(client);
    let (base, key) = (pass.anthropic_base_url(), pass.key().to_owned());
    let exchanged = move || exchange(&base, path, &key, &body, &go_on);
    let (early, all) = tokio::task::spawn_blocking(exchanged).await.expect("exchanged");
    let (_, stream) = all.split_once("\r\n\r\n").expect("a head");
    Asked { early, stream: stream.to_owned(), calls: memory.calls() }
}

#[tokio::test]
async fn a_translated_stream_comes_in_pieces_with_calls_and_counts() {
    let providers =
        [Provider::OpenAiCompatible, Provider::OpenAiResponses, Provider::Anthropic, Provider::Gemini];
    // OpenAI itself speaks both of its formats, so nothing is translated between them.
    let is_translated = |client: Provider, upstream: Provider| {
        client != upstream && (client, upstream) != (Provider::OpenAiCompatible, Provider::OpenAiResponses)
    };
    for upstream in providers {
        for client in providers.into_iter().filter(|client| is_translated(*client, upstream)) {
            let case = format!("{client:?} to {upstream:?}");
            let Asked { early, stream, calls } = ask(client, upstream, halves(upstream)).await;
            assert!(early.contains("Sesame") && !early.contains("street"), "{case}: {early}");
            let heard = heard(client, &stream);
            assert_eq!(
                (heard.text.as_str(), heard.call.as_str()),
                ("Sesame street", "add"),
                "{case}: {stream}"
            );
            let arguments: Value = serde_json::from_str(&heard.arguments).expect("arguments");
            assert_eq!(arguments, json!({"a": 1, "b": 2}), "{case}");
            assert_eq!((heard.input, heard.output, heard.ended), (11, 7, true), "{case}: {stream}");
            let usage = Some(Usage { input: 11, output: 7, ..Usage::default() });
            assert_eq!((calls.len(), calls[0].usage, calls[0].error.as_deref()), (1, usage, None), "{case}");
        }
    }
}

fn call_of_chat(call: &Value) -> String {
    sse(&[json!({"choices": [{"index": 0, "delta": {"tool_calls": [call]}, "finish_reason": null}]})])
}

#[tokio::test]
async fn a_call_without_arguments_is_told_as_json() {
    let (first, _) = halves(Provider::OpenAiCompatible);
    let call =
        call_of_chat(&json!({"index": 0, "id": "call_1", "function": {"name": "stop", "arguments": ""}}));
    let end = sse(&[json!({"choices": [{"index": 0, "delta": {}, "finish_reason": "tool_calls"}]})]);
    for client in [Provider::Anthropic, Provider::Gemini] {
        let halves = (first.clone(), format!("{call}{end}data: [DONE]\n\n"));
        let heard = heard(client, &ask(client, Provider::OpenAiCompatible, halves).await.stream);
        assert_eq!((heard.call.as_str(), heard.arguments.as_str()), ("stop", "{}"), "{client:?}");
    }
}

#[tokio::test]
async fn pieces_of_several_calls_that_are_mixed_are_an_error_and_not_lost() {
    let (first, _) = halves(Provider::OpenAiCompatible);
    let begin = |index: u32| {
        let call = json!({"index": index, "id": format!("call_{index}"), "function": {"name": "add", "arguments": "{"}});
        call_of_chat(&call)
    };
    let more = call_of_chat(&json!({"index": 0, "function": {"arguments": "}"}}));
    let mixed = (first, format!("{}{}{more}data: [DONE]\n\n", begin(0), begin(1)));
    let asked = ask(Provider::Anthropic, Provider::OpenAiCompatible, mixed).await;
    assert!(!heard(Provider::Anthropic, &asked.stream).ended, "{}", asked.stream);
    let error = asked.calls[0].error.as_deref().unwrap_or_default();
    assert!(error.contains("mixes the pieces of several tool calls"), "{error}");
}

#[tokio::test]
async fn a_server_that_answers_whole_although_asked_for_pieces_is_heard() {
    let message = json!({"role": "assistant", "content": "Sesame street"});
    let answer = json!({"choices": [{"index": 0, "message": message, "finish_reason": "stop"}],
        "usage": {"prompt_tokens": 11, "completion_tokens": 7}})
    .to_string();
    // Until the answer is whole there is nothing that could be told, so this provider does not pause.
    let asked = ask(Provider::Anthropic, Provider::OpenAiCompatible, (answer, String::new())).await;
    let heard = heard(Provider::Anthropic, &asked.stream);
    assert_eq!((heard.text.as_str(), heard.ended), ("Sesame street", true));
    assert_eq!(asked.calls[0].usage, Some(Usage { input: 11, output: 7, ..Usage::default() }));
}
