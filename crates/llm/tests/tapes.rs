//! Cache and cassettes under the gateway: what is replayed, what it costs, and what must not be written.

use std::path::Path;
use std::sync::Arc;

use serde_json::json;
use umpire_llm::scripted::{Act, Answer, Asked, Script, ScriptedProvider};
use umpire_llm::{
    Ask as _, AskError, CacheOptions, CassetteMode, GatewayOptions, GatewayServer, Limits, Message,
    ModelSpec, Price, PriceSpec, Prompt, Provider, TapeOptions,
};
use umpire_model::{CallSource, Media, Usage, UsdMicros};

use crate::support::{caller, gateway, prompt, raw, soon};

fn numbered() -> Script {
    Script::new(|asked: &Asked| {
        let usage = Usage { input: 100, output: 50, ..Usage::default() };
        Act::Answer(Answer { usage: Some(usage), ..Answer::text(format!("reply {}", asked.number)) })
    })
}

fn model(server: &ScriptedProvider, provider: Provider) -> ModelSpec {
    let price = PriceSpec::Listed(Price { input: 1.0, cached_input: None, output: 1.0 });
    let key = Some("THE_KEY".to_owned());
    ModelSpec { key, price: Some(price), tries: Some(1), ..server.model(provider, "m") }
}

fn cassette(path: &Path, mode: CassetteMode) -> GatewayOptions {
    let tapes = TapeOptions { cassette: Some((path.to_owned(), mode)), ..TapeOptions::default() };
    GatewayOptions { tapes, secrets: vec!["hunter2-the-password".into()], ..GatewayOptions::default() }
}

#[tokio::test]
async fn a_recorded_run_is_replayed_without_its_provider_and_ends_where_it_ended() {
    for provider in Provider::ALL {
        for stream in [false, true] {
            let folder = tempfile::tempdir().expect("folder");
            let path = folder.path().join("calls.jsonl");
            let server = ScriptedProvider::start(numbered()).await.expect("started");
            let spec = ModelSpec { stream, ..model(&server, provider) };
            // 150 millionths a call: the third passes the limit.
            let limits = Limits { money: Some(UsdMicros(400)), ..Limits::default() };
            let mut runs = Vec::new();
            for mode in [CassetteMode::Record, CassetteMode::ReplayOrFail, CassetteMode::Replay] {
                let (caller, memory) = caller(limits);
                let gateway = gateway([("m", spec.clone())], &cassette(&path, mode));
                let asker = gateway.asker("m", caller).expect("usable");
                let mut replies = Vec::new();
                for text in ["one", "one", "two", "three"] {
                    let question = Message::user(text).with_image(Media::Png, vec![5; 400]);
                    let question = Prompt { messages: vec![question], ..Prompt::default() };
                    replies.push(asker.ask(&question, soon()).await);
                }
                let sources: Vec<_> = memory.calls().iter().map(|call| call.source).take(3).collect();
                let expected =
                    if mode == CassetteMode::Record { CallSource::Provider } else { CallSource::Cassette };
                assert_eq!(sources, [expected; 3], "{provider:?} {mode:?}");
                runs.push(replies);
            }
            let texts: Vec<_> = runs[0].iter().flatten().map(|reply| reply.text.as_str()).collect();
            assert_eq!(texts, ["reply 0", "reply 1", "reply 2"]);
            assert!(matches!(runs[0][3], Err(AskError::Budget(_))), "{:?}", runs[0][3]);
            assert_eq!((&runs[1], &runs[2]), (&runs[0], &runs[0]), "{provider:?}");
            assert_eq!(server.asked().len(), 3, "the provider was asked in the first run only");
        }
    }
}

