"use strict";
const knownRoots = new WeakMap();
const rootListeners = [];
let dialogListener = () => undefined;
const MEETING = "umpire-recorder-meets";
const MET = "met";
const MARKER_COMES = "marker";
const MARKER_IS_IN = "rooted";
const DIALOG = "dialog";
function meetMainWorld() {
    const own = document.createElement("i");
    let met = false;
    own.addEventListener(MET, () => (met = true), { once: true });
    follow(own);
    dispatchEvent(new MouseEvent(MEETING, { relatedTarget: own }));
    if (met)
        return;
    const meet = (event) => {
        const shared = event instanceof MouseEvent ? event.relatedTarget : null;
        if (!(shared instanceof Element))
            return;
        removeEventListener(MEETING, meet, true);
        follow(shared);
        shared.dispatchEvent(new Event(MET));
    };
    addEventListener(MEETING, meet, true);
}
function follow(shared) {
    let marker = null;
    shared.addEventListener(MARKER_COMES, (event) => {
        const related = event instanceof MouseEvent ? event.relatedTarget : null;
        marker = related instanceof Element ? related : null;
    });
    shared.addEventListener(MARKER_IS_IN, () => {
        const root = marker?.getRootNode();
        if (root instanceof ShadowRoot)
            learn(root);
    });
    shared.addEventListener(DIALOG, (event) => {
        const text = event instanceof CustomEvent ? event.detail : undefined;
        if (typeof text === "string")
            dialogListener(text);
    });
}
function learn(root) {
    if (knownRoots.get(root.host) === root)
        return;
    knownRoots.set(root.host, root);
    rootListeners.forEach((listener) => listener(root));
}
function shadowOf(element) {
    const known = knownRoots.get(element) ?? element.shadowRoot;
    if (known)
        return known;
    if (typeof chrome === "undefined" || !chrome.dom || !(element instanceof HTMLElement))
        return null;
    const closed = chrome.dom.openOrClosedShadowRoot(element);
    if (closed)
        learn(closed);
    return closed;
}
function innermostTarget(event) {
    const first = event.composedPath()[0];
    let element = first instanceof Element ? first : first instanceof Document ? first.documentElement : null;
    while (element) {
        const root = shadowOf(element);
        if (!root)
            break;
        const inner = event instanceof MouseEvent && (event.clientX !== 0 || event.clientY !== 0)
            ? root.elementFromPoint(event.clientX, event.clientY)
            : root.activeElement;
        if (!inner || inner === element || inner.getRootNode() !== root)
            break;
        element = inner;
    }
    return element;
}
function parentOf(element) {
    if (element.parentElement)
        return element.parentElement;
    const root = element.getRootNode();
    return root instanceof ShadowRoot ? root.host : null;
}
function* selfAndAncestors(element) {
    for (let at = element; at; at = parentOf(at))
        yield at;
}
function* elementsIn(root) {
    for (let child = root.firstElementChild; child; child = child.nextElementSibling) {
        yield child;
        const shadow = shadowOf(child);
        if (shadow)
            yield* elementsIn(shadow);
        yield* elementsIn(child);
    }
}
function focusedElement() {
    let element = document.activeElement;
    while (element) {
        const inner = shadowOf(element)?.activeElement;
        if (!inner)
            break;
        element = inner;
    }
    return element;
}
