import { addEvent, allEvents, beginRecording, current, endRecording, pauseRecording } from "./recording.js";
import { takePicture } from "./pictures.js";
import { keepSecret, withoutSecrets } from "./secrets.js";
let queue = Promise.resolve();
function inTurn(work) {
    const done = queue.then(work);
    queue = done.catch(() => undefined);
    return done;
}
const commands = {
    status: async () => current(),
    start: async (argument) => start(String(argument)),
    pause: async (argument) => pauseRecording(argument === true),
    stop: async () => endRecording(),
    export: async () => exported(),
};
async function start(name) {
    const tabs = await chrome.tabs.query({ active: true, lastFocusedWindow: true });
    const [tab] = tabs;
    const recording = await beginRecording(name, tab?.url ?? "");
    if (tab?.id !== undefined)
        await addEvent({ kind: "tab-opened", tab: String(tab.id), url: "", at: Date.now() });
    return recording;
}
async function exported() {
    const { name, began, startUrl } = await current();
    const recorder = `umpire-extension ${chrome.runtime.getManifest().version}`;
    return JSON.stringify({ format: "umpire-recording", version: 1, name, began, recorder, start_url: startUrl, events: await allEvents() });
}
async function fromPage(text, tab) {
    const { on } = await current();
    if (!on || tab.id === undefined)
        return;
    const report = JSON.parse(text);
    if (report.kind === "secret") {
        await keepSecret(`${report.document} ${report.id}`, report.value ?? "");
        return;
    }
    await addEvent({ kind: "page", tab: String(tab.id), report: await withoutSecrets(text) });
    const isAtRest = report.kind === "settled" || (report.kind === "loaded" && report.path.length === 0);
    if (isAtRest)
        takePicture(tab, (jpeg) => inTurn(() => addPicture(tab, report, jpeg)));
}
async function addPicture(tab, report, jpeg) {
    const { document, id } = report;
    await addEvent({ kind: "picture", tab: String(tab.id), document, ...(id !== undefined && { id }), jpeg });
}
chrome.runtime.onMessage.addListener((message, sender, answer) => {
    const { tab } = sender;
    if (typeof message === "string" && tab) {
        void inTurn(() => fromPage(message, tab));
        return false;
    }
    const { command, argument } = message;
    const work = typeof command === "string" && !tab ? commands[command] : undefined;
    if (!work)
        return false;
    void inTurn(() => work(argument)).then(answer, () => answer(undefined));
    return true;
});
chrome.tabs.onCreated.addListener((tab) => {
    if (tab.id === undefined)
        return;
    const opened = { kind: "tab-opened", tab: String(tab.id), url: "", at: Date.now() };
    const opener = tab.openerTabId === undefined ? {} : { opener: String(tab.openerTabId) };
    void inTurn(async () => ((await current()).on ? addEvent({ ...opened, ...opener }) : undefined));
});
chrome.tabs.onRemoved.addListener((id) => {
    const closed = { kind: "tab-closed", tab: String(id), at: Date.now() };
    void inTurn(async () => ((await current()).on ? addEvent(closed) : undefined));
});
chrome.runtime.onStartup.addListener(() => void inTurn(() => endRecording()));
Object.assign(globalThis, {
    umpireCommand: (command, argument) => inTurn(() => commands[command]?.(argument) ?? Promise.resolve()),
});
