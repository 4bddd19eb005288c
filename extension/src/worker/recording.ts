/** What is recorded, in `chrome.storage.local`: the switch under one key, every event under its own. */

declare const umpireReport: ((text: string) => void) | undefined;

export interface Recording {
  on: boolean;
  paused: boolean;
  name: string;
  /** Milliseconds since 1970. */
  began: number;
  startUrl: string;
  /** Events so far. */
  events: number;
}

export type WorkerEvent =
  | { kind: "tab-opened"; tab: string; opener?: string; url: string; at: number }
  | { kind: "tab-closed"; tab: string; at: number }
  /** What a page reported, as it did. */
  | { kind: "page"; tab: string; report: string }
  /** A picture of the tab at rest, in base64: after the deed `id` of the document, or after it had loaded. */
  | { kind: "picture"; tab: string; document: string; id?: number; jpeg: string };

const SWITCH = "recording";
const NOTHING: Recording = { on: false, paused: false, name: "", began: 0, startUrl: "", events: 0 };
/** Far beyond any session a person records; the browser's own limit is not far behind. */
const MOST_EVENTS = 20_000;

export async function current(): Promise<Recording> {
  const stored = await chrome.storage.local.get(SWITCH);
  return { ...NOTHING, ...(stored[SWITCH] as Partial<Recording> | undefined) };
}

async function store(recording: Recording): Promise<Recording> {
  await chrome.storage.local.set({ [SWITCH]: recording });
  await chrome.action.setBadgeText({ text: recording.on ? (recording.paused ? "II" : "REC") : "" });
  await chrome.action.setBadgeBackgroundColor({ color: recording.paused ? "#8a6d00" : "#b3261e" });
  return recording;
}

export async function beginRecording(name: string, startUrl: string): Promise<Recording> {
  const { events } = await current();
  await chrome.storage.local.remove(Array.from({ length: events }, (_, number) => keyOf(number)));
  return store({ ...NOTHING, on: true, name, began: Date.now(), startUrl: /^https?:/.test(startUrl) ? withoutQuery(startUrl) : "" });
}

/** The page itself says which parts of its address may be kept. */
function withoutQuery(url: string): string {
  return url.split(/[?#]/)[0] ?? "";
}

export async function pauseRecording(paused: boolean): Promise<Recording> {
  const recording = await current();
  return recording.began === 0 ? recording : store({ ...recording, paused, on: !paused });
}

export async function endRecording(): Promise<Recording> {
  return store({ ...(await current()), on: false, paused: false });
}

function keyOf(number: number): string {
  return `event-${number}`;
}

/** Kept here for the popup's export, and passed on at once where Umpire listens. */
export async function addEvent(event: WorkerEvent): Promise<void> {
  const recording = await current();
  if (recording.events >= MOST_EVENTS) return;
  await chrome.storage.local.set({ [keyOf(recording.events)]: event, [SWITCH]: { ...recording, events: recording.events + 1 } });
  if (typeof umpireReport === "function") umpireReport(JSON.stringify(event));
}

export async function allEvents(): Promise<WorkerEvent[]> {
  const { events } = await current();
  const keys = Array.from({ length: events }, (_, number) => keyOf(number));
  const stored = await chrome.storage.local.get(keys);
  return keys.map((key) => stored[key] as WorkerEvent | undefined).filter((event) => event !== undefined);
}
