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


# A point of the element that has this place, or nothing. Something else may lie over its middle.
POINT = """
const [x, y, width, height] = arguments;
const near = (a, b) => Math.abs(a - b) < 2;
for (const across of [0.5, 0.25, 0.75, 0.1, 0.9]) {
  for (const down of [0.5, 0.25, 0.75, 0.1, 0.9]) {
    const point = [x + width * across, y + height * down];
    for (let element = document.elementFromPoint(...point); element; element = element.parentElement) {
      for (const box of element.getClientRects()) {
        if (near(box.x, x) && near(box.y, y) && near(box.width, width) && near(box.height, height)) return point;
      }
    }
  }
}
return null;
"""
# The middle of the visible element of this size that is nearest to where one was, or nothing. What was clicked while it
# moved is elsewhere once it rests.
NEAREST = """
const [x, y, width, height] = arguments;
const near = (a, b) => Math.abs(a - b) < 2;
const boxes = [...document.querySelectorAll('*')].flatMap((element) => [...element.getClientRects()]);
const alike = boxes.filter((box) => near(box.x, x) && near(box.width, width) && near(box.height, height));
alike.sort((a, b) => Math.abs(a.y - y) - Math.abs(b.y - y));
return alike.length ? [alike[0].x + width / 2, alike[0].y + height / 2] : null;
"""
# A page that moves its elements about needs so long at most.
PATIENCE = 2


def point_of(driver, action):
    if "width" not in action:
        return None, None
    place = [action[name] for name in ("x", "y", "width", "height")]
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        point = driver.execute_script(POINT, *place)
        if point:
            return point
        time.sleep(0.05)
    middle = place[0] + place[2] / 2, place[1] + place[3] / 2
    return driver.execute_script(NEAREST, *place) or middle


def perform(driver, action):
    kind = action["kind"]
    x, y = point_of(driver, action)
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


def made(name):
    """The environment; a busy machine may not show its page in the package's five seconds."""
    for _ in range(2):
        try:
            return gymnasium.make(f"miniwob/{name}-v1", disable_env_checker=True)
        except Exception:  # noqa: BLE001  the last try tells
            time.sleep(2)
    return gymnasium.make(f"miniwob/{name}-v1", disable_env_checker=True)


def main():
    gymnasium.register_envs(miniwob)
    env, name = None, None
    for line in sys.stdin:
        episode = json.loads(line)
        if episode["environment"] != name:
            if env:
                env.close()
            env, name = None, episode["environment"]
        told = {"environment": name, "seed": episode["seed"]}
        try:
            env = env or made(name)
            told |= replay(env, episode)
        except Exception as error:  # noqa: BLE001  whatever it is, it is told
            told |= {"error": f"{type(error).__name__}: {error}".splitlines()[0]}
        print(json.dumps(told), flush=True)
    if env:
        env.close()


main()
