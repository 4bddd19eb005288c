use serde_json::Value;
use umpire_model::{Action, TaskBrief};

use super::prompts::Prompts;
use crate::response::Response;

/// How the last answer has to look, for a prompt.
pub(super) fn answer_rules(prompts: &Prompts, task: &TaskBrief) -> String {
    prompts.fill("answer.md", &[("kind", task.kind.as_str())])
}

/// What a model gave as its answer, as the structured response. One that came without the structure is put into it as
/// a success: that is what the model claims by answering.
pub(super) fn final_answer(task: &TaskBrief, said: &str) -> Action {
    let said = without_fence(said.trim());
    if let Ok(Value::Object(response)) = serde_json::from_str::<Value>(said)
        && response.contains_key("status")
    {
        return Action::Answer(said.to_owned());
    }
    let results = match serde_json::from_str::<Value>(said) {
        _ if said.is_empty() => None,
        Ok(Value::Array(items)) => Some(items),
        Ok(Value::Null) => None,
        Ok(value @ (Value::Number(_) | Value::Bool(_))) => Some(vec![value]),
        _ => Some(vec![Value::String(said.to_owned())]),
    };
    let results = results.filter(|_| task.kind == umpire_model::TaskKind::Retrieve);
    Response::success(task.kind, results).into_answer()
}

/// The content of a Markdown code block, if the text is one.
pub(super) fn without_fence(text: &str) -> &str {
    let Some(inside) = text.strip_prefix("```").and_then(|rest| rest.strip_suffix("```")) else {
        return text;
    };
    // The first line may name a language.
    inside.split_once('\n').map_or(inside, |(_, content)| content).trim()
}

#[cfg(test)]
mod tests {
    use umpire_model::TaskKind;

    use super::*;
    use crate::sample::task;

    #[test]
    fn an_answer_without_the_structure_is_put_into_it() {
        let retrieve = task(TaskKind::Retrieve, "How many?");
        let mutate = task(TaskKind::Mutate, "Do it.");
        let structured = r#"{"action":"retrieve","status":"NOT_FOUND_ERROR","results":null}"#;
        for (brief, said, response) in [
            (&retrieve, structured.to_owned(), structured.to_owned()),
            (&retrieve, format!("```json\n{structured}\n```"), structured.to_owned()),
            (&retrieve, "14".to_owned(), success("retrieve", "[14]")),
            (&retrieve, " Desk lamp ".to_owned(), success("retrieve", "[\"Desk lamp\"]")),
            (&retrieve, r#"["a","b"]"#.to_owned(), success("retrieve", r#"["a","b"]"#)),
            (&retrieve, r#"{"a":1}"#.to_owned(), success("retrieve", r#"["{\"a\":1}"]"#)),
            (&retrieve, String::new(), success("retrieve", "null")),
            (&mutate, "Done, the address is changed.".to_owned(), success("mutate", "null")),
        ] {
            assert_eq!(final_answer(brief, &said), Action::Answer(response), "{said}");
        }
    }

    fn success(kind: &str, results: &str) -> String {
        format!(r#"{{"action":"{kind}","status":"SUCCESS","results":{results},"error_details":null}}"#)
    }
}
