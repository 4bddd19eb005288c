//! The gateway as a server: foreign agents with a key of their own, metered, bound and translated.

mod streams;

use std::sync::Arc;
use std::time::Duration;

use serde_json::{Value, json};
use umpire_llm::scripted::{Act, Answer, Asked, Script, ScriptedProvider, ToolCall};
use umpire_llm::{
    Ask as _, AskError, Budget, Caller, Finish, Gateway, GatewayOptions, GatewayServer, Limits, Message,
    ModelSpec, Pass, Price, PriceSpec, Prompt, Provider,
};
use umpire_model::{Deadline, Media, Usage, UsdMicros};

use crate::support;
use crate::support::raw::send;
use crate::support::{Memory, caller, gateway, prompt, soon};

/// A provider, a gateway before it, and an attempt admitted there to ask it.
struct House {
    provider: ScriptedProvider,
    server: GatewayServer,
    gateway: Arc<Gateway>,
    pass: Pass,
    memory: Arc<Memory>,
}

fn dollar_a_token() -> PriceSpec {
    PriceSpec::Listed(Price { input: 1.0, cached_input: None, output: 1.0 })
}

impl House {
    async fn new(script: impl Into<Script>, upstream: Provider, limits: Limits) -> Self {
        Self::with(script, upstream, limits, |spec| spec).await
    }

    async fn with(
        script: impl Into<Script>,
        upstream: Provider,
        limits: Limits,
        change: impl Fn(ModelSpec) -> ModelSpec,
    ) -> Self {
        let provider = ScriptedProvider::start(script).await.expect("started");
        let spec = ModelSpec {
            key: Some("THE_KEY".into()),
            tries: Some(1),
            timeout_seconds: Some(5),
            price: Some(dollar_a_token()),
            ..provider.model(upstream, "upstream-name")
        };
        let other = ModelSpec { model: "other".into(), ..spec.clone() };
        let gateway = gateway([("mine", change(spec)), ("not-mine", other)], &GatewayOptions::default());
        let server = GatewayServer::start(Arc::clone(&gateway)).await.expect("started");
        let (caller, memory) = caller(limits);
        let pass = server.admit(caller, vec!["mine".into()], soon()).expect("admitted");
        Self { provider, server, gateway, pass, memory }
    }

    /// A client of one vendor that believes the gateway to be that vendor.
    fn client(&self, speaks: Provider, stream: bool) -> (umpire_llm::Asker, Arc<Memory>) {
        let base = match speaks {
            Provider::Anthropic => self.pass.anthropic_base_url(),
            Provider::Gemini => self.pass.gemini_base_url(),
            _ => self.pass.openai_base_url(),
        };
        let spec = ModelSpec {
            base_url: Some(base.parse().expect("a URL")),
            key: Some("PASS".into()),
            tries: Some(1),
            stream,
            ..ModelSpec::new(speaks, "mine")
        };
        let key = self.pass.key().to_owned();
        let specs = [("m".to_owned(), spec)].into();
        let client =
            Gateway::new(specs, &GatewayOptions::default(), &|_| Some(key.clone())).expect("a client");
        let (caller, memory) = caller(Limits::default());
        (client.asker("m", caller).expect("usable"), memory)
    }

    async fn post(&self, path: &str, body: &Value) -> support::raw::RawAnswer {
        let url = format!("{}{path}", self.pass.anthropic_base_url());
        let bearer = format!("Bearer {}", self.pass.key());
        send("POST", &url, &[("authorization", &bearer)], &body.to_string()).await
    }
}

fn counted(text: &str) -> Answer {
    let usage = Usage { input: 120, cached_input: 20, output: 30, reasoning: 0 };
    Answer { usage: Some(usage), ..Answer::text(text) }
}

