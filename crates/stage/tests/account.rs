//! Somebody is logged in when an attempt begins: by memory, by logging in again, or the harness says why not.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use bytes::Bytes;
use serde_json::json;
use umpire_browser::{NetworkPolicy, Pool, PoolOptions, Seat, SeatOptions};
use umpire_model::{AccountSpec, BlobRef, Deadline, Digest, EventBody, Evidence, LoginCheck, Media};
use umpire_stage::account::{Account, Entered, EntryError, captured, enter, log_in_anew};
use umpire_stage::vault::{Key, Keyring, SecretName, Vault};
use zeroize::Zeroizing;

fn soon() -> Deadline {
    Deadline::after(Duration::from_mins(1))
}

struct Nothing;

impl Evidence for Nothing {
    fn event(&self, _body: EventBody) -> u64 {
        0
    }

    fn blob(&self, content: &[u8], media: Media) -> BlobRef {
        BlobRef { digest: Digest::of(content), media, bytes: content.len() as u64 }
    }
}

/// A club that knows its members by a cookie and by something in local storage, and can forget them all.
#[derive(Default)]
struct Club {
    members: Mutex<BTreeSet<String>>,
    logins: Mutex<u32>,
}

impl Club {
    fn answer(&self, request: &http::Request<Bytes>) -> http::Response<Bytes> {
        let cookie =
            request.headers().get("cookie").and_then(|value| value.to_str().ok()).unwrap_or_default();
        let sid = cookie.split("; ").find_map(|pair| pair.strip_prefix("sid="));
        let is_in = sid.is_some_and(|sid| self.members.lock().expect("members").contains(sid));
        let page = |body: &str| {
            let body = format!("<!doctype html><title>Club</title>{body}");
            http::Response::builder()
                .header("content-type", "text/html")
                .body(Bytes::from(body))
                .expect("a page")
        };
        match (request.method().as_str(), request.uri().path()) {
            ("POST", "/login") => {
                let body = String::from_utf8_lossy(request.body()).into_owned();
                if !(body.contains("user=jo") && body.contains("pw=open+sesame")) {
                    return page("<p>Wrong password</p>");
                }
                let mut logins = self.logins.lock().expect("logins");
                *logins += 1;
                let sid = format!("sid-number-{logins}");
                self.members.lock().expect("members").insert(sid.clone());
                http::Response::builder()
                    .status(303)
                    .header("location", "/welcome")
                    .header("set-cookie", format!("sid={sid}; HttpOnly; Path=/"))
                    .body(Bytes::new())
                    .expect("a redirect")
            }
            (_, "/login") => page(
                "<form method=post action=/login><label>User <input name=user></label>
                 <label>Password <input name=pw type=password></label><button>Log in</button></form>",
            ),
            (_, "/welcome") => {
                page("<p>Welcome</p><script>localStorage.setItem('tour', 'seen by jo the member')</script>")
            }
            _ if is_in => page(
                "<p id=who>Hello Jo</p><p id=tour></p><script>tour.textContent = localStorage.tour</script>",
            ),
            _ => page("<p>Please log in</p>"),
        }
    }
}

struct Stand {
    club: Arc<Club>,
    pool: Pool,
    folder: tempfile::TempDir,
}

impl Stand {
    async fn new() -> Self {
        let options = PoolOptions { spares: 1, ..PoolOptions::default() };
        let pool = Pool::start(options, soon()).await.expect("the pool starts");
        Self { club: Arc::default(), pool, folder: tempfile::tempdir().expect("a folder") }
    }

    async fn seat(&self) -> Seat {
        let club = Arc::clone(&self.club);
        let mut network = NetworkPolicy::default();
        network.origins.push(("club.localhost".to_owned(), Arc::new(move |request| club.answer(&request))));
        self.pool.seat(SeatOptions::new(Arc::new(Nothing), network), soon()).await.expect("a seat")
    }

    fn keyring(&self, password: &str) -> Keyring {
        let key = Key::new_identity_file(&self.folder.path().join("id"))
            .or_else(|_| Key::from_identity_file(&self.folder.path().join("id")))
            .expect("an identity");
        let file = self.folder.path().join("vault");
        let _ = Vault::create(&file, &key);
        let name: SecretName = "accounts/club/password".parse().expect("a name");
        Vault::change(&file, &key, |vault| vault.set(name, Zeroizing::new(password.to_owned())))
            .expect("set");
        Keyring::new(Some(Vault::open(&file, &key).expect("opened")))
    }

