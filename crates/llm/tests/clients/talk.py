"""The vendors' own clients, unmodified, against the gateway.

Reads base URLs and keys from the environment as any agent would, asks the same question in every way, and prints one
JSON object: what each way gave back.
"""

import base64
import json
import os
import sys

PNG = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=="
)
DATA_URL = "data:image/png;base64," + base64.b64encode(PNG).decode()
TOOL = {
    "type": "object",
    "properties": {"where": {"type": "string"}},
    "required": ["where"],
}
model = os.environ["UMPIRE_MODEL"]
said = {}


def with_openai():
    import openai

    client = openai.OpenAI(max_retries=0)
    messages = [
        {"role": "system", "content": "Be brief."},
        {
            "role": "user",
            "content": [
                {"type": "text", "text": "What is this?"},
                {"type": "image_url", "image_url": {"url": DATA_URL}},
            ],
        },
    ]
    whole = client.chat.completions.create(model=model, messages=messages, max_tokens=50)
    said["chat"] = [
        whole.choices[0].message.content,
        whole.choices[0].finish_reason,
        whole.usage.prompt_tokens,
        whole.usage.completion_tokens,
    ]
    text, chunks = "", 0
    for chunk in client.chat.completions.create(model=model, messages=messages, max_tokens=50, stream=True):
        chunks += 1
        # A client that did not ask for usage may rely on there being a choice.
        text += chunk.choices[0].delta.content or ""
    said["chat stream"] = text
    usage = None
    options = {"include_usage": True}
    for chunk in client.chat.completions.create(
        model=model, messages=messages, max_tokens=50, stream=True, stream_options=options
    ):
        usage = chunk.usage or usage
    said["chat stream usage"] = [usage.prompt_tokens, usage.completion_tokens]
    tools = [{"type": "function", "function": {"name": "go", "parameters": TOOL}}]
    asked = [{"role": "user", "content": "Use the tool."}]
    called = client.chat.completions.create(model=model, messages=asked, tools=tools, max_tokens=50)
    call = called.choices[0].message.tool_calls[0]
    said["chat tool"] = [call.function.name, json.loads(call.function.arguments), called.choices[0].finish_reason]
    asked += [
        called.choices[0].message.model_dump(exclude_none=True, include={"role", "content", "tool_calls"}),
        {"role": "tool", "tool_call_id": call.id, "content": "The cart is open."},
    ]
    after = client.chat.completions.create(model=model, messages=asked, tools=tools, max_tokens=50)
    said["chat after tool"] = after.choices[0].message.content
    response = client.responses.create(
        model=model,
        instructions="Be brief.",
        input=[
            {
                "role": "user",
                "content": [
                    {"type": "input_text", "text": "What is this?"},
                    {"type": "input_image", "image_url": DATA_URL},
                ],
            }
        ],
        max_output_tokens=50,
    )
    said["responses"] = [
        response.output_text,
        response.status,
        response.usage.input_tokens,
        response.usage.output_tokens,
    ]
    text, last = "", None
    for event in client.responses.create(model=model, input="What is this?", max_output_tokens=50, stream=True):
        if event.type == "response.output_text.delta":
            text += event.delta
        last = event.type
    said["responses stream"] = [text, last]
    said["models"] = [entry.id for entry in client.models.list()]
    if os.environ.get("TALK_EMBEDDINGS"):
        embedded = client.embeddings.create(model=model, input=["one", "two"], encoding_format="float")
        said["embeddings"] = [len(embedded.data), len(embedded.data[0].embedding)]


def with_anthropic():
    import anthropic

    client = anthropic.Anthropic(max_retries=0)
    source = {"type": "base64", "media_type": "image/png", "data": base64.b64encode(PNG).decode()}
    content = [{"type": "text", "text": "What is this?"}, {"type": "image", "source": source}]
    messages = [{"role": "user", "content": content}]
    whole = client.messages.create(model=model, system="Be brief.", messages=messages, max_tokens=50)
    said["messages"] = [
        whole.content[0].text,
        whole.stop_reason,
        whole.usage.input_tokens,
        whole.usage.output_tokens,
    ]
    with client.messages.stream(model=model, messages=messages, max_tokens=50) as stream:
        text = "".join(stream.text_stream)
        final = stream.get_final_message()
    said["messages stream"] = [text, final.stop_reason, final.usage.output_tokens]
    tools = [{"name": "go", "description": "Goes.", "input_schema": TOOL}]
    asked = [{"role": "user", "content": "Use the tool."}]
    called = client.messages.create(model=model, messages=asked, tools=tools, max_tokens=50)
    call = [block for block in called.content if block.type == "tool_use"][0]
    said["messages tool"] = [call.name, call.input, called.stop_reason]
    result = {"type": "tool_result", "tool_use_id": call.id, "content": "The cart is open."}
    asked += [
        {"role": "assistant", "content": [call.model_dump(include={"type", "id", "name", "input"})]},
        {"role": "user", "content": [result]},
    ]
    after = client.messages.create(model=model, messages=asked, tools=tools, max_tokens=50)
    said["messages after tool"] = after.content[0].text


def with_google():
    from google import genai
    from google.genai import types

    # The key is the one of GEMINI_API_KEY; two of them make the client complain.
    os.environ.pop("GOOGLE_API_KEY", None)
    options = types.HttpOptions(base_url=os.environ["GOOGLE_GEMINI_BASE_URL"])
    client = genai.Client(http_options=options)
    config = types.GenerateContentConfig(system_instruction="Be brief.", max_output_tokens=50)
    contents = ["What is this?", types.Part.from_bytes(data=PNG, mime_type="image/png")]
    whole = client.models.generate_content(model=model, contents=contents, config=config)
    said["gemini"] = [
        whole.text,
        whole.candidates[0].finish_reason.name,
        whole.usage_metadata.prompt_token_count,
        whole.usage_metadata.candidates_token_count,
    ]
    stream = client.models.generate_content_stream(model=model, contents=contents, config=config)
    said["gemini stream"] = "".join(chunk.text or "" for chunk in stream)
    function = types.FunctionDeclaration(name="go", parameters_json_schema=TOOL)
    tools = types.GenerateContentConfig(
        tools=[types.Tool(function_declarations=[function])],
        max_output_tokens=50,
        automatic_function_calling=types.AutomaticFunctionCallingConfig(disable=True),
    )
    called = client.models.generate_content(model=model, contents="Use the tool.", config=tools)
    call = called.function_calls[0]
    said["gemini tool"] = [call.name, call.args]
    response = types.Part.from_function_response(name=call.name, response={"result": "The cart is open."})
    asked = [
        types.Content(role="user", parts=[types.Part.from_text(text="Use the tool.")]),
        called.candidates[0].content,
        types.Content(role="user", parts=[response]),
    ]
    after = client.models.generate_content(model=model, contents=asked, config=tools)
    said["gemini after tool"] = after.text


def over_budget():
    """The first call is paid, the second is not; each client shows it as its own kind of error."""
    import anthropic
    import openai

    messages = [{"role": "user", "content": "Hello."}]
    for name, attempt in {
        "openai": lambda: openai.OpenAI().chat.completions.create(model=model, messages=messages),
        "anthropic": lambda: anthropic.Anthropic().messages.create(model=model, messages=messages, max_tokens=5),
    }.items():
        try:
            attempt()
            said[name] = "answered"
        except (openai.APIStatusError, anthropic.APIStatusError) as error:
            said[name] = [error.status_code, str(error)]


for part in sys.argv[1:]:
    {"openai": with_openai, "anthropic": with_anthropic, "google": with_google, "budget": over_budget}[part]()
json.dump(said, sys.stdout)
