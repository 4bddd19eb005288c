//! Every settings-heavy site as its visitors see it: requests in, pages and state out.

mod fuzz;
mod pages;
mod saving;
mod tasks;

use bytes::Bytes;
use serde_json::Value;

use super::SettingsSite;
use crate::kit::visitor::{FORM, request, text};
use crate::{Site, games, gazette, learning, models, social, video};

/// The engine does not look at it.
const HOST: &str = "site.localhost";

type MakeSite = fn(u64) -> SettingsSite;

const SITES: [MakeSite; 6] =
    [social::site, video::site, learning::site, gazette::site, games::site, models::site];

fn get(site: &mut SettingsSite, target: &str) -> http::Response<Bytes> {
    site.handle(&request("GET", HOST, target, "", "")).into_http()
}

fn post(site: &mut SettingsSite, target: &str, form: &str) -> http::Response<Bytes> {
    site.handle(&request("POST", HOST, target, FORM, form)).into_http()
}

fn post_json(site: &mut SettingsSite, body: &Value) -> http::Response<Bytes> {
    site.handle(&request("POST", HOST, "/settings/api/control", "application/json", &body.to_string()))
        .into_http()
}

/// Every page that is linked from anywhere, found by following links from the start page. Pages of many alike are
/// many, so that only the first of each folder are opened.
fn linked_pages(site: &mut SettingsSite) -> Vec<String> {
    const OF_EACH_FOLDER: usize = 6;
    let mut found = vec!["/".to_owned()];
    let mut next = 0;
    while let Some(page) = found.get(next).cloned() {
        next += 1;
        for link in text(&get(site, &page)).split("href=\"").skip(1) {
            let link = link.split('"').next().unwrap_or_default().replace("&amp;", "&");
            let folder = link.rsplit_once(['/', '=']).map_or("", |(folder, _)| folder).to_owned();
            let alike = found.iter().filter(|known| known.starts_with(&folder)).count();
            let is_settings = folder == "/settings";
            if link.starts_with('/')
                && !found.contains(&link)
                && (is_settings || folder.is_empty() || alike < OF_EACH_FOLDER)
            {
                found.push(link);
            }
        }
    }
    found
}
