use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use bytes::Bytes;
use serde_json::{Map, Value};

use crate::{
    Request, Response, code, encyclopedia, forum, games, gazette, hub, learning, map, market, models, news,
    search_engine, shop, shop_admin, social, travel, video,
};

/// The world's time. It stands still during an attempt, so that pages and checks agree about "today".
#[derive(Clone, Copy, Debug)]
pub struct Clock;

impl Clock {
    /// The date every page prints and every relative date is counted from.
    pub const TODAY: &'static str = "2026-03-16";
    pub const NOW: &'static str = "2026-03-16T09:30:00Z";
}

/// One website. Its catalogue is shared between worlds of one seed; its state belongs to one attempt.
pub trait Site: Send {
    fn handle(&mut self, request: &Request) -> Response;

    /// Everything an agent can change, as JSON. Records are maps keyed by a stable id, so that a check can point at
    /// one of them.
    fn state(&self) -> Value;

    /// Replaces the state; the error says which field does not fit.
    fn set_state(&mut self, state: Value) -> Result<(), String>;
}

#[derive(Debug, thiserror::Error)]
pub enum WorldError {
    #[error("there is no built-in site `{0}`; there are {names}", names = site_names().join(", "))]
    UnknownSite(String),
    #[error("the initial state of `{site}` does not fit: {problem}")]
    BadState { site: String, problem: String },
}

/// One attempt's private copy of the sites it needs.
pub struct World {
    sites: BTreeMap<String, Mutex<Box<dyn Site>>>,
}

/// Hosts of the built-in sites, as (host, site). A site may answer on several: the hub's consent manager is a
/// third party's page in an iframe.
pub fn site_hosts() -> &'static [(&'static str, &'static str)] {
    &[
        ("shop.localhost", "shop"),
        ("shop-admin.localhost", "shop-admin"),
        ("forum.localhost", "forum"),
        ("code.localhost", "code"),
        ("hub.localhost", "hub"),
        ("consent.localhost", "hub"),
        ("news.localhost", "news"),
        ("choices.localhost", "news"),
        ("travel.localhost", "travel"),
        ("guard.localhost", "travel"),
        ("encyclopedia.localhost", "encyclopedia"),
        ("map.localhost", "map"),
        ("search.localhost", "search"),
        ("social.localhost", "social"),
        ("games.localhost", "games"),
        ("gazette.localhost", "gazette"),
        ("learning.localhost", "learning"),
        ("models.localhost", "models"),
        ("video.localhost", "video"),
        ("compass.localhost", "market"),
        ("fennelrye.localhost", "market"),
        ("basketway.localhost", "market"),
        ("nightjar.localhost", "market"),
        ("roomward.localhost", "market"),
        ("ohmstead.localhost", "market"),
        ("gadgetlane.localhost", "market"),
        ("threadtarn.localhost", "market"),
        ("lindenrow.localhost", "market"),
        ("paperlark.localhost", "market"),
        ("marginalia.localhost", "market"),
        ("skyferry.localhost", "market"),
        ("contrail.localhost", "market"),
        ("tablegather.localhost", "market"),
        ("supperlist.localhost", "market"),
        ("wellspoke.localhost", "market"),
        ("carefold.localhost", "market"),
        ("lumenary.localhost", "market"),
        ("coursewright.localhost", "market"),
        ("encorely.localhost", "market"),
        ("gigharbour.localhost", "market"),
    ]
}

/// Names of the built-in sites, each once.
pub fn site_names() -> Vec<&'static str> {
    let mut names: Vec<&str> = site_hosts().iter().map(|(_, site)| *site).collect();
    names.sort_unstable();
    names.dedup();
    names
}

impl World {
    /// Creates the named sites from `seed`, then applies `patch`: a merge patch on their states, keyed by site.
    pub fn create(sites: &[String], seed: u64, patch: &Value) -> Result<Self, WorldError> {
        let mut built: BTreeMap<String, Mutex<Box<dyn Site>>> = BTreeMap::new();
        for name in sites {
            let mut site: Box<dyn Site> = match name.as_str() {
                "shop" => Box::new(shop::Shop::new(seed)),
                "shop-admin" => Box::new(shop_admin::ShopAdmin::new(seed)),
                "forum" => Box::new(forum::Forum::new(seed)),
                "code" => Box::new(code::CodeHost::new(seed)),
                "hub" => Box::new(hub::Hub::new(seed)),
                "news" => Box::new(news::News::new(seed)),
                "travel" => Box::new(travel::Travel::new(seed)),
                "encyclopedia" => Box::new(encyclopedia::Encyclopedia::new(seed)),
                "map" => Box::new(map::Map::new(seed)),
                "search" => Box::new(search_engine::SearchEngine::new(seed)),
                "social" => Box::new(social::site(seed)),
                "games" => Box::new(games::site(seed)),
                "gazette" => Box::new(gazette::site(seed)),
                "learning" => Box::new(learning::site(seed)),
                "models" => Box::new(models::site(seed)),
                "video" => Box::new(video::site(seed)),
                "market" => Box::new(market::Market::new(seed)),
                _ => return Err(WorldError::UnknownSite(name.clone())),
            };
            if let Some(patch) = patch.get(name) {
                let mut state = site.state();
                merge(&mut state, patch);
                site.set_state(state)
                    .map_err(|problem| WorldError::BadState { site: name.clone(), problem })?;
            }
            built.insert(name.clone(), Mutex::new(site));
        }
        if let Some(stranger) =
            patch.as_object().and_then(|map| map.keys().find(|key| !built.contains_key(*key)))
        {
            return Err(WorldError::UnknownSite(stranger.clone()));
        }
        Ok(Self { sites: built })
    }

