//! Replays in a real browser, on the built-in sites: the world's own state is the truth.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde_json::{Value, json};
use umpire_browser::{Handler, Pool};
use umpire_model::Instance;
use umpire_stage::Session;
use umpire_stage::replay::{Outcome, ReplayError, ReplayOptions, Replayed, Replayer, Secrets, Wanted};
use umpire_worlds::World;

use crate::support::by_hand::{by_hand, element, html, step};
use crate::support::recording::record;
use crate::support::{instances, pool, seat, seat_in, soon, world};

async fn replay(
    pool: &Pool,
    world: &Arc<World>,
    session: &Session,
    options: ReplayOptions<'_>,
) -> Result<Replayed, ReplayError> {
    let seat = seat_in(pool, world).await;
    let result = Replayer::new(&seat, options).replay(session, soon()).await;
    seat.close(soon()).await;
    result
}

/// Records a task in the state in which its reference changes something.
async fn recorded(pool: &Pool, file: &str, task: &str) -> (Instance, Session) {
    let instances = instances(file, task);
    let instance = instances.into_iter().max_by_key(|one| one.reference.len()).expect("an instance");
    let world = world(&instance.sites, &instance.world);
    let seat = seat_in(pool, &world).await;
    let (session, _) = record(&seat, &instance).await;
    seat.close(soon()).await;
    (instance, session)
}

fn birthday(on: bool) -> Arc<World> {
    world(&["hub".to_owned()], &json!({ "hub": { "privacy": { "show_birthday": on } } }))
}

fn shown(world: &World) -> Value {
    world.state()["hub"]["privacy"]["show_birthday"].clone()
}

#[tokio::test]
async fn a_box_behind_a_save_button_is_set_both_ways_and_read_back() {
    let pool = pool(1).await;
    let (_, session) = recorded(&pool, "hub", "hub-p-birthday").await;
    for (start, wanted, outcome) in [
        (true, true, Outcome::Already),
        (true, false, Outcome::Changed),
        (false, true, Outcome::Changed),
        (false, false, Outcome::Already),
    ] {
        let world = birthday(start);
        let state = if wanted { Wanted::On } else { Wanted::Off };
        let replayed = replay(&pool, &world, &session, ReplayOptions::new(state)).await.expect("replayed");
        assert_eq!(shown(&world), wanted, "{start} {wanted}");
        assert_eq!(replayed.steps[1].outcome, outcome, "{start} {wanted} {replayed:#?}");
        assert_eq!(replayed.verified.len(), 1);
        assert_eq!(replayed.healed().count(), 0, "{replayed:#?}");
    }
}

#[tokio::test]
async fn looking_only_changes_nothing_and_says_what_differs() {
    let pool = pool(1).await;
    let (_, session) = recorded(&pool, "hub", "hub-p-birthday").await;
    let looking = |wanted| ReplayOptions { verify_only: true, ..ReplayOptions::new(wanted) };
    let world = birthday(true);
    let before = world.state();
    let seen = replay(&pool, &world, &session, looking(Wanted::On)).await.expect("it is on");
    assert_eq!((seen.steps.len(), seen.verified.len()), (0, 1));
    let error = replay(&pool, &world, &session, looking(Wanted::Off)).await.expect_err("it is on");
    assert_eq!(
        error.to_string(),
        "step 2, click checkbox \"Show my birthday to contacts\": it was to be off and is on"
    );
    assert_eq!(world.state(), before);
}

#[tokio::test]
async fn a_site_that_forgets_is_no_silent_pass() {
    let pool = pool(1).await;
    let (_, session) = recorded(&pool, "hub", "hub-p-birthday").await;
    let world = birthday(true);
    let serving: Handler = {
        let world = Arc::clone(&world);
        Arc::new(move |mut request| {
            // Every form is taken, and nothing is kept.
            if request.method() == http::Method::POST {
                *request.method_mut() = http::Method::GET;
            }
            world.serve(request)
        })
    };
    let seat = seat(&pool, &world.hosts(), serving).await;
    let options = ReplayOptions::new(Wanted::Off);
    let error = Replayer::new(&seat, options).replay(&session, soon()).await.expect_err("nothing was kept");
    let ReplayError::Failed(failure) = error else { panic!("{error}") };
    assert_eq!((failure.step, failure.steps.len()), (2, 3));
    assert!(failure.problem.ends_with("is on after the page was loaded again"), "{failure}");
    assert!(failure.screenshot.is_some_and(|jpeg| jpeg.starts_with(&[0xff, 0xd8])));
    seat.close(soon()).await;
}

/// A site of two hosts: one that wants to be signed in to, and the one that knows the password.
#[derive(Default)]
struct Server {
    signed_in: bool,
    password: String,
    alerts: bool,
    wiped: bool,
}

const LOGIN: &str = r#"<h1>Id</h1><label>Password <input type=password></label>
    <button onclick="fetch('/check', { method: 'POST', body: document.querySelector('input').value }).then(() => { opener.location = 'http://site.localhost/'; close() })">Continue</button>"#;

