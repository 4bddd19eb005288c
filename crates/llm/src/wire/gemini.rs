//! Requests of Gemini's `generateContent`. The API takes both spellings of its names; we write the usual one.

use serde_json::{Map, Value, json};

use super::chat::schema_or_empty;
use super::conversation::{Conversation, Piece, Shape, Tool, ToolCall, ToolChoice, ToolResult, Turn, joined};
use super::images::{base64_of, from_base64};
use super::reading::{Read, arguments, array, count, no, number, object, only, text, texts};
use crate::Role;

const KNOWN: [&str; 5] = ["contents", "systemInstruction", "tools", "toolConfig", "generationConfig"];
const KNOWN_CONFIG: [&str; 8] = [
    "temperature",
    "topP",
    "maxOutputTokens",
    "stopSequences",
    "responseMimeType",
    "responseJsonSchema",
    "responseSchema",
    "candidateCount",
];
/// The member a tool's result is wrapped in: the format wants an object.
const RESULT: &str = "result";

pub(super) fn request(conversation: &Conversation) -> Value {
    let contents: Vec<Value> = conversation.turns.iter().map(|turn| write_turn(turn, conversation)).collect();
    let mut body = Map::new();
    body.insert("contents".into(), contents.into());
    if let Some(system) = &conversation.system {
        body.insert("systemInstruction".into(), json!({"parts": [{"text": system}]}));
    }
    if !conversation.tools.is_empty() {
        let declared: Vec<Value> = conversation.tools.iter().map(write_tool).collect();
        body.insert("tools".into(), json!([{"functionDeclarations": declared}]));
        body.insert(
            "toolConfig".into(),
            json!({"functionCallingConfig": write_choice(&conversation.tool_choice)}),
        );
    }
    let mut config = Map::new();
    match &conversation.shape {
        Shape::Text | Shape::Grammar(_) => {}
        Shape::Json => drop(config.insert("responseMimeType".into(), json!("application/json"))),
        Shape::Schema { schema, .. } => {
            config.insert("responseMimeType".into(), json!("application/json"));
            config.insert("responseJsonSchema".into(), schema.clone());
        }
    }
    for (field, value) in [
        ("maxOutputTokens", conversation.max_tokens.map(Value::from)),
        ("temperature", conversation.temperature.map(Value::from)),
        ("topP", conversation.top_p.map(Value::from)),
        ("stopSequences", (!conversation.stop.is_empty()).then(|| conversation.stop.clone().into())),
        (
            "thinkingConfig",
            conversation.reasoning_effort.as_ref().map(|effort| json!({"thinkingLevel": effort})),
        ),
    ] {
        config.extend(value.map(|value| (field.to_owned(), value)));
    }
    if !config.is_empty() {
        body.insert("generationConfig".into(), config.into());
    }
    Value::Object(body)
}

fn write_turn(turn: &Turn, conversation: &Conversation) -> Value {
    let role = match turn.role {
        Role::User => "user",
        Role::Assistant => "model",
    };
    let part = |piece: &Piece| match piece {
        Piece::Text(text) => json!({"text": text}),
        Piece::Image(image) => json!({"inlineData": {"mimeType": image.mime, "data": base64_of(image)}}),
        Piece::ToolCall(call) => write_call(call),
        Piece::ToolResult(result) => {
            let name = conversation.tool_of(&result.id).unwrap_or(&result.id);
            json!({"functionResponse": {"id": result.id, "name": name, "response": {RESULT: result.text}}})
        }
    };
    json!({"role": role, "parts": turn.pieces.iter().map(part).collect::<Vec<_>>()})
}

pub(super) fn write_call(call: &ToolCall) -> Value {
    let mut part = json!({"functionCall": {"id": call.id, "name": call.name, "args": call.arguments}});
    if let Some(signature) = &call.signature {
        part["thoughtSignature"] = json!(signature);
    }
    part
}

/// The thoughts behind a part, which only the provider can read.
pub(super) fn signature_of(part: &Value) -> Option<String> {
    member(part, "thoughtSignature", "thought_signature").as_str().map(str::to_owned)
}