    fn login_session(&self) -> PathBuf {
        let step = |deed: serde_json::Value, element: serde_json::Value| {
            json!({"at_ms": 0, "tab": 1, "url": "http://club.localhost/login", "deed": deed, "purpose": "way",
                "element": element})
        };
        let field = |name: &str, label: &str, kind: &str| {
            json!({"tag": "input", "role": "textbox", "input_type": kind, "name": label,
                "locators": {"field_name": name}, "words": {"label": label}, "position": {}})
        };
        let session = json!({"version": 1, "name": "log in", "recorded_at": "", "recorder": "by hand",
            "start_url": "http://club.localhost/login", "viewport": {"width": 1280, "height": 1024}, "steps": [
            step(json!({"do": "type", "text": {"text": "{{account.user}}"}}), field("user", "User", "text")),
            // Recorded elsewhere, where the secret had another name.
            step(json!({"do": "type", "text": {"secret": "accounts/club.localhost/password"}}), field("pw", "Password", "password")),
            step(json!({"do": "click"}), json!({"tag": "button", "role": "button", "name": "Log in", "locators": {},
                "words": {"text": "Log in"}, "position": {}})),
        ]});
        let path = self.folder.path().join("login.session.json");
        std::fs::write(&path, session.to_string()).expect("written");
        path
    }

    fn spec(&self) -> AccountSpec {
        AccountSpec {
            site: Some("http://club.localhost/".to_owned()),
            user: Some("jo".to_owned()),
            password: Some("accounts/club/password".to_owned()),
            login: Some(self.login_session()),
            check: Some(LoginCheck {
                shows: vec!["Hello Jo".to_owned()],
                hides: vec!["Please log in".to_owned()],
                has: vec!["#who".to_owned()],
                lacks: vec!["form".to_owned()],
                cookies: vec!["sid".to_owned()],
                ..LoginCheck::default()
            }),
            ..AccountSpec::default()
        }
    }

    fn account(&self, spec: &AccountSpec, password: &str, sealed: Option<&Path>) -> Account {
        Account::resolve("club", spec, &self.keyring(password), sealed).expect("an account")
    }
}

#[tokio::test]
async fn memory_is_used_while_it_holds_and_renewed_when_it_does_not() {
    let stand = Stand::new().await;
    let account = stand.account(&stand.spec(), "open sesame", None);
    // Nothing is remembered yet.
    let seat = stand.seat().await;
    assert_eq!(enter(&seat, &account, soon()).await.expect("entered"), Entered::LoggedIn);
    account.remember(captured(&seat, &account, soon()).await.expect("captured"));
    seat.close(soon()).await;
    // A fresh context remembers, local storage included, and nobody logs in again.
    let seat = stand.seat().await;
    assert_eq!(enter(&seat, &account, soon()).await.expect("entered"), Entered::Remembered);
    let seen = seat.observe(soon()).await.expect("seen");
    assert!(seen.outline.contains("seen by jo the member"), "{}", seen.outline);
    seat.close(soon()).await;
    assert_eq!(*stand.club.logins.lock().expect("logins"), 1);
    // The site forgets: logged in again, by the recorded session.
    stand.club.members.lock().expect("members").clear();
    let seat = stand.seat().await;
    assert_eq!(enter(&seat, &account, soon()).await.expect("entered"), Entered::LoggedIn);
    seat.close(soon()).await;
    // Others log in beside: each a session of its own.
    let seat = stand.seat().await;
    log_in_anew(&seat, &account, soon()).await.expect("logged in");
    seat.close(soon()).await;
    assert_eq!(stand.club.members.lock().expect("members").len(), 2);
    let secrets = account.secret_values();
    assert!(
        secrets.iter().any(|secret| secret == "open sesame")
            && secrets.iter().any(|secret| secret == "sid-number-1")
    );
}