#[tokio::test]
async fn a_cassette_needs_no_key_and_says_what_it_lacks() {
    let folder = tempfile::tempdir().expect("folder");
    let path = folder.path().join("calls.jsonl");
    let server = ScriptedProvider::start(numbered()).await.expect("started");
    let recording =
        gateway([("m", model(&server, Provider::OpenAi))], &cassette(&path, CassetteMode::Record));
    let asker = recording.asker("m", caller(Limits::default()).0).expect("usable");
    asker.ask(&prompt("one"), soon()).await.expect("a reply");
    let keyless = ModelSpec { key: Some("NOBODY_SET_THIS".into()), ..model(&server, Provider::OpenAi) };
    let playing = gateway([("m", keyless)], &cassette(&path, CassetteMode::ReplayOrFail));
    let asker = playing.asker("m", caller(Limits::default()).0).expect("usable without a key");
    assert_eq!(asker.ask(&prompt("one"), soon()).await.expect("replayed").text, "reply 0");
    let (player, memory) = caller(Limits::default());
    let missing = playing.asker("m", player).expect("usable").ask(&prompt("other"), soon()).await;
    assert!(matches!(missing, Err(AskError::NotOnCassette(_))), "{missing:?}");
    assert!(memory.calls()[0].error.is_some());
    assert_eq!(server.asked().len(), 1);
}

#[tokio::test]
async fn no_secret_and_no_picture_is_on_the_cassette() {
    let folder = tempfile::tempdir().expect("folder");
    let path = folder.path().join("calls.jsonl");
    let echo = Script::new(|asked: &Asked| {
        Act::say(format!("{} and {}", asked.text(), asked.header("authorization").unwrap_or_default()))
    });
    let server = ScriptedProvider::start(echo).await.expect("started");
    let recording =
        gateway([("m", model(&server, Provider::OpenAi))], &cassette(&path, CassetteMode::Record));
    let asker = recording.asker("m", caller(Limits::default()).0).expect("usable");
    let message = Message::user("Type hunter2-the-password.").with_image(Media::Jpeg, vec![0xAB; 3000]);
    let question = Prompt { messages: vec![message], ..Prompt::default() };
    let reply = asker.ask(&question, soon()).await.expect("a reply").text;
    assert!(
        reply.contains("hunter2-the-password") && reply.contains("sk-very-secret"),
        "the provider saw them"
    );
    let written = std::fs::read_to_string(&path).expect("written");
    assert!(!written.contains("hunter2") && !written.contains("sk-very-secret"), "{written}");
    assert!(!written.contains("q6ur"), "no base64 of the picture");
    assert!(written.contains("sha256:") && written.contains("Type «redacted»"), "{written}");
    // A changed key or password finds the call again: they are not part of it.
    let playing =
        gateway([("m", model(&server, Provider::OpenAi))], &cassette(&path, CassetteMode::ReplayOrFail));
    let asker = playing.asker("m", caller(Limits::default()).0).expect("usable");
    assert!(asker.ask(&question, soon()).await.expect("replayed").text.contains("«redacted»"));
}

#[tokio::test]
async fn the_cache_answers_the_same_question_once_and_costs_nothing() {
    let folder = tempfile::tempdir().expect("folder");
    let server = ScriptedProvider::start(numbered()).await.expect("started");
    let cache = CacheOptions { folder: folder.path().to_owned(), any_temperature: false };
    let tapes = TapeOptions { cache: Some(cache), cassette: None };
    let options = GatewayOptions { tapes, ..GatewayOptions::default() };
    let gateway = gateway([("m", model(&server, Provider::Gemini))], &options);
    let (caller, memory) = caller(Limits { money: Some(UsdMicros(200)), ..Limits::default() });
    let asker = gateway.asker("m", caller).expect("usable");
    let certain = Prompt { temperature: Some(0.0), ..prompt("one") };
    for _ in 0..5 {
        assert_eq!(asker.ask(&certain, soon()).await.expect("a reply").text, "reply 0");
    }
    assert_eq!(server.asked().len(), 1);
    let costs: Vec<_> = memory.calls().iter().map(|call| (call.source, call.cost)).collect();
    assert_eq!(costs[0], (CallSource::Provider, Some(UsdMicros(150))));
    assert_eq!(costs[1..], [(CallSource::Cache, Some(UsdMicros(0))); 4]);
    let by_chance = prompt("one");
    asker.ask(&by_chance, soon()).await.expect("a reply");
    assert_eq!(server.asked().len(), 2, "a reply drawn by chance is drawn again");
}

