"""What the example agents of this folder have in common: a task that says what to search for, in quotes.

They are honest but simple. They search the site for the quoted words; if no link on the result page has all of them, they say that it
is not there. That solves `shop-no-samovar` of the suite `demo`, and little else.
"""

import json
import re


def quoted_words(intent: str) -> str:
    found = re.search(r"[“\"']([^”\"']+)[”\"']", intent)
    return found.group(1) if found else intent


def is_there(links: list[str], wanted: str) -> bool:
    words = wanted.lower().split()
    return any(all(word in link.lower() for word in words) for link in links)


def response(kind: str, found: bool) -> dict:
    return {
        "action": kind,
        "status": "SUCCESS" if found else "NOT_FOUND_ERROR",
        "results": None,
        "error_details": None if found else "The search finds nothing of the kind.",
    }


def answer(out_dir: str, kind: str, found: bool) -> None:
    with open(f"{out_dir}/answer.json", "w", encoding="utf-8") as file:
        json.dump(response(kind, found), file)
