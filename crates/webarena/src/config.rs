//! Where the sites of a run were: the reference's configuration file, and the way between addresses and placeholders.

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde::Deserialize;

use crate::python::urllib;
use crate::site::Site;

/// The configuration file. Keys it does not list are ignored.
#[derive(Debug, Clone, Deserialize)]
#[serde(default)]
pub struct Config {
    pub test_data_file: Option<PathBuf>,
    pub environments: Option<Environments>,
    pub agent_response_file_name: String,
    pub trace_file_name: String,
    pub eval_result_file_name: String,
    pub storage_state_file_name: String,
}

pub type Environments = BTreeMap<Site, Environment>;

impl Default for Config {
    fn default() -> Self {
        Self {
            test_data_file: None,
            environments: None,
            agent_response_file_name: "agent_response.json".to_owned(),
            trace_file_name: "network.har".to_owned(),
            eval_result_file_name: "eval_result.json".to_owned(),
            storage_state_file_name: ".storage_state.json".to_owned(),
        }
    }
}

impl Config {
    /// Whether every one of these sites has an address.
    pub fn covers(&self, sites: &[Site]) -> bool {
        let Some(environments) = self.environments.as_ref().filter(|environments| !environments.is_empty())
        else {
            return false;
        };
        sites
            .iter()
            .all(|site| environments.get(site).is_some_and(|environment| !environment.urls.is_empty()))
    }
}

/// The addresses of one site. All of them are recognised; one is active.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Environment {
    pub urls: Vec<String>,
    /// The first address if absent.
    #[serde(default)]
    pub active_url_idx: Option<i64>,
}

impl Environment {
    pub fn active_url(&self) -> Option<&str> {
        let index = usize::try_from(self.active_url_idx.unwrap_or(0)).ok()?;
        self.urls.get(index).map(String::as_str)
    }
}

/// Addresses taken from recorded requests, for a run whose configuration was lost: the n-th site is where the n-th
/// request went (or the last one, if there are fewer).
pub fn environments_from_requests(sites: &[Site], request_urls: &[&str]) -> Option<Environments> {
    let last = request_urls.len().checked_sub(1)?;
    let mut environments = Environments::new();
    for (index, &site) in sites.iter().enumerate() {
        let url = urllib::split(request_urls[index.min(last)]).ok()?;
        let mut address = format!("{}://{}", url.scheme, url.authority);
        if site == Site::ShoppingAdmin {
            address.push_str("/admin");
        }
        environments.insert(site, Environment { urls: vec![address], active_url_idx: None });
    }
    Some(environments)
}

/// Whether a text that fits no site is an error or stays as it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Strictness {
    Strict,
    Lenient,
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SiteUrlError {
    #[error("no environments are configured")]
    NoEnvironments,
    #[error("{} is not among the configured environments", site.name())]
    MissingSite { site: Site },
    #[error("{} has no address at its active index", site.name())]
    NoActiveUrl { site: Site },
    #[error("no site of the task matches the template {template:?}")]
    UnknownTemplate { template: String },
    #[error("{url:?} is at none of the addresses of the task's sites")]
    UnknownUrl { url: String },
}

/// The sites of one task with their addresses.
#[derive(Debug, Clone)]
pub struct SiteUrls {
    in_task_order: Vec<(Site, Environment)>,
    /// Longest address first, so that a site below another one's path is recognised.
    by_specificity: Vec<(Site, Environment)>,
}

impl SiteUrls {
    pub fn new(environments: Option<&Environments>, sites: &[Site]) -> Result<Self, SiteUrlError> {
        let environments = environments.ok_or(SiteUrlError::NoEnvironments)?;
        let mut in_task_order = Vec::with_capacity(sites.len());
        for &site in sites {
            let environment = environments.get(&site).ok_or(SiteUrlError::MissingSite { site })?;
            in_task_order.push((site, environment.clone()));
        }
        let longest =
            |environment: &Environment| environment.urls.iter().map(|url| url.chars().count()).max();
        let mut by_specificity = in_task_order.clone();
        by_specificity.sort_by_key(|(_, environment)| std::cmp::Reverse(longest(environment)));
        Ok(Self { in_task_order, by_specificity })
    }

