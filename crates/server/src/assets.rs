//! Style and scripts, compiled in and named by their content: a browser may keep them for ever.

use std::sync::LazyLock;

use axum::extract::Path;
use axum::response::{IntoResponse as _, Response};
use http::header::{CACHE_CONTROL, CONTENT_TYPE};
use umpire_model::Digest;

use crate::error::PageError;

const FOR_EVER: &str = "public, max-age=31536000, immutable";
/// Enough of a digest that no two versions of a file share it.
const DIGEST_SHOWN: usize = 16;

pub(crate) struct Asset {
    /// `/assets/0123456789abcdef-pages.css`
    pub path: String,
    media: &'static str,
    content: String,
}

pub(crate) static STYLE: LazyLock<Asset> = LazyLock::new(|| {
    // The report's look, and what only the server's pages have.
    let content = format!("{}\n{}", umpire_report::html::STYLE, include_str!("../assets/pages.css"));
    Asset::new("pages.css", "text/css; charset=utf-8", content)
});

macro_rules! script {
    ($name:literal) => {
        LazyLock::new(|| {
            Asset::new(
                $name,
                "text/javascript; charset=utf-8",
                include_str!(concat!("../assets/", $name)).to_owned(),
            )
        })
    };
}

pub(crate) static LIVE: LazyLock<Asset> = script!("live.js");
pub(crate) static PLAYER: LazyLock<Asset> = script!("player.js");
pub(crate) static KEYS: LazyLock<Asset> = script!("keys.js");
pub(crate) static LIST: LazyLock<Asset> = script!("list.js");
pub(crate) static ICON: LazyLock<Asset> =
    LazyLock::new(|| Asset::new("icon.svg", "image/svg+xml", include_str!("../assets/icon.svg").to_owned()));

impl Asset {
    fn new(name: &str, media: &'static str, content: String) -> Self {
        let digest = Digest::of(content.as_bytes());
        let path = format!("/assets/{}-{name}", &digest.as_str()[..DIGEST_SHOWN]);
        Self { path, media, content }
    }
}

pub(crate) async fn asset(Path(name): Path<String>) -> Result<Response, PageError> {
    let wanted = format!("/assets/{name}");
    let all: [&Asset; 6] = [&STYLE, &LIVE, &PLAYER, &KEYS, &LIST, &ICON];
    let found = all.into_iter().find(|asset| asset.path == wanted).ok_or(PageError::NotFound)?;
    Ok(([(CONTENT_TYPE, found.media), (CACHE_CONTROL, FOR_EVER)], found.content.as_str()).into_response())
}
