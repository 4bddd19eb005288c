//! What a context remembers goes from seat to seat, and to Playwright and back.

mod seats;

use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::Arc;

use seats::{Memory, network, reply, site, small_pool, soon};
use serde_json::{Map, Value};
use umpire_browser::{
    Handler, OriginState, Pool, Seat, SeatError, SeatOptions, StorageState, StoredCookie, StoredItem,
};

const PLAYWRIGHT: &str = "1.65.0";

/// A shop that sets cookies of several kinds and fills local storage, and says which cookies it was sent.
fn shop() -> Handler {
    site(|request| {
        let sent = request
            .headers()
            .get("cookie")
            .and_then(|value| value.to_str().ok())
            .unwrap_or("none")
            .to_owned();
        match request.uri().path() {
            "/enter" => reply(
                200,
                &[
                    ("content-type", "text/html"),
                    ("set-cookie", "sid=s3cret; HttpOnly; SameSite=Strict"),
                    ("set-cookie", "wide=1; Domain=shop.localhost; Max-Age=86400"),
                    ("set-cookie", "plain=2"),
                ],
                "<script>localStorage.setItem('basket', 'tea \"green\"'); localStorage.setItem('', 'nameless')</script>",
            ),
            _ => reply(200, &[("content-type", "text/html")], &format!("<title>{sent}</title>")),
        }
    })
}

async fn seat(pool: &Pool) -> (Seat, Arc<Memory>) {
    let memory = Arc::new(Memory::default());
    let evidence: Arc<dyn umpire_model::Evidence> = Arc::<Memory>::clone(&memory);
    let options = SeatOptions::new(evidence, network(&[("shop.localhost", shop())]));
    (pool.seat(options, soon()).await.expect("a seat"), memory)
}

async fn captured(pool: &Pool) -> StorageState {
    let (seat, _) = seat(pool).await;
    seat.open("http://shop.localhost/enter", soon()).await.expect("opened");
    seat.rest(soon()).await.expect("at rest");
    let origins = ["http://shop.localhost".to_owned(), "http://empty.localhost".to_owned()];
    let state = seat.storage(&origins, soon()).await.expect("captured");
    seat.close(soon()).await;
    state
}

/// The title of the shop's page says which cookies came.
async fn cookies_sent(seat: &Seat) -> Vec<String> {
    seat.open("http://shop.localhost/", soon()).await.expect("opened");
    let seen = match seat.rest(soon()).await.expect("at rest") {
        Some(seen) => seen,
        None => seat.observe(soon()).await.expect("seen"),
    };
    let mut cookies: Vec<String> = seen.title.split("; ").map(str::to_owned).collect();
    cookies.sort();
    cookies
}

#[tokio::test]
async fn a_context_remembers_what_another_did() {
    let pool = small_pool().await;
    let state = captured(&pool).await;
    let by_name = |name: &str| state.cookies.iter().find(|cookie| cookie.name == name).expect("a cookie");
    assert_eq!(state.cookies.len(), 3);
    let sid = by_name("sid");
    assert_eq!((sid.domain.as_str(), sid.http_only, sid.expires), ("shop.localhost", true, -1.0));
    assert_eq!(sid.same_site.as_deref(), Some("Strict"));
    assert_eq!(by_name("wide").domain, ".shop.localhost");
    assert!(by_name("wide").expires > 1_700_000_000.0);
    let items: Vec<(&str, &str)> =
        state.origins[0].local_storage.iter().map(|item| (item.name.as_str(), item.value.as_str())).collect();
    assert!(items.contains(&("basket", "tea \"green\"")) && items.contains(&("", "nameless")), "{items:?}");
    assert_eq!(state.origins.len(), 1, "an origin without any is not named");

    let (fresh, memory) = seat(&pool).await;
    fresh.restore(&state, soon()).await.expect("restored");
    assert!(
        !memory.exchanges().iter().any(|exchange| exchange.request.url.contains("/enter")),
        "nothing was asked of the site"
    );
    assert_eq!(cookies_sent(&fresh).await, ["plain=2", "sid=s3cret", "wide=1"]);
    assert!(
        matches!(fresh.back(soon()).await, Err(SeatError::NoHistory(_))),
        "no way back to where it was filled"
    );
    let again = fresh.storage(&["http://shop.localhost".to_owned()], soon()).await.expect("captured");
    assert_eq!(again.origins, state.origins);
    fresh.close(soon()).await;
    // Another context knows nothing of it.
    let (stranger, _) = seat(&pool).await;
    assert_eq!(cookies_sent(&stranger).await, ["none"]);
    stranger.close(soon()).await;
}

