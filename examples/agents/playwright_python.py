"""A small agent of your own, with Playwright for Python.

    pip install playwright        # `playwright install` is not needed: the browser is Umpire's

    # umpire.toml
    [agents.my-python-agent]
    kind = "command"
    command = ["/path/to/venv/bin/python", "examples/agents/playwright_python.py"]

Umpire starts this script once for every attempt and tells it by environment variable

    UMPIRE_CDP_URL     where the browser listens (UMPIRE_CDP_WS is the same as a WebSocket address)
    UMPIRE_TASK_FILE   a JSON file with what is asked: id, kind, intent, start_urls, limits, response_schema
    UMPIRE_OUT_DIR     a folder for answer.json

What it does in the browser is recorded by Umpire itself. This script is honest but simple: it looks for the words of
the intent on the page, searches the site once if they are not there, and gives what it has read.
"""

import json
import os
import re
from pathlib import Path

from playwright.sync_api import Page, TimeoutError, sync_playwright

NOT_TELLING = set(
    "a an and are at by do does find for from give go how in is it many me much my of on open page please price "
    "show tell the to was what when where which who".split()
)


def telling_words(text: str) -> list[str]:
    words = re.findall(r"\w+", text.lower())
    return list(dict.fromkeys(word for word in words if word not in NOT_TELLING))


def best(items: list[str], words: list[str]) -> tuple[int, float]:
    """Place of the text that shares most words with the intent, and how large that share is."""

    def share(text: str) -> float:
        return len(set(words) & set(telling_words(text))) / max(len(words), 1)

    shares = [share(text) for text in items]
    place = max(range(len(items)), key=shares.__getitem__, default=-1)
    return (place, shares[place]) if place >= 0 else (-1, 0.0)


def visible_lines(page: Page) -> list[str]:
    return [line.strip() for line in page.locator("body").inner_text().split("\n") if line.strip()]


def search(page: Page, words: list[str]) -> bool:
    box = page.get_by_role("searchbox").first
    if box.count() == 0:
        return False
    box.fill(" ".join(words))
    try:
        # A site may search by loading a page or by script, so wait for whichever comes, but not for ever.
        with page.expect_event("load", timeout=3000):
            box.press("Enter")
    except TimeoutError:
        pass
    return True


def retrieve(page: Page, intent: str) -> str | int | None:
    """A question is answered by the line that names its subject, or by a price or number close below it."""
    words = telling_words(intent)
    lines = visible_lines(page)
    place, share = best(lines, words)
    if share < 0.75 and search(page, words):
        lines = visible_lines(page)
        place, share = best(lines, words)
    if share < 0.5:
        return None
    near = "\n".join(lines[place : place + 8])
    if re.search(r"\b(how much|price|costs?)\b", intent, re.IGNORECASE):
        price = re.search(r"[$€£]\s?\d[\d.,]*|\d[\d.,]*\s?(?:€|EUR|USD|GBP)", near)
        return price.group() if price else None
    if re.search(r"\b(how many|number of)\b", intent, re.IGNORECASE):
        number = re.search(r"\d[\d,]*", near)
        return int(number.group().replace(",", "")) if number else None
    _, _, value = lines[place].partition(":")
    return value.strip() or lines[place]


def navigate(page: Page, intent: str) -> bool:
    """Follows the link whose text is closest to the intent."""
    links = page.get_by_role("link")
    place, share = best(links.all_inner_texts(), telling_words(intent))
    if share == 0:
        return False
    links.nth(place).click()
    page.wait_for_load_state()
    return True


def work(page: Page, task: dict) -> dict:
    response = {"action": task["kind"], "status": "SUCCESS", "results": None, "error_details": None}
    not_found = {**response, "status": "NOT_FOUND_ERROR", "error_details": "nothing on the page speaks of it"}
    if task["kind"] == "retrieve":
        value = retrieve(page, task["intent"])
        return not_found if value is None else {**response, "results": [value]}
    if task["kind"] == "navigate":
        return response if navigate(page, task["intent"]) else not_found
    return {**response, "status": "UNKNOWN_ERROR", "error_details": "this example only reads"}


def main() -> None:
    task = json.loads(Path(os.environ["UMPIRE_TASK_FILE"]).read_text(encoding="utf-8"))
    with sync_playwright() as playwright:
        browser = playwright.chromium.connect_over_cdp(os.environ["UMPIRE_CDP_URL"])
        # The page of the task is already open on its start URL; there is no need to make a new one.
        page = browser.contexts[0].pages[0]
        page.wait_for_load_state()
        response = work(page, task)
        print(f"at {page.url}: {json.dumps(response)}")
        answer = Path(os.environ["UMPIRE_OUT_DIR"]) / "answer.json"
        answer.write_text(json.dumps(response), encoding="utf-8")
        # Only the connection is closed; the browser belongs to Umpire.
        browser.close()


if __name__ == "__main__":
    main()