#[tokio::test]
async fn every_format_reaches_every_provider_and_is_metered() {
    for upstream in Provider::ALL {
        for speaks in Provider::ALL {
            for stream in [false, true] {
                let case = format!("{speaks:?} to {upstream:?}, stream {stream}");
                let house = House::new(Act::Answer(counted("Click [3]")), upstream, Limits::default()).await;
                let (client, _) = house.client(speaks, stream);
                let question = Prompt {
                    system: Some("You click.".into()),
                    messages: vec![Message::user("Open the cart.").with_image(Media::Png, vec![7; 200])],
                    max_tokens: Some(99),
                    ..Prompt::default()
                };
                let reply =
                    client.ask(&question, soon()).await.unwrap_or_else(|error| panic!("{case}: {error}"));
                assert_eq!((reply.text.as_str(), reply.finish), ("Click [3]", Finish::Complete), "{case}");
                assert_eq!(reply.usage, counted("").usage, "{case}");
                let requests = house.provider.asked();
                let got =
                    requests[0].conversation().unwrap_or_else(|| panic!("{case}: {}", requests[0].body));
                assert_eq!(
                    (got.system.as_deref(), got.images(), got.max_tokens),
                    (Some("You click."), 1, Some(99)),
                    "{case}"
                );
                assert!(
                    requests[0].body["model"] == "upstream-name"
                        || requests[0].path.contains("upstream-name"),
                    "{case}"
                );
                let secrets: Vec<&str> =
                    requests[0].headers.iter().map(|(_, value)| value.as_str()).collect();
                assert!(
                    secrets.iter().any(|value| value.contains("sk-very-secret")),
                    "{case}: the real key goes up"
                );
                assert!(
                    !secrets.iter().any(|value| value.contains(house.pass.key())),
                    "{case}: and the pass does not"
                );
                let calls = house.memory.calls();
                assert_eq!(calls.len(), 1, "{case}");
                assert_eq!(
                    (calls[0].model.as_str(), calls[0].usage, calls[0].cost),
                    ("mine", reply.usage, Some(UsdMicros(150))),
                    "{case}"
                );
                assert!(!house.memory.everything().contains("sk-very-secret"), "{case}");
                assert_eq!(house.pass.last_error(), None);
            }
        }
    }
}

#[tokio::test]
async fn strangers_and_unknown_models_are_told_so() {
    let house = House::new(Act::say("yes"), Provider::OpenAi, Limits::default()).await;
    let base = house.pass.anthropic_base_url();
    let body = r#"{"model":"mine","messages":[]}"#;
    for (path, shape) in [
        ("/v1/chat/completions", "/error/type"),
        ("/v1/responses", "/error/type"),
        ("/v1/messages", "/error/type"),
        ("/v1beta/models/mine:generateContent", "/error/status"),
    ] {
        for headers in [vec![], vec![("authorization", "Bearer sk-umpire-guess")], vec![("x-api-key", "x")]] {
            let answer = send("POST", &format!("{base}{path}"), &headers, body).await;
            assert_eq!(answer.status, 401, "{path}");
            assert_eq!(answer.json().pointer(shape), Some(&json!("authentication_error")), "{path}");
        }
    }
    for name in ["not-mine", "gpt-4o", "", "upstream-name"] {
        let answer = house.post("/v1/chat/completions", &json!({"model": name, "messages": []})).await;
        assert_eq!(answer.status, 404);
        let message = answer.json()["error"]["message"].as_str().unwrap_or_default().to_owned();
        assert!(message.ends_with("it may ask: mine"), "{message}");
    }
    assert_eq!(house.post("/v1/completions", &json!({})).await.status, 404);
    assert!(house.provider.asked().is_empty(), "nothing of it reached the provider");
    let key = house.pass.key().to_owned();
    let url = format!("{base}/v1/models");
    for headers in [vec![("x-goog-api-key", key.as_str())], vec![("x-api-key", key.as_str())]] {
        let listed = send("GET", &url, &headers, "").await.json();
        assert_eq!(
            (&listed["data"][0]["id"], listed["data"].as_array().map(Vec::len)),
            (&json!("mine"), Some(1))
        );
    }
    drop(house.pass);
    let late = send("GET", &url, &[("x-api-key", &key)], "").await;
    assert_eq!(late.status, 401, "a key ends with its attempt");
}

