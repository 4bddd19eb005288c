//! The twenty-four actions of `BrowserArena`'s table, in browser-use's names, as what the browser is to do.

use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use umpire_browser::Observation;
use umpire_model::{Action, PageFormat, Target, TaskBrief};

use super::super::answer::final_answer;
use crate::response::Response;

/// Each action's parameters and their JSON types; what the prompt lists and the schema allows. Dragging can be said in
/// two ways.
pub(super) const PARAMETERS: [(&str, &[(&str, &str)]); 25] = [
    ("done", &[("text", "string"), ("success", "boolean")]),
    ("search_google", &[("query", "string")]),
    ("go_to_url", &[("url", "string")]),
    ("go_back", &[]),
    ("wait", &[("seconds", "integer")]),
    ("wait_for_element", &[("selector", "string"), ("timeout", "integer")]),
    ("click_element_by_index", &[("index", "integer")]),
    ("click_element_by_selector", &[("css_selector", "string")]),
    ("click_element_by_xpath", &[("xpath", "string")]),
    ("click_element_by_text", &[("text", "string"), ("nth", "integer")]),
    ("input_text", &[("index", "integer"), ("text", "string")]),
    ("save_pdf", &[]),
    ("save_html_to_file", &[]),
    ("switch_tab", &[("page_id", "integer")]),
    ("open_tab", &[("url", "string")]),
    ("close_tab", &[("page_id", "integer")]),
    ("extract_content", &[("goal", "string")]),
    ("scroll_down", &[("amount", "integer")]),
    ("scroll_up", &[("amount", "integer")]),
    ("send_keys", &[("keys", "string")]),
    ("scroll_to_text", &[("text", "string")]),
    ("get_dropdown_options", &[("index", "integer")]),
    ("select_dropdown_option", &[("index", "integer"), ("text", "string")]),
    ("drag_drop", &[("element_source", "integer"), ("element_target", "integer")]),
    (
        "drag_drop",
        &[
            ("coord_source_x", "number"),
            ("coord_source_y", "number"),
            ("coord_target_x", "number"),
            ("coord_target_y", "number"),
        ],
    ),
];

const WAIT_SECONDS: u64 = 3;
const LONGEST_WAIT_SECONDS: u64 = 60;
const ELEMENT_TIMEOUT_MS: u64 = 10_000;

/// What one action of a reply comes to.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Move {
    Act(Action),
    /// A question about the page that the model answers itself.
    Extract(String),
    /// Something that is known without asking anybody.
    Found(String),
}

#[derive(Deserialize)]
struct Done {
    text: Value,
    success: Option<bool>,
}
#[derive(Deserialize)]
struct Text {
    #[serde(
        alias = "query",
        alias = "url",
        alias = "keys",
        alias = "goal",
        alias = "css_selector",
        alias = "xpath"
    )]
    text: String,
}
#[derive(Deserialize)]
struct Seconds {
    seconds: Option<u64>,
}
#[derive(Deserialize)]
struct Selector {
    selector: String,
    timeout: Option<u64>,
}
#[derive(Deserialize)]
struct Index {
    index: u32,
}
#[derive(Deserialize)]
struct NthText {
    text: String,
    nth: Option<usize>,
}
#[derive(Deserialize)]
struct IndexText {
    index: u32,
    text: String,
}
#[derive(Deserialize)]
struct PageId {
    page_id: u32,
}
#[derive(Deserialize)]
struct Amount {
    amount: Option<i32>,
}
#[derive(Deserialize)]
struct Drag {
    element_source: Option<u32>,
    element_target: Option<u32>,
    coord_source_x: Option<f64>,
    coord_source_y: Option<f64>,
    coord_target_x: Option<f64>,
    coord_target_y: Option<f64>,
}

