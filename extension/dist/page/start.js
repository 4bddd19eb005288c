"use strict";
let attended;
let hasBegun = false;
function listen() {
    const on = (type, listener) => addEventListener(type, listener, { capture: true, passive: true });
    for (const type of ["readystatechange", "pointerdown", "keydown"])
        on(type, attend);
    on("pointerdown", onPointerDown);
    on("pointerup", onPointerUp);
    on("click", onClick);
    on("auxclick", onAuxClick);
    on("dragstart", onDragStart);
    on("drop", onDrop);
    on("dragend", onDragEnd);
    on("focusin", onFocusIn);
    on("focusout", onFocusOut);
    on("beforeinput", onBeforeInput);
    on("input", onInput);
    on("keydown", onKeyDown);
    on("scroll", onScroll);
    for (const type of ["wheel", "touchmove", "keydown", "pointerdown"])
        on(type, onScrollIntent);
    on("pagehide", onPageHide);
    on("load", onWindowLoad);
}
function onWindowLoad(event) {
    attend();
    if (event.target === document)
        onLoaded();
}
function attend() {
    if (document === attended)
        return;
    attended = document;
    documentName = randomName();
    watchFrames(document);
    watchPasswords(document);
    new MutationObserver(listen).observe(document, { childList: true });
    if (hasBegun)
        reportDocument();
}
rootListeners.push(watchFrames, watchPasswords, observeRoot, (root) => root.addEventListener("scroll", onScroll, { capture: true, passive: true }));
dialogListener = onDialog;
meetMainWorld();
attend();
listen();
if (typeof navigation !== "undefined")
    navigation.addEventListener("navigate", onNavigate);
followSwitch(() => {
    hasBegun = true;
    reportDocument();
});
