"use strict";
const WIDGETS = new Set([
    "button", "link", "checkbox", "radio", "switch", "tab", "menuitem", "menuitemcheckbox", "menuitemradio", "option",
    "combobox", "textbox", "searchbox", "slider", "spinbutton", "treeitem",
]);
const STRUCTURES = new Set([
    "alertdialog", "application", "article", "dialog", "document", "feed", "form", "group", "heading", "list", "listitem",
    "main", "menu", "menubar", "navigation", "radiogroup", "region", "rowgroup", "status", "table", "tablist", "tabpanel",
    "toolbar", "iframe",
]);
const OTHER_ROLES = new Set([
    "alert", "banner", "blockquote", "caption", "cell", "code", "columnheader", "complementary", "contentinfo", "definition",
    "deletion", "directory", "emphasis", "figure", "generic", "grid", "gridcell", "image", "img", "insertion", "listbox",
    "log", "marquee", "math", "meter", "none", "note", "paragraph", "presentation", "progressbar", "row", "rowheader",
    "scrollbar", "search", "separator", "strong", "subscript", "superscript", "term", "time", "timer", "tooltip", "tree",
    "treegrid",
]);
const TAG_ROLES = {
    button: "button", summary: "button", textarea: "textbox", option: "option", optgroup: "group", fieldset: "group",
    details: "group", address: "group", hgroup: "group", h1: "heading", h2: "heading", h3: "heading", h4: "heading",
    h5: "heading", h6: "heading", nav: "navigation", main: "main", search: "search", aside: "complementary",
    article: "article", ul: "list", ol: "list", menu: "list", li: "listitem", dt: "term", dd: "definition", table: "table",
    caption: "caption", thead: "rowgroup", tbody: "rowgroup", tfoot: "rowgroup", tr: "row", td: "cell", th: "columnheader",
    svg: "img", figure: "figure", hr: "separator", p: "paragraph", blockquote: "blockquote", dialog: "dialog",
    progress: "progressbar", meter: "meter", output: "status", iframe: "iframe",
};
const INPUT_ROLES = {
    button: "button", submit: "button", reset: "button", image: "button", file: "button", radio: "radio", range: "slider",
    number: "spinbutton", hidden: "none",
};
function tagOf(element) {
    return element.localName;
}
function roleOf(element) {
    const role = writtenRole(element);
    const isMeaningless = role === "none" && !isFocusable(element) && !hasOwnName(element);
    const found = role && (role !== "none" || isMeaningless) ? role : nativeRole(element);
    return found === "generic" ? "" : found;
}
function writtenRole(element) {
    const tokens = element.getAttribute("role")?.toLowerCase().split(/\s+/) ?? [];
    const known = tokens.find((token) => WIDGETS.has(token) || STRUCTURES.has(token) || OTHER_ROLES.has(token));
    return known === "image" ? "img" : known === "presentation" ? "none" : known;
}
function nativeRole(element) {
    const tag = tagOf(element);
    if ((tag === "a" || tag === "area") && element.hasAttribute("href"))
        return "link";
    if (element instanceof HTMLInputElement)
        return inputRole(element);
    if (element instanceof HTMLSelectElement)
        return element.multiple || element.size > 1 ? "listbox" : "combobox";
    if (tag === "img")
        return element.getAttribute("alt") === "" && !hasOwnName(element) ? "none" : "img";
    if (tag === "section")
        return hasOwnName(element) ? "region" : "generic";
    if (tag === "form")
        return hasOwnName(element) ? "form" : "generic";
    if (tag === "header")
        return isPageLevel(element) ? "banner" : "generic";
    if (tag === "footer")
        return isPageLevel(element) ? "contentinfo" : "generic";
    if (isEditingHost(element))
        return "textbox";
    return TAG_ROLES[tag] ?? "generic";
}
function inputRole(input) {
    const type = inputType(input);
    const offers = input.hasAttribute("list");
    if (type === "checkbox")
        return input.hasAttribute("switch") ? "switch" : "checkbox";
    if (type === "search" && !offers)
        return "searchbox";
    if (offers && ["", "text", "search", "email", "tel", "url"].includes(type))
        return "combobox";
    return INPUT_ROLES[type] ?? "textbox";
}
function inputType(element) {
    return (element.getAttribute("type") ?? "").trim().toLowerCase();
}
function hasOwnName(element) {
    return ["aria-label", "aria-labelledby", "title"].some((name) => element.getAttribute(name)?.trim());
}
function isPageLevel(element) {
    return !parentOf(element)?.closest("article, aside, main, nav, section");
}
function isEditingHost(element) {
    const written = element.getAttribute("contenteditable")?.toLowerCase();
    return written === "" || written === "true" || written === "plaintext-only";
}
function isFocusable(element) {
    if (Number.isInteger(tabIndexOf(element)) || isEditingHost(element))
        return true;
    switch (tagOf(element)) {
        case "a":
        case "area":
            return element.hasAttribute("href");
        case "button":
        case "select":
        case "textarea":
            return !element.hasAttribute("disabled");
        case "input":
            return !element.hasAttribute("disabled") && inputType(element) !== "hidden";
        case "summary":
        case "iframe":
            return true;
        default:
            return false;
    }
}
function tabIndexOf(element) {
    const written = element.getAttribute("tabindex")?.trim();
    return written && /^[+-]?\d+$/.test(written) ? Number(written) : NaN;
}
function isTextField(element) {
    if (element instanceof HTMLTextAreaElement)
        return true;
    if (!(element instanceof HTMLInputElement))
        return isEditingHost(element);
    return !["checkbox", "radio", "file", "button", "submit", "reset", "image", "hidden"].includes(inputType(element));
}
function isOperable(element) {
    const tag = tagOf(element);
    if (tag === "html" || tag === "body")
        return false;
    if (isFocusable(element) && tag !== "iframe") {
        const tabIndex = tabIndexOf(element);
        const isOnlyFocusTarget = Number.isInteger(tabIndex) && !isNativeControl(element) && !isEditingHost(element);
        if (!isOnlyFocusTarget || WIDGETS.has(roleOf(element)))
            return true;
        if (tabIndex >= 0 && !STRUCTURES.has(roleOf(element)))
            return true;
    }
    if (WIDGETS.has(writtenRole(element) ?? "") || element.hasAttribute("onclick"))
        return true;
    return isNativeControl(element) || hasHand(element);
}
function isNativeControl(element) {
    const tag = tagOf(element);
    if (tag === "a" || tag === "area")
        return element.hasAttribute("href");
    return ["button", "input", "select", "textarea", "summary"].includes(tag);
}
function hasHand(element) {
    const parent = parentOf(element);
    const hand = (at) => getComputedStyle(at).cursor === "pointer";
    return hand(element) && !(parent && hand(parent));
}
function operableAt(element) {
    for (const above of selfAndAncestors(element)) {
        if (above instanceof HTMLLabelElement && above.control)
            return { element: above.control, operable: true };
        if (isOperable(above))
            return { element: above, operable: true };
    }
    return { element, operable: false };
}
