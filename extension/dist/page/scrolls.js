"use strict";
const INTENT_MS = 1500;
const SCROLL_ENDS_MS = 250;
let lastIntent = -Infinity;
const scrollings = new Map();
function onScrollIntent(event) {
    if (event.isTrusted)
        lastIntent = performance.now();
}
function onScroll(event) {
    if (!event.isTrusted || !isRecording() || performance.now() - lastIntent > INTENT_MS)
        return;
    const page = document.scrollingElement ?? document.documentElement;
    const scroller = event.target instanceof Element ? event.target : page;
    let scrolling = scrollings.get(scroller);
    if (!scrolling) {
        const look = scroller === page ? undefined : lookAt(scroller, false);
        const watch = look?.watch ?? beginWatch();
        scrolling = { look, watch, timer: setTimeout(() => undefined) };
        scrollings.set(scroller, scrolling);
    }
    const { look, watch } = scrolling;
    clearTimeout(scrolling.timer);
    scrolling.timer = setTimeout(() => {
        scrollings.delete(scroller);
        const deed = { do: "scroll", x: Math.round(scroller.scrollLeft), y: Math.round(scroller.scrollTop) };
        const at = Date.now();
        settle(watch, () => {
            if (!watch.opened)
                return;
            const id = nextId();
            report({ kind: "deed", id, at, url: ownAddress(), deed, interactive: true, ...(look && { element: look.portrait }) });
            report({ kind: "settled", id, effect: true });
        });
    }, SCROLL_ENDS_MS);
}
