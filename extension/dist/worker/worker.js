import { addEvent, allEvents, beginRecording, current, deliver, endRecording, eventCount, pauseRecording, } from "./recording.js";
import { takePicture } from "./pictures.js";
import { forgetSecrets, keepSecret, withoutSecrets } from "./secrets.js";
let queue = Promise.resolve();
function inTurn(work) {
    const done = queue.then(work);
    queue = done.catch(() => undefined);
    return done;
}
const commands = {
    status: async () => ({ ...(await current()), events: await eventCount() }),
    start: (argument) => start(String(argument)),
    pause: (argument) => pauseRecording(argument === true),
    stop: () => endRecording(),
    export: () => exported(),
};
async function start(name) {
    const [tab] = await chrome.tabs.query({ active: true, lastFocusedWindow: true });
    await forgetSecrets();
    const recording = await beginRecording(name);
    if (tab?.id !== undefined)
        await addEvent({ kind: "tab-opened", tab: String(tab.id), url: "", at: Date.now() });
    return recording;
}
async function exported() {
    const { name, began } = await current();
    const recorder = `umpire-extension ${chrome.runtime.getManifest().version}`;
    const events = await allEvents();
    return JSON.stringify({ format: "umpire-recording", version: 1, name, began, recorder, events });
}
async function fromPage(text, tab) {
    if (tab.id === undefined || !(await current()).on)
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
async function addPicture(tab, { document, id }, jpeg) {
    await addEvent({ kind: "picture", tab: String(tab.id), document, ...(id !== undefined && { id }), jpeg });
}
chrome.runtime.onMessage.addListener((message, sender, answer) => {
    const { tab } = sender;
    if (typeof message === "string" && tab) {
        void inTurn(() => fromPage(message, tab));
        return false;
    }
    const { command, argument } = message;
    const isPopup = sender.url?.startsWith(location.origin) === true;
    const work = isPopup && typeof command === "string" ? commands[command] : undefined;
    if (!work)
        return false;
    void inTurn(() => work(argument)).then(answer, () => answer(undefined));
    return true;
});
chrome.tabs.onCreated.addListener((tab) => {
    const at = Date.now();
    const opener = tab.openerTabId === undefined ? {} : { opener: String(tab.openerTabId) };
    void inTurn(async () => {
        if ((await current()).on)
            await addEvent({ kind: "tab-opened", tab: String(tab.id), url: "", at, ...opener });
    });
});
chrome.tabs.onRemoved.addListener((id) => {
    const at = Date.now();
    void inTurn(async () => {
        if ((await current()).on)
            await addEvent({ kind: "tab-closed", tab: String(id), at });
    });
});
chrome.runtime.onStartup.addListener(() => void inTurn(() => endRecording()));
Object.assign(globalThis, {
    umpireCommand: (command, argument) => inTurn(async () => commands[command]?.(argument)),
});
void inTurn(deliver);
