// The same work with playwright-core: screenshot, accessibility snapshot, click, load; then a look at a large page.
// Prints one JSON line. Arguments: path of playwright-core, Chromium, proxy, steps.
import { createRequire } from "node:module";
import { readFileSync } from "node:fs";
import { performance } from "node:perf_hooks";

const [clients, executablePath, proxy, steps] = process.argv.slice(2);
const { chromium } = createRequire(`${clients}/package.json`)("playwright-core");

const browser = await chromium.launch({
  executablePath,
  args: process.getuid() === 0 ? ["--no-sandbox"] : [],
  proxy: { server: proxy, bypass: "<-loopback>" },
});
const page = await (await browser.newContext({ viewport: { width: 1280, height: 1024 } })).newPage();

async function look() {
  await Promise.all([page.screenshot({ type: "jpeg", quality: 80 }), page.locator("body").ariaSnapshot()]);
}

async function measure(times, work) {
  const wall = [];
  const before = process.cpuUsage();
  for (let i = 0; i < times; i++) {
    const start = performance.now();
    await work(i);
    wall.push(performance.now() - start);
  }
  const used = process.cpuUsage(before);
  wall.sort((a, b) => a - b);
  return { wall_ms: wall[Math.floor(wall.length / 2)], cpu_ms: (used.user + used.system) / 1000 / times };
}

await page.goto("http://shop.localhost/");
const shelves = ["Lighting", "Kitchen", "Furniture", "Garden", "Stationery", "Outdoors"];
const step = async (i) => {
  await look();
  await page.getByRole("link", { name: shelves[i % shelves.length], exact: true }).first().click();
  await page.waitForLoadState("load");
};
await measure(3, step);
const shop = await measure(Number(steps), step);

await page.goto("http://large.localhost/");
await look();
const large = await measure(Number(steps), look);

const status = readFileSync("/proc/self/status", "utf8");
const memory = Number(/VmHWM:\s+(\d+) kB/.exec(status)[1]) / 1024;
await browser.close();
console.log(JSON.stringify({ shop, large, memory_mb: memory }));
