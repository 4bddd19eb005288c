//! Requests of Anthropic's messages API.

use serde_json::{Map, Value, json};

use super::chat::schema_or_empty;
use super::conversation::{Conversation, Piece, Shape, Tool, ToolCall, ToolChoice, ToolResult, Turn, joined};
use super::images::{base64_of, from_base64};
use super::reading::{Read, arguments, array, count, no, number, object, only, text, texts};
use super::schema::Dialect;
use crate::Role;
use crate::spec::ModelSpec;

/// The API asks for a limit; a request translated from a format that needs none gets this one.
const LIMIT_WHERE_NONE_IS_SAID: u32 = 8192;

const KNOWN: [&str; 12] = [
    "model",
    "system",
    "messages",
    "max_tokens",
    "temperature",
    "top_p",
    "stop_sequences",
    "stream",
    "tools",
    "tool_choice",
    "output_config",
    "thinking",
];

const HARMLESS: [&str; 3] = ["metadata", "service_tier", "cache_control"];

pub(super) fn request(conversation: &Conversation, spec: &ModelSpec) -> Value {
    let mut body = Map::new();
    body.insert("model".into(), json!(spec.model));
    body.insert("max_tokens".into(), json!(conversation.max_tokens.unwrap_or(LIMIT_WHERE_NONE_IS_SAID)));
    if let Some(system) = &conversation.system {
        body.insert("system".into(), json!(system));
    }
    body.insert("messages".into(), conversation.turns.iter().map(write_turn).collect());
    if !conversation.tools.is_empty() {
        body.insert("tools".into(), conversation.tools.iter().map(write_tool).collect());
        body.insert("tool_choice".into(), write_choice(&conversation.tool_choice));
    }
    let mut output = Map::new();
    if let Shape::Schema { schema, .. } = &conversation.shape {
        let taken = Dialect::Anthropic.taken(schema);
        output.insert("format".into(), json!({"type": "json_schema", "schema": taken}));
    }
    if let Some(effort) = &conversation.reasoning_effort {
        output.insert("effort".into(), json!(effort));
    }
    for (field, value) in [
        ("output_config", (!output.is_empty()).then_some(Value::Object(output))),
        ("temperature", conversation.temperature.map(Value::from)),
        ("top_p", conversation.top_p.map(Value::from)),
        ("stop_sequences", (!conversation.stop.is_empty()).then(|| conversation.stop.clone().into())),
        ("stream", conversation.stream.then_some(Value::Bool(true))),
    ] {
        body.extend(value.map(|value| (field.to_owned(), value)));
    }
    Value::Object(body)
}

fn write_turn(turn: &Turn) -> Value {
    let role = match turn.role {
        Role::User => "user",
        Role::Assistant => "assistant",
    };
    let block = |piece: &Piece| match piece {
        Piece::Text(text) => json!({"type": "text", "text": text}),
        Piece::Image(image) => {
            let source = json!({"type": "base64", "media_type": image.mime, "data": base64_of(image)});
            json!({"type": "image", "source": source})
        }
        Piece::ToolCall(call) => {
            json!({"type": "tool_use", "id": call.id, "name": call.name, "input": call.arguments})
        }
        Piece::ToolResult(result) => {
            json!({"type": "tool_result", "tool_use_id": result.id, "content": result.text})
        }
    };
    json!({"role": role, "content": turn.pieces.iter().map(block).collect::<Vec<_>>()})
}

fn write_tool(tool: &Tool) -> Value {
    let mut written = json!({"name": tool.name, "input_schema": tool.parameters});
    if let Some(description) = &tool.description {
        written["description"] = json!(description);
    }
    written
}

fn write_choice(choice: &ToolChoice) -> Value {
    match choice {
        ToolChoice::Auto => json!({"type": "auto"}),
        ToolChoice::None => json!({"type": "none"}),
        ToolChoice::Any => json!({"type": "any"}),
        ToolChoice::Named(name) => json!({"type": "tool", "name": name}),
    }
}

