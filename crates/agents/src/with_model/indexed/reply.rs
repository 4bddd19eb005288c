use std::fmt;

use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::super::answer::without_fence;
use super::super::asking::{first_line, lengths};
use super::actions::PARAMETERS;

/// Longest text in a constrained reply; a model held to a schema only ends if something ends it.
const LONGEST: usize = 300;

#[derive(Debug)]
pub(super) struct Reply {
    pub state: State,
    /// Name and parameters of each, in order.
    pub actions: Vec<(String, Value)>,
}

#[derive(Debug, Default, Deserialize, PartialEq, Eq)]
#[serde(default)]
pub(super) struct State {
    evaluation_previous_goal: String,
    memory: String,
    next_goal: String,
}

impl fmt::Display for State {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { evaluation_previous_goal, memory, next_goal } = self;
        write!(f, "Evaluation: {evaluation_previous_goal}\nMemory: {memory}\nNext goal: {next_goal}")
    }
}

/// What the reply says, or what is wrong with it, in words for the model. Text around the object is forgiven, and so are
/// the fields of the state beside it instead of inside.
pub(super) fn parse(text: &str) -> Result<Reply, String> {
    let object = object_in(text).ok_or_else(|| {
        format!("the reply is not the JSON object that was asked for, but: {}", first_line(text))
    })?;
    let state = object.get("current_state").cloned().unwrap_or_else(|| Value::Object(object.clone()));
    let state = State::deserialize(state).unwrap_or_default();
    let actions = match object.get("action").or_else(|| object.get("actions")) {
        Some(Value::Array(actions)) => actions.clone(),
        Some(action @ Value::Object(_)) => vec![action.clone()],
        _ => return Err("the reply has no list `action`".to_owned()),
    };
    let actions: Vec<(String, Value)> = actions.into_iter().map(named).collect::<Result<_, _>>()?;
    if actions.is_empty() {
        return Err("the list `action` is empty".to_owned());
    }
    Ok(Reply { state, actions })
}

fn named(action: Value) -> Result<(String, Value), String> {
    match action {
        Value::Object(fields) if fields.len() == 1 => fields.into_iter().next(),
        _ => None,
    }
    .ok_or_else(|| "each action is an object with one field, its name: {\"go_back\": {}}".to_owned())
}

/// The object the text is, or the first one in it.
fn object_in(text: &str) -> Option<Map<String, Value>> {
    let text = without_fence(text.trim());
    let starts = text.char_indices().filter(|(_, c)| *c == '{').map(|(at, _)| at);
    // A reply is not searched for ever.
    starts.take(20).find_map(|at| {
        let mut values = serde_json::Deserializer::from_str(&text[at..]).into_iter::<Value>();
        match values.next() {
            Some(Ok(Value::Object(object)))
                if object.contains_key("action") || object.contains_key("actions") =>
            {
                Some(object)
            }
            _ => None,
        }
    })
}

/// The reply as JSON Schema, for providers that hold a model to one. Where thoughts have to be short, the action comes
/// before them: there it does not depend on how they end.
pub(super) fn schema(most_actions: usize, thought_chars: Option<usize>) -> Value {
    let (thought, text) = lengths(thought_chars, LONGEST);
    let [thought, text] = [thought, text].map(|longest| json!({"type": "string", "maxLength": longest}));
    let actions: Vec<Value> = PARAMETERS
        .iter()
        .map(|(name, parameters)| {
            let properties: Map<String, Value> = parameters
                .iter()
                .map(|(name, kind)| {
                    let schema = match *kind {
                        "string" => text.clone(),
                        kind => json!({"type": kind}),
                    };
                    ((*name).to_owned(), schema)
                })
                .collect();
            let required: Vec<&str> = parameters.iter().map(|(name, _)| *name).collect();
            json!({
                "type": "object",
                "properties": {*name: {
                    "type": "object",
                    "properties": properties,
                    "required": required,
                    "additionalProperties": false,
                }},
                "required": [name],
                "additionalProperties": false,
            })
        })
        .collect();
    let state = json!({
        "type": "object",
        "properties": {
            "evaluation_previous_goal": thought,
            "memory": thought,
            "next_goal": thought,
        },
        "required": ["evaluation_previous_goal", "memory", "next_goal"],
        "additionalProperties": false,
    });
    let action =
        json!({"type": "array", "minItems": 1, "maxItems": most_actions, "items": {"anyOf": actions}});
    let mut fields = [("current_state", state), ("action", action)];
    if thought_chars.is_some() {
        fields.reverse();
    }
    json!({
        "type": "object",
        "required": fields.each_ref().map(|(name, _)| *name),
        "properties": Map::from_iter(fields.map(|(name, schema)| (name.to_owned(), schema))),
        "additionalProperties": false,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn replies_in_the_shapes_that_models_give() {
        let plain = r#"{"current_state": {"evaluation_previous_goal": "Success", "memory": "m", "next_goal": "g"}, "action": [{"go_back": {}}, {"wait": {"seconds": 2}}]}"#;
        for text in [
            plain.to_owned(),
            format!("```json\n{plain}\n```"),
            format!("Here is my reply: {plain} I hope it helps."),
            plain.replace("\"action\"", "\"actions\""),
            plain.replace("\"current_state\": {", "").replace("\"g\"}", "\"g\""),
        ] {
            let reply = parse(&text).expect(&text);
            let names: Vec<&str> = reply.actions.iter().map(|(name, _)| name.as_str()).collect();
            assert_eq!(names, ["go_back", "wait"], "{text}");
            assert_eq!(reply.state.next_goal, "g", "{text}");
        }
        assert_eq!(parse(r#"{"action": {"go_back": {}}}"#).expect("one").actions.len(), 1);
    }

    #[test]
    fn short_thoughts_stand_behind_the_action() {
        let order = |schema: &Value| -> Vec<String> {
            schema["properties"].as_object().expect("properties").keys().cloned().collect()
        };
        let usual = schema(10, None);
        assert_eq!(order(&usual), ["current_state", "action"]);
        let short = schema(1, Some(24));
        assert_eq!(order(&short), ["action", "current_state"]);
        let memory = "/properties/current_state/properties/memory/maxLength";
        let done = "/properties/action/items/anyOf/0/properties/done/properties/text/maxLength";
        for (schema, place, expected) in
            [(&usual, memory, 300), (&usual, done, 300), (&short, memory, 24), (&short, done, 96)]
        {
            assert_eq!(schema.pointer(place), Some(&json!(expected)), "{place}");
        }
    }

    #[test]
    fn what_cannot_be_read_says_why() {
        for (text, reason) in [
            ("Je clique sur le bouton.", "not the JSON object"),
            ("", "not the JSON object"),
            (r#"{"current_state": {}, "action": [{"go_back": {"#, "not the JSON object"),
            (r#"{"action": "go_back"}"#, "no list `action`"),
            (r#"{"action": []}"#, "is empty"),
            (r#"{"action": [{"a": {}, "b": {}}]}"#, "one field"),
            (r#"{"action": ["go_back"]}"#, "one field"),
        ] {
            let error = parse(text).expect_err(text);
            assert!(error.contains(reason), "{text}: {error}");
        }
    }

    proptest::proptest! {
        #[test]
        fn no_reply_makes_it_panic(text in "(\\{|\\}|\"action\"|:|\\[|\\]|[a-z]|,){0,60}") {
            let _ = parse(&text);
        }
    }
}
