//! Requests of OpenAI's chat completions, which most other servers understand too.

use serde_json::{Map, Value, json};

use super::conversation::{Conversation, Piece, Shape, Tool, ToolCall, ToolChoice, ToolResult, Turn};
use super::images::{data_url, from_data_url};
use super::reading::{
    Read, arguments, arguments_as_text, array, count, no, number, object, only, text, texts,
};
use super::schema::{Dialect, is_strict};
use crate::Role;
use crate::spec::ModelSpec;

const KNOWN: [&str; 15] = [
    "model",
    "messages",
    "tools",
    "tool_choice",
    "response_format",
    "grammar",
    "max_tokens",
    "max_completion_tokens",
    "temperature",
    "top_p",
    "stop",
    "reasoning_effort",
    "stream",
    "stream_options",
    "n",
];

/// Bookkeeping of the provider, or hints that promise nothing about the reply.
const HARMLESS: [&str; 8] = [
    "user",
    "metadata",
    "store",
    "service_tier",
    "prompt_cache_key",
    "prompt_cache_retention",
    "safety_identifier",
    "parallel_tool_calls",
];

pub(super) fn request(conversation: &Conversation, spec: &ModelSpec) -> Value {
    let mut messages = Vec::new();
    if let Some(system) = &conversation.system {
        messages.push(json!({"role": "system", "content": system}));
    }
    for turn in &conversation.turns {
        write_turn(turn, &mut messages);
    }
    let mut body = Map::new();
    body.insert("model".into(), json!(spec.model));
    body.insert("messages".into(), messages.into());
    if !conversation.tools.is_empty() {
        body.insert("tools".into(), conversation.tools.iter().map(write_tool).collect());
        body.insert("tool_choice".into(), write_choice(&conversation.tool_choice));
    }
    match &conversation.shape {
        Shape::Text => {}
        Shape::Json => drop(body.insert("response_format".into(), json!({"type": "json_object"}))),
        Shape::Schema { name, schema } => {
            let dialect = Dialect::of(spec.provider);
            let strict = dialect == Dialect::Whole || is_strict(schema);
            let format = json!({"name": name, "schema": dialect.taken(schema), "strict": strict});
            body.insert("response_format".into(), json!({"type": "json_schema", "json_schema": format}));
        }
        Shape::Grammar(grammar) => drop(body.insert("grammar".into(), json!(grammar))),
    }
    let limit = spec.max_tokens_field().name();
    for (field, value) in [
        (limit, conversation.max_tokens.map(Value::from)),
        ("temperature", conversation.temperature.map(Value::from)),
        ("top_p", conversation.top_p.map(Value::from)),
        ("stop", (!conversation.stop.is_empty()).then(|| conversation.stop.clone().into())),
        ("reasoning_effort", conversation.reasoning_effort.clone().map(Value::from)),
        ("stream", conversation.stream.then_some(Value::Bool(true))),
        ("stream_options", conversation.stream.then(|| json!({"include_usage": true}))),
    ] {
        body.extend(value.map(|value| (field.to_owned(), value)));
    }
    Value::Object(body)
}

fn write_turn(turn: &Turn, messages: &mut Vec<Value>) {
    let mut parts = Vec::new();
    let mut calls = Vec::new();
    for piece in &turn.pieces {
        match piece {
            Piece::Text(text) => parts.push(json!({"type": "text", "text": text})),
            Piece::Image(image) => {
                parts.push(json!({"type": "image_url", "image_url": {"url": data_url(image)}}));
            }
            Piece::ToolCall(call) => calls.push(write_call(call)),
            // Results are messages of their own here.
            Piece::ToolResult(result) => {
                messages.push(json!({"role": "tool", "tool_call_id": result.id, "content": result.text}));
            }
        }
    }
    if parts.is_empty() && calls.is_empty() {
        return;
    }
    let role = match turn.role {
        Role::User => "user",
        Role::Assistant => "assistant",
    };
    let mut message = json!({"role": role, "content": content(parts)});
    if !calls.is_empty() {
        message["tool_calls"] = calls.into();
    }
    messages.push(message);
}

/// A text alone is sent as one: smaller servers know no parts.
fn content(parts: Vec<Value>) -> Value {
    match parts.as_slice() {
        [] => Value::Null,
        [part] if part["type"] == "text" => part["text"].clone(),
        _ => parts.into(),
    }
}

pub(super) fn write_call(call: &ToolCall) -> Value {
    let function = json!({"name": call.name, "arguments": arguments_as_text(&call.arguments)});
    json!({"id": call.id, "type": "function", "function": function})
}

fn write_tool(tool: &Tool) -> Value {
    let mut function = json!({"name": tool.name, "parameters": tool.parameters});
    if let Some(description) = &tool.description {
        function["description"] = json!(description);
    }
    json!({"type": "function", "function": function})
}

fn write_choice(choice: &ToolChoice) -> Value {
    match choice {
        ToolChoice::Auto => json!("auto"),
        ToolChoice::None => json!("none"),
        ToolChoice::Any => json!("required"),
        ToolChoice::Named(name) => json!({"type": "function", "function": {"name": name}}),
    }
}

