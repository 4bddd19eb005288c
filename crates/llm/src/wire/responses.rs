//! Requests of OpenAI's responses API.

use serde_json::{Map, Value, json};

use super::chat::schema_or_empty;
use super::conversation::{Conversation, Piece, Shape, Tool, ToolCall, ToolChoice, ToolResult, Turn, joined};
use super::images::{data_url, from_data_url};
use super::reading::{Read, arguments, arguments_as_text, array, count, no, number, object, only, text};
use super::schema::{Dialect, is_strict};
use crate::Role;
use crate::spec::ModelSpec;

const KNOWN: [&str; 12] = [
    "model",
    "instructions",
    "input",
    "tools",
    "tool_choice",
    "text",
    "max_output_tokens",
    "temperature",
    "top_p",
    "reasoning",
    "stream",
    "stream_options",
];

const HARMLESS: [&str; 11] = [
    "user",
    "metadata",
    "store",
    "service_tier",
    "prompt_cache_key",
    "prompt_cache_retention",
    "safety_identifier",
    "parallel_tool_calls",
    "truncation",
    "include",
    "verbosity",
];

pub(super) fn request(conversation: &Conversation, spec: &ModelSpec) -> Value {
    let mut items = Vec::new();
    for turn in &conversation.turns {
        write_turn(turn, &mut items);
    }
    let mut body = Map::new();
    body.insert("model".into(), json!(spec.model));
    if let Some(system) = &conversation.system {
        body.insert("instructions".into(), json!(system));
    }
    body.insert("input".into(), items.into());
    // What is asked on behalf of an attempt is kept by the attempt, not by the provider.
    body.insert("store".into(), json!(false));
    if !conversation.tools.is_empty() {
        body.insert("tools".into(), conversation.tools.iter().map(write_tool).collect());
        body.insert("tool_choice".into(), write_choice(&conversation.tool_choice));
    }
    let format = match &conversation.shape {
        Shape::Text | Shape::Grammar(_) => None,
        Shape::Json => Some(json!({"type": "json_object"})),
        Shape::Schema { name, schema } => {
            let taken = Dialect::OpenAi.taken(schema);
            Some(json!({"type": "json_schema", "name": name, "schema": taken, "strict": is_strict(schema)}))
        }
    };
    for (field, value) in [
        ("text", format.map(|format| json!({"format": format}))),
        ("max_output_tokens", conversation.max_tokens.map(Value::from)),
        ("temperature", conversation.temperature.map(Value::from)),
        ("top_p", conversation.top_p.map(Value::from)),
        ("reasoning", conversation.reasoning_effort.as_ref().map(|effort| json!({"effort": effort}))),
        ("stream", conversation.stream.then_some(Value::Bool(true))),
    ] {
        body.extend(value.map(|value| (field.to_owned(), value)));
    }
    Value::Object(body)
}

fn write_turn(turn: &Turn, items: &mut Vec<Value>) {
    let (role, kind) = match turn.role {
        Role::User => ("user", "input_text"),
        Role::Assistant => ("assistant", "output_text"),
    };
    let mut parts = Vec::new();
    let mut beside = Vec::new();
    for piece in &turn.pieces {
        match piece {
            Piece::Text(text) => parts.push(json!({"type": kind, "text": text})),
            Piece::Image(image) => parts.push(json!({"type": "input_image", "image_url": data_url(image)})),
            Piece::ToolCall(call) => beside.push(json!({
                "type": "function_call", "call_id": call.id, "name": call.name,
                "arguments": arguments_as_text(&call.arguments),
            })),
            Piece::ToolResult(result) => items
                .push(json!({"type": "function_call_output", "call_id": result.id, "output": result.text})),
        }
    }
    if !parts.is_empty() {
        items.push(json!({"type": "message", "role": role, "content": parts}));
    }
    items.append(&mut beside);
}

fn write_tool(tool: &Tool) -> Value {
    json!({
        "type": "function", "name": tool.name, "description": tool.description,
        "parameters": tool.parameters, "strict": false,
    })
}

fn write_choice(choice: &ToolChoice) -> Value {
    match choice {
        ToolChoice::Auto => json!("auto"),
        ToolChoice::None => json!("none"),
        ToolChoice::Any => json!("required"),
        ToolChoice::Named(name) => json!({"type": "function", "name": name}),
    }
}

