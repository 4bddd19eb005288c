//! The MCP server against a loop that is not the runner's, over both transports.

mod support;

use std::sync::Arc;

use http::{Method, StatusCode};
use serde_json::{Value, json};
use support::{ENTRY, FakeDesk, Shelf, ask};
use tokio::io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader};
use umpire_door::{About, Mcp, Reception, Wish, serve_lines};

fn door() -> (Arc<FakeDesk>, Mcp) {
    door_with(About { intent: Some("What does the lamp cost?".to_owned()), history: true })
}

fn door_with(about: About) -> (Arc<FakeDesk>, Mcp) {
    door_of(FakeDesk::default(), about)
}

fn door_of(desk: FakeDesk, about: About) -> (Arc<FakeDesk>, Mcp) {
    let desk = Arc::new(desk);
    let reception: Arc<dyn Reception> = Arc::<FakeDesk>::clone(&desk);
    (desk, Mcp::new(reception, Wish::default(), about))
}

fn request(method: &str, params: &Value) -> Value {
    json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params})
}

struct Client<'m> {
    mcp: &'m Mcp,
    session: String,
}

impl<'m> Client<'m> {
    async fn connect(mcp: &'m Mcp) -> Self {
        let hello = request("initialize", &json!({"protocolVersion": "2025-06-18", "capabilities": {}}));
        let (status, answer, headers) = ask(mcp, Method::POST, "/mcp", &[], hello.to_string()).await;
        assert_eq!(status, StatusCode::OK, "{answer}");
        assert_eq!(answer["result"]["protocolVersion"], "2025-06-18");
        assert!(
            answer["result"]["instructions"]
                .as_str()
                .is_some_and(|text| text.contains("What does the lamp cost?"))
        );
        let session = headers["mcp-session-id"].to_str().expect("a name").to_owned();
        let told = json!({"jsonrpc": "2.0", "method": "notifications/initialized"});
        let client = Self { mcp, session };
        let (status, _, _) = ask(mcp, Method::POST, "/mcp", &client.header(), told.to_string()).await;
        assert_eq!(status, StatusCode::ACCEPTED);
        client
    }

    fn header(&self) -> [(&str, &str); 1] {
        [("mcp-session-id", &self.session)]
    }

    async fn ask(&self, method: &str, params: &Value) -> Value {
        let message = request(method, params).to_string();
        ask(self.mcp, Method::POST, "/mcp", &self.header(), message).await.1
    }

    /// Text of the result, and whether it is an error.
    async fn call(&self, tool: &str, arguments: Value) -> (String, bool) {
        let answer = self.ask("tools/call", &json!({"name": tool, "arguments": arguments})).await;
        let result = &answer["result"];
        (result["content"][0]["text"].as_str().unwrap_or_default().to_owned(), result["isError"] == true)
    }
}

#[tokio::test]
async fn tools_act_and_every_one_shows_the_page() {
    let (desk, mcp) = door();
    let client = Client::connect(&mcp).await;
    assert_eq!(client.ask("ping", &json!({})).await["result"], json!({}));
    let tools = client.ask("tools/list", &json!({})).await;
    let names: Vec<&str> = tools["result"]["tools"]
        .as_array()
        .expect("a list")
        .iter()
        .filter_map(|tool| tool["name"].as_str())
        .collect();
    for wanted in ["browser_navigate", "browser_click", "browser_snapshot", "search_history", "submit_answer"]
    {
        assert!(names.contains(&wanted), "{names:?}");
    }
    assert!(!names.iter().any(|name| name.contains("evaluate") || name.contains("run_code")), "{names:?}");
    assert_eq!(desk.decided(), [] as [String; 0], "nothing has begun");

    let (task, _) = client.call("get_task", json!({})).await;
    assert!(task.starts_with("What does the lamp cost?") && task.contains("6 actions"), "{task}");
    let (page, is_error) = client.call("browser_snapshot", json!({})).await;
    let expected = "### Page\n- Page URL: http://shop.localhost/\n- Page Title: Shop\n### Snapshot\n```yaml\n\
                    - link \"Lamp\" [ref=e1]\n- textbox \"Search\" [ref=e2]\n- text: 24.99 EUR\n```";
    assert_eq!((page.as_str(), is_error), (expected, false));
    client.call("browser_click", json!({"element": "the lamp", "ref": "e1"})).await;
    let (page, is_error) = client.call("browser_navigate_back", json!({})).await;
    assert!(is_error && page.starts_with("### Error\nthere is no page to go back to\n"), "{page}");
    let (page, is_error) = client.call("browser_click", json!({"ref": "e9"})).await;
    assert!(!is_error, "whether it is there is the loop's to say: {page}");
    let (over, is_error) = client.call("submit_answer", json!({"results": ["24.99"]})).await;
    assert_eq!((over.as_str(), is_error), ("The attempt is over.", false));
    let (over, is_error) = client.call("browser_snapshot", json!({})).await;
    assert!(over.contains("The attempt is over"), "{over} {is_error}");
    let told = desk.decided();
    assert_eq!(told[..4], ["wait 0ms", "click [1] because the lamp", "back", "click [9]"]);
    assert!(told[4].contains("\"results\":[\"24.99\"]"), "{told:?}");
}

