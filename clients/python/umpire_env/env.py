"""One attempt after the other, as an environment."""

from .connection import StepsConnection, UmpireError
from .observation import observation

try:
    import gymnasium

    from .spaces import Words, observation_space

    Base = gymnasium.Env
except ImportError:
    gymnasium, Base = None, object


class UmpireEnv(Base):
    """An environment whose episodes are attempts at the instances of a suite.

    Without a `url`, it starts `umpire steps` for itself. `screenshot` is "plain", "marks" or "none". Further keywords are flags of
    `umpire steps`: `UmpireEnv("demo", filter="site=shop", trials=10, actions=30)`.
    """

    metadata = {"render_modes": ["rgb_array"], "render_fps": 1}

    def __init__(self, suite=None, *, url=None, umpire="umpire", screenshot="plain", render_mode=None, **flags):
        if (suite is None) == (url is None):
            raise ValueError("name a suite, or the url of `umpire steps`")
        if url is None:
            arguments = [f"--{name.replace('_', '-')}={value}" for name, value in flags.items()]
            self._connection = StepsConnection.start(["--suite", suite, *arguments], umpire)
        else:
            self._connection = StepsConnection(url)
        self._screenshot = screenshot
        self._session = None
        self._last = None
        self.render_mode = render_mode
        if gymnasium is not None:
            self.observation_space = observation_space()
            self.action_space = Words("noop(0)")

    def reset(self, *, seed=None, options=None):
        """Begins an attempt: at `options["instance"]` (and `["trial"]`), at one drawn by the seed, or at the next that is left.

        Where `models` were named, `info["models"]` has the addresses and the key to ask them with.
        """
        if gymnasium is not None:
            super().reset(seed=seed)
        self._leave()
        options = options or {}
        asked = {"seed": seed, "instance": options.get("instance"), "trial": options.get("trial")}
        asked = {name: value for name, value in asked.items() if value is not None}
        answer = self._connection.post("/reset", {**asked, "screenshot": self._screenshot})
        if answer["observation"] is None:
            raise UmpireError(f"{answer['attempt']} could not begin: {answer['outcome']}, {answer['reason']}")
        self._session = None if answer["done"] else answer["session"]
        return self._seen(answer), {**self._info(answer), "models": answer.get("models") or {}}

    def step(self, action):
        """Acts: in BrowserGym's words (`click('12')`) or in Umpire's (`click [12]`)."""
        if self._session is None:
            raise UmpireError("no attempt is under way; call reset first")
        body = {"session": self._session, "action": action, "screenshot": self._screenshot}
        answer = self._connection.post("/step", body)
        if answer["done"]:
            self._connection.post("/close", {"session": self._session})
            self._session = None
        reward = float(answer["reward"] or 0.0)
        return self._seen(answer), reward, answer["terminated"], answer["truncated"], self._info(answer)

    def search_history(self, query, reason=None):
        """Entries of the user's history that are like the query, best first. It spends no step, but may be asked a few
        times only; a task that is nobody's has none."""
        body = {"session": self._session, "query": query, "reason": reason}
        return self._connection.post("/history", body)["entries"]

    def render(self):
        return None if self._last is None else self._last["screenshot"]

    def close(self):
        """Gives up what is under way and ends the server that was started."""
        try:
            self._leave()
        finally:
            self._connection.close()

    def _leave(self):
        session, self._session = self._session, None
        if session is not None:
            self._connection.post("/close", {"session": session})

    def _seen(self, answer):
        self._last = observation(answer["observation"])
        return self._last

    def _info(self, answer):
        return {name: answer[name] for name in ("attempt", "instance", "trial", "outcome", "reason")}

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()
