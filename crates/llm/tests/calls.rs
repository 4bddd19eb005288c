//! Our own calls against a provider that answers, and misbehaves, by script: in every format, whole and in pieces.

use std::time::{Duration, Instant};

use futures_util::future::join_all;
use umpire_llm::scripted::{Act, Answer, Asked, Script, ScriptedProvider};
use umpire_llm::{Ask as _, AskError, Finish, Message, ModelSpec, Part, Prompt, Provider, ReplyShape};
use umpire_model::{CallSource, Deadline, Media, Usage, UsdMicros};

use crate::support;
use crate::support::{asker, prompt, soon};

/// Every provider, with and without streaming.
fn ways() -> impl Iterator<Item = (Provider, bool)> {
    Provider::ALL.into_iter().flat_map(|provider| [(provider, false), (provider, true)])
}

fn model(server: &ScriptedProvider, provider: Provider, stream: bool) -> ModelSpec {
    ModelSpec { stream, tries: Some(2), timeout_seconds: Some(5), ..server.model(provider, "model-1") }
}

#[tokio::test]
async fn every_provider_is_asked_in_its_own_words() {
    for (provider, stream) in ways() {
        let usage = Usage { input: 1000, cached_input: 400, output: 50, reasoning: 0 };
        let answer = Answer { usage: Some(usage), ..Answer::text("Click [3]") };
        let server = ScriptedProvider::start(Act::Answer(answer)).await.expect("started");
        let spec = ModelSpec {
            key: Some("THE_KEY".into()),
            price: toml::from_str::<Priced>(PRICE).ok().map(|priced| priced.price),
            ..model(&server, provider, stream)
        };
        let (asker, memory) = asker(spec);
        let picture = vec![9; 500];
        let question = Prompt {
            system: Some("You click.".into()),
            messages: vec![
                Message::user("Open the cart.").with_image(Media::Png, picture.clone()),
                Message::assistant("Click [1]"),
                Message::user("Not that one."),
            ],
            shape: ReplyShape {
                schema: Some(("act".into(), serde_json::json!({"type": "object"}))),
                grammar: None,
            },
            max_tokens: Some(300),
            temperature: Some(0.0),
        };
        let reply = asker.ask(&question, soon()).await.expect("a reply");
        assert_eq!((reply.text.as_str(), &reply.finish), ("Click [3]", &Finish::Complete), "{provider:?}");
        assert_eq!(reply.usage, Some(usage), "{provider:?} {stream}");
        // 600 × 2 + 400 × 1 + 50 × 10 millionths of a dollar.
        assert_eq!(reply.cost, Some(UsdMicros(2100)));
        let requests = server.asked();
        let [request] = requests.as_slice() else { panic!("{} requests", requests.len()) };
        let got = request.conversation().expect("readable");
        assert_eq!(got.system.as_deref(), Some("You click."), "{provider:?}");
        assert_eq!(
            (got.turns.len(), got.images(), got.max_tokens, got.temperature),
            (3, 1, Some(300), Some(0.0))
        );
        assert_eq!(request.streams, stream);
        let calls = memory.calls();
        let [call] = calls.as_slice() else { panic!("{} calls", calls.len()) };
        assert_eq!(
            (call.usage, call.cost, call.source, call.tries),
            (Some(usage), reply.cost, CallSource::Provider, 1)
        );
        assert_eq!((call.step, call.error.as_deref()), (None, None));
        let recorded = memory.text(&call.request);
        assert!(recorded.contains("Open the cart.") && recorded.contains("sha256:"), "{recorded}");
        assert!(recorded.len() < 1200, "no picture in it: {recorded}");
        assert!(memory.has_blob(&picture), "the picture is a blob of its own");
        assert!(memory.text(call.reply.as_ref().expect("a reply")).contains("Click [3]"));
        assert!(!memory.everything().contains("sk-very-secret"), "a key is no evidence");
        assert!(request.headers.iter().any(|(_, value)| value.contains("sk-very-secret")), "but it was sent");
    }
}

const PRICE: &str = "price = { input = 2.0, cached_input = 1.0, output = 10.0 }";

#[derive(serde::Deserialize)]
struct Priced {
    price: umpire_llm::PriceSpec,
}

/// One misbehaviour and what it comes to, after how many requests.
async fn outcome(act: Act, provider: Provider, stream: bool) -> (Result<String, AskError>, usize) {
    let server = ScriptedProvider::start(act).await.expect("started");
    let (asker, memory) = asker(model(&server, provider, stream));
    let reply = asker.ask(&prompt("Go."), soon()).await.map(|reply| reply.text);
    let calls = memory.calls();
    assert_eq!(calls.len(), 1, "every call is recorded, failed ones too");
    assert_eq!(calls[0].error.is_some(), reply.is_err());
    assert_eq!(calls[0].tries as usize, server.asked().len());
    (reply, server.asked().len())
}