#[tokio::test]
async fn pictures_waits_tabs_and_forms() {
    let (desk, mcp) = door();
    let client = Client::connect(&mcp).await;
    let shot = client.ask("tools/call", &json!({"name": "browser_take_screenshot"})).await;
    assert_eq!(
        shot["result"]["content"][0],
        json!({"type": "image", "data": "anBlZw==", "mimeType": "image/jpeg"})
    );
    let (_, is_error) = client.call("browser_wait_for", json!({"text": "24.99"})).await;
    assert!(!is_error);
    let form = json!({"fields": [{"name": "q", "type": "textbox", "ref": "e2", "value": "x"}]});
    client.call("browser_fill_form", form).await;
    client.call("browser_tabs", json!({"action": "select", "index": 1})).await;
    assert_eq!(desk.decided(), ["wait 0ms", "wait 0ms", "type [2] \"x\"", "tab 2"]);
    for (tool, arguments, reason) in [
        ("browser_tabs", json!({"action": "select"}), "`index`"),
        ("browser_wait_for", json!({}), "say what to wait for"),
        ("browser_file_upload", json!({"paths": ["cv.pdf"]}), "click the file field first"),
    ] {
        let (said, is_error) = client.call(tool, arguments).await;
        assert!(is_error && said.contains(reason), "{tool}: {said}");
    }
    let (said, _) = client.call("browser_handle_dialog", json!({"accept": true})).await;
    assert!(said.contains("none is waiting"), "{said}");
}

#[tokio::test]
async fn nonsense_gets_the_protocols_own_no() {
    let (_, mcp) = door();
    let client = Client::connect(&mcp).await;
    for (method, params, code) in [
        ("tools/call", json!({}), -32602),
        ("tools/call", json!({"name": "browser_evaluate"}), -32602),
        ("tools/call", json!({"name": "browser_click", "arguments": []}), -32602),
        ("resources/list", json!({}), -32601),
    ] {
        assert_eq!(client.ask(method, &params).await["error"]["code"], code, "{method} {params}");
    }
    let unknown = [("mcp-session-id", "nobody")];
    for (method, headers, body, status) in [
        (Method::POST, &unknown[..], request("ping", &json!({})).to_string(), 404),
        (Method::POST, &[][..], request("ping", &json!({})).to_string(), 400),
        (Method::GET, &unknown[..], String::new(), 405),
        (Method::DELETE, &unknown[..], String::new(), 404),
    ] {
        let (got, answer, _) = ask(&mcp, method.clone(), "/mcp", headers, body).await;
        assert_eq!(got.as_u16(), status, "{method}: {answer}");
    }
}

#[tokio::test]
async fn a_client_that_ends_its_session_ends_its_attempt() {
    let (desk, mcp) = door();
    let client = Client::connect(&mcp).await;
    client.call("browser_snapshot", json!({})).await;
    let (status, _, _) = ask(&mcp, Method::DELETE, "/mcp", &client.header(), "").await;
    assert_eq!(status, StatusCode::OK);
    while desk.decided().len() < 2 {
        tokio::task::yield_now().await;
    }
    assert_eq!(desk.decided()[1], "the client went away");
}

