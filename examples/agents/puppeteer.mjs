// An agent with Puppeteer, unmodified: `npm install puppeteer-core`, and as its browser the one Umpire has opened.
//
//     [agents.puppeteer]
//     kind = "command"
//     command = ["node", "examples/agents/puppeteer.mjs"]
//     env = { NODE_PATH = "/path/to/node_modules" }
//
// It searches the site for what the task has in quotes, and says whether it is there.

import { readFile, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";

const puppeteer = createRequire(import.meta.url)("puppeteer-core");

const task = JSON.parse(await readFile(process.env.UMPIRE_TASK_FILE, "utf8"));
const wanted = /[“"']([^”"']+)[”"']/.exec(task.intent)?.[1] ?? task.intent;

const browser = await puppeteer.connect({ browserURL: process.env.UMPIRE_CDP_URL, defaultViewport: null });
const [page] = await browser.pages();
const box = page.locator("input[type=search]");
await box.fill(wanted);
await Promise.all([page.waitForNavigation(), page.keyboard.press("Enter")]);
const links = await page.$$eval("a", links => links.map(link => link.textContent.toLowerCase()));
const found = links.some(link => wanted.toLowerCase().split(" ").every(word => link.includes(word)));
await browser.disconnect();

await writeFile(`${process.env.UMPIRE_OUT_DIR}/answer.json`, JSON.stringify({
    action: task.kind,
    status: found ? "SUCCESS" : "NOT_FOUND_ERROR",
    results: null,
    error_details: found ? null : "The search finds nothing of the kind.",
}));