impl Move {
    /// The moves an action comes to, or what is wrong with it, in words for the model.
    pub fn read(
        name: &str,
        parameters: &Value,
        task: &TaskBrief,
        seen: &Observation,
        search_url: &str,
    ) -> Result<Vec<Self>, String> {
        let text = || take::<Text>(parameters).map(|given| given.text);
        let one = |action| Ok(vec![Self::Act(action)]);
        match name {
            "done" => {
                let Done { text, success } = take(parameters)?;
                one(done(task, &text, success))
            }
            "search_google" => one(Action::GoTo(search(search_url, &text()?))),
            "go_to_url" => one(Action::GoTo(text()?)),
            "go_back" => one(Action::Back),
            "wait" => {
                let seconds = take::<Seconds>(parameters)?.seconds.unwrap_or(WAIT_SECONDS);
                one(Action::Wait { millis: seconds.min(LONGEST_WAIT_SECONDS) * 1000 })
            }
            "wait_for_element" => {
                let Selector { selector, timeout } = take(parameters)?;
                let millis = timeout.unwrap_or(ELEMENT_TIMEOUT_MS).min(LONGEST_WAIT_SECONDS * 1000);
                one(Action::WaitFor { target: Target::Css(selector), millis })
            }
            "click_element_by_index" | "click_element" => {
                one(Action::Click(shown(take::<Index>(parameters)?.index, seen)?))
            }
            "click_element_by_selector" => one(Action::Click(Target::Css(text()?))),
            "click_element_by_xpath" => one(Action::Click(Target::XPath(text()?))),
            "click_element_by_text" => {
                let NthText { text, nth } = take(parameters)?;
                one(Action::Click(with_text(&text, nth.unwrap_or(0), seen)?))
            }
            "input_text" => {
                let IndexText { index, text } = take(parameters)?;
                one(Action::Type(shown(index, seen)?, text))
            }
            "save_pdf" => one(Action::Save(PageFormat::Pdf)),
            "save_html_to_file" => one(Action::Save(PageFormat::Html)),
            "switch_tab" => one(Action::SwitchTab(take::<PageId>(parameters)?.page_id)),
            "open_tab" => one(Action::OpenTab(text()?)),
            "close_tab" => Ok(vec![
                Self::Act(Action::SwitchTab(take::<PageId>(parameters)?.page_id)),
                Self::Act(Action::CloseTab),
            ]),
            "extract_content" => Ok(vec![Self::Extract(text()?)]),
            "scroll_down" | "scroll_up" => {
                let page = i32::try_from(seen.viewport.height).unwrap_or(i32::MAX);
                let amount = take::<Amount>(parameters)?.amount.unwrap_or(page).saturating_abs();
                one(Action::ScrollBy { x: 0, y: if name == "scroll_down" { amount } else { -amount } })
            }
            "send_keys" => one(Action::Press(text()?)),
            "scroll_to_text" => one(Action::ScrollToText(text()?)),
            "get_dropdown_options" => {
                let index = take::<Index>(parameters)?.index;
                shown(index, seen)?;
                let options = seen.element(index).map_or(&[][..], |element| &element.options);
                Ok(vec![Self::Found(format!("Options of {index}: {}", options.join(" | ")))])
            }
            "select_dropdown_option" => {
                let IndexText { index, text } = take(parameters)?;
                one(Action::Select(shown(index, seen)?, text))
            }
            "drag_drop" => drag(&take(parameters)?, seen).map(|action| vec![Self::Act(action)]),
            _ => Err("there is no such action".to_owned()),
        }
    }
}

fn take<T: DeserializeOwned>(parameters: &Value) -> Result<T, String> {
    let given = if parameters.is_null() { Value::Object(serde_json::Map::new()) } else { parameters.clone() };
    serde_json::from_value(given).map_err(|error| error.to_string())
}

fn done(task: &TaskBrief, text: &Value, success: Option<bool>) -> Action {
    let text = text.as_str().map_or_else(|| text.to_string(), str::to_owned);
    match final_answer(task, &text) {
        // An answer with a status of its own is taken at its word.
        answer if answer == Action::Answer(text.clone()) || success != Some(false) => answer,
        _ => Response::unknown_error(task.kind, text).into_answer(),
    }
}

fn search(search_url: &str, query: &str) -> String {
    super::super::search::query_url(search_url, query)
}

fn shown(index: u32, seen: &Observation) -> Result<Target, String> {
    match seen.element(index) {
        Some(_) => Ok(Target::Mark(index)),
        None => Err(format!(
            "there is no element {index} on the page; indices go from 1 to {}",
            seen.elements.len()
        )),
    }
}

/// The element called so, or else one whose name has the text in it; `nth` counts from 0.
fn with_text(text: &str, nth: usize, seen: &Observation) -> Result<Target, String> {
    let sought = text.to_lowercase();
    let named = |same: &dyn Fn(&str) -> bool| {
        seen.elements.iter().filter(|element| same(&element.name.to_lowercase())).nth(nth)
    };
    let found =
        named(&|name| name == sought).or_else(|| named(&|name| !sought.is_empty() && name.contains(&sought)));
    found.map(|element| Target::Mark(element.mark)).ok_or_else(|| format!("no element says {text:?}"))
}

