/**
 * The way out of the page. In the extension, reports go to its service worker; where Umpire injected this script itself,
 * to a binding that only this isolated world has. The page can reach neither.
 */

declare const umpireReport: ((text: string) => void) | undefined;

const LONGEST_REPORT = 200_000;
let documentName = "";

/** Reports made before it is known whether anything is being recorded. */
let undecided: Envelope[] = [];
let recording: boolean | undefined = typeof umpireReport === "function" ? true : undefined;

function randomName(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(12));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

function isRecording(): boolean {
  return recording !== false;
}

function report(report: PageReport): void {
  if (recording === false) return;
  const envelope: Envelope = { ...report, document: documentName, path: framePath() };
  if (recording === undefined) undecided.push(envelope);
  else send(envelope);
}

function send(envelope: Envelope): void {
  const text = JSON.stringify(envelope);
  if (text.length > LONGEST_REPORT) return;
  if (typeof umpireReport === "function") {
    umpireReport(text);
    return;
  }
  // Rejected if the extension was removed or updated under an open page; there is nobody left to tell.
  void chrome.runtime.sendMessage(text).catch(() => undefined);
}

/** Follows the extension's switch. `begin` is called whenever recording begins in this document. */
function followSwitch(begin: () => void): void {
  if (recording === true) {
    begin();
    return;
  }
  const turn = (on: boolean): void => {
    const before = recording;
    recording = on;
    const waiting = undecided;
    undecided = [];
    if (!on || before === true) return;
    begin();
    waiting.forEach(send);
  };
  void chrome.storage.local.get("recording").then((stored) => {
    if (recording === undefined) turn(isOn(stored["recording"]));
  });
  chrome.storage.onChanged.addListener((changes, area) => {
    const change = changes["recording"];
    if (area === "local" && change) turn(isOn(change.newValue));
  });
}

function isOn(stored: unknown): boolean {
  return typeof stored === "object" && stored !== null && (stored as { on?: unknown }).on === true;
}