#[tokio::test]
async fn clients_that_never_end_their_sessions_do_not_keep_others_out() {
    let (desk, mcp) = door();
    let playing = Client::connect(&mcp).await;
    playing.call("browser_snapshot", json!({})).await;
    for _ in 0..70 {
        let client = Client::connect(&mcp).await;
        client.call("submit_answer", json!({"results": ["24.99"]})).await;
    }
    for _ in 0..70 {
        Client::connect(&mcp).await;
    }
    playing.call("browser_navigate_back", json!({})).await;
    assert_eq!(desk.decided().last().map(String::as_str), Some("back"), "an attempt under way stays");
}

#[tokio::test]
async fn over_a_pipe_messages_are_lines() {
    let desk = Arc::new(FakeDesk::default());
    let (ours, theirs) = tokio::io::duplex(1 << 16);
    let (input, output) = tokio::io::split(theirs);
    let reception: Arc<dyn Reception> = Arc::<FakeDesk>::clone(&desk);
    let serving = tokio::spawn(serve_lines(
        reception,
        Wish::default(),
        About::default(),
        BufReader::new(input),
        output,
    ));
    let (answers, mut asking) = tokio::io::split(ours);
    let mut answers = BufReader::new(answers).lines();
    let lines = [
        request("initialize", &json!({"protocolVersion": "1999-01-01"})).to_string(),
        String::new(),
        json!({"jsonrpc": "2.0", "method": "notifications/initialized"}).to_string(),
        "not JSON".to_owned(),
        request("tools/call", &json!({"name": "browser_click", "arguments": {"ref": "e1"}})).to_string(),
    ];
    asking.write_all((lines.join("\n") + "\n").as_bytes()).await.expect("sent");
    let mut next = async || {
        let line = answers.next_line().await.expect("readable").expect("a line");
        serde_json::from_str::<Value>(&line).expect("JSON")
    };
    assert_eq!(
        next().await["result"]["protocolVersion"],
        "2025-11-25",
        "the newest, where theirs is not known"
    );
    assert_eq!(next().await["error"]["code"], -32700);
    assert_eq!(next().await["result"]["isError"], false);
    asking.shutdown().await.expect("closed");
    serving.await.expect("no panic").expect("served");
    while desk.decided().len() < 2 {
        tokio::task::yield_now().await;
    }
    assert_eq!(desk.decided(), ["click [1]", "the client went away"]);
}

#[tokio::test]
async fn a_history_that_is_not_there_is_not_offered() {
    let (_, mcp) = door_with(About { intent: Some("What does the lamp cost?".to_owned()), history: false });
    let client = Client::connect(&mcp).await;
    let tools = client.ask("tools/list", &json!({})).await.to_string();
    assert!(tools.contains("submit_answer") && !tools.contains("search_history"), "{tools}");
    let answer =
        client.ask("tools/call", &json!({"name": "search_history", "arguments": {"query": "x"}})).await;
    assert!(answer["error"]["message"].as_str().is_some_and(|text| text.contains("no tool")), "{answer}");
}

#[tokio::test]
async fn a_history_is_a_tool_until_it_is_spent() {
    let shelf = Shelf::asked_at_most(2);
    let desk = FakeDesk { memory: Some(Arc::clone(&shelf)), ..FakeDesk::default() };
    let about = About { intent: Some("What does the lamp cost?".to_owned()), history: true };
    let (desk, mcp) = door_of(desk, about);
    let client = Client::connect(&mcp).await;
    for (query, expected, refused) in [
        ("which milk", ENTRY, false),
        ("size of shirts", "Nothing in the history is like that.", false),
        ("which milk", "the history has been asked 2 times, which is all there may be", true),
    ] {
        let (said, is_error) =
            client.call("search_history", json!({"query": query, "reason": "it is unsaid"})).await;
        assert!(said.contains(expected) && is_error == refused, "{query}: {said}");
    }
    let told = shelf.told();
    assert_eq!(told.iter().map(|(.., hits, _)| *hits).collect::<Vec<_>>(), [1, 0, 0]);
    assert!(told.iter().all(|(_, reason, ..)| reason.as_deref() == Some("it is unsaid")), "{told:?}");
    assert_eq!(desk.decided(), [] as [String; 0], "looking up is no step");
}