fn write_tool(tool: &Tool) -> Value {
    let mut declared = json!({"name": tool.name, "parametersJsonSchema": tool.parameters});
    if let Some(description) = &tool.description {
        declared["description"] = json!(description);
    }
    declared
}

fn write_choice(choice: &ToolChoice) -> Value {
    match choice {
        ToolChoice::Auto => json!({"mode": "AUTO"}),
        ToolChoice::None => json!({"mode": "NONE"}),
        ToolChoice::Any => json!({"mode": "ANY"}),
        ToolChoice::Named(name) => json!({"mode": "ANY", "allowedFunctionNames": [name]}),
    }
}

/// A member by its usual name or by the one of the protocol's other spelling.
fn member<'a>(value: &'a Value, usual: &str, other: &str) -> &'a Value {
    if value[usual].is_null() { &value[other] } else { &value[usual] }
}

/// The same object with `snake_case` members under their usual names.
fn usual_names(value: &Value, place: &str) -> Read<Map<String, Value>> {
    if value.is_null() {
        return Ok(Map::new());
    }
    let fields = object(value, place)?.iter().map(|(name, value)| (camel(name), value.clone()));
    Ok(fields.collect())
}

fn camel(name: &str) -> String {
    let mut words = name.split('_');
    let first = words.next().unwrap_or_default().to_owned();
    words.fold(first, |mut joined, word| {
        let mut letters = word.chars();
        joined.extend(letters.next().map(|letter| letter.to_ascii_uppercase()));
        joined.push_str(letters.as_str());
        joined
    })
}

pub(super) fn read_request(body: &Value) -> Read<Conversation> {
    let body = Value::Object(usual_names(body, "the request")?);
    // Safety settings are the other provider's own and have no counterpart; none of them widens what is asked.
    only(object(&body, "the request")?, &KNOWN, &["safetySettings", "labels"], "the request")?;
    let config = usual_names(&body["generationConfig"], "`generationConfig`")?;
    only(&config, &KNOWN_CONFIG, &[], "`generationConfig`")?;
    let config = Value::Object(config);
    if count(&config["candidateCount"], "`candidateCount`")?.is_some_and(|count| count != 1) {
        return Err(no("`candidateCount`: one reply at a time can be translated"));
    }
    let (tools, tool_choice) = read_tools(&body)?;
    let system = &body["systemInstruction"];
    let mut conversation = Conversation {
        system: if system.is_null() {
            None
        } else {
            Some(joined(&read_parts(system, "`systemInstruction`")?))
        },
        tools,
        tool_choice,
        shape: read_shape(&config)?,
        max_tokens: count(&config["maxOutputTokens"], "`maxOutputTokens`")?,
        temperature: number(&config["temperature"], "`temperature`")?,
        top_p: number(&config["topP"], "`topP`")?,
        stop: texts(&config["stopSequences"], "`stopSequences`")?,
        ..Conversation::default()
    };
    for (index, content) in array(&body["contents"], "`contents`")?.iter().enumerate() {
        let place = format!("contents[{index}]");
        let role = match content["role"].as_str() {
            None | Some("user" | "function") => Role::User,
            Some("model") => Role::Assistant,
            Some(other) => return Err(no(format!("{place}: the role `{other}` cannot be translated"))),
        };
        conversation.turns.push(Turn::new(role, read_parts(content, &place)?));
    }
    Ok(conversation)
}

fn read_parts(content: &Value, place: &str) -> Read<Vec<Piece>> {
    if let Some(text) = content.as_str() {
        return Ok(vec![Piece::Text(text.to_owned())]);
    }
    array(&content["parts"], &format!("{place}.parts"))?.iter().map(|part| read_part(part, place)).collect()
}

