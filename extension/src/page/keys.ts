/** Keys that do something by themselves; those that only write or move about in a field belong to typing. */

const MODIFIERS = new Set(["Control", "Shift", "Alt", "AltGraph", "Meta", "CapsLock", "Dead", "Process", "Unidentified"]);
const SCROLLING = new Set(["PageUp", "PageDown", "Home", "End", "ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight", " "]);
const EDITING_CHORDS = new Set(["a", "c", "v", "x", "y", "z"]);

function onKeyDown(event: KeyboardEvent): void {
  if (!event.isTrusted || !isRecording() || event.isComposing || event.repeat || MODIFIERS.has(event.key)) return;
  if (event.key === "Tab") return;
  const target = innermostTarget(event);
  if (!target) return;
  const field = fieldAt(target);
  if (field) keyInField(event, field);
  else keyElsewhere(event, target);
}

function isChord(event: KeyboardEvent): boolean {
  return event.ctrlKey || event.metaKey || (event.altKey && !event.getModifierState("AltGraph"));
}

function keyName(event: KeyboardEvent): string {
  const key = event.key === " " ? "Space" : event.key;
  const held = [
    event.ctrlKey && "Control", event.altKey && "Alt", event.metaKey && "Meta",
    event.shiftKey && (isChord(event) || key.length > 1) && "Shift",
  ].filter(Boolean);
  return [...held, key].join("+");
}

function keyInField(event: KeyboardEvent, field: Element): void {
  const isEnter = event.key === "Enter";
  const writes = event.key.length === 1 && !isChord(event);
  const isEditing = isChord(event) && (EDITING_CHORDS.has(event.key.toLowerCase()) || SCROLLING.has(event.key));
  if (writes || isEditing || ["Backspace", "Delete"].includes(event.key)) return;
  const isLine = field instanceof HTMLInputElement;
  if (event.key === "Escape" || isChord(event) || (isEnter && isLine)) {
    pressed(event, field, lookAt(field, true), isEnter);
  } else if (isEnter || SCROLLING.has(event.key)) {
    // It writes a line break or moves the cursor, unless the page makes something else of it.
    flushEdit(field);
    const look = lookAt(field, true);
    setTimeout(() => (event.defaultPrevented ? pressed(event, field, look, isEnter) : endWatch(look.watch)));
  }
}

function flushEdit(field: Element): void {
  const edit = edits.get(field);
  if (edit?.timer !== undefined) sendEdit(field, edit);
}

function pressed(event: KeyboardEvent, field: Element, look: Look, always: boolean): void {
  const edit = edits.get(field);
  if (edit) commitEdit(field, edit);
  reportDeed({ do: "press", key: keyName(event) }, look, always);
}

function keyElsewhere(event: KeyboardEvent, target: Element): void {
  const { element, operable } = operableAt(target);
  rememberState(element);
  if (tagOf(element) === "select") return;
  settleAll();
  const activates = event.key === "Enter" || event.key === " ";
  const isArrowOnRadio = inputType(element) === "radio" && event.key.startsWith("Arrow");
  if (!isChord(event) && ((activates && isNativeControl(element)) || isArrowOnRadio)) {
    keyLook = lookAt(element, operable);
    return;
  }
  const look = lookAt(element, operable);
  const isOnWidget = activates && operable && !isChord(event);
  if (isOnWidget || !SCROLLING.has(event.key) || isChord(event)) {
    reportDeed({ do: "press", key: keyName(event) }, look, isOnWidget);
    return;
  }
  setTimeout(() => {
    if (event.defaultPrevented) reportDeed({ do: "press", key: keyName(event) }, look, false);
    else endWatch(look.watch);
  });
}
