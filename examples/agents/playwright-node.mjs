// A small agent of your own, with playwright-core.
//
//   npm install playwright-core
//
//   # umpire.toml
//   [agents.my-node-agent]
//   kind = "command"
//   command = ["node", "examples/agents/playwright-node.mjs"]
//   env = { NODE_PATH = "/where/you/ran/npm/install/node_modules" }
//
// Umpire starts this script once for every attempt and tells it three things by environment variable:
//
//   UMPIRE_CDP_URL     where the browser listens (UMPIRE_CDP_WS is the same as a WebSocket address)
//   UMPIRE_TASK_FILE   a JSON file with what is asked: id, kind, intent, start_urls, limits, response_schema
//   UMPIRE_OUT_DIR     a folder for answer.json
//
// What it does in the browser is recorded by Umpire itself. This script is honest but simple: it looks for the words
// of the intent on the page, searches the site once if they are not there, and gives what it has read.

import { readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';

// `require` also looks into NODE_PATH, which `import` does not: the library may be installed anywhere.
const { chromium } = createRequire(import.meta.url)('playwright-core');

const NOT_TELLING = new Set(
  'a an and are at by do does find for from give go how in is it many me much my of on open page please price show tell the to was what when where which who'.split(' '),
);

function tellingWords(text) {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  return [...new Set(words.filter((word) => !NOT_TELLING.has(word)))];
}

function score(text, words) {
  const there = new Set(tellingWords(text));
  return words.filter((word) => there.has(word)).length / Math.max(words.length, 1);
}

/** The element of `items` whose text shares most words with the intent, with its share. */
function best(items, words) {
  return items
    .map((text, index) => ({ text, index, share: score(text, words) }))
    .reduce((a, b) => (b.share > a.share ? b : a), { text: '', index: -1, share: 0 });
}

async function visibleLines(page) {
  const text = await page.locator('body').innerText();
  return text.split('\n').map((line) => line.trim()).filter(Boolean);
}

/** A question is answered by the line that names its subject, or by a price or number close below it. */
async function retrieve(page, intent) {
  const words = tellingWords(intent);
  let lines = await visibleLines(page);
  let line = best(lines, words);
  const searchBox = page.getByRole('searchbox').first();
  if (line.share < 0.75 && (await searchBox.count()) > 0) {
    await searchBox.fill(words.join(' '));
    // A site may search by loading a page or by script, so wait for whichever comes, but not for ever.
    const loaded = page.waitForEvent('load', { timeout: 3000 }).catch(() => undefined);
    await searchBox.press('Enter');
    await loaded;
    lines = await visibleLines(page);
    line = best(lines, words);
  }
  if (line.share < 0.5) {
    return null;
  }
  const near = lines.slice(line.index, line.index + 8).join('\n');
  if (/\b(how much|price|costs?)\b/i.test(intent)) {
    return near.match(/[$€£]\s?\d[\d.,]*|\d[\d.,]*\s?(?:€|EUR|USD|GBP)/)?.[0] ?? null;
  }
  if (/\b(how many|number of)\b/i.test(intent)) {
    const number = near.match(/\d[\d,]*/)?.[0];
    return number === undefined ? null : Number(number.replaceAll(',', ''));
  }
  return line.text.includes(':') ? line.text.split(':').slice(1).join(':').trim() : line.text;
}

/** Follows the link whose text is closest to the intent. */
async function navigate(page, intent) {
  const links = page.getByRole('link');
  const link = best(await links.allInnerTexts(), tellingWords(intent));
  if (link.share === 0) {
    return false;
  }
  await links.nth(link.index).click();
  await page.waitForLoadState();
  return true;
}

async function work(page, task) {
  const response = { action: task.kind, status: 'SUCCESS', results: null, error_details: null };
  const notFound = { ...response, status: 'NOT_FOUND_ERROR', error_details: 'nothing on the page speaks of it' };
  switch (task.kind) {
    case 'retrieve': {
      const value = await retrieve(page, task.intent);
      return value === null ? notFound : { ...response, results: [value] };
    }
    case 'navigate':
      return (await navigate(page, task.intent)) ? response : notFound;
    default:
      return { ...response, status: 'UNKNOWN_ERROR', error_details: 'this example only reads' };
  }
}

const task = JSON.parse(await readFile(process.env.UMPIRE_TASK_FILE, 'utf8'));
const browser = await chromium.connectOverCDP(process.env.UMPIRE_CDP_URL);
// The page of the task is already open on its start URL; there is no need to make a new one.
const page = browser.contexts()[0].pages()[0];
await page.waitForLoadState();
const response = await work(page, task);
console.log(`at ${page.url()}: ${JSON.stringify(response)}`);
await writeFile(path.join(process.env.UMPIRE_OUT_DIR, 'answer.json'), JSON.stringify(response));
// Only the connection is closed; the browser belongs to Umpire.
await browser.close();
