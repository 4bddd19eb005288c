const SWITCH = "recording";
const NOTHING = { on: false, paused: false, name: "", began: 0, startUrl: "", events: 0 };
const MOST_EVENTS = 20_000;
export async function current() {
    const stored = await chrome.storage.local.get(SWITCH);
    return { ...NOTHING, ...stored[SWITCH] };
}
async function store(recording) {
    await chrome.storage.local.set({ [SWITCH]: recording });
    await chrome.action.setBadgeText({ text: recording.on ? (recording.paused ? "II" : "REC") : "" });
    await chrome.action.setBadgeBackgroundColor({ color: recording.paused ? "#8a6d00" : "#b3261e" });
    return recording;
}
export async function beginRecording(name, startUrl) {
    const { events } = await current();
    await chrome.storage.local.remove(Array.from({ length: events }, (_, number) => keyOf(number)));
    return store({ ...NOTHING, on: true, name, began: Date.now(), startUrl: /^https?:/.test(startUrl) ? withoutQuery(startUrl) : "" });
}
function withoutQuery(url) {
    return url.split(/[?#]/)[0] ?? "";
}
export async function pauseRecording(paused) {
    const recording = await current();
    return recording.began === 0 ? recording : store({ ...recording, paused, on: !paused });
}
export async function endRecording() {
    return store({ ...(await current()), on: false, paused: false });
}
function keyOf(number) {
    return `event-${number}`;
}
export async function addEvent(event) {
    const recording = await current();
    if (recording.events >= MOST_EVENTS)
        return;
    await chrome.storage.local.set({ [keyOf(recording.events)]: event, [SWITCH]: { ...recording, events: recording.events + 1 } });
    if (typeof umpireReport === "function")
        umpireReport(JSON.stringify(event));
}
export async function allEvents() {
    const { events } = await current();
    const keys = Array.from({ length: events }, (_, number) => keyOf(number));
    const stored = await chrome.storage.local.get(keys);
    return keys.map((key) => stored[key]).filter((event) => event !== undefined);
}
