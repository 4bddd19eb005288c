//! What each site shows to everybody, as a search engine reads it: one document a page.

use umpire_model::Digest;

use crate::kit::by_seed::BySeed;
use crate::{
    code, encyclopedia, forum, games, gazette, hub, learning, map, market, models, news, shop, social,
    travel, video,
};

/// A public page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Document {
    pub host: &'static str,
    /// Begins with a slash.
    pub path: String,
    pub title: String,
    /// What the page says, shortened to its first sentences.
    pub text: String,
    pub kind: Kind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    Article,
    Place,
    Product,
    Code,
    Discussion,
    News,
    Other,
}

impl Document {
    pub fn new(host: &'static str, path: String, title: String, text: String, kind: Kind) -> Self {
        Self { host, path, title, text, kind }
    }

    /// A site's front page, which is all that is known of a site that gives no documents.
    fn front_page(host: &'static str, title: &str, text: &str) -> Self {
        Self::new(host, "/".to_owned(), title.to_owned(), text.to_owned(), Kind::Other)
    }
}

/// Front pages: host, name and what the site is for.
const FRONT_PAGES: &[(&str, &str, &str)] = &[
    (
        "shop.localhost",
        "Larkmoor Goods",
        "Things for the house: lamps, chairs, kitchen and garden, sent anywhere.",
    ),
    (
        "forum.localhost",
        "The forum",
        "Communities that talk about plants, bicycles, books and everything else.",
    ),
    ("code.localhost", "Keelson", "A home for code: projects, issues and merge requests."),
    ("encyclopedia.localhost", "Quire", "The compendium of the country, written by its readers."),
    ("map.localhost", "Waymark", "The map of the country: places, addresses, directions."),
    ("news.localhost", "The Greyharbour Ledger", "A daily paper: headlines, markets, weather and comment."),
    ("travel.localhost", "Skerry", "Flights, stays and city guides."),
    ("hub.localhost", "Orrery", "Your account: security, privacy, devices and data."),
    ("social.localhost", "Murmur", "What people you know are saying."),
    ("video.localhost", "Reelyard", "Videos by people who make things."),
    ("learning.localhost", "Brightwell", "Courses with teachers, lessons and certificates."),
    ("gazette.localhost", "The Harbour Gazette", "A newspaper with its archive."),
    ("games.localhost", "Quarterdeck", "A store for games."),
    ("models.localhost", "Weightroom", "Machine-learning models to try and to download."),
    ("compass.localhost", "Compass", "A directory of shops and booking sites."),
];

/// Of all that [`of_seed`] tells.
pub fn digest_of_public_pages(seed: u64) -> Digest {
    static DIGESTS: BySeed<Digest> = BySeed::new();
    let digest = |seed| {
        let documents = of_seed(seed);
        let pages: Vec<_> =
            documents.iter().map(|page| (page.host, &page.path, &page.title, &page.text)).collect();
        Digest::of_json(&pages)
    };
    Digest::clone(&DIGESTS.get(seed, digest))
}

/// The public pages of all sites of a seed's world.
pub fn of_seed(seed: u64) -> Vec<Document> {
    let mut documents: Vec<Document> =
        FRONT_PAGES.iter().map(|(host, title, text)| Document::front_page(host, title, text)).collect();
    for source in [
        encyclopedia::documents,
        map::documents,
        shop::documents,
        forum::documents,
        code::documents,
        news::documents,
        travel::documents,
        market::documents,
        video::documents,
        learning::documents,
        games::documents,
        models::documents,
        gazette::documents,
        social::documents,
        hub::documents,
    ] as [fn(u64) -> Vec<Document>; 15]
    {
        documents.extend(source(seed));
    }
    documents
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;
    use crate::World;
    use crate::world::site_hosts;

    #[test]
    fn every_kind_of_page_is_found_where_its_document_says() {
        let documents = of_seed(7);
        assert!(documents.len() > 10_000, "{}", documents.len());
        let mut sites: Vec<String> = site_hosts().iter().map(|(_, site)| (*site).to_owned()).collect();
        sites.dedup();
        // The travel site's wall stands before every page.
        let open = serde_json::json!({"travel": {"wall": {"kind": "none"}}});
        let world = World::create(&sites, 7, &open).expect("all sites");
        for document in documents.iter().step_by(61).chain(documents.iter().take(20)) {
            let url = format!("http://{}{}", document.host, document.path);
            let request = http::Request::get(&url).body(bytes::Bytes::new()).expect("a well-formed address");
            assert_eq!(world.serve(request).status(), 200, "{url}");
        }
        assert_ne!(world.state(), Value::Null);
    }

    #[test]
    fn every_public_site_has_more_than_its_front_page() {
        let documents = of_seed(7);
        for (host, name, _) in FRONT_PAGES {
            let pages = documents.iter().filter(|document| document.host == *host).count();
            // The directory of marketplaces is one page.
            assert!(pages > 1 || *host == "compass.localhost", "{name}: {pages}");
        }
    }

    #[test]
    fn no_page_is_there_twice() {
        let mut addresses: Vec<(&str, String)> =
            of_seed(7).into_iter().map(|document| (document.host, document.path)).collect();
        let count = addresses.len();
        addresses.sort_unstable();
        addresses.dedup();
        assert_eq!(addresses.len(), count);
    }
}
