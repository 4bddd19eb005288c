"use strict";
let lastId = 0;
function nextId() {
    lastId += 1;
    return lastId;
}
function lookAt(element, operable) {
    return {
        element,
        operable,
        portrait: portraitOf(element),
        before: stateOf(element),
        marks: marksOf(element),
        at: Date.now(),
        watch: beginWatch(),
    };
}
function reportDeed(deed, look, interactive = look.operable) {
    const id = nextId();
    sendDeed(id, deed, look, interactive);
    settle(look.watch, () => reportRest(id, look));
    return id;
}
function sendDeed(id, deed, look, interactive) {
    const { portrait, before, marks, at } = look;
    report({
        kind: "deed", id, at, url: ownAddress(), deed, interactive, element: portrait,
        ...(before !== undefined && { before }),
        ...(marks !== undefined && { marks }),
    });
}
function reportRest(id, look) {
    const element = look.element.isConnected ? look.element : drawnAgain(look.portrait);
    const after = element ? stateOf(element) : undefined;
    const marks = element ? marksOf(element) : undefined;
    report({
        kind: "settled", id, effect: look.watch.changed,
        ...(after !== undefined && { after }),
        ...(marks !== undefined && { marks }),
    });
}
function reportOnPage(deed, interactive = true) {
    const id = nextId();
    const watch = beginWatch();
    report({ kind: "deed", id, at: Date.now(), url: ownAddress(), deed, interactive });
    settle(watch, () => report({ kind: "settled", id, effect: watch.changed }));
}
function drawnAgain(portrait) {
    let root = document;
    let found = null;
    for (const part of portrait.locators.css?.split(" > ::shadow > ") ?? []) {
        found = root?.querySelector(part) ?? null;
        root = found && shadowOf(found);
    }
    return found && tagOf(found) === portrait.tag && nameOf(found) === (portrait.name ?? "") ? found : null;
}
