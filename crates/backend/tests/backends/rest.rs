use std::sync::atomic::Ordering;

use serde_json::{Value, json};
use tokio::net::TcpListener;
use umpire_model::Said;

use crate::rest_server::RestServer;
use crate::support::{Backend, assert_refused, assert_unreachable, json_of};

fn shop(server: &RestServer) -> Backend {
    Backend::at(&format!("{}/shop", server.origin))
}

#[tokio::test]
async fn answers_are_json() {
    let server = RestServer::start().await;
    let shop = shop(&server);
    let orders = json!({"items": [{"id": 7, "total": "19.90"}]});
    assert_eq!(json_of(shop.get("/orders").await, "orders"), orders);
    assert_eq!(json_of(shop.get("/here").await, "a redirect at home"), orders);
    assert_eq!(json_of(shop.get("/empty").await, "no content"), Value::Null);
    assert_eq!(shop.get("/nowhere").await, Said::Nothing);
    assert_eq!(shop.get("/status/410").await, Said::Nothing);
}

#[tokio::test]
async fn a_post_needs_its_authors_word() {
    let server = RestServer::start().await;
    let post = |read_only: bool| json!({"post": {"path": "/graphql", "body": {"query": "{ me }"}, "read_only": read_only}});
    assert_refused(&shop(&server).ask(&post(false)).await, "read_only", "a POST");
    assert_eq!(server.requests.load(Ordering::SeqCst), 0, "the request was not made");
    let answer = json_of(shop(&server).ask(&post(true)).await, "a POST");
    assert_eq!(answer, json!({"got": r#"{"query":"{ me }"}"#}));
}

#[tokio::test]
async fn headers_are_sent_and_their_secrets_come_back_redacted() {
    let server = RestServer::start().await;
    let spec = json!({
        "url": format!("{}/shop/", server.origin),
        "headers": {"Authorization": "Bearer env:THE_TOKEN", "X-Store": "default"},
    });
    let head = json_of(Backend::configured(&spec).get("/headers").await, "headers");
    let head = head.as_str().expect("text").to_ascii_lowercase();
    assert!(head.starts_with("get /shop/headers http/1.1\r\n"), "{head}");
    for line in ["x-store: default", "accept: application/json", "authorization: bearer «redacted»"] {
        assert!(head.contains(line), "{head}");
    }
}

#[tokio::test]
async fn whose_fault_a_bad_answer_is() {
    let server = RestServer::start().await;
    let shop = shop(&server);
    for (path, reason) in [
        ("/html", "no JSON"),
        ("/deep", "no JSON"),
        ("/zipped", "encoded (gzip)"),
        ("/round", "more than 5 redirects"),
        ("/status/400", "status 400"),
        ("/status/405", "status 405"),
        ("/../admin", "no path below"),
        ("orders", "no path below"),
    ] {
        assert_refused(&shop.get(path).await, reason, path);
    }
    for (path, reason) in [
        ("/cut", "broke"),
        ("/noise", "broke"),
        ("/status/401", "does not let us in"),
        ("/status/403", "does not let us in"),
        ("/status/429", "status 429"),
        ("/status/500", "status 500"),
        ("/status/503", "status 503"),
    ] {
        assert_unreachable(&shop.get(path).await, reason, path);
    }
    assert_refused(&shop.query("SELECT 1").await, "not a database", "SQL");
}

#[tokio::test]
async fn a_gigabyte_is_not_read_to_its_end() {
    let server = RestServer::start().await;
    assert_refused(&shop(&server).get("/gigabyte").await, "more than 4 MiB", "a gigabyte");
    // What lies in socket buffers was sent too; the rest of the gigabyte never was.
    assert!(server.sent.load(Ordering::SeqCst) < 64 << 20);
}

#[tokio::test]
async fn a_redirect_elsewhere_is_not_followed() {
    let (server, stranger) = (RestServer::start().await, RestServer::start().await);
    let place = stranger.origin.trim_start_matches("http://");
    assert_refused(&shop(&server).get(&format!("/to/{place}")).await, "redirects elsewhere", "a redirect");
    assert_eq!(stranger.requests.load(Ordering::SeqCst), 0);
}

#[tokio::test]
async fn nobody_waits_for_ever() {
    let server = RestServer::start().await;
    let hasty = Backend::configured(&json!({"url": format!("{}/shop", server.origin), "seconds": 1}));
    for path in ["/silence", "/trickle"] {
        assert_unreachable(&hasty.get(path).await, "no answer within 1 seconds", path);
    }
    // A listener that accepts and says nothing stands for any hung server.
    let mute = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
    let address = mute.local_addr().expect("an address");
    for scheme in ["http", "https"] {
        let hasty = Backend::configured(&json!({"url": format!("{scheme}://{address}"), "seconds": 1}));
        assert_unreachable(&hasty.get("/").await, "no answer within", scheme);
    }
    for scheme in ["postgres", "mysql"] {
        let hasty = Backend::configured(&json!({"url": format!("{scheme}://a:b@{address}/c"), "seconds": 1}));
        assert_unreachable(&hasty.query("SELECT 1").await, "no answer within", scheme);
    }
    drop(mute);
    let dead = Backend::at(&format!("http://{address}"));
    assert_unreachable(&dead.get("/").await, "no connection", "a dead server");
    for scheme in ["postgres", "mysql"] {
        let dead = Backend::at(&format!("{scheme}://a:b@{address}/c"));
        assert_unreachable(&dead.query("SELECT 1").await, "no connection", scheme);
    }
}

#[tokio::test]
async fn a_call_changes_something_only_where_the_user_allows_and_says_what_came_of_it() {
    let server = RestServer::start().await;
    let call = |path: &str| json!({"call": {"method": "PUT", "path": path, "body": {"public": true}}});
    let forbidden = shop(&server).carry_out(&[call("/graphql")]).await;
    assert!(forbidden.is_err_and(|error| error.contains("writable = true")));
    assert_eq!(server.requests.load(Ordering::SeqCst), 0, "the call was not made");
    let spec = json!({"url": format!("{}/shop", server.origin), "writable": true});
    let writable = Backend::configured(&spec);
    for (path, outcome) in [
        ("/graphql", Ok(())),
        ("/empty", Ok(())),
        ("/nowhere", Err("order 1 to the backend `it`: it does not do it (status 404)")),
        ("/status/409", Err("order 1 to the backend `it`: it does not do it (status 409)")),
        ("/status/503", Err("order 1 to the backend `it`: it is not well (status 503)")),
        ("/status/401", Err("order 1 to the backend `it`: it does not let us in (status 401)")),
        ("/here", Err("order 1 to the backend `it`: it does not do it (status 302)")),
        ("/../x", Err("order 1 to the backend `it`: `/../x` is no path below the connection's URL")),
    ] {
        assert_eq!(writable.carry_out(&[call(path)]).await, outcome.map_err(str::to_owned), "{path}");
    }
}
