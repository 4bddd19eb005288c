/** Accessible names and the words around an element. The rules are those of `observe/names.rs`, in short. */

const LONGEST_NAME = 1000;
const LONGEST_WORDS = 200;
const DEEPEST = 50;
const DEEPEST_WORDS = 200;
/** A row's text is rarely further from its button than this. */
const LEVELS_AROUND = 4;
/** So many elements are looked at for a heading. */
const MOST_LOOKS = 5000;
/** Never part of what a page says; a field's own content is what somebody typed. */
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

function tidy(text: string | null | undefined, longest: number): string {
  const collapsed = (text ?? "").slice(0, longest * 20).replace(/\s+/g, " ").trim();
  return collapsed.length > longest ? Array.from(collapsed).slice(0, longest).join("").trimEnd() : collapsed;
}

function nameOf(element: Element): string {
  return tidy(computeName(element, false, 0), LONGEST_NAME);
}

function computeName(element: Element, inside: boolean, depth: number): string {
  if (depth > DEEPEST) return "";
  const referenced = depth === 0 ? referencedText(element, "aria-labelledby") : "";
  if (referenced) return referenced;
  const written = element.getAttribute("aria-label")?.trim();
  if (written) return written;
  const native = nativeName(element);
  if (native) return native;
  if (inside || NAMED_BY_CONTENT.has(roleOf(element)) || tagOf(element) === "summary") {
    const content = contentText(element, depth);
    if (content.trim()) return content;
  }
  const title = element.getAttribute("title")?.trim();
  if (title) return title;
  return isTextField(element) ? (element.getAttribute("placeholder") ?? element.getAttribute("aria-placeholder") ?? "") : "";
}

/** The words of the elements that an attribute names by id. */
function referencedText(element: Element, attribute: string): string {
  const root = element.getRootNode();
  if (!(root instanceof Document || root instanceof ShadowRoot)) return "";
  const ids = element.getAttribute(attribute)?.split(/\s+/).filter(Boolean) ?? [];
  const parts = ids.map((id) => {
    const part = root.getElementById(id);
    return part ? tidy(computeName(part, true, 1), LONGEST_NAME) : "";
  });
  return parts.filter(Boolean).join(" ");
}

function nativeName(element: Element): string {
  if (element instanceof HTMLInputElement) {
    const type = inputType(element);
    if (["button", "submit", "reset"].includes(type) && element.value) return element.value;
    if (type === "submit") return "Submit";
    if (type === "reset") return "Reset";
    if (type === "image") return element.alt || element.value || "Submit";
  }
  if (tagOf(element) === "img" || tagOf(element) === "area") return element.getAttribute("alt") ?? "";
  if (tagOf(element) === "fieldset") return textOfFirst(element, "legend");
  if (tagOf(element) === "table") return textOfFirst(element, "caption");
  if (tagOf(element) === "svg") return textOfFirst(element, "title");
  return labelText(element);
}

function textOfFirst(element: Element, selector: string): string {
  const found = element.querySelector(`:scope > ${selector}`);
  return found ? plainText(found) : "";
}

function labelText(element: Element): string {
  return labelsOf(element).map((label) => tidy(contentText(label, 1, element), LONGEST_NAME)).filter(Boolean).join(" ");
}

function labelsOf(element: Element): Element[] {
  return "labels" in element ? Array.from((element as HTMLInputElement).labels ?? []) : [];
}

/** What stands in an element as one reads it, hidden parts left out. */
function contentText(element: Element, depth: number, except?: Element): string {
  const shadow = shadowOf(element);
  let text = "";
  for (const node of (shadow ?? element).childNodes) {
    if (text.length > LONGEST_NAME * 4) break;
    if (node instanceof Text) text += node.data;
    if (!(node instanceof Element) || node === except || SILENT.has(tagOf(node))) continue;
    if (node instanceof HTMLSlotElement) {
      const assigned = node.assignedNodes({ flatten: true });
      text += assigned.map((part) => (part instanceof Element ? inlineName(part, depth) : (part.textContent ?? ""))).join("");
    } else {
      text += inlineName(node, depth);
    }
  }
  return text;
}