pub(super) fn read_request(body: &Value) -> Read<Conversation> {
    only(object(body, "the request")?, &KNOWN, &HARMLESS, "the request")?;
    if !matches!(body["thinking"]["type"].as_str(), None | Some("disabled")) {
        return Err(no(
            "`thinking` cannot be translated; reasoning_effort of the model's configuration can be set",
        ));
    }
    let output = &body["output_config"];
    let shape = match output["format"]["type"].as_str() {
        None => Shape::Text,
        Some("json_schema") => {
            Shape::Schema { name: "reply".to_owned(), schema: output["format"]["schema"].clone() }
        }
        Some(other) => return Err(no(format!("an output of format `{other}` cannot be translated"))),
    };
    let mut conversation = Conversation {
        system: match &body["system"] {
            Value::Null => None,
            system => Some(joined(&read_content(system, "`system`")?)),
        },
        tools: array(&body["tools"], "`tools`")?.iter().map(read_tool).collect::<Read<_>>()?,
        tool_choice: read_choice(&body["tool_choice"])?,
        shape,
        max_tokens: count(&body["max_tokens"], "`max_tokens`")?,
        temperature: number(&body["temperature"], "`temperature`")?,
        top_p: number(&body["top_p"], "`top_p`")?,
        stop: texts(&body["stop_sequences"], "`stop_sequences`")?,
        reasoning_effort: output["effort"].as_str().map(str::to_owned),
        stream: body["stream"].as_bool().unwrap_or(false),
        ..Conversation::default()
    };
    for (index, message) in array(&body["messages"], "`messages`")?.iter().enumerate() {
        let place = format!("messages[{index}]");
        only(object(message, &place)?, &["role", "content"], &[], &place)?;
        let role = match text(&message["role"], &format!("{place}.role"))? {
            "user" => Role::User,
            "assistant" => Role::Assistant,
            other => return Err(no(format!("{place}: the role `{other}` cannot be translated"))),
        };
        conversation.turns.push(Turn::new(role, read_content(&message["content"], &place)?));
    }
    Ok(conversation)
}

fn read_content(content: &Value, place: &str) -> Read<Vec<Piece>> {
    match content {
        Value::String(text) => Ok(vec![Piece::Text(text.clone())]),
        blocks => array(blocks, place)?.iter().map(|block| read_block(block, place)).collect(),
    }
}

fn read_block(block: &Value, place: &str) -> Read<Piece> {
    match text(&block["type"], &format!("{place}: the type of a block"))? {
        "text" => Ok(Piece::Text(text(&block["text"], place)?.to_owned())),
        "image" => {
            let source = &block["source"];
            if source["type"] != "base64" {
                return Err(no(format!(
                    "{place}: an image by address cannot be translated; send it as base64"
                )));
            }
            let mime = text(&source["media_type"], &format!("{place}: the media type of an image"))?;
            Ok(Piece::Image(from_base64(mime, text(&source["data"], place)?, place)?))
        }
        "tool_use" => Ok(Piece::ToolCall(ToolCall {
            id: text(&block["id"], &format!("{place}: the id of a call"))?.to_owned(),
            name: text(&block["name"], &format!("{place}: the name of a called tool"))?.to_owned(),
            arguments: arguments(&block["input"]),
            signature: None,
        })),
        "tool_result" => {
            let pieces = read_content(&block["content"], place)?;
            if pieces.iter().any(|piece| !matches!(piece, Piece::Text(_))) {
                return Err(no(format!("{place}: a tool's result can be translated as text only")));
            }
            let id = text(&block["tool_use_id"], &format!("{place}: the id of a result"))?.to_owned();
            Ok(Piece::ToolResult(ToolResult { id, text: joined(&pieces) }))
        }
        other => Err(no(format!("{place}: a block of type `{other}` cannot be translated"))),
    }
}

fn read_tool(tool: &Value) -> Read<Tool> {
    if !matches!(tool["type"].as_str(), None | Some("custom")) {
        return Err(no(format!("`tools`: a tool of type {} cannot be translated", tool["type"])));
    }
    Ok(Tool {
        name: text(&tool["name"], "the name of a tool")?.to_owned(),
        description: tool["description"].as_str().map(str::to_owned),
        parameters: schema_or_empty(&tool["input_schema"]),
    })
}

fn read_choice(choice: &Value) -> Read<ToolChoice> {
    match choice["type"].as_str() {
        None | Some("auto") => Ok(ToolChoice::Auto),
        Some("none") => Ok(ToolChoice::None),
        Some("any") => Ok(ToolChoice::Any),
        Some("tool") => Ok(ToolChoice::Named(text(&choice["name"], "`tool_choice`")?.to_owned())),
        Some(other) => Err(no(format!("`tool_choice` of type `{other}` cannot be translated"))),
    }
}
