//! The vendors' own Python clients, unmodified, against the gateway: whole and streamed, with images and tools, in the
//! provider's own format and translated.

use std::path::PathBuf;
use std::process::Stdio;
use std::time::Duration;

use serde_json::{Value, json};
use umpire_llm::scripted::{Act, Answer, Asked, Script, ScriptedProvider, ToolCall};
use umpire_llm::{GatewayOptions, GatewayServer, Limits, ModelSpec, Price, PriceSpec, Provider};
use umpire_model::{Deadline, Usage, UsdMicros};

use crate::support::{caller, gateway, skipped};

/// Python with the clients in it, where `cargo xtask test` put it.
fn python() -> Option<PathBuf> {
    let target = concat!(env!("CARGO_MANIFEST_DIR"), "/../../target/clients");
    let folder = std::env::var_os("UMPIRE_TEST_CLIENTS").map_or_else(|| PathBuf::from(target), PathBuf::from);
    let python = folder.join("venv/bin/python3");
    let has_clients = std::process::Command::new(&python)
        .args(["-c", "import openai, anthropic, google.genai"])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .is_ok_and(|status| status.success());
    if !has_clients {
        skipped(&format!("openai, anthropic and google-genai are not installed below {}", folder.display()));
    }
    has_clients.then_some(python)
}

fn counted(text: &str) -> Answer {
    let usage = Usage { input: 120, output: 30, ..Usage::default() };
    Answer { usage: Some(usage), ..Answer::text(text) }
}

/// Calls a tool if there is one, until it has been used.
fn script() -> Script {
    Script::new(|asked: &Asked| {
        let has_tools = !asked.body["tools"].is_null();
        if !has_tools || asked.text().contains("The cart is open.") {
            return Act::Answer(counted("A red dot."));
        }
        let call = ToolCall {
            id: "call-1".into(),
            name: "go".into(),
            arguments: json!({"where": "cart"}),
            signature: None,
        };
        Act::Answer(Answer { tool_calls: vec![call], ..counted("") })
    })
}

/// Runs the clients against a gateway before this provider and returns what they report.
async fn talk(upstream: Provider, limits: Limits, parts: &[&str]) -> Option<Value> {
    let python = python()?;
    let provider = ScriptedProvider::start(script()).await.expect("started");
    let price = PriceSpec::Listed(Price { input: 1.0, cached_input: None, output: 1.0 });
    let spec = ModelSpec { price: Some(price), ..provider.model(upstream, "upstream-name") };
    let server =
        GatewayServer::start(gateway([("mine", spec)], &GatewayOptions::default())).await.expect("started");
    let (caller, memory) = caller(limits);
    let pass =
        server.admit(caller, vec!["mine".into()], Deadline::after(Duration::from_mins(5))).expect("admitted");
    let mut client = tokio::process::Command::new(python);
    client.arg(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/clients/talk.py")).args(parts);
    client
        .envs(pass.environment())
        .env_remove("HTTP_PROXY")
        .env_remove("http_proxy")
        .env("NO_PROXY", "127.0.0.1");
    if matches!(upstream, Provider::OpenAi | Provider::OpenAiCompatible) {
        client.env("TALK_EMBEDDINGS", "1");
    }
    let output = client.kill_on_drop(true).output().await.expect("python runs");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{upstream:?}: {errors}");
    let calls = memory.calls();
    println!("{upstream:?}: {} requests reached the provider", provider.asked().len());
    assert!(
        calls.iter().filter(|call| call.error.is_none()).all(|call| call.usage.is_some()),
        "all are metered"
    );
    Some(serde_json::from_slice(&output.stdout).expect("JSON"))
}

/// What every way of asking has to give back, whatever is behind the gateway.
fn check(said: &Value, upstream: Provider) {
    let arguments = json!({"where": "cart"});
    for (way, expected) in [
        ("chat", json!(["A red dot.", "stop", 120, 30])),
        ("chat stream", json!("A red dot.")),
        ("chat stream usage", json!([120, 30])),
        ("chat tool", json!(["go", arguments, "tool_calls"])),
        ("chat after tool", json!("A red dot.")),
        ("responses", json!(["A red dot.", "completed", 120, 30])),
        ("responses stream", json!(["A red dot.", "response.completed"])),
        ("models", json!(["mine"])),
        ("messages", json!(["A red dot.", "end_turn", 120, 30])),
        ("messages stream", json!(["A red dot.", "end_turn", 30])),
        ("messages tool", json!(["go", arguments, "tool_use"])),
        ("messages after tool", json!("A red dot.")),
        ("gemini", json!(["A red dot.", "STOP", 120, 30])),
        ("gemini stream", json!("A red dot.")),
        ("gemini tool", json!(["go", arguments])),
        ("gemini after tool", json!("A red dot.")),
    ] {
        assert_eq!(said[way], expected, "{way}, before {upstream:?}");
    }
}

const CLIENTS: [&str; 3] = ["openai", "anthropic", "google"];

#[tokio::test]
async fn before_openai() {
    if let Some(said) = talk(Provider::OpenAi, Limits::default(), &CLIENTS).await {
        check(&said, Provider::OpenAi);
        assert_eq!(said["embeddings"], json!([2, 64]));
    }
}

#[tokio::test]
async fn before_anthropic() {
    if let Some(said) = talk(Provider::Anthropic, Limits::default(), &CLIENTS).await {
        check(&said, Provider::Anthropic);
    }
}

#[tokio::test]
async fn before_gemini() {
    if let Some(said) = talk(Provider::Gemini, Limits::default(), &CLIENTS).await {
        check(&said, Provider::Gemini);
    }
}

#[tokio::test]
async fn over_budget_each_client_shows_why() {
    // Each call comes to 150 millionths of a dollar.
    let limits = Limits { money: Some(UsdMicros(100)), ..Limits::default() };
    let Some(said) = talk(Provider::OpenAi, limits, &["budget"]).await else { return };
    assert_eq!(said["openai"], "answered");
    assert_eq!(said["anthropic"][0], 402);
    let message = said["anthropic"][1].as_str().unwrap_or_default();
    assert!(message.contains("budget_exceeded") && message.contains("$0.00015 of $0.0001"), "{message}");
}
