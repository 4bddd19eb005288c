//! A task of the original file, with its checks as the evaluator reads them.

use serde::{Serialize, Serializer};
use serde_json::{Map, Value};
use thiserror::Error;

/// One task. The object it was read from is kept whole, so that writing it out loses nothing.
#[derive(Debug, Clone, PartialEq)]
pub struct OriginalTask {
    pub task_id: i64,
    pub sites: Vec<String>,
    pub start_url: String,
    pub intent: String,
    pub eval: OriginalEval,
    source: Value,
}

/// The `eval` object of a task.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct OriginalEval {
    pub eval_types: Vec<String>,
    /// In file order, which the original evaluator follows; none when the key is null or absent.
    pub reference_answers: Option<Vec<AnswerRule>>,
    pub reference_url: Option<String>,
    pub url_note: Option<String>,
    pub program_html: Vec<PageCheck>,
    /// Why an unachievable task cannot be done.
    pub string_note: Option<String>,
}

/// One entry of `reference_answers`.
#[derive(Debug, Clone, PartialEq)]
pub enum AnswerRule {
    ExactMatch(String),
    MustInclude(Vec<String>),
    FuzzyMatch(Vec<String>),
    /// `fuzzy_match` with the text `N/A`: the task cannot be done.
    Unachievable,
    /// A name the original evaluator passes over without a word.
    Ignored(String),
    /// A value the original evaluator stops at with an exception.
    Unusable {
        approach: String,
        value: Value,
    },
}

/// One entry of `program_html`.
#[derive(Debug, Clone, PartialEq)]
pub struct PageCheck {
    pub url: String,
    pub locator: String,
    pub prep_actions: Vec<String>,
    pub required_contents: RequiredContents,
}

/// What a page check asks of the selected text.
#[derive(Debug, Clone, PartialEq)]
pub enum RequiredContents {
    ExactMatch(String),
    MustInclude(Vec<String>),
    /// Neither rule in usable form: the original evaluator raises an exception.
    Unusable(Value),
}

/// What is wrong with a task object.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum TaskError {
    #[error("a task is an object")]
    NotAnObject,
    #[error("{key} is missing")]
    Missing { key: String },
    #[error("{key} is not {wanted}")]
    WrongType { key: String, wanted: &'static str },
}

impl OriginalTask {
    pub fn from_value(source: Value) -> Result<Self, TaskError> {
        let task = source.as_object().ok_or(TaskError::NotAnObject)?;
        let eval = field(task, "eval")?.as_object().ok_or_else(|| wrong("eval", "an object"))?;
        Ok(Self {
            task_id: field(task, "task_id")?.as_i64().ok_or_else(|| wrong("task_id", "an integer"))?,
            sites: texts(field(task, "sites")?).ok_or_else(|| wrong("sites", "a list of names"))?,
            start_url: text(task, "start_url")?,
            intent: text(task, "intent")?,
            eval: OriginalEval::from_object(eval)?,
            source,
        })
    }

    /// The object the task was read from, unknown keys included.
    pub fn source(&self) -> &Value {
        &self.source
    }

    /// The task with every site placeholder (`__SHOPPING__`) in any of its texts replaced by the site's URL.
    ///
    /// The original did this once, to the whole file, before the first run.
    pub fn at_sites(&self, sites: &[(&str, &str)]) -> Result<Self, TaskError> {
        let mut source = self.source.clone();
        replace_in_texts(&mut source, &|text| {
            sites.iter().fold(text.to_owned(), |text, (placeholder, url)| text.replace(placeholder, url))
        });
        Self::from_value(source)
    }
}

impl Serialize for OriginalTask {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.source.serialize(serializer)
    }
}

impl OriginalEval {
    fn from_object(eval: &Map<String, Value>) -> Result<Self, TaskError> {
        let optional_text = |key: &'static str| match eval.get(key) {
            None | Some(Value::Null) => Ok(None),
            Some(Value::String(text)) => Ok(Some(text.clone())),
            Some(_) => Err(wrong(&format!("eval.{key}"), "text")),
        };
        let reference_answers = match eval.get("reference_answers") {
            None | Some(Value::Null) => None,
            Some(Value::Object(answers)) => {
                Some(answers.iter().map(|(approach, value)| AnswerRule::new(approach, value)).collect())
            }
            Some(_) => return Err(wrong("eval.reference_answers", "an object or null")),
        };
        let program_html = match eval.get("program_html") {
            None | Some(Value::Null) => Vec::new(),
            Some(Value::Array(checks)) => checks
                .iter()
                .enumerate()
                .map(|(index, check)| PageCheck::from_value(index, check))
                .collect::<Result<_, _>>()?,
            Some(_) => return Err(wrong("eval.program_html", "a list")),
        };
        Ok(Self {
            eval_types: texts(field(eval, "eval_types")?)
                .ok_or_else(|| wrong("eval.eval_types", "a list of names"))?,
            reference_answers,
            reference_url: optional_text("reference_url")?,
            url_note: optional_text("url_note")?,
            program_html,
            string_note: optional_text("string_note")?,
        })
    }
}

