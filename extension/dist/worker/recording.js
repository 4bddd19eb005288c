const SWITCH = "recording";
const COUNT = "count";
const DELIVERED = "delivered";
const NOTHING = { on: false, paused: false, name: "", began: 0 };
const MOST_EVENTS = 20_000;
export async function current() {
    const stored = await chrome.storage.local.get(SWITCH);
    return { ...NOTHING, ...stored[SWITCH] };
}
export async function eventCount() {
    const stored = await chrome.storage.local.get(COUNT);
    return stored[COUNT] ?? 0;
}
async function turn(recording) {
    await chrome.storage.local.set({ [SWITCH]: recording });
    await chrome.action.setBadgeText({ text: recording.on ? "REC" : recording.paused ? "II" : "" });
    await chrome.action.setBadgeBackgroundColor({ color: recording.paused ? "#8a6d00" : "#b3261e" });
    return recording;
}
export async function beginRecording(name) {
    await chrome.storage.local.remove(keys(await eventCount()));
    await chrome.storage.local.set({ [COUNT]: 0 });
    await chrome.storage.session.set({ [DELIVERED]: 0 });
    return turn({ ...NOTHING, on: true, name, began: Date.now() });
}
export async function pauseRecording(paused) {
    const recording = await current();
    return recording.on || recording.paused ? turn({ ...recording, paused, on: !paused }) : recording;
}
export async function endRecording() {
    const recording = await current();
    if (!recording.on && !recording.paused)
        return recording;
    await addEvent({ kind: "stopped" });
    return turn({ ...recording, on: false, paused: false });
}
function keys(count) {
    return Array.from({ length: count }, (_, number) => `event-${number}`);
}
export async function addEvent(event) {
    const count = await eventCount();
    if (count >= MOST_EVENTS)
        return;
    await chrome.storage.local.set({ [`event-${count}`]: event, [COUNT]: count + 1 });
    await deliver();
}
export async function deliver() {
    if (typeof umpireReport !== "function")
        return;
    const stored = await chrome.storage.session.get(DELIVERED);
    const from = stored[DELIVERED] ?? 0;
    const waiting = keys(await eventCount()).slice(from);
    const events = await chrome.storage.local.get(waiting);
    for (const key of waiting)
        umpireReport(JSON.stringify(events[key]));
    await chrome.storage.session.set({ [DELIVERED]: from + waiting.length });
}
export async function allEvents() {
    const all = keys(await eventCount());
    const stored = await chrome.storage.local.get(all);
    return all.map((key) => stored[key]).filter((event) => event !== undefined);
}
