"""The same pages through browser-use's own extraction of the browser's state. Prints one JSON line.

Arguments: Chromium, proxy, times.
"""

import asyncio
import contextlib
import json
import logging
import os
import shutil
import sys
import tempfile
import time

os.environ.setdefault("ANONYMIZED_TELEMETRY", "false")
os.environ.setdefault("BROWSER_USE_LOGGING_LEVEL", "result")
logging.disable(logging.CRITICAL)

import psutil  # noqa: E402
from browser_use import BrowserProfile, BrowserSession  # noqa: E402
from browser_use.browser.profile import ProxySettings  # noqa: E402

PAGES = [
    "http://shop.localhost/",
    "http://forum.localhost/",
    "http://hub.localhost/",
    "http://encyclopedia.localhost/",
    "http://map.localhost/",
]


def end_all_with(folder: str) -> None:
    """Ends what has this folder among its arguments: a session that is killed leaves its browser behind."""
    found = [
        process
        for process in psutil.process_iter(["cmdline"])
        if any(folder in argument for argument in process.info["cmdline"] or [])
    ]
    ended = found + [child for process in found for child in process.children(recursive=True)]
    for process in ended:
        with contextlib.suppress(psutil.NoSuchProcess):
            process.kill()
    psutil.wait_procs(ended, timeout=10)


async def main(chromium: str, proxy: str, times: int) -> None:
    folder = tempfile.mkdtemp(prefix="umpire-peer-")
    profile = BrowserProfile(
        user_data_dir=folder,
        executable_path=chromium,
        headless=True,
        chromium_sandbox=os.geteuid() != 0,
        enable_default_extensions=False,
        proxy=ProxySettings(server=proxy, bypass="<-loopback>"),
        viewport={"width": 1280, "height": 1024},
        highlight_elements=True,
        # Its waits are not its extraction: none of them is measured.
        minimum_wait_page_load_time=0,
        wait_for_network_idle_page_load_time=0,
    )
    session = BrowserSession(browser_profile=profile)
    await session.start()
    found = {}
    for page in PAGES:
        await session.navigate_to(page)
        await asyncio.sleep(1)
        wall = []
        for _ in range(times):
            started = time.perf_counter()
            state = await session.get_browser_state_summary(include_screenshot=True)
            wall.append((time.perf_counter() - started) * 1000)
            assert state.url == page and state.screenshot, state.url
            assert state.dom_state.selector_map, "no element was found"
        found[page] = {"wall_ms": sorted(wall)[len(wall) // 2]}
    await session.kill()
    end_all_with(folder)
    shutil.rmtree(folder, ignore_errors=True)
    print(json.dumps(found))


asyncio.run(main(sys.argv[1], sys.argv[2], int(sys.argv[3])))
