"""browser-use, unmodified but for two addresses: the browser's (`cdp_url`) and the model's (`base_url`).

    pip install browser-use

    [agents.browser-use]
    kind = "command"
    command = ["/path/to/venv/bin/python", "examples/agents/browser_use_agent.py"]
    env = { OPENAI_BASE_URL = "http://127.0.0.1:8000/v1", MODEL = "my-model", OPENAI_API_KEY = "not-a-real-key" }

With `models = ["my-model"]` instead of `env`, Umpire's gateway is where it asks.
"""

import asyncio
import json
import os
from pathlib import Path

# Nothing that browser-use would tell its makers leaves this machine.
os.environ.setdefault("ANONYMIZED_TELEMETRY", "false")

from browser_use import Agent, Browser, ChatOpenAI  # noqa: E402


async def main() -> None:
    task = json.loads(Path(os.environ["UMPIRE_TASK_FILE"]).read_text(encoding="utf-8"))
    # An address in here, such as that of a schema, would be opened first.
    form = json.dumps({"action": task["kind"], "status": "SUCCESS", "results": ["…"], "error_details": None})
    model = os.environ.get("UMPIRE_MODEL") or os.environ.get("MODEL", "gpt-4.1-mini")
    agent = Agent(
        task=f"{task['intent']}\n\nThe page is open already. When you are done, answer with JSON in this form alone: {form}\n"
        "Where nothing was asked for, results is null. Where it cannot be done, status is NOT_FOUND_ERROR, "
        "PERMISSION_DENIED_ERROR, ACTION_NOT_ALLOWED_ERROR or DATA_VALIDATION_ERROR.",
        llm=ChatOpenAI(model=model, base_url=os.environ["OPENAI_BASE_URL"]),
        browser=Browser(cdp_url=os.environ["UMPIRE_CDP_URL"]),
    )
    history = await agent.run(max_steps=task["limits"]["actions"])
    # Without a result it gave up: nothing is written, and Umpire asks its gateway why.
    if result := history.final_result():
        (Path(os.environ["UMPIRE_OUT_DIR"]) / "answer.json").write_text(result, encoding="utf-8")


if __name__ == "__main__":
    asyncio.run(main())
