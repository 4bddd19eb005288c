//! The step API against a loop that is not the runner's: what goes in, what comes out, what is refused.

mod support;

use std::sync::Arc;
use std::sync::atomic::AtomicU32;
use std::time::Duration;

use http::{Method, StatusCode};
use serde_json::{Value, json};
use support::{ENTRY, FakeDesk, Shelf, ask};
use umpire_agents::Memory;
use umpire_door::{History, Reception, Steps};
use umpire_model::Deadline;

fn door() -> (Arc<FakeDesk>, Steps) {
    door_of(FakeDesk::default())
}

fn door_of(desk: FakeDesk) -> (Arc<FakeDesk>, Steps) {
    let desk = Arc::new(desk);
    let reception: Arc<dyn Reception> = Arc::<FakeDesk>::clone(&desk);
    (desk, Steps::new(reception))
}

async fn post(steps: &Steps, path: &str, body: Value) -> (StatusCode, Value) {
    let (status, answer, _) = ask(steps, Method::POST, path, &[], body.to_string()).await;
    (status, answer)
}

async fn get(steps: &Steps, path: &str) -> (StatusCode, Value) {
    let (status, answer, _) = ask(steps, Method::GET, path, &[], "").await;
    (status, answer)
}

#[tokio::test]
async fn an_attempt_goes_from_reset_to_reward() {
    let (desk, steps) = door();
    let (status, begun) = post(&steps, "/reset", json!({"instance": "lamp"})).await;
    assert_eq!(status, StatusCode::OK, "{begun}");
    let session = begun["session"].as_str().expect("a session").to_owned();
    let seen = &begun["observation"];
    assert_eq!(seen["goal"], "What does the lamp cost?");
    assert_eq!(
        seen["elements"][0],
        json!({
            "mark": 1, "role": "link", "name": "Lamp", "tag": "", "visible": true,
            "rect": {"x": 10.0, "y": 20.0, "width": 80.0, "height": 18.0},
        })
    );
    assert_eq!(
        seen["axtree_txt"],
        "RootWebArea 'Shop'\n\t[1] link 'Lamp'\n\t[2] textbox 'Search'\n\tStaticText '24.99 EUR'\n"
    );
    assert_eq!(seen["screenshot"], "anBlZw==", "`jpeg` in base64");
    assert_eq!((&begun["done"], &begun["reward"]), (&json!(false), &json!(0.0)));

    let step = |action: &str| json!({"session": session, "action": action, "screenshot": "none"});
    let (_, after) = post(&steps, "/step", step("fill('2', 'lamp')\nclick [1]")).await;
    assert_eq!(
        (&after["observation"]["step"], &after["observation"]["screenshot"]),
        (&json!(2), &Value::Null)
    );
    let (_, after) = post(&steps, "/step", step("go_back()")).await;
    assert_eq!(after["observation"]["last_action_error"], "there is no page to go back to");
    assert_eq!(after["observation"]["last_action"], "go_back()");
    let (_, after) = post(&steps, "/step", step("fly('home')")).await;
    assert_eq!(after["observation"]["last_action_error"], "there is no action `fly` here");
    let (_, state) = get(&steps, &format!("/state?session={session}")).await;
    assert_eq!((&state["step_count"], &state["done"]), (&json!(4), &json!(false)));
    let (_, ended) = post(&steps, "/step", step("send_msg_to_user('24.99')")).await;
    assert_eq!(
        (&ended["done"], &ended["terminated"], &ended["truncated"], &ended["reward"], &ended["outcome"]),
        (&json!(true), &json!(true), &json!(false), &json!(1.0), &json!("pass"))
    );
    let (_, again) = get(&steps, &format!("/observe?session={session}&screenshot=none")).await;
    assert_eq!(again["outcome"], "pass", "how it ended can be asked again");
    let told = desk.decided();
    assert_eq!(
        told[..4],
        ["type [2] \"lamp\"", "back", "lost", told[3].as_str()].map(str::to_owned),
        "{told:?}"
    );
}

