/** Elements that hold a state, and how they stand. */

const LONGEST_TEXT = 10_000;
const MOST_MARKS = 40;

function controlKind(element: Element): ControlKind | undefined {
  if (element instanceof HTMLInputElement) {
    const type = inputType(element);
    if (type === "checkbox" || type === "radio") return type;
  }
  if (element instanceof HTMLSelectElement) return "select";
  if (isTextField(element)) return "text";
  if (element.hasAttribute("aria-checked")) return "aria-checked";
  if (element.hasAttribute("aria-pressed")) return "aria-pressed";
  if (element.hasAttribute("aria-selected") && roleOf(element) === "option") return "aria-selected";
  return undefined;
}

/** How a control stands; nothing if it is none, or if it holds a secret. */
function stateOf(element: Element): ControlState | undefined {
  switch (controlKind(element)) {
    case "checkbox": {
      const box = element as HTMLInputElement;
      return box.indeterminate ? "mixed" : box.checked ? "on" : "off";
    }
    case "radio":
      return { chosen: radioGroup(element as HTMLInputElement).filter((radio) => radio.checked).map(nameOf) };
    case "select":
      return { chosen: chosenOptions(element as HTMLSelectElement) };
    case "text":
      return secretKind(element) === undefined ? { text: textIn(element) } : undefined;
    case "aria-checked":
      return ariaState(element.getAttribute("aria-checked"));
    case "aria-pressed":
      return ariaState(element.getAttribute("aria-pressed"));
    case "aria-selected":
      return ariaState(element.getAttribute("aria-selected"));
    default:
      return undefined;
  }
}

function ariaState(value: string | null): ControlState {
  return value === "true" ? "on" : value === "mixed" ? "mixed" : "off";
}

function chosenOptions(select: HTMLSelectElement): string[] {
  return Array.from(select.selectedOptions, (option) => tidy(option.label || option.text, LONGEST_WORDS));
}

function radioGroup(radio: HTMLInputElement): HTMLInputElement[] {
  if (!radio.name) return [radio];
  const root = radio.getRootNode();
  if (!(root instanceof Document || root instanceof ShadowRoot)) return [radio];
  const same = root.querySelectorAll<HTMLInputElement>(`input[type=radio][name="${CSS.escape(radio.name)}"]`);
  return Array.from(same).filter((other) => other.form === radio.form);
}

function textIn(field: Element): string {
  const isForm = field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement;
  const text = isForm ? field.value : field instanceof HTMLElement ? field.innerText : "";
  return text.slice(0, LONGEST_TEXT);
}

/** What may tell states apart on an element that declares none. */
function marksOf(element: Element): string[] | undefined {
  if (controlKind(element) !== undefined) return undefined;
  const classes = Array.from(element.classList, (name) => `class:${name}`);
  const data = Array.from(element.attributes)
    .filter((attribute) => attribute.name.startsWith("data-") && !isTokenLike(attribute.value))
    .map((attribute) => `${attribute.name}=${attribute.value}`);
  const text = plainText(element);
  const marks = [...classes, ...data, ...(text ? [`text:${text}`] : [])];
  return marks.map((mark) => mark.slice(0, LONGEST_WORDS)).slice(0, MOST_MARKS).sort();
}
