"""The Python package against the real gymnasium: its checker, an episode that passes, and rewards of pages with seeds."""

import re
import sys
import warnings

import gymnasium
import numpy
from gymnasium.utils.env_checker import check_env

from browsergym_style import SearchingAgent
from umpire_env import UmpireEnv, UmpireError

umpire, miniwob = sys.argv[1:]


class Timeless(UmpireEnv):
    """Without what differs by its nature, of which the checker knows nothing: the time, and the number of the trial."""

    def _seen(self, answer):
        return {**super()._seen(answer), "elapsed_time": numpy.zeros(1, dtype=numpy.float32)}

    def _info(self, answer):
        return {"outcome": super()._info(answer)["outcome"]}


def checked() -> None:
    with Timeless("demo", umpire=umpire, filter="id=hub-password-age", trials=20) as env:
        assert isinstance(env, gymnasium.Env)
        with warnings.catch_warnings():
            # What has no shape has no bounds either, of which the checker warns.
            warnings.simplefilter("ignore")
            check_env(env, skip_render_check=True, skip_close_check=True)
        obs, _ = env.reset()
        assert obs["screenshot"].shape == (1024, 1280, 3), obs["screenshot"].shape
        obs, _, _, _, _ = env.step("fly('home')")
        assert obs["last_action_error"] == "there is no action `fly` here", obs["last_action_error"]


def solved() -> None:
    with UmpireEnv("demo", umpire=umpire, filter="id=shop-no-samovar") as env:
        agent, done = SearchingAgent(), False
        obs, info = env.reset(options={"instance": "shop-no-samovar"})
        while not done:
            obs, reward, terminated, truncated, info = env.step(agent.get_action(obs))
            done = terminated or truncated
        assert (reward, terminated, info["outcome"]) == (1.0, True, "pass"), (reward, info)
        try:
            env.reset(options={"instance": "nowhere"})
        except UmpireError as error:
            assert error.status == 404, error
        else:
            raise AssertionError("there is no such instance")


def rewarded() -> None:
    """The page rewards the button that its seed names, and no other."""
    with UmpireEnv(miniwob, umpire=umpire, filter="task=press-it", trials=2) as env:
        for seed in range(4):
            for is_right in (True, False):
                obs, _ = env.reset(options={"instance": f"press-it@seed-{seed}"})
                wanted = re.search(r'"(.+)"', obs["goal"]).group(1)
                buttons = dict(re.findall(r"\[(\d+)\] button '([^']*)'", obs["axtree_txt"]))
                choice = next(bid for bid, name in buttons.items() if (name == wanted) == is_right)
                _, reward, terminated, truncated, _ = env.step(f"click({choice!r})")
                assert (reward, terminated, truncated) == (float(is_right), True, False), (seed, is_right, reward)


for check in (checked, solved, rewarded):
    check()
    print(check.__name__)
