//! What others may try: forged forms, hostile texts, foreign labels, paths that climb. Each is refused.

use crate::support::{ATTEMPT, OPERATOR, PASSWORD, RUN, Served, Visitor, synthetic};

#[tokio::test]
async fn every_response_forbids_what_is_inline_and_what_is_foreign() {
    let served = Served::start().await;
    let mut visitor = served.visitor();
    for path in ["/", ATTEMPT, "/sign-in", "/nowhere", "/label"] {
        let answer = visitor.get(path).await;
        let policy = answer.header("content-security-policy").expect("a policy").to_owned();
        assert!(
            policy.starts_with("default-src 'none'") && policy.contains("frame-ancestors 'none'"),
            "{path}"
        );
        assert!(!policy.contains("unsafe") && !policy.contains("http"), "{policy}");
        assert_eq!(answer.header("x-content-type-options"), Some("nosniff"));
        assert_eq!(answer.header("referrer-policy"), Some("same-origin"));
        assert!(!answer.body.contains(" style=\""), "{path} has an inline style");
        assert!(!answer.body.contains("<script>"), "{path} has an inline script");
    }
}

#[tokio::test]
async fn files_streams_drawings_and_answers_for_machines_forbid_it_as_well() {
    let served = Served::start().await;
    let mut visitor = served.visitor();
    let page = visitor.get("/").await.body;
    let asset = page.split("/assets/").nth(1).and_then(|rest| rest.split('"').next()).expect("an asset");
    let asset = format!("/assets/{asset}");
    for path in [
        asset.as_str(),
        "/api/v1/leaderboard",
        "/api/v1/battles",
        "/api/v1/openapi.json",
        "/leaderboard/drawings/ratings.svg",
        "/leaderboard/files/standings.csv",
    ] {
        let answer = visitor.get(path).await;
        assert_eq!(answer.status, 200, "{path}");
        let policy = answer.header("content-security-policy").expect("a policy");
        assert!(policy.contains("default-src 'none'") && policy.contains("frame-ancestors 'none'"), "{path}");
        // A drawing has its styles within; it is sandboxed.
        assert!(!policy.contains("unsafe") || policy.starts_with("sandbox;"), "{path}: {policy}");
        assert!(!policy.contains("script-src 'unsafe") && !policy.contains("http"), "{path}: {policy}");
        assert_eq!(answer.header("x-content-type-options"), Some("nosniff"), "{path}");
    }
    let mut stream = crate::live::watch(&served).await;
    let head = crate::live::read_until(&mut stream, "event: part").await.to_lowercase();
    assert!(head.contains("content-security-policy: default-src 'none'"), "{head}");
}

/// Every address that takes a form.
const FORMS: [&str; 14] = [
    "/label",
    "/label/q/next",
    "/label/q/adjudicate/1",
    "/label/q/1",
    "/arena/studies",
    "/arena/studies/s/next",
    "/arena/battles",
    "/arena/battles/b",
    "/arena/battles/b/cancel",
    "/leaderboard/voters/leave-out",
    "/leaderboard/voters/count",
    "/accounts",
    "/sign-in",
    "/sign-out",
];

#[tokio::test]
async fn no_form_is_taken_without_its_token_or_from_another_site() {
    let served = Served::start().await;
    let mut operator = served.operator().await;
    for path in FORMS {
        let without = operator.post_as_given(path, &[], &[]).await;
        assert_eq!(without.status, 403, "{path} without a token");
        let token = operator.token.clone();
        let foreign = [("Origin", "https://evil.example")];
        let elsewhere = operator.post_as_given(path, &[("token", &token)], &foreign).await;
        assert_eq!(elsewhere.status, 403, "{path} from elsewhere");
    }
    assert_eq!(operator.get("/accounts").await.status, 200, "still signed in");
}

