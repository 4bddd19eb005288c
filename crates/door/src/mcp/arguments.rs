//! From a tool and its arguments to the moves it means.

use serde_json::{Map, Value};
use umpire_model::{Action, Direction, ScrollArea, Target, TaskKind};

use crate::answers::structured;
use crate::dialect::mark;
use crate::moves::Move;

/// Fields that one form may have.
const MOST_FIELDS: usize = 50;

/// A tool's arguments as they came.
pub(super) struct Arguments<'a>(pub &'a Map<String, Value>);

impl Arguments<'_> {
    pub fn text(&self, name: &str) -> Result<&str, String> {
        self.optional_text(name)?.ok_or_else(|| format!("`{name}` is missing"))
    }

    pub fn optional_text(&self, name: &str) -> Result<Option<&str>, String> {
        match self.0.get(name) {
            None | Some(Value::Null) => Ok(None),
            Some(Value::String(text)) => Ok(Some(text)),
            Some(_) => Err(format!("`{name}` must be a text")),
        }
    }

    pub fn number(&self, name: &str) -> Result<Option<f64>, String> {
        match self.0.get(name) {
            None | Some(Value::Null) => Ok(None),
            Some(value) => value.as_f64().map(Some).ok_or_else(|| format!("`{name}` must be a number")),
        }
    }

    fn flag(&self, name: &str) -> bool {
        self.0.get(name).and_then(Value::as_bool).unwrap_or(false)
    }

    /// Newer releases of Playwright MCP say `target` for `ref`.
    pub fn optional_ref(&self) -> Result<Option<Target>, String> {
        let given = match self.optional_text("ref")? {
            Some(given) => Some(given),
            None => self.optional_text("target")?,
        };
        given.map(mark).transpose()
    }

    fn target(&self) -> Result<Target, String> {
        self.optional_ref()?.ok_or_else(|| "`ref` is missing".to_owned())
    }

    pub fn texts(&self, name: &str) -> Result<Vec<String>, String> {
        let values =
            self.0.get(name).and_then(Value::as_array).ok_or_else(|| format!("`{name}` must be a list"))?;
        let text = |value: &Value| {
            value.as_str().map(str::to_owned).ok_or_else(|| format!("`{name}` must be a list of texts"))
        };
        values.iter().map(text).collect()
    }

    /// The moves of a tool that acts on the page; `None` for any other.
    pub fn moves(&self, tool: &str) -> Result<Option<Vec<Move>>, String> {
        let act = |action: Action| Ok(Some(vec![Move::Do(action)]));
        match tool {
            "browser_navigate" => act(Action::GoTo(self.text("url")?.to_owned())),
            "browser_navigate_back" => act(Action::Back),
            "browser_click" => {
                let is_plain = self.0.get("button").is_none_or(|button| button == "left")
                    && !self.flag("doubleClick")
                    && self.0.get("modifiers").and_then(Value::as_array).is_none_or(Vec::is_empty);
                if !is_plain {
                    return Err("only plain clicks are offered".to_owned());
                }
                act(Action::Click(self.target()?))
            }
            "browser_type" => {
                let typing = Move::Do(Action::Type(self.target()?, self.text("text")?.to_owned()));
                let enter = self.flag("submit").then(|| Move::Do(Action::Press("Enter".to_owned())));
                Ok(Some([typing].into_iter().chain(enter).collect()))
            }
            "browser_fill_form" => self.fields().map(Some),
            "browser_select_option" => {
                let target = self.target()?;
                let select = |label| Move::Do(Action::Select(target.clone(), label));
                Ok(Some(self.texts("values")?.into_iter().map(select).collect()))
            }
            "browser_press_key" => act(Action::Press(self.text("key")?.to_owned())),
            "browser_hover" => act(Action::Hover(self.target()?)),
            "browser_drag" => {
                let from = self.optional_text("startRef")?.or(self.optional_text("startTarget")?);
                let to = self.optional_text("endRef")?.or(self.optional_text("endTarget")?);
                let missing = "`startRef` and `endRef` are needed";
                act(Action::Drag(mark(from.ok_or(missing)?)?, mark(to.ok_or(missing)?)?))
            }
            "browser_scroll" => {
                let direction = match self.text("direction")? {
                    "up" => Direction::Up,
                    "down" => Direction::Down,
                    "left" => Direction::Left,
                    "right" => Direction::Right,
                    other => return Err(format!("`{other}` is not up, down, left or right")),
                };
                let area = self.optional_ref()?.map_or(ScrollArea::Window, ScrollArea::Element);
                act(Action::Scroll(area, direction))
            }
            _ => Ok(None),
        }
    }

    fn fields(&self) -> Result<Vec<Move>, String> {
        let fields = self.0.get("fields").and_then(Value::as_array).ok_or("`fields` must be a list")?;
        if fields.len() > MOST_FIELDS {
            return Err(format!("{} fields at once are too many", fields.len()));
        }
        fields
            .iter()
            .map(|field| Arguments(field.as_object().ok_or("a field must be an object")?).field())
            .collect()
    }

    fn field(&self) -> Result<Move, String> {
        let target = self.target()?;
        let value = match self.0.get("value") {
            Some(Value::String(text)) => text.clone(),
            Some(Value::Bool(on)) => on.to_string(),
            Some(Value::Number(number)) => number.to_string(),
            _ => return Err("a field needs a `value`".to_owned()),
        };
        Ok(match self.optional_text("type")?.unwrap_or("textbox") {
            "checkbox" => Move::Switch(target, value == "true"),
            "radio" => Move::Switch(target, true),
            "combobox" => Move::Do(Action::Select(target, value)),
            "textbox" | "slider" => Move::Do(Action::Type(target, value)),
            other => return Err(format!("there is no field of type `{other}`")),
        })
    }

    /// The response that `submit_answer` means.
    pub fn answer(&self, kind: TaskKind) -> Result<String, String> {
        let status = self.optional_text("status")?.unwrap_or("SUCCESS");
        let results = match self.0.get("results") {
            None | Some(Value::Null) => Value::Null,
            Some(Value::Array(values)) => Value::Array(values.clone()),
            Some(one) => Value::Array(vec![one.clone()]),
        };
        Ok(structured(kind, status, &results, self.optional_text("error_details")?))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn moves(tool: &str, arguments: &Value) -> Result<Option<Vec<Move>>, String> {
        Arguments(arguments.as_object().expect("an object")).moves(tool)
    }

    #[test]
    fn tools_mean_actions() {
        for (tool, arguments, expected) in [
            (
                "browser_navigate",
                json!({"url": "http://shop.localhost/"}),
                vec!["goto \"http://shop.localhost/\""],
            ),
            ("browser_navigate_back", json!({}), vec!["back"]),
            ("browser_click", json!({"element": "Save", "ref": "e12"}), vec!["click [12]"]),
            (
                "browser_click",
                json!({"target": "e12", "button": "left", "modifiers": []}),
                vec!["click [12]"],
            ),
            ("browser_type", json!({"ref": "e3", "text": "lamp"}), vec!["type [3] \"lamp\""]),
            (
                "browser_type",
                json!({"ref": "e3", "text": "lamp", "submit": true}),
                vec!["type [3] \"lamp\"", "press \"Enter\""],
            ),
            (
                "browser_select_option",
                json!({"ref": "e4", "values": ["a", "b"]}),
                vec!["select [4] \"a\"", "select [4] \"b\""],
            ),
            ("browser_press_key", json!({"key": "Enter"}), vec!["press \"Enter\""]),
            ("browser_hover", json!({"ref": "e1"}), vec!["hover [1]"]),
            ("browser_drag", json!({"startRef": "e1", "endRef": "e2"}), vec!["drag [1] to [2]"]),
            ("browser_scroll", json!({"direction": "down"}), vec!["scroll window down"]),
            (
                "browser_fill_form",
                json!({"fields": [
                    {"name": "a", "type": "textbox", "ref": "e1", "value": "x"},
                    {"name": "b", "type": "combobox", "ref": "e2", "value": "Red"},
                ]}),
                vec!["type [1] \"x\"", "select [2] \"Red\""],
            ),
        ] {
            let told: Vec<String> = moves(tool, &arguments)
                .expect(tool)
                .expect("acts")
                .iter()
                .map(|one| match one {
                    Move::Do(action) => action.to_string(),
                    other => format!("{other:?}"),
                })
                .collect();
            assert_eq!(told, expected, "{tool} {arguments}");
        }
        let ticked = json!({"fields": [{"type": "checkbox", "ref": "e1", "value": "true"}]});
        assert_eq!(moves("browser_fill_form", &ticked), Ok(Some(vec![Move::Switch(Target::Mark(1), true)])));
        assert_eq!(moves("browser_snapshot", &json!({})), Ok(None));
    }

    #[test]
    fn wrong_arguments_say_what_is_wrong() {
        for (tool, arguments, reason) in [
            ("browser_click", json!({}), "`ref` is missing"),
            ("browser_click", json!({"ref": 12}), "must be a text"),
            ("browser_click", json!({"ref": "button.save"}), "not the mark"),
            ("browser_click", json!({"ref": "e1", "doubleClick": true}), "only plain clicks"),
            ("browser_type", json!({"ref": "e1"}), "`text` is missing"),
            ("browser_fill_form", json!({"fields": [1]}), "must be an object"),
            (
                "browser_fill_form",
                json!({"fields": [{"ref": "e1", "type": "file", "value": "x"}]}),
                "no field of type",
            ),
            ("browser_scroll", json!({"direction": "in"}), "not up, down"),
            ("browser_drag", json!({"startRef": "e1"}), "are needed"),
        ] {
            let error = moves(tool, &arguments).expect_err(tool);
            assert!(error.contains(reason), "{tool} {arguments}: {error}");
        }
    }

    #[test]
    fn an_answer_is_a_structured_response() {
        let answer = |arguments: Value| {
            let text = Arguments(arguments.as_object().expect("an object"))
                .answer(TaskKind::Retrieve)
                .expect("an answer");
            serde_json::from_str::<Value>(&text).expect("JSON")
        };
        let plain = answer(json!({"results": ["24.99"]}));
        assert_eq!(
            plain,
            json!({"action": "retrieve", "status": "SUCCESS", "results": ["24.99"], "error_details": null})
        );
        assert_eq!(answer(json!({"results": 3}))["results"], json!([3]));
        let not_there = answer(json!({"status": "NOT_FOUND_ERROR", "error_details": "no lamp"}));
        assert_eq!((&not_there["status"], &not_there["results"]), (&json!("NOT_FOUND_ERROR"), &Value::Null));
    }
}
