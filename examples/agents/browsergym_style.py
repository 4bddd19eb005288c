"""An agent in BrowserGym's manner: it reads `axtree_txt` and writes calls such as `fill('12', 'lamp')`.

    pip install clients/python gymnasium numpy pillow
    python examples/agents/browsergym_style.py demo shop-no-samovar      # starts `umpire steps` by itself

As an agent of `umpire run` (`interface = "steps"`) it finds its attempt at UMPIRE_STEP_URL.
"""

import os
import re
import sys

from searching import is_there, quoted_words
from umpire_env import UmpireEnv


class SearchingAgent:
    """Decides from an observation, as agents of BrowserGym do."""

    def __init__(self):
        self.has_searched = False

    def get_action(self, obs: dict) -> str:
        wanted = quoted_words(obs["goal"])
        if not self.has_searched:
            self.has_searched = True
            box = re.search(r"\[(\d+)\] (?:searchbox|textbox) ", obs["axtree_txt"])
            if box:
                return f"fill({box.group(1)!r}, {wanted!r})\nkeyboard_press('Enter')"
        links = re.findall(r"\] link '([^'\n]*)'", obs["axtree_txt"])
        if is_there(links, wanted):
            return "send_msg_to_user('It is there.')"
        return "report_infeasible('The search finds nothing of the kind.')"


def main() -> None:
    url = os.environ.get("UMPIRE_STEP_URL")
    suite, instance = (None, None) if url else sys.argv[1:3]
    with UmpireEnv(suite, url=url) as env:
        agent = SearchingAgent()
        obs, info = env.reset(options={"instance": instance})
        print(f"{info['attempt']}: {obs['goal']}")
        done = False
        while not done:
            action = agent.get_action(obs)
            print(action)
            obs, reward, terminated, truncated, info = env.step(action)
            done = terminated or truncated
        print(f"reward {reward}, outcome {info['outcome']}")


if __name__ == "__main__":
    main()
