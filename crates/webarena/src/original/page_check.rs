//! `program_html`: the contents of pages after the attempt.

use serde_json::Value;

use super::answer::{equals, includes};
use super::entities::unescaped;
use super::helper_call::{HelperCall, post_url};
use super::locator::{self, Unreadable};
use super::recording::{Evaluated, Page, Recording};
use super::score::{Check, EvalType, Finding, Part, Undecided};
use super::task::{OriginalEval, PageCheck, RequiredContents};
use crate::python::strip;

pub(super) fn judge_pages(eval: &OriginalEval, recording: &Recording) -> Part {
    let mut browser = Browser {
        recording,
        current: recording.last_page.as_ref().map_or(Current::Unknown, Current::Recorded),
    };
    let checks = eval
        .program_html
        .iter()
        .flat_map(|check| match browser.open(&check.url).and_then(|()| browser.selected_text(check)) {
            Ok(text) => compared(&check.required_contents, &unescaped(&text)),
            Err(finding) => {
                vec![Check::new("program_html", &format!("{} {}", check.url, check.locator), None, finding)]
            }
        })
        .collect();
    Part::product(EvalType::ProgramHtml, checks)
}

fn compared(required: &RequiredContents, text: &str) -> Vec<Check> {
    match required {
        RequiredContents::ExactMatch(reference) => {
            vec![Check::new("exact_match", reference, Some(text), Finding::of(equals(reference, text)))]
        }
        RequiredContents::MustInclude(contents) => contents
            .iter()
            .map(|content| {
                let included = content.split(" |OR| ").any(|alternative| includes(alternative, text));
                Check::new("must_include", content, Some(text), Finding::of(included))
            })
            .collect(),
        RequiredContents::Unusable(value) => {
            vec![Check::new(
                "required_contents",
                &value.to_string(),
                Some(text),
                Finding::Raises("required_contents has no usable rule".to_owned()),
            )]
        }
    }
}

/// The browser the original drove from page to page: a URL opened for one check is still open at the next.
struct Browser<'a> {
    recording: &'a Recording,
    current: Current<'a>,
}

enum Current<'a> {
    Recorded(&'a Page),
    NotRecorded(String),
    /// Even the address is unknown.
    Unknown,
}