impl AnswerRule {
    fn new(approach: &str, value: &Value) -> Self {
        let unusable = || Self::Unusable { approach: approach.to_owned(), value: value.clone() };
        match approach {
            "exact_match" => value.as_str().map_or_else(unusable, |text| Self::ExactMatch(text.to_owned())),
            "must_include" => texts(value).map_or_else(unusable, Self::MustInclude),
            "fuzzy_match" if value == "N/A" => Self::Unachievable,
            "fuzzy_match" => texts(value).map_or_else(unusable, Self::FuzzyMatch),
            _ => Self::Ignored(approach.to_owned()),
        }
    }
}

impl PageCheck {
    fn from_value(index: usize, value: &Value) -> Result<Self, TaskError> {
        let name = |key: &str| format!("eval.program_html[{index}].{key}");
        let check =
            value.as_object().ok_or_else(|| wrong(&format!("eval.program_html[{index}]"), "an object"))?;
        let required_text = |key: &str| match check.get(key) {
            None => Err(TaskError::Missing { key: name(key) }),
            Some(value) => value.as_str().map(str::to_owned).ok_or_else(|| wrong(&name(key), "text")),
        };
        let prep_actions = match check.get("prep_actions") {
            None => Vec::new(),
            Some(actions) => {
                texts(actions).ok_or_else(|| wrong(&name("prep_actions"), "a list of expressions"))?
            }
        };
        let required = check
            .get("required_contents")
            .ok_or_else(|| TaskError::Missing { key: name("required_contents") })?;
        Ok(Self {
            url: required_text("url")?,
            locator: required_text("locator")?,
            prep_actions,
            required_contents: RequiredContents::new(required),
        })
    }
}

impl RequiredContents {
    fn new(required: &Value) -> Self {
        // With both rules present only the exact one counts.
        let usable = match (required.get("exact_match"), required.get("must_include")) {
            (Some(exact), _) => exact.as_str().map(|text| Self::ExactMatch(text.to_owned())),
            (None, Some(contents)) => texts(contents).map(Self::MustInclude),
            (None, None) => None,
        };
        usable.unwrap_or_else(|| Self::Unusable(required.clone()))
    }
}

fn wrong(key: &str, wanted: &'static str) -> TaskError {
    TaskError::WrongType { key: key.to_owned(), wanted }
}

fn field<'a>(object: &'a Map<String, Value>, key: &str) -> Result<&'a Value, TaskError> {
    object.get(key).ok_or_else(|| TaskError::Missing { key: key.to_owned() })
}

fn text(object: &Map<String, Value>, key: &str) -> Result<String, TaskError> {
    field(object, key)?.as_str().map(str::to_owned).ok_or_else(|| wrong(key, "text"))
}

fn texts(value: &Value) -> Option<Vec<String>> {
    value.as_array()?.iter().map(|item| item.as_str().map(str::to_owned)).collect()
}

fn replace_in_texts(value: &mut Value, replace: &dyn Fn(&str) -> String) {
    match value {
        Value::String(text) => *text = replace(text),
        Value::Array(items) => items.iter_mut().for_each(|item| replace_in_texts(item, replace)),
        Value::Object(entries) => entries.values_mut().for_each(|entry| replace_in_texts(entry, replace)),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn task() -> Value {
        json!({
            "unknown": {"kept": [1, 2.5, null]}, "task_id": 7, "sites": ["gitlab"], "start_url": "__GITLAB__", "intent": "go",
            "eval": {
                "eval_types": ["url_match"], "reference_url": "__GITLAB__/a |OR| __GITLAB__/b", "annotation_note": "kept",
                "reference_answers": {"fuzzy_match": "N/A", "must_include": "not a list", "must_exclude": ["x"]},
                "program_html": [{"url": "last", "locator": "", "required_contents": {"exact_match": "a", "must_include": ["b"]}}]
            }
        })
    }

    #[test]
    fn writing_gives_back_what_was_read() {
        let read = OriginalTask::from_value(task()).expect("well-formed");
        assert_eq!(serde_json::to_string(&read).expect("writable"), task().to_string());
    }

    #[test]
    fn rules_are_read_as_the_evaluator_takes_them() {
        let eval = OriginalTask::from_value(task()).expect("well-formed").eval;
        assert_eq!(
            eval.reference_answers.as_deref(),
            Some(
                &[
                    AnswerRule::Unachievable,
                    AnswerRule::Unusable { approach: "must_include".to_owned(), value: json!("not a list") },
                    AnswerRule::Ignored("must_exclude".to_owned()),
                ][..]
            )
        );
        assert_eq!(eval.program_html[0].required_contents, RequiredContents::ExactMatch("a".to_owned()));
    }

    #[test]
    fn placeholders_give_way_to_urls_everywhere() {
        let placed = OriginalTask::from_value(task())
            .expect("well-formed")
            .at_sites(&[("__GITLAB__", "http://git:8023")])
            .expect("still well-formed");
        assert_eq!(placed.start_url, "http://git:8023");
        assert_eq!(placed.eval.reference_url.as_deref(), Some("http://git:8023/a |OR| http://git:8023/b"));
    }

    #[test]
    fn errors_name_the_key() {
        let mut broken = task();
        broken["eval"]["program_html"][0]["locator"] = json!(3);
        assert_eq!(
            OriginalTask::from_value(broken).map_err(|error| error.to_string()),
            Err("eval.program_html[0].locator is not text".to_owned())
        );
    }
}
