"use strict";
const MODIFIERS = new Set(["Control", "Shift", "Alt", "AltGraph", "Meta", "CapsLock", "Dead", "Process", "Unidentified"]);
const SCROLLING = new Set(["PageUp", "PageDown", "Home", "End", "ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight", " "]);
const EDITING_CHORDS = new Set(["a", "c", "v", "x", "y", "z"]);
function onKeyDown(event) {
    if (!event.isTrusted || !isRecording() || event.isComposing || event.repeat || MODIFIERS.has(event.key))
        return;
    if (event.key === "Tab")
        return;
    const target = innermostTarget(event);
    if (!target)
        return;
    const field = fieldAt(target);
    if (field)
        keyInField(event, field);
    else
        keyElsewhere(event, target);
}
function isChord(event) {
    return event.ctrlKey || event.metaKey || (event.altKey && !event.getModifierState("AltGraph"));
}
function keyName(event) {
    const key = event.key === " " ? "Space" : event.key;
    const held = [
        event.ctrlKey && "Control", event.altKey && "Alt", event.metaKey && "Meta",
        event.shiftKey && (isChord(event) || key.length > 1) && "Shift",
    ].filter(Boolean);
    return [...held, key].join("+");
}
function keyInField(event, field) {
    const isEnter = event.key === "Enter";
    const writes = event.key.length === 1 && !isChord(event);
    const isEditing = isChord(event) && (EDITING_CHORDS.has(event.key.toLowerCase()) || SCROLLING.has(event.key));
    if (writes || isEditing || ["Backspace", "Delete"].includes(event.key))
        return;
    const isLine = field instanceof HTMLInputElement;
    if (event.key === "Escape" || isChord(event) || (isEnter && isLine)) {
        pressed(event, field, lookAt(field, true), isEnter);
    }
    else if (isEnter || SCROLLING.has(event.key)) {
        flushEdit(field);
        const look = lookAt(field, true);
        setTimeout(() => (event.defaultPrevented ? pressed(event, field, look, isEnter) : endWatch(look.watch)));
    }
}
function flushEdit(field) {
    const edit = edits.get(field);
    if (edit?.timer !== undefined)
        sendEdit(field, edit);
}
function pressed(event, field, look, always) {
    const edit = edits.get(field);
    if (edit)
        commitEdit(field, edit);
    reportDeed({ do: "press", key: keyName(event) }, look, always);
}
function keyElsewhere(event, target) {
    const { element, operable } = operableAt(target);
    rememberState(element);
    if (tagOf(element) === "select")
        return;
    settleAll();
    const activates = event.key === "Enter" || event.key === " ";
    const isArrowOnRadio = inputType(element) === "radio" && event.key.startsWith("Arrow");
    if (!isChord(event) && ((activates && isNativeControl(element)) || isArrowOnRadio)) {
        keyLook = lookAt(element, operable);
        return;
    }
    const look = lookAt(element, operable);
    const isOnWidget = activates && operable && !isChord(event);
    if (isOnWidget || !SCROLLING.has(event.key) || isChord(event)) {
        reportDeed({ do: "press", key: keyName(event) }, look, isOnWidget);
        return;
    }
    setTimeout(() => {
        if (event.defaultPrevented)
            reportDeed({ do: "press", key: keyName(event) }, look, false);
        else
            endWatch(look.watch);
    });
}