impl Browser<'_> {
    fn open(&mut self, url: &str) -> Result<(), Finding> {
        let address = match url.strip_prefix("func:") {
            Some(call) => self.computed_address(call)?,
            // Anything that begins like a function but has no colon makes the original fail.
            None if url.starts_with("func") => {
                return Err(Finding::Raises(format!("{url:?} names no function")));
            }
            None => url.to_owned(),
        };
        if address != "last" {
            self.current =
                match self.recording.opened.iter().find(|page| is_same_address(&page.url, &address)) {
                    Some(page) => Current::Recorded(page),
                    None => Current::NotRecorded(address),
                };
        }
        Ok(())
    }

    fn computed_address(&mut self, call: &str) -> Result<String, Finding> {
        let of_post = |url: &str| post_url(url).map_err(|error| Finding::Raises(error.to_string()));
        let address = match HelperCall::parse(call) {
            Some(call) if call.name == "reddit_get_post_url" => match (call.last_argument(), &self.current) {
                ("__last_url__", Current::Recorded(page)) => of_post(&page.url),
                ("__last_url__", Current::NotRecorded(url)) => of_post(url),
                ("__last_url__", Current::Unknown) => Err(Finding::Undecided(Undecided::LastUrlNotRecorded)),
                (url, _) => of_post(url),
            },
            _ => {
                let recorded = self.recording.calls.get(call).cloned();
                recorded.ok_or_else(|| Finding::Undecided(Undecided::CallNotRecorded(call.to_owned())))
            }
        };
        if address.is_err() {
            // Where the original went from here is unknown, and so is what a later "last" would mean.
            self.current = Current::Unknown;
        }
        address
    }

    fn page(&self) -> Result<&Page, Undecided> {
        match &self.current {
            Current::Recorded(page) => Ok(page),
            Current::NotRecorded(url) => Err(Undecided::PageNotRecorded(url.clone())),
            Current::Unknown => Err(Undecided::LastUrlNotRecorded),
        }
    }

    fn html(&self) -> Result<(&Page, &str), Undecided> {
        let page = self.page()?;
        page.html
            .as_deref()
            .map(|html| (page, html))
            .ok_or_else(|| Undecided::HtmlNotRecorded(page.url.clone()))
    }

    /// The text a check's locator selects on the current page.
    fn selected_text(&self, check: &PageCheck) -> Result<String, Finding> {
        let locator = check.locator.as_str();
        if strip(locator).is_empty() {
            return self.html().map(|(_, html)| html.to_owned()).map_err(Finding::Undecided);
        }
        if let Some(call) = locator.strip_prefix("func:") {
            return self.helper_result(locator, call).map_err(Finding::Undecided);
        }
        if !locator.starts_with("document.") && !locator.starts_with("[...document.") {
            return Err(Finding::Raises(format!("{locator:?} is no locator")));
        }
        self.expression_result(check).map_err(Finding::Undecided)
    }

    fn expression_result(&self, check: &PageCheck) -> Result<String, Undecided> {
        let expression = check.locator.as_str();
        if let Some(recorded) = self.page()?.results.get(expression) {
            return python_text(recorded).ok_or_else(|| {
                not_readable(expression, "its result is neither text, number nor truth value".to_owned())
            });
        }
        if let Some(action) = check.prep_actions.first() {
            return Err(Undecided::PreparedByScript(action.clone()));
        }
        let (page, html) = self.html()?;
        let evaluated =
            locator::evaluate(expression, html, page.form_state).map_err(|unreadable| match unreadable {
                Unreadable::FormState => Undecided::FormStateNotRecorded,
                Unreadable::Expression(why) => not_readable(expression, why),
            })?;
        python_text(&evaluated)
            .ok_or_else(|| not_readable(expression, "it selects elements, not text".to_owned()))
    }

    fn helper_result(&self, locator: &str, call: &str) -> Result<String, Undecided> {
        if let Some(recorded) = self.recording.calls.get(call) {
            return Ok(recorded.clone());
        }
        match HelperCall::parse(call) {
            Some(parsed) if parsed.name == "gitlab_get_project_memeber_role" => {
                if let Some(recorded) = self.page()?.results.get(locator) {
                    return python_text(recorded)
                        .ok_or_else(|| not_readable(locator, "its result is no text".to_owned()));
                }
                Ok(locator::member_role(self.html()?.1, parsed.last_argument()))
            }
            _ => Err(Undecided::CallNotRecorded(call.to_owned())),
        }
    }
}

fn not_readable(expression: &str, why: String) -> Undecided {
    Undecided::LocatorNotReadable { expression: expression.to_owned(), why }
}

/// The text Python makes of what the browser hands over: a missing value becomes the word `None`.
fn python_text(evaluated: &Evaluated) -> Option<String> {
    match evaluated {
        Evaluated::Threw => Some(String::new()),
        Evaluated::Value(Value::Null) => Some("None".to_owned()),
        Evaluated::Value(Value::Bool(true)) => Some("True".to_owned()),
        Evaluated::Value(Value::Bool(false)) => Some("False".to_owned()),
        Evaluated::Value(Value::Number(number)) => Some(number.to_string()),
        Evaluated::Value(Value::String(text)) => Some(text.clone()),
        Evaluated::Value(Value::Array(_) | Value::Object(_)) => None,
    }
}

/// Browsers resolve `/../` and an empty path before they go anywhere, and a recorder notes where they went.
fn is_same_address(recorded: &str, asked: &str) -> bool {
    recorded == asked || resolved(recorded) == resolved(asked)
}

