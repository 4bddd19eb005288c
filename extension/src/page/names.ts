/** Accessible names and the words around an element. The rules are those of `observe/names.rs`, in short. */

const LONGEST_NAME = 1000;
const LONGEST_WORDS = 200;
const DEEPEST = 50;
/** Never part of what a page says; a field's own content is what somebody typed. */
const SILENT = new Set(["script", "style", "noscript", "template", "textarea", "select", "datalist", "iframe", "svg"]);

const NAMED_BY_CONTENT = new Set([
  "button", "cell", "checkbox", "columnheader", "gridcell", "heading", "link", "menuitem", "menuitemcheckbox",
  "menuitemradio", "option", "radio", "row", "rowheader", "switch", "tab", "tooltip", "treeitem",
]);

function tidy(text: string | null | undefined, longest: number): string {
  const collapsed = (text ?? "").slice(0, longest * 20).replace(/\s+/g, " ").trim();
  return collapsed.length > longest ? Array.from(collapsed).slice(0, longest).join("") : collapsed;
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
  if (!("labels" in element)) return "";
  const labels = Array.from((element as HTMLInputElement).labels ?? []);
  return labels.map((label) => tidy(contentText(label, 1, element), LONGEST_NAME)).filter(Boolean).join(" ");
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

/** Plain text of an element without fields, scripts and `except`, cut early: parents can be whole pages. */
function plainText(element: Element, except?: Element): string {
  let text = "";
  const walk = (at: Element | ShadowRoot, depth: number): void => {
    for (const node of at.childNodes) {
      if (text.length > LONGEST_WORDS * 4 || depth > DEEPEST) return;
      if (node instanceof Text) text += ` ${node.data.slice(0, LONGEST_WORDS * 4)}`;
      if (node instanceof Element && node !== except && !SILENT.has(tagOf(node)) && !isEditingHost(node)) {
        const shadow = shadowOf(node);
        if (shadow) walk(shadow, depth + 1);
        walk(node, depth + 1);
      }
    }
  };
  walk(shadowOf(element) ?? element, 0);
  return tidy(text, LONGEST_WORDS);
}

function wordsOf(element: Element): NonNullable<Portrait["words"]> {
  const words: NonNullable<Portrait["words"]> = {};
  const put = (key: WordsKey, text: string | null | undefined): void => {
    const tidied = tidy(text, LONGEST_WORDS);
    if (tidied) words[key] = tidied;
  };
  const parent = parentOf(element);
  put("aria_label", element.getAttribute("aria-label"));
  put("label", labelText(element) || referencedText(element, "aria-labelledby"));
  put("placeholder", element.getAttribute("placeholder"));
  put("title", element.getAttribute("title"));
  put("alt", element.getAttribute("alt"));
  if (!isTextField(element) && tagOf(element) !== "select") put("text", plainText(element));
  put("previous", element.previousElementSibling && plainText(element.previousElementSibling));
  put("next", element.nextElementSibling && plainText(element.nextElementSibling));
  if (parent && tagOf(parent) !== "body" && tagOf(parent) !== "html") put("parent", plainText(parent, element));
  put("heading", headingOf(element));
  return words;
}

/** The legend, heading or name of the smallest area around the element that has one. */
function headingOf(element: Element): string {
  for (const area of selfAndAncestors(element)) {
    if (area === element) continue;
    const tag = tagOf(area);
    if (tag === "body" || tag === "html") break;
    const legend = tag === "fieldset" ? textOfFirst(area, "legend") : "";
    const isNamedArea = STRUCTURES.has(roleOf(area)) || tag === "section";
    const named = isNamedArea ? referencedText(area, "aria-labelledby") || area.getAttribute("aria-label") : "";
    if (legend || named) return legend || (named ?? "");
    const heading = lastHeadingBefore(area, element);
    if (heading) return plainText(heading);
  }
  const heading = document.documentElement && lastHeadingBefore(document.documentElement, element);
  return heading ? plainText(heading) : "";
}

function lastHeadingBefore(area: Element, element: Element): Element | null {
  let last: Element | null = null;
  for (const heading of area.querySelectorAll("h1, h2, h3, h4, h5, h6, [role=heading]")) {
    const comesBefore = heading.compareDocumentPosition(element) & Node.DOCUMENT_POSITION_FOLLOWING;
    if (!comesBefore) break;
    last = heading;
  }
  return last;
}