fn read_part(part: &Value, place: &str) -> Read<Piece> {
    if let Some(text) = part["text"].as_str() {
        return Ok(Piece::Text(text.to_owned()));
    }
    let data = member(part, "inlineData", "inline_data");
    if !data.is_null() {
        let mime = text(member(data, "mimeType", "mime_type"), &format!("{place}: the type of an image"))?;
        return Ok(Piece::Image(from_base64(mime, text(&data["data"], place)?, place)?));
    }
    let call = member(part, "functionCall", "function_call");
    if !call.is_null() {
        let call = read_call(call, place)?;
        return Ok(Piece::ToolCall(ToolCall { signature: signature_of(part), ..call }));
    }
    let response = member(part, "functionResponse", "function_response");
    if !response.is_null() {
        let name = text(&response["name"], &format!("{place}: the name of a called tool"))?;
        let id = response["id"].as_str().unwrap_or(name).to_owned();
        let said = &response["response"];
        let text = said[RESULT].as_str().map_or_else(|| said.to_string(), str::to_owned);
        return Ok(Piece::ToolResult(ToolResult { id, text }));
    }
    let names: Vec<&str> =
        part.as_object().map(|part| part.keys().map(String::as_str).collect()).unwrap_or_default();
    Err(no(format!("{place}: a part with `{}` cannot be translated", names.join("`, `"))))
}

/// Calls need no id here; then results go by name, and so does the id we give.
fn read_call(call: &Value, place: &str) -> Read<ToolCall> {
    let name = text(&call["name"], &format!("{place}: the name of a called tool"))?;
    let id = call["id"].as_str().unwrap_or(name).to_owned();
    Ok(ToolCall { id, name: name.to_owned(), arguments: arguments(&call["args"]), signature: None })
}

fn read_tools(body: &Value) -> Read<(Vec<Tool>, ToolChoice)> {
    let mut tools = Vec::new();
    for tool in array(&body["tools"], "`tools`")? {
        let tool = usual_names(tool, "`tools`")?;
        only(&tool, &["functionDeclarations"], &[], "`tools`")?;
        let declared = tool.get("functionDeclarations").unwrap_or(&Value::Null);
        for function in array(declared, "`functionDeclarations`")? {
            tools.push(read_tool(function)?);
        }
    }
    let config = member(&body["toolConfig"], "functionCallingConfig", "function_calling_config");
    let allowed = texts(member(config, "allowedFunctionNames", "allowed_function_names"), "`toolConfig`")?;
    let choice = match (config["mode"].as_str(), allowed.as_slice()) {
        (None | Some("AUTO"), []) => ToolChoice::Auto,
        (Some("NONE"), _) => ToolChoice::None,
        (Some("ANY"), []) => ToolChoice::Any,
        (Some("ANY"), [name]) => ToolChoice::Named(name.clone()),
        _ => return Err(no(format!("`toolConfig`: {config} cannot be translated"))),
    };
    Ok((tools, choice))
}

fn read_tool(function: &Value) -> Read<Tool> {
    let schema = member(function, "parametersJsonSchema", "parameters_json_schema");
    let parameters = if schema.is_null() {
        // Its own dialect of schemas is JSON Schema but for the case of types.
        schema_or_empty(&lower_types(&function["parameters"]))
    } else {
        schema.clone()
    };
    Ok(Tool {
        name: text(&function["name"], "the name of a tool")?.to_owned(),
        description: function["description"].as_str().map(str::to_owned),
        parameters,
    })
}

fn read_shape(config: &Value) -> Read<Shape> {
    let schema = if config["responseJsonSchema"].is_null() {
        lower_types(&config["responseSchema"])
    } else {
        config["responseJsonSchema"].clone()
    };
    if !schema.is_null() {
        return Ok(Shape::Schema { name: "reply".to_owned(), schema });
    }
    match config["responseMimeType"].as_str() {
        None | Some("text/plain") => Ok(Shape::Text),
        Some("application/json") => Ok(Shape::Json),
        Some(other) => Err(no(format!("`responseMimeType` `{other}` cannot be translated"))),
    }
}

fn lower_types(schema: &Value) -> Value {
    match schema {
        Value::Object(fields) => {
            let lowered = fields.iter().map(|(name, value)| match value {
                Value::String(kind) if name == "type" => (name.clone(), json!(kind.to_ascii_lowercase())),
                value => (name.clone(), lower_types(value)),
            });
            Value::Object(lowered.collect())
        }
        Value::Array(items) => items.iter().map(lower_types).collect(),
        other => other.clone(),
    }
}