fn served(server: &Arc<Mutex<Server>>) -> Handler {
    let server = Arc::clone(server);
    Arc::new(move |request| {
        let mut server = server.lock().expect("not poisoned");
        let said = String::from_utf8_lossy(request.body()).into_owned();
        match request.uri().path() {
            "/login" => return html(LOGIN),
            "/check" => (server.signed_in, server.password) = (true, said),
            "/alerts" => server.alerts = said == "true",
            "/wipe" => server.wiped = true,
            _ if server.signed_in => {
                let checked = if server.alerts { "checked" } else { "" };
                return html(&format!(
                    r#"<label><input type=checkbox {checked} onchange="fetch('/alerts', {{ method: 'POST', body: this.checked }})"> Alerts</label>
                    <button onclick="if (confirm('Really?')) fetch('/wipe', {{ method: 'POST' }})">Wipe</button>"#
                ));
            }
            _ => {
                return html(
                    r#"<button onclick="open('http://id.localhost/login', 'id', 'width=400,height=300')">Sign in with Id</button>"#,
                );
            }
        }
        html("")
    })
}

struct Vault;

impl Secrets for Vault {
    fn secret(&self, reference: &str) -> Option<String> {
        (reference == "accounts/id/password").then(|| "correct horse".to_owned())
    }
}

#[tokio::test]
async fn a_window_for_signing_in_is_followed_and_left_and_skipped_if_it_is_not_needed() {
    let click = || json!({ "do": "click" });
    let password = json!({ "tag": "input", "input_type": "password", "role": "textbox", "name": "Password", "locators": {}, "position": {} });
    let alerts = json!({ "tag": "input", "input_type": "checkbox", "role": "checkbox", "name": "Alerts", "locators": {}, "position": {}, "control": "checkbox" });
    let session = by_hand(&[
        step(1, &click(), &element("button", "button", "Sign in with Id"), "way"),
        step(
            2,
            &json!({ "do": "tab-opened", "by": 1, "url": "http://id.localhost/login" }),
            &Value::Null,
            "way",
        ),
        step(2, &json!({ "do": "type", "text": { "secret": "accounts/id/password" } }), &password, "way"),
        step(2, &click(), &element("button", "button", "Continue"), "way"),
        step(1, &click(), &alerts, "state"),
        step(1, &click(), &element("button", "button", "Wipe"), "way"),
        step(
            1,
            &json!({ "do": "dialog", "kind": "confirm", "message": "Really?", "accepted": false }),
            &Value::Null,
            "way",
        ),
    ]);
    let pool = pool(1).await;
    let server = Arc::new(Mutex::new(Server::default()));
    for (round, wanted) in [(1, Wanted::On), (2, Wanted::Off)] {
        let seat = seat(&pool, &["site.localhost", "id.localhost"], served(&server)).await;
        let options = ReplayOptions { secrets: &Vault, ..ReplayOptions::new(wanted.clone()) };
        let result = Replayer::new(&seat, options).replay(&session, soon()).await;
        let replayed = result.unwrap_or_else(|error| panic!("round {round}: {error}"));
        seat.close(soon()).await;
        let server = server.lock().expect("not poisoned");
        assert_eq!((server.password.as_str(), server.wiped), ("correct horse", false));
        assert_eq!(server.alerts, wanted == Wanted::On);
        let skipped: Vec<usize> = replayed
            .steps
            .iter()
            .filter(|report| matches!(report.outcome, Outcome::Skipped(_)))
            .map(|report| report.step)
            .collect();
        assert_eq!(skipped, if round == 1 { vec![] } else { vec![1, 2, 3, 4] }, "{replayed:#?}");
    }
}

#[tokio::test]
async fn a_box_that_only_has_a_class_is_set_as_the_recording_saw_it() {
    let pool = pool(1).await;
    let page = |on: bool| {
        let class = if on { "toggle is-on" } else { "toggle" };
        html(&format!(
            r#"<h1>Letters</h1><div tabindex=0 aria-label="Weekly letter" class="{class}" onclick="this.classList.toggle('is-on'); fetch('/set', {{ method: 'POST', body: this.classList.contains('is-on') }})">·</div>
            <button disabled>Save</button>"#
        ))
    };
    let on = Arc::new(AtomicBool::new(false));
    let handler: Handler = {
        let on = Arc::clone(&on);
        Arc::new(move |request| {
            if request.uri().path() == "/set" {
                on.store(request.body().as_ref() == b"true", Ordering::SeqCst);
            }
            page(on.load(Ordering::SeqCst))
        })
    };
    let toggle = json!({ "tag": "div", "name": "Weekly letter", "locators": {}, "position": {}, "control": "inferred" });
    let mut setting = step(1, &json!({ "do": "click" }), &toggle, "state");
    setting["before"] = json!({ "marks": ["class:toggle", "text:·"] });
    setting["after"] = json!({ "marks": ["class:is-on", "class:toggle", "text:·"] });
    let save = step(1, &json!({ "do": "click" }), &element("button", "button", "Save"), "way");
    let session = by_hand(&[setting, save]);
    // The save button never gets enabled: with nothing changed there is nothing to save, with a change it is missed.
    for (wanted, problem) in [(Wanted::Off, None), (Wanted::On, Some("it is disabled"))] {
        let seat = seat(&pool, &["site.localhost"], Arc::clone(&handler)).await;
        let options =
            ReplayOptions { patience: Duration::from_secs(2), ..ReplayOptions::new(wanted.clone()) };
        let result = Replayer::new(&seat, options).replay(&session, soon()).await;
        seat.close(soon()).await;
        match (result, problem) {
            (Ok(replayed), None) => {
                assert_eq!(
                    replayed.steps[1].outcome,
                    Outcome::Skipped("there is nothing to save".to_owned())
                );
            }
            (Err(ReplayError::Failed(failure)), Some(problem)) => assert_eq!(failure.problem, problem),
            (other, _) => panic!("{wanted}: {other:?}"),
        }
        assert_eq!(on.load(Ordering::SeqCst), wanted == Wanted::On);
    }
}
