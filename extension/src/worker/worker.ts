/**
 * The extension's service worker. The browser stops it whenever nothing happens and starts it again for the next message,
 * so it keeps nothing in its own memory: the switch and the events are in `chrome.storage.local`, one key an event, and
 * the secrets it must keep out of them in `chrome.storage.session`, which is never written to the disk.
 */

import {
  addEvent, allEvents, beginRecording, current, deliver, endRecording, eventCount, pauseRecording, type Recording,
} from "./recording.js";
import { takePicture } from "./pictures.js";
import { forgetSecrets, keepSecret, withoutSecrets } from "./secrets.js";

export type Status = Recording & { events: number };

interface Reported {
  kind: string;
  document: string;
  path: number[];
  id?: number;
  value?: string;
}

/** One thing at a time, in the order it came. */
let queue: Promise<unknown> = Promise.resolve();

function inTurn<T>(work: () => Promise<T>): Promise<T> {
  const done = queue.then(work);
  queue = done.catch(() => undefined);
  return done;
}

/** What the popup, or Umpire over the protocol, may ask for. */
const commands: Record<string, (argument: unknown) => Promise<unknown>> = {
  status: async () => ({ ...(await current()), events: await eventCount() }),
  start: (argument) => start(String(argument)),
  pause: (argument) => pauseRecording(argument === true),
  stop: () => endRecording(),
  export: () => exported(),
};

async function start(name: string): Promise<Recording> {
  const [tab] = await chrome.tabs.query({ active: true, lastFocusedWindow: true });
  await forgetSecrets();
  const recording = await beginRecording(name);
  if (tab?.id !== undefined) await addEvent({ kind: "tab-opened", tab: String(tab.id), url: "", at: Date.now() });
  return recording;
}

/** The recording as a file for `umpire record --from`. */
async function exported(): Promise<string> {
  const { name, began } = await current();
  const recorder = `umpire-extension ${chrome.runtime.getManifest().version}`;
  const events = await allEvents();
  return JSON.stringify({ format: "umpire-recording", version: 1, name, began, recorder, events });
}

async function fromPage(text: string, tab: chrome.tabs.Tab): Promise<void> {
  if (tab.id === undefined || !(await current()).on) return;
  const report = JSON.parse(text) as Reported;
  if (report.kind === "secret") {
    await keepSecret(`${report.document} ${report.id}`, report.value ?? "");
    return;
  }
  await addEvent({ kind: "page", tab: String(tab.id), report: await withoutSecrets(text) });
  const isAtRest = report.kind === "settled" || (report.kind === "loaded" && report.path.length === 0);
  if (isAtRest) takePicture(tab, (jpeg) => inTurn(() => addPicture(tab, report, jpeg)));
}

async function addPicture(tab: chrome.tabs.Tab, { document, id }: Reported, jpeg: string): Promise<void> {
  await addEvent({ kind: "picture", tab: String(tab.id), document, ...(id !== undefined && { id }), jpeg });
}

chrome.runtime.onMessage.addListener((message, sender, answer) => {
  const { tab } = sender;
  if (typeof message === "string" && tab) {
    void inTurn(() => fromPage(message, tab));
    return false;
  }
  const { command, argument } = message as { command?: unknown; argument?: unknown };
  const isPopup = sender.url?.startsWith(location.origin) === true;
  const work = isPopup && typeof command === "string" ? commands[command] : undefined;
  if (!work) return false;
  void inTurn(() => work(argument)).then(answer, () => answer(undefined));
  return true;
});

chrome.tabs.onCreated.addListener((tab) => {
  const at = Date.now();
  const opener = tab.openerTabId === undefined ? {} : { opener: String(tab.openerTabId) };
  void inTurn(async () => {
    if ((await current()).on) await addEvent({ kind: "tab-opened", tab: String(tab.id), url: "", at, ...opener });
  });
});

chrome.tabs.onRemoved.addListener((id) => {
  const at = Date.now();
  void inTurn(async () => {
    if ((await current()).on) await addEvent({ kind: "tab-closed", tab: String(id), at });
  });
});

// A browser that was closed while recording does not go on by itself.
chrome.runtime.onStartup.addListener(() => void inTurn(() => endRecording()));

/** For Umpire, which reaches this worker over the protocol. */
Object.assign(globalThis, {
  umpireCommand: (command: string, argument?: unknown) => inTurn(async () => commands[command]?.(argument)),
});

void inTurn(deliver);
