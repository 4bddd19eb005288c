/**
 * The extension's service worker. The browser stops it whenever nothing happens and starts it again for the next message,
 * so it keeps nothing in its own memory: the switch and the events are in `chrome.storage.local`, one key an event, and
 * the secrets it must keep out of them in `chrome.storage.session`, which is never written to the disk.
 */

import { addEvent, allEvents, beginRecording, current, endRecording, pauseRecording, type Recording } from "./recording.js";
import { takePicture } from "./pictures.js";
import { keepSecret, withoutSecrets } from "./secrets.js";

/** One thing at a time, in the order it came. */
let queue: Promise<unknown> = Promise.resolve();

function inTurn<T>(work: () => Promise<T>): Promise<T> {
  const done = queue.then(work);
  queue = done.catch(() => undefined);
  return done;
}

/** What the popup, or Umpire over the protocol, may ask for. */
const commands: Record<string, (argument: unknown) => Promise<unknown>> = {
  status: async () => current(),
  start: async (argument) => start(String(argument)),
  pause: async (argument) => pauseRecording(argument === true),
  stop: async () => endRecording(),
  export: async () => exported(),
};

async function start(name: string): Promise<Recording> {
  const tabs = await chrome.tabs.query({ active: true, lastFocusedWindow: true });
  const [tab] = tabs;
  const recording = await beginRecording(name, tab?.url ?? "");
  if (tab?.id !== undefined) await addEvent({ kind: "tab-opened", tab: String(tab.id), url: "", at: Date.now() });
  return recording;
}

/** The recording as a file for `umpire record --from`. */
async function exported(): Promise<string> {
  const { name, began, startUrl } = await current();
  const recorder = `umpire-extension ${chrome.runtime.getManifest().version}`;
  return JSON.stringify({ format: "umpire-recording", version: 1, name, began, recorder, start_url: startUrl, events: await allEvents() });
}

/** A page reports. */
async function fromPage(text: string, tab: chrome.tabs.Tab): Promise<void> {
  const { on } = await current();
  if (!on || tab.id === undefined) return;
  const report = JSON.parse(text) as { kind: string; document: string; id?: number; value?: string; path: number[] };
  if (report.kind === "secret") {
    await keepSecret(`${report.document} ${report.id}`, report.value ?? "");
    return;
  }
  await addEvent({ kind: "page", tab: String(tab.id), report: await withoutSecrets(text) });
  const isAtRest = report.kind === "settled" || (report.kind === "loaded" && report.path.length === 0);
  if (isAtRest) takePicture(tab, (jpeg) => inTurn(() => addPicture(tab, report, jpeg)));
}

async function addPicture(tab: chrome.tabs.Tab, report: { document: string; id?: number }, jpeg: string): Promise<void> {
  const { document, id } = report;
  await addEvent({ kind: "picture", tab: String(tab.id), document, ...(id !== undefined && { id }), jpeg });
}

chrome.runtime.onMessage.addListener((message, sender, answer) => {
  const { tab } = sender;
  if (typeof message === "string" && tab) {
    void inTurn(() => fromPage(message, tab));
    return false;
  }
  const { command, argument } = message as { command?: unknown; argument?: unknown };
  const work = typeof command === "string" && !tab ? commands[command] : undefined;
  if (!work) return false;
  void inTurn(() => work(argument)).then(answer, () => answer(undefined));
  return true;
});

chrome.tabs.onCreated.addListener((tab) => {
  if (tab.id === undefined) return;
  const opened = { kind: "tab-opened" as const, tab: String(tab.id), url: "", at: Date.now() };
  const opener = tab.openerTabId === undefined ? {} : { opener: String(tab.openerTabId) };
  void inTurn(async () => ((await current()).on ? addEvent({ ...opened, ...opener }) : undefined));
});

chrome.tabs.onRemoved.addListener((id) => {
  const closed = { kind: "tab-closed" as const, tab: String(id), at: Date.now() };
  void inTurn(async () => ((await current()).on ? addEvent(closed) : undefined));
});

// A browser that was closed while recording does not go on by itself.
chrome.runtime.onStartup.addListener(() => void inTurn(() => endRecording()));

/** For Umpire, which reaches this worker over the protocol. */
Object.assign(globalThis, {
  umpireCommand: (command: string, argument?: unknown) => inTurn(() => commands[command]?.(argument) ?? Promise.resolve()),
});
