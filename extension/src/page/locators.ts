/** Ways to point at an element again. */

const LONGEST_PATH = 2000;
const LONGEST_VALUE = 300;
const TEST_ATTRIBUTES = [
  "data-testid", "data-test", "data-test-id", "data-cy", "data-qa", "data-automation", "data-automation-id",
];

function locatorsOf(element: Element): Portrait["locators"] {
  const locators: Portrait["locators"] = {};
  const short = (value: string | null): value is string => value !== null && value !== "" && value.length <= LONGEST_VALUE;
  if (short(element.id)) locators.id = element.id;
  const name = element.getAttribute("name");
  if (short(name)) locators.field_name = name;
  const tests = TEST_ATTRIBUTES.map((attribute) => [attribute, element.getAttribute(attribute)] as const);
  const test_ids = tests.filter((pair): pair is [string, string] => short(pair[1]));
  if (test_ids.length > 0) locators.test_ids = test_ids;
  const href = element.getAttribute("href");
  if (href !== null) locators.href = cleanAddress(href, document.baseURI);
  const css = cssPath(element);
  if (css.length <= LONGEST_PATH) locators.css = css;
  const xpath = xPath(element);
  if (xpath.length <= LONGEST_PATH) locators.xpath = xpath;
  return locators;
}

/** From the nearest id that is its root's only one, or from the root's top; and the same for every host above. */
function cssPath(element: Element): string {
  const root = element.getRootNode();
  const steps: string[] = [];
  for (let at: Element | null = element; at; at = at.parentElement) {
    if (isOnlyOne(at, root)) {
      steps.unshift(`${CSS.escape(tagOf(at))}#${CSS.escape(at.id)}`);
      break;
    }
    steps.unshift(isTop(at) ? tagOf(at) : `${CSS.escape(tagOf(at))}:nth-of-type(${placeAmongSiblings(at)[0]})`);
  }
  const path = steps.join(" > ");
  return root instanceof ShadowRoot ? `${cssPath(root.host)} > ::shadow > ${path}` : path;
}

/** A document has one of each. */
function isTop(element: Element): boolean {
  return element === document.documentElement || element === document.body;
}

function isOnlyOne(element: Element, root: Node): boolean {
  if (!element.id || !(root instanceof Document || root instanceof ShadowRoot)) return false;
  return root.querySelectorAll(`#${CSS.escape(element.id)}`).length === 1;
}

function xPath(element: Element): string {
  const root = element.getRootNode();
  let path = "";
  for (let at: Element | null = element; at; at = at.parentElement) {
    if (isOnlyOne(at, root) && !(at.id.includes('"') && at.id.includes("'"))) {
      const quote = at.id.includes('"') ? "'" : '"';
      return `//*[@id=${quote}${at.id}${quote}]${path}`;
    }
    path = isTop(at) ? `/${tagOf(at)}${path}` : `/${tagOf(at)}[${placeAmongSiblings(at)[0]}]${path}`;
  }
  return path;
}

/** Place among siblings of the same tag, from 1, and how many there are. */
function placeAmongSiblings(element: Element): [number, number] {
  const above = element.parentNode;
  if (!above) return [1, 1];
  const same = Array.from(above.children).filter((other) => other.localName === element.localName);
  return [same.indexOf(element) + 1, same.length];
}
