"""A first agent: opens pages over CDP and answers from what it reads. Python's standard library only.

UMPIRE_TASK_FILE  the task, as JSON        UMPIRE_CDP_WS  the browser, as a WebSocket address
UMPIRE_OUT_DIR    write answer.json here   UMPIRE_CDP_URL the same browser, for Playwright and Puppeteer
"""

import base64
import json
import os
import re
import socket
import struct
from urllib.parse import urlsplit


class Browser:
    """The few lines of WebSocket and CDP that this agent needs."""

    def __init__(self, address):
        url = urlsplit(address)
        self.socket = socket.create_connection((url.hostname, url.port), timeout=30)
        key = base64.b64encode(os.urandom(16)).decode()
        self.socket.sendall(
            f"GET {url.path} HTTP/1.1\r\nHost: {url.netloc}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n".encode()
        )
        self.stream = self.socket.makefile("rb")
        if b"101" not in self.stream.readline():
            raise RuntimeError("the browser did not accept the connection")
        while self.stream.readline().strip():
            pass
        self.calls = 0

    def send(self, text):
        payload = text.encode()
        mask = os.urandom(4)
        size = len(payload)
        head = struct.pack("!BB", 0x81, 0x80 | size) if size < 126 else struct.pack("!BBH", 0x81, 0x80 | 126, size)
        self.socket.sendall(head + mask + bytes(byte ^ mask[i % 4] for i, byte in enumerate(payload)))

    def receive(self):
        message = b""
        while True:
            first, second = self.stream.read(2)
            size = second & 0x7F
            if size == 126:
                (size,) = struct.unpack("!H", self.stream.read(2))
            elif size == 127:
                (size,) = struct.unpack("!Q", self.stream.read(8))
            part = self.stream.read(size)
            if first & 0x0F in (0, 1):
                message += part
                if first & 0x80:
                    return json.loads(message)

    def call(self, method, session=None, **params):
        self.calls += 1
        request = {"id": self.calls, "method": method, "params": params}
        if session:
            request["sessionId"] = session
        self.send(json.dumps(request))
        while True:
            reply = self.receive()
            if reply.get("id") == self.calls:
                if "error" in reply:
                    raise RuntimeError(f"{method}: {reply['error']['message']}")
                return reply["result"]


def main():
    with open(os.environ["UMPIRE_TASK_FILE"], encoding="utf-8") as file:
        task = json.load(file)
    browser = Browser(os.environ["UMPIRE_CDP_WS"])
    pages = [t for t in browser.call("Target.getTargets")["targetInfos"] if t["type"] == "page"]
    session = browser.call("Target.attachToTarget", targetId=pages[0]["targetId"], flatten=True)["sessionId"]
    read = browser.call(
        "Runtime.evaluate", session, expression="document.querySelector('main').innerText", returnByValue=True, awaitPromise=True
    )
    text = read["result"]["value"]
    # The start page is already open. This agent looks for a price and gives up on everything else.
    price = re.search(r"[$€£]\s?\d[\d,]*(?:\.\d\d)?", text)
    found = task["kind"] == "retrieve" and price is not None
    answer = {
        "action": task["kind"],
        "status": "SUCCESS" if found else "UNKNOWN_ERROR",
        "results": [price.group()] if found else None,
        "error_details": None if found else "this agent can only read a price from the start page",
    }
    with open(os.path.join(os.environ["UMPIRE_OUT_DIR"], "answer.json"), "w", encoding="utf-8") as file:
        json.dump(answer, file)


if __name__ == "__main__":
    main()