fn drag(given: &Drag, seen: &Observation) -> Result<Action, String> {
    let end = |element: Option<u32>, x: Option<f64>, y: Option<f64>| match (element, x, y) {
        (Some(index), ..) => shown(index, seen),
        (None, Some(x), Some(y)) if x.is_finite() && y.is_finite() => Ok(Target::Point { x, y }),
        _ => Err("give element_source and element_target, or all four coordinates".to_owned()),
    };
    Ok(Action::Drag(
        end(given.element_source, given.coord_source_x, given.coord_source_y)?,
        end(given.element_target, given.coord_target_x, given.coord_target_y)?,
    ))
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use umpire_model::TaskKind;

    use super::*;
    use crate::sample::{Page, task};

    fn page() -> Observation {
        let options = |element: &mut umpire_browser::Element| element.options = vec!["S".into(), "M".into()];
        Page::at("http://shop.localhost/")
            .with("link", "Desk lamp")
            .with("textbox", "Search")
            .with_element("combobox", "Size", options)
            .with("button", "Search")
            .seen()
    }

    fn read(name: &str, parameters: &Value) -> Result<String, String> {
        let moves = Move::read(
            name,
            parameters,
            &task(TaskKind::Retrieve, "x"),
            &page(),
            "http://search.localhost/",
        )?;
        let told = moves.into_iter().map(|one| match one {
            Move::Act(action) => action.to_string(),
            Move::Extract(goal) => format!("extract {goal}"),
            Move::Found(found) => found,
        });
        Ok(told.collect::<Vec<_>>().join("; "))
    }

    #[test]
    fn every_action_of_the_table_comes_to_something() {
        for (name, parameters, expected) in [
            (
                "done",
                json!({"text": "14", "success": true}),
                r#"answer "{\"action\":\"retrieve\",\"status\":\"SUCCESS\",\"results\":[14],\"error_details\":null}""#,
            ),
            (
                "search_google",
                json!({"query": "a b&c"}),
                r#"goto "http://search.localhost/search?q=a+b%26c""#,
            ),
            ("go_to_url", json!({"url": "http://a.localhost/"}), r#"goto "http://a.localhost/""#),
            ("go_back", json!({}), "back"),
            ("wait", json!({}), "wait 3000ms"),
            ("wait_for_element", json!({"selector": "#x", "timeout": 500}), "waitfor css \"#x\" 500ms"),
            ("click_element_by_index", json!({"index": 1}), "click [1]"),
            ("click_element_by_selector", json!({"css_selector": "a.b"}), "click css \"a.b\""),
            ("click_element_by_xpath", json!({"xpath": "//a"}), "click xpath \"//a\""),
            ("click_element_by_text", json!({"text": "search", "nth": 1}), "click [4]"),
            ("input_text", json!({"index": 2, "text": "lamp"}), "type [2] \"lamp\""),
            ("save_pdf", json!({}), "save pdf"),
            ("save_html_to_file", json!({}), "save html"),
            ("switch_tab", json!({"page_id": 2}), "tab 2"),
            ("open_tab", json!({"url": "http://b.localhost/"}), r#"newtab "http://b.localhost/""#),
            ("close_tab", json!({"page_id": 2}), "tab 2; closetab"),
            ("extract_content", json!({"goal": "prices"}), "extract prices"),
            ("scroll_down", json!({}), "scroll by 0 1024"),
            ("scroll_up", json!({"amount": 300}), "scroll by 0 -300"),
            ("send_keys", json!({"keys": "Control+a"}), "press \"Control+a\""),
            ("scroll_to_text", json!({"text": "Terms"}), "scroll to \"Terms\""),
            ("get_dropdown_options", json!({"index": 3}), "Options of 3: S | M"),
            ("select_dropdown_option", json!({"index": 3, "text": "M"}), "select [3] \"M\""),
            ("drag_drop", json!({"element_source": 1, "element_target": 4}), "drag [1] to [4]"),
        ] {
            assert!(PARAMETERS.iter().any(|(known, _)| *known == name), "{name}");
            assert_eq!(read(name, &parameters).as_deref(), Ok(expected), "{name}");
        }
        let points =
            json!({"coord_source_x": 1, "coord_source_y": 2, "coord_target_x": 3, "coord_target_y": 4});
        assert_eq!(read("drag_drop", &points).as_deref(), Ok("drag (1,2) to (3,4)"));
        let by_points = ["coord_source_x", "coord_source_y", "coord_target_x", "coord_target_y"];
        assert!(
            PARAMETERS.iter().any(|(_, parameters)| parameters.iter().map(|(name, _)| *name).eq(by_points)),
            "the schema has the coordinates that the prompt offers"
        );
    }

    #[test]
    fn what_does_not_fit_the_page_or_the_table_says_why() {
        for (name, parameters, reason) in [
            ("click_element_by_index", json!({"index": 9}), "no element 9"),
            ("click_element_by_index", json!({"index": "one"}), "invalid type"),
            ("click_element_by_index", json!({}), "missing field `index`"),
            ("click_element_by_text", json!({"text": "Buy"}), "no element says"),
            ("input_text", json!({"index": 2}), "missing field `text`"),
            ("drag_drop", json!({"element_source": 1}), "all four coordinates"),
            ("teleport", json!({}), "no such action"),
        ] {
            let error = read(name, &parameters).expect_err(name);
            assert!(error.contains(reason), "{name}: {error}");
        }
    }

    #[test]
    fn giving_up_is_no_success() {
        let given_up =
            read("done", &json!({"text": "I could not find it", "success": false})).expect("an answer");
        assert!(given_up.contains("UNKNOWN_ERROR") && given_up.contains("I could not find it"), "{given_up}");
        let own = r#"{"action":"retrieve","status":"NOT_FOUND_ERROR","results":null}"#;
        assert!(
            read("done", &json!({"text": own, "success": false}))
                .expect("an answer")
                .contains("NOT_FOUND_ERROR")
        );
    }
}
