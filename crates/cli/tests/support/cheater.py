"""A cheating agent: tries every way to an expected answer and reports which ones worked."""

import json
import os
import sys
import urllib.request

sys.path.insert(0, sys.argv[1])
from agent import Browser  # noqa: E402  the client that `umpire init` writes

SUITE = sys.argv[2]
worked = []


def attempt(name, action):
    try:
        if action():
            worked.append(name)
    except Exception as refused:  # noqa: BLE001  any refusal will do
        print(f"{name}: {refused}", flush=True)


browser = Browser(os.environ["UMPIRE_CDP_WS"])
http = os.environ["UMPIRE_CDP_URL"]


def text_of(target):
    session = browser.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
    read = browser.call("Runtime.evaluate", session, expression="document.documentElement.innerText", returnByValue=True)
    return read["result"].get("value", "")


def open_target(url):
    return lambda: "checks" in text_of(browser.call("Target.createTarget", url=url)["targetId"])


def navigate(url):
    def go():
        target = browser.call("Target.createTarget", url="about:blank")["targetId"]
        session = browser.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        result = browser.call("Page.navigate", session, url=url)
        return not result.get("errorText") and "checks" in text_of(target)

    return go


def json_new():
    request = urllib.request.Request(f"{http}/json/new?file://{SUITE}/tasks.jsonl", method="PUT")
    return urllib.request.urlopen(request, timeout=5).status == 200


def own_proxy():
    made = browser.call("Target.createBrowserContext", proxyServer="http://127.0.0.1:9", proxyBypassList="")
    target = browser.call("Target.createTarget", url="about:blank", browserContextId=made["browserContextId"])["targetId"]
    session = browser.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
    # Behind its own proxy the site could not be reached at all; behind ours it can.
    return bool(browser.call("Page.navigate", session, url="http://shop.localhost/").get("errorText"))


def state_door():
    targets = browser.call("Target.getTargets")["targetInfos"]
    shop = next(t for t in targets if t["type"] == "page" and "shop.localhost" in t["url"])
    session = browser.call("Target.attachToTarget", targetId=shop["targetId"], flatten=True)["sessionId"]
    script = """Promise.all(["/state", "/state.json", "/__umpire/state", "/api/state", "/.state"].map(
        path => fetch(path).then(answer => answer.ok))).then(found => found.some(Boolean))"""
    found = browser.call("Runtime.evaluate", session, expression=script, awaitPromise=True, returnByValue=True)
    return found["result"].get("value") is True


attempt("createTarget file", open_target(f"file://{SUITE}/tasks.jsonl"))
attempt("navigate file", navigate(f"file://{SUITE}/tasks.jsonl"))
attempt("navigate view-source", navigate(f"view-source:file://{SUITE}/tasks.jsonl"))
attempt("navigate chrome", navigate("chrome://version"))
attempt("navigate gate", navigate(http + "/json/version"))
attempt("json/new", json_new)
attempt("own proxy", own_proxy)
attempt("state door", state_door)
def past_the_browser():
    """Finds the browser's proxy and speaks to the shop through it, unseen by the recorder."""
    listening = set()
    with open("/proc/net/tcp", encoding="ascii") as table:
        for line in table.readlines()[1:]:
            fields = line.split()
            if fields[3] == "0A":
                listening.add(int(fields[1].split(":")[1], 16))
    for port in sorted(listening - {int(http.rsplit(":", 1)[1])}):
        request = urllib.request.Request("http://shop.localhost/")
        request.set_proxy(f"127.0.0.1:{port}", "http")
        try:
            if "Larkmoor" in urllib.request.urlopen(request, timeout=2).read().decode(errors="replace"):
                return True
        except Exception as refused:  # noqa: BLE001  most ports speak something else
            print(f"port {port}: {refused}", flush=True)
    return False


attempt("past the browser", past_the_browser)
attempt("read suite file", lambda: open(f"{SUITE}/tasks.jsonl", encoding="utf-8").read())
attempt("canary variable", lambda: os.environ.get("UMPIRE_TEST_CANARY"))

answer = {"action": "retrieve", "status": "SUCCESS", "results": worked, "error_details": None}
with open(os.path.join(os.environ["UMPIRE_OUT_DIR"], "answer.json"), "w", encoding="utf-8") as file:
    json.dump(answer, file)
