"use strict";
const LONGEST_NAME = 1000;
const LONGEST_WORDS = 200;
const DEEPEST = 50;
const DEEPEST_WORDS = 200;
const LEVELS_AROUND = 4;
const MOST_LOOKS = 5000;
const SILENT = new Set([
    "script", "style", "noscript", "template", "input", "textarea", "select", "datalist", "iframe", "frame", "svg", "video",
    "audio", "canvas", "object", "meter", "progress",
]);
const REGIONS = new Set([
    "region", "group", "radiogroup", "dialog", "alertdialog", "tabpanel", "form", "navigation", "complementary",
]);
const NAMED_BY_CONTENT = new Set([
    "button", "cell", "checkbox", "columnheader", "gridcell", "heading", "link", "menuitem", "menuitemcheckbox",
    "menuitemradio", "option", "radio", "row", "rowheader", "switch", "tab", "tooltip", "treeitem",
]);
function tidy(text, longest) {
    const collapsed = (text ?? "").slice(0, longest * 20).replace(/\s+/g, " ").trim();
    return collapsed.length > longest ? Array.from(collapsed).slice(0, longest).join("").trimEnd() : collapsed;
}
function nameOf(element) {
    return tidy(computeName(element, false, 0), LONGEST_NAME);
}
function computeName(element, inside, depth) {
    if (depth > DEEPEST)
        return "";
    const referenced = depth === 0 ? referencedText(element, "aria-labelledby") : "";
    if (referenced)
        return referenced;
    const written = element.getAttribute("aria-label")?.trim();
    if (written)
        return written;
    const native = nativeName(element);
    if (native)
        return native;
    if (inside || NAMED_BY_CONTENT.has(roleOf(element)) || tagOf(element) === "summary") {
        const content = contentText(element, depth);
        if (content.trim())
            return content;
    }
    const title = element.getAttribute("title")?.trim();
    if (title)
        return title;
    return isTextField(element) ? (element.getAttribute("placeholder") ?? element.getAttribute("aria-placeholder") ?? "") : "";
}
function referencedText(element, attribute) {
    const root = element.getRootNode();
    if (!(root instanceof Document || root instanceof ShadowRoot))
        return "";
    const ids = element.getAttribute(attribute)?.split(/\s+/).filter(Boolean) ?? [];
    const parts = ids.map((id) => {
        const part = root.getElementById(id);
        return part ? tidy(computeName(part, true, 1), LONGEST_NAME) : "";
    });
    return parts.filter(Boolean).join(" ");
}
function nativeName(element) {
    if (element instanceof HTMLInputElement) {
        const type = inputType(element);
        if (["button", "submit", "reset"].includes(type) && element.value)
            return element.value;
        if (type === "submit")
            return "Submit";
        if (type === "reset")
            return "Reset";
        if (type === "image")
            return element.alt || element.value || "Submit";
    }
    if (tagOf(element) === "img" || tagOf(element) === "area")
        return element.getAttribute("alt") ?? "";
    if (tagOf(element) === "fieldset")
        return textOfFirst(element, "legend");
    if (tagOf(element) === "table")
        return textOfFirst(element, "caption");
    if (tagOf(element) === "svg")
        return textOfFirst(element, "title");
    return labelText(element);
}
function textOfFirst(element, selector) {
    const found = element.querySelector(`:scope > ${selector}`);
    return found ? plainText(found) : "";
}
function labelText(element) {
    return labelsOf(element).map((label) => tidy(contentText(label, 1, element), LONGEST_NAME)).filter(Boolean).join(" ");
}
function labelsOf(element) {
    return "labels" in element ? Array.from(element.labels ?? []) : [];
}
function contentText(element, depth, except) {
    const shadow = shadowOf(element);
    let text = "";
    for (const node of (shadow ?? element).childNodes) {
        if (text.length > LONGEST_NAME * 4)
            break;
        if (node instanceof Text)
            text += node.data;
        if (!(node instanceof Element) || node === except || SILENT.has(tagOf(node)))
            continue;
        if (node instanceof HTMLSlotElement) {
            const assigned = node.assignedNodes({ flatten: true });
            text += assigned.map((part) => (part instanceof Element ? inlineName(part, depth) : (part.textContent ?? ""))).join("");
        }
        else {
            text += inlineName(node, depth);
        }
    }
    return text;
}
function inlineName(element, depth) {
    if (element.getAttribute("aria-hidden") === "true" || isHidden(element))
        return "";
    const name = computeName(element, true, depth + 1);
    return getComputedStyle(element).display.startsWith("inline") ? name : ` ${name} `;
}
function isHidden(element) {
    const style = getComputedStyle(element);
    return style.display === "none" || style.visibility === "hidden";
}
function plainText(element) {
    let text = "";
    const walk = (node, depth) => {
        if (text.length > LONGEST_WORDS + 1 || depth > DEEPEST_WORDS)
            return;
        if (node instanceof Text) {
            const said = tidy(node.data, LONGEST_WORDS * 2);
            if (said && isSeen(node))
                text += ` ${said}`;
        }
        else if (node instanceof Element && !isSilent(node) && isDrawn(node)) {
            for (const part of partsOf(node))
                walk(part, depth + 1);
        }
    };
    walk(element, 0);
    return tidy(text, LONGEST_WORDS);
}
function isSilent(element) {
    return SILENT.has(tagOf(element)) || isEditingHost(element);
}
function partsOf(element) {
    const assigned = element instanceof HTMLSlotElement ? element.assignedNodes() : [];
    return assigned.length > 0 ? assigned : Array.from((shadowOf(element) ?? element).childNodes);
}
function isDrawn(element) {
    const { display } = getComputedStyle(element);
    return display === "contents" || (display !== "none" && element.checkVisibility());
}
function isSeen(text) {
    const root = text.getRootNode();
    const around = text.parentElement ?? (root instanceof ShadowRoot ? root.host : null);
    return around !== null && getComputedStyle(around).visibility === "visible";
}
function wordsOf(element) {
    const words = {};
    const put = (key, text) => {
        const tidied = tidy(text, LONGEST_WORDS);
        if (tidied)
            words[key] = tidied;
    };
    put("aria_label", element.getAttribute("aria-label"));
    put("label", labelsOf(element).map(plainText).filter(Boolean).join(" "));
    put("placeholder", element.getAttribute("placeholder"));
    put("title", element.getAttribute("title"));
    put("alt", element.getAttribute("alt"));
    put("text", plainText(element));
    put("previous", nearestText(element, (at) => at.previousElementSibling));
    put("next", nearestText(element, (at) => at.nextElementSibling));
    put("parent", textAround(element));
    put("heading", headingOf(element));
    return words;
}
function nearestText(element, step) {
    for (let at = step(element); at; at = step(at)) {
        const text = plainText(at);
        if (text)
            return text;
    }
    return "";
}
function textAround(element) {
    const own = plainText(element);
    let above = parentOf(element);
    for (let level = 0; above && level < LEVELS_AROUND; level += 1, above = parentOf(above)) {
        const whole = plainText(above);
        const around = own ? tidy(whole.replace(own, () => " "), LONGEST_WORDS) : whole;
        if (around)
            return around;
    }
    return "";
}
function headingOf(element) {
    let looks = MOST_LOOKS;
    const lastIn = (node) => {
        looks -= 1;
        if (looks < 0 || !(node instanceof Element))
            return "";
        for (const part of partsOf(node).reverse()) {
            const found = lastIn(part);
            if (found)
                return found;
        }
        return roleOf(node) === "heading" || tagOf(node) === "legend" ? plainText(node) : "";
    };
    for (let at = element; at; at = parentOf(at)) {
        if (at !== element && REGIONS.has(roleOf(at))) {
            const name = nameOf(at);
            if (name)
                return name;
        }
        for (let before = at.previousElementSibling; before && looks > 0; before = before.previousElementSibling) {
            const found = lastIn(before);
            if (found)
                return found;
        }
    }
    return "";
}
