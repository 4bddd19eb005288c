//! What a client may ask of the browser: a pure function from a message to a decision.
//!
//! The rule of thumb: a client may do to its own pages whatever it likes, and nothing to the browser around them, to
//! the network path, or to files. [`Bounds`] says what is its own.

use std::path::Path;

use serde_json::{Value, json};
use url::Url;

use crate::hosts::Place;
use crate::netgate::NetworkPolicy;

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Decision {
    Pass,
    /// Passed on as it is, and written down.
    Note(Objection),
    /// Passed on with other parameters.
    Rewrite(Value, Objection),
    /// Not passed on, but answered as if it had worked.
    Pretend(Objection),
    Refuse(Objection),
}

/// Why a message is not simply passed on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Objection {
    pub reason: String,
    /// True if an honest agent has no reason to ask for it.
    pub suspicious: bool,
}

impl Objection {
    pub(super) fn suspicious(reason: impl Into<String>) -> Self {
        Self { reason: reason.into(), suspicious: true }
    }

    pub(super) fn harmless(reason: impl Into<String>) -> Self {
        Self { reason: reason.into(), suspicious: false }
    }
}

/// What belongs to the client's seat.
pub(crate) trait Bounds {
    fn network(&self) -> &NetworkPolicy;
    /// The network gate's host and port.
    fn proxy(&self) -> &str;
    /// Where the seat's downloads go.
    fn downloads(&self) -> &Path;
    fn has_context(&self, id: &str) -> bool;
    /// A context the client itself created.
    fn made_context(&self, id: &str) -> bool;
    fn has_target(&self, id: &str) -> bool;
    fn may_upload(&self, path: &str) -> bool;
}

/// Methods that are refused whatever their parameters; a name that ends with a dot is a whole domain.
const REFUSED: [(&str, &str, bool); 18] = [
    ("Browser.crash", "would crash the browser", true),
    ("Browser.crashGpuProcess", "would crash the browser", true),
    ("Page.crash", "would crash the page", true),
    ("Browser.executeBrowserCommand", "acts on the browser, not on a page", false),
    ("Target.exposeDevToolsProtocol", "would hand the protocol to the page", true),
    ("Target.setRemoteLocations", "would reach other browsers", true),
    ("Target.sendMessageToTarget", "only flat sessions are supported", true),
    ("Target.openDevTools", "acts on the browser, not on a page", false),
    ("Network.loadNetworkResource", "would load a resource outside of any page", false),
    ("Page.handleFileChooser", "use DOM.setFileInputFiles", false),
    ("SystemInfo.", "reads the machine, not a page", false),
    ("Tracing.", "traces the whole browser", false),
    ("Memory.", "acts on whole processes", false),
    ("Extensions.", "extensions are not part of the seat", true),
    ("Tethering.", "would open a port", true),
    ("FileSystem.", "reads files", true),
    ("PWA.", "installs applications", false),
    ("Cast.", "uses other devices", false),
];

pub(crate) fn decide(method: &str, params: &Value, bounds: &dyn Bounds) -> Decision {
    if let Some((_, reason, suspicious)) = REFUSED.iter().find(|(name, ..)| is_named(method, name)) {
        return Decision::Refuse(Objection { reason: (*reason).to_owned(), suspicious: *suspicious });
    }
    if let Some(refused) = outside_the_seat(params, bounds) {
        return Decision::Refuse(refused);
    }
    match method {
        "Browser.close" => {
            Decision::Pretend(Objection::harmless("the browser stays until the attempt is over"))
        }
        "Page.setDownloadBehavior" => {
            Decision::Pretend(Objection::harmless("downloads go to the seat's folder"))
        }
        "Browser.setDownloadBehavior" => keep_downloads(params, bounds),
        "Network.setBypassServiceWorker" => {
            Decision::Note(Objection::harmless("the client bypasses service workers"))
        }
        "Fetch.fulfillRequest" => Decision::Note(Objection::suspicious("the client made up a response")),
        "Fetch.continueRequest" | "Page.navigate" => {
            match text(params, "url").map(|url| check_url(url, bounds.network())) {
                Some(Err(refused)) => Decision::Refuse(refused),
                _ => Decision::Pass,
            }
        }
        "Target.createTarget" => create_target(params, bounds),
        "Target.createBrowserContext" => create_context(params, bounds),
        "Target.disposeBrowserContext" => match text(params, "browserContextId") {
            Some(id) if bounds.made_context(id) => Decision::Pass,
            _ => Decision::Refuse(Objection::harmless("the seat's own context stays")),
        },
        "Target.attachToTarget"
        | "Target.setAutoAttach"
        | "Target.autoAttachRelated"
        | "Target.setDiscoverTargets" => attach(method, params),
        "DOM.setFileInputFiles" => upload(params.get("files"), bounds),
        "Input.dispatchDragEvent" => upload(params.pointer("/data/files"), bounds),
        _ => Decision::Pass,
    }
}

