//! What each vendor takes of JSON Schema. A keyword it does not know is no hint to it but an error, so what it would refuse
//! is left out before sending. Servers that compile a schema into a grammar (llama.cpp and its kin) get all of it: there a
//! limit of length is what ends a reply.

use serde_json::{Map, Value};

use crate::spec::Provider;

/// Which schemas a server takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Dialect {
    Whole,
    OpenAi,
    Anthropic,
}

/// Keywords whose value is a map of schemas by name; such a name is no keyword.
const BY_NAME: [&str; 3] = ["properties", "$defs", "definitions"];

impl Dialect {
    pub fn of(provider: Provider) -> Self {
        match provider {
            Provider::OpenAi | Provider::OpenAiResponses => Self::OpenAi,
            Provider::Anthropic => Self::Anthropic,
            // Gemini passes over what it does not know.
            Provider::Gemini | Provider::OpenAiCompatible => Self::Whole,
        }
    }

    fn refuses(self, keyword: &str, value: &Value) -> bool {
        match (self, keyword) {
            (Self::Whole, _) => false,
            (_, "minLength" | "maxLength") => true,
            (Self::OpenAi, _) => false,
            (Self::Anthropic, "minItems") => value.as_u64().is_none_or(|least| least > 1),
            (Self::Anthropic, keyword) => matches!(
                keyword,
                "maxItems"
                    | "uniqueItems"
                    | "minimum"
                    | "maximum"
                    | "exclusiveMinimum"
                    | "exclusiveMaximum"
                    | "multipleOf"
            ),
        }
    }

    /// The schema without what would be refused.
    pub fn taken(self, schema: &Value) -> Value {
        match schema {
            Value::Object(fields) => {
                let mut taken: Map<String, Value> = fields
                    .iter()
                    .filter(|(keyword, value)| !self.refuses(keyword, value))
                    .map(|(keyword, value)| match value {
                        Value::Object(schemas) if BY_NAME.contains(&keyword.as_str()) => {
                            let each =
                                schemas.iter().map(|(name, schema)| (name.clone(), self.taken(schema)));
                            (keyword.clone(), Value::Object(each.collect()))
                        }
                        value => (keyword.clone(), self.taken(value)),
                    })
                    .collect();
                // It wants to be told so, and takes nothing else.
                if self == Self::Anthropic && is_object(fields) {
                    taken.entry("additionalProperties").or_insert(Value::Bool(false));
                }
                Value::Object(taken)
            }
            Value::Array(schemas) => schemas.iter().map(|schema| self.taken(schema)).collect(),
            value => value.clone(),
        }
    }

    /// Why the server answers 400 to a schema that it is to follow strictly.
    #[cfg(any(test, feature = "scripted"))]
    pub fn refusal(self, schema: &Value) -> Option<String> {
        let mut refusal = None;
        each(schema, &mut |fields| {
            let keyword = fields.iter().find(|(keyword, value)| self.refuses(keyword, value));
            let found = match keyword {
                Some((keyword, _)) => Some(format!("property '{keyword}' is not supported")),
                None if self == Self::OpenAi && !is_strict_object(fields) => Some(
                    "'additionalProperties' is required to be false, and 'required' to name every property"
                        .to_owned(),
                ),
                None if self == Self::Anthropic && is_object(fields) && !is_closed(fields) => {
                    Some("'additionalProperties' must be explicitly set to false".to_owned())
                }
                None => None,
            };
            refusal = refusal.take().or(found);
        });
        refusal
    }
}

/// Whether a reply can be held to it word for word, as OpenAI means it: objects have all their properties and no others.
pub(super) fn is_strict(schema: &Value) -> bool {
    let mut strict = true;
    each(schema, &mut |fields| strict &= is_strict_object(fields));
    strict
}

fn is_strict_object(fields: &Map<String, Value>) -> bool {
    let required = |name: &String| {
        let names = fields.get("required").and_then(Value::as_array);
        names.is_some_and(|names| names.iter().any(|required| required == name))
    };
    let properties = fields.get("properties").and_then(Value::as_object);
    !is_object(fields)
        || (is_closed(fields) && properties.is_none_or(|properties| properties.keys().all(required)))
}