fn resolved(url: &str) -> String {
    let (address, tail) = url.split_at(url.find(['?', '#']).unwrap_or(url.len()));
    let mut segments: Vec<&str> = Vec::new();
    let (origin, path) = match address.split_once("://") {
        Some((scheme, rest)) => {
            let path = rest.find('/').map_or("", |slash| &rest[slash..]);
            (&address[..scheme.len() + 3 + rest.len() - path.len()], path)
        }
        None => ("", address),
    };
    for segment in path.split('/') {
        match segment {
            ".." => {
                segments.pop();
            }
            "." => {}
            _ => segments.push(segment),
        }
    }
    format!("{origin}{}{tail}", segments.join("/").trim_end_matches('/'))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::recording::FormState;
    use super::super::task::OriginalTask;
    use super::*;

    fn eval(checks: &Value) -> OriginalEval {
        let task = json!({"task_id": 1, "sites": [], "start_url": "", "intent": "", "eval": {"eval_types": ["program_html"], "program_html": checks}});
        OriginalTask::from_value(task).expect("well-formed").eval
    }

    fn page(url: &str, html: &str) -> Page {
        Page { html: Some(html.to_owned()), ..Page::at(url) }
    }

    fn finding(checks: &Value, recording: &Recording) -> Finding {
        judge_pages(&eval(checks), recording).finding
    }

    fn ended_on(html: &str) -> Recording {
        Recording { last_page: Some(page("http://s/end", html)), ..Recording::default() }
    }

    #[test]
    fn a_whole_page_is_searched_as_source() {
        for (html, required, met) in [
            ("<p>456 Oak Avenue</p>", json!({"must_include": ["456 oak avenue"]}), true),
            ("<p hidden class='Oak'>", json!({"must_include": ["oak"]}), true),
            ("<p>Fish &amp; Chips</p>", json!({"must_include": ["fish & chips"]}), true),
            ("<p>Fish <b>&amp;</b> Chips</p>", json!({"must_include": ["fish & chips"]}), false),
            ("<p>a</p>", json!({"must_include": ["b |OR| a"]}), true),
            ("<p>a</p>", json!({"must_include": ["b |OR| c", "a"]}), false),
            ("a", json!({"exact_match": "A"}), true),
            ("a |or| b", json!({"exact_match": "a |OR| b"}), true),
        ] {
            let checks = json!([{"url": "last", "locator": " ", "required_contents": required}]);
            assert_eq!(finding(&checks, &ended_on(html)), Finding::of(met), "{html} {required}");
        }
    }

    #[test]
    fn recorded_results_come_first() {
        let locator = "document.querySelector('b').outerText";
        for (evaluated, exact, met) in [
            (Evaluated::Value(json!("x")), "X", true),
            (Evaluated::Value(json!(1)), "1", true),
            (Evaluated::Value(json!(true)), "true", true),
            (Evaluated::Value(Value::Null), "none", true),
            (Evaluated::Threw, "", true),
            (Evaluated::Threw, "x", false),
        ] {
            let mut recording = ended_on("<b>other</b>");
            recording
                .last_page
                .as_mut()
                .expect("set above")
                .results
                .insert(locator.to_owned(), evaluated.clone());
            let checks =
                json!([{"url": "last", "locator": locator, "required_contents": {"exact_match": exact}}]);
            assert_eq!(finding(&checks, &recording), Finding::of(met), "{evaluated:?} {exact}");
        }
    }

    #[test]
    fn pages_stay_open_between_checks() {
        let mut recording = ended_on("<p>end</p>");
        recording.opened.push(page("http://s/other/", "<p>other</p>"));
        let check = |url: &str, content: &str| json!({"url": url, "locator": "", "required_contents": {"must_include": [content]}});
        assert_eq!(
            finding(
                &json!([check("last", "end"), check("http://s/x/../other", "other"), check("last", "other")]),
                &recording
            ),
            Finding::Met
        );
        assert_eq!(
            finding(&json!([check("http://s/other", "other"), check("last", "end")]), &recording),
            Finding::Missed
        );
    }

    #[test]
    fn functions_name_pages_and_texts() {
        let mut recording =
            Recording { last_page: Some(Page::at("http://r/f/books/7/title")), ..Recording::default() };
        recording.opened.push(page("http://r/f/books/7/", "<p>the post</p>"));
        recording.opened.push(page("http://s/order/9", "<p>the order</p>"));
        recording.calls.insert("shopping_get_latest_order_url()".to_owned(), "http://s/order/9".to_owned());
        recording.calls.insert("shopping_get_sku_latest_review_rating('B1')".to_owned(), "100".to_owned());
        let check = |url: &str, locator: &str, content: &str| json!([{"url": url, "locator": locator, "required_contents": {"must_include": [content]}}]);
        for (checks, expected) in [
            (check("func:reddit_get_post_url('__last_url__')", "", "the post"), Finding::Met),
            (check("func:shopping_get_latest_order_url()", "", "the order"), Finding::Met),
            (check("last", "func:shopping_get_sku_latest_review_rating('B1')", "100"), Finding::Met),
            (
                check("last", "func:shopping_get_sku_latest_review_author('B1')", "x"),
                Finding::Undecided(Undecided::CallNotRecorded(
                    "shopping_get_sku_latest_review_author('B1')".to_owned(),
                )),
            ),
            (
                check("func:unheard_of()", "", "x"),
                Finding::Undecided(Undecided::CallNotRecorded("unheard_of()".to_owned())),
            ),
        ] {
            assert_eq!(finding(&checks, &recording), expected, "{checks}");
        }
    }

    #[test]
    fn what_was_not_recorded_is_undecided() {
        let check = |url: &str, locator: &str| json!([{"url": url, "locator": locator, "required_contents": {"must_include": ["x"]}}]);
        let value = "document.querySelector('input').value";
        for (checks, recording, expected) in [
            (check("last", ""), Recording::default(), Undecided::LastUrlNotRecorded),
            (check("http://s/a", ""), ended_on("x"), Undecided::PageNotRecorded("http://s/a".to_owned())),
            (
                check("last", ""),
                Recording { last_page: Some(Page::at("http://s/a")), ..Recording::default() },
                Undecided::HtmlNotRecorded("http://s/a".to_owned()),
            ),
            (check("last", value), ended_on("<input value=x>"), Undecided::FormStateNotRecorded),
        ] {
            assert_eq!(finding(&checks, &recording), Finding::Undecided(expected), "{checks}");
        }
        let mut with_forms = ended_on("<input value=x>");
        with_forms.last_page.as_mut().expect("set above").form_state = FormState::InAttributes;
        assert_eq!(finding(&check("last", value), &with_forms), Finding::Met);
    }

    #[test]
    fn broken_checks_raise() {
        for check in [
            json!([{"url": "last", "locator": "#id", "required_contents": {"must_include": ["x"]}}]),
            json!([{"url": "last", "locator": "", "required_contents": {"must_exclude": ["x"]}}]),
            json!([{"url": "function()", "locator": "", "required_contents": {"must_include": ["x"]}}]),
        ] {
            assert!(matches!(finding(&check, &ended_on("x")), Finding::Raises(_)), "{check}");
        }
    }

    #[test]
    fn a_script_that_prepares_the_page_cannot_be_run() {
        let checks = json!([{"url": "last", "locator": "document.querySelector('b').outerText", "prep_actions": ["click()"], "required_contents": {"exact_match": "x"}}]);
        assert_eq!(
            finding(&checks, &ended_on("<b>x</b>")),
            Finding::Undecided(Undecided::PreparedByScript("click()".to_owned()))
        );
    }
}