fn is_named(method: &str, name: &str) -> bool {
    if name.ends_with('.') { method.starts_with(name) } else { method == name }
}

fn text<'a>(params: &'a Value, name: &str) -> Option<&'a str> {
    params.get(name).and_then(Value::as_str)
}

fn outside_the_seat(params: &Value, bounds: &dyn Bounds) -> Option<Objection> {
    if let Some(context) = text(params, "browserContextId").filter(|id| !bounds.has_context(id)) {
        return Some(Objection::suspicious(format!("the browser context {context} is not the client's")));
    }
    let target = text(params, "targetId").filter(|id| !bounds.has_target(id))?;
    // Clients often ask for a target that closed a moment ago; its id tells nothing about anybody else's.
    Some(Objection::harmless(format!("the client has no target {target}")))
}

/// Whether a page of the seat may be sent to a URL. The network gate would stop foreign hosts too; this stops what
/// never reaches the network.
pub(crate) fn check_url(url: &str, network: &NetworkPolicy) -> Result<(), Objection> {
    let Ok(parsed) = Url::parse(url) else {
        return Err(Objection::harmless(format!("`{url}` is not a URL; write it with http://")));
    };
    match parsed.scheme() {
        "data" | "blob" => Ok(()),
        "about" if matches!(parsed.path(), "blank" | "srcdoc") => Ok(()),
        "http" | "https" => match Place::of(&parsed) {
            Some(place) if network.allows(&place) => Ok(()),
            Some(place) => Err(Objection {
                reason: format!("{place} is outside the attempt's hosts"),
                suspicious: place.is_private(),
            }),
            None => Err(Objection::harmless(format!("`{url}` names no host"))),
        },
        "javascript" => Err(Objection::harmless("a tab cannot be sent to a script")),
        scheme => Err(Objection::suspicious(format!("`{scheme}:` URLs are not part of the web"))),
    }
}

/// Is a tab's first page, so that the recorder is there before anything is requested.
pub(crate) fn is_blank(url: &str) -> bool {
    url.is_empty() || url == "about:blank"
}

fn create_target(params: &Value, bounds: &dyn Bounds) -> Decision {
    let url = text(params, "url").unwrap_or_default();
    if is_blank(url) {
        return Decision::Pass;
    }
    if let Err(refused) = check_url(url, bounds.network()) {
        return Decision::Refuse(refused);
    }
    let blank = with(params, &[("url", json!("about:blank"))]);
    Decision::Rewrite(blank, Objection::harmless("opened blank first, then sent to its URL"))
}

fn create_context(params: &Value, bounds: &dyn Bounds) -> Decision {
    let ours = with(
        params,
        &[
            ("proxyServer", json!(format!("http://{}", bounds.proxy()))),
            ("proxyBypassList", json!("<-loopback>")),
            ("originsWithUniversalNetworkAccess", json!([])),
        ],
    );
    let asked = |name: &str| params.get(name).is_some_and(|value| !value.is_null() && *value != json!(""));
    let objection = if asked("proxyServer") || asked("proxyBypassList") {
        Objection::suspicious("the client asked for a proxy of its own")
    } else {
        Objection::harmless("the network gate is the context's proxy")
    };
    Decision::Rewrite(ours, objection)
}

fn keep_downloads(params: &Value, bounds: &dyn Bounds) -> Decision {
    let ours = with(
        params,
        &[("behavior", json!("allowAndName")), ("downloadPath", json!(bounds.downloads().to_string_lossy()))],
    );
    Decision::Rewrite(ours, Objection::harmless("downloads go to the seat's folder"))
}

/// Sessions must be flat: messages wrapped inside others would pass the gate unread. Chromium's own user interface is
/// kept out of the client's sight.
fn attach(method: &str, params: &Value) -> Decision {
    let mut changed = params.clone();
    if method != "Target.setDiscoverTargets" {
        changed = with(&changed, &[("flatten", json!(true))]);
    }
    if method != "Target.attachToTarget" {
        let given = params.get("filter").and_then(Value::as_array).filter(|filter| !filter.is_empty());
        // Chromium's own default, if the client has no wish.
        let default = vec![
            json!({"type": "browser", "exclude": true}),
            json!({"type": "tab", "exclude": true}),
            json!({}),
        ];
        let mut filter = vec![json!({"type": "browser_ui", "exclude": true})];
        filter.extend(given.cloned().unwrap_or(default));
        changed = with(&changed, &[("filter", Value::Array(filter))]);
    }
    let nested = params.get("flatten") == Some(&json!(false));
    let objection = if nested { "sessions are flat" } else { "" };
    Decision::Rewrite(changed, Objection::harmless(objection))
}