pub(super) fn read_request(body: &Value) -> Read<Conversation> {
    only(object(body, "the request")?, &KNOWN, &HARMLESS, "the request")?;
    let mut conversation = Conversation {
        system: body["instructions"].as_str().map(str::to_owned),
        tools: array(&body["tools"], "`tools`")?.iter().map(read_tool).collect::<Read<_>>()?,
        tool_choice: read_choice(&body["tool_choice"])?,
        shape: read_shape(&body["text"]["format"])?,
        max_tokens: count(&body["max_output_tokens"], "`max_output_tokens`")?,
        temperature: number(&body["temperature"], "`temperature`")?,
        top_p: number(&body["top_p"], "`top_p`")?,
        reasoning_effort: body["reasoning"]["effort"].as_str().map(str::to_owned),
        stream: body["stream"].as_bool().unwrap_or(false),
        ..Conversation::default()
    };
    match &body["input"] {
        Value::String(text) => {
            conversation.turns.push(Turn::new(Role::User, vec![Piece::Text(text.clone())]));
        }
        items => {
            for (index, item) in array(items, "`input`")?.iter().enumerate() {
                read_item(item, &format!("input[{index}]"), &mut conversation)?;
            }
        }
    }
    Ok(conversation)
}

fn read_item(item: &Value, place: &str, conversation: &mut Conversation) -> Read<()> {
    match item["type"].as_str().unwrap_or("message") {
        "message" => read_message(item, place, conversation),
        "function_call" => {
            let call = Piece::ToolCall(ToolCall {
                id: text(&item["call_id"], &format!("{place}.call_id"))?.to_owned(),
                name: text(&item["name"], &format!("{place}.name"))?.to_owned(),
                arguments: arguments(&item["arguments"]),
                signature: None,
            });
            match conversation.turns.last_mut() {
                Some(turn) if turn.role == Role::Assistant => turn.pieces.push(call),
                _ => conversation.turns.push(Turn::new(Role::Assistant, vec![call])),
            }
            Ok(())
        }
        "function_call_output" => {
            let id = text(&item["call_id"], &format!("{place}.call_id"))?.to_owned();
            let said = text(&item["output"], &format!("{place}.output"))?.to_owned();
            conversation.push_result(Piece::ToolResult(ToolResult { id, text: said }));
            Ok(())
        }
        other => Err(no(format!("{place}: an item of type `{other}` cannot be translated"))),
    }
}

fn read_message(item: &Value, place: &str, conversation: &mut Conversation) -> Read<()> {
    let pieces = match &item["content"] {
        Value::String(text) => vec![Piece::Text(text.clone())],
        parts => {
            let parts = array(parts, &format!("{place}.content"))?.iter();
            parts.map(|part| read_part(part, place)).collect::<Read<_>>()?
        }
    };
    match text(&item["role"], &format!("{place}.role"))? {
        "system" | "developer" => {
            if !conversation.turns.is_empty() {
                return Err(no(format!("{place}: a system message after others cannot be translated")));
            }
            let said = joined(&pieces);
            conversation.system = Some(match conversation.system.take() {
                Some(before) => format!("{before}\n{said}"),
                None => said,
            });
        }
        "user" => conversation.turns.push(Turn::new(Role::User, pieces)),
        "assistant" => conversation.turns.push(Turn::new(Role::Assistant, pieces)),
        other => return Err(no(format!("{place}: the role `{other}` cannot be translated"))),
    }
    Ok(())
}

fn read_part(part: &Value, place: &str) -> Read<Piece> {
    match text(&part["type"], &format!("{place}: the type of a part"))? {
        "input_text" | "output_text" | "text" => Ok(Piece::Text(text(&part["text"], place)?.to_owned())),
        "refusal" => Ok(Piece::Text(text(&part["refusal"], place)?.to_owned())),
        "input_image" => Ok(Piece::Image(from_data_url(text(&part["image_url"], place)?, place)?)),
        other => Err(no(format!("{place}: a part of type `{other}` cannot be translated"))),
    }
}

fn read_tool(tool: &Value) -> Read<Tool> {
    if tool["type"] != "function" {
        return Err(no(format!("`tools`: a tool of type {} cannot be translated", tool["type"])));
    }
    Ok(Tool {
        name: text(&tool["name"], "the name of a tool")?.to_owned(),
        description: tool["description"].as_str().map(str::to_owned),
        parameters: schema_or_empty(&tool["parameters"]),
    })
}

fn read_choice(choice: &Value) -> Read<ToolChoice> {
    match choice.as_str() {
        None if choice.is_null() => Ok(ToolChoice::Auto),
        Some("auto") => Ok(ToolChoice::Auto),
        Some("none") => Ok(ToolChoice::None),
        Some("required") => Ok(ToolChoice::Any),
        None if choice["type"] == "function" => {
            Ok(ToolChoice::Named(text(&choice["name"], "`tool_choice`")?.to_owned()))
        }
        _ => Err(no(format!("`tool_choice`: {choice} cannot be translated"))),
    }
}

fn read_shape(format: &Value) -> Read<Shape> {
    match format["type"].as_str() {
        None | Some("text") => Ok(Shape::Text),
        Some("json_object") => Ok(Shape::Json),
        Some("json_schema") => Ok(Shape::Schema {
            name: format["name"].as_str().unwrap_or("reply").to_owned(),
            schema: format["schema"].clone(),
        }),
        Some(other) => Err(no(format!("`text.format` of type `{other}` cannot be translated"))),
    }
}
