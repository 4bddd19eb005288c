"use strict";
const LONGEST_PATH = 2000;
const LONGEST_VALUE = 300;
const TEST_ATTRIBUTES = [
    "data-testid", "data-test", "data-test-id", "data-cy", "data-qa", "data-automation", "data-automation-id",
];
function locatorsOf(element) {
    const locators = {};
    const short = (value) => value !== null && value !== "" && value.length <= LONGEST_VALUE;
    if (short(element.id))
        locators.id = element.id;
    const name = element.getAttribute("name");
    if (short(name))
        locators.field_name = name;
    const tests = TEST_ATTRIBUTES.map((attribute) => [attribute, element.getAttribute(attribute)]);
    const test_ids = tests.filter((pair) => short(pair[1]));
    if (test_ids.length > 0)
        locators.test_ids = test_ids;
    const href = element.getAttribute("href");
    if (href !== null)
        locators.href = cleanAddress(href, document.baseURI);
    const css = cssPath(element);
    if (css.length <= LONGEST_PATH)
        locators.css = css;
    const xpath = xPath(element);
    if (xpath.length <= LONGEST_PATH)
        locators.xpath = xpath;
    return locators;
}
function cssPath(element) {
    const root = element.getRootNode();
    const steps = [];
    for (let at = element; at; at = at.parentElement) {
        if (isOnlyOne(at, root)) {
            steps.unshift(`${CSS.escape(tagOf(at))}#${CSS.escape(at.id)}`);
            break;
        }
        steps.unshift(isTop(at) ? tagOf(at) : `${CSS.escape(tagOf(at))}:nth-of-type(${placeAmongSiblings(at)[0]})`);
    }
    const path = steps.join(" > ");
    return root instanceof ShadowRoot ? `${cssPath(root.host)} > ::shadow > ${path}` : path;
}
function isTop(element) {
    return element === document.documentElement || element === document.body;
}
function isOnlyOne(element, root) {
    if (!element.id || !(root instanceof Document || root instanceof ShadowRoot))
        return false;
    return root.querySelectorAll(`#${CSS.escape(element.id)}`).length === 1;
}
function xPath(element) {
    const root = element.getRootNode();
    let path = "";
    for (let at = element; at; at = at.parentElement) {
        if (isOnlyOne(at, root) && !(at.id.includes('"') && at.id.includes("'"))) {
            const quote = at.id.includes('"') ? "'" : '"';
            return `//*[@id=${quote}${at.id}${quote}]${path}`;
        }
        path = isTop(at) ? `/${tagOf(at)}${path}` : `/${tagOf(at)}[${placeAmongSiblings(at)[0]}]${path}`;
    }
    return path;
}
function placeAmongSiblings(element) {
    const above = element.parentNode;
    if (!above)
        return [1, 1];
    const same = Array.from(above.children).filter((other) => other.localName === element.localName);
    return [same.indexOf(element) + 1, same.length];
}
