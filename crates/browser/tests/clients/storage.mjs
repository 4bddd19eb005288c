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
const seen = await page.evaluate(async () => {
  const answered = (request) => new Promise((yes, no) => { request.onsuccess = () => yes(request.result); request.onerror = no; });
  const db = await answered(indexedDB.open("shop"));
  const work = db.transaction(db.objectStoreNames, "readwrite");
  const keys = work.objectStore("keys");
  const odd = await answered(keys.get("odd"));
  const database = {
    plain: await answered(keys.get("plain")), bytes: [...odd.bytes], loops: odd.self === odd,
    tea: await answered(work.objectStore("orders").index("tags").getAllKeys("tea")),
  };
  await answered(keys.add(new Date(5e12), "theirs"));
  db.close();
  return { cookie: document.cookie, basket: localStorage.getItem("basket"), database };
});
await page.evaluate(() => localStorage.setItem("theirs", "“quoted” & ünïcode\n"));
await context.addCookies([
  { name: "theirs", value: "v2", domain: ".shop.localhost", path: "/deep", expires: 1999999999, httpOnly: true, sameSite: "Strict" },
]);
await context.storageState({ path: written, indexedDB: true });
console.log(JSON.stringify(seen));
await browser.close();
