"""A scripted MCP client, in the place of a model: Umpire's own server and Playwright's have the same tools.

    pip install mcp
    python examples/agents/mcp_client.py umpire mcp --suite demo --instance shop-no-samovar     # a server over standard input and output

As an agent of `umpire run`, it finds Umpire's server at UMPIRE_MCP_URL (`interface = "mcp"`). With the command line of
Playwright MCP behind its name, it starts that one, which finds the browser by PLAYWRIGHT_MCP_CDP_ENDPOINT.
"""

import asyncio
import json
import os
import re
import sys
from pathlib import Path

from mcp import Client, StdioServerParameters, stdio_client
from searching import answer, is_there, quoted_words


def text_of(result) -> str:
    return "\n".join(part.text for part in result.content if part.type == "text")


async def search(client: Client, wanted: str) -> bool:
    """Searches the site, and says whether it has what is wanted."""
    page = text_of(await client.call_tool("browser_snapshot", {}))
    box = re.search(r"- (?:searchbox|textbox) \"[^\"]*\".*?\[ref=(\w+)\]", page)
    if box:
        typing = {"element": "the search box", "target": box.group(1), "text": wanted, "submit": True}
        result = await client.call_tool("browser_type", typing)
        if result.is_error:
            raise SystemExit(text_of(result))
        page = text_of(await client.call_tool("browser_snapshot", {}))
    return is_there(re.findall(r"- link \"([^\"]*)\"", page), wanted)


async def with_umpire(server) -> None:
    async with Client(server) as client:
        task = text_of(await client.call_tool("get_task", {}))
        print(task, file=sys.stderr)
        found = await search(client, quoted_words(task))
        status = "SUCCESS" if found else "NOT_FOUND_ERROR"
        print(text_of(await client.call_tool("submit_answer", {"status": status})), file=sys.stderr)


async def with_playwright(server) -> None:
    task = json.loads(Path(os.environ["UMPIRE_TASK_FILE"]).read_text(encoding="utf-8"))
    async with Client(server) as client:
        found = await search(client, quoted_words(task["intent"]))
    answer(os.environ["UMPIRE_OUT_DIR"], task["kind"], found)


def main() -> None:
    if "UMPIRE_MCP_URL" in os.environ:
        asyncio.run(with_umpire(os.environ["UMPIRE_MCP_URL"]))
        return
    command, *arguments = sys.argv[1:]
    server = stdio_client(StdioServerParameters(command=command, args=arguments, env=dict(os.environ)))
    is_playwright = "PLAYWRIGHT_MCP_CDP_ENDPOINT" in os.environ
    asyncio.run(with_playwright(server) if is_playwright else with_umpire(server))


if __name__ == "__main__":
    main()