#[tokio::test]
async fn hostile_texts_of_tasks_traces_titles_and_names_stay_texts() {
    let served = Served::start().await;
    make_hostile(&served);
    let served = served.restarted(|_| {}).await;
    let mut visitor = served.visitor();
    let side = format!("{RUN}/say-yes/shop-cheapest-lamp/1");
    for path in [
        ATTEMPT.to_owned(),
        format!("/runs/{RUN}"),
        format!("/runs/{RUN}?filter=%3Cscript%3Ealert(1)%3C/script%3E"),
        format!("/compare/attempts?left={side}&right={side}"),
        "/compare?before=%3Cscript%3E&after=x".to_owned(),
        "/runs/%3Cscript%3Ealert(1)%3C%2Fscript%3E".to_owned(),
    ] {
        let page = visitor.get(&path).await.body;
        for element in ["<script>alert", "<img src=x", "onerror=alert(1)>"] {
            assert!(!page.contains(element), "{element} came through on {path}");
        }
        assert!(!page.contains('\u{202e}'), "text runs backwards on {path}");
    }
    assert!(visitor.get(ATTEMPT).await.body.contains("&lt;script&gt;alert"), "the text itself is shown");
    let shown = visitor.get(ATTEMPT).await.body;
    assert!(
        shown.contains("task &lt;script&gt;") && shown.contains("file &lt;script&gt;"),
        "task and file are shown"
    );
    // Whoever is not let in has their word in the log.
    visitor.get("/sign-in").await;
    visitor
        .post("/sign-in", &[("name", "<img src=x onerror=alert(1)>"), ("password", "whatever it is")])
        .await;
    let log = served.operator().await.get("/accounts").await.body;
    assert!(log.contains("was not let in") && log.contains("&lt;img") && !log.contains("<img src=x"));
}

/// Puts hostile words where the made-up run has harmless ones: into the task itself, and a downloaded file's name.
fn make_hostile(served: &Served) {
    let run = umpire_store::Runs::new(served.folder.path().join("runs")).open(RUN).expect("a run");
    let instances = run.folder().join("instances.json");
    let text = std::fs::read_to_string(&instances).expect("readable");
    let said = serde_json::to_string(&format!("task {}", synthetic::HOSTILE)).expect("plain data");
    let hostile = text.replace("\"What does the cheapest desk lamp cost?\"", &said);
    assert_ne!(hostile, text);
    std::fs::write(&instances, hostile).expect("written");
    let body = umpire_model::EventBody::Download {
        url: "http://shop.localhost/x".to_owned(),
        name: format!("file {}", synthetic::HOSTILE),
        bytes: 1,
        state: "completed".to_owned(),
    };
    let event = umpire_model::Event { v: umpire_model::JOURNAL_VERSION, seq: 9999, ms: 9, body };
    let id = "say-yes/shop-cheapest-lamp/1".parse().expect("an attempt");
    let journal = run.attempt(&id).journal_path();
    let mut lines = std::fs::read_to_string(&journal).expect("readable");
    lines.push_str(&serde_json::to_string(&event).expect("plain data"));
    lines.push('\n');
    std::fs::write(journal, lines).expect("written");
}

#[tokio::test]
async fn paths_that_climb_reach_nothing() {
    let served = Served::start().await;
    std::fs::write(served.folder.path().join("secret"), "s3cret").expect("written");
    let mut visitor = served.visitor();
    let digest = "0".repeat(64);
    for path in [
        "/runs/..".to_owned(),
        "/runs/%2e%2e".to_owned(),
        "/runs/..%2f..%2fsecret".to_owned(),
        format!("/runs/{RUN}/shots/..%2f..%2f..%2fsecret"),
        format!("/runs/{RUN}/shots/{}", "../".repeat(8)),
        format!("/runs/{RUN}/shots/{digest}"),
        format!("/runs/{RUN}/thumbs/%2e%2e%2fmanifest.json"),
        format!("/runs/{RUN}/attempts/..%2f..%2f..%2f..%2f/x/1"),
        format!("/runs/{RUN}/attempts/say-yes/..%2f..%2f..%2f/1/outline/1"),
        "/assets/..%2f..%2fsecret".to_owned(),
        "/assets/%2e%2e/secret".to_owned(),
        format!("{ATTEMPT}/download/..%2f..%2fmanifest"),
    ] {
        let answer = visitor.get(&path).await;
        assert_eq!(answer.status, 404, "{path}");
        assert!(!answer.body.contains("s3cret"));
    }
}

/// Texts of a run that are no images are not handed out as images, whatever is asked for.
#[tokio::test]
async fn only_images_are_handed_out_by_digest() {
    let served = Served::start().await;
    let run = umpire_store::Runs::new(served.folder.path().join("runs")).open(RUN).expect("a run");
    let page = run.blobs().put(b"<script>alert(1)</script>", umpire_model::Media::Png).expect("stored");
    let answer = served.visitor().get(&format!("/runs/{RUN}/shots/{}", page.digest)).await;
    assert_eq!(answer.status, 404);
}

