//! Chromium as an encoder of stills: a canvas that turns a picture into a lossy WebP image.

use std::io::Cursor;
use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use image::{ImageFormat, RgbImage};
use serde::Deserialize;
use serde_json::json;
use umpire_browser::cdp::Session;
use umpire_browser::chromium::{Chromium, LaunchOptions};
use umpire_exchange::StillEncoder;
use umpire_model::Deadline;
use umpire_server::{Encoder, FilmStudio, Starting};

use crate::args::Global;
use crate::failure::Failure;

const START_LIMIT: Duration = Duration::from_secs(30);
const PICTURE_LIMIT: Duration = Duration::from_secs(20);

/// Loads the picture into a canvas and answers with what the canvas makes of it.
const ENCODE: &str = "async source => {
    const picture = new Image();
    picture.src = source;
    await picture.decode();
    const canvas = document.createElement('canvas');
    canvas.width = picture.naturalWidth;
    canvas.height = picture.naturalHeight;
    canvas.getContext('2d').drawImage(picture, 0, 0);
    return canvas.toDataURL('image/webp', 0.8);
}";

pub struct FilmEncoder {
    chromium: Chromium,
    page: Session,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Created {
    target_id: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Attached {
    session_id: String,
}

#[derive(Deserialize)]
struct Evaluated {
    result: Encoded,
}

#[derive(Deserialize)]
struct Encoded {
    #[serde(default)]
    value: String,
    #[serde(default)]
    description: String,
}

impl FilmEncoder {
    pub async fn start(global: &Global) -> Result<Self, Failure> {
        let explain = |error: String| {
            Failure::new(format!("a WebM film is encoded by Chromium: {error}"))
                .help("umpire doctor looks for Chromium; a GIF film needs none")
        };
        let deadline = Deadline::after(START_LIMIT);
        let options = LaunchOptions { chromium: global.chromium.clone(), ..LaunchOptions::default() };
        let chromium =
            Chromium::launch(&options, deadline).await.map_err(|error| explain(error.to_string()))?;
        let root = chromium.connection().root();
        let created: Created = root
            .call("Target.createTarget", json!({"url": "about:blank"}), deadline)
            .await
            .map_err(|error| explain(error.to_string()))?;
        let attached: Attached = root
            .call("Target.attachToTarget", json!({"targetId": created.target_id, "flatten": true}), deadline)
            .await
            .map_err(|error| explain(error.to_string()))?;
        let page = chromium.connection().session(attached.session_id.into());
        Ok(Self { chromium, page })
    }

    pub async fn stop(self) {
        self.chromium.close().await;
    }

    async fn encode(&self, png: &[u8]) -> Result<Vec<u8>, String> {
        let source = json!(format!("data:image/png;base64,{}", STANDARD.encode(png)));
        let parameters = json!({
            "expression": format!("({ENCODE})({source})"), "awaitPromise": true, "returnByValue": true,
        });
        let Evaluated { result } = self
            .page
            .call("Runtime.evaluate", parameters, Deadline::after(PICTURE_LIMIT))
            .await
            .map_err(|error| error.to_string())?;
        // A browser that cannot make WebP answers with PNG.
        let encoded = result
            .value
            .strip_prefix("data:image/webp;base64,")
            .ok_or_else(|| format!("the browser made no WebP image {}", result.description))?;
        STANDARD.decode(encoded).map_err(|error| error.to_string())
    }
}

/// A Chromium for each film that the pages hand out: it is gone when the film is made.
#[derive(Debug)]
pub struct ChromiumFilms(pub Global);

impl FilmStudio for ChromiumFilms {
    fn start(&self) -> Starting<'_> {
        Box::pin(async {
            let encoder = FilmEncoder::start(&self.0).await.map_err(|failure| failure.to_string())?;
            Ok(Box::new(encoder) as Encoder)
        })
    }
}

impl StillEncoder for FilmEncoder {
    fn webp(&self, picture: &RgbImage) -> Result<Vec<u8>, String> {
        let mut png = Cursor::new(Vec::new());
        picture.write_to(&mut png, ImageFormat::Png).map_err(|error| error.to_string())?;
        tokio::task::block_in_place(|| tokio::runtime::Handle::current().block_on(self.encode(png.get_ref())))
    }
}
