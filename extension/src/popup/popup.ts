/** The popup: name, start, pause, stop, export. */

import type { Status } from "../worker/worker.js";

function found<T extends HTMLElement>(id: string, type: new () => T): T {
  const element = document.getElementById(id);
  if (!(element instanceof type)) throw new Error(`the popup has no ${id}`);
  return element;
}

const form = found("form", HTMLFormElement);
const name = found("name", HTMLInputElement);
const start = found("start", HTMLButtonElement);
const pause = found("pause", HTMLButtonElement);
const stop = found("stop", HTMLButtonElement);
const save = found("export", HTMLButtonElement);
const status = found("status", HTMLElement);
const note = found("note", HTMLElement);

const SECRETS = "Passwords, codes and card numbers become references; pictures show what the page shows.";
const WAITING = "Export it first: to start anew discards it, and pictures in it show what the page showed.";

function ask(command: string, argument?: unknown): Promise<unknown> {
  return chrome.runtime.sendMessage({ command, argument });
}

async function show(): Promise<void> {
  const recording = (await ask("status")) as Status | undefined;
  if (!recording) return;
  const isActive = recording.on || recording.paused;
  document.body.dataset["state"] = recording.on ? "on" : recording.paused ? "paused" : "off";
  if (isActive || !name.value) name.value = recording.name;
  name.disabled = isActive;
  start.hidden = isActive;
  pause.hidden = !isActive;
  stop.hidden = !isActive;
  const isWaiting = !isActive && recording.events > 0;
  save.hidden = !isWaiting;
  start.classList.toggle("main", !isWaiting);
  start.textContent = isWaiting ? "Start anew" : "Start";
  note.textContent = isWaiting ? WAITING : SECRETS;
  pause.textContent = recording.paused ? "Go on" : "Pause";
  status.textContent = recording.on
    ? `Recording “${recording.name}”`
    : recording.paused
      ? `“${recording.name}” is paused`
      : isWaiting
        ? `“${recording.name}” is ready to export`
        : "Nothing is recorded";
}

async function download(): Promise<void> {
  const text = (await ask("export")) as string | undefined;
  if (text === undefined) return;
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type: "application/json" }));
  link.download = `${name.value.replace(/[^\p{L}\p{N}._-]+/gu, "-") || "recording"}.recording.json`;
  link.click();
}

form.addEventListener("submit", (event) => {
  event.preventDefault();
  void ask("start", name.value.trim() || "recording").then(show);
});
pause.addEventListener("click", () => void ask("pause", document.body.dataset["state"] === "on").then(show));
stop.addEventListener("click", () => void ask("stop").then(show));
save.addEventListener("click", () => void download());
chrome.storage.onChanged.addListener(() => void show());
void show();
