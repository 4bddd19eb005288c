//! What a browser context remembers of its sites, out of it and into it, in the format of Playwright's `storageState`.
//!
//! Local storage and databases belong to origins and can only be reached from a page of theirs. Such pages are made up here, empty,
//! without asking the site: nothing of it runs and no request leaves.

use std::fmt;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use umpire_model::Deadline;
use url::Url;

use super::databases::{DatabasesRead, StoredDatabase, reading, writing};
use super::{Seat, SeatError};
use crate::TabHandle;
use crate::cdp::CdpError;
use crate::isolated::IsolatedWorld;

/// Cookies, local storage and databases, as Playwright writes them. Fields it may add are kept as they are.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct StorageState {
    #[serde(default)]
    pub cookies: Vec<StoredCookie>,
    #[serde(default)]
    pub origins: Vec<OriginState>,
    /// What was met when it was read and the format has no words for.
    #[serde(skip)]
    pub unkept: Vec<String>,
}

#[derive(Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct StoredCookie {
    pub name: String,
    pub value: String,
    /// With a leading dot if subdomains get it too.
    pub domain: String,
    pub path: String,
    /// Seconds since 1970; -1 until the browser closes.
    #[serde(default = "until_closed")]
    pub expires: f64,
    #[serde(default)]
    pub http_only: bool,
    #[serde(default)]
    pub secure: bool,
    /// `Strict`, `Lax` or `None`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub same_site: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub partition_key: Option<String>,
    #[serde(flatten)]
    pub rest: Map<String, Value>,
}

#[derive(Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct OriginState {
    pub origin: String,
    #[serde(default)]
    pub local_storage: Vec<StoredItem>,
    #[serde(default, rename = "indexedDB", skip_serializing_if = "Vec::is_empty")]
    pub databases: Vec<StoredDatabase>,
    #[serde(flatten)]
    pub rest: Map<String, Value>,
}

#[derive(Clone, PartialEq, Serialize, Deserialize)]
pub struct StoredItem {
    pub name: String,
    pub value: String,
}

/// Values are secrets; what is printed names them only.
impl fmt::Debug for StoredCookie {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "cookie {} of {}", self.name, self.domain)
    }
}

impl fmt::Debug for OriginState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} items and {} databases of {}",
            self.local_storage.len(),
            self.databases.len(),
            self.origin
        )
    }
}

fn until_closed() -> f64 {
    -1.0
}

/// Files of the origin's own file system, which newer Playwrights can keep.
const FILES: &str = "opfs";

impl StorageState {
    /// What is in it and is not put back, one line each.
    pub fn left_out(&self) -> Vec<String> {
        let has_files = |origin: &&OriginState| {
            origin.rest.get(FILES).and_then(Value::as_array).is_some_and(|f| !f.is_empty())
        };
        let files = self.origins.iter().filter(has_files);
        files
            .map(|origin| format!("files of {} (origin private file system)", origin.origin))
            .chain(self.unkept.iter().cloned())
            .collect()
    }
}

