"""Usage: both_gyms.py UMPIRE CHROMIUM PAGES SUITE SEEDS ENVIRONMENT…

One agent, written for BrowserGym, in BrowserGym's own environment of MiniWoB++ and in Umpire's: the same goals, the same
rewards? Prints a line for each episode: {"environment": …, "seed": …, "goal": [theirs, ours], "reward": […], "done": […]}.

The agent is right on even seeds and wrong on odd ones, where a page has something wrong to offer, so that both rewards occur.
BrowserGym draws the number that a page is begun with from its seed; the suite's instances are given the same numbers.
"""

import functools
import http.server
import json
import os
import re
import sys
import threading
from pathlib import Path

import gymnasium
import numpy
from browsergym.utils.obs import flatten_axtree_to_str
from playwright.sync_api import BrowserType
from umpire_env import UmpireEnv

umpire, chromium, pages, suite = sys.argv[1:5]
seeds, environments = int(sys.argv[5]), sys.argv[6:]


class Agent:
    """Decides by the goal's words, from an accessibility tree in BrowserGym's text form."""

    def __init__(self, is_right):
        self.is_right = is_right

    def actions(self, goal, tree):
        elements = re.findall(r"\[(\w+)\] (\w+) '((?:[^'\\]|\\.)*)'", tree)
        quoted = re.findall(r'"([^"]*)"', goal)

        def named(name, *roles):
            fits = [bid for bid, role, label in elements if role in roles and (label == name) == self.is_right]
            return fits[0] if fits else next(bid for bid, role, _ in elements if role in roles)

        def fields():
            return [bid for bid, role, _ in elements if role in ("textbox", "searchbox")]

        def submit():
            return next(bid for bid, role, label in elements if role == "button" and label in ("Submit", "Login"))

        wrong = "" if self.is_right else "x"
        if goal.startswith("Click button ONE"):
            return [f"click({named('ONE', 'button')!r})"]
        if goal.startswith("Click the button"):
            return [f"click({named('Click Me!', 'button')!r})"]
        if goal.startswith("Click on the"):
            return [f"click({named(quoted[0], 'button')!r})"]
        if goal.startswith("Focus into"):
            return [f"focus({fields()[0]!r})"]
        if goal.startswith("Enter the username"):
            user, password = fields()
            return [f"fill({user!r}, {quoted[0] + wrong!r})", f"fill({password!r}, {quoted[1]!r})", f"click({submit()!r})"]
        if goal.startswith("Enter the password"):
            first, second = fields()
            return [f"fill({first!r}, {quoted[0]!r})", f"fill({second!r}, {quoted[0] + wrong!r})", f"click({submit()!r})"]
        if goal.startswith("Enter "):
            return [f"fill({fields()[0]!r}, {quoted[0] + wrong!r})", f"click({submit()!r})"]
        chosen = re.match(r"Select (.+?) (?:from the list )?and click Submit", goal)
        if chosen and any(role == "combobox" for _, role, _ in elements):
            box = next(bid for bid, role, _ in elements if role == "combobox")
            choice = [] if not self.is_right else [f"select_option({box!r}, {chosen.group(1)!r})"]
            return [*choice, f"click({submit()!r})"]
        if chosen:
            return [f"click({named(chosen.group(1), 'radio')!r})", f"click({submit()!r})"]
        raise ValueError(f"the agent does not know what to do: {goal}")


def play(env, tree_of, agent, **reset):
    """The goal, the reward and whether it was over, of one episode."""
    obs, _ = env.reset(**reset)
    goal, tree = obs["goal"], tree_of(obs)
    reward, done = 0.0, False
    for action in agent.actions(goal, tree):
        obs, reward, terminated, truncated, _ = env.step(action)
        if obs["last_action_error"]:
            raise RuntimeError(f"{action}: {obs['last_action_error']}")
        done = terminated or truncated
        if done:
            break
    return goal, reward, done


def use_installed_chromium():
    """BrowserGym opens a second browser for its chat, whose program cannot be chosen otherwise."""
    launch = BrowserType.launch

    def launch_installed(self, **options):
        options["args"] = [*(options.get("args") or []), "--no-sandbox"]
        return launch(self, executable_path=chromium, **options)

    BrowserType.launch = launch_installed


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


def serve_pages():
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=pages))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    os.environ["MINIWOB_URL"] = f"http://127.0.0.1:{server.server_port}/miniwob/"


def give_the_same_numbers():
    """Begins the suite's pages with what BrowserGym draws from the seed in their names."""
    file = Path(suite) / "tasks.jsonl"
    tasks = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    for task in tasks:
        for name, state in task["states"].items():
            seed = int(name.removeprefix("seed-"))
            state["world"]["miniwob"]["seed"] = int(numpy.random.RandomState(seed).randint(0, 1000000))
    file.write_text("".join(json.dumps(task) + "\n" for task in tasks), encoding="utf-8")


use_installed_chromium()
serve_pages()
give_the_same_numbers()

import browsergym.miniwob  # noqa: E402, F401  which wants to know the address of the pages

chosen = " or ".join(f"task={name}" for name in environments)
width = len(str(seeds - 1))
with UmpireEnv(suite, umpire=umpire, filter=chosen, screenshot="none", seconds=120) as ours:
    for name in environments:
        theirs = gymnasium.make(f"browsergym/miniwob.{name}", disable_env_checker=True)
        for seed in range(seeds):
            told = {"environment": name, "seed": seed}
            agent = Agent(is_right=seed % 2 == 0)
            try:
                instance = {"instance": f"{name}@seed-{seed:0{width}}"}
                there = play(theirs, lambda obs: flatten_axtree_to_str(obs["axtree_object"]), agent, seed=seed)
                here = play(ours, lambda obs: obs["axtree_txt"], agent, options=instance)
                told |= {key: pair for key, *pair in zip(("goal", "reward", "done"), there, here)}
            except Exception as error:  # noqa: BLE001  whatever it is, it is told
                told |= {"error": f"{type(error).__name__}: {error}".splitlines()[0]}
            print(json.dumps(told), flush=True)
        theirs.close()
