"use strict";
const LONGEST_REPORT = 200_000;
let documentName = "";
let undecided = [];
let recording = typeof umpireReport === "function" ? true : undefined;
function randomName() {
    const bytes = crypto.getRandomValues(new Uint8Array(12));
    return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
function isRecording() {
    return recording !== false;
}
function report(report) {
    if (recording === false)
        return;
    const envelope = { ...report, document: documentName, path: framePath() };
    if (recording === undefined)
        undecided.push(envelope);
    else
        send(envelope);
}
function send(envelope) {
    const text = JSON.stringify(envelope);
    if (text.length > LONGEST_REPORT)
        return;
    if (typeof umpireReport === "function") {
        umpireReport(text);
        return;
    }
    void chrome.runtime.sendMessage(text).catch(() => undefined);
}
function followSwitch(begin) {
    if (recording === true) {
        begin();
        return;
    }
    const turn = (on) => {
        const before = recording;
        recording = on;
        const waiting = undecided;
        undecided = [];
        if (!on || before === true)
            return;
        begin();
        waiting.forEach(send);
    };
    void chrome.storage.local.get("recording").then((stored) => {
        if (recording === undefined)
            turn(isOn(stored["recording"]));
    });
    chrome.storage.onChanged.addListener((changes, area) => {
        const change = changes["recording"];
        if (area === "local" && change)
            turn(isOn(change.newValue));
    });
}
function isOn(stored) {
    return typeof stored === "object" && stored !== null && stored.on === true;
}
