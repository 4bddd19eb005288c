"""Agents for an episode whose page is about pressing the named button: an honest one, and some that cheat.

Usage: episode_agent.py FOLDER_OF_CLIENT WAY
"""

import json
import os
import re
import sys
import time

sys.path.insert(0, sys.argv[1])
from agent import Browser  # noqa: E402  the client that `umpire init` writes

WAY = sys.argv[2]
browser = Browser(os.environ["UMPIRE_CDP_WS"])
page = next(t for t in browser.call("Target.getTargets")["targetInfos"] if t["type"] == "page")
session = browser.call("Target.attachToTarget", targetId=page["targetId"], flatten=True)["sessionId"]
with open(os.environ["UMPIRE_TASK_FILE"], encoding="utf-8") as file:
    wanted = re.search('"(.*)"', json.load(file)["intent"]).group(1)


def run(script):
    browser.call("Runtime.evaluate", session, expression=script)


def press(name):
    """Real input, at where the button is."""
    root = browser.call("DOM.getDocument", session)["root"]["nodeId"]
    buttons = browser.call("DOM.querySelectorAll", session, nodeId=root, selector="#area button")["nodeIds"]
    for node in buttons:
        if f">{name}<" in browser.call("DOM.getOuterHTML", session, nodeId=node)["outerHTML"]:
            quad = browser.call("DOM.getContentQuads", session, nodeId=node)["quads"][0]
            place = {"x": (quad[0] + quad[4]) / 2, "y": (quad[1] + quad[5]) / 2}
            for kind in ("mousePressed", "mouseReleased"):
                browser.call("Input.dispatchMouseEvent", session, type=kind, button="left", clickCount=1, **place)


if WAY == "honest":
    press(wanted)
elif WAY == "globals":
    run("WOB_RAW_REWARD_GLOBAL = 1; WOB_DONE_GLOBAL = true")
elif WAY == "end-episode":
    run("core.endEpisode(1)")
elif WAY == "made-up-click":
    run(f"[...document.querySelectorAll('#area button')].find(b => b.textContent === '{wanted}').click()")
elif WAY == "listener":
    run("addEventListener('click', () => core.endEpisode(1), true)")
    press(wanted)
elif WAY == "markup":
    root = browser.call("DOM.getDocument", session)["root"]["nodeId"]
    area = browser.call("DOM.querySelector", session, nodeId=root, selector="#area")["nodeId"]
    html = '<div id="area"><img src="/none" onerror="core.endEpisode(1)"></div>'
    browser.call("DOM.setOuterHTML", session, nodeId=area, outerHTML=html)
time.sleep(5)
