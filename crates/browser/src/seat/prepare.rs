//! A page made ready by the harness, before any agent can reach it.

use serde_json::{Value, json};
use tokio::sync::mpsc;
use umpire_model::Deadline;

use super::{Seat, SeatError};
use crate::isolated::decode;
use crate::record::{PageReport, Reports};

impl Seat {
    /// Calls `function`, the source of a JavaScript function, in the page in front, among the page's own script. It is
    /// handed a function of its own that tells the harness a text; nothing else in the page can get at that one unless it
    /// is handed on. Returns what the function gave (or its promise), and the reports to come.
    pub async fn prepare_page(
        &self,
        function: &str,
        argument: &Value,
        deadline: Deadline,
    ) -> Result<(Value, mpsc::UnboundedReceiver<PageReport>), SeatError> {
        let tab = self.active_tab(deadline).await?;
        let reports = self.warm.recorder.reports().listen();
        let binding = Reports::BINDING;
        tab.session.run("Runtime.addBinding", json!({ "name": binding }), deadline).await?;
        let expression = format!(
            "(() => {{ const report = globalThis.{binding}; delete globalThis.{binding}; \
             return ({function})(report, {argument}); }})()"
        );
        let params = json!({ "expression": expression, "returnByValue": true, "awaitPromise": true });
        let answer = tab.session.call("Runtime.evaluate", params, deadline).await?;
        Ok((decode("Runtime.evaluate", answer)?, reports))
    }
}