#[tokio::test]
async fn bad_requests_are_refused_with_a_reason() {
    let house = House::new(Act::say("yes"), Provider::Anthropic, Limits::default()).await;
    let base = house.pass.anthropic_base_url();
    let bearer = format!("Bearer {}", house.pass.key());
    for body in ["", "{", "[]", "\"text\"", "\u{0}"] {
        let answer =
            send("POST", &format!("{base}/v1/chat/completions"), &[("authorization", &bearer)], body).await;
        assert_eq!(answer.status, 400, "{body}");
    }
    for (body, part) in [
        (json!({"model": "mine", "messages": [], "logprobs": true}), "`logprobs`"),
        (
            json!({"model": "mine", "messages": [], "response_format": {"type": "json_object"}}),
            "JSON without a schema",
        ),
        (json!({"model": "mine", "messages": [{"role": "user", "content": [{"type": "file"}]}]}), "`file`"),
    ] {
        let answer = house.post("/v1/chat/completions", &body).await;
        let message = answer.json()["error"]["message"].as_str().unwrap_or_default().to_owned();
        assert_eq!(answer.status, 400, "{body}");
        assert!(message.contains(part) && message.contains("cannot be translated"), "{message}");
    }
    let embeddings = house.post("/v1/embeddings", &json!({"model": "mine", "input": "a"})).await;
    assert_eq!(embeddings.status, 400);
    let no_sse = house.post("/v1beta/models/mine:streamGenerateContent", &json!({"contents": []})).await;
    assert_eq!(no_sse.status, 400);
    assert!(house.provider.asked().is_empty());
    let blind = House::with(Act::say("yes"), Provider::Gemini, Limits::default(), |spec| ModelSpec {
        images: false,
        ..spec
    })
    .await;
    let image = json!({"type": "image_url", "image_url": {"url": "data:image/png;base64,AAAA"}});
    let answer = blind
        .post(
            "/v1/chat/completions",
            &json!({"model": "mine", "messages": [{"role": "user", "content": [image]}]}),
        )
        .await;
    assert!(answer.status == 400 && answer.body.contains("takes no images"), "{}", answer.body);
}

#[tokio::test]
async fn a_request_in_the_providers_own_format_is_passed_on_as_it_is() {
    let house = House::new(Act::Answer(counted("yes")), Provider::OpenAi, Limits::default()).await;
    let body = json!({"model": "mine", "messages": [{"role": "user", "content": "a"}], "logit_bias": {"5": 1}, "seed": 4, "max_tokens": 9});
    let answer = house.post("/v1/chat/completions", &body).await;
    assert_eq!(answer.status, 200);
    let mut expected = body;
    expected["model"] = json!("upstream-name");
    assert_eq!(house.provider.asked()[0].body, expected);
    let embedded = house.post("/v1/embeddings", &json!({"model": "mine", "input": ["a", "b"]})).await;
    assert_eq!(embedded.json()["data"].as_array().map(Vec::len), Some(2));
    assert_eq!(house.provider.asked()[1].path, "/v1/embeddings");
    // Ten bytes of JSON are three tokens by the script's count, at a millionth of a dollar each.
    assert_eq!(house.memory.calls()[1].cost, Some(UsdMicros(3)));
    for generation in [json!(null), json!("x"), json!([1]), json!({"temperature": 1})] {
        let odd = House::with(Act::say("yes"), Provider::Gemini, Limits::default(), |spec| ModelSpec {
            max_tokens: Some(70),
            ..spec
        })
        .await;
        let body = json!({"contents": [], "generationConfig": generation});
        assert_eq!(odd.post("/v1beta/models/mine:generateContent", &body).await.status, 200);
        let sent = &odd.provider.asked()[0].body["generationConfig"];
        let expected = if generation.is_null() || generation.is_object() { json!(70) } else { json!(null) };
        assert_eq!(sent["maxOutputTokens"], expected, "{generation}");
    }
    let limited = House::with(Act::say("yes"), Provider::OpenAi, Limits::default(), |spec| ModelSpec {
        max_tokens: Some(70),
        ..spec
    })
    .await;
    limited.post("/v1/chat/completions", &json!({"model": "mine", "messages": []})).await;
    assert_eq!(
        limited.provider.asked()[0].body["max_completion_tokens"],
        70,
        "a limit that is configured binds"
    );
}

