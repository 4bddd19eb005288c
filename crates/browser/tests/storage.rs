//! What a context remembers goes from seat to seat, and to Playwright and back.

use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::Duration;

use serde_json::{Map, Value, json};
use umpire_browser::{
    Handler, OriginState, Pool, Seat, SeatError, SeatOptions, StorageState, StoredCookie, StoredItem,
};

use crate::seats::{Memory, network, reply, site, small_pool, soon};

const PLAYWRIGHT: &str = "1.65.0";

/// Makes a database with all that one can hold, and some that no format has words for.
const FILL: &str = r#"<title>filling</title><script>
const opening = indexedDB.open("shop", 7);
opening.onupgradeneeded = () => {
  const db = opening.result;
  const orders = db.createObjectStore("orders", { keyPath: "id", autoIncrement: true });
  orders.createIndex("by customer", ["customer", "at"], { unique: true });
  orders.createIndex("tags", "tags", { multiEntry: true });
  db.createObjectStore("keys");
  db.createObjectStore("empty", { keyPath: ["a", "b"] });
};
opening.onsuccess = () => {
  const db = opening.result;
  const work = db.transaction(["orders", "keys"], "readwrite");
  const orders = work.objectStore("orders"), keys = work.objectStore("keys");
  orders.add({ customer: "Ann", at: new Date(1e12), tags: ["tea", "green"] });
  orders.add({ customer: "Bo", at: new Date(2e12), tags: [] });
  orders.add({ customer: "gone", at: new Date(0), tags: [] }).onsuccess = (event) => orders.delete(event.target.result);
  keys.add({ plain: [1, "“two”", null, true, { deep: -1.5 }] }, "plain");
  keys.add("text", 5);
  keys.add("by date", new Date(3e12));
  keys.add("by list", ["a", new Uint8Array([1, 2]).buffer]);
  const loop = { name: "loop", bytes: new Uint8Array([0, 128, 255]), wide: new Float64Array([0.5, -0]), big: 2n ** 70n };
  loop.self = loop;
  loop.map = new Map([["k", new Set([1, NaN, -0, undefined])], [loop, /a+/gi]]);
  loop.__own = Infinity;
  loop.buffer = new Uint16Array([7, 8]).buffer;
  loop.error = new RangeError("too far");
  keys.add(loop, "odd");
  keys.add({ file: new Blob(["x"]) }, "unkept");
  work.oncomplete = () => { db.close(); document.title = "filled"; };
};
</script>"#;

/// What the database holds, as the page sees it.
const LOOK: &str = r#"<title>looking</title><script>
const answered = (request) => new Promise((yes, no) => { request.onsuccess = () => yes(request.result); request.onerror = no; });
(async () => {
  const known = await indexedDB.databases();
  const db = await answered(indexedDB.open("shop"));
  const work = db.transaction(db.objectStoreNames, "readwrite");
  const orders = work.objectStore("orders"), keys = work.objectStore("keys");
  const odd = await answered(keys.get("odd"));
  const [set] = odd ? [odd.map.get("k")] : [];
  const seen = {
    version: db.version, databases: known.length, stores: [...db.objectStoreNames],
    empty: work.objectStore("empty").keyPath,
    indexes: [...orders.indexNames].map((name) => [name, orders.index(name).keyPath, orders.index(name).unique, orders.index(name).multiEntry]),
    tea: await answered(orders.index("tags").getAllKeys("tea")),
    ann: (await answered(orders.get(1)))?.at instanceof Date,
    keys: (await answered(keys.getAllKeys())).length,
    plain: await answered(keys.get("plain")), text: await answered(keys.get(5)),
    date: await answered(keys.get(new Date(3e12))), list: await answered(keys.get(["a", new Uint8Array([1, 2]).buffer])),
    odd: odd && [odd.self === odd, [...odd.bytes], Object.is(odd.wide[1], -0), String(odd.big), set.has(NaN), set.has(undefined), set.size,
      String(odd.map.get(odd)), odd.__own === Infinity, [...new Uint16Array(odd.buffer)], odd.error instanceof Error && odd.error.message],
    next: await answered(orders.add({ customer: "Cy", at: new Date(4e12), tags: [] })),
  };
  work.abort();
  db.close();
  document.title = JSON.stringify(seen);
})();
</script>"#;

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
            "/fill" => reply(200, &[("content-type", "text/html; charset=utf-8")], FILL),
            "/look" => reply(200, &[("content-type", "text/html; charset=utf-8")], LOOK),
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

