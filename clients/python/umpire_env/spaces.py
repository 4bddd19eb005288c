"""Spaces of things that have no shape: texts, and whatever JSON can hold."""

import gymnasium
import numpy


class Words(gymnasium.Space):
    """Any text. What is drawn from it is an action that does nothing."""

    def __init__(self, drawn=""):
        super().__init__(dtype=numpy.str_)
        self._drawn = drawn

    def sample(self, mask=None, probability=None):
        return self._drawn

    def contains(self, x):
        return isinstance(x, str)

    def __eq__(self, other):
        return isinstance(other, Words)


class Anything(gymnasium.Space):
    """Values of these types, whatever is in them."""

    def __init__(self, *types):
        super().__init__()
        self._types = types

    def sample(self, mask=None, probability=None):
        return self._types[0]()

    def contains(self, x):
        return isinstance(x, self._types)

    def __eq__(self, other):
        return isinstance(other, Anything) and other._types == self._types


def observation_space():
    texts = ["goal", "url", "axtree_txt", "focused_element_bid", "last_action", "last_action_error"]
    lists = ["chat_messages", "goal_object", "open_pages_urls", "open_pages_titles", "elements"]
    return gymnasium.spaces.Dict(
        {
            **{name: Words() for name in texts},
            **{name: Anything(tuple) for name in lists},
            "extra_element_properties": Anything(dict),
            "active_page_index": gymnasium.spaces.Box(0, 255, (1,), dtype=numpy.int64),
            "elapsed_time": gymnasium.spaces.Box(0, numpy.inf, (1,), dtype=numpy.float32),
            "screenshot": Anything(numpy.ndarray, bytes, type(None)),
        }
    )