#[tokio::test]
async fn a_stream_is_counted_whether_or_not_the_client_asked() {
    let house = House::new(Act::Answer(counted("Click [3]")), Provider::OpenAi, Limits::default()).await;
    let mut body = json!({"model": "mine", "messages": [{"role": "user", "content": "a"}], "stream": true});
    let hidden = house.post("/v1/chat/completions", &body).await;
    assert!(
        hidden.body.contains("Click [3]") && hidden.body.ends_with("data: [DONE]\n\n"),
        "{}",
        hidden.body
    );
    assert!(
        !hidden.body.contains("\"choices\":[]"),
        "a client that did not ask sees no piece without a choice"
    );
    body["stream_options"] = json!({"include_usage": true});
    let shown = house.post("/v1/chat/completions", &body).await;
    assert!(
        shown.body.contains("\"choices\":[]") && shown.body.contains("\"prompt_tokens\":120"),
        "{}",
        shown.body
    );
    let calls = house.memory.calls();
    assert_eq!(calls.iter().map(|call| call.usage).collect::<Vec<_>>(), [counted("").usage; 2]);
}

#[tokio::test]
async fn failures_keep_their_shape_and_are_remembered() {
    for (act, status, kind) in [
        (Act::status(500), 503, "model_unavailable"),
        (Act::Drop, 503, "model_unavailable"),
        (Act::status(401), 403, "provider_refuses_key"),
        (Act::status(404), 404, "scripted"),
        (Act::Babble, 503, "model_unavailable"),
        (Act::status(400), 400, "scripted"),
    ] {
        let house = House::new(act.clone(), Provider::OpenAi, Limits::default()).await;
        let body = json!({"model": "mine", "messages": []});
        let answer = house.post("/v1/chat/completions", &body).await;
        assert_eq!((answer.status, &answer.json()["error"]["type"]), (status, &json!(kind)), "{act:?}");
        assert!(answer.head.contains("x-should-retry: false"), "it was tried often enough here");
        assert_eq!(
            house.pass.last_error().is_some(),
            status != 400,
            "a bad request is the agent's own: {act:?}"
        );
        assert!(house.memory.calls()[0].error.is_some());
        assert!(!answer.body.contains("sk-very-secret"));
        let mapped =
            house.post("/v1/messages", &json!({"model": "mine", "messages": [], "max_tokens": 5})).await;
        assert_eq!(mapped.json()["type"], "error", "in the words of the client's own API");
    }
}

#[tokio::test]
async fn a_stream_that_breaks_off_breaks_off_for_the_client_too() {
    let act = Act::BreakOff("Thought: this goes on for quite a while. Action: Click [3]".into());
    let house = House::new(act, Provider::Anthropic, Limits { calls: Some(5), ..Limits::default() }).await;
    let (client, _) = house.client(Provider::Anthropic, true);
    let reply = client.ask(&prompt("Go."), soon()).await;
    assert!(matches!(reply, Err(AskError::Unavailable(_))), "{reply:?}");
    let calls = house.memory.calls();
    assert!(calls[0].error.as_ref().is_some_and(|error| error.contains("broke off")), "{calls:?}");
    assert_eq!((calls[0].usage, calls[0].cost), (None, None), "what it took is not known");
    assert!(matches!(house.pass.last_error(), Some(AskError::Unavailable(_))), "and the attempt knows of it");
}