/// Every way to ask with every one of these, all at once: the pauses between tries add up.
fn cases(acts: &[Act]) -> Vec<(Provider, bool, Act)> {
    let with_all = |(provider, stream)| {
        let acts: Vec<Act> = acts.to_vec();
        acts.into_iter().map(move |act| (provider, stream, act))
    };
    ways().flat_map(with_all).collect()
}

#[tokio::test]
async fn what_will_not_change_is_asked_once() {
    let acts = [400, 401, 403, 404].map(Act::status).to_vec();
    let asked = cases(&acts).into_iter().map(|(provider, stream, act)| async move {
        let (reply, requests) = outcome(act.clone(), provider, stream).await;
        assert!(matches!(reply, Err(AskError::Rejected(_))), "{provider:?} {act:?}: {reply:?}");
        assert_eq!(requests, 1, "{provider:?} {act:?}");
    });
    join_all(asked).await;
}

#[tokio::test]
async fn what_may_pass_is_asked_again_and_then_given_up() {
    let acts = vec![
        Act::status(500),
        Act::status(529),
        Act::Drop,
        Act::BreakOff("Thought: this goes on for a while. Action: Click [3]".into()),
        Act::Babble,
        Act::Nothing,
    ];
    let asked = cases(&acts).into_iter().map(|(provider, stream, act)| async move {
        let (reply, requests) = outcome(act.clone(), provider, stream).await;
        assert!(matches!(reply, Err(AskError::Unavailable(_))), "{provider:?} {stream} {act:?}: {reply:?}");
        assert_eq!(requests, 2, "{provider:?} {stream} {act:?}");
    });
    join_all(asked).await;
}

#[tokio::test]
async fn a_fault_that_passes_is_not_noticed() {
    let faults =
        vec![Act::status(503), Act::busy("0"), Act::Drop, Act::BreakOff("Click".into()), Act::Babble];
    let asked = cases(&faults).into_iter().map(|(provider, stream, fault)| async move {
        let script = vec![fault.clone(), Act::say("Click [3]")];
        let server = ScriptedProvider::start(script).await.expect("started");
        let (asker, memory) = asker(model(&server, provider, stream));
        let reply = asker.ask(&prompt("Go."), soon()).await.expect("a reply");
        assert_eq!(reply.text, "Click [3]", "{provider:?} {fault:?}");
        assert_eq!(memory.calls()[0].tries, 2);
    });
    join_all(asked).await;
}

#[tokio::test]
async fn a_provider_that_hangs_is_left_after_its_time() {
    let server = ScriptedProvider::start(Act::Hang).await.expect("started");
    let spec = ModelSpec { timeout_seconds: Some(1), ..model(&server, Provider::OpenAi, false) };
    let (asker, _) = asker(spec);
    let began = Instant::now();
    let reply = asker.ask(&prompt("Go."), soon()).await;
    assert!(
        matches!(&reply, Err(AskError::Unavailable(why)) if why.contains("no answer within")),
        "{reply:?}"
    );
    assert!(began.elapsed() < Duration::from_secs(15), "the attempt has 20");
    let short = Deadline::after(Duration::from_millis(300));
    assert_eq!(asker.ask(&prompt("Go."), short).await, Err(AskError::Deadline), "the attempt's own time");
}

#[tokio::test]
async fn a_flood_is_cut_off() {
    let (reply, _) = outcome(Act::Flood(40 << 20), Provider::OpenAi, false).await;
    assert!(
        matches!(&reply, Err(AskError::Unavailable(why)) if why.contains("longer than 32 MiB")),
        "{reply:?}"
    );
}

#[tokio::test]
async fn retry_after_is_waited_for() {
    let began = Instant::now();
    let server = ScriptedProvider::start(vec![Act::busy("1"), Act::say("yes")]).await.expect("started");
    let (asker, _) = asker(model(&server, Provider::Anthropic, true));
    assert_eq!(asker.ask(&prompt("Go."), soon()).await.expect("a reply").text, "yes");
    assert!(began.elapsed() >= Duration::from_secs(1), "{:?}", began.elapsed());
    let server = ScriptedProvider::start(Act::busy("3600")).await.expect("started");
    let (asker, _) = support::asker(model(&server, Provider::Gemini, false));
    let began = Instant::now();
    let reply = asker.ask(&prompt("Go."), soon()).await;
    assert!(matches!(reply, Err(AskError::Unavailable(_))) && began.elapsed() < Duration::from_secs(15));
}

#[tokio::test]
async fn odd_but_whole_replies_are_replies() {
    for (provider, stream) in ways() {
        let (empty, _) = outcome(Act::Answer(Answer::text("")), provider, stream).await;
        assert_eq!(empty, Ok(String::new()), "{provider:?} {stream}: an empty reply is the model's own");
        let server = ScriptedProvider::start(Act::refuse("I cannot help with that.")).await.expect("started");
        let (asker, _) = asker(model(&server, provider, stream));
        let reply = asker.ask(&prompt("Go."), soon()).await.expect("a reply");
        assert_eq!(
            (reply.finish, reply.text.as_str()),
            (Finish::Refused, "I cannot help with that."),
            "{provider:?}"
        );
    }
}