#[tokio::test]
async fn what_is_not_whole_is_not_kept() {
    for act in [Act::refuse("no"), Act::status(500), Act::BreakOff("half".into())] {
        let folder = tempfile::tempdir().expect("folder");
        let cache = CacheOptions { folder: folder.path().to_owned(), any_temperature: true };
        let tapes = TapeOptions { cache: Some(cache), cassette: None };
        let options = GatewayOptions { tapes, ..GatewayOptions::default() };
        let server = ScriptedProvider::start(act.clone()).await.expect("started");
        let gateway = gateway([("m", model(&server, Provider::OpenAi))], &options);
        let asker = gateway.asker("m", caller(Limits::default()).0).expect("usable");
        for _ in 0..2 {
            let _ = asker.ask(&prompt("one"), soon()).await;
        }
        assert_eq!(server.asked().len(), 2, "{act:?}");
    }
}

#[tokio::test]
async fn what_cannot_be_read_or_kept_is_said_and_costs_no_attempt() {
    let folder = tempfile::tempdir().expect("folder");
    let path = folder.path().join("calls.jsonl");
    std::fs::write(&path, "{\"v\":1,\"key\":\"torn").expect("written");
    let server = ScriptedProvider::start(numbered()).await.expect("started");
    let cache = CacheOptions { folder: folder.path().join("cache"), any_temperature: true };
    let mut options = cassette(&path, CassetteMode::Replay);
    options.tapes.cache = Some(cache);
    let gateway = gateway([("m", model(&server, Provider::OpenAi))], &options);
    // A file where the cache wants its folders.
    std::fs::remove_dir(folder.path().join("cache")).expect("removed");
    std::fs::write(folder.path().join("cache"), "").expect("in the way");
    let asker = gateway.asker("m", caller(Limits::default()).0).expect("usable");
    assert_eq!(asker.ask(&prompt("one"), soon()).await.expect("a reply").text, "reply 0");
    let problems = gateway.tape_problems();
    assert_eq!(problems.len(), 2, "{problems:?}");
    assert!(problems[0].starts_with("1 torn") && problems[1].starts_with("1 replies"), "{problems:?}");
}

#[tokio::test]
async fn a_foreign_agents_stream_is_replayed_as_it_came() {
    for (provider, path) in
        [(Provider::Anthropic, "/v1/messages"), (Provider::OpenAi, "/v1/chat/completions")]
    {
        let folder = tempfile::tempdir().expect("folder");
        let file = folder.path().join("calls.jsonl");
        let server = ScriptedProvider::start(numbered()).await.expect("started");
        let mut bodies = Vec::new();
        for mode in [CassetteMode::Record, CassetteMode::ReplayOrFail] {
            let gateway = gateway([("mine", model(&server, provider))], &cassette(&file, mode));
            let door = GatewayServer::start(Arc::clone(&gateway)).await.expect("started");
            let (caller, memory) = caller(Limits::default());
            let pass = door.admit(caller, vec!["mine".into()], soon()).expect("admitted");
            let url = format!("{}{path}", pass.anthropic_base_url());
            let said = json!([{"role": "user", "content": "a"}]);
            let body = json!({"model": "mine", "max_tokens": 9, "stream": true, "messages": said});
            let answer = raw::send("POST", &url, &[("x-api-key", pass.key())], &body.to_string()).await;
            assert!(
                answer.status == 200 && answer.head.contains("content-type: text/event-stream"),
                "{}",
                answer.head
            );
            assert!(!answer.body.contains("\"choices\":[]"), "the count was not asked for: {}", answer.body);
            bodies.push(answer.body);
            assert_eq!(memory.calls()[0].usage, Some(Usage { input: 100, output: 50, ..Usage::default() }));
        }
        assert!(bodies[0].contains("reply 0"));
        assert_eq!(bodies[0], bodies[1], "{provider:?}");
        assert_eq!(server.asked().len(), 1);
    }
}