#[tokio::test]
async fn a_client_that_leaves_is_recorded_and_charged() {
    for stream in [false, true] {
        let slow = Act::Answer(counted("late")).after(Duration::from_secs(2));
        let house = House::new(slow, Provider::OpenAi, Limits::default()).await;
        let (client, _) = house.client(Provider::OpenAi, stream);
        let question = prompt("Go.");
        let arrived = async {
            while house.provider.asked().is_empty() {
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
        };
        tokio::select! {
            reply = client.ask(&question, soon()) => panic!("the client waited: {reply:?}"),
            () = arrived => {}
        }
        let give_up = soon();
        while house.memory.calls().is_empty() && !give_up.passed() {
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        let calls = house.memory.calls();
        assert_eq!(calls.len(), 1, "the call was made, so it counts");
        if !stream {
            assert_eq!((calls[0].usage, calls[0].cost), (counted("").usage, Some(UsdMicros(150))));
        }
    }
}

#[tokio::test]
async fn a_key_that_the_provider_repeats_goes_no_further() {
    let body = r#"{"error":{"message":"No such key: sk-very-secret"}}"#;
    for status in [400, 401, 500] {
        let act = Act::Status { status, retry_after: None, body: body.into() };
        let house = House::new(act, Provider::OpenAi, Limits::default()).await;
        let answer = house.post("/v1/chat/completions", &json!({"model": "mine", "messages": []})).await;
        assert!(answer.body.contains("No such key") && !answer.body.contains("sk-very"), "{}", answer.body);
        assert!(!house.memory.everything().contains("sk-very"));
        assert!(!format!("{:?}", house.pass.last_error()).contains("sk-very"));
    }
}

/// The metered fake price of a dollar for a million tokens: 150 millionths a call.
#[tokio::test]
async fn a_budget_binds_before_the_call() {
    let limits = Limits { money: Some(UsdMicros(1000)), ..Limits::default() };
    for (path, body, kind) in [
        ("/v1/chat/completions", json!({"model": "mine", "messages": [], "max_tokens": 30}), "/error/type"),
        ("/v1/responses", json!({"model": "mine", "input": "a", "max_output_tokens": 30}), "/error/type"),
        ("/v1/messages", json!({"model": "mine", "messages": [], "max_tokens": 30}), "/error/type"),
        ("/v1beta/models/mine:generateContent", json!({"contents": []}), "/error/status"),
    ] {
        let house = House::new(Act::Answer(counted("yes")), Provider::OpenAi, limits).await;
        let mut answered = 0;
        let refused = loop {
            let answer = house.post(path, &body).await;
            if answer.status != 200 {
                break answer;
            }
            answered += 1;
        };
        // 6 × 150 = 900 is below 1000, 7 × 150 = 1050 is not.
        assert_eq!((answered, refused.status), (7, 402), "{path}");
        assert_eq!(refused.json().pointer(kind), Some(&json!("budget_exceeded")), "{path}");
        assert!(refused.body.contains("$0.00105 of $0.001 of the attempt budget"), "{}", refused.body);
        assert_eq!(house.provider.asked().len(), 7, "the refused call never left");
        assert!(matches!(house.pass.last_error(), Some(AskError::Budget(_))));
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn fifty_agents_at_once_pass_the_runs_budget_by_one_call_at_most() {
    // $0.10 at 150 millionths a call is spent by the 667th, and at 3,120 millionths by the 33rd.
    for (replies, calls) in [(1, 667), (100, 33)] {
        let cost = 120 + 30 * replies;
        let (answered, spent) = fifty_agents(replies).await;
        println!("{answered} calls of {replies} replies came to {spent}");
        assert_eq!(answered, calls);
        assert!(spent >= UsdMicros(100_000) && spent < UsdMicros(100_000 + cost), "{spent}");
    }
}

/// Fifty agents that ask for so many replies at once until nothing is left of $0.10: the calls that were answered, and what
/// was spent.
async fn fifty_agents(replies: u64) -> (u64, UsdMicros) {
    let usage = Usage { input: 120, output: 30 * replies, ..Usage::default() };
    let answer = Act::Answer(Answer { usage: Some(usage), ..Answer::text("yes") });
    let provider = ScriptedProvider::start(answer.after(Duration::from_millis(5))).await.expect("started");
    let spec = ModelSpec {
        price: Some(dollar_a_token()),
        concurrency: Some(50),
        ..provider.model(Provider::OpenAi, "m")
    };
    let gateway = gateway([("mine", spec)], &GatewayOptions::default());
    let server = GatewayServer::start(gateway).await.expect("started");
    let run = Budget::new("run", Limits { money: Some(UsdMicros(100_000)), ..Limits::default() });
    let mut agents = tokio::task::JoinSet::new();
    for number in 0..50 {
        let caller =
            Caller::new(format!("attempt-{number}"), vec![Arc::clone(&run)], Arc::new(Memory::default()));
        let pass = server
            .admit(caller, vec!["mine".into()], Deadline::after(Duration::from_mins(1)))
            .expect("admitted");
        agents.spawn(async move {
            let url = format!("{}/chat/completions", pass.openai_base_url());
            let bearer = format!("Bearer {}", pass.key());
            let messages = json!([{"role": "user", "content": "a"}]);
            let body =
                json!({"model": "mine", "messages": messages, "max_tokens": 30, "n": replies}).to_string();
            let mut answered = 0_u64;
            while send("POST", &url, &[("authorization", &bearer)], &body).await.status == 200 {
                answered += 1;
            }
            answered
        });
    }
    let answered: u64 = agents.join_all().await.into_iter().sum();
    (answered, run.spent().money)
}

#[tokio::test]
async fn what_is_not_in_a_request_is_not_read_on_a_budget_in_money() {
    let picture = json!({"type": "image_url", "image_url": {"url": "https://example.org/a.png"}});
    let question = json!({"model": "mine", "messages": [{"role": "user", "content": [picture]}]});
    let follow_up = json!({"model": "mine", "input": "Go on.", "previous_response_id": "r-1"});
    for (money, expected) in [(Some(UsdMicros(1_000_000)), 400), (None, 200)] {
        let house =
            House::new(Act::Answer(counted("yes")), Provider::OpenAi, Limits { money, ..Limits::default() })
                .await;
        for (path, body) in [("/v1/chat/completions", &question), ("/v1/responses", &follow_up)] {
            let answer = house.post(path, body).await;
            assert_eq!(answer.status, expected, "{path}: {}", answer.body);
        }
        assert_eq!(house.pass.last_error(), None, "a request of that kind is the agent's own");
        assert_eq!(house.provider.asked().len(), if expected == 200 { 2 } else { 0 });
    }
}

#[tokio::test]
async fn tools_are_translated_there_and_back() {
    let script = Script::new(|asked: &Asked| {
        if asked.text().contains("The cart is open.") {
            return Act::say("Done.");
        }
        let arguments = json!({"where": "cart"});
        let call = ToolCall { id: "call-1".into(), name: "go".into(), arguments, signature: None };
        Act::Answer(Answer { tool_calls: vec![call], ..counted("") })
    });
    let house = House::new(script, Provider::Anthropic, Limits::default()).await;
    let schema = json!({"type": "object", "properties": {"where": {"type": "string"}}});
    let tools = json!([{"type": "function", "function": {"name": "go", "parameters": schema}}]);
    let question = json!({"role": "user", "content": "Open the cart."});
    let body = json!({"model": "mine", "messages": [question], "tools": tools, "tool_choice": "required"});
    let called = house.post("/v1/chat/completions", &body).await.json();
    let choice = &called["choices"][0];
    assert_eq!(choice["finish_reason"], "tool_calls");
    assert_eq!(
        choice["message"]["tool_calls"][0]["function"],
        json!({"name": "go", "arguments": "{\"where\":\"cart\"}"})
    );
    let sent = &house.provider.asked()[0].body;
    assert_eq!((&sent["tool_choice"], &sent["tools"][0]["input_schema"]), (&json!({"type": "any"}), &schema));
    let result = json!({"role": "tool", "tool_call_id": "call-1", "content": "The cart is open."});
    let body = json!({"model": "mine", "messages": [question, choice["message"], result], "tools": tools});
    let done = house.post("/v1/chat/completions", &body).await.json();
    assert_eq!(done["choices"][0]["message"]["content"], "Done.");
    let sent = &house.provider.asked()[1].body["messages"][2]["content"][0];
    assert_eq!(
        sent,
        &json!({"type": "tool_result", "tool_use_id": "call-1", "content": "The cart is open."})
    );
}

/// Gemini refuses a history whose calls come back without the signatures it gave them.
#[tokio::test]
async fn thought_signatures_of_gemini_come_back_with_their_calls() {
    let script = Script::new(|asked: &Asked| {
        if asked.text().contains("The cart is open.") {
            return Act::say("Done.");
        }
        let calls = ["cart", "list"].map(|place| ToolCall {
            id: format!("call-{place}"),
            name: "go".into(),
            arguments: json!({"where": place}),
            signature: (place == "cart").then(|| "c2lnbmVk".to_owned()),
        });
        Act::Answer(Answer { tool_calls: calls.into(), ..counted("") })
    });
    let house = House::new(script, Provider::Gemini, Limits::default()).await;
    let question = json!({"role": "user", "content": "Open the cart."});
    let tools = json!([{"type": "function", "function": {"name": "go", "parameters": {"type": "object"}}}]);
    for (number, streams) in [false, true].into_iter().enumerate() {
        let body = json!({"model": "mine", "messages": [question], "tools": tools, "stream": streams});
        let called = house.post("/v1/chat/completions", &body).await;
        assert!(!called.body.contains("c2lnbmVk"), "chat completions have no place for it: {}", called.body);
        let said = json!({"role": "assistant", "tool_calls": [
            {"id": "call-cart", "type": "function", "function": {"name": "go", "arguments": "{\"where\": \"cart\"}"}},
            {"id": "call-list", "type": "function", "function": {"name": "go", "arguments": "{\"where\": \"list\"}"}},
        ]});
        let result = json!({"role": "tool", "tool_call_id": "call-cart", "content": "The cart is open."});
        let body = json!({"model": "mine", "messages": [question, said, result], "tools": tools});
        house.post("/v1/chat/completions", &body).await;
        let parts = &house.provider.asked()[2 * number + 1].body["contents"][1]["parts"];
        let signatures = (&parts[0]["thoughtSignature"], &parts[1]["thoughtSignature"]);
        assert_eq!(signatures, (&json!("c2lnbmVk"), &Value::Null), "{parts}");
    }
    // A client of Gemini's own gets and brings them itself.
    let part = json!({"thoughtSignature": "bWluZQ==", "functionCall": {"name": "go", "args": {}}});
    let body = json!({"contents": [{"role": "user", "parts": [{"text": "Open it."}]}, {"role": "model", "parts": [part]}]});
    let key = house.pass.key().to_owned();
    let url = format!("{}/v1beta/models/mine:generateContent", house.pass.gemini_base_url());
    let answer = send("POST", &url, &[("x-goog-api-key", &key)], &body.to_string()).await.json();
    assert_eq!(answer["candidates"][0]["content"]["parts"][0]["thoughtSignature"], "c2lnbmVk", "{answer}");
    let sent = &house.provider.asked()[4].body;
    assert_eq!(sent["contents"][1]["parts"][0]["thoughtSignature"], "bWluZQ==", "{sent}");
}

#[tokio::test]
async fn an_agent_is_admitted_only_where_its_budget_can_bind() {
    let house = House::new(Act::say("yes"), Provider::OpenAi, Limits::default()).await;
    let (stranger, _) = caller(Limits::default());
    assert!(house.server.admit(stranger, vec!["no-such-model".into()], soon()).is_err());
    let variables = house.pass.environment();
    let value =
        |name: &str| variables.iter().find(|(found, _)| *found == name).map(|(_, value)| value.as_str());
    assert_eq!(value("OPENAI_API_KEY"), Some(house.pass.key()));
    assert!(
        value("OPENAI_BASE_URL")
            .is_some_and(|url| url.starts_with("http://127.0.0.1:") && url.ends_with("/v1"))
    );
    assert_eq!(value("UMPIRE_MODEL"), Some("mine"));
    assert_eq!(house.gateway.names().collect::<Vec<_>>(), ["mine", "not-mine"]);
}
