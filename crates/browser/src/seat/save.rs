//! The page in front, kept as a file.

use base64::Engine as _;
use serde::Deserialize;
use serde_json::json;
use umpire_model::{Deadline, PageFormat};

use super::{Seat, SeatError};
use crate::cdp::CdpError;
use crate::isolated::IsolatedWorld;

#[derive(Deserialize)]
struct Printed {
    data: String,
}

impl Seat {
    /// The page as a file of that format.
    pub async fn save(&self, format: PageFormat, deadline: Deadline) -> Result<Vec<u8>, SeatError> {
        let tab = self.active_tab(deadline).await?;
        match format {
            PageFormat::Html => {
                let world = IsolatedWorld::open(&tab.session, &tab.id, deadline).await?;
                let html: String = world.evaluate("document.documentElement.outerHTML", deadline).await?;
                Ok(html.into_bytes())
            }
            PageFormat::Pdf => {
                let params = json!({ "printBackground": true });
                let printed: Printed = tab.session.call("Page.printToPDF", params, deadline).await?;
                let content = base64::engine::general_purpose::STANDARD.decode(printed.data);
                content.map_err(|error| {
                    let method = "Page.printToPDF".to_owned();
                    SeatError::Cdp(CdpError::Shape { method, problem: error.to_string() })
                })
            }
        }
    }
}