function inlineName(element: Element, depth: number): string {
  if (element.getAttribute("aria-hidden") === "true" || isHidden(element)) return "";
  const name = computeName(element, true, depth + 1);
  return getComputedStyle(element).display.startsWith("inline") ? name : ` ${name} `;
}

function isHidden(element: Element): boolean {
  const style = getComputedStyle(element);
  return style.display === "none" || style.visibility === "hidden";
}

/**
 * What is written in an element and can be seen, fields and pictures left out; cut early, for parents can be whole pages.
 * `Names::words_in` of `observe/names.rs` gives the same words, or an unchanged page would look changed.
 */
function plainText(element: Element): string {
  let text = "";
  const walk = (node: Node, depth: number): void => {
    if (text.length > LONGEST_WORDS + 1 || depth > DEEPEST_WORDS) return;
    if (node instanceof Text) {
      const said = tidy(node.data, LONGEST_WORDS * 2);
      if (said && isSeen(node)) text += ` ${said}`;
    } else if (node instanceof Element && !isSilent(node) && isDrawn(node)) {
      for (const part of partsOf(node)) walk(part, depth + 1);
    }
  };
  walk(element, 0);
  return tidy(text, LONGEST_WORDS);
}

function isSilent(element: Element): boolean {
  return SILENT.has(tagOf(element)) || isEditingHost(element);
}

/** What an element shows in itself: its shadow root's content, and in a slot what was put into it. */
function partsOf(element: Element): Node[] {
  const assigned = element instanceof HTMLSlotElement ? element.assignedNodes() : [];
  return assigned.length > 0 ? assigned : Array.from((shadowOf(element) ?? element).childNodes);
}

/** Laid out, even if what it shows is not visible itself. */
function isDrawn(element: Element): boolean {
  const { display } = getComputedStyle(element);
  return display === "contents" || (display !== "none" && element.checkVisibility());
}

function isSeen(text: Text): boolean {
  const root = text.getRootNode();
  const around = text.parentElement ?? (root instanceof ShadowRoot ? root.host : null);
  return around !== null && getComputedStyle(around).visibility === "visible";
}

function wordsOf(element: Element): NonNullable<Portrait["words"]> {
  const words: NonNullable<Portrait["words"]> = {};
  const put = (key: WordsKey, text: string | null | undefined): void => {
    const tidied = tidy(text, LONGEST_WORDS);
    if (tidied) words[key] = tidied;
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

function nearestText(element: Element, step: (at: Element) => Element | null): string {
  for (let at = step(element); at; at = step(at)) {
    const text = plainText(at);
    if (text) return text;
  }
  return "";
}

/** The text of the nearest ancestor that says anything but the element's own words. */
function textAround(element: Element): string {
  const own = plainText(element);
  let above = parentOf(element);
  for (let level = 0; above && level < LEVELS_AROUND; level += 1, above = parentOf(above)) {
    const whole = plainText(above);
    const around = own ? tidy(whole.replace(own, () => " "), LONGEST_WORDS) : whole;
    if (around) return around;
  }
  return "";
}

/** The nearest heading or legend before the element, or the name of the region it stands in, whichever begins later. */
function headingOf(element: Element): string {
  let looks = MOST_LOOKS;
  const lastIn = (node: Node): string => {
    looks -= 1;
    if (looks < 0 || !(node instanceof Element)) return "";
    for (const part of partsOf(node).reverse()) {
      const found = lastIn(part);
      if (found) return found;
    }
    return roleOf(node) === "heading" || tagOf(node) === "legend" ? plainText(node) : "";
  };
  for (let at: Element | null = element; at; at = parentOf(at)) {
    if (at !== element && REGIONS.has(roleOf(at))) {
      const name = nameOf(at);
      if (name) return name;
    }
    for (let before = at.previousElementSibling; before && looks > 0; before = before.previousElementSibling) {
      const found = lastIn(before);
      if (found) return found;
    }
  }
  return "";
}