#[tokio::test]
async fn several_moves_stop_at_the_first_that_fails() {
    let (desk, steps) = door();
    post(&steps, "/reset", json!({})).await;
    let (_, after) =
        post(&steps, "/step", json!({"action": "click('1')\ngo_back()\nclick('2')", "thought": "why not"}))
            .await;
    assert_eq!(after["observation"]["last_action_error"], "there is no page to go back to");
    assert_eq!(desk.decided(), ["click [1] because why not", "back"]);
}

#[tokio::test]
async fn openenv_clients_are_served_without_a_session() {
    let (_, steps) = door();
    post(&steps, "/reset", json!({"seed": 3, "episode_id": "x"})).await;
    let (status, after) =
        post(&steps, "/step", json!({"action": {"action_str": "click('1')"}, "timeout_s": 5})).await;
    assert_eq!((status, &after["done"]), (StatusCode::OK, &json!(false)), "{after}");
    let (_, state) = get(&steps, "/state").await;
    assert_eq!(state["step_count"], 2);
    post(&steps, "/reset", json!({})).await;
    let (status, refused) = get(&steps, "/state").await;
    assert_eq!(
        (status, &refused["error"]),
        (StatusCode::CONFLICT, &json!("2 sessions are open; name yours"))
    );
}

#[tokio::test]
async fn an_attempt_without_actions_left_is_truncated_and_one_that_is_left_is_stopped() {
    let (desk, steps) = door();
    post(&steps, "/reset", json!({})).await;
    let flood = "click('1')\n".repeat(9);
    let (_, ended) = post(&steps, "/step", json!({"action": flood})).await;
    assert_eq!((&ended["truncated"], &ended["terminated"]), (&json!(true), &json!(false)), "{ended}");
    assert_eq!((&ended["reward"], &ended["reason"]), (&json!(0.0), &json!("its actions are used up")));
    let (_, begun) = post(&steps, "/reset", json!({})).await;
    let (_, closed) = post(&steps, "/close", json!({"session": begun["session"]})).await;
    assert_eq!((&closed["terminated"], &closed["outcome"]), (&json!(true), &json!("fail")));
    assert_eq!(desk.decided().last().map(String::as_str), Some("the client closed the session"));
    let (status, _) = post(&steps, "/step", json!({"session": begun["session"], "action": "noop()"})).await;
    assert_eq!(status, StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn a_client_that_hangs_up_in_the_middle_finds_its_session_as_it_is() {
    let (_, steps) = door();
    let (_, begun) = post(&steps, "/reset", json!({})).await;
    {
        // Polled once, so that the action is on its way, then dropped.
        let mut asking = std::pin::pin!(post(&steps, "/step", json!({"action": "click('1')"})));
        let once = std::future::poll_fn(|context| {
            std::task::Poll::Ready(asking.as_mut().poll(context).is_pending())
        });
        assert!(once.await, "the loop has not answered yet");
    }
    let (_, seen) =
        get(&steps, &format!("/observe?session={}", begun["session"].as_str().expect("a name"))).await;
    assert_eq!(seen["observation"]["step"], 2);
}

#[tokio::test]
async fn nonsense_gets_a_clear_no() {
    let (_, steps) = door();
    for (method, path, body, status) in [
        (Method::POST, "/reset", "{\"instance\": \"gone\"}", 404),
        (Method::POST, "/reset", "{\"instance\": \"full\"}", 503),
        (Method::POST, "/reset", "{\"instance\": \"done\"}", 409),
        (Method::POST, "/reset", "{\"sead\": 1}", 400),
        (Method::POST, "/reset", "[", 400),
        (Method::POST, "/step", "{}", 400),
        (Method::POST, "/step", "{\"action\": \"noop()\"}", 404),
        (Method::POST, "/step", "{\"session\": \"9\", \"action\": \"noop()\"}", 404),
        (Method::POST, "/step", "{\"session\": \"x\", \"action\": 3}", 400),
        (Method::GET, "/observe?session=-1", "", 404),
        (Method::GET, "/reset", "", 405),
        (Method::GET, "/world", "", 404),
    ] {
        let (got, answer, _) = ask(&steps, method.clone(), path, &[], body).await;
        assert_eq!(got.as_u16(), status, "{method} {path} {body}: {answer}");
        assert!(answer["error"].is_string(), "{answer}");
    }
}

/// What is asked of a history of one entry and two accesses, and what comes back: found, not found, refused.
fn three_questions() -> [(Value, StatusCode, Value); 3] {
    let spent = "the history has been asked 2 times, which is all there may be";
    [
        (json!({"query": "which milk", "reason": "the wish does not say"}), StatusCode::OK, json!([ENTRY])),
        (json!({"query": "size of shirts"}), StatusCode::OK, json!([])),
        (json!({"query": "which milk"}), StatusCode::TOO_MANY_REQUESTS, json!(spent)),
    ]
}

fn assert_all_is_written_down(shelf: &Shelf) {
    let told = shelf.told();
    let queries: Vec<&str> = told.iter().map(|(query, ..)| query.as_str()).collect();
    assert_eq!(queries, ["which milk", "size of shirts", "which milk"]);
    assert_eq!(told[0].1.as_deref(), Some("the wish does not say"));
    assert_eq!(told.iter().map(|(.., hits, _)| *hits).collect::<Vec<_>>(), [1, 0, 0]);
    assert!(told[..2].iter().all(|(.., error)| error.is_none()));
    assert!(told[2].3.as_deref().is_some_and(|error| error.contains("2 times")), "{told:?}");
}

#[tokio::test]
async fn a_history_is_asked_without_a_turn_until_it_is_spent() {
    let shelf = Shelf::asked_at_most(2);
    let (desk, steps) = door_of(FakeDesk { memory: Some(Arc::clone(&shelf)), ..FakeDesk::default() });
    let (_, begun) = post(&steps, "/reset", json!({})).await;
    for (mut question, status, expected) in three_questions() {
        question["session"] = begun["session"].clone();
        let (got, answer) = post(&steps, "/history", question).await;
        let said = if status == StatusCode::OK { &answer["entries"] } else { &answer["error"] };
        assert_eq!((got, said), (status, &expected), "{answer}");
    }
    assert_all_is_written_down(&shelf);
    let (_, state) = get(&steps, "/state").await;
    assert_eq!((&state["step_count"], desk.decided().len()), (&json!(1), 0), "looking up is no step");
}

#[tokio::test]
async fn a_task_for_nobody_has_no_history() {
    let (_, steps) = door();
    post(&steps, "/reset", json!({})).await;
    let (status, answer) = post(&steps, "/history", json!({"query": "which milk"})).await;
    assert_eq!(status, StatusCode::NOT_FOUND);
    assert_eq!(answer["error"], "there is no history that could be asked in this task");
}

#[tokio::test]
async fn a_history_alone_answers_as_that_of_the_step_api_does() {
    let shelf = Shelf::asked_at_most(2);
    let memory: Arc<dyn Memory> = Arc::<Shelf>::clone(&shelf);
    let history = History::new(memory, Arc::new(AtomicU32::new(4)), Deadline::after(Duration::from_mins(1)));
    for (question, status, expected) in three_questions() {
        let (got, answer, _) = ask(&history, Method::POST, "/history", &[], question.to_string()).await;
        let said = if status == StatusCode::OK { &answer["entries"] } else { &answer["error"] };
        assert_eq!((got, said), (status, &expected), "{answer}");
    }
    assert_all_is_written_down(&shelf);
    let steps: Vec<u32> = shelf.accesses.lock().expect("not poisoned").iter().map(|one| one.step).collect();
    assert_eq!(steps, [4, 4, 4], "each says when it was asked");
    for (method, path, body, status) in [
        (Method::GET, "/history", "", 405),
        (Method::POST, "/", "{\"query\": \"milk\"}", 404),
        (Method::POST, "/history", "{}", 400),
        (Method::POST, "/history", "{\"query\": \"milk\", \"who\": 1}", 400),
    ] {
        let (got, answer, _) = ask(&history, method.clone(), path, &[], body).await;
        assert_eq!(got.as_u16(), status, "{method} {path} {body}: {answer}");
    }
}