#[tokio::test]
async fn usage_that_is_missing_or_wrong_is_unknown() {
    for (provider, stream) in ways() {
        let uncounted = Act::SayUncounted("yes".into());
        for act in [uncounted, Act::SayMiscounted("yes".into())] {
            // Anthropic's format cannot leave the count out.
            if provider == Provider::Anthropic && matches!(act, Act::SayUncounted(_)) {
                continue;
            }
            let server = ScriptedProvider::start(act.clone()).await.expect("started");
            let (asker, memory) = asker(model(&server, provider, stream));
            let reply = asker.ask(&prompt("Go."), soon()).await.expect("a reply");
            assert_eq!(
                (reply.text.as_str(), reply.usage, reply.cost),
                ("yes", None, None),
                "{provider:?} {act:?}"
            );
            assert_eq!(memory.calls()[0].usage, None);
        }
    }
}

#[tokio::test]
async fn a_prompt_that_is_too_long_is_told_apart() {
    let body =
        r#"{"error":{"message":"maximum context length is 10 tokens","code":"context_length_exceeded"}}"#;
    let act = Act::Status { status: 400, retry_after: None, body: body.into() };
    let (reply, requests) = outcome(act, Provider::OpenAi, false).await;
    assert!(matches!(reply, Err(AskError::TooLong(_))) && requests == 1);
}

#[tokio::test]
async fn a_dead_provider_is_soon_left_alone() {
    let server = ScriptedProvider::start(Act::Drop).await.expect("started");
    let spec = ModelSpec { tries: Some(1), breaker_calls: Some(3), ..server.model(Provider::OpenAi, "m") };
    let (asker, memory) = asker(spec);
    for _ in 0..10 {
        let reply = asker.ask(&prompt("Go."), soon()).await;
        assert!(matches!(reply, Err(AskError::Unavailable(_))), "never the agent's failure: {reply:?}");
    }
    assert_eq!(server.asked().len(), 3, "the other seven were not sent");
    assert_eq!(memory.calls().iter().filter(|call| call.tries == 0).count(), 7);
}

#[tokio::test]
async fn no_more_than_so_many_at_a_time() {
    let slow = Act::say("yes").after(Duration::from_millis(300));
    let server = ScriptedProvider::start(slow).await.expect("started");
    let spec = ModelSpec { concurrency: Some(2), ..server.model(Provider::OpenAi, "m") };
    let (asker, _) = asker(spec);
    let asker = std::sync::Arc::new(asker);
    let began = Instant::now();
    let mut calls = tokio::task::JoinSet::new();
    for _ in 0..6 {
        let asker = std::sync::Arc::clone(&asker);
        calls.spawn(async move { asker.ask(&prompt("Go."), soon()).await.is_ok() });
    }
    assert!(calls.join_all().await.into_iter().all(|is_ok| is_ok));
    assert!(began.elapsed() >= Duration::from_millis(900), "three rounds of two: {:?}", began.elapsed());
}

#[tokio::test]
async fn peculiar_servers_are_served_by_configuration() {
    let script = Script::new(|asked: &Asked| Act::say(format!("<think>{}</think>done", asked.number)));
    let server = ScriptedProvider::start(script).await.expect("started");
    let spec: ModelSpec = toml::from_str(&format!(
        "provider = 'openai-compatible'\nmodel = 'tiny'\nbase_url = '{}'\nimages = false\nsystem_role = false\n\
         max_tokens = 64\nmax_tokens_field = 'max_tokens'\nstructured = 'grammar'\nstrip_reasoning = true\n\
         extra = {{ cache_prompt = true, chat_template_kwargs = {{ enable_thinking = false }} }}\n\
         headers = {{ x-team = 'env:THE_KEY' }}\n",
        server.base_url(Provider::OpenAiCompatible)
    ))
    .expect("a model");
    let (asker, memory) = asker(spec);
    assert!(!asker.sees_images());
    let mut question = prompt("Go.");
    question.system = Some("Rules.".into());
    question.messages[0].parts.push(Part::Image { media: Media::Png, content: vec![1; 100].into() });
    question.shape.grammar = Some("root ::= \"x\"".into());
    assert_eq!(asker.ask(&question, soon()).await.expect("a reply").text, "done");
    let request = &server.asked()[0];
    assert_eq!(
        request.body,
        serde_json::json!({
            "model": "tiny", "messages": [{"role": "user", "content": "Rules.\n\nGo."}], "grammar": "root ::= \"x\"",
            "max_tokens": 64, "cache_prompt": true, "chat_template_kwargs": {"enable_thinking": false},
        })
    );
    assert_eq!(request.header("x-team"), Some("sk-very-secret"));
    assert_eq!(request.header("authorization"), None);
    assert!(!memory.everything().contains("sk-very-secret"));
}