    /// Hosts this world answers for.
    pub fn hosts(&self) -> Vec<&'static str> {
        site_hosts()
            .iter()
            .filter(|(_, site)| self.sites.contains_key(*site))
            .map(|(host, _)| *host)
            .collect()
    }

    pub fn serve(&self, request: http::Request<Bytes>) -> http::Response<Bytes> {
        let request = Request::parse(request);
        let site = site_hosts()
            .iter()
            .find(|(host, _)| *host == request.host)
            .and_then(|(_, site)| self.sites.get(*site));
        match site {
            Some(site) => lock(site).handle(&request).into_http(),
            None => Response::empty().status(http::StatusCode::BAD_GATEWAY).into_http(),
        }
    }

    /// Whether the state already is as the merge patch would make it.
    pub fn agrees_with(&self, patch: &Value) -> bool {
        agrees(&self.state(), patch)
    }

    /// The whole server-side state, by site.
    pub fn state(&self) -> Value {
        Value::Object(
            self.sites.iter().map(|(name, site)| (name.clone(), lock(site).state())).collect::<Map<_, _>>(),
        )
    }
}

/// A handler that panicked left the state as far as it got; the attempt goes on and the state shows it.
fn lock(site: &Mutex<Box<dyn Site>>) -> MutexGuard<'_, Box<dyn Site>> {
    site.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Whether a state already is as the merge patch (RFC 7396) would make it.
fn agrees(state: &Value, patch: &Value) -> bool {
    match patch {
        Value::Object(fields) => fields.iter().all(|(name, wanted)| match (state.get(name), wanted) {
            (None, Value::Null) => true,
            (Some(found), wanted) if !wanted.is_null() => agrees(found, wanted),
            _ => false,
        }),
        Value::Null => true,
        wanted => state == wanted,
    }
}

/// RFC 7396.
fn merge(target: &mut Value, patch: &Value) {
    let Value::Object(patch) = patch else {
        *target = patch.clone();
        return;
    };
    if !target.is_object() {
        *target = Value::Object(Map::new());
    }
    if let Value::Object(target) = target {
        for (key, value) in patch {
            if value.is_null() {
                target.remove(key);
            } else {
                merge(target.entry(key.clone()).or_insert(Value::Null), value);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn merge_patch_follows_the_examples_of_the_rfc() {
        for (mut target, patch, expected) in [
            (json!({"a": "b"}), json!({"a": "c"}), json!({"a": "c"})),
            (json!({"a": "b"}), json!({"a": null}), json!({})),
            (json!({"a": [1, 2]}), json!({"a": "c"}), json!({"a": "c"})),
            (json!({"a": {"b": "c"}}), json!({"a": {"b": "d", "c": null}}), json!({"a": {"b": "d"}})),
            (json!({}), json!({"a": {"bb": {"ccc": null}}}), json!({"a": {"bb": {}}})),
        ] {
            merge(&mut target, &patch);
            assert_eq!(target, expected);
        }
    }

    #[test]
    fn a_world_refuses_what_it_does_not_know() {
        let sites = ["hub".to_owned()];
        assert!(World::create(&["bank".to_owned()], 1, &Value::Null).is_err());
        assert!(World::create(&sites, 1, &json!({"shop": {}})).is_err());
    }

    #[test]
    fn a_state_agrees_with_a_patch_that_would_change_nothing() {
        let state = json!({"hub": {"alerts": true, "tokens": ["a"], "name": "Ada"}});
        for (patch, expected) in [
            (json!(null), true),
            (json!({}), true),
            (json!({"hub": {"alerts": true}}), true),
            (json!({"hub": {"alerts": false}}), false),
            (json!({"hub": {"tokens": ["a"], "gone": null}}), true),
            (json!({"hub": {"tokens": []}}), false),
            (json!({"hub": {"name": null}}), false),
            (json!({"hub": {"new": 1}}), false),
            (json!({"shop": {"cart": {}}}), false),
        ] {
            assert_eq!(agrees(&state, &patch), expected, "{patch}");
        }
    }
}