pub(super) fn read_request(body: &Value) -> Read<Conversation> {
    only(object(body, "the request")?, &KNOWN, &HARMLESS, "the request")?;
    if count(&body["n"], "`n`")?.is_some_and(|n| n != 1) {
        return Err(no("`n`: one reply at a time can be translated"));
    }
    let mut conversation = Conversation {
        tools: array(&body["tools"], "`tools`")?.iter().map(read_tool).collect::<Read<_>>()?,
        tool_choice: read_choice(&body["tool_choice"])?,
        shape: read_shape(body)?,
        max_tokens: match count(&body["max_completion_tokens"], "`max_completion_tokens`")? {
            Some(limit) => Some(limit),
            None => count(&body["max_tokens"], "`max_tokens`")?,
        },
        temperature: number(&body["temperature"], "`temperature`")?,
        top_p: number(&body["top_p"], "`top_p`")?,
        stop: texts(&body["stop"], "`stop`")?,
        reasoning_effort: body["reasoning_effort"].as_str().map(str::to_owned),
        stream: body["stream"].as_bool().unwrap_or(false),
        ..Conversation::default()
    };
    for (index, message) in array(&body["messages"], "`messages`")?.iter().enumerate() {
        read_message(message, &format!("messages[{index}]"), &mut conversation)?;
    }
    Ok(conversation)
}

fn read_message(message: &Value, place: &str, conversation: &mut Conversation) -> Read<()> {
    let fields = object(message, place)?;
    only(
        fields,
        &["role", "content", "tool_calls", "tool_call_id"],
        &["name", "refusal", "reasoning_content"],
        place,
    )?;
    let mut pieces = read_content(&message["content"], place)?;
    match text(&message["role"], &format!("{place}.role"))? {
        "system" | "developer" => {
            if !conversation.turns.is_empty() {
                return Err(no(format!("{place}: a system message after others cannot be translated")));
            }
            let said = super::conversation::joined(&pieces);
            conversation.system = Some(match conversation.system.take() {
                Some(before) => format!("{before}\n{said}"),
                None => said,
            });
        }
        "user" => conversation.turns.push(Turn::new(Role::User, pieces)),
        "assistant" => {
            for call in array(&message["tool_calls"], place)? {
                pieces.push(Piece::ToolCall(read_call(call, place)?));
            }
            conversation.turns.push(Turn::new(Role::Assistant, pieces));
        }
        "tool" => {
            let id = text(&message["tool_call_id"], &format!("{place}.tool_call_id"))?.to_owned();
            if pieces.iter().any(|piece| !matches!(piece, Piece::Text(_))) {
                return Err(no(format!("{place}: a tool's result can be translated as text only")));
            }
            let result = Piece::ToolResult(ToolResult { id, text: super::conversation::joined(&pieces) });
            conversation.push_result(result);
        }
        other => return Err(no(format!("{place}: the role `{other}` cannot be translated"))),
    }
    Ok(())
}

fn read_content(content: &Value, place: &str) -> Read<Vec<Piece>> {
    match content {
        Value::Null => Ok(Vec::new()),
        Value::String(text) => Ok(vec![Piece::Text(text.clone())]),
        parts => {
            let parts = array(parts, &format!("{place}.content"))?.iter().enumerate();
            parts.map(|(index, part)| read_part(part, &format!("{place}.content[{index}]"))).collect()
        }
    }
}

fn read_part(part: &Value, place: &str) -> Read<Piece> {
    match text(&part["type"], &format!("{place}.type"))? {
        "text" => Ok(Piece::Text(text(&part["text"], place)?.to_owned())),
        "image_url" => Ok(Piece::Image(from_data_url(text(&part["image_url"]["url"], place)?, place)?)),
        "refusal" => Ok(Piece::Text(text(&part["refusal"], place)?.to_owned())),
        other => Err(no(format!("{place}: a part of type `{other}` cannot be translated"))),
    }
}

pub(super) fn read_call(call: &Value, place: &str) -> Read<ToolCall> {
    let name = text(&call["function"]["name"], &format!("{place}: the name of a called tool"))?;
    Ok(ToolCall {
        id: call["id"].as_str().unwrap_or_default().to_owned(),
        name: name.to_owned(),
        arguments: arguments(&call["function"]["arguments"]),
        signature: None,
    })
}

fn read_tool(tool: &Value) -> Read<Tool> {
    if tool["type"] != "function" {
        return Err(no(format!("`tools`: a tool of type {} cannot be translated", tool["type"])));
    }
    let function = &tool["function"];
    Ok(Tool {
        name: text(&function["name"], "the name of a tool")?.to_owned(),
        description: function["description"].as_str().map(str::to_owned),
        parameters: schema_or_empty(&function["parameters"]),
    })
}

pub(super) fn schema_or_empty(schema: &Value) -> Value {
    if schema.is_null() { json!({"type": "object", "properties": {}}) } else { schema.clone() }
}

fn read_choice(choice: &Value) -> Read<ToolChoice> {
    match choice.as_str() {
        None if choice.is_null() => Ok(ToolChoice::Auto),
        Some("auto") => Ok(ToolChoice::Auto),
        Some("none") => Ok(ToolChoice::None),
        Some("required") => Ok(ToolChoice::Any),
        None if choice["type"] == "function" => {
            Ok(ToolChoice::Named(text(&choice["function"]["name"], "`tool_choice`")?.to_owned()))
        }
        _ => Err(no(format!("`tool_choice`: {choice} cannot be translated"))),
    }
}

fn read_shape(body: &Value) -> Read<Shape> {
    if let Some(grammar) = body["grammar"].as_str() {
        return Ok(Shape::Grammar(grammar.to_owned()));
    }
    let format = &body["response_format"];
    match format["type"].as_str() {
        None | Some("text") => Ok(Shape::Text),
        Some("json_object") => Ok(Shape::Json),
        Some("json_schema") => Ok(Shape::Schema {
            name: format["json_schema"]["name"].as_str().unwrap_or("reply").to_owned(),
            schema: format["json_schema"]["schema"].clone(),
        }),
        Some(other) => Err(no(format!("`response_format` of type `{other}` cannot be translated"))),
    }
}
