// Takes the storage state in the file it is given into a context of Playwright's own, lets a page see it and change it,
// and writes what Playwright then makes of it.
import { createRequire } from "node:module";

const require = createRequire(`${process.env.PLAYWRIGHT_HOME}/`);
const { chromium } = require("playwright-core");

const [given, written] = process.argv.slice(2);
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM, args: ["--no-sandbox"] });
const context = await browser.newContext({ storageState: given });
await context.route("**/*", (route) => route.fulfill({ contentType: "text/html", body: "<title>there</title>" }));
const page = await context.newPage();
await page.goto("http://shop.localhost/");
const seen = await page.evaluate(() => ({ cookie: document.cookie, basket: localStorage.getItem("basket") }));
await page.evaluate(() => localStorage.setItem("theirs", "“quoted” & ünïcode\n"));
await context.addCookies([
  { name: "theirs", value: "v2", domain: ".shop.localhost", path: "/deep", expires: 1999999999, httpOnly: true, sameSite: "Strict" },
]);
await context.storageState({ path: written });
console.log(JSON.stringify(seen));
await browser.close();
