//! From placeholders (`__SHOPPING__`) to the addresses of a deployment.

use std::collections::BTreeSet;

use serde::Deserialize;

use crate::config::{Environment, Environments};
use crate::site::Site;

use super::ImportError;

/// The `[sites]` table of `umpire.toml`: `shopping = "http://…"`, or a table with `url` or `urls`.
#[derive(Deserialize)]
struct SitesFile {
    #[serde(default)]
    sites: std::collections::BTreeMap<Site, SiteEntry>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum SiteEntry {
    Url(String),
    Table(SiteTable),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SiteTable {
    url: Option<String>,
    #[serde(default)]
    urls: Vec<String>,
}

/// Reads the `[sites]` table of a TOML file; other tables are not looked at. The first address is the active one.
pub fn sites_from_toml(text: &str) -> Result<Environments, ImportError> {
    let file: SitesFile =
        toml::from_str(text).map_err(|error| ImportError::Sites(error.message().to_owned()))?;
    let environment = |(site, entry)| {
        let urls = match entry {
            SiteEntry::Url(url) => vec![url],
            SiteEntry::Table(SiteTable { url, urls }) => url.into_iter().chain(urls).collect(),
        };
        (site, Environment { urls, active_url_idx: None })
    };
    Ok(file.sites.into_iter().map(environment).collect())
}

/// The sites a text speaks of. `__SHOPPING__` is no part of `__SHOPPING_ADMIN__`, so plain search finds them.
pub(super) fn sites_in(text: &str) -> BTreeSet<Site> {
    Site::ALL.into_iter().filter(|site| text.contains(site.placeholder())).collect()
}

/// Addresses of the sites, in the form in which recorded URLs are compared.
pub(super) struct Addresses<'a> {
    environments: &'a Environments,
}

impl<'a> Addresses<'a> {
    /// Fails if one of the sites has no address, naming all that have none.
    pub(super) fn new(
        environments: &'a Environments,
        needed: impl IntoIterator<Item = Site>,
    ) -> Result<Self, ImportError> {
        let missing: BTreeSet<Site> = needed
            .into_iter()
            .filter(|site| environments.get(site).and_then(Environment::active_url).is_none())
            .collect();
        if missing.is_empty() { Ok(Self { environments }) } else { Err(ImportError::unresolved(&missing)) }
    }

    /// Every address of a site, without a slash at the end.
    pub(super) fn of(&self, site: Site) -> Vec<&'a str> {
        let urls = self.environments.get(&site).map_or(&[][..], |environment| &environment.urls);
        urls.iter().map(|url| url.trim_end_matches('/')).collect()
    }

    /// With the active addresses filled in.
    pub(super) fn active(&self, text: &str) -> String {
        sites_in(text).into_iter().fold(text.to_owned(), |text, site| {
            let address = self.environments.get(&site).and_then(Environment::active_url).unwrap_or_default();
            text.replace(site.placeholder(), address.trim_end_matches('/'))
        })
    }

    /// With each of the possible addresses filled in; just the text if there is nothing to fill in.
    pub(super) fn spellings(&self, text: &str) -> Vec<String> {
        sites_in(text).into_iter().fold(vec![text.to_owned()], |texts, site| {
            let fill = |text: &String| {
                let text = text.clone();
                self.of(site).into_iter().map(move |address| text.replace(site.placeholder(), address))
            };
            texts.iter().flat_map(fill).collect()
        })
    }

    /// A pattern with all possible addresses filled in, literally.
    pub(super) fn in_pattern(&self, pattern: &str) -> String {
        sites_in(pattern).into_iter().fold(pattern.to_owned(), |pattern, site| {
            let addresses: Vec<String> = self.of(site).iter().map(|address| regex::escape(address)).collect();
            pattern.replace(site.placeholder(), &format!("(?:{})", addresses.join("|")))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_or_several_addresses_in_toml() {
        let sites = sites_from_toml(
            "[run]\nx = 1\n[sites]\nmap = \"http://map\"\n[sites.shopping]\nurl = \"http://a\"\nurls = [\"http://b/\"]\n",
        )
        .expect("readable");
        assert_eq!(sites[&Site::Map].urls, ["http://map"]);
        assert_eq!(sites[&Site::Shopping].urls, ["http://a", "http://b/"]);
        for broken in
            ["[sites]\nbakery = \"http://x\"", "[sites.map]\nurls = 3", "[sites.map]\nadress = \"x\""]
        {
            assert!(sites_from_toml(broken).is_err(), "{broken}");
        }
    }

    #[test]
    fn placeholders_are_filled_in_with_every_address() {
        let sites = sites_from_toml(
            "[sites]\nmap = \"http://map.x\"\n[sites.shopping]\nurls = [\"http://a.x/\", \"http://b\"]\n",
        )
        .expect("readable");
        let addresses = Addresses::new(&sites, [Site::Map, Site::Shopping]).expect("both are there");
        assert_eq!(addresses.active("__SHOPPING__/x"), "http://a.x/x");
        assert_eq!(addresses.spellings("__SHOPPING__/x"), ["http://a.x/x", "http://b/x"]);
        assert_eq!(
            addresses.spellings("__SHOPPING__ __MAP__"),
            ["http://a.x http://map.x", "http://b http://map.x"]
        );
        assert_eq!(addresses.in_pattern("^__SHOPPING__/.*$"), r"^(?:http://a\.x|http://b)/.*$");
        assert_eq!(addresses.spellings("plain"), ["plain"]);
    }

    #[test]
    fn a_site_without_address_is_named_with_what_to_do() {
        let message =
            Addresses::new(&Environments::new(), [Site::Gitlab, Site::Map]).err().map(|e| e.to_string());
        let message = message.expect("an error");
        for part in ["gitlab", "map", "[sites]", "__GITLAB__"] {
            assert!(message.contains(part), "{message}");
        }
    }
}
