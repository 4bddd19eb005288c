/**
 * What is recorded, in `chrome.storage.local`: the switch under one key, the number of events under another, every event
 * under its own. Nothing is ever written twice.
 */

declare const umpireReport: ((text: string) => void) | undefined;

export interface Recording {
  on: boolean;
  paused: boolean;
  name: string;
  /** Milliseconds since 1970. */
  began: number;
}

export type WorkerEvent =
  | { kind: "tab-opened"; tab: string; opener?: string; url: string; at: number }
  | { kind: "tab-closed"; tab: string; at: number }
  /** What a page reported, as it did. */
  | { kind: "page"; tab: string; report: string }
  /** A picture of the tab at rest, in base64: after the deed `id` of the document, or after it had loaded. */
  | { kind: "picture"; tab: string; document: string; id?: number; jpeg: string }
  /** The person stopped. */
  | { kind: "stopped" };

/** Content scripts follow this key. */
const SWITCH = "recording";
const COUNT = "count";
/** How many of them Umpire has been told, while it listens. */
const DELIVERED = "delivered";
const NOTHING: Recording = { on: false, paused: false, name: "", began: 0 };
/** Far beyond any session a person records. */
const MOST_EVENTS = 20_000;

export async function current(): Promise<Recording> {
  const stored = await chrome.storage.local.get(SWITCH);
  return { ...NOTHING, ...(stored[SWITCH] as Partial<Recording> | undefined) };
}

export async function eventCount(): Promise<number> {
  const stored = await chrome.storage.local.get(COUNT);
  return (stored[COUNT] as number | undefined) ?? 0;
}

async function turn(recording: Recording): Promise<Recording> {
  await chrome.storage.local.set({ [SWITCH]: recording });
  await chrome.action.setBadgeText({ text: recording.on ? "REC" : recording.paused ? "II" : "" });
  await chrome.action.setBadgeBackgroundColor({ color: recording.paused ? "#8a6d00" : "#b3261e" });
  return recording;
}

export async function beginRecording(name: string): Promise<Recording> {
  await chrome.storage.local.remove(keys(await eventCount()));
  await chrome.storage.local.set({ [COUNT]: 0 });
  await chrome.storage.session.set({ [DELIVERED]: 0 });
  return turn({ ...NOTHING, on: true, name, began: Date.now() });
}

export async function pauseRecording(paused: boolean): Promise<Recording> {
  const recording = await current();
  return recording.on || recording.paused ? turn({ ...recording, paused, on: !paused }) : recording;
}

export async function endRecording(): Promise<Recording> {
  const recording = await current();
  if (!recording.on && !recording.paused) return recording;
  await addEvent({ kind: "stopped" });
  return turn({ ...recording, on: false, paused: false });
}

function keys(count: number): string[] {
  return Array.from({ length: count }, (_, number) => `event-${number}`);
}

/** Stored for the popup's export, and passed on at once where Umpire listens. */
export async function addEvent(event: WorkerEvent): Promise<void> {
  const count = await eventCount();
  if (count >= MOST_EVENTS) return;
  await chrome.storage.local.set({ [`event-${count}`]: event, [COUNT]: count + 1 });
  await deliver();
}

/** Passes on what was stored and not told, by this worker or by one that was stopped in the middle of it. */
export async function deliver(): Promise<void> {
  if (typeof umpireReport !== "function") return;
  const stored = await chrome.storage.session.get(DELIVERED);
  const from = (stored[DELIVERED] as number | undefined) ?? 0;
  const waiting = keys(await eventCount()).slice(from);
  const events = await chrome.storage.local.get(waiting);
  for (const key of waiting) umpireReport(JSON.stringify(events[key]));
  await chrome.storage.session.set({ [DELIVERED]: from + waiting.length });
}

export async function allEvents(): Promise<WorkerEvent[]> {
  const all = keys(await eventCount());
  const stored = await chrome.storage.local.get(all);
  return all.map((key) => stored[key] as WorkerEvent | undefined).filter((event) => event !== undefined);
}
