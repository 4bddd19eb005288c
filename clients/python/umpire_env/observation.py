"""From what the step API shows to the observation that agents made for BrowserGym expect."""

import base64
import io

try:
    import numpy
    from PIL import Image
except ImportError:
    numpy = None


def picture(encoded):
    """The screenshot as rows of RGB pixels, or as JPEG where numpy or pillow is missing."""
    if encoded is None:
        return None
    data = base64.b64decode(encoded)
    if numpy is None:
        return data
    return numpy.array(Image.open(io.BytesIO(data)).convert("RGB"))


def number(value, kind):
    """A number in the one-element array that BrowserGym puts it in."""
    return value if numpy is None else numpy.array([value], dtype=kind)


def observation(seen):
    goal = seen["goal"]
    focused = [element for element in seen["elements"] if element.get("focused")]
    return {
        "chat_messages": ({"role": "user", "timestamp": 0.0, "message": goal},),
        "goal": goal,
        "goal_object": ({"type": "text", "text": goal},),
        "open_pages_urls": tuple(tab["url"] for tab in seen["tabs"]),
        "open_pages_titles": tuple(tab["title"] for tab in seen["tabs"]),
        "active_page_index": number(seen["active_tab"] or 0, "int64"),
        "url": seen["url"],
        "screenshot": picture(seen["screenshot"]),
        "axtree_txt": seen["axtree_txt"],
        "extra_element_properties": {
            str(element["mark"]): {
                "visibility": 1.0 if element["visible"] else 0.0,
                "bbox": [element["rect"][side] for side in ("x", "y", "width", "height")],
                "clickable": True,
                "set_of_marks": element["visible"],
            }
            for element in seen["elements"]
        },
        "elements": tuple(seen["elements"]),
        "focused_element_bid": str(focused[0]["mark"]) if focused else "",
        "last_action": seen["last_action"],
        "last_action_error": seen["last_action_error"],
        # Of a page that has just been opened, no time is told: the same seed shows the same.
        "elapsed_time": number(seen["elapsed"] if seen["step"] > 1 else 0.0, "float32"),
    }