#[derive(Deserialize)]
struct Cookies {
    cookies: Vec<CdpCookie>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct CdpCookie {
    name: String,
    value: String,
    domain: String,
    path: String,
    #[serde(default = "until_closed")]
    expires: f64,
    http_only: bool,
    secure: bool,
    same_site: Option<String>,
    partition_key: Option<PartitionKey>,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct PartitionKey {
    top_level_site: String,
    has_cross_site_ancestor: bool,
}

/// Playwright's own field beside `partitionKey`.
const CROSS_SITE: &str = "_crHasCrossSiteAncestor";

impl From<CdpCookie> for StoredCookie {
    fn from(cookie: CdpCookie) -> Self {
        let mut rest = Map::new();
        if let Some(key) = &cookie.partition_key {
            rest.insert(CROSS_SITE.to_owned(), key.has_cross_site_ancestor.into());
        }
        Self {
            name: cookie.name,
            value: cookie.value,
            domain: cookie.domain,
            path: cookie.path,
            expires: cookie.expires,
            http_only: cookie.http_only,
            secure: cookie.secure,
            // A cookie that says nothing is treated as `Lax`.
            same_site: Some(cookie.same_site.unwrap_or_else(|| "Lax".to_owned())),
            partition_key: cookie.partition_key.map(|key| key.top_level_site),
            rest,
        }
    }
}

fn to_cdp(cookie: &StoredCookie) -> Value {
    let mut params = json!({
        "name": cookie.name, "value": cookie.value, "domain": cookie.domain, "path": cookie.path,
        "httpOnly": cookie.http_only, "secure": cookie.secure,
    });
    if cookie.expires >= 0.0 {
        params["expires"] = json!(cookie.expires);
    }
    if let Some(same_site) = &cookie.same_site {
        params["sameSite"] = json!(same_site);
    }
    if let Some(site) = &cookie.partition_key {
        let crossing = cookie.rest.get(CROSS_SITE).and_then(Value::as_bool).unwrap_or_default();
        params["partitionKey"] = json!({ "topLevelSite": site, "hasCrossSiteAncestor": crossing });
    }
    params
}

impl Seat {
    /// All cookies of the seat's context.
    pub async fn cookies(&self, deadline: Deadline) -> Result<Vec<StoredCookie>, SeatError> {
        let context = json!({ "browserContextId": self.warm.context });
        let Cookies { cookies } =
            self.warm.connection.root().call("Storage.getCookies", context, deadline).await?;
        Ok(cookies.into_iter().map(StoredCookie::from).collect())
    }

    /// Whether the page in front has an element for a CSS selector; one that is no selector is an error.
    pub async fn has_element(&self, selector: &str, deadline: Deadline) -> Result<bool, SeatError> {
        let tab = self.active_tab(deadline).await?;
        let world = IsolatedWorld::open(&tab.session, &tab.id, deadline).await?;
        let script = format!("document.querySelector({}) !== null", json!(selector));
        Ok(world.evaluate(&script, deadline).await?)
    }

    /// What the seat's context remembers: all cookies, and what these origins have stored. The tab in front is left on a
    /// blank page.
    pub async fn storage(&self, origins: &[String], deadline: Deadline) -> Result<StorageState, SeatError> {
        let mut state = StorageState { cookies: self.cookies(deadline).await?, ..StorageState::default() };
        let tab = self.active_tab(deadline).await?;
        for origin in origins {
            let world = self.in_origin(&tab, origin, deadline).await?;
            let told = |error: CdpError| SeatError::Storage(format!("what {origin} stored: {error}"));
            let items: Vec<(String, String)> =
                world.evaluate("Object.entries(localStorage)", deadline).await.map_err(told)?;
            let DatabasesRead { databases, unkept } =
                world.evaluate(&reading(), deadline).await.map_err(told)?;
            state.unkept.extend(unkept.into_iter().map(|what| format!("{origin}: {what}")));
            if !items.is_empty() || !databases.is_empty() {
                let items = items.into_iter().map(|(name, value)| StoredItem { name, value });
                state.origins.push(OriginState {
                    origin: origin.clone(),
                    local_storage: items.collect(),
                    databases,
                    rest: Map::new(),
                });
            }
        }
        self.leave_origins(&tab, deadline).await?;
        Ok(state)
    }

    /// Gives the seat's context the memory of another, before anything has happened in it.
    pub async fn restore(&self, state: &StorageState, deadline: Deadline) -> Result<(), SeatError> {
        if !state.cookies.is_empty() {
            self.restore_cookies(&state.cookies, deadline).await?;
        }
        let is_filled =
            |origin: &&OriginState| !origin.local_storage.is_empty() || !origin.databases.is_empty();
        let filled: Vec<&OriginState> = state.origins.iter().filter(is_filled).collect();
        if filled.is_empty() {
            return Ok(());
        }
        let tab = self.active_tab(deadline).await?;
        for origin in filled {
            let world = self.in_origin(&tab, &origin.origin, deadline).await?;
            let told =
                |error: CdpError| SeatError::Storage(format!("what {} stored: {error}", origin.origin));
            let entries: Vec<(&str, &str)> =
                origin.local_storage.iter().map(|item| (item.name.as_str(), item.value.as_str())).collect();
            let script =
                format!("{}.forEach(([name, value]) => localStorage.setItem(name, value))", json!(entries));
            let () = world.evaluate(&format!("{script}, null"), deadline).await.map_err(told)?;
            let () = world.evaluate(&writing(&origin.databases), deadline).await.map_err(told)?;
        }
        self.leave_origins(&tab, deadline).await
    }

    async fn restore_cookies(&self, cookies: &[StoredCookie], deadline: Deadline) -> Result<(), SeatError> {
        let root = self.warm.connection.root();
        let params =
            |cookies: Vec<Value>| json!({ "cookies": cookies, "browserContextId": self.warm.context });
        match root.run("Storage.setCookies", params(cookies.iter().map(to_cdp).collect()), deadline).await {
            Err(CdpError::Refused { .. }) => {}
            other => return Ok(other?),
        }
        // Chromium refuses all of them for one: say which.
        for cookie in cookies {
            if let Err(CdpError::Refused { message, .. }) =
                root.run("Storage.setCookies", params(vec![to_cdp(cookie)]), deadline).await
            {
                return Err(SeatError::Storage(format!("{cookie:?}: {message}")));
            }
        }
        Ok(())
    }

    /// An empty page of an origin.
    async fn in_origin(
        &self,
        tab: &TabHandle,
        origin: &str,
        deadline: Deadline,
    ) -> Result<IsolatedWorld, SeatError> {
        let url = Url::parse(origin).ok().filter(|url| matches!(url.scheme(), "http" | "https"));
        let url = url.filter(|url| url.path() == "/" && url.query().is_none() && url.fragment().is_none());
        let url = url.ok_or_else(|| SeatError::Storage(format!("`{origin}` is no origin of a website")))?;
        self.warm.recorder.stand_in(true);
        tab.session.run("Fetch.enable", json!({}), deadline).await?;
        self.send(tab, url.as_str(), deadline).await?;
        Ok(IsolatedWorld::open(&tab.session, &tab.id, deadline).await?)
    }

    async fn leave_origins(&self, tab: &TabHandle, deadline: Deadline) -> Result<(), SeatError> {
        let left = tab.session.run("Fetch.disable", json!({}), deadline).await;
        self.warm.recorder.stand_in(false);
        left?;
        if let Some(stops) = self.network.stops() {
            tab.session.run("Fetch.enable", stops, deadline).await?;
        }
        self.blank(deadline).await
    }

    /// Back to a blank page in the tab in front, as if nothing had been visited.
    pub async fn blank(&self, deadline: Deadline) -> Result<(), SeatError> {
        let tab = self.active_tab(deadline).await?;
        self.send(&tab, "about:blank", deadline).await?;
        tab.session.run("Page.resetNavigationHistory", json!({}), deadline).await?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_of_playwright_comes_back_as_it_was() {
        let file = json!({
            "cookies": [{"name": "sid", "value": "s3cret", "domain": ".a.example", "path": "/", "expires": -1,
                "httpOnly": true, "secure": false, "sameSite": "Lax"},
                {"name": "p", "value": "1", "domain": "b.example", "path": "/", "expires": 1_900_000_000.5,
                "httpOnly": false, "secure": true, "sameSite": "None", "partitionKey": "https://a.example",
                "_crHasCrossSiteAncestor": true}],
            "origins": [{"origin": "https://a.example", "localStorage": [{"name": "k", "value": "v"}],
                "opfs": [{"path": "a", "type": "directory"}],
                "indexedDB": [{"name": "db", "version": 3, "stores": [{"name": "keys", "keyPath": "id",
                    "autoIncrement": true, "records": [{"value": {"id": 1, "token": "t0ken"}},
                        {"valueEncoded": {"o": [{"k": "id", "v": 2}, {"k": "at", "v": {"d": "2026-01-01T00:00:00.000Z"}}], "id": 1}}],
                    "indexes": [{"name": "by", "keyPathArray": ["a", "b"], "multiEntry": false, "unique": true}]}]}]}],
        });
        let state: StorageState = serde_json::from_value(file.clone()).expect("a state");
        let mut again = serde_json::to_value(&state).expect("JSON");
        // -1 is written as a fraction; the number is the same.
        assert_eq!(again["cookies"][0]["expires"].as_f64(), Some(-1.0));
        again["cookies"][0]["expires"] = json!(-1);
        assert_eq!(again, file);
        assert_eq!(state.left_out(), ["files of https://a.example (origin private file system)"]);
        let texts = state.origins[0].databases[0].texts();
        assert_eq!(texts, ["t0ken", "id", "at", "2026-01-01T00:00:00.000Z"]);
        let printed = format!("{state:?}");
        assert!(!printed.contains("s3cret") && !printed.contains("t0ken"), "{printed}");
    }
}