fn is_object(fields: &Map<String, Value>) -> bool {
    fields.get("type").is_some_and(|kind| kind == "object")
}

fn is_closed(fields: &Map<String, Value>) -> bool {
    fields.get("additionalProperties") == Some(&Value::Bool(false))
}

/// Every schema in this one, itself first.
fn each(schema: &Value, see: &mut impl FnMut(&Map<String, Value>)) {
    match schema {
        Value::Object(fields) => {
            see(fields);
            for (keyword, value) in fields {
                match value {
                    Value::Object(schemas) if BY_NAME.contains(&keyword.as_str()) => {
                        schemas.values().for_each(|schema| each(schema, see));
                    }
                    value => each(value, see),
                }
            }
        }
        Value::Array(schemas) => schemas.iter().for_each(|schema| each(schema, see)),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::spec::ModelSpec;
    use crate::wire::{Conversation, Shape, WireFormat};

    /// With a property of the name of a keyword.
    fn schema() -> Value {
        json!({
            "type": "object",
            "properties": {
                "maxLength": {"type": "string", "maxLength": 3, "pattern": "^a"},
                "list": {"type": "array", "minItems": 1, "maxItems": 4, "items": {"anyOf": [
                    {"type": "integer", "minimum": 1, "maximum": 9},
                    {"type": "array", "minItems": 2, "items": {"type": "null"}},
                ]}},
            },
            "required": ["maxLength", "list"],
            "additionalProperties": false,
        })
    }

    #[test]
    fn each_vendor_gets_the_keywords_it_takes() {
        assert_eq!(Dialect::Whole.taken(&schema()), schema());
        let openai = Dialect::OpenAi.taken(&schema());
        assert_eq!(openai["properties"]["maxLength"], json!({"type": "string", "pattern": "^a"}));
        assert_eq!(openai["properties"]["list"], schema()["properties"]["list"]);
        let anthropic = Dialect::Anthropic.taken(&schema());
        assert_eq!(anthropic["properties"]["maxLength"], json!({"type": "string", "pattern": "^a"}));
        assert_eq!(
            anthropic["properties"]["list"],
            json!({"type": "array", "minItems": 1, "items": {"anyOf": [
                {"type": "integer"}, {"type": "array", "items": {"type": "null"}},
            ]}})
        );
    }

    #[test]
    fn what_is_sent_is_not_refused() {
        let open = json!({"type": "object", "properties": {"a": {"type": "string"}}});
        for (provider, schema) in [
            (Provider::OpenAi, schema()),
            (Provider::OpenAiResponses, schema()),
            (Provider::Anthropic, schema()),
            (Provider::Anthropic, open.clone()),
            (Provider::OpenAiCompatible, schema()),
        ] {
            let dialect = Dialect::of(provider);
            assert_eq!(dialect.refusal(&dialect.taken(&schema)), None, "{provider:?}");
        }
        for (dialect, schema) in [
            (Dialect::OpenAi, schema()),
            (Dialect::OpenAi, open.clone()),
            (Dialect::Anthropic, schema()),
            (Dialect::Anthropic, open),
        ] {
            assert!(dialect.refusal(&schema).is_some(), "{dialect:?}: {schema}");
        }
    }

    #[test]
    fn a_schema_that_leaves_something_open_is_not_sent_as_strict() {
        let sent = |schema: Value, format: WireFormat, provider: Provider| {
            let shape = Shape::Schema { name: "reply".to_owned(), schema };
            let conversation = Conversation { shape, ..Conversation::default() };
            format.request(&conversation, &ModelSpec::new(provider, "m"))
        };
        let open =
            json!({"type": "object", "properties": {"a": {"type": "string"}}, "additionalProperties": false});
        for (schema, strict) in [(schema(), true), (open, false)] {
            let chat = sent(schema.clone(), WireFormat::Chat, Provider::OpenAi);
            assert_eq!(chat["response_format"]["json_schema"]["strict"], strict);
            let responses = sent(schema.clone(), WireFormat::Responses, Provider::OpenAiResponses);
            assert_eq!(responses["text"]["format"]["strict"], strict);
            let compatible = sent(schema, WireFormat::Chat, Provider::OpenAiCompatible);
            assert_eq!(compatible["response_format"]["json_schema"]["strict"], true);
        }
    }
}
