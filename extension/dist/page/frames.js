"use strict";
const MOST_FRAMES = 200;
const DEEPEST_FRAME = 20;
function framePath() {
    const path = [];
    for (let at = window; at !== at.parent && path.length < DEEPEST_FRAME; at = at.parent) {
        path.unshift(placeIn(at.parent, at));
    }
    return path;
}
function placeIn(parent, frame) {
    const count = Math.min(parent.length, MOST_FRAMES);
    for (let place = 0; place < count; place += 1) {
        if (parent[place] === frame)
            return place;
    }
    return -1;
}
function reportFrames() {
    const frames = [];
    for (const element of elementsIn(document)) {
        if (!(element instanceof HTMLIFrameElement || element instanceof HTMLFrameElement))
            continue;
        const name = element.getAttribute("name");
        const title = tidy(element.getAttribute("title"), LONGEST_WORDS);
        frames.push({
            place: element.contentWindow ? placeIn(window, element.contentWindow) : -1,
            url: element.src ? bareAddress(element.src) : "",
            ...(element.id && { id: element.id.slice(0, LONGEST_WORDS) }),
            ...(name && { name: name.slice(0, LONGEST_WORDS) }),
            ...(title && { title }),
            index: frames.length + 1,
        });
        if (frames.length >= MOST_FRAMES)
            break;
    }
    if (frames.length > 0)
        report({ kind: "frames", frames });
}
function watchFrames(root) {
    root.addEventListener("load", (event) => {
        if (event.target instanceof HTMLIFrameElement || event.target instanceof HTMLFrameElement)
            reportFrames();
    }, true);
}
