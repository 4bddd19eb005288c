/** Clicks, and drags by pointer: one step each, however many events the browser makes of them. */

const CLICK_COMES_MS = 60;
const SAME_CLICK_MS = 100;
const RECENT_MS = 1000;
const DRAG_PIXELS = 10;

interface Press {
  look: Look;
  x: number;
  y: number;
}

let press: Press | undefined;
let lastClick: { element: Element; id: number; at: number; look: Look } | undefined;
/** The element a key was pressed on that makes the browser click it. */
let keyLook: Look | undefined;
let nativeDrag: Look | undefined;

/** Browsers show these themselves; what comes of it is reported as what was chosen. */
function opensChooser(element: Element): boolean {
  const tag = tagOf(element);
  return tag === "select" || tag === "option" || (tag === "input" && ["file", "range", "color"].includes(inputType(element)));
}

function onPointerDown(event: PointerEvent): void {
  if (!event.isTrusted || !isRecording() || !event.isPrimary) return;
  dropPress();
  settleAll();
  const target = innermostTarget(event);
  if (event.button !== 0 || !target) return;
  const { element, operable } = operableAt(target);
  rememberState(element);
  if (!opensChooser(element)) press = { look: lookAt(element, operable), x: event.clientX, y: event.clientY };
}

function dropPress(): void {
  if (press) endWatch(press.look.watch);
  press = undefined;
}

function onClick(event: MouseEvent): void {
  if (!event.isTrusted || !isRecording()) return;
  const look = press?.look ?? lookOfKey(event);
  press = undefined;
  if (!look) return;
  if (openedElsewhere(event, look.element)) {
    endWatch(look.watch);
    return;
  }
  if (event.detail === 2 && lastClick?.element === look.element) {
    const { id, look: first } = lastClick;
    sendDeed(id, { do: "click", double: true }, first, look.operable);
    settle(look.watch, () => reportRest(id, { ...first, watch: look.watch }));
    return;
  }
  commitEdits();
  const id = reportDeed({ do: "click" }, look);
  lastClick = { element: look.element, id, at: Date.now(), look };
}

/** A click that no pointer made: by a key, or forwarded by a label that was clicked. Scripts make others. */
function lookOfKey(event: MouseEvent): Look | undefined {
  const target = innermostTarget(event);
  if (!target || (lastClick && Date.now() - lastClick.at < SAME_CLICK_MS && !keyLook)) return undefined;
  const look = keyLook;
  keyLook = undefined;
  if (!look || Date.now() - look.at > RECENT_MS) return undefined;
  const { element, operable } = operableAt(target);
  if (element === look.element) return look;
  endWatch(look.watch);
  // Arrows move the choice to another radio of the group, whose state is the same.
  return inputType(element) === "radio" && inputType(look.element) === "radio"
    ? { ...lookAt(element, operable), before: look.before }
    : undefined;
}

/** With these keys a link opens in a new tab, and this page stays. */
function openedElsewhere(event: MouseEvent, element: Element): boolean {
  const asksForTab = event.ctrlKey || event.metaKey || event.shiftKey || event.button === 1;
  const link = asksForTab ? element.closest("a[href], area[href]") : null;
  if (!(link instanceof HTMLAnchorElement || link instanceof HTMLAreaElement)) return false;
  reportOnPage({ do: "open-tab", url: cleanAddress(link.href) });
  return true;
}

function onAuxClick(event: MouseEvent): void {
  const target = event.isTrusted && isRecording() && event.button === 1 ? innermostTarget(event) : null;
  if (target) openedElsewhere(event, operableAt(target).element);
}

function onPointerUp(event: PointerEvent): void {
  const pressed = press;
  if (!event.isTrusted || !pressed || !event.isPrimary) return;
  const isFar = Math.hypot(event.clientX - pressed.x, event.clientY - pressed.y) >= DRAG_PIXELS;
  const target = isFar ? innermostTarget(event) : null;
  const end = target && operableAt(target).element;
  const to = end && end !== pressed.look.element ? portraitOf(end) : undefined;
  // The click follows in the same task as a rule; a page that acts on the press may have taken its target away.
  setTimeout(() => {
    if (press !== pressed) return;
    press = undefined;
    const { look } = pressed;
    const isSelecting = !look.operable && getSelection()?.isCollapsed === false;
    if (to && !isSelecting && !isTextField(look.element)) reportDeed({ do: "drag", to }, look);
    else if (!isFar && (look.watch.changed || !look.element.isConnected)) reportDeed({ do: "click" }, look);
    else endWatch(look.watch);
  }, CLICK_COMES_MS);
}

function onDragStart(event: DragEvent): void {
  if (!event.isTrusted || !isRecording()) return;
  const target = innermostTarget(event);
  const dragged = target?.closest("[draggable=true], a[href], img") ?? target;
  nativeDrag = dragged ? lookAt(dragged, true) : undefined;
  dropPress();
}

function onDrop(event: DragEvent): void {
  const look = nativeDrag;
  nativeDrag = undefined;
  const target = event.isTrusted ? innermostTarget(event) : null;
  if (look && target) reportDeed({ do: "drag", to: portraitOf(target) }, look);
}

function onDragEnd(): void {
  if (nativeDrag) endWatch(nativeDrag.watch);
  nativeDrag = undefined;
}