#[tokio::test]
async fn whoever_cannot_get_in_is_told_why() {
    let stand = Stand::new().await;
    let wrong = stand.account(&stand.spec(), "guess", None);
    let seat = stand.seat().await;
    let error = enter(&seat, &wrong, soon()).await.expect_err("out");
    assert!(
        matches!(&error, EntryError::StillOut { problem, .. } if problem.contains("Hello Jo")),
        "{error}"
    );
    assert!(!error.to_string().contains("guess"));
    seat.close(soon()).await;

    let stale = json!({"cookies": [{"name": "sid", "value": "long-forgotten", "domain": "club.localhost", "path": "/"}]});
    let file = stand.folder.path().join("state.json");
    std::fs::write(&file, stale.to_string()).expect("written");
    let spec = AccountSpec { login: None, state: Some(file), ..stand.spec() };
    let account = stand.account(&spec, "open sesame", None);
    let seat = stand.seat().await;
    let error = enter(&seat, &account, soon()).await.expect_err("out").to_string();
    assert!(error.contains("no recorded session") && error.contains("Hello Jo"), "{error}");
    seat.close(soon()).await;
}

#[tokio::test]
async fn what_is_missing_is_said_before_anything_runs() {
    let folder = tempfile::tempdir().expect("a folder");
    let stand = |spec: &AccountSpec| {
        Account::resolve("club", spec, &Keyring::new(None), None)
            .and_then(|account| account.check_way_in())
            .expect_err("incomplete")
            .to_string()
    };
    let check = LoginCheck { shows: vec!["Hello".to_owned()], ..LoginCheck::default() };
    let whole = AccountSpec {
        site: Some("http://club.localhost/".to_owned()),
        check: Some(check),
        ..AccountSpec::default()
    };
    assert!(stand(&AccountSpec::default()).contains("`site`"));
    assert!(stand(&AccountSpec { check: None, ..whole.clone() }).contains("`check`"));
    assert!(stand(&AccountSpec { check: Some(LoginCheck::default()), ..whole.clone() }).contains("`check`"));
    assert!(stand(&whole).contains("umpire account capture"));
    let password = AccountSpec { password: Some("accounts/club/password".to_owned()), ..whole.clone() };
    assert!(stand(&password).contains("UMPIRE_SECRET_ACCOUNTS_CLUB_PASSWORD"));
    let file = folder.path().join("bad.json");
    std::fs::write(&file, "{\"cookies\": [{\"name\": 5, \"value\": \"CANARY\"}]}").expect("written");
    let state = stand(&AccountSpec { state: Some(file), ..whole });
    assert!(
        state.contains("bad.json: it is no storage state: line 1") && !state.contains("CANARY"),
        "{state}"
    );
}

#[tokio::test]
async fn an_account_is_used_by_one_at_a_time() {
    let folder = tempfile::tempdir().expect("a folder");
    let kept = folder.path().join("vault.accounts/jo.state.age");
    let spec = AccountSpec {
        site: Some("http://club.localhost/".to_owned()),
        check: Some(LoginCheck { shows: vec!["Hello".to_owned()], ..LoginCheck::default() }),
        ..AccountSpec::default()
    };
    let keyring = Keyring::new(None);
    let account = || Account::resolve("jo", &spec, &keyring, Some(&kept)).expect("an account");
    let (first, second, third) = (account(), account(), account());
    let turn = first.take_turn(soon(), |user| panic!("{user}")).await.expect("free").expect("a turn");
    // Who may not wait is told who has it.
    let error =
        second.take_turn(Deadline::after(Duration::ZERO), |_| {}).await.expect_err("in use").to_string();
    let process = std::process::id();
    assert_eq!(error, format!("account `jo` is in use by process {process}, and was not free in time"));
    let waits = tokio::spawn(async move {
        let mut told = 0;
        let turn = second.take_turn(soon(), |_| told += 1).await.expect("free in the end");
        (turn, told)
    });
    tokio::time::sleep(Duration::from_millis(400)).await;
    drop(turn);
    // Whoever waited comes before whoever asks just now.
    let impatient = third.take_turn(Deadline::after(Duration::ZERO), |_| {}).await;
    assert!(impatient.is_err(), "the one that waits is next");
    let (turn, told) = waits.await.expect("no panic");
    assert!(turn.is_some());
    assert_eq!(told, 1, "who is waited for is told once");
    drop(turn);
    third.take_turn(soon(), |user| panic!("{user}")).await.expect("free");
    let nowhere = Account::resolve("jo", &spec, &keyring, None).expect("an account");
    assert!(nowhere.take_turn(soon(), |_| {}).await.expect("no file").is_none());
}
