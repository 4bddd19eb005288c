"""An OpenAI-compatible server that plays a model by script: it searches for the samovar, finds none, and says so.

It listens on the port named, and reads what browser-use sends: the elements of the page are numbered there.
"""

import json
import re
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


def text_of(message: dict) -> str:
    content = message.get("content") or ""
    return content if isinstance(content, str) else "\n".join(part.get("text", "") for part in content)


def actions(page: str) -> list[dict]:
    if "/search?q=copper" in page:
        response = {"action": "mutate", "status": "NOT_FOUND_ERROR", "results": None, "error_details": "none"}
        return [{"done": {"text": json.dumps(response), "success": True, "files_to_display": []}}]
    box = re.search(r"\[(\d+)\]<input[^>]*search", page)
    if not box:
        return [{"wait": {"seconds": 1}}]
    return [
        {"input": {"index": int(box.group(1)), "text": "copper samovar", "clear": True}},
        {"send_keys": {"keys": "Enter"}},
    ]


class Model(BaseHTTPRequestHandler):
    def do_POST(self):
        asked = json.loads(self.rfile.read(int(self.headers["content-length"])))
        page = "\n".join(text_of(message) for message in asked["messages"] if message["role"] == "user")
        reply = {
            "thinking": "a script",
            "evaluation_previous_goal": "fine",
            "memory": "nothing",
            "next_goal": "search",
            "action": actions(page),
        }
        # About as many as a real one would count.
        read, written = len(page) // 4, len(json.dumps(reply)) // 4
        answer = {
            "id": "1",
            "object": "chat.completion",
            "created": 0,
            "model": asked["model"],
            "choices": [
                {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": json.dumps(reply)}}
            ],
            "usage": {"prompt_tokens": read, "completion_tokens": written, "total_tokens": read + written},
        }
        body = json.dumps(answer).encode()
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Model).serve_forever()
