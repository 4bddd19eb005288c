/** What is put into fields: one step a field, with the value it was left with. */

/** A value is sent when the person pauses: half a password typed into the wrong field is not known for one. */
const SEND_AFTER_MS = 300;
/** Whoever never pauses is not waited for longer. */
const SEND_WITHIN_MS = 3000;

interface Edit {
  look: Look;
  id: number;
  isSent: boolean;
  timer?: ReturnType<typeof setTimeout>;
  /** Since when there is something to send. */
  since?: number;
}

const edits = new Map<Element, Edit>();
/** How controls stood when the person turned to them, for those that change without a look. */
const statesBefore = new WeakMap<Element, ControlState>();

function rememberState(element: Element): void {
  const state = stateOf(element);
  if (state !== undefined) statesBefore.set(element, state);
}

function fieldAt(element: Element | null): Element | null {
  for (let at = element; at; at = parentOf(at)) if (isTextField(at)) return at;
  return null;
}

function onFocusIn(event: FocusEvent): void {
  const target = event.isTrusted && isRecording() ? innermostTarget(event) : null;
  if (!target) return;
  rememberState(target);
  secretKind(target);
}

function onBeforeInput(event: InputEvent): void {
  const field = event.isTrusted && isRecording() ? fieldAt(innermostTarget(event)) : null;
  if (field && !edits.has(field)) beginEdit(field);
}

function beginEdit(field: Element): Edit {
  const edit: Edit = { look: lookAt(field, true), id: nextId(), isSent: false };
  edits.set(field, edit);
  return edit;
}

function onInput(event: Event): void {
  // A script can have the browser make such events, but not before a person has touched the page.
  if (!event.isTrusted || !isRecording() || !navigator.userActivation.hasBeenActive) return;
  const target = innermostTarget(event);
  if (target instanceof HTMLSelectElement) return onChosen(target, { do: "select", options: chosenOptions(target) });
  if (target instanceof HTMLInputElement && inputType(target) === "file") return onFiles(target);
  const field = fieldAt(target);
  if (!field) return;
  const known = edits.get(field);
  const edit = known ?? beginEdit(field);
  if (!known) edit.look.before = secretKind(field) === undefined ? statesBefore.get(field) : undefined;
  edit.since ??= performance.now();
  clearTimeout(edit.timer);
  const left = edit.since + SEND_WITHIN_MS - performance.now();
  edit.timer = setTimeout(() => sendEdit(field, edit), Math.max(0, Math.min(SEND_AFTER_MS, left)));
}

/** A file chooser may have been open for long, and a page may fill the field from a drop. */
function onFiles(input: HTMLInputElement): void {
  const files = Array.from(input.files ?? [], (file) => file.name.slice(0, LONGEST_WORDS)).slice(0, MOST_MARKS);
  onChosen(input, { do: "upload", files });
}

function onChosen(control: Element, deed: Deed): void {
  commitEdits();
  const look = lookAt(control, true);
  look.before = statesBefore.get(control);
  reportDeed(deed, look);
  rememberState(control);
}

function sendEdit(field: Element, edit: Edit): void {
  clearTimeout(edit.timer);
  delete edit.timer;
  delete edit.since;
  const secret = secretKind(field);
  const value = textIn(field);
  if (secret !== undefined) {
    edit.look.before = undefined;
    report({ kind: "secret", id: edit.id, value });
  }
  sendDeed(edit.id, { do: "type", text: secret === undefined ? { text: value } : { secret } }, edit.look, true);
  edit.isSent = true;
}

/** The field is done with: its last value is reported, and its state once the page is at rest. */
function commitEdit(field: Element, edit: Edit): void {
  edits.delete(field);
  if (edit.timer !== undefined) sendEdit(field, edit);
  if (edit.isSent) settle(edit.look.watch, () => reportRest(edit.id, edit.look));
  else endWatch(edit.look.watch);
  rememberState(field);
}

function commitEdits(): void {
  for (const [field, edit] of Array.from(edits)) commitEdit(field, edit);
}

function onFocusOut(event: FocusEvent): void {
  const field = event.isTrusted ? fieldAt(innermostTarget(event)) : null;
  const edit = field && edits.get(field);
  if (edit) commitEdit(field, edit);
  else if (event.isTrusted) commitEdits();
}
