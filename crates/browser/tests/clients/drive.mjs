// An unmodified playwright-core client: connects, reads, fills, clicks, opens a tab and a context of its own.
import { createRequire } from 'node:module';

const require = createRequire(`${process.env.PLAYWRIGHT_HOME}/`);
const { chromium } = require('playwright-core');

const browser = await chromium.connectOverCDP(process.env.UMPIRE_CDP_URL);
const context = browser.contexts()[0];
const page = context.pages()[0];
const heading = await page.getByRole('heading').textContent();
await page.getByLabel('Name').fill('Zoë');
await page.getByRole('button', { name: 'Greet' }).click();
const greeting = await page.locator('#greeting').textContent();
await page.frameLocator('iframe').getByRole('button', { name: 'Agree' }).click();
await page.frameLocator('iframe').getByText('agreed').waitFor();
const [popup] = await Promise.all([
  context.waitForEvent('page'),
  page.getByRole('link', { name: 'More' }).click(),
]);
await popup.waitForLoadState();
const more = await popup.title();
await popup.close();
await page.goto('http://shop.localhost/second');
const second = await page.title();
await page.goBack();
const own = await browser.newContext();
const fresh = await own.newPage();
await fresh.goto('http://shop.localhost/fresh');
const cookies = (await own.cookies()).length;
await own.close();
const shot = (await page.screenshot()).length > 1000;
console.log(JSON.stringify({ heading, greeting, more, second, cookies, shot, pages: context.pages().length }));
await browser.close();