fn upload(files: Option<&Value>, bounds: &dyn Bounds) -> Decision {
    let files = files.and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    let forbidden =
        files.iter().map(|file| file.as_str().unwrap_or_default()).find(|file| !bounds.may_upload(file));
    match forbidden {
        Some(file) => {
            Decision::Refuse(Objection::suspicious(format!("`{file}` is not in the attempt's folders")))
        }
        None => Decision::Pass,
    }
}

pub(super) fn with(params: &Value, changes: &[(&str, Value)]) -> Value {
    let mut map = params.as_object().cloned().unwrap_or_default();
    for (name, value) in changes {
        map.insert((*name).to_owned(), value.clone());
    }
    Value::Object(map)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::hosts::HostPattern;

    struct Fixture(NetworkPolicy);

    impl Bounds for Fixture {
        fn network(&self) -> &NetworkPolicy {
            &self.0
        }
        fn proxy(&self) -> &'static str {
            "127.0.0.1:4000"
        }
        fn downloads(&self) -> &Path {
            Path::new("/seat/downloads")
        }
        fn has_context(&self, id: &str) -> bool {
            id == "default" || id == "made"
        }
        fn made_context(&self, id: &str) -> bool {
            id == "made"
        }
        fn has_target(&self, id: &str) -> bool {
            id == "tab"
        }
        fn may_upload(&self, path: &str) -> bool {
            path.starts_with("/seat/out/")
        }
    }

    fn fixture() -> Fixture {
        let site: crate::netgate::Handler = Arc::new(|_| http::Response::new(bytes::Bytes::new()));
        Fixture(NetworkPolicy {
            origins: vec![("shop.localhost".to_owned(), site)],
            allowed_hosts: vec![HostPattern::parse("*.example.com")],
            ..NetworkPolicy::default()
        })
    }

    /// `pass`, `note`, `rewrite`, `pretend` or `refuse`, with an exclamation mark if suspicious.
    fn verdict(method: &str, params: &Value) -> String {
        let (word, objection) = match decide(method, params, &fixture()) {
            Decision::Pass => return "pass".to_owned(),
            Decision::Note(objection) => ("note", objection),
            Decision::Rewrite(_, objection) => ("rewrite", objection),
            Decision::Pretend(objection) => ("pretend", objection),
            Decision::Refuse(objection) => ("refuse", objection),
        };
        format!("{word}{}", if objection.suspicious { "!" } else { "" })
    }

    #[test]
    fn urls() {
        for (url, expected) in [
            ("http://shop.localhost/cart?x=1", "pass"),
            ("HTTP://SHOP.LOCALHOST/", "pass"),
            ("https://www.example.com/", "pass"),
            ("about:blank", "pass"),
            ("data:text/html,hi", "pass"),
            ("blob:http://shop.localhost/1", "pass"),
            ("http://elsewhere.org/", "refuse"),
            ("http://127.0.0.1:9222/json", "refuse!"),
            ("http://0x7f.1:9222/", "refuse!"),
            ("http://localhost:3000/", "refuse!"),
            ("http://shop.localhost:8080/", "refuse!"),
            ("http://hub.localhost/", "refuse!"),
            ("file:///etc/passwd", "refuse!"),
            (" FILE:///etc/passwd", "refuse!"),
            ("fi\nle:///etc/passwd", "refuse!"),
            ("view-source:http://shop.localhost/", "refuse!"),
            ("view-source:file:///etc/passwd", "refuse!"),
            ("chrome://version", "refuse!"),
            ("about:version", "refuse!"),
            ("devtools://devtools/bundled/inspector.html", "refuse!"),
            ("chrome-extension://abc/page.html", "refuse!"),
            ("filesystem:http://shop.localhost/x", "refuse!"),
            ("javascript:alert(1)", "refuse"),
            ("shop.localhost/cart", "refuse"),
        ] {
            assert_eq!(verdict("Page.navigate", &json!({ "url": url })), expected, "{url}");
            if expected != "pass" {
                assert_eq!(verdict("Target.createTarget", &json!({ "url": url })), expected, "{url}");
                assert_eq!(verdict("Fetch.continueRequest", &json!({ "url": url })), expected, "{url}");
            }
        }
    }

    #[test]
    fn methods() {
        for (method, params, expected) in [
            ("Runtime.evaluate", json!({"expression": "1"}), "pass"),
            ("Input.dispatchMouseEvent", json!({"x": 1}), "pass"),
            ("Page.captureScreenshot", json!({}), "pass"),
            ("Storage.getCookies", json!({"browserContextId": "default"}), "pass"),
            ("Storage.getCookies", json!({"browserContextId": "other"}), "refuse!"),
            ("Target.createTarget", json!({"url": ""}), "pass"),
            ("Target.createTarget", json!({"url": "about:blank"}), "pass"),
            ("Target.createTarget", json!({"url": "http://shop.localhost/"}), "rewrite"),
            ("Target.createTarget", json!({"url": "about:blank", "browserContextId": "other"}), "refuse!"),
            ("Target.attachToTarget", json!({"targetId": "tab", "flatten": true}), "rewrite"),
            ("Target.attachToTarget", json!({"targetId": "elsewhere", "flatten": true}), "refuse"),
            ("Target.closeTarget", json!({"targetId": "tab"}), "pass"),
            ("Target.closeTarget", json!({"targetId": "elsewhere"}), "refuse"),
            ("Target.disposeBrowserContext", json!({"browserContextId": "made"}), "pass"),
            ("Target.disposeBrowserContext", json!({"browserContextId": "default"}), "refuse"),
            ("Target.createBrowserContext", json!({"disposeOnDetach": true}), "rewrite"),
            ("Target.createBrowserContext", json!({"proxyServer": "http://evil:1"}), "rewrite!"),
            ("Target.exposeDevToolsProtocol", json!({"targetId": "tab"}), "refuse!"),
            ("Target.sendMessageToTarget", json!({"message": "{}"}), "refuse!"),
            ("Target.setRemoteLocations", json!({}), "refuse!"),
            ("Browser.close", json!({}), "pretend"),
            ("Browser.crash", json!({}), "refuse!"),
            ("Browser.getVersion", json!({}), "pass"),
            ("Browser.setDownloadBehavior", json!({"behavior": "deny"}), "rewrite"),
            ("Page.setDownloadBehavior", json!({"behavior": "allow", "downloadPath": "/"}), "pretend"),
            ("SystemInfo.getInfo", json!({}), "refuse"),
            ("Tracing.start", json!({}), "refuse"),
            ("Memory.simulatePressureNotification", json!({}), "refuse"),
            ("Extensions.loadUnpacked", json!({"path": "/x"}), "refuse!"),
            ("Tethering.bind", json!({"port": 1}), "refuse!"),
            ("Network.setBypassServiceWorker", json!({"bypass": true}), "note"),
            ("Fetch.fulfillRequest", json!({"requestId": "1", "responseCode": 200}), "note!"),
            ("Fetch.continueRequest", json!({"requestId": "1"}), "pass"),
            ("DOM.setFileInputFiles", json!({"files": ["/seat/out/cv.pdf"]}), "pass"),
            ("DOM.setFileInputFiles", json!({"files": ["/seat/out/cv.pdf", "/etc/passwd"]}), "refuse!"),
            ("Input.dispatchDragEvent", json!({"data": {"files": ["/etc/passwd"]}}), "refuse!"),
            ("Input.dispatchDragEvent", json!({"data": {"items": []}}), "pass"),
        ] {
            assert_eq!(verdict(method, &params), expected, "{method} {params}");
        }
    }

    fn rewritten(method: &str, params: &Value) -> Value {
        match decide(method, params, &fixture()) {
            Decision::Rewrite(params, _) => params,
            other => panic!("{method} is {other:?}"),
        }
    }

    #[test]
    fn rewriting_puts_the_seat_in_place_of_the_clients_wish() {
        let context =
            json!({"proxyServer": "http://evil:1", "proxyBypassList": "*", "disposeOnDetach": true});
        let context = rewritten("Target.createBrowserContext", &context);
        assert_eq!(context["proxyServer"], "http://127.0.0.1:4000");
        assert_eq!(context["proxyBypassList"], "<-loopback>");
        assert_eq!(context["disposeOnDetach"], true);
        let target = json!({"url": "http://shop.localhost/", "width": 5});
        assert_eq!(rewritten("Target.createTarget", &target), json!({"url": "about:blank", "width": 5}));
        let download = json!({"behavior": "deny", "downloadPath": "/home", "eventsEnabled": true});
        let expected =
            json!({"behavior": "allowAndName", "downloadPath": "/seat/downloads", "eventsEnabled": true});
        assert_eq!(rewritten("Browser.setDownloadBehavior", &download), expected);
        let attach = json!({"autoAttach": true, "waitForDebuggerOnStart": true, "flatten": false});
        let attach = rewritten("Target.setAutoAttach", &attach);
        assert_eq!(attach["flatten"], true);
        assert_eq!(attach["filter"][0], json!({"type": "browser_ui", "exclude": true}));
        let filtered =
            json!({"autoAttach": true, "flatten": true, "filter": [{"type": "page", "exclude": true}, {}]});
        assert_eq!(
            rewritten("Target.setAutoAttach", &filtered)["filter"],
            json!([{"type": "browser_ui", "exclude": true}, {"type": "page", "exclude": true}, {}])
        );
    }
}