#[tokio::test]
async fn what_cannot_be_put_back_is_named() {
    let pool = small_pool().await;
    let (seat, _) = seat(&pool).await;
    let cookie = |name: &str, domain: &str| StoredCookie {
        name: name.to_owned(),
        value: "s3cret".to_owned(),
        domain: domain.to_owned(),
        path: "/".to_owned(),
        expires: -1.0,
        http_only: false,
        secure: false,
        same_site: None,
        partition_key: None,
        rest: Map::new(),
    };
    let cookies = vec![cookie("good", "shop.localhost"), cookie("bad;name", "shop.localhost")];
    let state = StorageState { cookies, origins: Vec::new() };
    let error = seat.restore(&state, soon()).await.expect_err("refused").to_string();
    assert!(error.contains("bad;name") && !error.contains("s3cret"), "{error}");
    for origin in ["file:///etc", "http://shop.localhost/path", "nonsense", "javascript:alert(1)"] {
        let item = StoredItem { name: "a".to_owned(), value: "s3cret".to_owned() };
        let origin = OriginState {
            origin: origin.to_owned(),
            local_storage: vec![item],
            indexed_db: Vec::new(),
            rest: Map::new(),
        };
        let state = StorageState { cookies: Vec::new(), origins: vec![origin.clone()] };
        let error = seat.restore(&state, soon()).await.expect_err("refused").to_string();
        assert!(error.contains(&origin.origin) && !error.contains("s3cret"), "{error}");
    }
    seat.close(soon()).await;
}

fn has(program: &str) -> bool {
    let found = Command::new(program).arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status();
    found.is_ok_and(|status| status.success())
}

/// Playwright, installed by the first run of this test, in a folder of its own: tests run at the same time.
fn playwright() -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("playwright-storage-{PLAYWRIGHT}"));
    if !folder.join("node_modules/playwright-core/package.json").exists() {
        std::fs::create_dir_all(&folder).expect("created");
        let package = format!("playwright-core@{PLAYWRIGHT}");
        let install = ["install", "--prefix", ".", "--no-audit", "--no-fund", &package];
        let output = Command::new("npm").args(install).current_dir(&folder).output().expect("started");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    }
    folder
}

#[tokio::test]
async fn playwright_reads_ours_and_we_read_playwrights() {
    if !has("npm") || !has("node") {
        println!("skipped: npm is not installed");
        return;
    }
    let pool = small_pool().await;
    let state = captured(&pool).await;
    let folder = tempfile::tempdir().expect("a folder");
    let (ours, theirs) = (folder.path().join("ours.json"), folder.path().join("theirs.json"));
    std::fs::write(&ours, serde_json::to_vec(&state).expect("JSON")).expect("written");
    let chromium = umpire_browser::chromium::find(None).expect("a Chromium");
    let output = Command::new("node")
        .arg(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/clients/storage.mjs"))
        .args([&ours, &theirs])
        .env("PLAYWRIGHT_HOME", playwright())
        .env("CHROMIUM", chromium)
        .output()
        .expect("node starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let seen: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(seen["basket"], "tea \"green\"");
    let cookie = seen["cookie"].as_str().expect("text");
    assert!(cookie.contains("plain=2") && cookie.contains("wide=1") && !cookie.contains("sid"), "{cookie}");

    let theirs = std::fs::read_to_string(&theirs).expect("Playwright's file");
    let theirs: StorageState = serde_json::from_str(&theirs).expect("a state");
    let (seat, _) = seat(&pool).await;
    seat.restore(&theirs, soon()).await.expect("restored");
    let again = seat.storage(&["http://shop.localhost".to_owned()], soon()).await.expect("captured");
    let sorted = |state: &StorageState| {
        let mut cookies = state.cookies.clone();
        cookies.sort_by(|a, b| a.name.cmp(&b.name));
        cookies
    };
    assert_eq!(sorted(&again), sorted(&theirs));
    let items = |state: &StorageState| {
        let mut items: Vec<_> =
            state.origins[0].local_storage.iter().map(|i| (i.name.clone(), i.value.clone())).collect();
        items.sort();
        items
    };
    assert_eq!(items(&again), items(&theirs));
    assert!(items(&theirs).iter().any(|(name, value)| name == "theirs" && value == "“quoted” & ünïcode\n"));
    seat.close(soon()).await;
}
