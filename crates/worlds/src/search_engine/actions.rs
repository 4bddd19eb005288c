//! What forms change.

use http::StatusCode;

use super::state::{PER_PAGE, Settings};
use super::{SearchEngine, pages};
use crate::kit::flash;
use crate::{Request, Response};

impl SearchEngine {
    /// `None` if the form was sent to something that does not exist.
    pub(super) fn perform(&mut self, request: &Request, segments: &[&str]) -> Option<Response> {
        match segments {
            ["settings"] => Some(self.save_settings(request)),
            ["history", "clear"] => {
                self.state.history.clear();
                Some(flash::then("/history", "history-cleared"))
            }
            ["history", number, "delete"] => {
                self.state.history.remove(&number.parse().ok()?)?;
                Some(flash::then("/history", "question-deleted"))
            }
            _ => None,
        }
    }

    fn save_settings(&mut self, request: &Request) -> Response {
        let per_page = request.form("per_page").and_then(|count| count.parse().ok());
        let Some(per_page) = per_page.filter(|count| PER_PAGE.contains(count)) else {
            let problem = "Choose how many results a page shows.";
            return pages::settings(&self.visit(request, Some(problem)))
                .status(StatusCode::UNPROCESSABLE_ENTITY);
        };
        let on = |name: &str| request.form(name).is_some();
        self.state.settings = Settings {
            per_page,
            keep_history: on("keep_history"),
            suggestions: on("suggestions"),
            new_tab: on("new_tab"),
            answer_card: on("answer_card"),
        };
        flash::then("/settings", "settings-saved")
    }
}