#[tokio::test]
async fn a_form_without_its_token_or_from_elsewhere_is_refused() {
    let served = Served::start().await;
    let mut operator = served.operator().await;
    let fields = [("name", "eve"), ("password", "a long enough one"), ("role", "operator")];
    let without = operator.post_as_given("/accounts", &fields, &[]).await;
    assert_eq!(without.status, 403, "no token");
    let mut stranger = served.visitor();
    stranger.get("/sign-in").await;
    let mut stolen = vec![("token", stranger.token.as_str())];
    stolen.extend_from_slice(&fields);
    assert_eq!(
        operator.post_as_given("/accounts", &stolen, &[]).await.status,
        403,
        "a token of somebody else"
    );
    let own_token = operator.token.clone();
    let mut own = vec![("token", own_token.as_str())];
    own.extend_from_slice(&fields);
    let elsewhere = operator.post_as_given("/accounts", &own, &[("Origin", "https://evil.example")]).await;
    assert_eq!(elsewhere.status, 403, "sent by another site");
    let as_text = operator.ask("POST", "/accounts", &[("Content-Type", "text/plain")], "token=x").await;
    assert_eq!(as_text.status, 400, "not a form");
    assert!(!operator.get("/accounts").await.body.contains("<td>eve</td>"));
    assert_eq!(operator.post("/accounts", &fields).await.status, 303, "the same with its token is taken");
    assert!(operator.get("/accounts").await.body.contains("<td>eve</td>"));
}

#[tokio::test]
async fn signing_in_needs_the_password_and_says_no_more_than_that() {
    let served = Served::start().await;
    let mut visitor = served.visitor();
    visitor.get("/sign-in").await;
    let before = visitor.cookies.clone();
    let wrong = visitor.post("/sign-in", &[("name", OPERATOR), ("password", "wrong password")]).await;
    let unknown = visitor.post("/sign-in", &[("name", "nobody"), ("password", "wrong password")]).await;
    assert_eq!((wrong.status, unknown.status), (403, 403));
    let told = |body: &str| body.contains("Name or password is wrong.");
    assert!(told(&wrong.body) && told(&unknown.body));
    assert_eq!(visitor.cookies, before, "nothing was handed out");
    let right = visitor.post("/sign-in", &[("name", OPERATOR), ("password", PASSWORD)]).await;
    assert_eq!(right.status, 303);
    let cookie =
        right.headers.iter().find(|(_, value)| value.starts_with("umpire_session=")).expect("a session");
    for part in ["HttpOnly", "SameSite=Lax", "Secure"] {
        assert!(cookie.1.contains(part), "{}", cookie.1);
    }
    let accounts = visitor.get("/accounts").await;
    assert!(
        accounts.body.contains("was not let in") && accounts.body.contains("signed in"),
        "both are in the log"
    );
    let session = visitor.cookies.clone();
    assert_eq!(visitor.post("/sign-out", &[]).await.status, 303);
    visitor.cookies = session;
    assert_eq!(visitor.get("/accounts").await.status, 401, "a session that ended does not come back");
}

#[tokio::test]
async fn guessing_passwords_is_slowed_down() {
    let served = Served::start().await;
    let mut visitor = served.visitor();
    visitor.get("/sign-in").await;
    let guesses = guesses_before_refusal(&mut visitor, &[]).await;
    assert!((FRESH..MOST_GUESSES).contains(&guesses), "{guesses} guesses before one was turned away");
}

/// Some come back while a busy machine checks the others.
const MOST_GUESSES: usize = 60;

/// How many wrong passwords one may try for the operator's name.
async fn guesses_before_refusal(visitor: &mut Visitor, headers: &[(&str, &str)]) -> usize {
    for guesses in 0..MOST_GUESSES {
        // The name is one however it is spelled.
        let name = if guesses % 2 == 0 { OPERATOR.to_owned() } else { OPERATOR.to_uppercase() };
        let token = visitor.token.clone();
        let fields = [("token", token.as_str()), ("name", &name), ("password", "a wrong password")];
        match visitor.post_as_given("/sign-in", &fields, headers).await.status {
            429 => return guesses,
            status => assert_eq!(status, 403),
        }
    }
    MOST_GUESSES
}

