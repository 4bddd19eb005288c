"""An unmodified Python Playwright client: connects, reads, fills, clicks and follows a pop-up."""

import json
import os

from playwright.sync_api import sync_playwright

with sync_playwright() as playwright:
    browser = playwright.chromium.connect_over_cdp(os.environ["UMPIRE_CDP_URL"])
    context = browser.contexts[0]
    page = context.pages[0]
    heading = page.get_by_role("heading").text_content()
    page.get_by_label("Name").fill("Zoë")
    page.get_by_role("button", name="Greet").click()
    greeting = page.locator("#greeting").text_content()
    page.frame_locator("iframe").get_by_role("button", name="Agree").click()
    page.frame_locator("iframe").get_by_text("agreed").wait_for()
    with context.expect_page() as opened:
        page.get_by_role("link", name="More").click()
    opened.value.wait_for_load_state()
    more = opened.value.title()
    opened.value.close()
    page.goto("http://shop.localhost/second")
    second = page.title()
    page.go_back()
    fresh_context = browser.new_context()
    fresh = fresh_context.new_page()
    fresh.goto("http://shop.localhost/fresh")
    cookies = len(fresh_context.cookies())
    fresh_context.close()
    shot = len(page.screenshot()) > 1000
    print(json.dumps({
        "heading": heading, "greeting": greeting, "more": more, "second": second,
        "cookies": cookies, "shot": shot, "pages": len(context.pages),
    }))
    browser.close()
