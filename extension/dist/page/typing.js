"use strict";
const SEND_AFTER_MS = 300;
const SEND_WITHIN_MS = 3000;
const edits = new Map();
const statesBefore = new WeakMap();
function rememberState(element) {
    const state = stateOf(element);
    if (state !== undefined)
        statesBefore.set(element, state);
}
function fieldAt(element) {
    for (let at = element; at; at = parentOf(at))
        if (isTextField(at))
            return at;
    return null;
}
function onFocusIn(event) {
    const target = event.isTrusted && isRecording() ? innermostTarget(event) : null;
    if (!target)
        return;
    rememberState(target);
    secretKind(target);
}
function onBeforeInput(event) {
    const field = event.isTrusted && isRecording() ? fieldAt(innermostTarget(event)) : null;
    if (field && !edits.has(field))
        beginEdit(field);
}
function beginEdit(field) {
    const edit = { look: lookAt(field, true), id: nextId(), isSent: false };
    edits.set(field, edit);
    return edit;
}
function onInput(event) {
    if (!event.isTrusted || !isRecording() || !navigator.userActivation.hasBeenActive)
        return;
    const target = innermostTarget(event);
    if (target instanceof HTMLSelectElement)
        return onChosen(target, { do: "select", options: chosenOptions(target) });
    if (target instanceof HTMLInputElement && inputType(target) === "file")
        return onFiles(target);
    const field = fieldAt(target);
    if (!field)
        return;
    const known = edits.get(field);
    const edit = known ?? beginEdit(field);
    if (!known)
        edit.look.before = secretKind(field) === undefined ? statesBefore.get(field) : undefined;
    edit.since ??= performance.now();
    clearTimeout(edit.timer);
    const left = edit.since + SEND_WITHIN_MS - performance.now();
    edit.timer = setTimeout(() => sendEdit(field, edit), Math.max(0, Math.min(SEND_AFTER_MS, left)));
}
function onFiles(input) {
    const files = Array.from(input.files ?? [], (file) => file.name.slice(0, LONGEST_WORDS)).slice(0, MOST_MARKS);
    onChosen(input, { do: "upload", files });
}
function onChosen(control, deed) {
    commitEdits();
    const look = lookAt(control, true);
    look.before = statesBefore.get(control);
    reportDeed(deed, look);
    rememberState(control);
}
function sendEdit(field, edit) {
    clearTimeout(edit.timer);
    delete edit.timer;
    delete edit.since;
    const secret = secretKind(field);
    const value = textIn(field);
    if (secret !== undefined) {
        edit.look.before = undefined;
        report({ kind: "secret", id: edit.id, value });
    }
    sendDeed(edit.id, { do: "type", text: secret === undefined ? { text: value } : { secret } }, edit.look, true);
    edit.isSent = true;
}
function commitEdit(field, edit) {
    edits.delete(field);
    if (edit.timer !== undefined)
        sendEdit(field, edit);
    if (edit.isSent)
        settle(edit.look.watch, () => reportRest(edit.id, edit.look));
    else
        endWatch(edit.look.watch);
    rememberState(field);
}
function commitEdits() {
    for (const [field, edit] of Array.from(edits))
        commitEdit(field, edit);
}
function onFocusOut(event) {
    const field = event.isTrusted ? fieldAt(innermostTarget(event)) : null;
    const edit = field && edits.get(field);
    if (edit)
        commitEdit(field, edit);
    else if (event.isTrusted)
        commitEdits();
}