/// The page's title, once it is another than it began with.
async fn title_after(seat: &Seat, path: &str, first: &str) -> String {
    seat.open(&format!("http://shop.localhost{path}"), soon()).await.expect("opened");
    let give_up = soon();
    while !give_up.passed() {
        let title = seat.observe(soon()).await.expect("seen").title;
        if !title.is_empty() && title != first {
            return title;
        }
        tokio::time::sleep(Duration::from_millis(25)).await;
    }
    panic!("{path} never was more than {first}");
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

/// A context in which the shop's database is filled, and its memory.
async fn with_database(pool: &Pool) -> StorageState {
    let (first, _) = seat(pool).await;
    assert_eq!(title_after(&first, "/fill", "filling").await, "filled");
    let state = first.storage(&["http://shop.localhost".to_owned()], soon()).await.expect("captured");
    first.close(soon()).await;
    state
}

fn looked(title: &str) -> Value {
    serde_json::from_str(title).unwrap_or_else(|error| panic!("{title}: {error}"))
}

#[tokio::test]
async fn databases_go_from_context_to_context() {
    let pool = small_pool().await;
    let state = with_database(&pool).await;
    let unkept = "http://shop.localhost: a record of shop/keys, because of a Blob in it";
    assert_eq!(state.left_out(), [unkept]);
    // What is on the disk in between.
    let text = serde_json::to_string(&state).expect("JSON");
    let state: StorageState = serde_json::from_str(&text).expect("a state");

    let (fresh, _) = seat(&pool).await;
    fresh.restore(&state, soon()).await.expect("restored");
    let seen = looked(&title_after(&fresh, "/look", "looking").await);
    let expected = json!({
        "version": 7, "databases": 1, "stores": ["empty", "keys", "orders"], "empty": ["a", "b"],
        "indexes": [["by customer", ["customer", "at"], true, false], ["tags", "tags", false, true]],
        "tea": [1], "ann": true, "keys": 5, "plain": {"plain": [1, "“two”", null, true, {"deep": -1.5}]},
        "text": "text", "date": "by date", "list": "by list",
        "odd": [true, [0, 128, 255], true, "1180591620717411303424", true, true, 4, "/a+/gi", true, [7, 8], "too far"],
        // The number that was given and taken back is not remembered; those in use are not given again.
        "next": 3,
    });
    assert_eq!(seen, expected);
    let again = fresh.storage(&["http://shop.localhost".to_owned()], soon()).await.expect("captured");
    assert_eq!(again.origins, state.origins);
    fresh.close(soon()).await;
}

#[tokio::test]
async fn a_database_that_cannot_be_made_is_named() {
    let pool = small_pool().await;
    let (seat, _) = seat(&pool).await;
    for (record, told) in [
        (json!({"key": {"no": "key"}, "value": "s3cret"}), "DataError"),
        (json!({"key": 1, "valueEncoded": {"zz": "s3cret"}}), "unknown kind"),
    ] {
        let origin = json!({"origin": "http://shop.localhost", "indexedDB": [{"name": "db", "version": 1,
            "stores": [{"name": "s", "autoIncrement": false, "indexes": [], "records": [record]}]}]});
        let state: StorageState = serde_json::from_value(json!({"origins": [origin]})).expect("a state");
        let error = seat.restore(&state, soon()).await.expect_err("refused").to_string();
        assert!(error.contains("http://shop.localhost") && error.contains(told), "{error}");
        assert!(!error.contains("s3cret"), "{error}");
    }
    seat.close(soon()).await;
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
    let state = StorageState { cookies, ..StorageState::default() };
    let error = seat.restore(&state, soon()).await.expect_err("refused").to_string();
    assert!(error.contains("bad;name") && !error.contains("s3cret"), "{error}");
    for origin in ["file:///etc", "http://shop.localhost/path", "nonsense", "javascript:alert(1)"] {
        let item = StoredItem { name: "a".to_owned(), value: "s3cret".to_owned() };
        let origin = OriginState {
            origin: origin.to_owned(),
            local_storage: vec![item],
            databases: Vec::new(),
            rest: Map::new(),
        };
        let state = StorageState { origins: vec![origin.clone()], ..StorageState::default() };
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
    let mut state = captured(&pool).await;
    state.origins[0].databases.clone_from(&with_database(&pool).await.origins[0].databases);
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
    assert_eq!(
        seen["database"],
        json!({"plain": {"plain": [1, "“two”", null, true, {"deep": -1.5}]}, "bytes": [0, 128, 255], "loops": true, "tea": [1]})
    );
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
    let theirs_database = looked(&title_after(&seat, "/look", "looking").await);
    assert_eq!(theirs_database["keys"], 6, "five of ours and one of theirs");
    assert_eq!(theirs_database["odd"][0], true, "a value that holds itself came back from them as it went");
    assert_eq!(theirs_database["odd"][6], 4);
    assert!(items(&theirs).iter().any(|(name, value)| name == "theirs" && value == "“quoted” & ünïcode\n"));
    seat.close(soon()).await;
}
