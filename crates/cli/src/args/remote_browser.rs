//! A browser that somebody else started, to be used instead of one of this machine.

use std::path::PathBuf;
use std::sync::Arc;

use clap::Args;
use serde_json::Value;
use umpire_browser::{Reach, Remote, RemoteAddress};

use crate::failure::Failure;

#[derive(Clone, Debug, Default, Args)]
pub struct RemoteBrowserArgs {
    /// Remote browser to use: `ws://…`, `wss://…`, `http://HOST:9222` (a debugging port), `grid+http://HOST:4444` (Selenium Grid).
    /// An address with a token in it belongs in the variable
    #[arg(
        long,
        global = true,
        env = "UMPIRE_BROWSER",
        value_name = "URL",
        hide_env_values = true,
        help_heading = "Remote browser"
    )]
    browser: Option<String>,
    /// Under which address that browser sees this machine, and by which ports [default: 127.0.0.1, any]
    #[arg(
        long,
        global = true,
        env = "UMPIRE_REACH",
        value_name = "HOST[:FROM-TO]",
        help_heading = "Remote browser"
    )]
    reach: Option<String>,
    /// Capabilities to ask a Grid for, as JSON, beyond a Chromium that suits Umpire
    #[arg(
        long,
        global = true,
        env = "UMPIRE_CAPABILITIES",
        value_name = "FILE",
        help_heading = "Remote browser"
    )]
    capabilities: Option<PathBuf>,
}

impl RemoteBrowserArgs {
    /// What was asked for, if anything was. The address itself is not repeated in what goes wrong: it may hold a token.
    pub fn remote(&self) -> Result<Option<Remote>, Failure> {
        let set = |text: &Option<String>| text.clone().filter(|text| !text.is_empty());
        let Some(browser) = set(&self.browser) else {
            return match (set(&self.reach), &self.capabilities) {
                (None, None) => Ok(None),
                _ => Err(Failure::new(
                    "--reach and --capabilities are for a remote browser, and none was named",
                )
                .help("--browser URL, or UMPIRE_BROWSER")),
            };
        };
        let address =
            browser.parse::<RemoteAddress>().map_err(|error| Failure::new(format!("--browser: {error}")))?;
        let reach = match set(&self.reach) {
            Some(text) => text.parse::<Reach>().map_err(|error| Failure::new(format!("--reach: {error}")))?,
            None => Reach::default(),
        };
        Ok(Some(Remote { address, reach, capabilities: Arc::new(self.read_capabilities()?) }))
    }

    fn read_capabilities(&self) -> Result<Value, Failure> {
        let Some(path) = &self.capabilities else { return Ok(Value::Null) };
        let bad = |problem: String| Failure::new(problem).in_file(path);
        let text = std::fs::read_to_string(path).map_err(|error| bad(error.to_string()))?;
        match serde_json::from_str(&text).map_err(|error| bad(error.to_string()))? {
            capabilities @ Value::Object(_) => Ok(capabilities),
            _ => Err(bad(
                "capabilities are a JSON object, such as {\"browserVersion\": \"stable\"}".to_owned()
            )),
        }
    }

    /// For commands that cannot use one.
    pub fn refuse(&self, why: &str) -> Result<(), Failure> {
        match self.remote()? {
            Some(_) => Err(Failure::new(why).help("leave --browser and UMPIRE_BROWSER out")),
            None => Ok(()),
        }
    }
}
