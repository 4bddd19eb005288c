"""Usage: replay.py SECONDS

Does in the package's own Python environment what an agent did under Umpire, and tells the reward it gives.

Reads one episode a line: {"environment": …, "seed": …, "actions": [{"kind": …, "after_ms": …, …}, …]}, grouped by
environment. Writes one line for each: {"environment": …, "seed": …, "utterance": …, "raw": …, "done": …}.

The environment is made, reset and asked for its reward by the package's own code, and clicks, moves and keys are the
package's own actions. A choice in a native list has no action there, so Selenium's own does it.
"""

import json
import sys
import time

import gymnasium
import miniwob
from miniwob import selenium_actions as actions
from selenium.webdriver.support.select import Select

# Time for one episode.
SECONDS = int(sys.argv[1])
# The letters Umpire and the package call keys by.
KEYS = {"Enter": "<Enter>", "Tab": "<Tab>", "ArrowUp": "<ArrowUp>", "ArrowDown": "<ArrowDown>"}


def perform(driver, action):
    kind, x, y = action["kind"], action.get("x"), action.get("y")
    if kind == "click":
        actions.execute_click_coords(x, y, driver)
    elif kind == "hover":
        actions.execute_move_coords(x, y, driver)
    elif kind == "press":
        actions.execute_press_key(KEYS.get(action["text"], action["text"]), driver)
    elif kind == "type":
        actions.execute_click_coords(x, y, driver)
        field = driver.execute_script("return document.activeElement && document.activeElement.type")
        if field in ("date", "time"):
            # The click lands on any of its parts; keys go to the first one first.
            for _ in range(3):
                actions.execute_press_key("<ArrowLeft>", driver)
        else:
            actions.execute_press_key("C-a", driver)
        actions.execute_type_text(as_keys(field, action["text"]), driver)
    elif kind == "select":
        element = driver.execute_script("return document.elementFromPoint(arguments[0], arguments[1])", x, y)
        if element.tag_name == "option":
            element = element.find_element("xpath", "..")
        Select(element).select_by_visible_text(action["text"])


def as_keys(field, text):
    """Date and time fields take keys part by part, in the order the locale shows them."""
    if field == "date":
        year, month, day = text.split("-")
        return month + day + year
    if field == "time":
        hours, minutes = (int(part) for part in text.split(":"))
        return f"{(hours + 11) % 12 + 1:02}{minutes:02}{'PM' if hours >= 12 else 'AM'}"
    return text


def replay(env, episode):
    env.unwrapped.instance.driver.execute_script("core.EPISODE_MAX_TIME = arguments[0]", SECONDS * 1000)
    _, info = env.reset(seed=episode["seed"], options={"record_screenshots": False})
    instance = env.unwrapped.instance
    utterance = instance.driver.execute_script("return core.getUtterance()")
    if isinstance(utterance, dict):
        utterance = utterance["utterance"]
    for action in episode["actions"]:
        if instance.get_metadata()["done"]:
            break
        # Pages with animations need the time they had.
        time.sleep(action["after_ms"] / 1000)
        perform(instance.driver, action)
    for _ in range(20):
        info = instance.get_metadata()
        if info["done"]:
            break
        time.sleep(0.05)
    return {"utterance": utterance, "raw": info["raw_reward"], "done": info["done"]}


def main():
    gymnasium.register_envs(miniwob)
    env, name = None, None
    for line in sys.stdin:
        episode = json.loads(line)
        if episode["environment"] != name:
            if env:
                env.close()
            name = episode["environment"]
            env = gymnasium.make(f"miniwob/{name}-v1", disable_env_checker=True)
        told = {"environment": name, "seed": episode["seed"]}
        try:
            told |= replay(env, episode)
        except Exception as error:  # noqa: BLE001  whatever it is, it is told
            told |= {"error": f"{type(error).__name__}: {error}".splitlines()[0]}
        print(json.dumps(told), flush=True)
    if env:
        env.close()


main()