    /// Replaces the placeholder a text starts with by the site's active address, wherever it stands in the text.
    pub fn render(&self, template: &str, strictness: Strictness) -> Result<String, SiteUrlError> {
        for &(site, ref environment) in &self.in_task_order {
            if template.starts_with(site.placeholder()) {
                let address = environment.active_url().ok_or(SiteUrlError::NoActiveUrl { site })?;
                let rendered = template.replace(site.placeholder(), address);
                if rendered != template {
                    return Ok(rendered);
                }
            }
        }
        match strictness {
            Strictness::Strict => Err(SiteUrlError::UnknownTemplate { template: template.to_owned() }),
            Strictness::Lenient => Ok(template.to_owned()),
        }
    }

    /// Replaces the first known address found anywhere in the text by its site's placeholder, at every occurrence.
    pub fn derender(&self, url: &str, strictness: Strictness) -> Result<String, SiteUrlError> {
        for &(site, ref environment) in &self.by_specificity {
            if let Some(address) = environment.urls.iter().find(|address| url.contains(address.as_str())) {
                return Ok(url.replace(address.trim_end_matches('/'), site.placeholder()));
            }
        }
        match strictness {
            Strictness::Strict => Err(SiteUrlError::UnknownUrl { url: url.to_owned() }),
            Strictness::Lenient => Ok(url.to_owned()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn environments(json: &str) -> Environments {
        serde_json::from_str(json).expect("environments")
    }

    #[test]
    fn the_active_address_is_written_and_every_address_is_read() {
        let environments = environments(
            r#"{"__SHOPPING__": {"urls": ["http://shop", "http://two/"], "active_url_idx": 1, "extra": {}},
                "SHOPPING_ADMIN": {"urls": ["http://shop/admin"]}}"#,
        );
        let sites =
            SiteUrls::new(Some(&environments), &[Site::Shopping, Site::ShoppingAdmin]).expect("covered");
        assert_eq!(
            sites.render("__SHOPPING__/?to=__SHOPPING__", Strictness::Strict).as_deref(),
            Ok("http://two//?to=http://two/")
        );
        for (url, expected) in [
            ("http://shop/admin/x", "__SHOPPING_ADMIN__/x"),
            ("see http://shop/a", "see __SHOPPING__/a"),
            ("http://two/a", "__SHOPPING__/a"),
            ("http://two", "http://two"),
            ("http://shopping/a", "__SHOPPING__ping/a"),
        ] {
            assert_eq!(sites.derender(url, Strictness::Lenient).as_deref(), Ok(expected), "{url}");
        }
        assert!(sites.derender("http://two", Strictness::Strict).is_err());
        assert!(sites.render("__GITLAB__", Strictness::Strict).is_err());
    }

    #[test]
    fn a_site_without_environment_or_address_is_an_error() {
        let environments = environments(r#"{"gitlab": {"urls": []}}"#);
        assert!(SiteUrls::new(None, &[Site::Gitlab]).is_err());
        assert!(SiteUrls::new(Some(&environments), &[Site::Gitlab, Site::Map]).is_err());
        let sites = SiteUrls::new(Some(&environments), &[Site::Gitlab]).expect("covered");
        assert!(sites.render("__GITLAB__/x", Strictness::Lenient).is_err());
    }

    #[test]
    fn lost_configuration_is_rebuilt_from_requests() {
        let sites = [Site::ShoppingAdmin, Site::Map];
        let rebuilt = environments_from_requests(&sites, &["http://a:1/x?y", "https://b/"]).expect("urls");
        assert_eq!(rebuilt[&Site::ShoppingAdmin].active_url(), Some("http://a:1/admin"));
        assert_eq!(rebuilt[&Site::Map].active_url(), Some("https://b"));
        assert!(environments_from_requests(&sites, &[]).is_none());
    }
}
