"""An agent with Selenium, unmodified: it attaches to the browser that Umpire has opened.

    pip install selenium          # and a chromedriver of the same version as the Chromium: Debian's `chromium-driver`

    [agents.selenium]
    kind = "command"
    command = ["/path/to/venv/bin/python", "examples/agents/selenium_python.py"]
"""

import json
import os
import random
import shutil
from pathlib import Path
from urllib.parse import urlsplit

from searching import answer, is_there, quoted_words
from selenium import webdriver
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support import expected_conditions as expected
from selenium.webdriver.support.wait import WebDriverWait


def main() -> None:
    task = json.loads(Path(os.environ["UMPIRE_TASK_FILE"]).read_text(encoding="utf-8"))
    wanted = quoted_words(task["intent"])
    options = webdriver.ChromeOptions()
    options.debugger_address = urlsplit(os.environ["UMPIRE_CDP_URL"]).netloc
    # A confined agent cannot reach the ports that are handed out by chance, so the driver is given one.
    service = webdriver.ChromeService(shutil.which("chromedriver"), port=random.randrange(10_000, 30_000))
    driver = webdriver.Chrome(options, service)
    try:
        box = driver.find_element(By.CSS_SELECTOR, "input[type=search]")
        box.send_keys(wanted, Keys.ENTER)
        WebDriverWait(driver, 20).until(expected.staleness_of(box))
        links = [link.text for link in driver.find_elements(By.TAG_NAME, "a")]
    finally:
        driver.quit()
    answer(os.environ["UMPIRE_OUT_DIR"], task["kind"], is_there(links, wanted))


if __name__ == "__main__":
    main()