/// Whoever has not guessed before could guess so often.
const FRESH: usize = 10;

#[tokio::test]
async fn guesses_at_a_name_from_everywhere_are_slowed_down_and_its_owner_is_not_shut_out() {
    let served = Served::start_with(|options| options.is_behind_proxy = true).await;
    let mut owner = served.operator().await;
    let mut eve = served.visitor();
    eve.get("/sign-in").await;
    assert!(guesses_before_refusal(&mut eve, &[("X-Forwarded-For", "198.51.100.1")]).await < MOST_GUESSES);
    let elsewhere = guesses_before_refusal(&mut eve, &[("X-Forwarded-For", "198.51.100.2")]).await;
    assert!(elsewhere < FRESH, "another address is no way round: {elsewhere}");
    assert_eq!(owner.post("/sign-out", &[]).await.status, 303);
    owner.get("/sign-in").await;
    let wrong = [("name", OPERATOR), ("password", "mistyped it")];
    assert_eq!(owner.post("/sign-in", &wrong).await.status, 403, "only told that it is wrong");
    let right = [("name", OPERATOR), ("password", PASSWORD)];
    assert_eq!(owner.post("/sign-in", &right).await.status, 303, "where it was signed in before");
    // The mark is the browser's own: taken elsewhere it is worth nothing.
    let mut thief = served.visitor();
    thief.get("/sign-in").await;
    let mark = owner.cookies.get("umpire_known").expect("a mark").clone();
    thief.cookies.insert("umpire_known".to_owned(), mark);
    let as_owner = guesses_before_refusal(&mut thief, &[]).await;
    assert!(as_owner < FRESH, "{as_owner}");
    let other = [("name", "somebody"), ("password", "a wrong password")];
    assert_eq!(thief.post("/sign-in", &other).await.status, 403, "other names are not concerned");
}

#[tokio::test]
async fn pages_of_operators_are_for_operators() {
    let served = Served::start().await;
    let mut operator = served.operator().await;
    let mut ann = served.annotator(&mut operator, "ann").await;
    assert_eq!(served.visitor().get("/accounts").await.status, 401);
    assert_eq!(ann.get("/accounts").await.status, 403);
    ann.get("/label").await;
    let fields = [("name", "eve"), ("password", "a long enough one"), ("role", "operator")];
    assert_eq!(ann.post("/accounts", &fields).await.status, 403);
    let queue = [("run", RUN), ("title", "mine"), ("filter", ""), ("most", "5"), ("overlap", "1")];
    assert_eq!(ann.post("/label", &queue).await.status, 403);
}

#[tokio::test]
async fn a_forged_visitor_is_given_an_id_of_our_own() {
    let served = Served::start().await;
    let mut visitor = served.visitor();
    visitor.get("/").await;
    let own = visitor.cookies["umpire_visitor"].clone();
    visitor.get("/").await;
    assert_eq!(visitor.cookies["umpire_visitor"], own, "it stays the same");
    visitor
        .cookies
        .insert("umpire_visitor".to_owned(), format!("admin.{}", own.split('.').nth(1).expect("signed")));
    visitor.get("/").await;
    assert!(!visitor.cookies["umpire_visitor"].starts_with("admin."));
}

#[tokio::test]
async fn a_private_server_shows_strangers_the_way_in_only() {
    let served = Served::start_with(|options| options.is_private = true).await;
    let mut visitor = served.visitor();
    for path in ["/", &format!("/runs/{RUN}"), ATTEMPT, &format!("/runs/{RUN}/events"), "/compare"] {
        assert_eq!(visitor.get(path).await.status, 401, "{path}");
    }
    let mut operator = served.operator().await;
    assert_eq!(operator.get(ATTEMPT).await.status, 200);
}

#[tokio::test]
async fn a_name_that_is_not_ours_is_not_answered_to() {
    let served = Served::start().await;
    let answer = served.visitor().ask("GET", "/", &[("Host", "evil.example")], "").await;
    assert_eq!(answer.status, 421);
    assert!(!answer.body.contains(RUN));
}

#[tokio::test]
async fn a_form_that_is_too_large_is_refused() {
    let served = Served::start().await;
    let mut visitor = served.visitor();
    visitor.get("/sign-in").await;
    let answer = visitor.post("/sign-in", &[("name", &"x".repeat(400 * 1024)), ("password", "y")]).await;
    assert_eq!(answer.status, 400);
}
