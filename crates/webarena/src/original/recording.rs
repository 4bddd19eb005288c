//! What is known of an attempt after it ended, in place of the browser the original evaluator had.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// An attempt as recorded for the original evaluator.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Recording {
    /// What the agent answered; empty when it stopped without a word, as the original counts it.
    pub answer: String,
    /// The page the attempt ended on, as it was then.
    pub last_page: Option<Page>,
    /// Pages opened after the attempt because a check names their URL.
    pub opened: Vec<Page>,
    /// What the sites' interfaces answered to helper functions, by the call as the task file writes it
    /// (`shopping_get_latest_order_url()`).
    pub calls: BTreeMap<String, String>,
}

impl Recording {
    /// An attempt of which only the answer is known.
    pub fn answering(answer: impl Into<String>) -> Self {
        Self { answer: answer.into(), ..Self::default() }
    }
}

/// One recorded page.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Page {
    pub url: String,
    /// The page's source as the browser would write it out.
    pub html: Option<String>,
    pub form_state: FormState,
    /// What expressions evaluated to in the page, by the locator as the task file writes it.
    pub results: BTreeMap<String, Evaluated>,
}

impl Page {
    /// A page of which only the address is known.
    pub fn at(url: impl Into<String>) -> Self {
        Self { url: url.into(), ..Self::default() }
    }
}

/// Whether the HTML tells what was typed and chosen in forms; a browser's own serialization does not.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FormState {
    #[default]
    NotInHtml,
    /// The recorder wrote live values into `value`, `checked` and `selected` before it took the source.
    InAttributes,
}

/// What an expression came to in the page.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Evaluated {
    Value(Value),
    /// The expression threw: the original then takes the empty text.
    Threw,
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn recordings_are_read_from_json() {
        let recording: Recording = serde_json::from_value(json!({
            "answer": "Yes",
            "last_page": {"url": "http://s/", "form_state": "in_attributes",
                          "results": {"document.title": {"value": null}, "document.x.y": "threw"}},
        }))
        .expect("well-formed");
        let page = recording.last_page.expect("given");
        assert_eq!((page.form_state, page.html), (FormState::InAttributes, None));
        assert_eq!(page.results["document.title"], Evaluated::Value(Value::Null));
        assert_eq!(page.results["document.x.y"], Evaluated::Threw);
    }
}
